"""``overland matches check``, over a database as a host has it."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from sqlalchemy import text, update

from service.cli import main
from service.context import Context
from service.store.tables import matches
from tests.service.fakes import Round, played_on, started
from tests.service.store.made_up import LATER, NEWEST, later_schema


@pytest.fixture
def table(context: Context, pearls: None) -> Round:
    """A match that is over."""
    table = started(context, "pearls")
    played_on(context, table, random.Random(1))
    return table


def checked(context: Context, *arguments: str) -> Result:
    settings = context.settings
    environ = {"OVERLAND_DATA_DIR": str(settings.data_dir), "OVERLAND_DATABASE_URL": settings.database_url}
    return CliRunner().invoke(main, ["matches", "check", *arguments], env=environ)


def spoil(context: Context, table: Round, **values: Any) -> None:
    with context.database.write() as connection:
        connection.execute(update(matches).where(matches.c.id == table.match.id).values(**values))


def test_sound_matches_end_with_status_0_and_a_count(context: Context, table: Round) -> None:
    result = checked(context)
    assert result.exit_code == 0, result.output
    assert "1 matches (1 of pearls 1), " in result.stdout
    assert result.stdout.endswith("No difference.\n")


def test_a_difference_ends_with_status_1_and_names_the_match(context: Context, table: Round) -> None:
    spoil(context, table, rules_version=4)
    result = checked(context)
    assert result.exit_code == 1
    assert f"{table.match.id}  pearls by version 4, finished" in result.stdout
    assert (
        "rules_version_missing: This match is played by version 4 of the rules of pearls, which is not installed here"
        in result.stdout
    )
    assert result.stdout.endswith("1 of them differ.\n")


def test_the_report_is_one_json_document_if_that_is_asked_for(context: Context, table: Round) -> None:
    sound = json.loads(checked(context, "--json").stdout)
    assert (sound["matches"], sound["versions"], sound["differing"]) == (1, {"pearls 1": 1}, [])
    spoil(context, table, ply=1)
    result = checked(context, "--json")
    assert result.exit_code == 1
    (differing,) = json.loads(result.stdout)["differing"]
    assert differing["match_id"] == table.match.id
    assert [difference["code"] for difference in differing["differences"]] == ["ply"]


def test_a_status_or_an_id_narrows_the_check(context: Context, table: Round) -> None:
    spoil(context, table, ply=1)
    assert checked(context, "--status", "running").exit_code == 0
    assert checked(context, "--status", "running", "--status", "finished").exit_code == 1
    assert checked(context, table.match.id).exit_code == 1
    missing = checked(context, "nothing")
    assert (missing.exit_code, missing.stderr) == (2, "There is no match nothing.\n")


def test_several_processes_find_what_one_finds(context: Context, pearls: None) -> None:
    tables = [started(context, "pearls", names=(f"Ada{number}", f"Bela{number}")) for number in range(5)]
    for table in tables:
        played_on(context, table, random.Random(1), plies=6)
    spoil(context, tables[3], ply=1)
    context.close()  # no connection is open when it forks
    alone, together = (json.loads(checked(context, "--json", "--jobs", jobs).stdout) for jobs in ("1", "2"))
    assert [differing["match_id"] for differing in together["differing"]] == [tables[3].match.id]
    assert {name: alone[name] for name in ("matches", "plies", "differing")} == {
        name: together[name] for name in ("matches", "plies", "differing")
    }


def test_progress_is_told_on_standard_error(context: Context, table: Round, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.commands.matches.PROGRESS_SECONDS", 0.0)
    assert "0 of 1 matches" in checked(context).stderr


def test_a_database_that_is_not_there_or_not_of_this_version_is_refused(context: Context, tmp_path: Path) -> None:
    with later_schema(tmp_path / "versions"):
        older = checked(context)
    with context.database.write() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    try:
        newer = checked(context)
    finally:
        with context.database.write() as connection:
            connection.execute(text(f"UPDATE alembic_version SET version_num = '{NEWEST}'"))
    assert (older.exit_code, newer.exit_code) == (2, 2)
    assert f"The database lacks the migration {LATER}" in older.stderr
    assert "it has the migration 9999. Install that version." in newer.stderr
    away = CliRunner().invoke(
        main, ["matches", "check"], env={"OVERLAND_DATA_DIR": str(tmp_path / "nowhere"), "OVERLAND_DATABASE_URL": ""}
    )
    assert away.exit_code == 2
    assert "There is no database" in away.stderr
    assert not (tmp_path / "nowhere" / "overland.sqlite").exists()
    silent = CliRunner().invoke(
        main,
        ["matches", "check"],
        env={"OVERLAND_DATA_DIR": str(tmp_path), "OVERLAND_DATABASE_URL": "postgresql://u:p@127.0.0.1:1/x"},
    )
    assert silent.exit_code == 2
    assert "The database cannot be used" in silent.stderr
