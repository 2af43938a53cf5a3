"""Questions about many rows at once, for those who run the service. Each is answered from an index, whatever the tables hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection, func, or_, select

from service.store.database import Database
from service.store.tables import matches, turns

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


def turns_wait(connection: Connection, now: datetime, patience: timedelta) -> bool:
    """Whether there is a turn without a verdict that was submitted longer ago than that, or at a time that is yet to come: then the clock was set back."""
    submitted = turns.c.submitted_at
    waiting = select(turns.c.id).where(turns.c.status == "queued", or_(submitted < now - patience, submitted > now + patience)).limit(1)
    return connection.execute(waiting).first() is not None
