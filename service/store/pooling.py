"""Whether a pooler before PostgreSQL gives its connections to several clients in turn, as PgBouncer
does that pools transactions, and whether prepared statements work there. That has to be seen: what
it is asked it hands on.
"""

from __future__ import annotations

from contextlib import closing
from enum import Enum
from typing import Any, Final

import psycopg
from sqlalchemy import URL

from service.store.database import CLIENT_SETTINGS, Database

ROUNDS: Final = 5
"""How often it is tried: another client may come between."""
_SERVED_BY: Final = "SELECT pg_backend_pid()"
"""The process of PostgreSQL that serves a connection, and no other one meanwhile."""
_NOT_PREPARED: Final = (psycopg.errors.InvalidSqlStatementName, psycopg.errors.DuplicatePreparedStatement)


class Pooling(Enum):
    """How the connections of clients become connections of PostgreSQL."""

    OWN = "own"
    """Each is one of its own, as without a pooler, or with one that pools sessions."""
    SHARED = "shared"
    """Each transaction is on any of them, and prepared statements work all the same."""
    FORGETFUL = "forgetful"
    """The same, and prepared statements are lost."""


def pooling_of(database: Database) -> Pooling:
    """How a PostgreSQL is reached, by two connections of which each prepares its statements. Raises
    psycopg's errors where it does not answer.
    """
    with closing(_connected(database.url)) as one, closing(_connected(database.url)) as other:
        shared = False
        for _ in range(ROUNDS):
            try:
                served_by = _process(one)
                with other.transaction():
                    shared |= _process(other) == served_by or _process(one) != served_by
            except _NOT_PREPARED:
                return Pooling.FORGETFUL
    return Pooling.SHARED if shared else Pooling.OWN


def _connected(url: URL) -> psycopg.Connection:
    _, place = url.get_dialect()().create_connect_args(url)
    settings: dict[str, Any] = {**CLIENT_SETTINGS, **place}
    return psycopg.connect(autocommit=True, prepare_threshold=0, **settings)


def _process(connection: psycopg.Connection) -> int:
    found = connection.execute(_SERVED_BY).fetchone()
    assert found is not None
    return int(found[0])
