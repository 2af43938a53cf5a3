"""The quiet hours of players, which stop their clocks in matches of a day or more for a turn.

They are of the time zone that the player had when they were set, and stay there when the player
chooses another, until they are set again. They can be set once in a week; giving them up is always
possible. A turn keeps the hours that it began with. So nobody gains time by changing them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import Connection

from service.clocks.local_spans import LONGEST_QUIET, LocalHours
from service.clocks.sentences import moment_words
from service.clocks.spans import MINUTE, instant
from service.errors import Invalid
from service.store import players as rows
from service.texts import gettext as _

ONCE_IN: Final = timedelta(days=7)
QUIET: Final = "quiet"
ZONE: Final = "quiet_zone"
SINCE: Final = "quiet_since"
"""In the document of a player: the hours, their time zone, and when they were set."""
_HOURS: Final = re.compile(r"([01]?[0-9]|2[0-3]):([0-5][0-9]) ?(?:-|to) ?([01]?[0-9]|2[0-3]):([0-5][0-9])")


def read_hours(text: Any, pointer: str = "/quiet") -> str:
    """Quiet hours such as 22:00-07:00, at most nine hours. Raises ``Invalid`` at ``pointer``."""
    found = _HOURS.fullmatch(text.strip()) if isinstance(text, str) else None
    if found is None:
        raise Invalid(((pointer, _("{text} are no quiet hours such as 22:00-07:00.").format(text=repr(text)[:40])),))
    begin, end = (int(found[1]) * 60 + int(found[2]), int(found[3]) * 60 + int(found[4]))
    if not 0 < ((end - begin) % 1440) * MINUTE <= LONGEST_QUIET:
        raise Invalid(((pointer, _("Quiet hours are at most nine hours a day, such as 22:00-07:00.")),))
    return f"{begin // 60:02}:{begin % 60:02}-{end // 60:02}:{end % 60:02}"


def settled(
    before: Mapping[str, Any], after: dict[str, Any], changes: Collection[str], zone: str, now: datetime
) -> dict[str, Any]:
    """The document of a player after those ``changes``, with the zone of the quiet hours and since
    when they hold. Raises ``Invalid`` where they were set in the last week.
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
    found = rows.preferences_of_all(connection, player_ids) if player_ids else {}
    return {player: _local(chosen) for player, chosen in found.items() if chosen.get(QUIET)}


def _local(chosen: Mapping[str, Any]) -> LocalHours:
    begin, end = (int(part[:2]) * 60 + int(part[3:]) for part in chosen[QUIET].split("-"))
    return LocalHours(chosen.get(ZONE, "UTC"), begin, end)
