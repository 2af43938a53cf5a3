"""The deadlines of a player as a calendar to subscribe to (RFC 5545), at a secret address.

An entry is of one turn, however often that asks the player, and keeps its UID through it. Its
SEQUENCE is raised when the time has moved since it was shown last, and it is CANCELLED when the
match does not wait for the player any more, for a while.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Final

from sqlalchemy import Connection

from service.clocks.spans import instant, moment
from service.context import Context
from service.errors import NotFound
from service.matches import replays
from service.players.suspending import check_not_suspended
from service.store import calendars as rows
from service.store.calendars import CalendarEntry
from service.store.matches import StoredMatch
from service.store.players import Player
from service.texts import gettext as _
from service.views.awaiting import Waits, waiting

SECRET_LENGTH: Final = 32
SHOWN_GONE: Final = timedelta(days=14)
"""For so long an entry that is gone is shown as cancelled."""
POLLED_EVERY: Final = timedelta(hours=1)


def renew(context: Context, player: Player) -> str:
    """Gives the calendar a new secret, which is not stored; the one before ceases to work."""
    secret = context.entropy.token(SECRET_LENGTH)
    with context.database.write() as connection:
        rows.set_secret(connection, player.id, _hashed(secret))
    return secret


def stop(context: Context, player: Player) -> None:
    """Ends the player's calendar: its address ceases to work."""
    with context.database.write() as connection:
        rows.set_secret(connection, player.id, None)


def feed(context: Context, secret: str, base_url: str) -> bytes:
    """The calendar with that secret, for programs that poll. Raises ``NotFound``, ``Forbidden``."""
    now = context.clock()
    with context.database.read() as connection:
        player = rows.owner(connection, _hashed(secret))
    if player is None:
        sentence = _("There is no calendar at this address; its owner may have renewed it.")
        raise NotFound(sentence, "calendar_not_found")
    check_not_suspended(player)
    waits = waiting(context, player)
    if context.maintenance() is not None:  # what has changed is written when it is over
        with context.database.read() as connection:
            entries = _entries(_known(connection, player), waits, now)
    else:
        with context.database.write() as connection:
            rows.lock(connection, player.id)
            known = _known(connection, player)
            entries = _entries(known, waits, now)
            changed = [entry for entry in entries if entry != known.get(entry.uid)]
            left = {entry.uid for entry in entries}
            rows.replace(connection, player.id, [uid for uid in known if uid not in left], changed)
    return _written(entries, base_url.rstrip("/"))


def _known(connection: Connection, player: Player) -> dict[str, CalendarEntry]:
    """What was shown before, by UID."""
    return {entry.uid: entry for entry in rows.entries_of(connection, player.id)}


def _entries(known: dict[str, CalendarEntry], waits: tuple[Waits, ...], now: datetime) -> tuple[CalendarEntry, ...]:
    """What is to be shown, after what was shown before."""
    found = dict[str, CalendarEntry]()
    for each in waits:
        time = each.time
        if time is None or time.due_at is None:
            continue
        uid, before = _uid(each), known.get(_uid(each))
        due = moment(time.until(instant(now)) or time.due_at)
        if before is None:
            found[uid] = CalendarEntry(uid, each.match.id, _summary(each.match), due, 0, now)
        elif before.due_at != due or before.is_gone:
            found[uid] = replace(before, due_at=due, sequence=before.sequence + 1, changed_at=now, is_gone=False)
        else:
            found[uid] = before
    for uid, entry in known.items():
        if uid in found:
            continue
        if not entry.is_gone:
            found[uid] = replace(entry, sequence=entry.sequence + 1, changed_at=now, is_gone=True)
        elif now - entry.changed_at < SHOWN_GONE:
            found[uid] = entry
    return tuple(sorted(found.values(), key=lambda entry: (entry.due_at, entry.uid)))


def _uid(waits: Waits) -> str:
    """The turn that the player has, or that of another within which they are asked."""
    assert waits.time is not None
    clock = waits.time.stored.clock
    turn = f"in-{waits.turns}" if clock.lent else f"{clock.turns}"
    return f"{waits.match.id}-{waits.seat}-{turn}"


def _summary(match: StoredMatch) -> str:
    game = replays.game_of(match).info.title if replays.at_hand(match) else match.game
    if match.title in ("", game):
        return _("Overland: your turn in {game}").format(game=game)
    return _("Overland: your turn in {game}, '{title}'").format(game=game, title=match.title)


def _written(entries: tuple[CalendarEntry, ...], base_url: str) -> bytes:
    from icalendar import Calendar, Event  # 3 MB, only where there is a calendar

    calendar = Calendar()
    calendar.add("prodid", "-//Overland//Deadlines//EN")
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    calendar.add("x-wr-calname", "Overland")
    calendar.add("refresh-interval", POLLED_EVERY, parameters={"VALUE": "DURATION"})
    for entry in entries:
        event = Event()
        event.add("uid", f"{entry.uid}@overland")
        event.add("dtstamp", entry.changed_at)
        event.add("last-modified", entry.changed_at)
        event.add("sequence", entry.sequence)
        event.add("status", "CANCELLED" if entry.is_gone else "CONFIRMED")
        event.add("dtstart", entry.due_at)
        event.add("summary", entry.summary)
        event.add("url", f"{base_url}/matches/{entry.match_id}")
        event.add("transp", "TRANSPARENT")
        calendar.add_component(event)
    written: bytes = calendar.to_ical()
    return written


def _hashed(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()
