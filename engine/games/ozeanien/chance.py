"""The outcomes of chance: drawing a tile, weighted by the unseen tiles."""

from __future__ import annotations

from collections.abc import Sequence

from engine.games.ozeanien.actions import DrawTile
from engine.games.ozeanien.state import Phase, State
from engine.games.ozeanien.tiles import KINDS


def outcomes(state: State) -> Sequence[tuple[DrawTile, int]]:
    """R3.3: the kinds that may be drawn with their weights; empty if no draw is due.

    The tiles removed unseen are included, as any unseen tile may be one of them.
    """
    if state.phase is not Phase.DRAW:
        return ()
    return tuple((DrawTile(kind), left) for kind, left in zip(KINDS, state.bag, strict=True) if left)
