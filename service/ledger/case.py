"""Reads all rows of one match, unchecked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection, select

from service.kinds import NoticeKind
from service.statuses import Channel
from service.store import matches as match_rows
from service.store import pruning
from service.store.covering import ByNotice, parse_reason
from service.store.events import Event
from service.store.matches import StoredMatch
from service.store.statements import Rows
from service.store.tables import entries, events, matches, outbox, turns
from service.store.turns import TURNS, StoredTurn


@dataclass(frozen=True, slots=True)
class LoggedEntry:
    """The columns of a row of entries that the ledger check uses."""

    ply: int
    seat: int
    action: Mapping[str, Any]
    turn_id: str | None


@dataclass(frozen=True, slots=True)
class WrittenNotice:
    """The columns of a row of the outbox that the ledger check uses, unread."""

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
    channel: Channel


@dataclass(frozen=True, slots=True)
class MatchCase:
    """A match with its log, its turns, its events and its notices."""

    match: StoredMatch
    log: tuple[LoggedEntry, ...]
    turns: tuple[StoredTurn, ...]
    notices: tuple[WrittenNotice, ...]
    calls: tuple[WrittenNotice, ...]
    """Its notices to webhooks; ``notices`` are those that are mailed."""
    events: tuple[Event, ...]
    counted: int
    """The number of its events, as its row says."""
    tellers: Mapping[str, str | None]
    """The players of those notices that are said to tell what covered ones would have told."""
    pruned: Counter[str]
    """The numbers of its deleted notices, by kind."""
    pruned_until: datetime
    """The time up to which the details of turns may have been deleted."""


_ENTRIES: Final = Rows(LoggedEntry, entries)
_NOTICES: Final = Rows(WrittenNotice, outbox)
_EVENTS: Final = Rows(Event, events)


def match_ids(connection: Connection) -> tuple[str, ...]:
    """The ids of all matches, oldest first."""
    return tuple(connection.execute(select(matches.c.id).order_by(matches.c.created_at, matches.c.id)).scalars())


def read_case(connection: Connection, match_id: str) -> MatchCase:
    """Reads all rows of one match."""
    match = match_rows.find(connection, match_id)
    assert match is not None
    written = _NOTICES.all(connection, outbox.c.match_id == match_id, order=())
    notices = tuple(each for each in written if each.channel == "mail")
    return MatchCase(
        match,
        _ENTRIES.all(connection, entries.c.match_id == match_id, order=[entries.c.ply]),
        TURNS.all(connection, turns.c.match_id == match_id, order=[turns.c.submitted_at, turns.c.id]),
        notices,
        tuple(each for each in written if each.channel == "webhook"),
        _EVENTS.all(connection, events.c.match_id == match_id, order=[events.c.number]),
        connection.execute(select(matches.c.events).where(matches.c.id == match_id)).scalar_one(),
        _tellers(connection, notices),
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


def notices_of_no_match(connection: Connection) -> Iterator[WrittenNotice]:
    """The notices that belong to no match, such as those of sign-ups."""
    return map(_NOTICES.of, connection.execute(_NOTICES.wanted.where(outbox.c.match_id.is_(None))))


def _tellers(connection: Connection, notices: Iterable[WrittenNotice]) -> dict[str, str | None]:
    ids = {teller for notice in notices if (teller := teller_of(notice)) is not None}
    if not ids:
        return {}
    found = connection.execute(select(outbox.c.id, outbox.c.player_id).where(outbox.c.id.in_(ids)))
    return {row.id: row.player_id for row in found}
