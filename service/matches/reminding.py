"""Reminds players of the time that is left: an event of each match that is due within the hour, and
one notice for all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from sqlalchemy import Connection

from service.clocks.live import next_reminder
from service.clocks.spans import instant
from service.context import Context
from service.events.gate import tell
from service.loop import isolated
from service.matches import timekeeping
from service.matches.timekeeping import SeatTime
from service.payloads import AlsoDue, Reminded
from service.players.local_time import quiet_hours_of
from service.store import clocks as rows
from service.store import matches as match_rows
from service.store.events import News
from service.store.matches import StoredMatch
from service.store.outbox import NewNotice

TOGETHER: Final = timedelta(hours=1)


def due(context: Context) -> tuple[str, ...]:
    """The reminders that are due: a match and a player, with a blank between."""
    with context.database.look() as connection:
        return tuple(" ".join(each) for each in rows.to_remind(connection, context.clock()))


def remind_of(context: Context, item: str) -> int:
    """Reminds a player of a match, and with the same notice of all others that are due within the
    hour; those that cannot be read are left to their own reminders. Returns how many notices were
    written.
    """
    match_id, player_id = item.split(" ")
    with context.database.write() as connection:
        written = _remind(connection, match_id, player_id, context.clock())
    if written:
        context.queue.wake_notices()
    return written


def _remind(connection: Connection, match_id: str, player_id: str, now: datetime) -> bool:
    matches, times = dict[str, StoredMatch](), dict[str, tuple[SeatTime, ...]]()

    def read(each: str) -> None:
        found = match_rows.lock_all(connection, [each])
        times.update(timekeeping.times_of(connection, list(found.values()), now))
        matches.update(found)

    ids = rows.reminders_of(connection, player_id, now + TOGETHER)
    if match_id in ids:
        read(match_id)
    for other in sorted({*ids} - {match_id}):
        isolated(connection, partial(read, other))
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
        tell(connection, _news(player_id, sorted(due, key=lambda each: each[1].due_at or 0), now), now)
    return bool(due)


def _news(player_id: str, due: Sequence[tuple[StoredMatch, SeatTime]], now: datetime) -> list[News]:
    """A reminder of each match, as the webhooks of a match are told of its own events alone. The
    player is mailed that of the most urgent one, which names the others.
    """
    (match, own), *others = due
    also = tuple(
        AlsoDue(other.id, other.title, until)
        for other, time in others
        if (until := time.until(instant(now))) is not None
    )
    mailed = NewNotice("reminder", player_id, match.id, Reminded(own.stored.seat, match.ply, also))
    events = [News(each.id, "reminder", "player", player_id, time.stored.seat, each.ply) for each, time in due]
    return [replace(events[0], notices=(mailed,)), *events[1:]]
