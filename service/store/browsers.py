"""The browsers in which players are signed in; only the SHA-256 of their secrets is stored."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, delete, insert, select

from service.store import players as player_rows
from service.store.players import Player
from service.store.tables import browsers


def add(connection: Connection, secret_hash: str, player_id: str, now: datetime, expires_at: datetime) -> None:
    """Adds a browser, in which the player is signed in until ``expires_at``."""
    connection.execute(
        insert(browsers).values(secret_hash=secret_hash, player_id=player_id, signed_in_at=now, expires_at=expires_at)
    )


def player_of(connection: Connection, secret_hash: str, now: datetime) -> Player | None:
    """The player who is signed in there at that time."""
    found = connection.execute(
        select(browsers.c.player_id).where(browsers.c.secret_hash == secret_hash, browsers.c.expires_at > now)
    ).one_or_none()
    return None if found is None else player_rows.find(connection, found.player_id)


def remove(connection: Connection, secret_hash: str) -> None:
    """Removes a browser."""
    connection.execute(delete(browsers).where(browsers.c.secret_hash == secret_hash))


def remove_since(connection: Connection, player_id: str, since: datetime) -> None:
    """Removes the browsers in which the player was signed in from ``since`` on."""
    connection.execute(delete(browsers).where(browsers.c.player_id == player_id, browsers.c.signed_in_at >= since))


def any_expired(connection: Connection, now: datetime) -> bool:
    """Whether ``delete_expired`` would delete any row."""
    return (
        connection.execute(select(browsers.c.player_id).where(browsers.c.expires_at <= now).limit(1)).first()
        is not None
    )


def delete_expired(connection: Connection, now: datetime, limit: int) -> int:
    """Deletes up to ``limit`` browsers that have expired by that time. Returns how many."""
    old = select(browsers.c.secret_hash).where(browsers.c.expires_at <= now).limit(limit)
    return connection.execute(delete(browsers).where(browsers.c.secret_hash.in_(old))).rowcount
