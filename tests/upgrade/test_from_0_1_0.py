"""An upgrade from version 0.1.0: what waited is done, nothing is lost, and a process of 0.1.0 that
still runs does no harm.
"""

from __future__ import annotations

import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from redis import Redis
from sqlalchemy import select, update

from engine import registry
from engine.documents import to_document
from engine.record import verify
from service import upkeep
from service.context import Context
from service.ledger.check import check_ledger
from service.matches import lobby
from service.matches.check import check
from service.matches.types import Match, SeatRequest
from service.notices import delivery
from service.statuses import MATCH_STATUSES
from service.store import component_sets, players, survey
from service.store import outbox as outbox_rows
from service.store import turns as turn_rows
from service.store.database import Database, migrate
from service.store.players import Player
from service.store.tables import component_sets as sets
from service.store.tables import matches, upgrades
from service.store.upgrades import SIDE_BY_SIDE
from service.turns import batch, lookup, pending
from service.turns.rulings import Case, OwnRulings, Result
from service.turns.submit import submit
from service.views import match as views
from service.views.record import match_record
from tests.service.fakes import Clock, Postbag, notices, past_the_delay, person, wired
from tests.upgrade.kept import CONTENTS, go_on, judge_as_0_1_0, load_database, load_queue
from tests.workers.service_of_two import environ
from tests.workers.valkey import Valkey
from tools.waiting import until

LEFT = datetime.fromisoformat(CONTENTS["at"])
MATCHES = 4
BY_0_1_0 = datetime(2026, 11, 21, 12, 9, tzinfo=UTC)
"""When the process of 0.1.0 that goes on judged what waits."""


@pytest.fixture(params=["sqlite", "postgresql"])
def old_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The database as 0.1.0 left it, on either kind; not migrated."""
    if request.param == "sqlite":
        url = f"sqlite:///{tmp_path}/overland.sqlite"
    else:
        url = request.getfixturevalue("empty_postgresql")
    load_database(url, tmp_path / "kept.sqlite")
    return url


@pytest.fixture
def upgraded(old_url: str, tmp_path: Path) -> Iterator[Context]:
    """The service of today on that database, five minutes later."""
    context = wired(tmp_path, old_url)
    migrate(context.database)
    assert isinstance(context.clock, Clock)
    context.clock.now = LEFT + timedelta(minutes=5)
    yield context
    context.close()


def player_of(context: Context, turn_id: str) -> tuple[Player, str]:
    """The player who submitted that turn, and its match."""
    match_id = CONTENTS["oregon"] if turn_id == CONTENTS["waiting"][0] else CONTENTS["montana"]
    match = lobby.find(context, None, match_id)
    with context.database.read() as connection:
        for seat in match.seats:
            player = players.find(connection, seat.player_id or "")
            assert player is not None
            if any(turn.id == turn_id for turn in lookup.of_player(context, player, match_id)):
                return player, match_id
    raise AssertionError(f"nobody submitted {turn_id}")


def test_what_waited_in_0_1_0_is_judged_and_sent_and_the_ledger_is_clean(upgraded: Context) -> None:
    owed = check_ledger(upgraded.database)
    assert owed.breaches == []
    assert set(owed.pending_turns) == set(CONTENTS["waiting"])
    assert pending.judge_pending(upgraded) == len(CONTENTS["waiting"])
    for turn_id in CONTENTS["waiting"]:
        player, match_id = player_of(upgraded, turn_id)
        assert lookup.find(upgraded, player, match_id, turn_id).status == "accepted"
    sent = delivery.deliver_due(upgraded)
    past_the_delay(upgraded)
    sent += delivery.deliver_due(upgraded)
    assert set(sent) == {"sent", "covered"}, "those of one reader that follow one another are merged"
    assert isinstance(upgraded.transport, Postbag)
    assert len(upgraded.transport.messages) == sent["sent"]
    after = check_ledger(upgraded.database)
    assert (after.breaches, after.pending_turns, after.pending_notices) == ([], [], [])
    assert after.dead_notices == [CONTENTS["dead"]]
    assert Counter(each.status for each in notices(upgraded))["sent"] >= sent["sent"]


def test_every_match_of_0_1_0_is_replayed_shown_and_verified_as_before(upgraded: Context) -> None:
    found = list(survey.match_ids(upgraded.database, MATCH_STATUSES))
    assert len(found) == MATCHES
    for match_id in found:
        checked = check(upgraded.database, match_id)
        assert checked is not None
        assert checked.differences == ()
        game = lobby.find(upgraded, None, match_id).game
        assert views.components(upgraded, match_id) == _standard_of_0_1_0(game)
    verify(match_record(upgraded, None, CONTENTS["ozeanien"]))  # raises what fails


def _standard_of_0_1_0(game: str) -> Any:
    """The set that was the standard one of the game in 0.1.0; matches keep the name it had."""
    which = "first" if "first" in registry.component_sets(game) else "standard"
    return to_document(registry.components(game, which)) | {"name": "standard"}


def test_a_dead_notice_of_0_1_0_can_be_sent_after_all(upgraded: Context) -> None:
    with upgraded.database.write() as connection:
        outbox_rows.revive(connection, [CONTENTS["dead"]], upgraded.clock())
    delivery.deliver_due(upgraded)
    assert check_ledger(upgraded.database).dead_notices == []


def test_a_turn_repeated_with_its_key_after_the_upgrade_is_the_same_turn(upgraded: Context) -> None:
    turn_id = CONTENTS["waiting"][0]
    player, match_id = player_of(upgraded, turn_id)
    kept = lookup.find(upgraded, player, match_id, turn_id)
    again = submit(upgraded, player, match_id, None, kept.ply, actions=list(kept.actions), idempotency_key="waiting-1")
    assert again.id == turn_id


def test_a_process_of_0_1_0_that_goes_on_beside_the_new_ones_loses_nothing(upgraded: Context) -> None:
    go_on(upgraded.database)
    assert check_ledger(upgraded.database).breaches == []
    pending.judge_pending(upgraded)
    delivery.deliver_due(upgraded)
    assert isinstance(upgraded.clock, Clock)
    upgraded.clock.now += timedelta(minutes=1)  # its leases end
    delivery.deliver_due(upgraded)
    found = check_ledger(upgraded.database)
    assert (found.breaches, found.pending_turns, found.pending_notices) == ([], [], [])
    assert found.matches == MATCHES + 1
    for match_id in survey.match_ids(upgraded.database, MATCH_STATUSES):
        checked = check(upgraded.database, match_id)
        assert checked is not None
        assert checked.differences == ()


def test_the_copies_of_component_sets_stay_for_processes_of_0_1_0_for_an_hour(upgraded: Context) -> None:
    go_on(upgraded.database)
    with upgraded.database.write() as connection:  # as if it had been migrated when 0.1.0 ended
        connection.execute(update(sets).values(added_at=LEFT))
    assert isinstance(upgraded.clock, Clock)
    upgraded.clock.now = LEFT + SIDE_BY_SIDE
    assert upkeep.tidy(upgraded) == 0
    upgraded.clock.now += timedelta(seconds=1)
    assert upkeep.tidy(upgraded) == MATCHES + 1
    with upgraded.database.read() as connection:
        assert not component_sets.copied(connection)
    assert check_ledger(upgraded.database).breaches == []


def test_matches_of_the_hour_after_the_upgrade_are_such_as_0_1_0_can_judge(upgraded: Context) -> None:
    with upgraded.database.write() as connection:
        connection.execute(update(upgrades).values(at=LEFT))
    ada, bela = person(upgraded, "Noa"), person(upgraded, "Omar")
    assert isinstance(upgraded.clock, Clock)
    upgraded.clock.now = LEFT + SIDE_BY_SIDE - timedelta(seconds=1)
    beside = _begun(upgraded, ada, bela)
    upgraded.clock.now = LEFT + SIDE_BY_SIDE
    alone = _begun(upgraded, ada, bela)
    with upgraded.database.read() as connection:
        stored = component_sets.of_match(connection, alone.id)
    assert (beside.scheme, _copy(upgraded, beside)) == ("overland/1", stored)
    assert (alone.scheme, _copy(upgraded, alone)) == ("overland/2", {})
    assert check_ledger(upgraded.database).breaches == []


def test_a_seat_is_free_again_after_0_1_0_has_judged_its_turn(upgraded: Context) -> None:
    """It does not know the slot, and leaves it as it is."""
    pending.judge_pending(upgraded)
    with upgraded.database.write() as connection:
        judged = turn_rows.find(connection, CONTENTS["waiting"][1])
        assert judged is not None
        again = replace(judged, idempotency_key=None, status="queued", verdict=None, judged_at=None)
        assert turn_rows.add_all(connection, [replace(again, id="first")]) == frozenset()
        assert turn_rows.add_all(connection, [replace(again, id="second")]) == {"second"}
    judge_as_0_1_0(upgraded.database, "first")
    with upgraded.database.write() as connection:
        assert turn_rows.add_all(connection, [replace(again, id="second")]) == frozenset()
        assert [turn.id for turn in turn_rows.oldest(connection, 10)] == ["second"]


def test_a_verdict_of_0_1_0_stands_when_a_new_worker_has_ruled_on_the_same_turn(upgraded: Context) -> None:
    turn_id = CONTENTS["waiting"][0]

    class Overtaken(OwnRulings):
        """0.1.0 judges all turns while they are ruled on here."""

        def rule(self, cases: Sequence[Case]) -> list[tuple[Case, Result]]:
            results = super().rule(cases)
            go_on(upgraded.database)
            return results

    rulings = Overtaken(upgraded.database, upgraded.states)
    assert batch.judge_oldest(upgraded, rulings, 10).judged == ()
    player, match_id = player_of(upgraded, turn_id)
    assert lookup.find(upgraded, player, match_id, turn_id).judged_at == BY_0_1_0
    pending.judge_pending(upgraded)
    assert check_ledger(upgraded.database).breaches == []
    told = [notice.payload["turn_id"] for notice in notices(upgraded, "verdict")]
    assert len(told) == len(set(told))


def _begun(context: Context, ada: Player, bela: Player) -> Match:
    created = lobby.create(context, ada, "montana", {}, [SeatRequest("me"), SeatRequest("open")])
    return lobby.join(context, bela, created.id)


def _copy(context: Context, match: Match) -> object:
    with context.database.read() as connection:
        return connection.execute(select(matches.c.components).where(matches.c.id == match.id)).scalar_one()


def test_workers_understand_the_jobs_that_0_1_0_left_in_the_queue(tmp_path: Path) -> None:
    """Nobody else wakes them: the jobs are all there is."""
    valkey = Valkey(tmp_path)
    variables = environ(tmp_path / "var", OVERLAND_REDIS_URL=valkey.url)
    url = f"sqlite:///{tmp_path}/var/overland.sqlite"
    (tmp_path / "var").mkdir(exist_ok=True)
    load_database(url, tmp_path / "unused")
    database = Database(url)
    migrate(database)
    valkey.start()
    with Redis.from_url(valkey.url) as redis:
        load_queue(redis)
    workers = []
    try:
        for part in ("turns", "notices"):
            with (tmp_path / f"{part}.log").open("wb") as log:
                words = [sys.executable, "-m", "workers", part]
                workers.append(subprocess.Popen(words, env=variables, stdout=log, stderr=log))
        until(lambda: _settled(database), "turns are judged and notices sent")
    finally:
        for worker in workers:
            worker.send_signal(signal.SIGTERM)
        for worker in workers:
            worker.wait()
        valkey.stop()
    found = check_ledger(database)
    database.dispose()
    assert (found.breaches, found.dead_notices) == ([], [CONTENTS["dead"]])
    assert len(list((tmp_path / "var" / "mail").glob("*.eml"))) >= 1


def _settled(database: Database) -> bool:
    with database.read() as connection:
        backlog = survey.backlog(connection, LEFT)
    return backlog.turns == 0 and backlog.notices == 0
