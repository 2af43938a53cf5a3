"""Submitted turns in the database."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection, Row, and_, bindparam, insert, or_, select, update

from service.statuses import TurnStatus
from service.store.tables import seats, turns

_ADD: Final = insert(turns)
_VERDICTS: Final = (
    select(turns.c.id, turns.c.status, turns.c.verdict, turns.c.judged_at, seats.c.to_act)
    .join(seats, (seats.c.match_id == turns.c.match_id) & (seats.c.seat == turns.c.seat))
    .where(turns.c.id.in_(bindparam("ids")))
)
_SET_VERDICT: Final = (
    update(turns)
    .where(turns.c.id == bindparam("of_turn"), turns.c.status == "queued")
    .values(
        status=bindparam("new_status"),
        verdict=bindparam("new_verdict", type_=turns.c.verdict.type),
        judged_at=bindparam("at", type_=turns.c.judged_at.type),
    )
)


@dataclass(frozen=True, slots=True)
class StoredTurn:
    """A row of turns.

    ``document`` has ``actions`` and, where they were parsed from notation, ``notation``.
    """

    id: str
    match_id: str
    seat: int
    player_id: str
    ply: int
    document: Mapping[str, Any]
    idempotency_key: str | None
    fingerprint: str
    status: TurnStatus
    verdict: Mapping[str, Any] | None
    submitted_at: datetime
    judged_at: datetime | None


@dataclass(frozen=True, slots=True)
class VerdictRow:
    """Status and verdict of a turn; ``awaited``: whether the match awaits its seat at present."""

    status: TurnStatus
    verdict: Mapping[str, Any] | None
    judged_at: datetime | None
    awaited: bool


def add_all(connection: Connection, submitted: Sequence[StoredTurn]) -> None:
    """Adds turns. Raises ``IntegrityError`` where a player has used an idempotency key before."""
    # Always in the same order, so that two transactions with the same keys cannot deadlock.
    ordered = sorted(submitted, key=lambda turn: (turn.player_id, turn.idempotency_key or ""))
    connection.execute(
        _ADD, [{name: getattr(turn, name) for name in StoredTurn.__dataclass_fields__} for turn in ordered]
    )


def verdicts(connection: Connection, turn_ids: Sequence[str]) -> dict[str, VerdictRow]:
    """The statuses and verdicts of these turns, by id."""
    found = connection.execute(_VERDICTS, {"ids": turn_ids})
    return {row.id: VerdictRow(row.status, row.verdict, row.judged_at, row.to_act) for row in found}


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


def of_player(
    connection: Connection, match_id: str, player_id: str, limit: int, after: str | None
) -> tuple[StoredTurn, ...]:
    """At most ``limit`` turns of the player in a match, oldest first, after turn ``after``."""
    wanted = select(turns).where(turns.c.match_id == match_id, turns.c.player_id == player_id)
    if after is not None:
        last = connection.execute(select(turns.c.submitted_at, turns.c.id).where(turns.c.id == after)).one_or_none()
        if last is None:
            return ()
        same = turns.c.submitted_at == last.submitted_at
        wanted = wanted.where(or_(turns.c.submitted_at > last.submitted_at, and_(same, turns.c.id > after)))
    return tuple(
        _row(row) for row in connection.execute(wanted.order_by(turns.c.submitted_at, turns.c.id).limit(limit))
    )


def pending(connection: Connection, limit: int) -> tuple[str, ...]:
    """The ids of turns without a verdict, oldest first."""
    waiting = select(turns.c.id).where(turns.c.status == "queued").order_by(turns.c.submitted_at, turns.c.id)
    return tuple(connection.execute(waiting.limit(limit)).scalars())


def take(connection: Connection, limit: int, without: Collection[str] = ()) -> tuple[StoredTurn, ...]:
    """The oldest turns without a verdict, at most ``limit`` and one per match, locked until the end
    of the transaction.

    On PostgreSQL turns locked by another transaction are skipped; on SQLite there is no other
    writing transaction.
    """
    waiting = (
        select(turns)
        .where(turns.c.status == "queued")
        .order_by(turns.c.submitted_at, turns.c.id)
        .limit(limit)
        .with_for_update(skip_locked=True)
    )
    if without:
        waiting = waiting.where(turns.c.id.not_in(without))
    oldest: dict[str, StoredTurn] = {}
    for row in connection.execute(waiting):
        oldest.setdefault(row.match_id, _row(row))
    return tuple(oldest.values())


def set_verdicts(connection: Connection, judged: Sequence[StoredTurn]) -> None:
    """Writes the verdicts of locked turns."""
    if judged:
        verdicts = [
            {"of_turn": turn.id, "new_status": turn.status, "new_verdict": turn.verdict, "at": turn.judged_at}
            for turn in judged
        ]
        connection.execute(_SET_VERDICT, verdicts)


def _turn(row: Row[Any] | None) -> StoredTurn | None:
    return None if row is None else _row(row)


def _row(row: Row[Any]) -> StoredTurn:
    return StoredTurn(**row._mapping)
