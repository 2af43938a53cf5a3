"""Connections to PostgreSQL: how they are set, that they wait for no server that answers nobody,
and whether a pooler gives them to several clients in turn, as PgBouncer does that pools
transactions. Only who uses a PostgreSQL has this in memory.
"""

from __future__ import annotations

import threading
import time
from contextlib import closing
from enum import Enum
from types import MappingProxyType
from typing import Any, Final

import psycopg
from psycopg.abc import PQGen
from sqlalchemy import Engine, create_engine, event
from sqlalchemy.engine import URL, ExceptionContext

from service.store.failures import hide_values

CLIENT_SETTINGS: Final = MappingProxyType(
    {
        "client_encoding": "utf8",
        "connect_timeout": 5,
        "keepalives_idle": 5,
        "keepalives_interval": 2,
        "keepalives_count": 3,
        "tcp_user_timeout": 10_000,
    }
)
"""How texts come from the PostgreSQL server; and when the client detects that it is unreachable (in
seconds, the last in milliseconds).
"""
SERVER_SETTINGS: Final = MappingProxyType(
    {
        "DateStyle": "ISO",
        "idle_in_transaction_session_timeout": 10_000,
        "lock_timeout": 5000,
        "tcp_keepalives_idle": 5,
        "tcp_keepalives_interval": 2,
        "tcp_keepalives_count": 3,
        "tcp_user_timeout": 10_000,
    }
)
"""In which form the PostgreSQL server writes times; when it detects that the client is unreachable
(in seconds, the first and the last in milliseconds); and for how many milliseconds a statement
waits for a row or table that somebody else keeps locked, such as a client that was left open.
"""
QUIET_SECONDS: Final = 3.0
"""After so long without an answer from PostgreSQL it is tried whether it answers anybody; and for
so long one that did not is not asked again.
"""
ROUNDS: Final = 5
"""How often it is tried: another client may come between."""
_SERVED_BY: Final = "SELECT pg_backend_pid()"
"""The process of PostgreSQL that serves a connection, and no other one meanwhile."""
_NOT_PREPARED: Final = (psycopg.errors.InvalidSqlStatementName, psycopg.errors.DuplicatePreparedStatement)


def engine(url: URL, prepared: bool, pool_size: int, overflow: int) -> Engine:
    """An engine whose connections keep their prepared statements, or make none."""
    made = create_engine(
        url,
        pool_size=pool_size,
        max_overflow=overflow,
        pool_pre_ping=True,
        isolation_level="READ COMMITTED",
        connect_args={**CLIENT_SETTINGS} if prepared else {**CLIENT_SETTINGS, "prepare_threshold": None},
        hide_parameters=True,
    )
    event.listen(made, "do_connect", lambda _, __, words, options: WatchedConnection.opened(words, options))
    event.listen(made, "connect", prepare)
    event.listen(made, "handle_error", _hide_values)
    return made


def prepare(connection: Any, record: object) -> None:
    """Sets what would otherwise depend on the server's settings, and has it end the transaction of
    a client that is cut off, which keeps its locks.
    """
    autocommit, connection.autocommit = connection.autocommit, True
    with connection.cursor() as cursor:
        for name, value in SERVER_SETTINGS.items():
            cursor.execute(f"SET {name} = {value}")
    connection.autocommit = autocommit


def _hide_values(context: ExceptionContext) -> None:
    """Takes the values of rows out of the messages of PostgreSQL, which end in logs."""
    error, wrapped = context.original_exception, context.sqlalchemy_exception
    said = str(error)
    plain = hide_values(error)
    if wrapped is not None and plain is not None:
        wrapped.args = (str(wrapped.args[0]).replace(said, plain), *wrapped.args[1:])


class WatchedConnection(psycopg.Connection[Any]):
    """A connection that waits no longer for a PostgreSQL that answers nobody, such as one behind a
    proxy or a host that takes what is sent to it and stands still, which no timeout of TCP notices.
    One that takes its time lets new connections in.
    """

    given: tuple[Any, Any]
    _looking: Final = threading.Lock()
    _looked: tuple[float, str] = (float("-inf"), "")
    """When this process has last tried whether the server answers; and how it did not."""

    @classmethod
    def opened(cls, words: Any, options: Any) -> WatchedConnection:
        """A new connection. Raises psycopg's ``OperationalError``, at once where the server has
        just kept another waiting in vain.
        """
        at, silence = WatchedConnection._looked
        if silence and time.monotonic() - at < QUIET_SECONDS:
            raise psycopg.errors.ConnectionTimeout(silence)
        try:
            opened: WatchedConnection = cls.connect(*words, **options)
        except psycopg.errors.ConnectionTimeout as error:
            WatchedConnection._looked = time.monotonic(), str(error)
            raise
        opened.given = words, options
        return opened

    def wait(self, gen: PQGen[Any], *given: Any, **named: Any) -> Any:
        """Consumes what works on the connection. Raises psycopg's ``OperationalError`` where the
        server answers nobody.
        """
        return super().wait(self._watched(gen), *given, **named)

    def _watched(self, gen: PQGen[Any]) -> PQGen[Any]:
        quiet_at = time.monotonic() + QUIET_SECONDS
        try:
            wanted = next(gen)
            while True:
                ready = yield wanted
                if not ready and time.monotonic() > quiet_at:
                    self._look()
                    quiet_at = time.monotonic() + QUIET_SECONDS
                wanted = gen.send(ready)
        except StopIteration as done:
            return done.value

    def _look(self) -> None:
        with self._looking:
            if time.monotonic() - self._looked[0] > QUIET_SECONDS:
                silence = self._silence()
                WatchedConnection._looked = time.monotonic(), silence
            silence = self._looked[1]
        if silence:
            self.pgconn.finish()
            raise psycopg.OperationalError(f"the server does not answer: {silence}")

    def _silence(self) -> str:
        """Why the server seems to answer nobody; empty where it refuses, too."""
        words, options = self.given
        try:
            psycopg.connect(*words, **options).close()
        except psycopg.errors.ConnectionTimeout as error:
            return str(error)
        except psycopg.Error:
            pass
        return ""


class Pooling(Enum):
    """How the connections of clients become connections of PostgreSQL."""

    OWN = "own"
    """Each is one of its own, as without a pooler, or with one that pools sessions."""
    SHARED = "shared"
    """Each transaction is on any of them, and prepared statements work all the same."""
    FORGETFUL = "forgetful"
    """The same, and prepared statements are lost."""


def pooling_of(url: URL) -> Pooling:
    """How a PostgreSQL is reached, by two connections of which each prepares its statements. Raises
    psycopg's errors where it does not answer.
    """
    with closing(_connected(url)) as one, closing(_connected(url)) as other:
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
