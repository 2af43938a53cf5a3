"""The outbox in the database: what players are to be told, written in the transaction that caused it."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import Connection, insert, or_, select, update

from service.store.tables import outbox

PENDING = outbox.c.status == "pending"


@dataclass(frozen=True, slots=True)
class Notice:
    """A row of the outbox. It goes to ``player_id``, or to ``address`` where that is somebody who is no player yet."""

    id: str
    kind: str
    player_id: str | None
    address: str | None
    match_id: str | None
    payload: Mapping[str, Any]
    created_at: datetime
    status: Literal["pending", "sent", "dead"]
    attempts: int
    next_attempt_at: datetime
    sent_at: datetime | None
    last_error: str | None
    leased_until: datetime | None


def add(
    connection: Connection,
    kind: str,
    player_id: str | None,
    match_id: str | None,
    payload: Mapping[str, Any],
    now: datetime,
    address: str | None = None,
) -> str:
    """Adds a notice that is due at once, and answers its id, which never changes and cannot be guessed."""
    notice_id = uuid.uuid4().hex
    connection.execute(
        insert(outbox).values(
            id=notice_id,
            match_id=match_id,
            player_id=player_id,
            address=address,
            kind=kind,
            payload=dict(payload),
            created_at=now,
            status="pending",
            attempts=0,
            next_attempt_at=now,
        )
    )
    return notice_id


@dataclass(frozen=True, slots=True)
class NewNotice:
    """A notice that is to be written: what of it is not the same for all."""

    kind: str
    player_id: str | None
    match_id: str | None
    payload: Mapping[str, Any]


def add_all(connection: Connection, notices: Sequence[NewNotice], now: datetime) -> None:
    """Adds notices that are due at once, with one statement."""
    if notices:
        same = {"created_at": now, "status": "pending", "attempts": 0, "next_attempt_at": now}
        rows = [{"id": uuid.uuid4().hex, **{name: getattr(new, name) for name in NewNotice.__dataclass_fields__}, **same} for new in notices]
        connection.execute(insert(outbox), rows)


def find(connection: Connection, notice_id: str) -> Notice | None:
    """The notice with that id."""
    row = connection.execute(select(outbox).where(outbox.c.id == notice_id)).one_or_none()
    return None if row is None else Notice(**{name: getattr(row, name) for name in Notice.__dataclass_fields__})


def due(connection: Connection, now: datetime, limit: int) -> tuple[str, ...]:
    """The ids of pending notices that are due and that nobody holds a lease on, most overdue first."""
    free = or_(outbox.c.leased_until.is_(None), outbox.c.leased_until <= now)
    found = select(outbox.c.id).where(PENDING, outbox.c.next_attempt_at <= now, free).order_by(outbox.c.next_attempt_at, outbox.c.id).limit(limit)
    return tuple(connection.execute(found).scalars())


def lease(connection: Connection, notice_id: str, now: datetime, until: datetime) -> Notice | None:
    """Takes the notice until then, for this caller alone; ``None`` where it is not pending, not due, or somebody else has it.

    The attempt is counted with the lease, so a process that dies while it sends has had its attempt too.
    """
    free = or_(outbox.c.leased_until.is_(None), outbox.c.leased_until <= now)
    taken = connection.execute(
        update(outbox)
        .where(outbox.c.id == notice_id, PENDING, outbox.c.next_attempt_at <= now, free)
        .values(leased_until=until, attempts=outbox.c.attempts + 1)
    )
    return find(connection, notice_id) if taken.rowcount == 1 else None


def mark_sent(connection: Connection, notice: Notice, now: datetime) -> None:
    """Notes that the notice was handed over for good. A one-time token in its payload is forgotten."""
    payload = {name: value for name, value in notice.payload.items() if name != "token"}
    sent = {"status": "sent", "sent_at": now, "leased_until": None, "last_error": None, "payload": payload}
    connection.execute(update(outbox).where(outbox.c.id == notice.id, PENDING).values(sent))


def postpone(connection: Connection, notice_id: str, error: str, next_attempt_at: datetime) -> None:
    """Notes that an attempt failed, why, and when the next one is due."""
    connection.execute(update(outbox).where(outbox.c.id == notice_id, PENDING).values(last_error=error, next_attempt_at=next_attempt_at, leased_until=None))


def give_up(connection: Connection, notice_id: str, error: str) -> None:
    """Notes that there will be no further attempt, and why."""
    connection.execute(update(outbox).where(outbox.c.id == notice_id, PENDING).values(status="dead", last_error=error, leased_until=None))
