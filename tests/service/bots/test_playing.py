"""What is played for the bots: whole matches, each turn once, and what follows where they fail."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
import structlog.testing

from engine.bots import LEVELS, Level, first_legal
from engine.documents import to_document
from engine.record import verify
from service.bots import playing
from service.bots.playing import Actions, Wanted, choice
from service.children import Role
from service.context import Context
from service.guard import Answered, Bounds, Died, Failure, Guard, OutOfTime, Raised, Waited
from service.ledger.check import check_ledger
from service.loop import Loop
from service.matches import lobby, replays
from service.matches.types import Match, SeatRequest
from service.store import leasing, matches, players
from service.store.tables import entries, seats, turns
from service.store.tables import matches as match_table
from service.turns.submit import submit
from service.views.record import match_record
from tests.engine.toy import Answer
from tests.service.bots.tables import bots_play, played_out, seated, until_a_person_is_awaited
from tests.service.fakes import Clock, Here, judged_batch, log_of, person, restarted, state_of
from tests.service.forking import forks

pytestmark = pytest.mark.usefixtures("pearls")
LONG = 120.0


@pytest.mark.parametrize(
    ("game", "level"),
    [
        *(("oregon", level) for level in LEVELS),
        *(
            pytest.param(game, level, marks=[pytest.mark.deep] * (level != "easy"))
            for game in ("montana", "ozeanien")
            for level in LEVELS
        ),
    ],
)
def test_a_person_plays_a_whole_match_alone(context: Context, game: str, level: Level) -> None:
    match, ada = seated(context, game, [level, None])
    over = played_out(context, ada, match.id, random.Random(7), most=10_000 if level == "easy" else 60)
    if level == "easy":
        assert over.status == "finished"
        assert verify(match_record(context, None, match.id)).plies == over.ply
    assert check_ledger(context.database).breaches == []


def test_several_bots_play_one_after_the_other(context: Context) -> None:
    match, ada = seated(context, "pearls", ["easy", "fair", None])
    assert until_a_person_is_awaited(context, match.id).seats[2].to_act
    assert played_out(context, ada, match.id, random.Random(3)).status == "finished"
    assert check_ledger(context.database).breaches == []


def first_bot(context: Context, level: Level = "easy") -> Match:
    """A match that awaits a bot."""
    return seated(context, "pearls", [level, None])[0]


def rows_of(context: Context) -> list[Any]:
    with context.database.read() as connection:
        return list(connection.execute(turns.select().order_by(turns.c.submitted_at)))


def test_played_twice_it_is_one_turn(context: Context) -> None:
    match = first_bot(context)
    assert bots_play(context) == {"chosen": 1}
    assert not bots_play(restarted(context))
    assert len(rows_of(context)) == 1
    judged_batch(context)
    assert lobby.find(context, None, match.id).ply > 0


def test_two_workers_that_have_read_the_same_submit_one_turn(context: Context) -> None:
    first_bot(context)

    def meanwhile(wanted: Wanted) -> Actions | None:
        bots_play(restarted(context))
        return choice(context, wanted)

    assert bots_play(context, meanwhile) == {"chosen": 1}
    assert len(rows_of(context)) == 1


def test_another_choice_after_a_change_of_settings_is_no_second_turn(context: Context) -> None:
    match = first_bot(context)

    def meanwhile(wanted: Wanted) -> Actions | None:
        with context.database.read() as connection:
            bot = players.find(connection, match.seats[0].player_id or "")
        assert bot is not None
        key = f"{match.id}.{wanted.ply}.{wanted.seat}.chosen"
        other = ({"type": "dive"}, {"type": "dive"})
        submit(context, bot, match.id, wanted.seat, wanted.ply, other, idempotency_key=key)
        return choice(context, wanted)

    assert bots_play(context, meanwhile) == {"waits": 1}
    assert len(rows_of(context)) == 1


def test_a_bot_that_fails_plays_the_first_legal_action_and_the_log_says_why(context: Context) -> None:
    match = first_bot(context)
    game = replays.game_of(stored(context, match))
    expected = first_legal(game, state_of(context, match.id), 0)

    def fails(wanted: Wanted) -> Actions | Died | None:
        return Died("killed by SIGSEGV") if wanted.level is not None else choice(context, wanted)

    with structlog.testing.capture_logs() as logs:
        assert bots_play(context, fails) == {"first_legal": 1}
    said = next(line for line in logs if line["event"] == "bot.failed")
    assert (said["match"], said["outcome"], said["reason"]) == (match.id, "Died", "killed by SIGSEGV")
    judged_batch(context)
    assert to_document(log_of(context, match.id)[0].action) == to_document(expected)


def stored(context: Context, match: Match) -> Any:
    with context.database.read() as connection:
        return matches.find(connection, match.id)


def test_a_turn_that_is_refused_is_followed_by_the_first_legal_action(context: Context) -> None:
    match = first_bot(context)

    def wrong(wanted: Wanted) -> Actions | None:
        return (to_document(Answer(True)),) if wanted.level is not None else choice(context, wanted)

    assert bots_play(context, wrong) == {"chosen": 1}
    judged_batch(context)
    assert rows_of(context)[0].status == "rejected"
    with structlog.testing.capture_logs() as logs:
        assert bots_play(context, wrong) == {"first_legal": 1}
    (said,) = [line["reason"] for line in logs if line["event"] == "bot.failed"]
    assert said == f"turn {rows_of(context)[0].id} was refused"
    judged_batch(context)
    assert lobby.find(context, None, match.id).ply > 0
    assert check_ledger(context.database).breaches == []


def test_a_bot_that_can_play_nothing_is_set_aside_and_others_go_on(context: Context) -> None:
    stuck = first_bot(context)
    kinds = [SeatRequest("bot", level="fair"), SeatRequest("me")]
    other = lobby.create(context, person(context, "Bela"), "pearls", {}, kinds)

    def fails(wanted: Wanted) -> Actions | None:
        if wanted.match_id == stuck.id:
            raise LookupError("no rules")
        return choice(context, wanted)

    assert bots_play(context, fails) == {"stuck": 1, "chosen": 1}
    judged_batch(context)
    assert lobby.find(context, None, other.id).ply > 0
    assert not bots_play(context), "it waits"
    with context.database.read() as connection:
        assert [(each.loop, each.item) for each in leasing.items_set_aside(connection)] == [
            (Loop.BOTS, f"{stuck.id} 0 0")
        ]
    clock = context.clock
    assert isinstance(clock, Clock)
    clock.advance(seconds=5)
    assert bots_play(context) == {"chosen": 1}


def test_a_database_that_keeps_it_waiting_is_not_the_fault_of_a_bot(context: Context) -> None:
    first_bot(context)

    assert bots_play(context, lambda wanted: Waited("kept waiting")) == {"stuck": 1}
    assert rows_of(context) == []
    with context.database.read() as connection:
        (waits,) = leasing.items_set_aside(connection)
    assert (waits.attempts, waits.crashes) == (0, 0)
    clock = context.clock
    assert isinstance(clock, Clock)
    clock.advance(seconds=5)
    assert bots_play(context) == {"chosen": 1}


def test_a_verdict_wakes_the_bot_that_is_awaited_next(context: Context) -> None:
    match, ada = seated(context, "pearls", [None, "easy"])
    queue: Any = context.queue
    before = queue.bots
    played_out(context, ada, match.id, random.Random(1), most=1)
    assert queue.bots > before


def test_a_job_ends_in_time_and_wakes_the_next(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    first_bot(context)
    monkeypatch.setattr(playing, "LONGEST_SECONDS", -1.0)
    queue: Any = context.queue
    before = queue.bots
    assert not bots_play(context)
    assert queue.bots == before + 1


def test_the_bot_that_is_awaited_for_longest_plays_first(context: Context) -> None:
    clock = context.clock
    assert isinstance(clock, Clock)
    kinds = [SeatRequest("bot", level="easy"), SeatRequest("me")]
    last_by_id, first_by_id = "zz-waits", "aa-again"
    for match_id in (last_by_id, first_by_id):
        lobby.create(context, person(context, match_id), "pearls", {}, kinds, match_id=match_id)
        clock.advance(seconds=1)
    played: list[str] = []

    def noted(wanted: Wanted) -> Actions | None:
        played.append(wanted.match_id)
        return choice(context, wanted)

    bots_play(context, noted)
    assert played == [last_by_id, first_by_id]


def test_a_match_that_cannot_be_read_is_marked_and_its_bot_left_alone(context: Context) -> None:
    match, _ = seated(context, "pearls", ["easy", None])
    until_a_person_is_awaited(context, match.id)
    fresh = restarted(context)
    with context.database.write() as connection:
        connection.execute(entries.update().values(action={"type": "unknown"}))
        connection.execute(seats.update().values(to_act=seats.c.seat == 0))
    assert bots_play(fresh, partial(choice, fresh)) == {"waits": 1}
    assert lobby.find(context, None, match.id).unreadable_at is not None
    assert not bots_play(fresh, partial(choice, fresh))


@pytest.mark.parametrize("later", [-1, 1])
def test_a_bot_that_is_awaited_at_another_ply_waits(context: Context, later: int) -> None:
    match, _ = seated(context, "pearls", ["easy", None])
    ((match_id, seat, ply),) = [item.split(" ") for item in playing._due(context)]
    assert match_id == match.id

    def never(wanted: Wanted) -> Any:
        raise AssertionError(f"{wanted} was chosen for")

    assert playing._play(context, Here(never), f"{match_id} {seat} {int(ply) + later}") == Answered("waits")
    assert playing._play(context, Here(never), "gone 0 0") == Answered("waits")


def test_a_match_whose_rules_are_not_installed_is_marked_too(context: Context) -> None:
    match, _ = seated(context, "pearls", ["easy", None])
    fresh = restarted(context)
    with context.database.write() as connection:
        connection.execute(match_table.update().values(rules_version=7))
        connection.execute(seats.update().values(to_act=seats.c.seat == 0))
    assert bots_play(fresh, partial(choice, fresh)) == {"waits": 1}
    assert lobby.find(context, None, match.id).unreadable_at is not None


def misbehaving() -> Any:
    """A child that hangs, dies or raises, as the ply says."""

    def answer(wanted: Wanted) -> Any:
        if wanted.seat == 0:
            time.sleep(3600)
        if wanted.seat == 1:
            raise ValueError("no such position")
        os.abort()

    return answer


@pytest.fixture
def hostile() -> Iterator[Guard]:
    with forks(misbehaving) as server:
        yield Guard(server, Role.CHOOSING, time.monotonic)


@pytest.mark.parametrize(
    ("seat", "outcome"),
    [
        (0, OutOfTime("took longer than 0.5 s")),
        (2, Died("killed by SIGABRT")),
    ],
)
def test_a_child_that_hangs_or_dies_chooses_nothing(hostile: Guard, seat: int, outcome: Failure) -> None:
    assert hostile.ask(Wanted("m", seat, 0, "easy", 10), Bounds(0.5)) == outcome


def test_a_child_that_raises_chooses_nothing(hostile: Guard) -> None:
    outcome = hostile.ask(Wanted("m", 1, 0, "easy", 10), Bounds(0.5))
    assert isinstance(outcome, Raised)
    assert outcome.error == "ValueError: no such position"


def test_the_lots_of_an_easy_bot_differ_between_matches_and_are_drawn_again_the_same(context: Context) -> None:
    match = first_bot(context)
    wanted = Wanted(match.id, 0, match.ply, "easy", 60)
    assert choice(context, wanted) == choice(restarted(context), wanted)
    assert choice(context, Wanted(match.id, 0, match.ply + 1, "easy", 60)) is None
    assert choice(context, Wanted(match.id, 1, match.ply, "easy", 60)) is None
