"""Reads all rows of one match, unchecked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, select

from service.kinds import Audience, EventKind, NoticeKind
from service.store import matches as match_rows
from service.store import pruning
from service.store.covering import ByNotice, parse_reason
from service.store.matches import StoredMatch
from service.store.tables import entries, events, matches, outbox, turns
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
    kind: str


@dataclass(frozen=True, slots=True)
class WrittenNotice:
    """The columns of a row of the outbox that the ledger check uses."""

    id: str
    kind: NoticeKind
    player_id: str | None
    address: str | None
    payload: Mapping[str, Any]
    status: str
    sent_at: datetime | None
    created_at: datetime
    superseded_by: str | None
    covered_by: str | None
    event_id: str | None


@dataclass(frozen=True, slots=True)
class WrittenEvent:
    """The columns of a row of events that the ledger check uses."""

    number: int
    kind: EventKind
    audience: Audience
    player_id: str | None
    ply: int | None
    turn_id: str | None


@dataclass(frozen=True, slots=True)
class Case:
    """A match with its log, its turns, its events and its notices."""

    match: StoredMatch
    log: tuple[LoggedEntry, ...]
    turns: tuple[SubmittedTurn, ...]
    notices: tuple[WrittenNotice, ...]
    events: tuple[WrittenEvent, ...]
    counted: int
    """The number of its events, as its row says."""
    tellers: Mapping[str, str | None]
    """The players of those notices that are said to tell what covered ones would have told."""
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
    turns.c.kind,
)
_NOTICE = (
    outbox.c.id,
    outbox.c.kind,
    outbox.c.player_id,
    outbox.c.address,
    outbox.c.payload,
    outbox.c.status,
    outbox.c.sent_at,
    outbox.c.created_at,
    outbox.c.superseded_by,
    outbox.c.covered_by,
    outbox.c.event_id,
)
_EVENT = (
    events.c.number,
    events.c.kind,
    events.c.audience,
    events.c.player_id,
    events.c.ply,
    events.c.turn_id,
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
    notices = connection.execute(select(*_NOTICE).where(outbox.c.match_id == match_id))
    written = tuple(WrittenNotice(*row) for row in notices)
    told = connection.execute(select(*_EVENT).where(events.c.match_id == match_id).order_by(events.c.number))
    return Case(
        match,
        tuple(LoggedEntry(*row) for row in log),
        tuple(SubmittedTurn(**dict(row._mapping) | {"status": shown_status(row.status)}) for row in submitted),
        written,
        tuple(WrittenEvent(*row) for row in told),
        connection.execute(select(matches.c.events).where(matches.c.id == match_id)).scalar_one(),
        _tellers(connection, written),
        pruning.pruned_of(connection, match_id),
        pruning.pruned_until(connection),
    )


def teller_of(notice: WrittenNotice) -> str | None:
    """The id of the notice that is said to tell what a covered one would have told."""
    if notice.superseded_by is not None:
        return notice.superseded_by
    try:
        by = None if notice.covered_by is None else parse_reason(notice.covered_by)
    except ValueError:
        return None
    return by.notice_id if isinstance(by, ByNotice) else None


def _tellers(connection: Connection, notices: Iterable[WrittenNotice]) -> dict[str, str | None]:
    ids = {teller for notice in notices if (teller := teller_of(notice)) is not None}
    if not ids:
        return {}
    found = connection.execute(select(outbox.c.id, outbox.c.player_id).where(outbox.c.id.in_(ids)))
    return {row.id: row.player_id for row in found}


def notices_of_no_match(connection: Connection) -> Iterator[WrittenNotice]:
    """The notices that belong to no match, such as those of sign-ups."""
    for row in connection.execute(select(*_NOTICE).where(outbox.c.match_id.is_(None))):
        yield WrittenNotice(*row)
