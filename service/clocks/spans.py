"""How the clocks count time: instants and durations in whole seconds, and spans between instants,
half-open, in UTC. A day is 24 hours.

Parts of a second are dropped: a turn that is received in the same second as its deadline is in
time. Spans of a place, such as the quiet hours of a player, follow the local clock through its
changes: a time that comes twice is the first, one that does not exist is moved by as much as the
clock (PEP 495).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, time, timedelta
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

from service.texts import gettext as _
from service.texts import ngettext

MINUTE: Final = 60
HOUR: Final = 60 * MINUTE
DAY: Final = 24 * HOUR
_WRITTEN: Final = re.compile(
    r"P(?:([0-9]{1,4})W|(?=[0-9]|T[0-9])(?:([0-9]{1,5})D)?(?:T(?=[0-9])(?:([0-9]{1,6})H)?(?:([0-9]{1,7})M)?)?)"
)
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_SECOND: Final = timedelta(seconds=1)


class Span(NamedTuple):
    """From ``start`` to before ``end``."""

    start: int
    end: int


def union(spans: Iterable[Span]) -> tuple[Span, ...]:
    """What the spans cover together: in order, apart from each other, none empty."""
    joined: list[Span] = []
    for span in sorted(span for span in spans if span.start < span.end):
        if joined and span.start <= joined[-1].end:
            joined[-1] = Span(joined[-1].start, max(joined[-1].end, span.end))
        else:
            joined.append(span)
    return tuple(joined)


def stopped(spans: Iterable[Span], start: int, end: int) -> int:
    """How many seconds from ``start`` to ``end`` the spans cover together."""
    return sum(span.end - span.start for span in union(Span(max(start, s), min(end, e)) for s, e in spans))


def running(spans: Iterable[Span], start: int, end: int) -> int:
    """How many seconds from ``start`` to ``end`` no span covers."""
    return end - start - stopped(spans, start, end)


def moment_after(spans: Iterable[Span], start: int, seconds: int) -> int:
    """The latest instant up to which no more than ``seconds`` since ``start`` are uncovered: where
    the time is used up as a span begins, it is the end of that span.
    """
    at, left = start, seconds
    for span in union(spans):
        if span.end <= at:
            continue
        if span.start - at > left:
            break
        left -= max(0, span.start - at)
        at = span.end
    return at + left


def instant(moment: datetime) -> int:
    """The whole seconds up to a moment."""
    return (moment - _EPOCH) // _SECOND


def moment(at: int) -> datetime:
    """An instant as a moment in UTC."""
    return _EPOCH + at * _SECOND


def written(moment: datetime) -> str:
    """A moment as all answers have it, after RFC 3339: 2026-11-24T12:00:00.25Z."""
    return f"{moment.astimezone(UTC).replace(tzinfo=None).isoformat()}Z"


class DurationError(ValueError):
    """The text is no duration; the message says what would be."""


def read_duration(text: str) -> int:
    """The seconds of a duration such as P3D, PT12H or P1DT4H. Raises ``DurationError``."""
    found = _WRITTEN.fullmatch(text)
    if found is None:
        shown = repr(text if len(text) <= 20 else text[:19] + "…")
        raise DurationError(
            _("{text} is no duration in days, hours and minutes such as P3D, PT12H or P1DT4H.").format(text=shown)
        )
    weeks, days, hours, minutes = (int(part or 0) for part in found.groups())
    return (7 * weeks + days) * DAY + hours * HOUR + minutes * MINUTE


def write_duration(seconds: int) -> str:
    """A duration in its one normal form. Raises ``ValueError`` for parts of a minute."""
    if seconds < 0 or seconds % MINUTE:
        raise ValueError(f"{seconds} seconds are not a number of whole minutes")
    days, hours, minutes = _parts(seconds)
    date = f"{days}D" if days else ""
    time = (f"{hours}H" if hours else "") + (f"{minutes}M" if minutes else "")
    return "P" + date + ("T" + time if time else "") if date or time else "PT0M"


def duration_words(seconds: int) -> str:
    """A duration in words, of which the two largest are said: 3 days, 1 day 12 hours."""
    days, hours, minutes = _parts(seconds)
    minutes = 0 if days else minutes
    said = (
        ngettext("{number} day", "{number} days", days).format(number=days) if days else "",
        ngettext("{number} hour", "{number} hours", hours).format(number=hours) if hours else "",
        ngettext("{number} minute", "{number} minutes", minutes).format(number=minutes) if minutes else "",
    )
    return " ".join(part for part in said if part) or _("less than a minute")


def _parts(seconds: int) -> tuple[int, int, int]:
    return seconds // DAY, seconds % DAY // HOUR, seconds % HOUR // MINUTE


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
    """The quiet hours that reach into that time; of a long night the first ``LONGEST_QUIET``."""
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
