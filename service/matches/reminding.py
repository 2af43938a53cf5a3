"""Reminds of the time that is left: an event of each match that is due within the hour, which its
webhooks are told, and one notice for all of which the player wants to be mailed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from sqlalchemy import Connection

from service.clocks.seat import next_reminder, reminders
from service.clocks.spans import instant
from service.context import Context
from service.events.gate import tell
from service.loop import isolated
from service.matches import timekeeping
from service.matches.timekeeping import SeatTime
from service.payloads import AlsoDue, Reminded
from service.players import preferences
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
    hour and can be read. Returns whether it told anything.
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

    ids = {each for each, _ in rows.to_remind(connection, now + TOGETHER, player_id)}
    if match_id in ids:
        read(match_id)
    for other in sorted(ids - {match_id}):
        isolated(connection, partial(read, other))
    hours = quiet_hours_of(connection, {player_id}).get(player_id)
    wanted = preferences.effective(connection, player_id).reminders
    due: list[_Due] = []
    for match in matches.values():
        seat = match.seat_of(player_id)
        if seat is None or match.id not in times:
            continue
        own = times[match.id][seat]
        found = reminders(own.stored.clock, own.stops, hours)
        passed = [at for at in found if own.stored.reminded_at < at <= instant(now + TOGETHER)]
        reminded_at = max(passed, default=own.stored.reminded_at)  # those missed before are told by the last
        if passed and match.seats[seat].to_act:
            to_mail = set(passed) & set(reminders(own.stored.clock, own.stops, hours, wanted))
            due.append(_Due(match, own, bool(to_mail)))
        rows.set_reminded(connection, own.stored, reminded_at, next_reminder(found, reminded_at))
    if due:
        tell(connection, _news(player_id, sorted(due, key=lambda each: each.time.due_at or 0), now), now)
    return bool(due)


@dataclass(frozen=True, slots=True)
class _Due:
    """A match of which a seat is reminded; ``to_mail``: its player wants to be mailed that."""

    match: StoredMatch
    time: SeatTime
    to_mail: bool


def _news(player_id: str, due: Sequence[_Due], now: datetime) -> list[News]:
    """A reminder of each match, as its webhooks are told of its own events alone. The mail, if the
    player wants any, is about the most urgent one, and names the others.
    """
    events = {
        each.match.id: News(each.match.id, "reminder", "player", player_id, each.time.stored.seat, each.match.ply)
        for each in due
    }
    mailed = [each for each in due if each.to_mail]
    if mailed:
        first, *others = mailed
        also = tuple(
            AlsoDue(other.match.id, other.match.title, until)
            for other in others
            if (until := other.time.until(instant(now))) is not None
        )
        payload = Reminded(first.time.stored.seat, first.match.ply, also)
        notice = NewNotice("reminder", player_id, first.match.id, payload)
        events[first.match.id] = replace(events[first.match.id], notices=(notice,))
    return list(events.values())
