"""What a tool plays where nothing is said, and what it refuses; no tool names a game."""

from __future__ import annotations

from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from engine import registry
from service.cli import main
from tools.games import fewest_seats, first_game, game_option

TOOLS = Path(__file__).parent.parent.parent / "tools"


def test_no_tool_names_a_game() -> None:
    named = {
        (file.name, game)
        for file in TOOLS.rglob("*.py")
        for game in registry.games()
        if game in file.read_text().lower()
    }
    assert named == set()


def test_the_first_registered_game_is_played_unless_another_is_named() -> None:
    @click.command()
    @game_option
    def play(game: str) -> None:
        click.echo(game)

    names = list(registry.games())
    assert CliRunner().invoke(play, []).output.strip() == first_game() == names[0]
    assert CliRunner().invoke(play, ["--game", names[-1]]).output.strip() == names[-1]
    assert CliRunner().invoke(play, ["--game", "no such game"]).exit_code == 2


@pytest.mark.parametrize(("seats", "fewest"), [((2, 3, 4), 2), ((1, 2), 2), ((3, 4), 3), ((1,), 1)])
def test_a_match_is_between_several_players_where_the_game_allows_it(seats: tuple[int, ...], fewest: int) -> None:
    assert fewest_seats(seats) == fewest


@pytest.mark.parametrize("tool", ["bench", "bench-ratios", "soak"])
@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("foo", "must begin with"),
        ("sqlite:////a.sqlite", "must begin with postgresql:"),
        ("postgresql://127.0.0.1:1/x", "does not answer: "),
    ],
)
def test_a_database_that_is_no_postgresql_is_refused_with_a_sentence(tool: str, url: str, said: str) -> None:
    refused = CliRunner().invoke(main, [tool, "--postgres", url])
    assert refused.exit_code == 2
    assert f"Invalid value for '--postgres': {said}" in refused.stderr


def test_seats_that_a_game_does_not_have_are_refused_with_a_sentence() -> None:
    refused = CliRunner().invoke(main, ["bench-mails", "--seats", "900"])
    assert refused.exit_code == 2
    assert f"{first_game()} is not played by 900." in refused.stderr
