"""Who has won."""

from __future__ import annotations

from connect_four.state import State, four, to_act
from engine.types import Outcome, Statement


def standing(state: State) -> tuple[int, ...]:
    """1 for the seat that has four in a row, 0 for the other. R3.1"""
    line = four(state)
    return tuple(1 if line and state.disc(line[0]) == seat else 0 for seat in (0, 1))


def outcome(state: State) -> Outcome | None:
    """How the match ended; ``None`` while it runs. R3"""
    if to_act(state):
        return None
    scores = standing(state)
    ended = Statement("four_in_a_row" if any(scores) else "board_full")  # R3.2
    return Outcome(scores, tuple(2 if score < max(scores) else 1 for score in scores), ended)


ENDINGS = {"four_in_a_row": "Four discs lie in a row.", "board_full": "The board is full."}
