"""Submitted turns in the database: a row before they are a job."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, TypeAlias

from sqlalchemy import Connection, Row, and_, insert, or_, select, update

from service.store.tables import turns

Status: TypeAlias = Literal["queued", "accepted", "partly_accepted", "rejected"]


@dataclass(frozen=True, slots=True)
class StoredTurn:
    """A row of turns. ``document`` has ``actions`` and, where they were read from notation, ``notation``."""

    id: str
    match_id: str
    seat: int
    player_id: str
    ply: int
    document: Mapping[str, Any]
    idempotency_key: str | None
    fingerprint: str
    status: Status
    verdict: Mapping[str, Any] | None
    submitted_at: datetime
    judged_at: datetime | None


def add(connection: Connection, turn: StoredTurn) -> None:
    """Adds a turn. Raises ``IntegrityError`` where the player has used the idempotency key before."""
    connection.execute(insert(turns).values(**{name: getattr(turn, name) for name in StoredTurn.__dataclass_fields__}))


def find(connection: Connection, turn_id: str) -> StoredTurn | None:
    """The turn with that id."""
    return _turn(connection.execute(select(turns).where(turns.c.id == turn_id)).one_or_none())


def lock(connection: Connection, turn_id: str) -> StoredTurn | None:
    """The turn with that id, locked until the end of the transaction."""
    return _turn(connection.execute(select(turns).where(turns.c.id == turn_id).with_for_update()).one_or_none())


def by_key(connection: Connection, player_id: str, idempotency_key: str) -> StoredTurn | None:
    """The turn that the player submitted with that key."""
    mine = (turns.c.player_id == player_id) & (turns.c.idempotency_key == idempotency_key)
    return _turn(connection.execute(select(turns).where(mine)).one_or_none())


def of_player(connection: Connection, match_id: str, player_id: str, limit: int, after: str | None) -> tuple[StoredTurn, ...]:
    """The player's turns in a match, oldest first, behind turn ``after``."""
    wanted = select(turns).where(turns.c.match_id == match_id, turns.c.player_id == player_id)
    if after is not None:
        last = connection.execute(select(turns.c.submitted_at, turns.c.id).where(turns.c.id == after)).one_or_none()
        if last is None:
            return ()
        same = turns.c.submitted_at == last.submitted_at
        wanted = wanted.where(or_(turns.c.submitted_at > last.submitted_at, and_(same, turns.c.id > after)))
    return tuple(_row(row) for row in connection.execute(wanted.order_by(turns.c.submitted_at, turns.c.id).limit(limit)))


def pending(connection: Connection, limit: int, before: datetime | None = None) -> tuple[str, ...]:
    """The ids of turns that nobody has judged, oldest first; with ``before``, of those submitted earlier than that."""
    waiting = select(turns.c.id).where(turns.c.status == "queued")
    if before is not None:
        waiting = waiting.where(turns.c.submitted_at < before)
    return tuple(connection.execute(waiting.order_by(turns.c.submitted_at, turns.c.id).limit(limit)).scalars())


def set_verdict(connection: Connection, turn_id: str, status: Status, verdict: Mapping[str, Any], now: datetime) -> None:
    """Notes what became of a turn that is locked."""
    connection.execute(update(turns).where(turns.c.id == turn_id, turns.c.status == "queued").values(status=status, verdict=dict(verdict), judged_at=now))


def _turn(row: Row[Any] | None) -> StoredTurn | None:
    return None if row is None else _row(row)


def _row(row: Row[Any]) -> StoredTurn:
    return StoredTurn(**row._mapping)
