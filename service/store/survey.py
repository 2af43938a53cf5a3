"""Questions about many rows at once, for those who run the service. Each is answered from an index, whatever the tables hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from sqlalchemy import func, select

from service.store.database import Database
from service.store.tables import matches

AT_ONCE: Final = 500


def match_ids(database: Database, statuses: Sequence[str]) -> Iterator[str]:
    """The ids of all matches of these statuses, in no order that means anything. No transaction is open between two pages, so writers never wait."""
    last = ""
    while True:
        page = select(matches.c.id).where(matches.c.status.in_(statuses), matches.c.id > last).order_by(matches.c.id).limit(AT_ONCE)
        with database.read() as connection:
            found = connection.execute(page).scalars().all()
        if not found:
            return
        yield from found
        last = found[-1]


def match_count(database: Database, statuses: Sequence[str]) -> int:
    """How many matches there are of these statuses."""
    with database.read() as connection:
        return connection.execute(select(func.count()).select_from(matches).where(matches.c.status.in_(statuses))).scalar_one()
