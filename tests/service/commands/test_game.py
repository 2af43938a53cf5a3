"""``overland game``: which games there are, and whether one keeps the contract."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from engine import registry
from service.cli import main
from tests.installed import EXAMPLE, install
from tools.installed import at_hand, declare


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Path]:
    """Where the game of the tutorial is installed, and a package that cannot be imported."""
    install(EXAMPLE, tmp_path)
    declare(tmp_path, "shells-by-mail", {"shells": "nothing_of_this_name"})
    with at_hand(tmp_path):
        yield tmp_path


def game(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["game", *arguments])


@pytest.mark.usefixtures("site")
def test_the_list_tells_where_each_game_comes_from_and_what_is_refused() -> None:
    result = game("list")
    assert result.exit_code == 0
    head, *rows = result.stdout.splitlines()
    assert head.split() == ["NAME", "SEATS", "RULES", "FROM"]
    assert [row.split()[0] for row in rows] == list(registry.games())
    assert "connect_four  2        1      connect_four 1.0" in rows
    assert "oregon        2, 3, 4  1      Overland" in rows
    assert result.stderr == (
        "REFUSED  shells of shells-by-mail 1.0: ModuleNotFoundError: No module named 'nothing_of_this_name'\n"
    )


@pytest.mark.usefixtures("site")
def test_a_sound_game_passes_every_check_with_status_0() -> None:
    result = game("check", "connect_four", "--matches", "1", "--seed", "a")
    assert result.exit_code == 0, result.stdout
    head, *checks, last = result.stdout.splitlines()
    assert head == "Connect Four, version 1 of the rules, seed a"
    assert all(line.startswith("  ok    ") for line in checks)
    assert last == "The game keeps the contract."


def test_a_fault_is_told_with_its_position_and_status_1(site: Path) -> None:
    prompts = site / "connect_four" / "legal.py"
    prompts.write_text(prompts.read_text().replace('"Drop a disc into a column."', '"drop a disc"'))
    with at_hand(site):
        result = game("check", "connect_four", "--matches", "2", "--seed", "a")
    assert result.exit_code == 1
    failed = result.stdout.partition("  FAIL  prompts are codes with whole sentences\n")[2]
    assert failed.startswith(
        "        2 seats, match 0, ply 0: seat 0 is asked drop in the words 'drop a disc', which are not a sentence\n"
    )
    assert result.stdout.count("FAIL") == 1
    assert result.stdout.endswith("1 check failed. Again: overland game check connect_four --matches 2 --seed a\n")


@pytest.mark.usefixtures("site")
def test_a_package_that_is_refused_is_told_with_the_reason() -> None:
    result = game("check", "shells")
    assert result.exit_code == 1
    assert "REFUSED  shells of shells-by-mail 1.0: ModuleNotFoundError" in result.stderr


def test_an_unknown_game_is_refused_with_the_known_ones() -> None:
    result = game("check", "chess")
    assert result.exit_code == 2
    assert "There is no game 'chess'; known:" in result.stderr
