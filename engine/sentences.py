"""Makes the sentences of what games tell: refusals, prompts, what ended a match, score sheets.

What is told is a code and values, which can be stored and compared. The sentence is made when it is
read: of what the driver finds by the tables of this module, of all else by the game.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from engine.game import AnyGame
from engine.types import (
    CHANCE,
    Outcome,
    Problem,
    Sentence,
    Statement,
    ToldOutcome,
    ToldScoreLine,
    ToldStatement,
    Violation,
)


def filled_in(sentences: Mapping[str, Sentence], told: Problem | Statement) -> str:
    """The sentence of a table for the code, filled in with the values; ``KeyError`` without one."""
    found = sentences[told.code]
    return found.format_map(told.values) if isinstance(found, str) else found(told.values)


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


def prompt_told(game: AnyGame, prompt: Statement) -> ToldStatement:
    """A prompt of the game with its sentence, which speaks to the seat that is asked."""
    return ToldStatement(prompt.code, prompt.values, filled_in(game.prompts, prompt))


def outcome_told(game: AnyGame | None, outcome: Outcome) -> ToldOutcome:
    """An outcome with its sentences; ``game`` is ``None`` where its rules are not installed."""
    return ToldOutcome(
        outcome.scores,
        outcome.ranks,
        ToldStatement(outcome.ended.code, outcome.ended.values, _ended(game, outcome.ended)),
        tuple(
            tuple(
                ToldScoreLine(line.code, line.code if game is None else game.score_labels[line.code], line.number)
                for line in lines
            )
            for lines in outcome.details
        ),
    )


def _ended(game: AnyGame | None, ended: Statement) -> str:
    if ended.code in COMMON_ENDINGS:
        return filled_in(COMMON_ENDINGS, ended)
    return NOT_AT_HAND.format(code=ended.code) if game is None else filled_in(game.endings, ended)


def _over(values: Mapping[str, Any]) -> str:
    said = "The match ended with the action before this one" if "after" in values else "The match is over"
    return f"{said}; no more actions are accepted."


def _awaited(values: Mapping[str, Any]) -> str:
    names = values.get("names") or [f"seat {seat}" for seat in range(1 + max(values["awaited"], default=0))]
    seats = " or ".join("chance" if seat == CHANCE else names[seat] for seat in values["awaited"])
    said = "Your turn ended with the action before this one" if "after" in values else "It is not your turn"
    return f"{said}: {seats} is awaited."


def _done_by_chance(values: Mapping[str, Any]) -> str:
    return f'"{values["action"]}" is done by chance, not by a seat.'


COMMON: Final[Mapping[str, Sentence]] = {
    "match_over": _over,
    "not_your_turn": _awaited,
    "not_an_action": _done_by_chance,
    "empty_turn": "A turn has at least one action; this one has none.",
}
"""The sentences for the driver's problems by code; they cite no rule."""

COMMON_ENDINGS: Final[Mapping[str, Sentence]] = {
    "most_plies": "After {plies} actions the match ends, and the current scores count.",
    "resignation": "The match ended by resignation.",
    "draw_agreed": "The players agreed on a draw.",
    "draw_chosen": "The only player left chose a draw.",
    "standing_agreed": "The players agreed to end the match with the standing.",
    "standing_chosen": "The only player left ended the match with the standing.",
}
"""The sentences by code for what ends a match otherwise than by the rules of its game."""

NOT_AT_HAND: Final = "What ended it cannot be told by the rules that are installed here (code {code})."
