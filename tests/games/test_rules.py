"""The rules of every bundled game, its tests and its refusals: every rule is cited by a test, every
code of a refusal names a rule, and what is cited exists.
"""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from engine import registry
from engine.play import judge
from tests.engine.matches import subject

each_game = pytest.mark.parametrize("name", list(registry.games()))
NUMBER = re.compile(r"\bR\d+\.\d+\b")
FOLDER = Path(__file__).parent
GAMES = Path(registry.__file__).parent / "games"


@cache
def rules(name: str) -> frozenset[str]:
    return frozenset(subject(name).rule_numbers)


def functions_of(name: str) -> Iterator[str]:
    """The source of every test function, with its decorators and the comment above it."""
    for file in sorted((FOLDER / name).rglob("test_*.py")):
        text = file.read_text(encoding="utf-8")
        lines = text.splitlines()
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)]) - 1
                while first and lines[first - 1].startswith("#"):
                    first -= 1
                yield "\n".join(lines[first : node.end_lineno])


def cases(name: str) -> Iterator[tuple[str, str]]:
    """The code and the rule of every problem in the table of refusals of the game's tests."""
    game = registry.game(name)
    for position, action, _, _ in importlib.import_module(f"tests.games.{name}.test_refusals").CASES:
        state = position()
        (tried,) = game.parse(action) if isinstance(action, str) else (action,)
        refusal = judge(game, state, game.to_act(state)[0], tried)
        assert refusal is not None
        yield from ((each.code, each.rule) for each in (refusal, *refusal.others))


def sentences(name: str) -> set[str]:
    """The codes that have a sentence."""
    module: Any = importlib.import_module(f"engine.games.{name}.sentences")
    return set(module.SENTENCES)


def written(name: str) -> Iterator[tuple[str, str]]:
    """The codes and rules that stand together in the game's code: two texts that follow each other
    in a call or a tuple.
    """
    for file in sorted((GAMES / name).glob("**/*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            parts = node.args if isinstance(node, ast.Call) else node.elts if isinstance(node, ast.Tuple) else []
            for code, rule in pairwise(parts):
                if isinstance(code, ast.Constant) and code.value in sentences(name):
                    texts = [text.value for text in ast.walk(rule) if isinstance(text, ast.Constant)]
                    yield from ((str(code.value), str(text)) for text in texts if NUMBER.fullmatch(str(text)))


@each_game
def test_rules_are_numbered_without_gaps(name: str) -> None:
    sections: dict[int, list[int]] = {}
    for number in subject(name).rule_numbers:
        section, rule = number[1:].split(".")
        sections.setdefault(int(section), []).append(int(rule))
    assert list(sections) == list(range(1, len(sections) + 1))
    assert all(found == list(range(1, len(found) + 1)) for found in sections.values())


@each_game
def test_the_rules_name_every_option(name: str) -> None:
    for option in fields(registry.game(name).options):
        assert f"`{option.name}`" in registry.rules_text(name)


@each_game
def test_every_rule_is_cited_by_a_test(name: str) -> None:
    cited = {number for source in functions_of(name) for number in NUMBER.findall(source)}
    assert rules(name) - cited == set()


@each_game
def test_the_tests_cite_only_rules_that_exist(name: str) -> None:
    cited = {
        number for file in (FOLDER / name).rglob("*.py") for number in NUMBER.findall(file.read_text(encoding="utf-8"))
    }
    assert cited - rules(name) == set()


@each_game
def test_every_code_of_a_refusal_names_rules_that_exist(name: str) -> None:
    found = set(cases(name))
    assert {code for code, _ in found} == sentences(name)
    assert {rule for _, rule in found} - rules(name) == set()


@each_game
def test_every_rule_that_the_code_gives_for_a_refusal_is_seen_in_a_test(name: str) -> None:
    pairs = set(written(name))
    assert {code for code, _ in pairs} <= sentences(name)
    assert {rule for _, rule in pairs} - rules(name) == set()
    assert pairs - set(cases(name)) == set()
