"""When the database was upgraded from which migration, so that the processes of the version before,
which may still run, find what they understand.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection, func, insert, select

from service.store.tables import upgrades

SIDE_BY_SIDE: Final = timedelta(hours=1)
"""How long processes of the version before may run on after an upgrade."""
_EVENTS: Final = "0010"
"""The migration since which there are events."""
_CLOCKS: Final = "0016"
"""The migration since which a match may have a clock."""
_AGREEMENTS: Final = "0019"
"""The migration since which a match may end by agreement."""
_SCHEMES: Final = "0006"
"""The migration since which a match names the scheme of its draws."""


def record(connection: Connection, before: str, after: str) -> None:
    """Records that a database that was in use has been migrated."""
    connection.execute(insert(upgrades).values(at=func.now(), from_revision=before, to_revision=after))


def events_since(connection: Connection) -> datetime | None:
    """The time since which every process writes events; ``None``: from the beginning."""
    before = upgrades.c.from_revision < _EVENTS
    last: datetime | None = connection.execute(select(func.max(upgrades.c.at)).where(before)).scalar_one()
    return None if last is None else last + SIDE_BY_SIDE


def before_clocks(connection: Connection, now: datetime) -> bool:
    """Whether processes that know no clocks may still judge turns in this database."""
    return _beside(connection, _CLOCKS, now)


def before_agreements(connection: Connection, now: datetime) -> bool:
    """Whether processes that know no ends by agreement may still judge turns in this database."""
    return _beside(connection, _AGREEMENTS, now)


def beside_0_1_0(connection: Connection, now: datetime) -> bool:
    """Whether processes of version 0.1.0, which know neither schemes of draws nor stored component
    sets, may still use this database.
    """
    return _beside(connection, _SCHEMES, now)


def _beside(connection: Connection, since: str, now: datetime) -> bool:
    """Whether processes of before a migration may still use this database."""
    last = connection.execute(select(func.max(upgrades.c.at)).where(upgrades.c.from_revision < since)).scalar_one()
    return last is not None and now < last + SIDE_BY_SIDE
