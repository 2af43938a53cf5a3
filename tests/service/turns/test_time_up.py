"""What follows when time and reserve are up: the policy, exactly once, and never against a turn
that was received in time.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from service import upkeep
from service.clocks.recorded import verify_clocks
from service.clocks.seat import Stop
from service.clocks.spans import instant
from service.context import Context
from service.errors import Conflict
from service.ledger.check import check_ledger
from service.matches import days_off, lobby, mending
from service.matches.access import with_times
from service.matches.check import check, wake_if_mended
from service.matches.types import Match, SeatClockShown
from service.notices.mail.compose import mail_of
from service.offers import offering
from service.store import heartbeats
from service.store.tables import heartbeats as beats
from service.store.tables import pauses, turns
from service.turns import time_up
from service.turns.submit import submit
from service.views.record import match_record
from tests.service.fakes import (
    AT_ONCE,
    Round,
    discovered,
    judged_batch,
    notices,
    played,
    restarted,
    started,
)
from tests.service.swept import act_on_due
from tests.service.turns.clocks import DAY, due, kinds, let_expire, now_is, steps, stored, times
from tools.memory_queue import MemoryQueue

NOW = datetime(2027, 1, 1, tzinfo=UTC)
pytestmark = pytest.mark.usefixtures("pearls")

RESERVE = 2 * DAY


def test_the_first_turn_has_at_least_three_days(context: Context) -> None:
    table = started(context, "pearls", clock="brisk")
    began = context.clock()
    assert due(context, table) == began + 3 * DAY + RESERVE
    assert times(context, table)[1].due_at is None


def test_a_turn_gains_the_increment_and_uses_what_it_took_until_it_was_received(context: Context) -> None:
    table = started(context, "pearls", clock="relaxed")
    now_is(context, context.clock() + DAY)
    played(context, table.players[0], table.match.id, "dive")
    after = times(context, table)
    assert after[0].stored.clock.since is None
    assert after[0].stored.clock.left == 2 * 86_400
    assert due(context, table, 1) == context.clock() + 3 * DAY + RESERVE
    played(context, table.players[1], table.match.id, "dive")
    assert due(context, table) == context.clock() + 2.5 * DAY + RESERVE


def test_the_reserve_runs_second_by_second_when_the_time_is_used_up_and_what_is_left_stays(context: Context) -> None:
    table = started(context, "pearls", clock="brisk")
    now_is(context, context.clock() + 3 * DAY + timedelta(hours=5))
    left = times(context, table)[0].remaining(instant(context.clock()))
    assert (left.seconds, left.reserve, left.main_until) == (0, 43 * 3600, None)
    assert not act_on_due(context).anything
    played(context, table.players[0], table.match.id, "dive")
    clock = times(context, table)[0].stored.clock
    assert (clock.left, clock.reserve) == (0, 43 * 3600)
    played(context, table.players[1], table.match.id, "dive")
    assert due(context, table) == context.clock() + timedelta(hours=4 + 43)
    let_expire(context, table)
    assert kinds(context, table)[-1] == "time_up_bot_turn"
    assert times(context, table)[0].stored.clock.reserve == 0


def test_a_bot_plays_the_turn_then_holds_the_seat_until_its_player_is_back(context: Context) -> None:
    table = started(context, "pearls", clock="brisk")
    ply = stored(context, table).ply
    let_expire(context, table)
    match = stored(context, table)
    assert kinds(context, table)[-1] == "time_up_bot_turn"
    assert match.ply > ply
    assert [seat.to_act for seat in match.seats] == [False, True]
    assert not match.seats[0].by_bot
    assert times(context, table)[0].stored.clock.left == 12 * 3600
    [notice] = notices(context, "time_up")
    assert (notice.player_id, notice.payload["step"]) == (table.players[0].id, "time_up_bot_turn")

    played(context, table.players[1], table.match.id, "dive")
    assert due(context, table) == context.clock() + timedelta(hours=16)
    let_expire(context, table)
    assert kinds(context, table)[-1] == "time_up_bot_hold"
    assert stored(context, table).seats[0].by_bot

    played(context, table.players[1], table.match.id, "dive")
    match = stored(context, table)
    assert [seat.to_act for seat in match.seats] == [False, True], "the bot plays within the turn of the other"

    back = time_up.come_back(context, table.players[0], table.match.id)
    assert not back.seats[0].by_bot
    assert kinds(context, table)[-1] == "back"
    left = times(context, table)[0].stored.clock.left
    played(context, table.players[1], table.match.id, "dive")
    assert due(context, table) == context.clock() + timedelta(seconds=left + 4 * 3600)
    assert time_up.come_back(context, table.players[0], table.match.id).seats[0].by_bot is False


def acted(context: Context, table: Round, seat: int) -> None:
    """Moves on until the time of the seat is up, and stores what follows."""
    now_is(context, due(context, table, seat) + timedelta(seconds=16))
    assert isinstance(context.queue, MemoryQueue)
    woken = context.queue.turns
    assert time_up.act_on(context, table.match.id).stored
    assert context.queue.turns == woken + 1


def test_what_follows_is_what_does_when_it_is_judged(context: Context) -> None:
    """Somebody may have come back since it was stored."""
    table = started(context, "pearls", clock="brisk")
    played(context, table.players[0], table.match.id, "dive")
    let_expire(context, table, 1)
    played(context, table.players[0], table.match.id, "dive")
    for seat in (1, 0):
        let_expire(context, table, seat)
    acted(context, table, 0)  # a turn by a bot, as nobody else is left who plays
    time_up.come_back(context, table.players[1], table.match.id)
    judged_batch(context)
    assert kinds(context, table)[-1] == "back", "what was stored is withdrawn"
    assert time_up.act_on(context, table.match.id).stored
    judged_batch(context)
    assert kinds(context, table)[-1] == "time_up_bot_hold"
    lobby.resign(context, table.players[0], table.match.id)
    assert verify_clocks(match_record(context, None, table.match.id)) is not None
    assert check_ledger(context.database).breaches == []


def test_a_bot_takes_the_seat_for_good_where_that_is_declared(context: Context) -> None:
    table = started(context, "pearls", clock={"preset": "brisk", "if_late": "bot_seat"}, seats=3)
    let_expire(context, table)
    assert stored(context, table).seats[0].by_bot
    with pytest.raises(Conflict, match="the bot keeps your seat"):
        time_up.come_back(context, table.players[0], table.match.id)


def test_the_seat_resigns_where_that_is_declared(context: Context) -> None:
    table = started(context, "pearls", clock={"preset": "brisk", "if_late": "resign"})
    let_expire(context, table)
    match = stored(context, table)
    assert match.status == "finished"
    assert match.seats[0].resigned_at is not None
    assert match.outcome is not None
    assert match.outcome["ranks"] == [2, 1]
    assert times(context, table)[1].due_at is None


def test_a_turn_in_the_second_of_the_deadline_counts(context: Context) -> None:
    table = started(context, "pearls", clock="brisk")
    now_is(context, due(context, table) + timedelta(milliseconds=999))
    ply = stored(context, table).ply
    submit(context, table.players[0], table.match.id, None, ply, notation="dive")
    now_is(context, context.clock() + timedelta(hours=5))
    acted = act_on_due(context)
    assert (acted.anything, acted.waiting) == (False, 1)
    judged_batch(context)
    assert kinds(context, table)[-1] == "turn"
    assert act_on_due(context).anything is False


def test_nobody_expires_within_the_margin_in_which_a_turn_may_be_received_and_not_stored(context: Context) -> None:
    table = started(context, "pearls", clock="brisk")
    now_is(context, due(context, table) + timedelta(seconds=14))
    assert act_on_due(context).anything is False


def test_what_is_swept_twice_is_done_once(context: Context) -> None:
    table = started(context, "pearls", clock="brisk")
    now_is(context, due(context, table) + timedelta(seconds=20))
    assert act_on_due(context).stored == 1
    assert act_on_due(restarted(context)).stored == 0
    judged_batch(context)
    assert act_on_due(context).anything is False
    assert kinds(context, table) == ["begun", "time_up_bot_turn"]


def test_a_turn_for_the_bot_is_withdrawn_where_the_time_is_not_up_any_more(context: Context) -> None:
    table = started(context, "pearls", clock="brisk")
    now_is(context, due(context, table) + timedelta(seconds=20))
    assert act_on_due(context).stored == 1
    with context.database.write() as connection:
        start = context.clock() - timedelta(hours=1)
        connection.execute(pauses.insert().values(id="p", match_id=table.match.id, start_at=start, end_at=start + DAY))
    judged_batch(context)
    assert kinds(context, table) == ["begun"]
    with context.database.read() as connection:
        assert connection.execute(turns.select()).all() == []
    assert act_on_due(context).moved == 1
    let_expire(context, table)
    assert kinds(context, table)[-1] == "time_up_bot_turn"


def test_while_a_part_is_out_nobodys_time_is_up_and_afterwards_everybody_has_two_hours(context: Context) -> None:
    table = started(context, "pearls", clock="brisk")
    at = due(context, table)
    with context.database.write() as connection:
        heartbeats.beat(connection, "judge", at - timedelta(minutes=30))
    now_is(context, at + timedelta(hours=2))
    assert act_on_due(context).anything is False
    with context.database.write() as connection:
        heartbeats.beat(connection, "judge", context.clock())
    assert act_on_due(context).moved == 1
    ended = context.clock()
    assert due(context, table) == ended + timedelta(hours=2)
    with context.database.write() as connection:
        connection.execute(beats.delete())
    let_expire(context, table)
    last = steps(context, table)[-1]
    assert last.stops[0] == (Stop("outage", instant(at - timedelta(minutes=30)), instant(ended)),)
    assert last.not_before == last.counts_at == instant(ended + timedelta(hours=2))


@pytest.mark.parametrize("part", heartbeats.PARTS)
def test_an_outage_that_goes_on_is_shown_as_one_and_credited_to_who_plays_in_it(context: Context, part: str) -> None:
    table, began = started(context, "pearls", clock="brisk"), context.clock()
    with context.database.write() as connection:
        heartbeats.beat(connection, part, began + DAY)
    now_is(context, began + DAY + timedelta(hours=2))
    clock = shown_clock(context, table)
    assert (clock.stopped_by, clock.stopped_until, clock.deadline) == ("outage", None, None)
    assert clock.remaining == 2 * 86_400
    played(context, table.players[0], table.match.id, "dive")
    assert times(context, table)[0].stored.clock.left == 86_400
    assert steps(context, table)[-1].stops[0] == (Stop("outage", instant(began + DAY), instant(context.clock())),)


def test_a_deadline_is_shown_again_when_an_outage_is_over(context: Context) -> None:
    table, before = started(context, "pearls", clock="brisk"), context.clock()
    at = due(context, table)
    with context.database.write() as connection:
        heartbeats.beat(connection, "judge", before + DAY)
        now_is(context, before + DAY + timedelta(hours=2))
        heartbeats.beat(connection, "judge", context.clock())
    clock = shown_clock(context, table)
    assert (clock.stopped_by, clock.deadline) == (None, at + timedelta(hours=2))


@pytest.mark.parametrize("written", ["step", "days off"])
def test_what_is_written_in_the_second_in_which_an_outage_ends_looks_at_nobody_too_late(
    context: Context, written: str
) -> None:
    table = started(context, "pearls", 3, clock={"total": "P4D"})
    now_is(context, due(context, table) - timedelta(minutes=5))
    beaten(context)
    now_is(context, context.clock() + timedelta(hours=3))
    if written == "step":
        lobby.resign(context, table.players[2], table.match.id)
        judged_batch(context)
    else:
        days_off.declare(context, table.players[0], 2, context.clock() + DAY)
    beaten(context)
    own = times(context, table)[0]
    assert own.stored.due_at == own.due_at
    assert check_ledger(context.database).breaches == []


def test_a_match_that_cannot_be_read_has_an_outage_of_its_own(context: Context) -> None:
    table = started(context, "pearls", clock="brisk")
    at = due(context, table)
    now_is(context, at - timedelta(minutes=30))
    mending.mark(context, table.match.id, None, "illegal_entry", "made for a test")
    now_is(context, at + 2 * DAY)
    assert act_on_due(context).stored == 0, "nobody's time is up in a match that cannot be read"
    clock = shown_clock(context, table)
    assert (clock.stopped_by, clock.stopped_until, clock.deadline) == ("outage", None, None)
    found = check(context.database, table.match.id)
    assert found is not None
    assert wake_if_mended(context.database, found, context.clock())
    mended = context.clock()
    assert due(context, table) == mended + timedelta(hours=2), "half an hour was left: the bound counts"
    assert offering.of_match(context, table.match.id, mended).paused_until is None
    let_expire(context, table)
    [*_, last] = steps(context, table)
    assert last.kind == "time_up_bot_turn"
    assert last.stops[0] == (Stop("outage", instant(at - timedelta(minutes=30)), instant(mended)),)
    assert check_ledger(context.database).breaches == []


def test_a_sweeper_that_was_away_for_three_days_takes_no_step_and_then_one(context: Context) -> None:
    table, began = started(context, "pearls", clock="brisk"), context.clock()
    at = due(context, table)
    beaten(context)
    now_is(context, began + timedelta(days=8))
    beaten(context)
    assert not act_on_due(context).anything
    assert due(context, table) == at + timedelta(days=8)
    with context.database.write() as connection:
        connection.execute(beats.delete())
    now_is(context, due(context, table) + 9 * DAY)
    assert act_on_due(context).stored == 1
    judged_batch(context)
    assert not act_on_due(context).anything
    assert kinds(context, table) == ["begun", "time_up_bot_turn"]


def beaten(context: Context) -> None:
    with context.database.write() as connection:
        for part in heartbeats.PARTS:
            heartbeats.beat(connection, part, context.clock())


def shown_clock(context: Context, table: Round) -> SeatClockShown:
    with context.database.read() as connection:
        [shown] = with_times(
            connection, [stored(context, table)], [lobby.find(context, None, table.match.id)], context.clock()
        )
    assert shown.seats[0].clock is not None
    return shown.seats[0].clock


def test_a_crashed_bot_plays_the_first_legal_action(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    table = started(context, "pearls", clock="brisk")

    def broken(game: Any, state: Any, seat: int) -> Any:
        raise RuntimeError("the bot is broken")

    monkeypatch.setattr("service.turns.judge.substitute", broken)
    let_expire(context, table)
    assert kinds(context, table)[-1] == "time_up_bot_turn"
    assert stored(context, table).ply > 0


def test_silent_seats_that_are_asked_at_once_cost_the_time_of_one(context: Context) -> None:
    with discovered(AT_ONCE):
        table = started(context, "sealed", seats=3, clock="brisk")
        assert {each.due_at for each in times(context, table)} == {instant(context.clock()) + 5 * 86_400}


def test_a_match_without_a_clock_has_no_rows(context: Context) -> None:
    table = started(context, "pearls")
    played(context, table.players[0], table.match.id, "dive")
    now_is(context, context.clock() + 400 * DAY)
    assert act_on_due(context).anything is False
    assert steps(context, table) == ()


def shown(context: Context, table: Round) -> Match:
    return lobby.find(context, None, table.match.id)


def test_two_silent_players_end_their_match(context: Context) -> None:
    """A bot plays each turn, and nobody waits for ever."""
    table = started(context, "pearls", clock="brisk")
    for _ in range(200):
        match = shown(context, table)
        if match.status == "finished":
            break
        let_expire(context, table, next(seat.seat for seat in match.seats if seat.to_act))
    assert shown(context, table).status == "finished"
    assert match_record(context, None, table.match.id).outcome is not None


@pytest.fixture(autouse=True)
def clean(context: Context, pearls: None) -> Iterator[None]:
    """Whatever has happened: the ledger agrees with it."""
    yield
    with discovered(AT_ONCE):
        assert check_ledger(context.database).breaches == []


def test_results_say_who_was_timed_out(context: Context) -> None:
    table = started(context, "pearls", clock={"preset": "brisk", "if_late": "resign"})
    let_expire(context, table)
    with context.database.read() as connection:
        [shown] = with_times(connection, [stored(context, table)], [lobby.find(context, None, table.match.id)], NOW)
    assert [seat.timed_out for seat in shown.seats] == [1, 0]
    [mail] = [mail_of(context, notice) for notice in notices(context, "match_over") if notice.payload["seat"] == 1]
    assert "The time of Ada was up once." in mail.get_body(("plain",)).get_content()  # type: ignore[union-attr]


@pytest.mark.parametrize("if_late", ["bot_turn", "resign"])
def test_the_ledger_agrees_after_old_details_were_deleted(context: Context, if_late: str) -> None:
    table = started(context, "pearls", clock={"preset": "brisk", "if_late": if_late}, seats=3)
    let_expire(context, table)
    played(context, table.players[1], table.match.id, "dive")
    now_is(context, context.clock() + 60 * DAY)
    assert upkeep.prune(context, 30, 30).turns > 0


def test_a_deadline_in_the_first_minutes_of_an_outage_waits_until_all_parts_have_beaten_again(
    context: Context,
) -> None:
    table = started(context, "pearls", clock="brisk")
    at = due(context, table)
    with context.database.write() as connection:
        for part in heartbeats.PARTS:
            heartbeats.beat(connection, part, at - timedelta(seconds=20))
    now_is(context, at + timedelta(minutes=2))  # nobody can know yet that a part is out
    assert not act_on_due(context).anything
    now_is(context, at + timedelta(hours=1))
    with context.database.write() as connection:
        for part in heartbeats.PARTS:
            heartbeats.beat(connection, part, context.clock())
    assert not act_on_due(context).anything
    assert due(context, table) == context.clock() + timedelta(hours=2)
    now_is(context, context.clock() + timedelta(hours=3))
    with context.database.write() as connection:
        connection.execute(beats.update().values(at=context.clock()))
    assert act_on_due(context).stored == 1
