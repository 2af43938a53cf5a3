"""Makes the sentences of refusals.

A broken rule is a ``Problem``: a code and values, which can be stored. Its sentence is made when it
is read: in this module for the problems that the driver finds in every game, by ``game.explain``
for all others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, TypeAlias

from engine.game import AnyGame
from engine.types import CHANCE, Problem, Violation

Sentence: TypeAlias = str | Callable[[Mapping[str, Any]], str]
"""A template for ``str.format``, or a function that makes a sentence from a problem's values."""


def filled_in(sentences: Mapping[str, Sentence], problem: Problem) -> str:
    """The sentence that a table has for the problem's code, filled in with its values.

    Raises ``KeyError`` if the table does not have the code.
    """
    found = sentences[problem.code]
    return found.format_map(problem.values) if isinstance(found, str) else found(problem.values)


def explain(game: AnyGame, problem: Problem) -> str:
    """The sentence for a problem that the driver or the game found."""
    return filled_in(COMMON, problem) if problem.code in COMMON else game.explain(problem)


def violation(game: AnyGame, problems: Iterable[Problem]) -> Violation | None:
    """The first problem as a violation, with the others, each once; ``None`` if there is none."""
    found: list[Problem] = []
    for problem in problems:
        if problem not in found:
            found.append(problem)
    if not found:
        return None
    first, *others = (Violation(each.code, each.rule, explain(game, each), values=each.values) for each in found)
    return Violation(first.code, first.rule, first.message, tuple(others), first.values)


def _awaited(values: Mapping[str, Any]) -> str:
    seats = " or ".join("chance" if seat == CHANCE else f"seat {seat}" for seat in values["awaited"])
    return f"It is not your turn: {seats} is awaited."


def _done_by_chance(values: Mapping[str, Any]) -> str:
    return f'"{values["action"]}" is done by chance, not by a seat.'


COMMON: Final[Mapping[str, Sentence]] = {
    "match_over": "The match is over; no more actions are accepted.",
    "not_your_turn": _awaited,
    "not_an_action": _done_by_chance,
    "empty_turn": "A turn has at least one action; this one has none.",
}
"""The sentences for the driver's problems by code; they cite no rule."""
