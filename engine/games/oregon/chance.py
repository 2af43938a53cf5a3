"""The outcomes of chance: the cards, tiles and tokens that are left, weighted by their numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from engine.games.oregon.actions import DealBuilding, DealCoal, DealGold, DealStartTile, DealSymbol
from engine.games.oregon.components import BUILDINGS, SYMBOLS
from engine.games.oregon.state import Due, State

Deal: TypeAlias = DealSymbol | DealBuilding | DealStartTile | DealCoal | DealGold


def outcomes(state: State) -> Sequence[tuple[Deal, int]]:
    """The outcomes of the next due deal with their weights, in canonical order; empty if none is
    due.
    """
    if not state.due:
        return ()
    due, to = state.due[0]
    found: list[tuple[Deal, int]]
    match due:
        case Due.SYMBOL:
            found = [(DealSymbol(to, symbol), left) for symbol, left in zip(SYMBOLS, state.landscape_deck, strict=True)]
        case Due.BUILDING:
            found = [
                (DealBuilding(to, building), left)
                for building, left in zip(BUILDINGS, state.building_deck, strict=True)
            ]
        case Due.START_TILE:
            found = [
                (DealStartTile(to, building), left) for building, left in zip(BUILDINGS, state.start_tiles, strict=True)
            ]
        case Due.COAL:
            found = [
                (DealCoal(to, value), left) for value, left in zip(state.table.coal_values, state.coal, strict=True)
            ]
        case Due.GOLD:
            found = [
                (DealGold(to, value), left) for value, left in zip(state.table.gold_values, state.gold, strict=True)
            ]
    return tuple(pair for pair in found if pair[1])
