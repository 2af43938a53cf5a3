"""Migrations: they lead to the declared tables, and a later one brings what is stored along."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect, text
from sqlalchemy.engine.interfaces import ReflectedIndex

from service.context import Context
from service.ledger.check import check_ledger
from service.store.database import Database
from service.store.schema import (
    MIGRATIONS,
    VERSION_TABLE,
    current_heads,
    known_migrations,
    migrate,
    missing_migrations,
    newer,
    unknown_migrations,
    unusable,
)
from service.store.tables import metadata
from tests.service.fakes import played_on, started, wired
from tests.service.store.made_up import LATER, later_schema


@pytest.fixture(params=["sqlite", "postgresql"])
def own_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database of this test alone, of either kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/overland.sqlite"
    url: str = request.getfixturevalue("empty_postgresql")
    return url


@pytest.fixture
def own(own_url: str, tmp_path: Path) -> Iterator[Context]:
    """A service on that database, migrated."""
    service = wired(tmp_path, own_url)
    migrate(service.database)
    yield service
    service.close()


def shape(connection: Connection) -> object:
    """Everything that the database knows of each of our tables."""
    found = inspect(connection)

    def ordered(items: Iterable[object]) -> list[str]:
        return sorted(map(repr, items))

    return {
        table: (
            ordered({**column, "type": str(column["type"])} for column in found.get_columns(table)),
            found.get_pk_constraint(table),
            ordered(found.get_foreign_keys(table)),
            ordered(found.get_unique_constraints(table)),
            ordered(found.get_check_constraints(table)),
            ordered({**index, "dialect_options": _conditions(index)} for index in found.get_indexes(table)),
        )
        for table in metadata.tables
    }


def _conditions(index: ReflectedIndex) -> dict[str, str]:
    return {name: str(value) for name, value in index.get("dialect_options", {}).items()}


def test_the_migrations_lead_to_the_tables_as_they_are_declared(own: Context) -> None:
    with own.database.write() as connection:
        assert set(inspect(connection).get_table_names()) == {VERSION_TABLE, *metadata.tables}
        migrated = shape(connection)
        metadata.drop_all(connection)
        metadata.create_all(connection)
        assert shape(connection) == migrated


def test_the_numbers_of_the_migrations_are_their_order() -> None:
    chain = [script.revision for script in ScriptDirectory(str(MIGRATIONS)).walk_revisions()]
    assert list(known_migrations()) == chain[::-1]


def test_a_migrated_database_lacks_nothing_and_may_be_migrated_again(context: Context) -> None:
    migrate(context.database)
    assert missing_migrations(context.database) == ()


def test_an_empty_database_lacks_every_migration(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path}/new.sqlite")
    assert missing_migrations(database) == known_migrations()


@pytest.mark.usefixtures("pearls")
def test_an_older_database_is_refused_until_it_is_migrated_and_goes_on_with_all_it_holds(
    own: Context, tmp_path: Path
) -> None:
    table = started(own, "pearls")
    played_on(own, table, random.Random(1), plies=6)
    with later_schema(tmp_path / "versions"):
        assert missing_migrations(own.database) == (LATER,)
        sentence = f"The database lacks the migration {LATER}: run `overland migrate` first."
        assert unusable(own.database) == sentence
        migrate(own.database)
        assert unusable(own.database) is None
        with own.database.read() as connection:
            assert current_heads(connection) == {LATER}
            found = connection.execute(text("SELECT name, initial FROM players")).all()
        assert [(row.name[0], row.name) for row in found] == [(row.initial, row.name) for row in found]
        played_on(own, table, random.Random(2))
        assert check_ledger(own.database).breaches == []


def test_a_newer_database_is_refused_by_name(own: Context, tmp_path: Path) -> None:
    with later_schema(tmp_path / "versions"):
        migrate(own.database)
    assert unknown_migrations(own.database) == (LATER,)
    assert f"it has the migration {LATER}. Install that version." in (newer(own.database) or "")
    assert unusable(own.database) == newer(own.database)
