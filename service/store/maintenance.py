"""The mark of a maintenance, for all processes on all hosts: while there is one, nothing is written
but by an operator.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import Connection, delete

from service.store.statements import Rows
from service.store.tables import maintenance


@dataclass(frozen=True, slots=True)
class Maintenance:
    """A maintenance that lasts until it is ended by hand. ``expected_end`` is what the operator
    expects; ``sentence`` is answered to players.
    """

    since: datetime
    expected_end: datetime | None
    sentence: str


_MAINTENANCE: Final = Rows(Maintenance, maintenance)


def find(connection: Connection) -> Maintenance | None:
    return _MAINTENANCE.find(connection, maintenance.c.id == 1)


def begin(connection: Connection, wanted: Maintenance) -> None:
    """Begins a maintenance, or replaces what is known of the present one."""
    end(connection)
    _MAINTENANCE.add(connection, wanted, id=1)


def end(connection: Connection) -> bool:
    """Ends the maintenance. Returns ``False`` where there is none."""
    return connection.execute(delete(maintenance)).rowcount > 0
