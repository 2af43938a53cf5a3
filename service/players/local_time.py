"""Time zones of players, the local hours of their digests, and their quiet hours, which stop their
clocks in matches of a day or more for a turn.

Quiet hours are of the time zone that the player had when they were set, and stay there when the
player chooses another, until they are set again. They can be set once in a week; giving them up is
always possible. A turn keeps the hours that it began with. So nobody gains time by changing them.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Collection, Mapping
from datetime import UTC, datetime, time, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from engine.pieces import close_words
from service.clocks.rule import zones
from service.clocks.sentences import moment_words
from service.clocks.spans import LONGEST_QUIET, MINUTE, LocalHours, instant
from service.errors import Invalid
from service.store import players as rows
from service.texts import gettext as _

LONGEST_ZONE: Final = 64
ONCE_IN: Final = timedelta(days=7)
QUIET: Final = "quiet"
ZONE: Final = "quiet_zone"
SINCE: Final = "quiet_since"
"""In the document of a player: the hours, their time zone, and when they were set."""
_HOURS: Final = re.compile(r"([01]?[0-9]|2[0-3]):([0-5][0-9]) ?(?:-|to) ?([01]?[0-9]|2[0-3]):([0-5][0-9])")


def read_zone(text: str, pointer: str = "/time_zone") -> str:
    """A time zone as the IANA database writes it, whatever its case here. Raises ``Invalid``."""
    known = _zones()
    wanted = "_".join(text.split()).lower()
    if wanted in known:
        return known[wanted]
    names = {name.rpartition("/")[2]: name for name in known}
    close = [known[names.get(word, word)] for word in close_words(wanted.rpartition("/")[2], (*names, *known))]
    shown = text if len(text) <= LONGEST_ZONE else text[: LONGEST_ZONE - 1] + "…"
    sentence = _("{zone} is no time zone such as Europe/Zurich or America/New_York.").format(zone=repr(shown))
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
    days = (today + timedelta(days=number) for number in range(-1, 4))
    begins = (datetime.combine(day, time(hour), tzinfo=there).astimezone(UTC) for day in days)
    return next(found for found in begins if found > moment)


@functools.cache
def _zones() -> dict[str, str]:
    """The names of the time zones, by themselves in lower case."""
    return {name.lower(): name for name in sorted(zones())}


def read_hours(text: Any, pointer: str = "/quiet") -> str:
    """Quiet hours such as 22:00-07:00, at most nine hours. Raises ``Invalid`` at ``pointer``."""
    found = _HOURS.fullmatch(text.strip()) if isinstance(text, str) else None
    if found is None:
        raise Invalid(((pointer, _("{text} are no quiet hours such as 22:00-07:00.").format(text=repr(text)[:40])),))
    begin, end = int(found[1]) * 60 + int(found[2]), int(found[3]) * 60 + int(found[4])
    if not 0 < ((end - begin) % 1440) * MINUTE <= LONGEST_QUIET:
        raise Invalid(((pointer, _("Quiet hours are at most nine hours a day, such as 22:00-07:00.")),))
    return f"{begin // 60:02}:{begin % 60:02}-{end // 60:02}:{end % 60:02}"


def settled(
    before: Mapping[str, Any], after: dict[str, Any], changes: Collection[str], zone: str, now: datetime
) -> dict[str, Any]:
    """The document of a player after ``changes``, with the zone of the quiet hours and since when
    they hold. Raises ``Invalid`` where they were set in the last week.
    """
    if QUIET not in changes or (after.get(QUIET) == before.get(QUIET) and before.get(ZONE) in (zone, None)):
        return after
    if QUIET not in after:
        return {name: value for name, value in after.items() if name != ZONE}
    free = datetime.fromisoformat(before[SINCE]) + ONCE_IN if SINCE in before else now
    if now < free:
        sentence = _("Quiet hours can be set once in a week; you can set others from {moment} on.")
        raise Invalid((("/quiet", sentence.format(moment=moment_words(instant(free), zone))),))
    return after | {ZONE: zone, SINCE: now.isoformat()}


def quiet_hours_of(connection: Connection, player_ids: Collection[str]) -> dict[str, LocalHours]:
    """The quiet hours of those of these players who have any."""
    found = rows.preferences_of(connection, player_ids) if player_ids else {}
    return {player: _local(chosen) for player, chosen in found.items() if chosen.get(QUIET)}


def _local(chosen: Mapping[str, Any]) -> LocalHours:
    begin, end = (int(part[:2]) * 60 + int(part[3:]) for part in chosen[QUIET].split("-"))
    return LocalHours(chosen.get(ZONE, "UTC"), begin, end)
