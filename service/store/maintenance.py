"""The mark of a maintenance, in the database, so that it holds for all processes on all hosts:
while there is one, nothing is written but by an operator.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import Connection, delete

from service.store.batched import Batcher
from service.store.database import Database
from service.store.rows import Rows
from service.store.tables import maintenance

REMEMBERED_SECONDS: Final = 1.0
"""For how long a process relies on what it has read."""


@dataclass(frozen=True, slots=True)
class Maintenance:
    """A maintenance that lasts since ``since``, until it is ended by hand.

    ``expected_end`` is what the operator expects; ``sentence`` is answered to players.
    """

    since: datetime
    expected_end: datetime | None
    sentence: str


_MAINTENANCE: Final = Rows(Maintenance, maintenance)


def find(connection: Connection) -> Maintenance | None:
    """The present maintenance."""
    return _MAINTENANCE.find(connection, maintenance.c.id == 1)


def begin(connection: Connection, wanted: Maintenance) -> None:
    """Begins a maintenance, or replaces what is known of the present one."""
    end(connection)
    _MAINTENANCE.add(connection, wanted, id=1)


def end(connection: Connection) -> bool:
    """Ends the maintenance. Returns ``False`` where there is none."""
    return connection.execute(delete(maintenance)).rowcount > 0


class MaintenanceMark:
    """The mark as this process knows it: read at most once in ``REMEMBERED_SECONDS``, by all that
    ask meanwhile together.
    """

    def __init__(self) -> None:
        self._readings: Batcher[None, Maintenance | None] = Batcher()
        self._read_at: float | None = None
        self._found: Maintenance | None = None

    def present(self, database: Database, timer: Callable[[], float]) -> Maintenance | None:
        """The present maintenance, or ``None``."""
        if self._is_fresh(timer):
            return self._found
        return self._readings.call(lambda asked: self._read(database, timer, asked), None)

    def _read(
        self, database: Database, timer: Callable[[], float], asked: Sequence[None]
    ) -> Sequence[Maintenance | None]:
        if not self._is_fresh(timer):
            asked_at = timer()
            with database.look() as connection:
                self._found = find(connection)
            self._read_at = asked_at
        return [self._found] * len(asked)

    def _is_fresh(self, timer: Callable[[], float]) -> bool:
        return self._read_at is not None and timer() - self._read_at < REMEMBERED_SECONDS
