"""The example turns in the rules of the games: they are played as they are written there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine import registry
from tests.games.examples import EXAMPLES, dialogue
from tests.games.pictures import examples

RULES = Path(registry.__file__).parent / "games"
each_game = pytest.mark.parametrize("name", list(registry.games()))


def section(name: str, title: str) -> str:
    found = re.search(rf"^## {title}\n(.*?)(?=^## )", registry.rules_text(name), re.MULTILINE | re.DOTALL)
    assert found is not None, f"the rules of {name} have no section {title!r}"
    return found[1]


@each_game
def test_every_game_says_how_to_play_well(name: str) -> None:
    assert section(name, "How to play well").count("\n- ") > 3


@each_game
def test_the_example_turn_is_played_and_narrated_as_the_rules_say(name: str) -> None:
    written = re.search(r"^```text\n(.*?)\n```$", section(name, "An example turn"), re.MULTILINE | re.DOTALL)
    assert written is not None
    assert written[1] == dialogue(registry.game(name)), "python -m tests.games.examples prints it again"


@each_game
def test_the_example_turn_names_the_rules_it_follows(name: str) -> None:
    assert len(set(re.findall(r"R\d+\.\d+", section(name, "An example turn")))) >= len(EXAMPLES[name].lines)


@each_game
def test_the_picture_of_the_example_turn_is_the_one_that_the_command_draws(name: str) -> None:
    (shown,) = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", section(name, "An example turn"))
    file = (RULES / name / shown).resolve()
    assert file == RULES / name / "example.svg"
    assert file.read_text(encoding="utf-8") == examples()[file], "make pictures draws it again"
