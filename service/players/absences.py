"""Declared absences: they stop the player's clocks in all matches that allow it. Moving stays
allowed meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated, Final, Protocol

from sqlalchemy import Connection

from engine.documents import About
from service.clocks.absence_bank import MOST_DAYS, SHORTEST, Taking, balance, unused
from service.clocks.instants import instant
from service.context import Clock, Issuing, Stored
from service.errors import Conflict, Invalid, NotFound
from service.matches import timekeeping
from service.players import preferences
from service.players.types import Player
from service.store import absences as rows
from service.store import matches as match_rows
from service.store import players
from service.store.absences import StoredAbsence
from service.texts import gettext as _
from service.texts import ngettext

FURTHEST: Final = timedelta(days=365)
ID_LENGTH: Final = 12


class Beginning(Stored, Protocol):
    """What it takes to begin an absence."""

    @property
    def clock(self) -> Clock: ...


@dataclass(frozen=True, slots=True)
class Absence:
    """An absence of yours."""

    id: str
    start: Annotated[datetime, About("From then on your clocks are stopped.")]
    end: datetime
    days: Annotated[int, About("The days that it has taken from your bank.")]
    automatic: Annotated[bool, About("True if it began because your time would have been up.")]


@dataclass(frozen=True, slots=True)
class Absences:
    """Your absences that are not over, and the days in your bank."""

    items: tuple[Absence, ...]
    bank: Annotated[int, About("For so many more days you may be absent.")]


def of_player(context: Issuing, player: Player) -> Absences:
    """The absences of the player that are not over, and their bank."""
    with context.database.read() as connection:
        return _shown(connection, player, context.clock())


def declare(context: Issuing, player: Player, days: int, start: datetime | None = None) -> Absences:
    """Declares an absence of whole days, from now on unless it is to ``start`` later.

    Raises ``Invalid``, or ``Conflict``: ``absence_overlaps``, ``absence_bank`` where the bank has
    fewer days.
    """
    now = context.clock()
    begin = now if start is None else start
    if days < SHORTEST or days > MOST_DAYS:
        sentence = _("An absence has {least} to {most} days.").format(least=SHORTEST, most=MOST_DAYS)
        raise Invalid((("/days", sentence),))
    if not now <= begin <= now + FURTHEST:
        raise Invalid((("/start", _("An absence begins now, or within a year from now.")),))
    absence = StoredAbsence(context.entropy.token(ID_LENGTH), player.id, now, begin, begin + timedelta(days=days), days)
    with context.database.write() as connection:
        _changed(connection, player.id, lambda: _add(connection, player, absence, now))
        return _shown(connection, player, now)


def end(context: Issuing, player: Player, absence_id: str | None = None) -> Absences:
    """Ends an absence now, or takes it back where it has not begun: the one with that id, or the
    one that goes on. Raises ``NotFound`` (``absence_not_found``).
    """
    now = context.clock()
    with context.database.write() as connection:
        known = [each for each in rows.of_player(connection, player.id) if each.end_at > now]
        wanted = [each for each in known if absence_id == each.id or (absence_id is None and each.start_at <= now)]
        if not wanted:
            raise NotFound(_("You have no such absence; you are at the table."), "absence_not_found")
        _changed(connection, player.id, lambda: _end(connection, wanted[0], now))
        return _shown(connection, player, now)


def may_begin(connection: Connection, player_id: str, start: datetime) -> bool:
    """Whether an absence begins at ``start`` because the player's time would be up then: they have
    asked for that, the bank has the days, and they are not absent already.
    """
    if not preferences.effective(connection, player_id).automatic_absence:
        return False
    player = players.find(connection, player_id)
    known, ends = rows.of_player(connection, player_id), start + timedelta(days=SHORTEST)
    free = all(each.start_at >= ends or each.end_at <= start for each in known)
    return player is not None and free and bank_of(player.created_at, known, start) >= SHORTEST


def begin(
    context: Beginning, player_id: str, start: datetime, tell: Callable[[Connection, StoredAbsence, int], object]
) -> bool:
    """Begins an absence of the shortest length at ``start``, where it may, and tells of it. Gives
    whether it has begun.
    """
    begun: list[StoredAbsence] = []

    def change() -> None:
        rows.lock_player(connection, player_id)
        if may_begin(connection, player_id, start):
            ends = start + timedelta(days=SHORTEST)
            absence = StoredAbsence(
                f"{player_id}.{instant(start)}", player_id, start, start, ends, SHORTEST, automatic=True
            )
            rows.add(connection, absence)
            begun.append(absence)

    with context.database.write() as connection:
        _changed(connection, player_id, change)
        for absence in begun:
            player = players.find(connection, player_id)
            assert player is not None
            tell(connection, absence, bank_of(player.created_at, rows.of_player(connection, player_id), start))
    return bool(begun)


def bank_of(signed_up: datetime, known: Sequence[StoredAbsence], now: datetime) -> int:
    """The days in the bank of a player with these absences."""
    takings = [Taking(instant(each.declared_at), each.days) for each in known]
    return balance(instant(signed_up), takings, instant(now))


def _changed(connection: Connection, player_id: str, change: Callable[[], object]) -> None:
    """Makes a change with the matches that await the player locked, before the player, as
    everywhere; and writes their deadlines anew.
    """
    matches = match_rows.lock_all(connection, rows.matches_awaiting(connection, player_id))
    change()
    timekeeping.reschedule(connection, list(matches.values()))


def _add(connection: Connection, player: Player, absence: StoredAbsence, now: datetime) -> None:
    rows.lock_player(connection, player.id)
    known = rows.of_player(connection, player.id)
    for each in known:
        if each.start_at < absence.end_at and each.end_at > absence.start_at:
            sentence = _("You are absent already from {start} to {end} (UTC); end that absence first.")
            shown = {name: f"{at:%Y-%m-%d %H:%M}" for name, at in (("start", each.start_at), ("end", each.end_at))}
            raise Conflict(sentence.format(**shown), "absence_overlaps")
    bank = bank_of(player.created_at, known, now)
    if bank < absence.days:
        sentence = ngettext(
            "There is {bank} day in your bank of absences; one more comes every 12 days.",
            "There are {bank} days in your bank of absences; one more comes every 12 days.",
            bank,
        )
        raise Conflict(sentence.format(bank=bank), "absence_bank")
    rows.add(connection, absence)


def _end(connection: Connection, absence: StoredAbsence, now: datetime) -> None:
    rows.lock_player(connection, absence.player_id)
    if absence.start_at > now:
        rows.remove(connection, absence.id)
    else:
        back = unused(instant(absence.end_at), instant(now))
        rows.shorten(connection, absence.id, now, absence.days - back)


def _shown(connection: Connection, player: Player, now: datetime) -> Absences:
    known = rows.of_player(connection, player.id)
    items = tuple(
        Absence(each.id, each.start_at, each.end_at, each.days, each.automatic) for each in known if each.end_at > now
    )
    return Absences(items, bank_of(player.created_at, known, now))
