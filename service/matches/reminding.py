"""Reminds players of the time that is left: one notice for all that is due within the hour."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection

from service.clocks.instants import instant
from service.clocks.reminders import next_reminder
from service.context import Judging
from service.events.tell import News, tell
from service.matches import timekeeping
from service.matches.timekeeping import SeatTime
from service.players.local_hours import quiet_hours_of
from service.store import clocks as rows
from service.store import matches as match_rows
from service.store.matches import StoredMatch
from service.store.outbox import NewNotice

TOGETHER: Final = timedelta(hours=1)
AT_ONCE: Final = 50


def remind(context: Judging) -> int:
    """Writes the reminders that are due, each once. Gives how many notices were written."""
    now, written = context.clock(), 0
    with context.database.read() as connection:
        players = rows.to_remind(connection, now, AT_ONCE)
    for player_id in players:
        with context.database.write() as connection:
            written += _remind(connection, player_id, context)
    if written:
        context.queue.wake_notices()
    return written


def _remind(connection: Connection, player_id: str, context: Judging) -> bool:
    now = context.clock()
    ids = rows.reminders_of(connection, player_id, now + TOGETHER)
    matches = match_rows.lock_all(connection, ids)
    times = timekeeping.times_of(connection, list(matches.values()), now)
    hours = quiet_hours_of(connection, {player_id}).get(player_id)
    wanted = timekeeping.reminders_wanted(connection, player_id)
    due: list[tuple[StoredMatch, SeatTime]] = []
    for match in matches.values():
        seat = match.seat_of(player_id)
        if seat is None or match.id not in times:
            continue
        own = times[match.id][seat]
        found = timekeeping.reminders_of(own, hours, wanted)
        passed = [at for at in found if own.stored.reminded_at < at <= instant(now + TOGETHER)]
        reminded_at = max(passed, default=own.stored.reminded_at)  # those missed before are told by the last
        if passed and match.seats[seat].to_act:
            due.append((match, own))
        rows.set_reminded(connection, own.stored, reminded_at, next_reminder(found, reminded_at))
    if due:
        tell(connection, [_news(player_id, sorted(due, key=lambda each: each[1].due_at or 0), now)], now)
    return bool(due)


def _news(player_id: str, due: Sequence[tuple[StoredMatch, SeatTime]], now: datetime) -> News:
    """A reminder of the most urgent match, which names the others."""
    (match, own), *others = due
    payload = {
        "seat": own.stored.seat,
        "ply": match.ply,
        "also": [
            {"match": other.id, "title": other.title, "until": time.until(instant(now))} for other, time in others
        ],
    }
    notice = NewNotice("reminder", player_id, match.id, payload)
    return News(
        match.id, "reminder", "player", player_id, own.stored.seat, match.ply, payload=payload, notices=(notice,)
    )
