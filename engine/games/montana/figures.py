"""The figures of a finished match for simulations: turns, and the goods paid for settlements."""

from __future__ import annotations

from collections.abc import Sequence

from engine.games.montana.components import GOODS, noun
from engine.games.montana.state import NO_GOODS, State, add


def figures(state: State) -> Sequence[tuple[str, float]]:
    """The means over the seats of a finished match: turns, and goods paid for settlements.

    A seat has a turn in every round and one for each canteen spent; the spins of the set-up and
    decisions in the towns of others are not counted.
    """
    seats, paid = state.table.seats, NO_GOODS
    for hexagon, owner in enumerate(state.owners):
        if owner >= 0:
            paid = add(paid, state.land[hexagon].cost)
    return (
        ("turns", state.round + state.spent / seats),
        ("turns that canteens gave", state.spent / seats),
        *((f"{noun(good)} built with", number / seats) for good, number in zip(GOODS, paid, strict=True)),
    )
