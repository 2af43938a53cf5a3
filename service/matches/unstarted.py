"""Matches that do not start: one is called off, with mails, 30 days after it was created, or when
its host leaves it. The sweeper finds them (``due``), and looks at each with its match locked.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection

from service.context import Context
from service.events.gate import tell
from service.house import bot_level
from service.payloads import CalledOff
from service.store import covering, match_lists
from service.store import matches as rows
from service.store import players as player_rows
from service.store.events import News
from service.store.matches import StoredMatch, StoredSeat
from service.store.outbox import NewNotice

WAITS: Final = timedelta(days=30)
"""How long a match waits for players."""


def due(context: Context) -> tuple[str, ...]:
    """The matches that have waited for so long, the oldest first."""
    with context.database.look() as connection:
        return match_lists.open_since(connection, context.clock() - WAITS)


def call_off(context: Context, match_id: str) -> int:
    """Calls a match off that has not started in time, and tells so. Returns how much was done."""
    with context.database.write() as connection:
        match, now = rows.lock(connection, match_id), context.clock()
        if match is None or match.status != "open" or match.created_at > now - WAITS:  # it has started since
            return 0
        end(connection, match, now)
    context.queue.wake_notices()
    return 1


def end(connection: Connection, match: StoredMatch, now: datetime, by_host: bool = False) -> None:
    """Calls a locked match off that has not started, and tells all but a host who left it."""
    rows.set_status(connection, match.id, "cancelled", now)
    free = [seat for seat in match.seats if seat.player_id is None]
    untold = {seat.seat for seat in free if covering.cover_invitations(connection, match.id, seat.seat)}
    payload = CalledOff(len(free), match.created_by if by_host else "")
    mailed = tuple(_notices(connection, match, payload, untold))
    tell(connection, [News(match.id, "called_off", "all", notices=mailed)], now)


def _notices(
    connection: Connection, match: StoredMatch, payload: CalledOff, untold: Collection[int]
) -> list[NewNotice]:
    """One for each person who has a part in the match, unless their invitation to an ``untold``
    seat was never sent. To others it is a matter of the host's, whom they may have blocked.
    """
    host = match.created_by
    notices = {host: NewNotice("called_off", host, match.id, payload)}
    for seat in match.seats:
        player_id = seat.player_id or _invited(connection, seat)
        key = player_id or seat.invited_email
        if key is not None and key not in notices and seat.seat not in untold and bot_level(player_id) is None:
            address = None if player_id is not None else seat.invited_email
            notices[key] = NewNotice("called_off", player_id, match.id, payload, address, sender_id=host)
    if payload.maker:
        del notices[host]
    return list(notices.values())


def _invited(connection: Connection, seat: StoredSeat) -> str | None:
    """The player whom a free seat is kept for; ``None`` where the address is no player's."""
    if seat.invited_email is None:
        return None
    player = player_rows.by_address(connection, seat.invited_email)
    return None if player is None or player.confirmed_at is None else player.id
