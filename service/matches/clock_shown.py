"""The clocks of a match as anybody may see them: the time that is left is public, why a player
takes days off is not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from sqlalchemy import Connection

from service.clocks.rule import RESERVE, ClockRule, policy_words, preset_of, rule_words
from service.clocks.spans import instant, moment, write_duration
from service.matches import timekeeping
from service.matches.timekeeping import SeatTime
from service.matches.types import Clock, Match, SeatClockShown
from service.store import clocks as rows
from service.store.matches import StoredMatch


def clock_shown(rule: ClockRule | None) -> Clock | None:
    """The rule of the clocks of a match; ``None`` where it has none."""
    if rule is None:
        return None
    return Clock(
        preset=preset_of(rule),
        base=None if rule.total else write_duration(rule.base),
        increment=None if rule.total else write_duration(rule.increment),
        most=None if rule.total else write_duration(rule.most),
        total=write_duration(rule.base) if rule.total else None,
        reserve=write_duration(RESERVE),
        if_late=rule.if_late,
        weekends=rule.weekends,
        days_off=rule.days_off,
        words=rule_words(rule),
        policy=policy_words(rule),
    )


def with_times(
    connection: Connection, stored: Sequence[StoredMatch], seen: Sequence[Match], now: datetime
) -> tuple[Match, ...]:
    """Those matches, with what is left of the clocks of their seats at ``now``, and how often their
    time was up.
    """
    timed = [match for match in stored if match.clock is not None and match.started_at is not None]
    if not timed:
        return tuple(seen)
    times = timekeeping.times_of(connection, [match for match in timed if match.status == "running"], now)
    late = rows.timed_out(connection, [match.id for match in timed])
    return tuple(_timed(match, times.get(match.id), late, now) for match in seen)


def _timed(match: Match, times: Sequence[SeatTime] | None, late: Mapping[tuple[str, int], int], now: datetime) -> Match:
    return replace(
        match,
        seats=tuple(
            replace(
                seat,
                clock=None if times is None else seat_clock_shown(times[seat.seat], now),
                timed_out=late.get((match.id, seat.seat), 0),
            )
            for seat in match.seats
        ),
    )


def seat_clock_shown(own: SeatTime, now: datetime) -> SeatClockShown:
    """What is left of the clock of a seat at ``now``."""
    left = own.remaining(instant(now))
    stopped = left.stopped
    return SeatClockShown(
        deadline=None if left.deadline is None else moment(left.deadline),
        main_until=None if left.main_until is None else moment(left.main_until),
        remaining=left.seconds,
        reserve=left.reserve,
        stopped_by=None if stopped is None else stopped.kind,
        stopped_until=None if stopped is None or left.is_out else moment(stopped.end),
    )
