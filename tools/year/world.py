"""A service in a temporary folder whose time is ours: its use cases and its rows are
the real ones.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic
from typing import Any, Final

from sqlalchemy import func, insert, select, update

from service.clocks.spans import instant, moment
from service.config import load
from service.context import Context
from service.heartbeats import add_outage
from service.store.audit import Operator
from service.store.database import Database
from service.store.heartbeats import PARTS, beat
from service.store.schema import migrate
from service.store.tables import heartbeats, seat_clocks
from service.wiring import wire
from tools.memory_queue import MemoryQueue, MemoryVitals

BEAT_EVERY: Final = 30
SWEEP_EVERY: Final = 5
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz234567"


@dataclass(slots=True)
class Now:
    """The time of the service."""

    at: int

    def __call__(self) -> datetime:
        return moment(self.at)


@dataclass(slots=True)
class Lots:
    """Random numbers that a seed determines."""

    luck: random.Random

    def token(self, length: int) -> str:
        return "".join(self.luck.choices(_LETTERS, k=length))

    def random_bytes(self, length: int) -> bytes:
        return self.luck.randbytes(length)


@dataclass(slots=True)
class World:
    """The service, its time, and the outages that there were."""

    context: Context
    now: Now
    outages: list[tuple[int, int]] = field(default_factory=list)
    out_since: int | None = None

    def advance(self, at: int) -> None:
        """Lets time pass; the parts of the service beat every half a minute, unless one is out."""
        assert at >= self.now.at
        self.now.at = at
        if self.out_since is None:
            with self.context.database.write() as connection:
                connection.execute(update(heartbeats).values(at=moment(_before(at, BEAT_EVERY))))

    def break_down(self) -> None:
        """A part is out from its last beat on."""
        self.out_since = _before(self.now.at, BEAT_EVERY)

    def mend(self) -> None:
        """All parts beat again, which records the outage."""
        assert self.out_since is not None
        with self.context.database.write() as connection:
            for part in PARTS:
                beat(connection, part, moment(self.now.at))
        self.outages.append((self.out_since, self.now.at))
        self.out_since = None

    def credit(self, start: int, end: int) -> None:
        """An outage is credited that no part has noticed."""
        add_outage(self.context, moment(start), moment(end), Operator("year", "Nobody could reach the service."))
        self.outages.append((start, end))

    def next_sweep(self, after: int) -> int | None:
        """When the first sweep after an instant has something to do, as far as the rows say."""
        with self.context.database.read() as connection:
            wanted = select(func.min(seat_clocks.c.due_at, type_=seat_clocks.c.due_at.type))
            due = connection.execute(wanted).scalar()
            wanted = select(func.min(seat_clocks.c.remind_at, type_=seat_clocks.c.remind_at.type))
            remind = connection.execute(wanted).scalar()
        found = [] if due is None else [max(instant(due) + 15, _from(instant(due), BEAT_EVERY))]
        found += [] if remind is None else [instant(remind)]
        return max(after + SWEEP_EVERY, _from(min(found), SWEEP_EVERY)) if found else None


@contextmanager
def world(start: datetime, luck: random.Random) -> Iterator[World]:
    """A world that begins then."""
    with tempfile.TemporaryDirectory(prefix="overland-year-") as folder:
        settings = load({"OVERLAND_DATA_DIR": folder, "OVERLAND_RATE_LIMIT": "off"})
        database = Database(f"sqlite:///{Path(folder) / 'year.sqlite'}")
        migrate(database)
        now = Now(instant(start.astimezone(UTC)))
        changes: dict[str, Any] = {"queue": MemoryQueue(), "clock": now, "timer": monotonic, "vitals": MemoryVitals()}
        context = replace(wire(settings), database=database, entropy=Lots(luck), **changes)
        with database.write() as connection:
            connection.execute(insert(heartbeats), [{"part": part, "at": now()} for part in PARTS])
        try:
            yield World(context, now)
        finally:
            context.close()


def _before(at: int, step: int) -> int:
    return at // step * step


def _from(at: int, step: int) -> int:
    return -(-at // step) * step
