"""States remembered between turns: only what is new is read, and nothing that is not committed is
believed.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from engine import play, registry
from engine.play import IllegalAction, Replayed, adjudicate
from engine.types import Entry
from service.context import Context
from service.errors import Conflict, StalePly
from service.matches import lobby, progress, replays
from service.matches.progress import Cause, Step
from service.matches.replays import MatchUnreadable
from service.matches.types import SeatRequest
from service.notices.mail.compose import mail_of
from service.store import matches as rows
from service.store.tables import entries as logged
from service.store.tables import matches
from service.turns import lookup
from service.turns.submit import submit
from service.views import match as views
from service.views.match import board_text
from service.views.record import match_log
from tests.service.fakes import Round, judged_batch, notices, person, played, played_on, restarted, started, state_of


@pytest.fixture
def table(context: Context, pearls: None) -> Round:
    return started(context, "pearls")


def test_a_turn_reads_nothing_of_a_log_that_is_remembered_however_long_it_is(
    context: Context, table: Round, ranges_read: list[tuple[int, int]]
) -> None:
    match = played_on(context, table, random.Random(1), plies=16)
    seat = next(seat.seat for seat in match.seats if seat.to_act)
    turn = submit(context, table.players[seat], match.id, None, match.ply, notation="1")
    ranges_read.clear()
    assert judged_batch(context, 1).judged == (turn.id,)
    assert ranges_read == []


def test_a_process_that_lags_behind_reads_only_what_is_new(
    context: Context, table: Round, ranges_read: list[tuple[int, int]]
) -> None:
    other = restarted(context)
    played(context, table.players[0], table.match.id, "dive")
    board_text(other, None, table.match.id)
    played(context, table.players[1], table.match.id, "dive")
    ranges_read.clear()
    board_text(other, None, table.match.id)
    assert ranges_read == [(2, 4)]
    board_text(other, None, table.match.id)
    assert ranges_read == [(2, 4)]


def test_the_state_after_a_judged_turn_is_remembered_before_anybody_asks_for_it(context: Context, table: Round) -> None:
    turn = submit(context, table.players[0], table.match.id, None, 0, notation="dive")
    assert judged_batch(context, 1).judged == (turn.id,)
    assert context.states.nearest(table.match.id, 2) == (2, state_of(context, table.match.id))


def test_a_remembered_state_is_the_replay_of_the_log(context: Context, table: Round) -> None:
    match = played_on(context, table, random.Random(1), plies=20)
    remembered = context.states.nearest(match.id, match.ply)
    assert remembered == (match.ply, state_of(context, match.id))


def test_a_process_that_has_forgotten_everything_judges_alike(context: Context, table: Round) -> None:
    match = played_on(context, table, random.Random(1), plies=10)
    context.states.forget()
    match = played_on(restarted(context), table, random.Random(2))
    assert match.status == "finished"


def test_a_look_back_at_an_earlier_ply_does_not_spoil_what_is_remembered(context: Context, table: Round) -> None:
    with context.database.read() as connection:
        early = rows.find(connection, table.match.id)
    assert early is not None
    played(context, table.players[0], table.match.id, "dive")
    with context.database.read() as connection:
        assert replays.load(connection, context, early) == registry.game("pearls").setup(
            replays.setup_of(connection, early)
        )
    assert context.states.nearest(table.match.id, 2) == (2, state_of(context, table.match.id))


@pytest.fixture
def long(context: Context, pearls: None) -> Round:
    """Ada and Bela at ply 1,000, by nothing but diving; Ada is awaited."""
    people = person(context, "Ada"), person(context, "Bela")
    many = {"ones": 400, "twos": 400, "threes": 400}
    seats = [SeatRequest("me"), SeatRequest("open")]
    match_id = lobby.create(context, people[0], "pearls", {}, seats, components=many).id
    lobby.join(context, people[1], match_id)
    with context.database.write() as connection:
        match = rows.lock(connection, match_id)
        assert match is not None
        game, entries = replays.game_of(match), list[Entry[Any]]()
        state = game.setup(replays.setup_of(connection, match))
        while len(entries) < 1000:
            seat = game.to_act(state)[0]
            judged = adjudicate(game, state, len(entries), seat, game.parse("dive"), replays.draw_of(match))
            state, entries = judged.state, [*entries, *judged.entries]
        made = progress.progress_by(match, Step(tuple(entries), (state,)), Cause("turn", 0))
        progress.write(connection, [progress.rows_of(made)], (), context.clock())
    return Round(lobby.find(context, people[0], match_id), people)


@pytest.fixture
def work(ranges_read: list[tuple[int, int]], monkeypatch: pytest.MonkeyPatch) -> Callable[[], tuple[int, int]]:
    """How many entries were read and how many were applied since it was asked last."""
    applied: list[int] = []
    walk = play.walk

    def counted(*arguments: Any, **options: Any) -> Iterator[Replayed]:
        for step in walk(*arguments, **options):
            applied.append(step.ply)
            yield step

    monkeypatch.setattr(play, "walk", counted)

    def since() -> tuple[int, int]:
        done = sum(stop - start for start, stop in ranges_read), len(applied)
        ranges_read.clear()
        applied.clear()
        return done

    return since


@pytest.mark.usefixtures("in_advance")
def test_after_a_thousand_entries_only_the_last_are_read_and_applied(
    context: Context, long: Round, work: Callable[[], tuple[int, int]]
) -> None:
    match_id, (ada, bela) = long.match.id, long.players
    own = restarted(context)
    board_text(own, ada, match_id)
    assert work() == (1000, 1000), "a process that has just started knows nothing"

    turn = submit(own, ada, match_id, None, 1000, notation="dive")
    assert judged_batch(own, 1).judged == (turn.id,)
    assert work() == (0, 0)
    assert lookup.find(own, ada, match_id, turn.id).status == "accepted"
    assert work() == (2, 2), "a verdict is told from the turn's own entries"

    (asked,) = (notice for notice in notices(own, "your_turn") if notice.payload["ply"] == 1002)
    assert asked.player_id == bela.id
    assert "Ada dives." in mail_of(own, asked).as_string()
    assert max(work()) <= 20, "a mail tells from the reader's last turn on"

    page = match_log(own, bela, match_id, after_ply=901, limit=100)
    assert [entry["ply"] for entry in page] == list(range(902, 1002))
    read, applied = work()
    assert applied <= 100 + 1000 / 15
    assert read <= applied + 100, "the times of the entries are read, too"

    with pytest.raises(StalePly) as stale:
        submit(own, ada, match_id, None, 1000, notation="dive")
    assert len(stale.value.changes) == 2
    assert max(work()) <= 8

    first = match_log(own, bela, match_id, limit=10)
    assert [entry["ply"] for entry in first] == list(range(10))
    assert max(work()) <= 20


def test_no_state_after_an_entry_against_the_rules_is_remembered(context: Context, table: Round) -> None:
    played(context, table.players[0], table.match.id, "dive")
    with context.database.write() as connection:
        connection.execute(logged.update().where(logged.c.ply == 0).values(action={"type": "answer", "take": True}))
    own = restarted(context)
    for _ in range(2):
        with pytest.raises(MatchUnreadable) as refused:
            board_text(own, None, table.match.id)
        assert isinstance(refused.value.__cause__, IllegalAction)
        assert "Ply 0" in str(refused.value.__cause__)
    nearest = own.states.nearest(table.match.id, 2)
    assert nearest is not None
    assert nearest[0] == 0


def test_a_match_of_other_rules_is_not_played_by_these(context: Context, table: Round) -> None:
    with context.database.write() as connection:
        connection.execute(matches.update().where(matches.c.id == table.match.id).values(rules_version=99))
    with pytest.raises(Conflict, match="version 99 of the rules of pearls") as refused:
        views.observation(context, None, table.match.id)
    assert refused.value.code == "rules_version_missing"
    assert lobby.find(context, None, table.match.id).rules_version == 99
