"""Pearls by version 2 of its rules: a pearl of 1 is too small to be offered.

Version 1 is kept beside it, in a folder of its own.
"""

from __future__ import annotations

from dataclasses import replace

from engine.types import Seat, Violation
from tests.engine import toy

__all__ = ["GAME"]


def candidates(state: toy.State, seat: Seat) -> tuple[toy.Action, ...]:
    return tuple(action for action in toy.candidates(state, seat) if action != toy.Offer(1))


def violation(state: toy.State, seat: Seat, action: toy.Action) -> Violation | None:
    if action == toy.Offer(1):  # P4
        return Violation("too_small", "P4", "A pearl of 1 is too small to be offered.")
    return toy.violation(state, seat, action)


GAME = replace(toy.GAME, info=replace(toy.GAME.info, rules_version=2), candidates=candidates, violation=violation)
