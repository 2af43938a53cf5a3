"""What chance may do: draw a tile, weighted by the tiles nobody has seen."""

from __future__ import annotations

from collections.abc import Sequence

from engine.games.ozeanien.actions import DrawTile
from engine.games.ozeanien.state import Phase, State
from engine.games.ozeanien.tiles import KINDS


def outcomes(state: State) -> Sequence[tuple[DrawTile, int]]:
    """R3.3: the kinds that may be drawn with their weights; empty when no draw is due.

    The tiles removed unseen count: each may be any.
    """
    if state.phase is not Phase.DRAW:
        return ()
    return tuple((DrawTile(kind), left) for kind, left in zip(KINDS, state.bag, strict=True) if left)
