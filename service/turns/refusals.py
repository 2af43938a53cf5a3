"""Refusals by the service itself, and the sentences of all refusals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine import refusals
from engine.game import AnyGame
from engine.types import Problem

SENTENCES: Final[Mapping[str, str]] = {
    "resigned": "You have resigned from this match; a bot plays your seat.",
    "stale_ply": "This turn answers ply {answered}, but the match has moved on to ply {current}: look at it again.",
    "judge_failed": "An error in the service kept this turn from being judged; it is logged, and nothing was changed.",
}
"""The sentences of the service, by code."""
NOT_AT_HAND: Final = (
    "This was refused by a version of the rules that is no longer installed here (code {code}, rule {rule})."
)


def resigned() -> Problem:
    """The seat has resigned, or is another player's."""
    return Problem("resigned", "")


def match_over() -> Problem:
    """The match is over, or has not begun."""
    return Problem("match_over", "")


def stale(answered: int, current: int) -> Problem:
    """The turn answers an earlier ply, and something has changed for its seat since."""
    return Problem("stale_ply", "", {"answered": answered, "current": current})


def judge_failed() -> Problem:
    """A fault of the service or of the rules."""
    return Problem("judge_failed", "")


def explain(game: AnyGame | None, problem: Problem) -> str:
    """The sentence for a problem of the service, of the driver or of the game; ``game`` is ``None``
    where the match's version of the rules is not installed.
    """
    for sentences in (SENTENCES, refusals.COMMON):
        if problem.code in sentences:
            return refusals.filled_in(sentences, problem)
    if game is None:
        return NOT_AT_HAND.format(code=problem.code, rule=problem.rule)
    return game.explain(problem)
