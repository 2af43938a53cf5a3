"""Reads all rows of one match, unchecked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, select

from service.store import matches as match_rows
from service.store import pruning
from service.store.matches import StoredMatch
from service.store.tables import entries, matches, outbox, turns
from service.store.turns import shown_status


@dataclass(frozen=True, slots=True)
class LoggedEntry:
    """A row of entries."""

    ply: int
    seat: int
    action: Mapping[str, Any]
    turn_id: str | None


@dataclass(frozen=True, slots=True)
class SubmittedTurn:
    """The columns of a row of turns that the ledger check uses."""

    id: str
    seat: int
    player_id: str
    ply: int
    document: Mapping[str, Any]
    status: str
    verdict: Mapping[str, Any] | None
    judged_at: datetime | None


@dataclass(frozen=True, slots=True)
class WrittenNotice:
    """The columns of a row of the outbox that the ledger check uses."""

    id: str
    kind: str
    player_id: str | None
    address: str | None
    payload: Mapping[str, Any]
    status: str
    sent_at: datetime | None


@dataclass(frozen=True, slots=True)
class Case:
    """A match with its log, its turns and its notices."""

    match: StoredMatch
    log: tuple[LoggedEntry, ...]
    turns: tuple[SubmittedTurn, ...]
    notices: tuple[WrittenNotice, ...]
    pruned: Counter[str]
    """The numbers of its deleted notices, by kind."""
    pruned_until: datetime
    """The time up to which the details of turns may have been deleted."""


_ENTRY = (entries.c.ply, entries.c.seat, entries.c.action, entries.c.turn_id)
_TURN = (
    turns.c.id,
    turns.c.seat,
    turns.c.player_id,
    turns.c.ply,
    turns.c.document,
    turns.c.status,
    turns.c.verdict,
    turns.c.judged_at,
)
_NOTICE = (
    outbox.c.id,
    outbox.c.kind,
    outbox.c.player_id,
    outbox.c.address,
    outbox.c.payload,
    outbox.c.status,
    outbox.c.sent_at,
)


def match_ids(connection: Connection) -> tuple[str, ...]:
    """The ids of all matches, oldest first."""
    return tuple(connection.execute(select(matches.c.id).order_by(matches.c.created_at, matches.c.id)).scalars())


def read_case(connection: Connection, match_id: str) -> Case:
    """Reads all rows of one match."""
    match = match_rows.find(connection, match_id)
    assert match is not None
    log = connection.execute(select(*_ENTRY).where(entries.c.match_id == match_id).order_by(entries.c.ply))
    submitted = connection.execute(
        select(*_TURN).where(turns.c.match_id == match_id).order_by(turns.c.submitted_at, turns.c.id)
    )
    return Case(
        match,
        tuple(LoggedEntry(*row) for row in log),
        tuple(SubmittedTurn(**dict(row._mapping) | {"status": shown_status(row.status)}) for row in submitted),
        tuple(WrittenNotice(*row) for row in connection.execute(select(*_NOTICE).where(outbox.c.match_id == match_id))),
        pruning.pruned_of(connection, match_id),
        pruning.pruned_until(connection),
    )


def notices_of_no_match(connection: Connection) -> Iterator[WrittenNotice]:
    """The notices that belong to no match, such as those of sign-ups."""
    for row in connection.execute(select(*_NOTICE).where(outbox.c.match_id.is_(None))):
        yield WrittenNotice(*row)
