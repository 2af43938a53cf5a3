"""The database: one shape, one moment, one transaction, on both kinds."""

from __future__ import annotations

import os
import socket
import threading
import traceback
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from inspect import unwrap
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy import make_url, select
from sqlalchemy.exc import IntegrityError, OperationalError, ProgrammingError, StatementError

from service.context import Context
from service.store import database as module
from service.store import players, postgresql, tables
from service.store.database import Database, normalised
from service.store.players import Player
from service.store.schema import migrate, missing_migrations
from tests.pgbouncer import pgbouncer_before
from tests.service.fakes import Timer, person
from tools.waiting import until

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


def somebody(email: str, at: datetime = NOON) -> Player:
    return Player(email.partition("@")[0], "Somebody", email, None, at)


def test_two_processes_that_migrate_at_once_leave_one_sound_database(tmp_path: Path) -> None:
    databases = [Database(f"sqlite:///{tmp_path}/deeper/new.sqlite", Timer()) for _ in range(4)]
    failed: list[Exception] = []

    def run(database: Database) -> None:
        try:
            migrate(database)
        except Exception as error:
            failed.append(error)

    threads = [threading.Thread(target=run, args=(database,)) for database in databases]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert missing_migrations(databases[0]) == ()


def test_connections_that_make_a_new_file_at_once_all_open_it(tmp_path: Path) -> None:
    failed: list[Exception] = []

    def read(database: Database, together: threading.Barrier) -> None:
        together.wait()
        try:
            with database.read() as connection:
                connection.exec_driver_sql("SELECT 1")
        except Exception as error:
            failed.append(error)

    for number in range(20):
        databases = [Database(f"sqlite:///{tmp_path}/new-{number}.sqlite", Timer()) for _ in range(8)]
        together = threading.Barrier(len(databases))
        threads = [threading.Thread(target=read, args=(database, together)) for database in databases]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for database in databases:
            database.dispose()
    assert failed == []


def test_what_fails_in_a_write_leaves_nothing_behind(context: Context) -> None:
    def add_twice() -> None:
        with context.database.write() as connection:
            players.add(connection, somebody("ada@example.org"))
            players.add(connection, somebody("ada@example.org"))

    with pytest.raises(IntegrityError):
        add_twice()
    with context.database.read() as connection:
        assert players.by_email(connection, "ada@example.org") is None


def test_a_reader_sees_one_moment_however_long_it_looks(context: Context) -> None:
    with context.database.read() as reading:
        assert players.by_email(reading, "ada@example.org") is None
        with context.database.write() as writing:
            players.add(writing, somebody("ada@example.org"))
        assert players.by_email(reading, "ada@example.org") is None
    with context.database.read() as reading:
        assert players.by_email(reading, "ada@example.org") is not None


def test_times_come_back_in_utc_and_aware_of_it(context: Context) -> None:
    berlin = timezone(timedelta(hours=1))
    with context.database.write() as connection:
        players.add(connection, somebody("ada@example.org", datetime(2026, 11, 21, 13, 30, 15, 250_000, tzinfo=berlin)))
    with context.database.read() as connection:
        found = players.by_email(connection, "ada@example.org")
    assert found is not None
    assert found.created_at == datetime(2026, 11, 21, 12, 30, 15, 250_000, tzinfo=UTC)
    assert found.created_at.tzinfo is UTC


def test_a_time_without_a_zone_is_refused(context: Context) -> None:
    naive = datetime(2026, 11, 21, 12)
    with pytest.raises(StatementError, match="has no time zone"), context.database.write() as connection:
        players.add(connection, somebody("ada@example.org", naive))


def test_foreign_keys_are_enforced(context: Context) -> None:
    with pytest.raises(IntegrityError), context.database.write() as connection:
        connection.execute(
            tables.tokens.insert().values(
                id="t", player_id="nobody", token_hash="h", label="l", scopes=[], created_at=NOON
            )
        )


def test_sqlite_writes_ahead_waits_for_locks_and_flushes_every_commit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_prepare_sqlite", unwrap(module._prepare_sqlite))  # as outside of tests
    database = Database(f"sqlite:///{tmp_path}/new.sqlite")
    with database.read() as connection:
        found = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "busy_timeout", "foreign_keys", "synchronous")
        }
    assert found == {"journal_mode": "wal", "busy_timeout": 5000, "foreign_keys": 1, "synchronous": 2}


def test_postgresql_ends_the_transaction_of_a_machine_that_was_cut_off(context: Context) -> None:
    if context.database.engine.dialect.name != "postgresql":
        return
    with context.database.write() as connection:
        assert connection.exec_driver_sql("SHOW idle_in_transaction_session_timeout").scalar() == "10s"
        assert connection.exec_driver_sql("SHOW lock_timeout").scalar() == "5s", "as long as for SQLite's lock"


HOSTS_SETTINGS = {
    "default_transaction_isolation": "serializable",
    "DateStyle": "German, DMY",
    "client_encoding": "LATIN1",
    "TimeZone": "America/New_York",
    "bytea_output": "escape",
    "standard_conforming_strings": "off",
}
"""What a host may have set for a database, for reasons of theirs."""


@pytest.mark.parametrize("pool_mode", [None, "session", "transaction"])
def test_what_a_host_has_set_for_a_postgresql_changes_nothing(empty_postgresql: str, pool_mode: str | None) -> None:
    owner = Database(empty_postgresql)
    with owner.write() as connection:
        for setting, value in HOSTS_SETTINGS.items():
            connection.exec_driver_sql(f"ALTER DATABASE \"{owner.url.database}\" SET {setting} = '{value}'")
    owner.dispose()
    with pgbouncer_before(empty_postgresql, pool_mode) if pool_mode else nullcontext(empty_postgresql) as url:
        database = Database(url, prepared=pool_mode != "transaction")
        migrate(database)
        row = replace(somebody("ann@example.org"), name="Ænn \N{SNOWMAN} \\")
        with database.write() as connection:
            assert connection.exec_driver_sql("SHOW transaction_isolation").scalar() == "read committed"
            players.add(connection, row)
        with database.read() as connection:
            assert connection.exec_driver_sql("SHOW transaction_isolation").scalar() == "repeatable read"
            assert players.by_address(connection, "ann@example.org") == row
        with database.write() as connection:  # on the connection that has read
            assert connection.exec_driver_sql("SHOW transaction_isolation").scalar() == "read committed"
        database.dispose()


class Refusing:
    """Stands for ``psycopg.connect``: keeps what it is given, and reaches nobody."""

    def __init__(self) -> None:
        self.given: dict[str, Any] = {}

    def __call__(self, *_: object, **given: Any) -> Any:
        self.given = given
        raise psycopg.OperationalError("nobody is there")


def test_a_client_notices_within_eleven_seconds_that_its_server_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    connect = Refusing()
    monkeypatch.setattr(psycopg.Connection, "connect", connect)
    with pytest.raises(OperationalError, match="nobody is there"), Database("postgresql://u:p@host/name").read():
        pass
    given = connect.given
    idle = given["keepalives_idle"] + given["keepalives_interval"] * given["keepalives_count"]
    assert (idle, given["connect_timeout"], given["tcp_user_timeout"]) == (11, 5, 10_000)


@contextmanager
def silenced(url: str) -> Iterator[tuple[str, threading.Event]]:
    """A PostgreSQL by way of a proxy: the URL, and what is set while anything is passed on. The
    proxy always takes connections, and what is sent.
    """
    passes, target = threading.Event(), make_url(url)
    passes.set()
    assert target.host is not None
    server = socket.create_server(("127.0.0.1", 0))

    def pass_on(source: socket.socket, sink: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                passes.wait()
                sink.sendall(data)
            sink.shutdown(socket.SHUT_RDWR)

    def take() -> None:
        with suppress(OSError):
            while True:
                client, _ = server.accept()
                host = socket.create_connection((target.host or "", target.port or 5432))
                for ends in ((client, host), (host, client)):
                    threading.Thread(target=pass_on, args=ends, daemon=True).start()

    threading.Thread(target=take, daemon=True).start()
    port = server.getsockname()[1]
    yield target.set(host="127.0.0.1", port=port).render_as_string(hide_password=False), passes
    passes.set()
    server.shutdown(socket.SHUT_RDWR)
    server.close()


def test_a_server_that_takes_what_is_sent_and_answers_nobody_is_not_waited_for(
    postgresql_server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgresql, "QUIET_SECONDS", 0.2)
    monkeypatch.setattr(
        postgresql.WatchedConnection, "_looked", postgresql.WatchedConnection._looked
    )  # other tests reach it
    with silenced(postgresql_server) as (url, passes):
        database = Database(url)
        with database.look() as connection:
            assert connection.exec_driver_sql("SELECT 1 FROM pg_sleep(1)").scalar() == 1, "it takes its time"
            passes.clear()
            end = threading.Timer(60, passes.set)  # so that the test ends
            end.start()
            with pytest.raises(OperationalError, match="does not answer"):
                connection.exec_driver_sql("SELECT 1")
            with pytest.raises(OperationalError, match="timeout expired"):
                database.check()
        passes.set()
        end.cancel()
        until(lambda: answers(database), "it answers again")
        database.dispose()


def answers(database: Database) -> bool:
    """Whether a database answers."""
    try:
        database.check()
    except OperationalError:
        return False
    return True


class Session:
    """Stands for a connection of psycopg, and for its cursor: keeps the settings it is told to make
    outside of a transaction.
    """

    def __init__(self) -> None:
        self.autocommit = False
        self.settings: dict[str, str] = {}

    def cursor(self) -> AbstractContextManager[Session]:
        return nullcontext(self)

    def execute(self, statement: str) -> None:
        assert self.autocommit, "a setting made in a transaction is lost where that is rolled back"
        name, value = statement.removeprefix("SET ").split(" = ")
        self.settings[name] = value


def test_a_server_is_told_to_notice_within_eleven_seconds_that_a_client_is_gone() -> None:
    session = Session()
    postgresql.prepare(session, None)
    made = {name: int(value) for name, value in session.settings.items() if value.isdecimal()}
    idle = made["tcp_keepalives_idle"] + made["tcp_keepalives_interval"] * made["tcp_keepalives_count"]
    assert (idle, made["tcp_user_timeout"], made["idle_in_transaction_session_timeout"]) == (11, 10_000, 10_000)
    assert session.autocommit is False


def test_an_error_of_the_database_quotes_no_values(context: Context) -> None:
    address = "secret@" + "example.org"
    with context.database.write() as connection:
        players.add(connection, somebody(address))
    with pytest.raises(IntegrityError) as refused, context.database.write() as connection:
        players.add(connection, somebody(address))
    told = "".join(traceback.format_exception(refused.value))
    assert address not in told
    assert "players" in told


def test_of_two_writers_on_sqlite_the_second_waits_for_the_first(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path}/new.sqlite", Timer())
    migrate(database)
    order, inside = [], threading.Event()

    def second() -> None:
        inside.wait()
        with database.write() as connection:
            order.append(len(connection.execute(select(tables.players)).all()))

    thread = threading.Thread(target=second)
    thread.start()
    with database.write() as connection:
        players.add(connection, somebody("ada@example.org"))
        inside.set()
        order.append(0)
    thread.join()
    assert order == [0, 1]


def test_a_writer_on_sqlite_gives_up_after_five_seconds(tmp_path: Path) -> None:
    timer, pauses = Timer(0.5), list[float]()
    first = Database(f"sqlite:///{tmp_path}/new.sqlite")
    second = Database(f"sqlite:///{tmp_path}/new.sqlite", timer, pauses.append)
    migrate(first)
    with first.write(), pytest.raises(OperationalError, match="database is locked"), second.write():
        pass
    assert pauses == [0.001] * 10
    with second.write() as connection:
        assert connection.execute(select(tables.players)).all() == []


def test_a_forked_process_makes_connections_of_its_own(context: Context) -> None:
    person(context, "Ada")
    engine = context.database.engine
    child = os.fork()
    if child == 0:
        with context.database.read() as connection:
            sound = (
                players.by_email(connection, "ada@example.org") is not None and context.database.engine is not engine
            )
        os._exit(0 if sound else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert context.database.engine is engine
    with context.database.read() as connection:
        assert players.by_email(connection, "ada@example.org") is not None


@pytest.mark.parametrize(
    "url", ["postgres://u:p@host/name", "postgresql://u:p@host/name", "postgresql+psycopg://u:p@host/name"]
)
def test_postgresql_is_always_reached_through_psycopg(url: str) -> None:
    assert normalised(url).render_as_string(hide_password=False) == "postgresql+psycopg://u:p@host/name"


def test_a_reader_tells_when_it_waits_for_the_database(context: Context) -> None:
    told = list[bool]()
    database = Database(context.database.url.render_as_string(hide_password=False), waits=told.append)
    try:
        with database.read() as connection:
            assert told[-1] is False
            asked = len(told)
            connection.exec_driver_sql("SELECT 1")
            assert told[asked:] == [True, False]
            asked = len(told)
        assert told[asked:] == [True, False]
        with pytest.raises((OperationalError, ProgrammingError)), database.read() as connection:
            connection.exec_driver_sql("SELECT 1 FROM nowhere")
        assert told[-1] is False
    finally:
        database.dispose()
