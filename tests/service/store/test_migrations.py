"""Migrations: they lead to the declared tables, and a later one brings what is stored along."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import Column, Connection, MetaData, Table, func, inspect, select, text
from sqlalchemy.engine.interfaces import ReflectedIndex

from service.context import Context
from service.ledger.check import check_ledger
from service.store.database import Database
from service.store.moving import write_rows
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
from tests.service.fakes import migrated as migrated_file
from tests.service.fakes import played_on, started, wired
from tests.service.store.made_up import LATER, later_schema, schema_of


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
@pytest.mark.parametrize(
    "number",
    [pytest.param(number, marks=[pytest.mark.deep] * (number > "0001")) for number in known_migrations()[:-1]],
)
def test_a_database_of_each_earlier_version_is_migrated_with_its_rows_and_goes_on(
    own_url: str, tmp_path: Path, number: str
) -> None:
    """The rows are those of a match as far as that version has tables and columns for them."""
    (tmp_path / "present.sqlite").write_bytes(migrated_file())
    present = wired(tmp_path, f"sqlite:///{tmp_path}/present.sqlite")
    table = started(present, "pearls")
    played_on(present, table, random.Random(1), plies=6)
    own = wired(tmp_path, own_url)
    with schema_of(number, tmp_path / "versions"):
        migrate(own.database)
    kept: dict[str, int] = {}
    with present.database.read() as source, own.database.write() as target:
        tables = MetaData()
        tables.reflect(target, only=[name for name in inspect(target).get_table_names() if name != VERSION_TABLE])
        assert tables.tables.keys() <= metadata.tables.keys()
        for older in tables.sorted_tables:
            columns = [column for column in metadata.tables[older.name].columns if column.name in older.columns]
            rows = [row._asdict() for row in source.execute(select(*columns))]
            write_rows(target, Table(older.name, MetaData(), *(Column(c.name, c.type) for c in columns)), rows)
            kept[older.name] = len(rows)
    assert kept["players"] == 2
    assert kept["entries"] >= 6
    migrate(own.database)
    assert unusable(own.database) is None
    with own.database.write() as connection:
        migrated = shape(connection)
        rows_of = {name: select(func.count()).select_from(metadata.tables[name]) for name in kept}
        assert {name: connection.scalar(counted) for name, counted in rows_of.items()} == kept
    played_on(own, table, random.Random(2))
    assert check_ledger(own.database).breaches == []
    with own.database.write() as connection:
        metadata.drop_all(connection)
        metadata.create_all(connection)
        assert shape(connection) == migrated
    own.close()
    present.close()


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
