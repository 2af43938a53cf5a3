"""Durations as ISO 8601 writes them, in days, hours and minutes, and in words. They are whole
seconds, and a day is 24 hours.
"""

from __future__ import annotations

import re
from typing import Final

from service.texts import gettext as _
from service.texts import ngettext

MINUTE: Final = 60
HOUR: Final = 60 * MINUTE
DAY: Final = 24 * HOUR
_WRITTEN: Final = re.compile(
    r"P(?:([0-9]{1,4})W|(?=[0-9]|T[0-9])(?:([0-9]{1,5})D)?(?:T(?=[0-9])(?:([0-9]{1,6})H)?(?:([0-9]{1,7})M)?)?)"
)


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
