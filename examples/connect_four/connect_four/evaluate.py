"""How well a seat stands, for bots that look one step ahead."""

from __future__ import annotations

from connect_four.state import State, lines
from engine.types import Seat

OWN = (0.0, 1.0, 4.0, 16.0, 10_000.0)
OTHER = (0.0, 1.0, 6.0, 500.0, 10_000.0)
"""Points for a row of four spaces with so many discs of one colour and none of the other; the other
seat moves next, so what it has counts for more.
"""


def evaluate(state: State, seat: Seat) -> float:
    """The rows that are still open to the seat, less those that are open to the other."""
    points = 0.0
    for line in lines(state.columns, state.rows):
        discs = [state.disc(space) for space in line]
        own, other = discs.count(seat), discs.count(1 - seat)
        if not other:
            points += OWN[own]
        elif not own:
            points -= OTHER[other]
    return points
