"""``overland config`` and ``overland check``: what an operator sees of the settings."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from service.cli import main
from service.config import VARIABLES


def test_each_setting_is_a_line_with_its_origin_and_its_value_and_without_its_secrets(tmp_path: Path) -> None:
    environ = {
        "OVERLAND_DATA_DIR": str(tmp_path),
        "OVERLAND_DATABASE_URL": "postgresql://me:hunter2@db/overland",
        "OVERLAND_METRICS_TOKEN": "hunter2" * 3,
    }
    shown = CliRunner().invoke(main, ["config"], env=environ)
    assert shown.exit_code == 0
    lines = [line.split(maxsplit=2) for line in shown.stdout.splitlines()]
    assert [line[0] for line in lines] == [variable.name for variable in VARIABLES]
    found = {name: (origin, value) for name, origin, value in lines}
    assert found["OVERLAND_DATA_DIR"] == ("environment", str(tmp_path))
    assert found["OVERLAND_DATABASE_URL"] == ("environment", "postgresql://me:********@db/overland")
    assert found["OVERLAND_METRICS_TOKEN"] == ("environment", "********")
    assert found["OVERLAND_BASE_URL"] == ("derived", "http://127.0.0.1:8000")
    assert found["OVERLAND_REDIS_URL"] == ("derived", "none")
    assert found["OVERLAND_MAIL_IN"] == ("derived", "smtp://127.0.0.1:8025")
    assert "hunter2" not in shown.output


def test_a_setting_that_is_empty_is_shown_as_a_value_and_not_by_what_its_default_means(tmp_path: Path) -> None:
    environ = {"OVERLAND_DATA_DIR": str(tmp_path), "OVERLAND_MODE": "production", "OVERLAND_MAIL_URL": "smtp://mail"}
    shown = CliRunner().invoke(main, ["config"], env=environ).stdout
    values = {line.split(maxsplit=2)[0]: line.split(maxsplit=2)[2] for line in shown.splitlines()}
    assert values["OVERLAND_MAIL_IN"] == "off"
    assert not {variable.default for variable in VARIABLES if variable.derive and variable.default != "none"} & set(
        values.values()
    )


@pytest.mark.parametrize("command", ["config", "check"])
def test_bad_settings_end_a_command_with_a_sentence_for_each(tmp_path: Path, command: str) -> None:
    environ = {"OVERLAND_DATA_DIR": str(tmp_path), "OVERLAND_PROT": "8001", "OVERLAND_MIAL_URL": "x"}
    ended = CliRunner().invoke(main, [command], env=environ)
    assert (ended.exit_code, ended.stdout) == (2, "")
    assert ended.stderr.splitlines() == [
        "OVERLAND_MIAL_URL is not a variable of Overland: did you mean OVERLAND_MAIL_URL?",
        "OVERLAND_PROT is not a variable of Overland: did you mean OVERLAND_PORT?",
    ]


def test_a_check_asks_the_database_and_the_queue(tmp_path: Path) -> None:
    good = {"OVERLAND_DATA_DIR": str(tmp_path)}
    empty = CliRunner().invoke(main, ["check"], env=good)
    assert (empty.exit_code, empty.stderr) == (0, "")
    assert empty.stdout.endswith("There is no database yet: `overland run` makes it, or `overland migrate`.\n")
    assert not (tmp_path / "overland.sqlite").exists()
    assert CliRunner().invoke(main, ["migrate"], env=good).exit_code == 0
    sound = CliRunner().invoke(main, ["check"], env=good)
    assert (sound.exit_code, sound.stderr) == (0, "")
    assert sound.stdout.endswith("Redis: the bundled Valkey, which `overland run` starts.\nAll is well.\n")
    away = {"OVERLAND_DATABASE_URL": "postgresql://u:p@127.0.0.1:1/x", "OVERLAND_REDIS_URL": "redis://127.0.0.1:1/0"}
    silent = CliRunner().invoke(main, ["check"], env=good | away)
    assert silent.exit_code == 1
    lines = silent.stderr.splitlines()
    assert [line.partition(" (")[0] for line in lines] == [
        "The database is unavailable",
        "Redis does not answer, so turns are judged seconds later",
    ]
    assert all("Connection refused" in line for line in lines)


def test_a_check_warns_in_production_of_settings_that_work_but_are_hardly_intended(tmp_path: Path) -> None:
    environ = {
        "OVERLAND_DATA_DIR": str(tmp_path),
        "OVERLAND_MODE": "production",
        "OVERLAND_MAIL_URL": f"folder:{tmp_path}/mail",
    }
    warned = CliRunner().invoke(main, ["check"], env=environ)
    assert warned.exit_code == 0
    assert [line.split()[:2] for line in warned.stderr.splitlines()] == [
        ["Caution:", "OVERLAND_MAIL_URL"],
        ["Caution:", "OVERLAND_BASE_URL"],
        ["Caution:", "OVERLAND_MAIL_FROM"],
    ]
