"""The ledger holds over honest play on either database, and names whatever is tampered with."""

from __future__ import annotations

import json
import random
import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from sqlalchemy import Connection, delete, func, insert, select, update

from service.commands.ledger import ledger
from service.context import Context
from service.ledger.check import ReportedTurn, UnreadableReport, check_ledger, read_seen
from service.ledger.findings import Findings, unsettled
from service.matches import lobby
from service.matches.types import SeatRequest
from service.notices import delivery
from service.pictures.pool import PictureFailed, Pictures
from service.store.database import Database
from service.store.tables import (
    clock_steps,
    confirmations,
    entries,
    events,
    matches,
    outbox,
    players,
    seat_clocks,
    seats,
)
from service.store.tables import turns as turn_table
from service.turns.submit import submit
from tests.service.fakes import (
    Round,
    discovered,
    judge_one,
    notices,
    past_the_delay,
    person,
    played,
    played_on,
    restarted,
    started,
    wired_in,
)
from tests.service.turns.clocks import let_expire, moved_to, stored


class NoPictures(Pictures):
    """Draws nothing: that takes most of the time of a mail, and the ledger does not look at it."""

    def png(self, svg: str, width: int, patience: float = 0.0) -> bytes:
        raise PictureFailed("There are no pictures here.", 60)


def play(context: Context) -> None:
    """A running match with a refused turn, one ended by resignation, one in which a bot plays
    on; one turn is queued still.
    """
    luck = random.Random("ledger")
    running = started(context, "oregon", 2, ("Ada", "Bela"))
    played_on(context, running, luck, 40)
    awaited = next(seat.seat for seat in lobby.find(context, None, running.match.id).seats if seat.to_act)
    ply = lobby.find(context, None, running.match.id).ply
    begun_long_ago = [{"type": "start", "space": "G1"}]
    refused = submit(context, running.players[awaited], running.match.id, None, ply, actions=begun_long_ago)
    assert judge_one(context, refused.id).status == "rejected"
    ended = started(context, "oregon", 2, ("Cleo", "Dora"))
    played_on(context, ended, luck, 16)
    lobby.resign(context, ended.players[0], ended.match.id)
    housed = started(context, "oregon", 3, ("Emil", "Fay", "Gil"))
    played_on(context, housed, luck, 16)
    gone = next(seat.seat for seat in lobby.find(context, None, housed.match.id).seats if seat.to_act)
    lobby.resign(context, housed.players[gone], housed.match.id)
    left = Round(housed.match, housed.players)
    played_on(context, left, luck, lobby.find(context, None, housed.match.id).ply + 8)
    ivo = person(context, "Ivo")
    lobby.create(context, ivo, "oregon", {}, [SeatRequest("me"), SeatRequest("invite", "kim@example.org")])
    past_the_delay(context)
    delivered = delivery.deliver_due(replace(context, pictures=NoPictures()))
    assert set(delivered) == {"sent", "covered"}, "the verdicts that waited are told by the last one"
    assert delivered.total() == len(notices(context))
    seat = next(seat.seat for seat in lobby.find(context, None, running.match.id).seats if seat.to_act)
    submit(
        context,
        running.players[seat],
        running.match.id,
        None,
        lobby.find(context, None, running.match.id).ply,
        notation="1",
    )


def codes(findings: Findings) -> set[str]:
    return {breach.code for breach in findings.breaches}


def test_honest_play_has_no_breach_on_either_database(context: Context) -> None:
    play(context)
    found = check_ledger(context.database)
    assert found.breaches == []
    assert found.matches == 4
    assert set(found.turns) == {"accepted", "rejected", "queued"}
    assert len(found.pending_turns) == 1
    assert not found.settled
    assert found.owed == sum(found.notices.values()) == found.notices["sent"] + found.notices["covered"]
    judge_one(restarted(context), found.pending_turns[0])
    past_the_delay(context)
    delivery.deliver_due(replace(context, pictures=NoPictures()))
    assert check_ledger(context.database).settled


@pytest.mark.parametrize("game", ["pearls", pytest.param("oregon", marks=pytest.mark.deep)])
def test_a_match_played_to_its_end_has_no_breach(context: Context, pearls: None, game: str) -> None:
    table = started(context, game)
    played_on(context, table, random.Random("end"))
    assert check_ledger(context.database).breaches == []


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database that has been played on, to be copied and tampered with."""
    return left_by(play, tmp_path_factory.mktemp("honest"))


def left_by(happen: Callable[[Context], object], folder: Path) -> Path:
    """The database of a service in that folder, once this has happened there."""
    service = wired_in(folder)
    happen(service)
    service.close()
    return folder / "overland.sqlite"


@pytest.fixture
def copied(honest: Path, tmp_path: Path) -> Database:
    shutil.copy(honest, tmp_path / "overland.sqlite")
    return Database(f"sqlite:///{tmp_path}/overland.sqlite")


Tamper = Callable[[Connection], Any]


def accepted(connection: Connection, number: int = 5) -> Any:
    """An accepted turn somewhere in the middle."""
    return connection.execute(
        select(turn_table).where(turn_table.c.status == "accepted").order_by(turn_table.c.submitted_at, turn_table.c.id)
    ).all()[number]


def verdict_of(connection: Connection, turn: Any, **change: Any) -> None:
    connection.execute(update(turn_table).where(turn_table.c.id == turn.id).values(verdict=turn.verdict | change))


def notice_of(connection: Connection, kind: str) -> Any:
    return connection.execute(select(outbox).where(outbox.c.kind == kind).order_by(outbox.c.id)).first()


def lose_an_entry(connection: Connection) -> None:
    turn = accepted(connection)
    connection.execute(delete(entries).where(entries.c.match_id == turn.match_id, entries.c.ply == turn.ply))


def lose_the_last_entry(connection: Connection) -> None:
    match = connection.execute(select(matches).where(matches.c.status == "running")).first()
    assert match is not None
    connection.execute(delete(entries).where(entries.c.match_id == match.id, entries.c.ply == match.ply - 1))


def repeat_the_first_entry(connection: Connection) -> None:
    """A seat places its start tile a second time."""
    turn = accepted(connection)
    its = (entries.c.match_id == turn.match_id) & (entries.c.seat == turn.seat)
    first = connection.scalars(select(entries.c.action).where(its).order_by(entries.c.ply)).first()
    assert first is not None
    assert first["type"] == "start"
    connection.execute(update(entries).where(its, entries.c.ply == turn.ply).values(action=first))


def forge_a_draw(connection: Connection) -> None:
    rows = connection.execute(
        select(entries).where(entries.c.seat == -1, entries.c.ply < 6).order_by(entries.c.match_id, entries.c.ply)
    ).all()
    first, other = next(
        (one, two) for one in rows for two in rows if one.match_id == two.match_id and one.action != two.action
    )
    connection.execute(
        update(entries)
        .where(entries.c.match_id == first.match_id, entries.c.ply == first.ply)
        .values(action=other.action)
    )


def orphan_an_entry(connection: Connection) -> None:
    turn = accepted(connection)
    connection.execute(update(entries).where(entries.c.turn_id == turn.id).values(turn_id=None))


def give_entries_to_another_turn(connection: Connection) -> None:
    standing = connection.execute(
        select(turn_table).where(turn_table.c.status == "accepted").order_by(turn_table.c.match_id, turn_table.c.ply)
    ).all()
    first, second = next((one, two) for one, two in pairwise(pairwise(standing)) if one[0].match_id == two[1].match_id)
    first, second = first[0], second[1]
    connection.execute(update(entries).where(entries.c.turn_id == first.id).values(turn_id=second.id))


def judge_twice(connection: Connection) -> None:
    """A second accepted verdict over the same plies, and its notice."""
    turn = accepted(connection)
    twin = dict(turn._mapping) | {"id": "twin", "idempotency_key": None}
    connection.execute(insert(turn_table).values(**twin))
    notice = connection.execute(select(outbox).where(outbox.c.kind == "verdict")).all()
    mine = next(row for row in notice if row.payload["turn_id"] == turn.id)
    connection.execute(
        insert(outbox).values(**dict(mine._mapping) | {"id": "twin", "payload": mine.payload | {"turn_id": "twin"}})
    )


def reject_what_was_accepted(connection: Connection) -> None:
    turn = accepted(connection)
    values = {
        "status": "rejected",
        "verdict": turn.verdict | {"status": "rejected", "ply_after": turn.verdict["ply_before"]},
    }
    connection.execute(update(turn_table).where(turn_table.c.id == turn.id).values(values))


def unjudge(connection: Connection) -> None:
    turn = accepted(connection)
    connection.execute(update(turn_table).where(turn_table.c.id == turn.id).values(status="queued"))


def change_the_actions(connection: Connection) -> None:
    turn, other = accepted(connection, 0), accepted(connection, 1)
    connection.execute(update(turn_table).where(turn_table.c.id == turn.id).values(document=other.document))


def write_a_notice_twice(connection: Connection) -> None:
    connection.execute(insert(outbox).values(**dict(notice_of(connection, "your_turn")._mapping) | {"id": "again"}))


def announce_what_never_was(connection: Connection) -> None:
    notice = notice_of(connection, "your_turn")
    connection.execute(
        insert(outbox).values(**dict(notice._mapping) | {"id": "phantom", "payload": notice.payload | {"ply": 9999}})
    )


def lose_a_notice(kind: str) -> Tamper:
    return lambda connection: connection.execute(delete(outbox).where(outbox.c.id == notice_of(connection, kind).id))


def misaddress_a_notice(connection: Connection) -> None:
    notice = notice_of(connection, "verdict")
    other = connection.execute(select(seats.c.player_id).where(seats.c.player_id != notice.player_id)).scalars().first()
    connection.execute(update(outbox).where(outbox.c.id == notice.id).values(player_id=other))


def set_of(table: Any, **values: Any) -> Tamper:
    """The first running match, or its seats, changed."""

    def change(connection: Connection) -> None:
        match_id = (
            connection.execute(select(matches.c.id).where(matches.c.status == "running").order_by(matches.c.id))
            .scalars()
            .first()
        )
        connection.execute(
            update(table).where((table.c.id if table is matches else table.c.match_id) == match_id).values(values)
        )

    return change


def of_status(status: str, **values: Any) -> Tamper:
    """Changes one notice of that status."""

    def change(connection: Connection) -> None:
        mine = select(outbox.c.id).where(outbox.c.status == status, outbox.c.kind == "verdict").limit(1)
        connection.execute(update(outbox).where(outbox.c.id == mine.scalar_subquery()).values(values))

    return change


def lose_an_event(kind: str) -> Tamper:
    def lose(connection: Connection) -> None:
        mine = connection.execute(select(events).where(events.c.kind == kind)).all()[-1]
        its = (events.c.match_id == mine.match_id) & (events.c.number == mine.number)
        connection.execute(delete(events).where(its))

    return lose


def tell_twice(connection: Connection) -> None:
    """A second event of the same turn, counted."""
    mine = connection.execute(select(events).where(events.c.kind == "turn_played")).first()
    assert mine is not None
    count = update(matches).where(matches.c.id == mine.match_id).values(events=matches.c.events + 1)
    number = connection.execute(count.returning(matches.c.events)).scalar_one()
    connection.execute(insert(events).values(**dict(mine._mapping) | {"number": number}))


SENTENCES = frozenset((Path(__file__).parent / "sentences.txt").read_text("utf-8").splitlines())
"""What the ledger says of breaches, each after its code."""
TAMPERED: list[tuple[Tamper, str]] = [
    (lose_an_entry, "log_gap"),
    (lose_the_last_entry, "ply_differs"),
    (repeat_the_first_entry, "entry_illegal"),
    (forge_a_draw, "draw_differs"),
    (orphan_an_entry, "entry_without_turn"),
    (give_entries_to_another_turn, "turn_twice_in_log"),
    (judge_twice, "accepted_not_in_log"),
    (reject_what_was_accepted, "rejected_in_log"),
    (unjudge, "queued_in_log"),
    (unjudge, "queued_with_verdict"),
    (change_the_actions, "actions_differ"),
    (
        lambda connection: verdict_of(connection, accepted(connection), ply_after=accepted(connection).ply + 99),
        "span_differs",
    ),
    (lambda connection: verdict_of(connection, accepted(connection), status="rejected"), "verdict_differs"),
    (
        lambda connection: connection.execute(
            update(turn_table).where(turn_table.c.status == "rejected").values(verdict=None)
        ),
        "verdict_missing",
    ),
    (
        lambda connection: connection.execute(
            update(turn_table).where(turn_table.c.status == "rejected").values(status="mislaid")
        ),
        "status_unknown",
    ),
    (write_a_notice_twice, "notice_twice"),
    (announce_what_never_was, "notice_without_cause"),
    *(
        (lose_a_notice(kind), "notice_missing")
        for kind in ("verdict", "your_turn", "match_started", "match_over", "invitation")
    ),
    (lose_a_notice("confirm_address"), "sign_up_mails_differ"),
    (lambda connection: connection.execute(delete(confirmations)), "sign_up_mails_differ"),
    (misaddress_a_notice, "notice_misaddressed"),
    (lambda connection: connection.execute(update(outbox).values(sent_at=None)), "delivery_unsaid"),
    (of_status("covered", superseded_by=None), "covering_unsaid"),
    (of_status("sent", covered_by="preference:off"), "covering_unsaid"),
    (of_status("covered", superseded_by="nobody"), "covered_by_nothing"),
    (of_status("covered", superseded_by=None, covered_by="because"), "covered_by_nothing"),
    (of_status("covered", superseded_by=None, covered_by="answer:another"), "covered_by_nothing"),
    (of_status("covered", player_id=None), "covered_by_nothing"),
    (lose_an_event("turn_played"), "events_differ"),
    (lose_an_event("turn_played"), "event_missing"),
    (lose_an_event("verdict"), "events_differ"),
    (lose_an_event("verdict"), "event_missing"),
    (of_status("sent", event_id=None), "event_missing"),
    (of_status("sent", kind="your_turn"), "event_differs"),
    (tell_twice, "event_without_cause"),
    (lambda connection: connection.execute(update(players).values(events=players.c.events + 1)), "events_differ"),
    (set_of(matches, status="finished"), "status_differs"),
    (set_of(matches, outcome={"scores": [1, 2]}), "outcome_differs"),
    (set_of(matches, started_at=None), "not_started"),
    (set_of(matches, rules_version=9999), "not_replayable"),
    (set_of(seats, to_act=True), "awaited_differ"),
]


@pytest.mark.parametrize(
    ("tamper", "code"), TAMPERED, ids=[f"{code}-{number}" for number, (_, code) in enumerate(TAMPERED)]
)
def test_whatever_is_tampered_with_is_named(copied: Database, tamper: Tamper, code: str) -> None:
    assert codes(check_ledger(copied)) == set()
    with copied.write() as connection:
        tamper(connection)
    found = check_ledger(copied)
    assert code in codes(found), found.breaches
    assert all(breach.subject for breach in found.breaches)
    assert {f"{breach.code}: {without_ids(breach.sentence)}" for breach in found.breaches} <= SENTENCES
    copied.dispose()


def without_ids(sentence: str) -> str:
    """A sentence with ``ID`` for each id, ``A1`` for each space and ``#`` for each other number."""
    said = re.sub(r"\b([a-z2-7]{10}|[a-z2-7]{12}|[a-z2-7]{20}|[0-9a-f]{32})\b", "ID", sentence)
    return re.sub(r"\b[0-9]+\b", "#", re.sub(r"\b[A-O][0-9]+\b", "A1", said))


def test_an_archived_match_goes_on(copied: Database) -> None:
    with copied.write() as connection:
        set_of(matches, status="archived")(connection)
    assert "status_differs" not in codes(check_ledger(copied))
    copied.dispose()


@pytest.mark.parametrize(("number", "shown"), [(5, "0, 1, 2, 3, 4."), (6, "0, 1, 2, 3, 4, ….")])
def test_of_many_that_are_pending_five_are_named(number: int, shown: str) -> None:
    pending = Findings(pending_turns=[str(each) for each in range(number)])
    assert unsettled(pending) == (f"{number} turns have no verdict yet: {shown}",)


def test_a_turn_that_a_client_saw_and_nobody_kept_is_lost(copied: Database) -> None:
    with copied.read() as connection:
        kept = accepted(connection).id
    assert codes(check_ledger(copied, [ReportedTurn(kept, "accepted")])) == set()
    assert codes(check_ledger(copied, [ReportedTurn("never-there")])) == {"turn_lost"}


def test_a_verdict_that_was_shown_and_is_another_now_is_named(copied: Database) -> None:
    with copied.read() as connection:
        kept = accepted(connection).id
    assert codes(check_ledger(copied, [ReportedTurn(kept, "rejected")])) == {"verdict_changed"}


def test_deliveries_are_held_against_what_the_outbox_says(copied: Database) -> None:
    with copied.read() as connection:
        sent = [row.id for row in connection.execute(select(outbox.c.id).where(outbox.c.status == "sent"))]
    repeated = check_ledger(copied, received=[*sent, sent[0]])
    assert codes(repeated) == set()
    assert repeated.repeated_deliveries == 1
    assert codes(check_ledger(copied, received=sent[1:])) == {"delivery_missing"}
    assert codes(check_ledger(copied, received=[*sent, "from-nowhere"])) == {"delivery_unknown"}


def test_a_clients_file_has_ids_or_objects_and_nothing_else() -> None:
    assert read_seen(["abc\n", "\n", '{"id": "def", "status": "queued"}', '{"id": "ghi", "status": "accepted"}']) == (
        ReportedTurn("abc"),
        ReportedTurn("def"),
        ReportedTurn("ghi", "accepted"),
    )
    with pytest.raises(UnreadableReport, match="Line 2"):
        read_seen(["abc", "{}"])


def test_the_command_says_it_in_sentences_and_by_its_exit_status(copied: Database, tmp_path: Path) -> None:
    url = copied.url.render_as_string(hide_password=False)
    environ = {"OVERLAND_DATA_DIR": str(tmp_path), "OVERLAND_DATABASE_URL": url}
    sound = CliRunner().invoke(ledger, [], env=environ)
    assert sound.exit_code == 0, sound.output
    assert "Nothing is lost, nothing happened twice." in sound.output
    assert "1 turns have no verdict yet" in sound.output
    assert CliRunner().invoke(ledger, ["--settled"], env=environ).exit_code == 1
    (tmp_path / "seen").write_text("never-there\n")
    lost = CliRunner().invoke(ledger, ["--json", "--submitted", str(tmp_path / "seen")], env=environ)
    assert lost.exit_code == 1
    assert [breach["code"] for breach in json.loads(lost.output)["breaches"]] == ["turn_lost"]


def test_the_command_says_when_there_is_no_database_to_read(tmp_path: Path) -> None:
    environ = {
        "OVERLAND_DATA_DIR": str(tmp_path),
        "OVERLAND_DATABASE_URL": f"sqlite:///{tmp_path}/nowhere/overland.sqlite",
    }
    assert CliRunner().invoke(ledger, [], env=environ).exit_code == 2


def test_a_seat_that_resigns_while_another_is_awaited_has_no_part_in_the_next_turn(context: Context) -> None:
    table, luck = started(context, "oregon", 3), random.Random("resigned")
    played_on(context, table, luck, 20)
    idle = next(seat.seat for seat in lobby.find(context, None, table.match.id).seats if not seat.to_act)
    lobby.resign(context, table.players[idle], table.match.id)
    played_on(context, table, luck, lobby.find(context, None, table.match.id).ply + 12)
    assert check_ledger(context.database).breaches == []


@pytest.mark.usefixtures("pearls")
def test_seats_that_resign_one_after_the_other_are_followed_each_alone(context: Context) -> None:
    table = started(context, "pearls", 4)
    for gone in range(3):
        match = lobby.find(context, None, table.match.id)
        assert match.status == "running"
        awaited = next(seat.seat for seat in match.seats if seat.to_act)
        lobby.resign(context, table.players[awaited], table.match.id)
        assert check_ledger(context.database).breaches == [], gone
    assert lobby.find(context, None, table.match.id).status == "finished"


@pytest.mark.usefixtures("pearls")
def test_seats_that_resign_at_the_same_ply_have_no_part_in_the_next_turn(context: Context) -> None:
    table = started(context, "pearls", 4)
    idle = [seat.seat for seat in lobby.find(context, None, table.match.id).seats if not seat.to_act]
    for seat in idle[:2]:
        lobby.resign(context, table.players[seat], table.match.id)
    (awaited,) = (seat.seat for seat in lobby.find(context, None, table.match.id).seats if seat.to_act)
    assert played(context, table.players[awaited], table.match.id, "dive").status == "accepted"
    assert check_ledger(context.database).breaches == []


@pytest.fixture(scope="module")
def timed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with a match in which a bot holds a seat, as its player's time was up."""

    def happen(service: Context) -> None:
        table = started(service, "pearls", clock="brisk")
        while not stored(service, table).seats[0].by_bot:
            moved_to(service, table, 0)
            let_expire(service, table)

    with discovered():
        return left_by(happen, tmp_path_factory.mktemp("timed"))


def say_that_a_seat_was_handed_over(connection: Connection) -> None:
    handover = {"seat": 1, "ply": 0, "at": "2026-11-21T12:00:00Z", "by": "Ada", "to": "Eve", "player_id": "x"}
    connection.execute(update(matches).values(handed_over=[handover]))


def lose_the_last_step(connection: Connection) -> None:
    last = select(func.max(clock_steps.c.number)).scalar_subquery()
    connection.execute(delete(clock_steps).where(clock_steps.c.number == last))


@pytest.mark.usefixtures("pearls")
@pytest.mark.parametrize(
    ("tamper", "said"),
    [
        (set_of(matches, clock=None), {"clock_differs: Match ID has no clock, and yet there are # steps of one."}),
        (
            lambda connection: connection.execute(delete(clock_steps)),
            {"clock_differs: Match ID: Step # of the clocks: there is none; the clocks begin with the deal."},
        ),
        (
            lose_the_last_step,
            {
                "clock_differs: Match ID: the clocks of its seats are not those that its steps lead to.",
                "clock_differs: Match ID: bots play the seats [#]; by its steps it is [].",
                "notice_twice: Match ID: # notices time_up are owed, and # were written.",
            },
        ),
        (
            say_that_a_seat_was_handed_over,
            {"clock_differs: Match ID: its steps say that the seats [] were handed over; the match says [#]."},
        ),
        (
            set_of(clock_steps, marks=[]),
            {"clock_differs: Match ID: Step # of the clocks: it names others whom the match awaited."},
        ),
        (
            set_of(seat_clocks, document={"left": 60}),
            {"clock_differs: Match ID: the clocks of its seats are not those that its steps lead to."},
        ),
        (
            set_of(seats, held_at=None),
            {"clock_differs: Match ID: bots play the seats []; by its steps it is [#]."},
        ),
        (
            set_of(seat_clocks, due_at=None),
            {"deadline_missing: Match ID: nobody looks at seat # when its time is up."},
        ),
        (
            lose_a_notice("time_up"),
            {"notice_missing: Match ID: # notices time_up are owed, and # were written."},
        ),
    ],
)
def test_clocks_that_do_not_follow_from_their_steps_are_named(
    timed: Path, tmp_path: Path, tamper: Tamper, said: set[str]
) -> None:
    shutil.copy(timed, tmp_path / "overland.sqlite")
    database = Database(f"sqlite:///{tmp_path}/overland.sqlite")
    assert check_ledger(database).breaches == []
    with database.write() as connection:
        tamper(connection)
    assert {f"{breach.code}: {without_ids(breach.sentence)}" for breach in check_ledger(database).breaches} == said
    database.dispose()
