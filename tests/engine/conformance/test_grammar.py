"""The grammar for brute force: complete, finite, without duplicates."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Annotated, Any, ClassVar, Literal

import pytest
from jsonschema import Draft202012Validator

from engine.conformance.grammar import Unbounded, brute_force, grammar, strings, values, written
from engine.documents import About, from_document, schema
from engine.game import AnyGame
from engine.play import legal_actions
from engine.types import Problem, Setup
from tests.engine import toy


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


@dataclass(frozen=True, slots=True)
class Sorted:
    """Two orders of the same list are equal."""

    type: ClassVar[str] = "sorted"
    colours: Annotated[tuple[Colour, ...], About(max_items=2)]

    def __post_init__(self) -> None:
        object.__setattr__(self, "colours", tuple(sorted(self.colours)))


@dataclass(frozen=True, slots=True)
class Listed:
    """The order matters; there is at least one."""

    type: ClassVar[str] = "listed"
    colours: Annotated[tuple[Colour, ...], About(min_items=1, max_items=2)]
    loud: bool = False


@dataclass(frozen=True, slots=True)
class Endless:
    """Any number of them."""

    type: ClassVar[str] = "endless"
    colours: tuple[Colour, ...]


RED, BLUE = Colour
TOY: AnyGame = toy.GAME


def routed(state: toy.State, seat: int, action: Any) -> toy.State:
    """A route counts by its length alone."""
    return (
        replace(state, offered=len(action.colours)) if isinstance(action, Endless) else toy.apply(state, seat, action)
    )


def too_short(state: toy.State, seat: int, action: Any) -> Iterable[Problem]:
    if not isinstance(action, Endless):
        return toy.problems(state, seat, action)
    return (Problem("too_short", "P1"),) if len(action.colours) < 2 else ()


ROUTES: AnyGame = replace(
    toy.GAME,
    actions=(*toy.GAME.actions, Endless),
    unbounded=(Endless,),
    candidates=lambda state, seat: (*TOY.candidates(state, seat), Endless((RED,)), Endless((RED, RED))),
    problems=too_short,
    apply=routed,
)
"""Pearls with routes of any length, of which one or two steps are listed."""


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        (bool, [False, True]),
        (Colour, ["red", "blue"]),
        (Literal["left", 3], ["left", 3]),
        (Annotated[int, About(minimum=-1, maximum=2)], [-1, 0, 1, 2]),
        (Annotated[int | None, About(minimum=1, maximum=2)], [None, 1, 2]),
        (Annotated[int, About(minimum=1, maximum=2)] | None, [None, 1, 2]),
        (tuple[Colour, bool], [("red", False), ("red", True), ("blue", False), ("blue", True)]),
        (Annotated[tuple[bool, ...], About(max_items=1)], [(), (False,), (True,)]),
    ],
)
def test_every_value_of_a_type_is_enumerated(kind: Any, expected: list[Any]) -> None:
    assert list(values(kind)) == expected


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("^[A-C](10|[1-2])$", ["A10", "A1", "A2", "B10", "B1", "B2", "C10", "C1", "C2"]),
        ("^N?E?$", ["", "E", "N", "NE"]),
        ("^(west|east) [12]$", ["west 1", "west 2", "east 1", "east 2"]),
        ("^(ab){2}$", ["abab"]),
        ("^(a|a)$", ["a"]),
    ],
)
def test_every_string_of_a_pattern_is_enumerated_once(pattern: str, expected: list[str]) -> None:
    assert list(strings(pattern)) == expected


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (int, "minimum"),
        (Annotated[int, About(minimum=1)], "maximum"),
        (str, "pattern"),
        (Annotated[str, About(pattern="^a")], "a text needs About"),
        (Annotated[str, About(pattern="a$")], "a text needs About"),
        (Annotated[str, About(pattern="^a*$")], "no end of texts"),
        (Annotated[str, About(pattern="a")], "pattern"),
        (Annotated[str, About(pattern=r"^\d$")], "no end of texts"),
        (tuple[bool, ...], "max_items"),
        (float, "no end of values"),
    ],
)
def test_the_error_for_an_unbounded_type_says_what_to_declare(kind: Any, words: str) -> None:
    with pytest.raises(Unbounded, match=words):
        list(values(kind))


def test_the_error_for_an_unbounded_action_names_it() -> None:
    with pytest.raises(Unbounded, match=r"Endless: a list needs About\(max_items"):
        written(Endless)
    with pytest.raises(Unbounded, match="Endless"):
        grammar(replace(ROUTES, unbounded=()))


def test_a_type_that_its_game_declares_unbounded_is_left_out_of_the_grammar() -> None:
    assert grammar(ROUTES) == grammar(toy.GAME)
    assert from_document(Endless, {"type": "endless", "colours": ["red"] * 99}).colours == (Colour.RED,) * 99
    Draft202012Validator.check_schema(schema(Endless, {}))


def test_for_an_unbounded_type_brute_force_tries_what_is_listed() -> None:
    state = ROUTES.setup(Setup(2, toy.Options(), toy.BAG))
    listed = legal_actions(ROUTES, state, 0)
    assert [action for action in listed if isinstance(action, Endless)] == [Endless((Colour.RED,) * 2)]
    assert brute_force(ROUTES, state, 0) == listed
    doubled = replace(ROUTES, candidates=lambda state, seat: (*ROUTES.candidates(state, seat), Endless((BLUE,) * 2)))
    assert len(brute_force(doubled, state, 0)) == len(legal_actions(doubled, state, 0)) - 1


def test_lists_whose_order_does_not_matter_are_enumerated_once() -> None:
    assert [value.colours for value in written(Sorted)] == [
        (),
        ("red",),
        ("blue",),
        ("red", "red"),
        ("blue", "red"),
        ("blue", "blue"),
    ]
    assert len(written(Listed)) == 2 * (2 + 4)


def test_the_grammar_of_pearls_has_every_action() -> None:
    assert grammar(toy.GAME) == (
        toy.Dive(),
        toy.Offer(1),
        toy.Offer(2),
        toy.Offer(3),
        toy.Answer(False),
        toy.Answer(True),
    )


def test_brute_force_finds_what_pearls_lists() -> None:
    state = toy.GAME.setup(Setup(2, toy.Options(), toy.BAG))
    assert brute_force(toy.GAME, state, 0) == legal_actions(toy.GAME, state, 0)
