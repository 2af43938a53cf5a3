"""Component sets in the database: each is stored once, by its digest, and matches refer to it.

Version 0.1.0 stored the whole set in the row of every match (``matches.components``). These copies
are read where there is no set of that digest, and ``tidy`` empties them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, Text, exists, func, literal_column, not_, or_, select, update

from engine.draws import digest
from service.store.conflicts import insert_new
from service.store.tables import component_sets, matches

EMPTY: Final[Mapping[str, Any]] = {}
"""What ``matches.components`` holds where the set is only in ``component_sets``. The column cannot
be NULL: processes of version 0.1.0 may still use it while the new ones start.
"""
_AT_ONCE: Final = 100


def add(connection: Connection, of_digest: str, document: Mapping[str, Any], now: datetime) -> None:
    """Adds a set, unless it is there."""
    known = select(component_sets.c.digest).where(component_sets.c.digest == of_digest)
    if connection.execute(known).one_or_none() is None:
        new = {"digest": of_digest, "document": dict(document), "added_at": now}
        connection.execute(insert_new(connection, component_sets), [new])


def of_match(connection: Connection, match_id: str) -> Mapping[str, Any]:
    """The component set of a match, as its JSON document."""
    row = connection.execute(
        select(component_sets.c.document, matches.c.components)
        .join(component_sets, component_sets.c.digest == matches.c.components_digest, isouter=True)
        .where(matches.c.id == match_id)
    ).one()
    found: Mapping[str, Any] = row.components if row.document is None else row.document
    return found


def mismatched(connection: Connection) -> Iterator[str]:
    """The digests of stored sets that do not have this digest."""
    last = ""
    while True:
        page = (
            select(component_sets.c.digest, component_sets.c.document)
            .where(component_sets.c.digest > last)
            .order_by(component_sets.c.digest)
            .limit(_AT_ONCE)
        )
        found = connection.execute(page).all()
        if not found:
            return
        yield from (row.digest for row in found if digest(row.document) != row.digest)
        last = found[-1].digest


def missing(connection: Connection) -> Iterator[str]:
    """The ids of the matches whose set is stored neither by its digest nor in the match itself."""
    nowhere = (
        select(matches.c.id)
        .join(component_sets, component_sets.c.digest == matches.c.components_digest, isouter=True)
        .where(component_sets.c.digest.is_(None), not_(_copied(connection)))
        .order_by(matches.c.id)
    )
    yield from connection.execute(nowhere.execution_options(yield_per=_AT_ONCE)).scalars()


def differing(connection: Connection) -> Iterator[str]:
    """The ids of the matches that still hold a copy of another set than they refer to."""
    held = select(matches.c.id, matches.c.components_digest, matches.c.components).where(_copied(connection))
    for row in connection.execute(held.order_by(matches.c.id).execution_options(yield_per=_AT_ONCE)):
        if digest(row.components) != row.components_digest:
            yield row.id


def copied(connection: Connection) -> bool:
    """Whether a match holds a copy of its set."""
    return connection.execute(select(exists().where(_copied(connection)).select_from(matches))).scalar_one()


def tidy(connection: Connection, now: datetime, before: datetime, limit: int) -> int:
    """Stores the sets that matches of an earlier version hold, and empties the copies of sets that
    were stored ``before``; looks at no more than ``limit`` matches. Gives how many it changed.

    A copy that does not have the match's digest is left as it is; ``overland ledger`` names it.
    """
    oldest = connection.execute(select(func.min(component_sets.c.added_at))).scalar_one()
    if oldest is not None and oldest >= before:
        return 0  # right after the migration: none of many copies is to be emptied yet
    held = (
        select(matches.c.id, matches.c.components_digest, matches.c.components, component_sets.c.added_at)
        .join(component_sets, component_sets.c.digest == matches.c.components_digest, isouter=True)
        .where(_copied(connection), or_(component_sets.c.added_at.is_(None), component_sets.c.added_at < before))
        .order_by(matches.c.id)
        .limit(limit)
        .with_for_update(of=matches, skip_locked=True)
    )
    changed, new = [], 0
    for row in connection.execute(held).all():
        if digest(row.components) != row.components_digest:
            continue
        if row.added_at is None:
            add(connection, row.components_digest, row.components, now)
            new += 1
        else:
            changed.append(row.id)
    if changed:
        connection.execute(update(matches).where(matches.c.id.in_(changed)).values(components=dict(EMPTY)))
    return len(changed) + new


def _copied(connection: Connection) -> ColumnElement[bool]:
    """Whether a match holds a copy of its set: the condition of an index of these matches alone."""
    as_text = "matches.components" if connection.dialect.name == "sqlite" else "matches.components::text"
    return literal_column(as_text, Text) != literal_column("'{}'", Text)
