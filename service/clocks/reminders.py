"""When a player is reminded. Pure: instants are whole seconds.

A reminder is never a condition of anything: what happens at a deadline does not depend on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

from service.clocks.durations import DAY, HOUR
from service.clocks.history import Stops, deadline
from service.clocks.local_spans import LocalHours, quiet_spans
from service.clocks.seat import SeatClock
from service.clocks.spans import moment_after, union

Reminders: TypeAlias = Literal["both", "last", "none"]
LAST_BEFORE: Final = 12 * HOUR
EARLIEST_LAST: Final = 24 * HOUR
"""The last reminder comes 12 to 24 hours before the deadline."""
APART: Final = 6 * HOUR
"""Two reminders are at least so far apart; the first is left out otherwise."""


def reminders(clock: SeatClock, stops: Stops, hours: LocalHours | None, wanted: Reminders) -> tuple[int, ...]:
    """The instants at which the player of a running clock is to be reminded, in order: at half of
    the time, where it is a day or more, and once in the last 12 to 24 hours; ahead of quiet hours.
    """
    due, since = deadline(clock, stops), clock.since
    if due is None or since is None or wanted == "none":
        return ()
    last = _ahead(due - LAST_BEFORE, hours)
    found = [last] if last > since else []
    if wanted == "both" and clock.budget >= DAY:
        half = _ahead(moment_after(union(stop.span for stop in stops), since, clock.budget // 2), hours)
        if since < half and (not found or half + APART <= last):
            found.insert(0, half)
    return tuple(found)


def next_reminder(found: Sequence[int], after: int) -> int | None:
    """The first of these instants after that one."""
    return next((at for at in found if at > after), None)


def _ahead(at: int, hours: LocalHours | None) -> int:
    """That instant, or the beginning of the quiet hours that it is in."""
    if hours is None:
        return at
    return next((start for start, end in quiet_spans(hours, at - DAY, at + DAY) if start <= at < end), at)
