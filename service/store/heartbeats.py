"""Heartbeats of the parts of the service, and the outages that follow from their gaps."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import ColumnElement, Connection, bindparam, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite

from service.store.tables import heartbeats, outages

PARTS: Final = ("api", "judge", "mail", "sweeper")
"""The parts without which nobody can play, or no clock acts: outages of others stop no clock."""
OUTAGE_AFTER: Final = timedelta(minutes=3)
"""A part that has not beaten for so long is out."""
_ADD: Final = {
    "sqlite": sqlite.insert(heartbeats).on_conflict_do_nothing(),
    "postgresql": postgresql.insert(heartbeats).on_conflict_do_nothing(),
}
_LAST: Final = select(heartbeats.c.at).where(heartbeats.c.part == bindparam("of_part")).with_for_update()


def beat(connection: Connection, part: str, now: datetime) -> datetime | None:
    """Records that a part works. Where it had not for ``OUTAGE_AFTER``, the gap is an outage, of
    which the beginning is given.
    """
    last = connection.execute(_LAST, {"of_part": part}).scalar()
    if last is None:
        connection.execute(_ADD[connection.dialect.name], [{"part": part, "at": now}])
        return None
    if last >= now:
        return None
    connection.execute(update(heartbeats).where(heartbeats.c.part == part).values(at=now))
    if now - last < OUTAGE_AFTER:
        return None
    connection.execute(insert(outages).values(part=part, start_at=last, end_at=now))
    start: datetime = last
    return start


def all_beaten(connection: Connection) -> datetime | None:
    """Until when all parts that have beaten before are known to have worked; ``None`` where none
    has.
    """
    beaten = select(heartbeats.c.at).where(heartbeats.c.part.in_(PARTS)).order_by(heartbeats.c.at).limit(1)
    return connection.execute(beaten).scalar()


def latest(connection: Connection) -> datetime | None:
    """When any part beat last; ``None`` where none has."""
    return connection.execute(select(heartbeats.c.at).order_by(heartbeats.c.at.desc()).limit(1)).scalar()


def known(connection: Connection) -> frozenset[str]:
    """The parts that have beaten before."""
    return frozenset(connection.execute(select(heartbeats.c.part).where(heartbeats.c.part.in_(PARTS))).scalars())


def parts_out(connection: Connection, now: datetime) -> frozenset[str]:
    """The parts that are out: those that have beaten before, but not for ``OUTAGE_AFTER``."""
    late = select(heartbeats.c.part).where(*_late(now))
    return frozenset(connection.execute(late).scalars())


def out_since(connection: Connection, now: datetime) -> datetime | None:
    """Since when a part has been out; ``None`` where none is."""
    first = select(heartbeats.c.at).where(*_late(now)).order_by(heartbeats.c.at).limit(1)
    return connection.execute(first).scalar()


def _late(now: datetime) -> tuple[ColumnElement[bool], ...]:
    return heartbeats.c.at <= now - OUTAGE_AFTER, heartbeats.c.part.in_(PARTS)
