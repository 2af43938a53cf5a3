"""When a player is reminded. Pure: instants are whole seconds.

A reminder is never a condition of anything: what happens at a deadline does not depend on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

from service.clocks.durations import DAY, HOUR
from service.clocks.history import Stops, deadline, main_until
from service.clocks.local_spans import LocalHours, quiet_spans
from service.clocks.seat import SeatClock
from service.clocks.spans import moment_after, union

Reminders: TypeAlias = Literal["both", "last", "none"]
LAST_BEFORE: Final = 12 * HOUR
"""So long before time is up, or earlier because of quiet hours, the last reminder of it comes."""
APART: Final = 6 * HOUR
"""Two reminders are at least so far apart; the earlier is left out otherwise."""


def reminders(clock: SeatClock, stops: Stops, hours: LocalHours | None, wanted: Reminders) -> tuple[int, ...]:
    """The instants at which the player of a running clock is to be reminded, in order: at half of
    the main time, where it is a day or more; once in the last 12 to 24 hours of the main time; and
    once in the last 12 to 24 hours before the reserve is up, too. Ahead of quiet hours.
    """
    due, until, since = deadline(clock, stops), main_until(clock, stops), clock.since
    if due is None or until is None or since is None or wanted == "none":
        return ()
    found = [until - LAST_BEFORE, due - LAST_BEFORE]
    if wanted == "both" and clock.main >= DAY:
        found.append(moment_after(union(stop.span for stop in stops), since, clock.main // 2))
    kept: list[int] = []
    for at in sorted({_ahead(at, hours) for at in found}):
        if kept and at < kept[-1] + APART:
            kept.pop()
        if at > since:
            kept.append(at)
    return tuple(kept)


def next_reminder(found: Sequence[int], after: int) -> int | None:
    """The first of these instants after that one."""
    return next((at for at in found if at > after), None)


def _ahead(at: int, hours: LocalHours | None) -> int:
    """That instant, or the beginning of the quiet hours that it is in."""
    if hours is None:
        return at
    return next((start for start, end in quiet_spans(hours, at - DAY, at + DAY) if start <= at < end), at)
