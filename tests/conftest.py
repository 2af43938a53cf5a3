"""A wired service for every test that asks for ``context``: on SQLite, and for the tests in
`ON_BOTH_DATABASES` once more on PostgreSQL; and the rules of `tests.suite`.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Generator, Iterator
from functools import partial, wraps
from pathlib import Path
from typing import Any

import pytest
import structlog
from hypothesis import HealthCheck, settings
from playwright.sync_api import Browser
from sqlalchemy import create_engine

from service.context import Context
from service.store import database as databases
from service.store.database import Database
from service.store.schema import migrate
from service.store.tables import metadata
from tests.browser import launched
from tests.postgres import postgres_or_skip
from tests.service.fakes import discovered, migrated, wired
from tests.suite import COLLECTED, QUICK_SERVICES, on_both_databases, starts_a_service
from tools.postgresql import new_database

# No test of properties depends on how fast the machine is.
settings.register_profile("overland", settings(), deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("overland")

# What is logged in tests is written without the values of local variables, as the service does.
structlog.configure(
    processors=[
        *structlog.get_config()["processors"][:-1],
        structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback),
    ]
)


class _CompiledStatements(dict[Any, Any]):
    """The statements that engines have compiled, for all engines of one dialect: nearly every test
    opens a database of its own, and would compile each statement again.
    """

    def get(self, key: Any, default: Any = None) -> Any:
        return super().get((key[0].name, *key[1:]), default)

    def __setitem__(self, key: Any, compiled: Any) -> None:
        super().__setitem__((key[0].name, *key[1:]), compiled)


_prepare_durably = databases._prepare_sqlite


@wraps(_prepare_durably)
def _prepare_sqlite(lock_wait: Any, connection: Any, record: object) -> None:
    _prepare_durably(lock_wait, connection, record)
    connection.execute("PRAGMA synchronous=OFF")  # no test cuts the power


setattr(databases, "_prepare_sqlite", _prepare_sqlite)  # noqa: B010
setattr(  # noqa: B010
    databases, "create_engine", partial(create_engine, execution_options={"compiled_cache": _CompiledStatements()})
)

_started: list[str] = []
"""The commands that started a whole service since the setup of the current test began."""


def pytest_configure(config: pytest.Config) -> None:
    sys.addaudithook(_note_service)


def _note_service(event: str, arguments: tuple[Any, ...]) -> None:
    if event == "subprocess.Popen" and starts_a_service(arguments[1]):
        _started.append(str(arguments[1]))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    named = any("database_url" in mark.args for mark in metafunc.definition.iter_markers("parametrize"))
    if "database_url" in metafunc.fixturenames and on_both_databases(metafunc.definition.nodeid) and not named:
        metafunc.parametrize("database_url", ["sqlite", "postgresql"], indirect=True)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    config.stash[COLLECTED] = tuple(items)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    _started.clear()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """A test that is not deep starts no whole service, except those that are listed, which do."""
    result = yield
    listed = item.nodeid in QUICK_SERVICES
    if item.get_closest_marker("deep") is None and listed != bool(_started):
        pytest.fail(
            "is in QUICK_SERVICES and starts no service: take it off that list (tests/suite.py)"
            if listed
            else f"starts a whole service ({_started[0]}): mark it deep",
            pytrace=False,
        )
    return result


@pytest.fixture(scope="session")
def postgresql_server() -> Iterator[str]:
    """The URL of a PostgreSQL server: ``$TEST_POSTGRES_URL``, or one that is started for the
    tests.
    """
    given = os.environ.get("TEST_POSTGRES_URL")
    if given:
        yield given
        return
    with postgres_or_skip() as server:
        yield server.url


@pytest.fixture(scope="session")
def postgresql_database(postgresql_server: str) -> Iterator[str]:
    """A database of this test run's own on that server, migrated."""
    with new_database(postgresql_server, "tests") as url:
        database = Database(url)
        migrate(database)
        with database.write() as connection:
            name = database.url.database
            connection.exec_driver_sql(f"ALTER DATABASE {name} SET synchronous_commit = off")  # no test cuts the power
        database.dispose()
        yield url


@pytest.fixture(scope="session")
def postgresql_cleaner(postgresql_database: str) -> Iterator[Callable[[], None]]:
    """Deletes all rows of that database, on a connection that stays open."""
    database = Database(postgresql_database)
    deletions = "; ".join(f"DELETE FROM {table.name}" for table in reversed(metadata.sorted_tables))

    def clean() -> None:
        with database.write() as connection:
            connection.exec_driver_sql(deletions)  # a hundred times as fast as TRUNCATE

    yield clean
    database.dispose()


@pytest.fixture
def empty_postgresql(postgresql_server: str) -> Iterator[str]:
    """The URL of another database on that server, without tables."""
    with new_database(postgresql_server, "empty") as url:
        yield url


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty, migrated SQLite database, to be copied."""
    file = tmp_path_factory.mktemp("sqlite") / "overland.sqlite"
    file.write_bytes(migrated())
    return file


@pytest.fixture
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty, migrated database: on SQLite where the parameter is not ``postgresql``."""
    if getattr(request, "param", "sqlite") == "sqlite":
        shutil.copy(request.getfixturevalue("sqlite_template"), tmp_path)
        return f"sqlite:///{tmp_path}/overland.sqlite"
    request.getfixturevalue("postgresql_cleaner")()
    return str(request.getfixturevalue("postgresql_database"))


@pytest.fixture
def context(tmp_path: Path, database_url: str) -> Iterator[Context]:
    """The service, with a stopped clock, seeded entropy, a queue that only remembers, and a
    transport that keeps the mails.
    """
    service = wired(tmp_path, database_url)
    yield service
    service.close()


@pytest.fixture
def pearls() -> Iterator[None]:
    """The toy game of the tests is in the registry: nothing in the service knows a game by its
    name.
    """
    with discovered():
        yield


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with launched() as browser:
        yield browser
