"""``overland move``: every row arrives, both sides prove the same, and nothing is moved half."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy
from alembic import command
from click.testing import CliRunner, Result
from sqlalchemy import func, insert, select

from service.cli import main
from service.commands.databases import exclusive
from service.context import Context
from service.ledger.check import check_ledger
from service.ledger.findings import as_document
from service.matches import lobby
from service.store import moving
from service.store.database import Database, normalised
from service.store.moving import contents
from service.store.schema import migrate, unusable
from service.store.tables import entries, metadata, players
from service.turns import pending
from service.turns.submit import submit
from tests.service.fakes import Round, played_on, started, wired
from tests.service.store.made_up import later_schema
from tools.postgresql import new_database

BOUNDS = ("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout")


@pytest.fixture
def table(tmp_path: Path, sqlite_template: Path, pearls: None) -> Iterator[tuple[Context, Round]]:
    """A service on SQLite with a running match, in which a turn waits."""
    context = wired(tmp_path, f"sqlite:///{tmp_path}/overland.sqlite")
    migrate(context.database)
    table = started(context, "pearls")
    match = played_on(context, table, random.Random(2), plies=10)
    seat = next(seat.seat for seat in match.seats if seat.to_act)
    submit(context, table.players[seat], match.id, None, match.ply, notation="1", idempotency_key="waits")
    yield context, table
    context.close()


def move(folder: Path, to: str, *options: str, **environ: str) -> Result:
    variables = {"OVERLAND_DATA_DIR": str(folder), **environ}
    return CliRunner().invoke(main, ["move", "--to", to, *options], env=variables, catch_exceptions=False)


def rows(url: str) -> int:
    """The number of rows in all tables; none where there are no tables."""
    database = Database(url)
    with database.read() as connection:
        there = set(sqlalchemy.inspect(connection).get_table_names())
        total = sum(
            connection.execute(select(func.count()).select_from(each)).scalar_one()
            for each in metadata.sorted_tables
            if each.name in there
        )
    database.dispose()
    return total


def test_a_match_moves_to_postgresql_is_played_on_there_and_moves_back(
    table: tuple[Context, Round], empty_postgresql: str, tmp_path: Path
) -> None:
    context, seated = table
    before = as_document(check_ledger(context.database))
    context.close()
    result = move(tmp_path, empty_postgresql)
    assert result.exit_code == 0, result.output
    assert "The ledger finds the same in both: 1 matches" in result.output
    assert "1 turns have no verdict yet" in result.output
    assert f"Next: set OVERLAND_DATABASE_URL to {empty_postgresql}, and start the service." in result.output
    moved = wired(tmp_path, empty_postgresql)
    assert as_document(check_ledger(moved.database)) == before
    assert pending.judge_pending(moved) == 1
    over = played_on(moved, seated, random.Random(3), plies=14)
    assert over.ply >= 14
    with moved.database.read() as connection:
        there = contents(connection, lambda name, count: None)
    moved.close()
    back = f"sqlite:///{tmp_path}/back/overland.sqlite"
    result = move(tmp_path, back, OVERLAND_DATABASE_URL=empty_postgresql)
    assert result.exit_code == 0, result.output
    again = wired(tmp_path, back)
    with again.database.read() as connection:
        assert contents(connection, lambda name, count: None) == there
    assert lobby.find(again, None, seated.match.id).ply == over.ply
    again.close()


def test_a_target_with_rows_is_refused_and_stays_as_it_was(
    table: tuple[Context, Round], empty_postgresql: str, tmp_path: Path
) -> None:
    table[0].close()
    other = wired(tmp_path / "other", empty_postgresql)
    migrate(other.database)
    started(other, "pearls", names=("Emil", "Fay"))
    other.close()
    before = rows(empty_postgresql)
    result = move(tmp_path, empty_postgresql)
    assert result.exit_code == 2
    assert "The database at --to is not empty: it has rows in " in result.output
    assert rows(empty_postgresql) == before


@pytest.fixture(params=["sqlite", "postgresql"])
def target(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty database of either kind."""
    if request.param == "postgresql":
        url: str = request.getfixturevalue("empty_postgresql")
        return url
    return f"sqlite:///{tmp_path}/target.sqlite"


def older(url: str) -> None:
    """Makes an empty database there, of the schema before that of ``later_schema``."""
    database = Database(url)
    migrate(database)
    database.dispose()


def run_in(url: str, *statements: str) -> None:
    """Makes changes in a database, without Overland's code."""
    engine = sqlalchemy.create_engine(normalised(url))
    with engine.begin() as connection:
        for statement in statements:
            connection.exec_driver_sql(statement)
    engine.dispose()


def seen(url: str, tmp_path: Path) -> object:
    """All that an inspection could have changed: the files of an SQLite database, else its tables,
    their columns and rows.
    """
    if url.startswith("sqlite"):
        return {file.name: file.read_bytes() for file in sorted(tmp_path.glob("target.sqlite*"))}
    engine = sqlalchemy.create_engine(normalised(url))
    with engine.connect() as connection:
        inspector = sqlalchemy.inspect(connection)
        names = sorted(inspector.get_table_names())
        columns = {name: [each["name"] for each in inspector.get_columns(name)] for name in names}
        found = {name: connection.exec_driver_sql(f'SELECT * FROM "{name}"').all() for name in names}
    engine.dispose()
    return columns, found


def refused(table: tuple[Context, Round], target: str, tmp_path: Path) -> str:
    """What a move says that is refused and changes nothing."""
    table[0].close()
    before = seen(target, tmp_path)
    result = move(tmp_path, target)
    assert result.exit_code == 2, result.output
    assert seen(target, tmp_path) == before
    return result.output


def test_a_target_of_an_earlier_version_with_rows_is_refused_and_not_migrated(
    table: tuple[Context, Round], target: str, tmp_path: Path
) -> None:
    older(target)
    run_in(target, "INSERT INTO never_again VALUES ('ada@example.org', '2026-11-21 12:00:00')")
    with later_schema(tmp_path / "versions"):
        migrate(table[0].database)
        said = refused(table, target, tmp_path)
    assert said.startswith("The database at --to is not empty: it has rows in never_again."), said


def test_an_empty_target_of_an_earlier_version_is_migrated_and_filled(
    table: tuple[Context, Round], target: str, tmp_path: Path
) -> None:
    older(target)
    with later_schema(tmp_path / "versions"):
        migrate(table[0].database)
        table[0].close()
        assert move(tmp_path, target).exit_code == 0
        moved = Database(target)
        assert unusable(moved) is None
        with moved.read() as connection:
            assert connection.execute(select(func.count()).select_from(players)).scalar_one() == 2
        moved.dispose()


def test_a_target_of_a_newer_version_is_refused_with_a_sentence(
    table: tuple[Context, Round], target: str, tmp_path: Path
) -> None:
    older(target)
    run_in(target, "UPDATE alembic_version SET version_num = '9999'", "CREATE TABLE more (id INTEGER)")
    said = refused(table, target, tmp_path)
    assert said.startswith("The database at --to is of a newer version than this code: it has the migration 9999."), (
        said
    )


@pytest.mark.parametrize(
    ("statements", "named"),
    [
        (("CREATE TABLE recipes (id INTEGER)",), "recipes"),
        (("CREATE TABLE players (id INTEGER)",), "players"),
        (
            (
                "CREATE TABLE alembic_version (version_num VARCHAR(32))",
                "INSERT INTO alembic_version VALUES ('9999')",
                "CREATE TABLE recipes (id INTEGER)",
            ),
            "alembic_version, recipes",
        ),
        (
            (
                "CREATE TABLE alembic_version (version_num VARCHAR(32))",
                "INSERT INTO alembic_version VALUES ('0001')",
                "CREATE TABLE recipes (id INTEGER)",
            ),
            "recipes",
        ),
    ],
    ids=["one table", "a name of ours", "its own migrations", "migrations named as ours"],
)
def test_a_target_with_tables_of_another_program_is_refused(
    table: tuple[Context, Round], target: str, tmp_path: Path, statements: tuple[str, ...], named: str
) -> None:
    run_in(target, *statements)
    said = refused(table, target, tmp_path)
    assert said == (
        f"The database at --to belongs to another program: it has {named}. Name an empty database."
        " Nothing was changed.\n"
    )


@pytest.mark.parametrize("encoding", ["LATIN1", "SQL_ASCII"])
def test_a_postgresql_that_cannot_hold_every_text_is_named_and_left_as_it_is(
    table: tuple[Context, Round], postgresql_server: str, encoding: str, tmp_path: Path
) -> None:
    table[0].close()
    with new_database(postgresql_server, "encoded", encoding) as url:
        moved = move(tmp_path, url)
        commands = ("migrate", "check", "ledger")
        there = {"OVERLAND_DATA_DIR": str(tmp_path), "OVERLAND_DATABASE_URL": url}
        others = [CliRunner().invoke(main, [name], env=there, catch_exceptions=False) for name in commands]
        for result in (moved, *others):
            assert result.exit_code != 0
            assert f"The database has the encoding {encoding}, and needs UTF8" in result.output
        assert rows(url) == 0


def test_a_target_that_is_no_database_is_refused_and_kept(table: tuple[Context, Round], tmp_path: Path) -> None:
    (tmp_path / "target.sqlite").write_text("Dear Ada, " * 100)
    assert "file is not a database" in refused(table, f"sqlite:///{tmp_path}/target.sqlite", tmp_path)


def test_a_target_in_a_folder_that_cannot_be_made_is_refused(table: tuple[Context, Round], tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    said = refused(table, f"sqlite:///{tmp_path}/file/x/y.sqlite", tmp_path)
    assert "The move failed: " in said
    assert "Nothing was moved" in said


def test_a_move_is_refused_while_the_service_runs(
    table: tuple[Context, Round], empty_postgresql: str, tmp_path: Path
) -> None:
    table[0].database.dispose()
    with exclusive(tmp_path):
        assert move(tmp_path, empty_postgresql).output.endswith(" Stop it first.\n")
    with table[0].database.read():
        result = move(tmp_path, empty_postgresql)
    assert result.exit_code == 2
    assert "Stop every program of the service first." in result.output
    assert rows(empty_postgresql) == 0
    connected = Database(empty_postgresql)
    with connected.read():
        result = move(tmp_path, f"sqlite:///{tmp_path}/new.sqlite", OVERLAND_DATABASE_URL=empty_postgresql)
    connected.dispose()
    assert result.exit_code == 2


def test_an_interrupted_move_leaves_the_target_empty_and_may_be_repeated(
    table: tuple[Context, Round], empty_postgresql: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table[0].close()
    write = moving.write_rows

    def fail_at_entries(connection: Any, into: sqlalchemy.Table, found: Any) -> None:
        write(connection, into, found)
        if into is entries:
            raise sqlalchemy.exc.OperationalError("COPY", {}, Exception("the server was stopped"))

    with monkeypatch.context() as broken:
        broken.setattr(moving, "write_rows", fail_at_entries)
        result = move(tmp_path, empty_postgresql)
    assert result.exit_code == 2
    assert "Nothing was moved: correct the cause, and repeat it." in result.output
    assert rows(empty_postgresql) == 0
    assert move(tmp_path, empty_postgresql).exit_code == 0


def test_no_bound_that_a_host_has_set_cuts_off_a_migration_or_a_move(
    table: tuple[Context, Round], empty_postgresql: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table[0].close()
    name = normalised(empty_postgresql).database
    run_in(empty_postgresql, *(f"ALTER DATABASE {name} SET {bound} = '1min'" for bound in BOUNDS))
    seen: set[str] = set()

    def noting(done: Callable[..., None], connection_of: Callable[..., Any]) -> Callable[..., None]:
        def noted(*given: Any) -> None:
            seen.update(connection_of(*given).exec_driver_sql(f"SHOW {bound}").scalar() for bound in BOUNDS)
            done(*given)

        return noted

    upgrade = noting(command.upgrade, lambda config, *_: config.attributes["connection"])
    monkeypatch.setattr(command, "upgrade", upgrade)
    monkeypatch.setattr(moving, "write_rows", noting(moving.write_rows, lambda connection, *_: connection))
    assert move(tmp_path, empty_postgresql).exit_code == 0
    assert seen == {"0"}


def test_a_copy_with_a_changed_a_missing_or_a_second_row_has_other_contents(context: Context) -> None:
    def sums() -> object:
        with context.database.read() as connection:
            return contents(connection, lambda name, count: None)["players"]

    def add(name: str) -> None:
        row = {"id": name, "name": name, "email": name, "created_at": context.clock(), "preferences": {"a": 1}}
        with context.database.write() as connection:
            connection.execute(insert(players).values(row))

    seen = [sums()]
    for name in ("ada", "bela"):
        add(name)
        seen.append(sums())
    with context.database.write() as connection:
        connection.execute(players.update().where(players.c.id == "ada").values(preferences={"a": 2}))
    seen.append(sums())
    assert len(set(map(str, seen))) == 4


def test_a_database_cannot_move_to_itself(table: tuple[Context, Round], tmp_path: Path) -> None:
    assert move(tmp_path, f"sqlite:///{tmp_path}/overland.sqlite").exit_code == 2
    assert "must" in move(tmp_path, "mysql://localhost/x").output
