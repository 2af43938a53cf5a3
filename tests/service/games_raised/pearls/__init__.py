"""Pearls by version 2 of its rules: a pearl of 1 is too small to be offered.

Version 1 is kept beside it, in a folder of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from engine.types import Problem, Seat
from tests.engine import toy

__all__ = ["GAME"]


def candidates(state: toy.State, seat: Seat) -> tuple[toy.Action, ...]:
    return tuple(action for action in toy.candidates(state, seat) if action != toy.Offer(1))


def problems(state: toy.State, seat: Seat, action: toy.Action) -> Iterator[Problem]:
    if action == toy.Offer(1):  # P4
        yield Problem("too_small", "P4")
    yield from toy.problems(state, seat, action)


def explain(problem: Problem) -> str:
    if problem.code == "too_small":
        return "A pearl of 1 is too small to be offered."
    return toy.explain(problem)


GAME = replace(
    toy.GAME,
    info=replace(toy.GAME.info, rules_version=2),
    candidates=candidates,
    problems=problems,
    explain=explain,
)
