"""Days off that players declare: they stop the player's clocks in all matches that allow it;
moving stays allowed.

There are seven to begin with, and one more for every twelve days since the player signed up, at
most thirty at any time. They are taken when they are declared; whole days unused are given back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Annotated, Final, NamedTuple

from sqlalchemy import Connection

from engine.documents import About
from service.clocks.spans import DAY, instant
from service.context import Context
from service.errors import Conflict, Invalid, NotFound
from service.ids import ID_PATTERN
from service.matches import timekeeping
from service.players import guests, preferences
from service.store import clocks as rows
from service.store import matches as match_rows
from service.store import players
from service.store.clocks import StoredDaysOff
from service.store.players import Player
from service.texts import gettext as _
from service.texts import ngettext

FIRST_DAYS: Final = 7
EARNED_EVERY: Final = 12 * DAY
MOST_DAYS: Final = 30
SHORTEST: Final = 2
"""The fewest days off at once."""
FURTHEST: Final = timedelta(days=365)
ID_LENGTH: Final = 12


class Taking(NamedTuple):
    """Days off that were taken at some instant; given back where they are negative."""

    at: int
    days: int


@dataclass(frozen=True, slots=True)
class DaysOff:
    """Days off that you have declared."""

    id: Annotated[str, About("The id of these days off.", pattern=ID_PATTERN)]
    start: Annotated[datetime, About("From then on your clocks are stopped.")]
    end: Annotated[datetime, About("Until when they are stopped.")]
    days: Annotated[int, About("How many of your days off it takes.")]
    automatic: Annotated[bool, About("True if it began because your time would have been up.")]


@dataclass(frozen=True, slots=True)
class AllDaysOff:
    """Your days off that are not over, and how many more you have."""

    items: Annotated[tuple[DaysOff, ...], About("The days off.")]
    left: Annotated[int, About("So many more days off you have.")]


def of_player(context: Context, player: Player) -> AllDaysOff:
    """The days off of the player that are not over, and how many more they have."""
    with context.database.read() as connection:
        return _shown(connection, player, context.clock())


def declare(context: Context, player: Player, days: int, start: datetime | None = None) -> AllDaysOff:
    """Declares whole days off, from now on unless it is to ``start`` later. Raises ``Invalid``, or
    ``Conflict`` (``days_off_overlap``, ``days_off_short`` where the player has fewer).
    """
    guests.check_account(player)
    now = context.clock()
    begin = now if start is None else start
    if days < SHORTEST or days > MOST_DAYS:
        sentence = _("You can take {least} to {most} days off at once.").format(least=SHORTEST, most=MOST_DAYS)
        raise Invalid((("/days", sentence),))
    if not now <= begin <= now + FURTHEST:
        raise Invalid((("/start", _("Days off begin now, or within a year from now.")),))
    begin = begin.astimezone(UTC)  # a day has 24 hours, also where the clocks of the player change
    taken = StoredDaysOff(context.entropy.token(ID_LENGTH), player.id, now, begin, begin + timedelta(days=days), days)
    with context.database.write() as connection:
        with _changing(connection, player.id, now):
            _add(connection, player, taken, now)
        return _shown(connection, player, now)


def end(context: Context, player: Player, days_off_id: str | None = None) -> AllDaysOff:
    """Ends the days off of that id, or the first of all, now, or takes them back if they have not
    begun. Raises ``NotFound`` (``days_off_not_found``).
    """
    now = context.clock()
    with context.database.write() as connection:
        known = [each for each in rows.days_off_of_player(connection, player.id) if each.end_at > now]
        wanted = [each for each in known if days_off_id in (each.id, None)]
        if not wanted:
            raise NotFound(_("You have no such days off; your clocks run."), "days_off_not_found")
        with _changing(connection, player.id, now):
            _end(connection, wanted[0], now)
        return _shown(connection, player, now)


def beginning(connection: Connection, player_id: str, start: datetime) -> StoredDaysOff | None:
    """The fewest days off, which begin at ``start`` because the player's time would be up then, up
    to those that they have declared; ``None`` where they have not asked for that, have none left,
    or have some off already.
    """
    player, known = players.find(connection, player_id), rows.days_off_of_player(connection, player_id)
    ends = min([start + timedelta(days=SHORTEST), *(each.start_at for each in known if each.start_at > start)])
    days = -((start - ends) // timedelta(days=1))
    if player is None or not preferences.effective(connection, player_id).automatic_days_off:
        return None
    if any(each.start_at <= start < each.end_at for each in known) or left_of(player.created_at, known, start) < days:
        return None
    return StoredDaysOff(f"{player_id}.{instant(start)}", player_id, start, start, ends, days, automatic=True)


def begin(
    context: Context, player_id: str, start: datetime, tell: Callable[[Connection, StoredDaysOff, int], object]
) -> bool:
    """Begins days off at ``start``, where the player may, and tells; returns whether."""
    with context.database.write() as connection:
        with _changing(connection, player_id, context.clock()):
            taken = beginning(connection, player_id, start)
            if taken is not None:
                rows.add_days_off(connection, taken)
        player = players.find(connection, player_id)
        if taken is not None and player is not None:
            tell(connection, taken, left_of(player.created_at, rows.days_off_of_player(connection, player_id), start))
    return taken is not None


def balance(signed_up: int, takings: Iterable[Taking], now: int) -> int:
    """The days off that are left at ``now``; pure, in seconds."""
    days, earned = FIRST_DAYS, 0
    for at, taken in [*sorted(takings), Taking(now, 0)]:
        due = max(earned, (at - signed_up) // EARNED_EVERY)
        days = min(MOST_DAYS, days + due - earned)
        earned = due
        days = min(MOST_DAYS, days - taken)
    return max(0, days)


def unused(end: int, now: int) -> int:
    """The whole days that are left of days off until ``end``."""
    return max(0, (end - now) // DAY)


def left_of(signed_up: datetime, known: Sequence[StoredDaysOff], now: datetime) -> int:
    """How many days off a player has left who has taken these."""
    takings = [Taking(instant(each.declared_at), each.days) for each in known]
    return balance(instant(signed_up), takings, instant(now))


@contextmanager
def _changing(connection: Connection, player_id: str, now: datetime) -> Iterator[None]:
    """Locks the matches that await the player, then the days off; reschedules after the change."""
    matches = match_rows.lock_all(connection, rows.matches_awaiting(connection, player_id))
    rows.lock_days_off(connection, player_id)
    yield
    timekeeping.reschedule(connection, list(matches.values()), now)


def _add(connection: Connection, player: Player, taken: StoredDaysOff, now: datetime) -> None:
    known = rows.days_off_of_player(connection, player.id)
    for each in known:
        if each.start_at < taken.end_at and each.end_at > taken.start_at:
            sentence = _("You have days off already from {start} to {end} (UTC); end those first.")
            shown = {name: f"{at:%Y-%m-%d %H:%M}" for name, at in (("start", each.start_at), ("end", each.end_at))}
            raise Conflict(sentence.format(**shown), "days_off_overlap")
    left = left_of(player.created_at, known, now)
    if left < taken.days:
        sentence = ngettext(
            "You have {left} day off left; one more comes every 12 days.",
            "You have {left} days off left; one more comes every 12 days.",
            left,
        )
        raise Conflict(sentence.format(left=left), "days_off_short")
    rows.add_days_off(connection, taken)


def _end(connection: Connection, taken: StoredDaysOff, now: datetime) -> None:
    if taken.start_at > now:
        rows.remove_days_off(connection, taken.id)
    else:
        back = unused(instant(taken.end_at), instant(now))
        rows.shorten_days_off(connection, taken.id, now, taken.days - back)


def _shown(connection: Connection, player: Player, now: datetime) -> AllDaysOff:
    known = rows.days_off_of_player(connection, player.id)
    items = tuple(
        DaysOff(each.id, each.start_at, each.end_at, each.days, each.automatic) for each in known if each.end_at > now
    )
    return AllDaysOff(items, left_of(player.created_at, known, now))
