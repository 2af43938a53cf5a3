"""The contract, over every registered game and every number of seats: what holds for all games is
checked once (``engine.conformance``).

The toy games of the engine's own tests take part. Each match is a function of the seed in its id: a
failure is played again by its name.
"""

from __future__ import annotations

import ast
import importlib.resources
import re
from dataclasses import replace
from functools import cache
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from engine import registry
from engine.conformance.checks import GAME_CHECKS, MATCH_CHECKS, GameCheck, MatchCheck
from engine.conformance.components import component_sets_load_and_state_their_provenance
from engine.conformance.course import the_greedy_bot_beats_random_bots
from engine.conformance.grammar import the_list_of_legal_actions_agrees_with_brute_force
from engine.conformance.subject import PlayedMatch, play
from engine.documents import schema, to_document
from tests.engine.matches import TOYS, subject
from tests.games.tables import tables_of

GAMES = [*registry.games(), *TOYS]
each_game = pytest.mark.parametrize("name", GAMES)
each_registered_game = pytest.mark.parametrize("name", list(registry.games()))
each_table = tables_of(GAMES)


OF_GAMES = [
    pytest.param(
        name,
        check,
        marks=(pytest.mark.deep,) if check is the_greedy_bot_beats_random_bots and name not in TOYS else (),
    )
    for name in GAMES
    for check in GAME_CHECKS
    if name not in TOYS or check is not component_sets_load_and_state_their_provenance
]
OF_MATCHES = [check for check in MATCH_CHECKS if check is not the_list_of_legal_actions_agrees_with_brute_force]
"""But for the one that tests/games/test_perft.py asks of more matches."""


def name_of(part: str | GameCheck | MatchCheck) -> str:
    return part if isinstance(part, str) else part.__name__


@cache
def match(name: str, seats: int) -> PlayedMatch:
    return play(subject(name), seats, 0)


@pytest.mark.parametrize(("name", "check"), OF_GAMES, ids=name_of)
def test_of_every_game(name: str, check: GameCheck) -> None:
    assert list(check(subject(name))) == []


@each_registered_game
def test_the_greedy_bot_wins_most_of_ten_matches(name: str) -> None:
    """In a few matches luck weighs more than in the hundred of the check, which is deep."""
    one = subject(name)
    lenient = replace(one, game=replace(one.game, wins_of_100=70))
    assert list(the_greedy_bot_beats_random_bots(lenient, 10)) == []


@pytest.mark.parametrize("check", OF_MATCHES, ids=name_of)
@each_table
def test_of_every_match(name: str, seats: int, check: MatchCheck) -> None:
    assert list(check(match(name, seats))) == []


@each_table
def test_an_observation_fits_its_schema(name: str, seats: int) -> None:
    played = match(name, seats)
    definitions: dict[str, Any] = {}
    top = schema(played.game.observation, definitions, refs="#/$defs/")
    validator = Draft202012Validator({**top, "$defs": definitions})
    for state, viewer in zip(played.sample(25), cycle(played.viewers), strict=False):
        validator.validate(to_document(played.game.observe(state, viewer)))


@each_game
def test_the_schemas_of_actions_options_and_components_are_json_schemas(name: str) -> None:
    game, definitions = subject(name).game, dict[str, Any]()
    for kind in (*game.actions, *game.chance_actions, game.options, game.observation, game.components):
        Draft202012Validator.check_schema({**schema(kind, definitions, refs="#/$defs/"), "$defs": definitions})


# Further requirements of the games that are bundled with Overland


SAME_FILES = {
    *("RULES.md", "standard.json", "example.svg", "__init__.py"),
    *("components.py", "actions.py", "state.py", "legal.py", "refusals.py", "sentences.py", "apply.py", "score.py"),
    *("observe.py", "facts.py", "terms.txt", "terms.py", "phrases.py", "notation.txt", "notation.py", "narrate.py"),
    *("evaluate.py", "render_text.py", "render_svg.py", "render_layout.py", "render_board.py", "render_panel.py"),
    "render_icons.py",
}
ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "adding-a-game.md").read_text(encoding="utf-8")


@each_registered_game
def test_a_game_has_the_files_that_every_game_has(name: str) -> None:
    assert {file.name for file in importlib.resources.files(registry.package(name).module).iterdir()} >= SAME_FILES


def test_the_manual_lists_the_files_that_every_bundled_game_has() -> None:
    section = PAGE.partition("\n## The files\n")[2].partition("\n## ")[0]
    listed = section.partition("Every bundled game has")[2].partition("\n\n")[0]
    assert set(re.findall(r"`([\w.]+\.\w+)`", listed)) == SAME_FILES


@each_registered_game
def test_the_files_that_change_with_a_bundled_game_exist(name: str) -> None:
    section = PAGE.partition("\n## A game bundled with Overland\n")[2].partition("\n## ")[0]
    rows = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
    files = [file.replace("<game>", name) for row in rows for file in re.findall(r"`([^`]+)`", row)]
    assert len(files) > 5
    for file in files:
        assert list(ROOT.glob(file)), f"the page lists {file}, which does not exist"


def test_no_module_outside_the_games_lists_them() -> None:
    """A module may name one game as an example, but a new game changes none of them."""
    found = {}
    for package in ("engine", "service", "workers", "tools"):
        for file in sorted((ROOT / package).rglob("*.py")):
            if not file.is_relative_to(ROOT / "engine" / "games"):
                text = file.read_text(encoding="utf-8")
                if sum(name in text for name in registry.games()) < 2:
                    continue
                texts = {node.value for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Constant)}
                named = texts & set(registry.games())
                if len(named) > 1:
                    found[str(file.relative_to(ROOT))] = named
    assert found == {}


def test_there_is_a_game_to_test() -> None:
    assert registry.games()
