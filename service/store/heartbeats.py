"""Heartbeats of the parts of the service, and the outages that follow from their gaps."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection, delete, insert, select, update

from service.store.statements import Rows, insert_new
from service.store.tables import heartbeats, outages

PARTS: Final = ("api", "judge", "mail", "mailbox", "sweeper")
"""The parts without which nobody can play, or no clock acts: outages of others stop no clock."""
OUTAGE_AFTER: Final = timedelta(minutes=3)
"""A part that has not beaten for so long is out."""
OPERATOR: Final = "operator"
"""The part of outages that an operator has added."""


def beat(connection: Connection, part: str, now: datetime) -> datetime | None:
    """Records that a part works. Returns the beginning of the outage where it had not for
    ``OUTAGE_AFTER``.
    """
    beaten = select(heartbeats.c.at).where(heartbeats.c.part == part).with_for_update()
    last: datetime | None = connection.scalar(beaten)
    if last is None:
        insert_new(connection, heartbeats, {"part": part, "at": now})
    if last is None or last >= now:
        return None
    connection.execute(update(heartbeats).where(heartbeats.c.part == part).values(at=now))
    if now - last < OUTAGE_AFTER:
        return None
    connection.execute(insert(outages).values(part=part, start_at=last, end_at=now))
    return last


def forget(connection: Connection, part: str, now: datetime) -> None:
    """Forgets that there was such a part, which is wanted no more; where it is out, that ends."""
    beat(connection, part, now)
    connection.execute(delete(heartbeats).where(heartbeats.c.part == part))


@dataclass(frozen=True, slots=True)
class Outage:
    """A row of outages: the part that was out, or ``OPERATOR`` where that could not be seen."""

    part: str
    start_at: datetime
    end_at: datetime


_OUTAGES: Final = Rows(Outage, outages)
add_outage: Final = _OUTAGES.add


def outages_after(connection: Connection, since: datetime, limit: int | None = None) -> tuple[Outage, ...]:
    """The outages that did not end before then, the latest first."""
    order = (outages.c.start_at.desc(), outages.c.part)
    return _OUTAGES.all(connection, outages.c.end_at > since, order=order, limit=limit)


def every(connection: Connection) -> dict[str, datetime]:
    """When each part that has beaten before did so last."""
    beaten = select(heartbeats.c.part, heartbeats.c.at).where(heartbeats.c.part.in_(PARTS))
    return {row.part: row.at for row in connection.execute(beaten)}


def all_beaten(connection: Connection) -> datetime | None:
    """Until when all of these parts are known to have worked; ``None`` where none has beaten."""
    return min(every(connection).values(), default=None)


def latest(connection: Connection) -> datetime | None:
    """When any part beat last, also one whose outages stop no clock; ``None`` where none has."""
    return connection.scalar(select(heartbeats.c.at).order_by(heartbeats.c.at.desc()).limit(1))


def parts_out(connection: Connection, now: datetime) -> frozenset[str]:
    """The parts that are out: those that have beaten before, but not for ``OUTAGE_AFTER``."""
    return frozenset(_out(connection, now))


def out_since(connection: Connection, now: datetime) -> datetime | None:
    """Since when a part has been out; ``None`` where none is."""
    return min(_out(connection, now).values(), default=None)


def _out(connection: Connection, now: datetime) -> dict[str, datetime]:
    return {part: at for part, at in every(connection).items() if at <= now - OUTAGE_AFTER}
