"""Whom players have blocked, in the database."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, delete, func, select

from service.store.rows import insert_new
from service.store.tables import blocks, players


@dataclass(frozen=True, slots=True)
class Blocked:
    """A player whom another has blocked, with the present name."""

    player_id: str
    name: str
    at: datetime


def add(connection: Connection, player_id: str, blocked_id: str, now: datetime) -> None:
    """Records that the player has blocked another, unless they had."""
    connection.execute(insert_new(connection, blocks), [{"player_id": player_id, "blocked_id": blocked_id, "at": now}])


def remove(connection: Connection, player_id: str, blocked_id: str) -> None:
    """Records that the player blocks another no longer."""
    connection.execute(delete(blocks).where(blocks.c.player_id == player_id, blocks.c.blocked_id == blocked_id))


def of_player(connection: Connection, player_id: str) -> tuple[Blocked, ...]:
    """Whom a player has blocked, in the order of blocking."""
    mine = (
        select(blocks.c.blocked_id, players.c.name, blocks.c.at)
        .join(players, players.c.id == blocks.c.blocked_id)
        .where(blocks.c.player_id == player_id)
        .order_by(blocks.c.at, blocks.c.blocked_id)
    )
    return tuple(Blocked(row.blocked_id, row.name, row.at) for row in connection.execute(mine))


def ids_of(connection: Connection, player_id: str) -> frozenset[str]:
    """The ids of those whom a player has blocked."""
    mine = select(blocks.c.blocked_id).where(blocks.c.player_id == player_id)
    return frozenset(connection.execute(mine).scalars())


def has_blocked(connection: Connection, player_id: str, other_id: str) -> bool:
    """Whether a player has blocked another."""
    pair = (blocks.c.player_id == player_id) & (blocks.c.blocked_id == other_id)
    return connection.execute(select(blocks.c.at).where(pair)).one_or_none() is not None


def pairs_of(connection: Connection, player_ids: Collection[str]) -> frozenset[tuple[str, str]]:
    """Whom these players have blocked: pairs of a player and a blocked one."""
    wanted = select(blocks.c.player_id, blocks.c.blocked_id).where(blocks.c.player_id.in_(player_ids))
    return frozenset((row.player_id, row.blocked_id) for row in connection.execute(wanted))


def count(connection: Connection, player_id: str) -> int:
    """How many others a player has blocked."""
    mine = select(func.count()).select_from(blocks).where(blocks.c.player_id == player_id)
    return connection.execute(mine).scalar_one()
