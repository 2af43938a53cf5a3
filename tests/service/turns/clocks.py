"""Looks at the clocks of a match, and lets time pass."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from service.clocks.history import ClockStep
from service.clocks.spans import moment
from service.context import Context
from service.matches import timekeeping
from service.matches.timekeeping import SeatTime
from service.store import clocks, matches
from service.store.matches import StoredMatch
from tests.service.fakes import Clock, Round, judged_batch, played
from tests.service.swept import act_on_due

DAY: Final = timedelta(days=1)


def stored(context: Context, table: Round) -> StoredMatch:
    """The match as it is stored."""
    with context.database.read() as connection:
        found = matches.find(connection, table.match.id)
    assert found is not None
    return found


def times(context: Context, table: Round) -> tuple[SeatTime, ...]:
    """The clocks of its seats."""
    match = stored(context, table)
    with context.database.read() as connection:
        return timekeeping.times_of(connection, [match], context.clock())[match.id]


def steps(context: Context, table: Round) -> tuple[ClockStep, ...]:
    """The steps of its clocks."""
    with context.database.read() as connection:
        return clocks.steps_of(connection, table.match.id)


def kinds(context: Context, table: Round) -> list[str]:
    """The kinds of these steps."""
    return [step.kind for step in steps(context, table)]


def now_is(context: Context, at: datetime) -> None:
    """Sets the clock of the service."""
    clock = context.clock
    assert isinstance(clock, Clock)
    clock.now = at


def due(context: Context, table: Round, seat: int = 0) -> datetime:
    """When the time of a seat is up."""
    at = times(context, table)[seat].due_at
    assert at is not None
    return moment(at)


def let_expire(context: Context, table: Round, seat: int = 0) -> None:
    """Moves on until the time of the seat is up, and acts on it."""
    now_is(context, due(context, table, seat) + timedelta(seconds=16))
    assert act_on_due(context).anything
    judged_batch(context)


def moved_to(context: Context, table: Round, seat: int) -> None:
    """Lets the other seats of a match of pearls dive until that seat is awaited."""
    while not stored(context, table).seats[seat].to_act:
        awaited = next(each.seat for each in stored(context, table).seats if each.to_act)
        assert played(context, table.players[awaited], table.match.id, "dive").status == "accepted"
