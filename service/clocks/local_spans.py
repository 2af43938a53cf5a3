"""Hours and days of a place as spans in UTC: the quiet hours of a player, and weekends.

The spans follow the local clock through its changes: a time that comes twice is the first, one that
does not exist is moved by as much as the clock (PEP 495).
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

from service.clocks.spans import HOUR, Span, instant, moment, union

LONGEST_QUIET: Final = 9 * HOUR
"""The quiet hours of a night, at most, in seconds that pass."""
_SATURDAY: Final = 5


class LocalHours(NamedTuple):
    """Hours of every day: from ``begin`` to ``end`` in minutes since midnight, in a time zone of
    the IANA database; past midnight where ``end`` is not later than ``begin``.
    """

    zone: str
    begin: int
    end: int


def quiet_spans(hours: LocalHours, since: int, until: int) -> tuple[Span, ...]:
    """The quiet hours that reach into the time from ``since`` to ``until``; of a night that is
    longer than ``LONGEST_QUIET`` its beginning.
    """
    zone = ZoneInfo(hours.zone)
    over = timedelta(days=1 if hours.end <= hours.begin else 0)
    nights = ((_at(day, hours.begin, zone), _at(day + over, hours.end, zone)) for day in _days(zone, since, until))
    return _reaching((Span(begin, min(end, begin + LONGEST_QUIET)) for begin, end in nights), since, until)


def weekend_spans(zone_name: str, since: int, until: int) -> tuple[Span, ...]:
    """The Saturdays and Sundays that reach into the time from ``since`` to ``until``."""
    zone = ZoneInfo(zone_name)
    days = (day for day in _days(zone, since, until) if day.weekday() >= _SATURDAY)
    return _reaching((Span(_at(day, 0, zone), _at(day + timedelta(days=1), 0, zone)) for day in days), since, until)


def _reaching(spans: Iterator[Span], since: int, until: int) -> tuple[Span, ...]:
    return union(span for span in spans if span.end > since and span.start < until)


def _days(zone: ZoneInfo, since: int, until: int) -> Iterator[date]:
    """The local days around that time."""
    day, last = (moment(at).astimezone(zone).date() for at in (since, until))
    day -= timedelta(days=2)
    while day <= last + timedelta(days=1):
        yield day
        day += timedelta(days=1)


def _at(day: date, minute: int, zone: ZoneInfo) -> int:
    local = datetime.combine(day, time(minute // 60, minute % 60), tzinfo=zone)
    return instant(local.astimezone(UTC))
