"""The outcomes of chance: the next tile and its rotation, the hex of the start tile, the segment at
which the arrow stops.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.games.montana.actions import ChanceAction, LayStart, LayTile, Spin
from engine.games.montana.landscape import start_hexes
from engine.games.montana.state import Phase, State

_TURNS = range(6)


def outcomes(state: State) -> Sequence[tuple[ChanceAction, int]]:
    """R1.10: the possible outcomes in canonical order, all with equal weight; empty if no draw is
    due.
    """
    match state.phase:
        case Phase.LAYING:
            return tuple(
                (LayTile(tile, turned), 1) for tile in state.table.tiles if tile in state.left for turned in _TURNS
            )
        case Phase.START:
            return tuple((LayStart(state.table.geometry.names[hexagon]), 1) for hexagon in start_hexes(state))
        case Phase.SPIN:
            return tuple((Spin(segment + 1), 1) for segment in range(len(state.table.components.wheel.value)))
        case _:
            return ()
