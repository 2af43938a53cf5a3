"""The mails of one player, as they were written to the outbox and what became of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection, literal, select, tuple_, update

from service.statuses import NoticeStatus
from service.store.lanes import FIRST
from service.store.tables import outbox

AGAIN: Final = "again"
"""In the payload of a notice: how often its player asked to be sent it again."""


@dataclass(frozen=True, slots=True)
class Written:
    """A notice to a player, without its content."""

    id: str
    kind: str
    match_id: str | None
    created_at: datetime
    status: NoticeStatus
    attempts: int
    next_attempt_at: datetime
    not_before: datetime | None
    sent_at: datetime | None
    last_error: str | None
    superseded_by: str | None
    covered_by: str | None
    bounced_at: datetime | None
    bounce_reason: str | None


def of_player(connection: Connection, player_id: str, limit: int, after: str | None) -> tuple[Written, ...]:
    """Up to ``limit`` notices to a player, newest first, after the notice with the id ``after``;
    none where that is not one of theirs.
    """
    wanted = select(*_COLUMNS).where(outbox.c.player_id == player_id)
    if after is not None:
        place = select(outbox.c.created_at, outbox.c.id).where(outbox.c.id == after, outbox.c.player_id == player_id)
        last = connection.execute(place).one_or_none()
        if last is None:
            return ()
        wanted = wanted.where(tuple_(outbox.c.created_at, outbox.c.id) < tuple_(*_bound(last)))
    newest = wanted.order_by(outbox.c.created_at.desc(), outbox.c.id.desc()).limit(limit)
    return tuple(_written(row) for row in connection.execute(newest))


def lock(connection: Connection, player_id: str, notice_id: str) -> tuple[Written, Mapping[str, Any]] | None:
    """A notice to that player and its payload, locked until the end of the transaction."""
    mine = select(*_COLUMNS, outbox.c.payload).where(outbox.c.id == notice_id, outbox.c.player_id == player_id)
    row = connection.execute(mine.with_for_update()).one_or_none()
    return None if row is None else (_written(row), row.payload)


def find(connection: Connection, notice_id: str) -> Written | None:
    """The notice with that id, whosever it is."""
    row = connection.execute(select(*_COLUMNS).where(outbox.c.id == notice_id)).one_or_none()
    return None if row is None else _written(row)


def send_again(connection: Connection, notice_id: str, payload: Mapping[str, Any], now: datetime) -> None:
    """Makes a locked notice that does not wait due at once, whatever became of it before."""
    connection.execute(
        update(outbox)
        .where(outbox.c.id == notice_id, outbox.c.status != "pending")
        .values(
            status="pending",
            payload={**payload, AGAIN: payload.get(AGAIN, 0) + 1},
            attempts=0,
            crashes=0,
            lane=FIRST,
            next_attempt_at=now,
            not_before=None,
            sent_at=None,
            last_error=None,
            superseded_by=None,
            covered_by=None,
            bounced_at=None,
            bounce_reason=None,
            leased_by=None,
            leased_until=None,
        )
    )


_FIELDS: Final = tuple(Written.__dataclass_fields__)
_COLUMNS: Final = tuple(outbox.c[name] for name in _FIELDS)


def _bound(row: Any) -> tuple[Any, Any]:
    """The values of a place in the list, with the types of their columns."""
    return literal(row.created_at, outbox.c.created_at.type), literal(row.id, outbox.c.id.type)


def _written(row: Any) -> Written:
    return Written(**{name: getattr(row, name) for name in _FIELDS})
