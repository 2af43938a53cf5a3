"""Component sets in the database: each is stored once, by its digest, and matches refer to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection, select

from engine.draws import digest
from service.store.statements import insert_new
from service.store.tables import component_sets, matches

_AT_ONCE: Final = 100


def add(connection: Connection, of_digest: str, document: Mapping[str, Any], now: datetime) -> None:
    """Adds a set, unless it is there."""
    if connection.scalar(select(component_sets.c.digest).where(component_sets.c.digest == of_digest)) is None:
        insert_new(connection, component_sets, {"digest": of_digest, "document": dict(document), "added_at": now})


def mismatched(connection: Connection) -> Iterator[str]:
    """The digests of stored sets that do not have this digest."""
    last = ""
    while True:
        after = select(component_sets.c.digest, component_sets.c.document).where(component_sets.c.digest > last)
        found = connection.execute(after.order_by(component_sets.c.digest).limit(_AT_ONCE)).all()
        if not found:
            return
        yield from (row.digest for row in found if digest(row.document) != row.digest)
        last = found[-1].digest


def missing(connection: Connection) -> Iterator[str]:
    """The ids of the matches whose set is not stored."""
    its_set = component_sets.c.digest == matches.c.components_digest
    nowhere = select(matches.c.id).join(component_sets, its_set, isouter=True).where(component_sets.c.digest.is_(None))
    yield from connection.scalars(nowhere.order_by(matches.c.id).execution_options(yield_per=_AT_ONCE))
