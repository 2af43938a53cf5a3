"""The keys that sign reply addresses and links, in the database."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import Connection, insert, select

from service.store.tables import signing_keys


@dataclass(frozen=True, slots=True)
class Key:
    """A key of ``number``, counted from 1. It signs what is written from ``signs_from`` on, until
    the next one does, and verifies for good.
    """

    number: int
    secret: bytes = field(repr=False)
    signs_from: datetime


def every(connection: Connection) -> tuple[Key, ...]:
    """All keys, oldest first."""
    found = connection.execute(select(signing_keys).order_by(signing_keys.c.number))
    return tuple(Key(row.number, row.secret, row.signs_from) for row in found)


def add(connection: Connection, key: Key) -> None:
    """Adds a key. Raises ``IntegrityError`` where its number is taken."""
    connection.execute(insert(signing_keys).values(number=key.number, secret=key.secret, signs_from=key.signs_from))
