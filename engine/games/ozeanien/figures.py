"""The figures of a finished match for simulations: the reserve tiles used, and those missing."""

from __future__ import annotations

from collections.abc import Sequence

from engine.games.ozeanien.board import IMAGINED, RESERVE, UNEXPLORED
from engine.games.ozeanien.facts import KIND_NAMES
from engine.games.ozeanien.state import State
from engine.games.ozeanien.tiles import KIND_OF, KINDS


def figures(state: State) -> Sequence[tuple[str, float]]:
    """R5.4: whether the reserve was short in this match, as 100 or 0, so that the mean of many
    matches is a percentage; and the numbers of reserve tiles that were missing and placed.
    """
    tiles = [tile for tile in state.board if tile != UNEXPLORED]
    missing = sum(1 for tile in tiles if tile & IMAGINED)
    used = [KIND_OF[tile & 15] for tile in tiles if tile & RESERVE]
    return (
        ("reserve short, % of matches", 100 if missing else 0),
        ("reserve tiles missing", missing),
        *((f"{KIND_NAMES[kind]} from the reserve", used.count(index)) for index, kind in enumerate(KINDS)),
    )
