"""The word ``away``, by which players take days off: ``away 3 days``, ``away until
2027-01-06``, ``away from 2026-12-23 for 10 days``.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from service.clocks.sentences import moment_words
from service.clocks.spans import instant
from service.context import Context
from service.errors import ServiceError
from service.inbox.answers import Answer
from service.matches import days_off
from service.matches.days_off import AllDaysOff
from service.players import preferences
from service.players.types import Player
from service.texts import gettext as _
from service.texts import ngettext

EXAMPLES: Final = ("away 3 days", "away until 2027-01-06", "away from 2026-12-23 for 10 days")
_DATE: Final = r"(\d{4})-(\d\d)-(\d\d)"
_DAYS: Final = re.compile(r"(?:for )?(\d{1,3}) days?")
_UNTIL: Final = re.compile(rf"(?:until|till|to) {_DATE}")
_FROM: Final = re.compile(rf"from {_DATE} (?:for (\d{{1,3}}) days?|(?:until|till|to) {_DATE})")


@dataclass(frozen=True, slots=True)
class Away:
    """How long, in whole days, and from when on in UTC; ``None``: from now on."""

    days: int
    start: datetime | None = None


def read_away(rest: str, now: datetime, zone: str) -> Away | None:
    """What follows the word; ``None`` where it cannot be read. Dates begin at midnight in the time
    zone of the player.
    """
    said = " ".join(rest.lower().split())
    try:
        if found := _DAYS.fullmatch(said):
            return Away(int(found[1]))
        if found := _UNTIL.fullmatch(said):
            return Away(_days(now, _midnight(found.group(1, 2, 3), zone)))
        if found := _FROM.fullmatch(said):
            start = _midnight(found.group(1, 2, 3), zone)
            days = int(found[4]) if found[4] else _days(start, _midnight(found.group(5, 6, 7), zone))
            return Away(days, start)
    except ValueError:  # no such day
        return None
    return None


def answer(context: Context, player: Player, rest: str) -> Answer:
    """Declares the days off, and says until when they last."""
    with context.database.read() as connection:
        zone = preferences.effective(connection, player.id).time_zone
    away = read_away(rest, context.clock(), zone)
    if away is None:
        return Answer("away", _("You have no days off by that."), (_("Write one of these:"),), EXAMPLES)
    try:
        declared = days_off.declare(context, player, away.days, away.start)
    except ServiceError as error:
        return Answer(error.code, _("You have no days off by that."), (str(error),))
    return Answer("away", _("You have days off."), told(declared, zone))


def told(declared: AllDaysOff, zone: str) -> tuple[str, ...]:
    """The days off of a player, and how many more they have, in sentences."""
    said = [
        _("From {start} to {end} your clocks stand still. You may still move.").format(
            start=moment_words(instant(each.start), zone), end=moment_words(instant(each.end), zone)
        )
        for each in declared.items
    ]
    left = ngettext("You have {n} more day off.", "You have {n} more days off.", declared.left)
    return (*said, left.format(n=declared.left), _('The word "back" ends them.'))


def _days(start: datetime, end: datetime) -> int:
    return math.ceil((end - start) / timedelta(days=1))


def _midnight(parts: tuple[str, ...], zone: str) -> datetime:
    year, month, day = (int(part) for part in parts)
    return datetime.combine(date(year, month, day), time(), tzinfo=ZoneInfo(zone)).astimezone(UTC)
