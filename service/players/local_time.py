"""Time zones of players, and the local hours of their digests."""

from __future__ import annotations

import functools
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo, available_timezones

from engine.pieces import close_words
from service.errors import Invalid
from service.texts import gettext as _

LONGEST_ZONE = 64


def read_zone(text: str, pointer: str = "/time_zone") -> str:
    """The name of a time zone of the IANA database, whatever its case, as that writes it. Raises
    ``Invalid`` at ``pointer``.
    """
    known = _zones()
    wanted = "_".join(text.split()).lower()
    if wanted in known:
        return known[wanted]
    names = {name.rpartition("/")[2]: name for name in known}
    close = [known[names.get(word, word)] for word in close_words(wanted.rpartition("/")[2], (*names, *known))]
    sentence = _("{zone} is no time zone such as Europe/Zurich or America/New_York.").format(zone=_shown(text))
    if close:
        sentence += " " + _("Did you mean {zones}?").format(zones=_(" or ").join(dict.fromkeys(close)))
    raise Invalid(((pointer, sentence),))


def next_at(moment: datetime, hour: int, zone: str) -> datetime:
    """The first moment after ``moment`` at which that hour (0 to 23) begins in a time zone, in UTC.

    Where clocks are set forward over the hour, it is the moment at which they are; where they are
    set back, so that the hour comes twice, it is the first (PEP 495).
    """
    there = ZoneInfo(zone)
    today = moment.astimezone(there).date()
    begins = (_begin(today + timedelta(days=days), hour, there) for days in range(-1, 4))
    return next(found for found in begins if found > moment)


def _begin(day: date, hour: int, zone: ZoneInfo) -> datetime:
    return datetime.combine(day, time(hour), tzinfo=zone).astimezone(UTC)


@functools.cache
def _zones() -> dict[str, str]:
    """The names of the time zones, by themselves in lower case."""
    return {name.lower(): name for name in sorted(available_timezones()) if name not in ("Factory", "localtime")}


def _shown(text: str) -> str:
    return repr(text if len(text) <= LONGEST_ZONE else text[: LONGEST_ZONE - 1] + "…")
