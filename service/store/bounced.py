"""What came back, in the database: on the notice whose mail it was, and on the address."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection, select, update

from service.store import addresses, players
from service.store.addresses import PlayerAddress
from service.store.tables import outbox, player_addresses

MOST_SOFT: Final = 10
"""After so many mails that came back for a time, an address counts as bouncing for good."""
SOFT_FOR: Final = timedelta(days=14)
"""Soft bounces further apart than this are counted anew."""


def mark_notice(connection: Connection, notice_id: str, reason: str, now: datetime) -> tuple[str | None] | None:
    """Marks a notice whose mail came back. Returns its player as a tuple of one; ``None`` where
    there is no such notice, or it is marked already.
    """
    mine = outbox.c.id == notice_id
    row = connection.execute(select(outbox.c.player_id, outbox.c.bounced_at).where(mine).with_for_update()).first()
    if row is None or row.bounced_at is not None:
        return None
    connection.execute(update(outbox).where(mine).values(bounced_at=now, bounce_reason=reason))
    return (row.player_id,)


def mark_address(
    connection: Connection, player_id: str, named: Sequence[str], hard: bool, reason: str, now: datetime
) -> PlayerAddress | None:
    """Counts a mail to a player that came back: to the address among ``named`` (folded), or to the
    primary one. Returns the address where that is marked from now on, since it bounces for good.
    """
    player = players.find(connection, player_id)
    if player is None:
        return None
    own = addresses.of_player(connection, player)
    found = next((each for each in own if each.folded in named), own[0])
    lately = found.last_bounce_at is not None and now - found.last_bounce_at <= SOFT_FOR
    soft = found.soft_bounces if hard else (found.soft_bounces if lately else 0) + 1
    values: dict[str, object] = {"soft_bounces": soft, "last_bounce_at": now}
    marked = found.bounced_at is None and (hard or soft >= MOST_SOFT)
    if marked:
        values |= {"bounced_at": now, "bounce_reason": reason}
    connection.execute(update(player_addresses).where(player_addresses.c.id == found.id).values(values))
    return replace(found, bounced_at=now, bounce_reason=reason) if marked else None


def forget(connection: Connection, player_id: str) -> None:
    """Forgets that mails to the player's primary address came back: one has arrived."""
    own = (player_addresses.c.player_id == player_id) & player_addresses.c.is_primary
    connection.execute(update(player_addresses).where(own).values(soft_bounces=0, bounced_at=None, bounce_reason=None))


def listed(connection: Connection, limit: int) -> tuple[PlayerAddress, ...]:
    """Up to ``limit`` addresses that bounce for good, latest first."""
    at = player_addresses.c.bounced_at
    found = select(player_addresses).where(at.is_not(None)).order_by(at.desc(), player_addresses.c.id).limit(limit)
    names = PlayerAddress.__dataclass_fields__
    return tuple(PlayerAddress(**{name: getattr(row, name) for name in names}) for row in connection.execute(found))
