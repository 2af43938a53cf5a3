"""How the clocks count time: instants and durations in whole seconds, and spans between instants,
half-open. A day is 24 hours.

Parts of a second are dropped: a turn that is received in the same second as its deadline is in
time. Durations are read and written as ISO 8601 has them, in days, hours and minutes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple

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
    """A duration in words, of which the two largest are said: 3 days, 1 day 12 hours,
    45 minutes.
    """
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
