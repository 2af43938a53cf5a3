"""PostgreSQL through a real PgBouncer: what is noticed of it, and what works."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from service.ledger.check import check_ledger
from service.store.database import Database
from service.store.postgresql import Pooling, pooling_of
from service.store.schema import migrate
from tests.pgbouncer import pgbouncer_before
from tests.service.fakes import played_on, started, wired


def test_a_postgresql_without_a_pooler_has_connections_of_its_own(postgresql_database: str) -> None:
    assert pooling_of(Database(postgresql_database).url) is Pooling.OWN


@pytest.mark.parametrize(
    ("mode", "size", "pooling"),
    [
        ("session", 4, Pooling.OWN),
        ("transaction", 4, Pooling.FORGETFUL),
        ("transaction", 2, Pooling.FORGETFUL),
    ],
)
def test_transactions_that_are_pooled_are_noticed(
    postgresql_database: str, mode: str, size: int, pooling: Pooling
) -> None:
    with pgbouncer_before(postgresql_database, mode, size) as url:
        assert pooling_of(Database(url).url) is pooling


def crossed(database: Database) -> None:
    """A connection whose statement is worth preparing, and another that takes what served it."""
    statement = text("SELECT name FROM players WHERE id = :id")
    with database.look() as one:
        for _ in range(8):
            one.execute(statement, {"id": "1"}).all()
        with database.read() as other:
            for _ in range(8):
                other.execute(statement, {"id": "1"}).all()
                one.execute(statement, {"id": "1"}).all()


def test_prepared_statements_are_lost_where_transactions_are_pooled(postgresql_database: str) -> None:
    with pgbouncer_before(postgresql_database, "transaction") as url:
        database = Database(url)
        with pytest.raises(SQLAlchemyError, match="prepared statement"):
            crossed(database)
        database.dispose()


@pytest.mark.usefixtures("pearls")
def test_a_service_works_through_pooled_transactions_without_prepared_statements(
    empty_postgresql: str, tmp_path: Path
) -> None:
    with pgbouncer_before(empty_postgresql, "transaction") as url:
        service = wired(tmp_path, url)
        service.database.prepared = False
        migrate(service.database)
        played_on(service, started(service, "pearls"), random.Random(1))
        crossed(service.database)
        assert check_ledger(service.database).breaches == []
        service.close()


def test_pooled_statements_are_refused_by_the_first_transaction(postgresql_database: str) -> None:
    with pgbouncer_before(postgresql_database, "statement") as url:
        database = Database(url, prepared=False)
        with pytest.raises(SQLAlchemyError, match="statement pooling"):
            database.check()
        database.dispose()
