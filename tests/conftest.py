"""A wired service for every test that asks for ``context``: once on SQLite and once on PostgreSQL,
which must make no difference.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from service.context import Context
from service.store.database import Database, migrate
from service.store.tables import metadata
from tests.postgres import postgres_or_skip
from tests.service.fakes import discovered, migrated, wired
from tools.postgresql import new_database

# No test of properties depends on how fast the machine is.
settings.register_profile("overland", settings(), deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("overland")


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


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty, migrated database, of either kind."""
    if request.param == "sqlite":
        shutil.copy(request.getfixturevalue("sqlite_template"), tmp_path)
        return f"sqlite:///{tmp_path}/overland.sqlite"
    url: str = request.getfixturevalue("postgresql_database")
    database = Database(url)
    deletions = (f"DELETE FROM {table.name}" for table in reversed(metadata.sorted_tables))
    with database.write() as connection:
        connection.exec_driver_sql("; ".join(deletions))  # a hundred times as fast as TRUNCATE
    database.dispose()
    return url


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
