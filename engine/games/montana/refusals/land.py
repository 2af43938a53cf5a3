"""R7: the problems of building, except those of the phase."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from engine.games.montana.actions import Build
from engine.games.montana.components import GOODS, Terrain
from engine.games.montana.landscape import most_settlements
from engine.games.montana.state import MOST_BUILT, Phase, SeatState, State, Tally, covers
from engine.types import Problem, Seat

_MOST_NAMED: Final = 8


def build_problems(state: State, seat: Seat, action: Build) -> Iterator[Problem]:
    """R7: problems with the number of settlements, the hex and the goods to pay."""
    me = state.seats[seat]
    if state.phase is Phase.BUILDING and state.built >= MOST_BUILT:
        yield Problem("three_built", "R7.3")
    if not me.settlements:
        yield Problem("no_settlement_left", "R7.10")
    hexagon = state.table.geometry.index.get(action.hex)
    if hexagon is None:
        yield Problem("no_such_hex", "R1.1", {"hex": action.hex, **_sites(state, me)})
        return
    ground = state.land[hexagon]
    if ground.terrain is not Terrain.PRAIRIE:
        values = {"hex": action.hex, "terrain": ground.terrain.value, **_sites(state, me)}
        yield Problem("wrong_terrain", "R7.1", values)
        return
    if hexagon == state.start or state.owners[hexagon] >= 0:
        by = "start_tile" if hexagon == state.start else "settlement"
        yield Problem("hex_taken", "R7.1", {"hex": action.hex, "by": by, **_sites(state, me)})
        return
    if hexagon not in state.open:
        yield Problem("not_adjacent", "R7.1", {"hex": action.hex, **_sites(state, me)})
    if not covers(me.goods, ground.cost):
        lacking = tuple(max(0, cost - have) for have, cost in zip(me.goods, ground.cost, strict=True))
        values = {"for": "settlement", "hex": action.hex, "cost": _goods(ground.cost), "lacking": _goods(lacking)}
        yield Problem("too_few_goods", "R7.2", {**values, **_sites(state, me)})
    if action.settlements is not None and me.settlements:
        most = most_settlements(state, seat, hexagon)
        if not 1 <= action.settlements <= most:
            values = {"hex": action.hex, "most": most, "named": action.settlements}
            yield Problem("wrong_settlements", "R7.7", values)


def _goods(goods: Tally) -> list[list[Any]]:
    """The goods with counts above 0, as [good, count] pairs."""
    return [[good.value, count] for good, count in zip(GOODS, goods, strict=True) if count]


def _sites(state: State, me: SeatState) -> Mapping[str, Any]:
    """The first few hexes on which the seat could build, and the number of further ones."""
    names = state.table.geometry.names
    sites = [names[hexagon] for hexagon in state.open if me.settlements and covers(me.goods, state.land[hexagon].cost)]
    return {"sites": sites[:_MOST_NAMED], "more": max(0, len(sites) - _MOST_NAMED)}
