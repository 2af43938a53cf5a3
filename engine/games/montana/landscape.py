"""R2.1, R2.2, R7: the hexes of laid tiles, places for the start tile, what fits on open hexes."""

from __future__ import annotations

from typing import Final

from engine.games.montana.board import FLOWER, Geometry
from engine.games.montana.components import GOODS, Components, Terrain
from engine.games.montana.state import NO_GOODS, Ground, State
from engine.types import Seat

LINE: Final = 4
NEAR: Final = 2
"""R2.2: the most steps between the start tile and the middle."""


def laid(parts: Components, tile: str, turned: int) -> tuple[Ground, ...]:
    """The seven hexes of a tile, in the order of a layout's numbers, turned clockwise by sixths."""
    by_place = {hexagon.at: hexagon for hexagon in parts.tiles.value[tile]}
    around = [by_place[at] for at in FLOWER[1:]]
    hexes = [by_place[FLOWER[0]], *(around[(place - turned) % len(around)] for place in range(len(around)))]
    return tuple(
        Ground(
            tile=tile,
            terrain=hexagon.terrain,
            cost=tuple(hexagon.cost.get(good, 0) for good in GOODS) if hexagon.cost else NO_GOODS,
            cow=hexagon.cow,
            double=hexagon.double,
            canteen=hexagon.canteen,
        )
        for hexagon in hexes
    )


def start_hexes(state: State) -> tuple[int, ...]:
    """R2.2: the hexes for the start tile, in reading order: prairie without a cow, near the middle,
    connected to enough prairie for all settlements. Without any, these conditions are dropped one
    by one: the room, the nearness, the absence of a cow.
    """
    geometry = state.table.geometry
    prairie = [hexagon for hexagon in geometry.order if state.land[hexagon].terrain is Terrain.PRAIRIE]
    room = _room(state)
    needed = min(1 + sum(seat.settlements for seat in state.seats), max(room[hexagon] for hexagon in prairie))
    calm = [hexagon for hexagon in prairie if not state.land[hexagon].cow] or prairie
    near = [hexagon for hexagon in calm if geometry.inner[hexagon] <= NEAR] or calm
    return tuple([hexagon for hexagon in near if room[hexagon] >= needed] or near)


def open_hexes(state: State) -> tuple[int, ...]:
    """R7.1: the free prairie hexes next to the start tile or a settlement, in reading order."""
    geometry, owners, start, land = state.table.geometry, state.owners, state.start, state.land
    return tuple(
        hexagon
        for hexagon in geometry.order
        if owners[hexagon] < 0
        and hexagon != start
        and land[hexagon].terrain is Terrain.PRAIRIE
        and any(owners[other] >= 0 or other == start for other in geometry.around[hexagon])
    )


def opened(state: State, hexagon: int) -> tuple[int, ...]:
    """The open hexes after building on ``hexagon``, which was one of them."""
    geometry, owners, land = state.table.geometry, state.owners, state.land
    fresh = {
        other
        for other in geometry.around[hexagon]
        if owners[other] < 0
        and other != state.start
        and land[other].terrain is Terrain.PRAIRIE
        and other not in state.open
    }
    kept = {*state.open, *fresh} - {hexagon}
    return tuple(other for other in geometry.order if other in kept)


def lines_made(geometry: Geometry, owners: tuple[int, ...], seat: Seat, hexagon: int) -> int:
    """R7.6: the number of new lines of four or more that building on ``hexagon`` makes."""
    made = 0
    for one, other in geometry.rays[hexagon]:
        if len(one) + len(other) + 1 >= LINE:
            here, there = _run(owners, one, seat), _run(owners, other, seat)
            if here < LINE and there < LINE and here + there + 1 >= LINE:
                made += 1
    return made


def most_settlements(state: State, seat: Seat, hexagon: int) -> int:
    """R7.5, R7.6: the most settlements that the seat may build on ``hexagon`` at once."""
    of_the_hex = 2 if state.land[hexagon].double else 1
    lines = lines_made(state.table.geometry, state.owners, seat, hexagon)
    return min(of_the_hex + lines, state.seats[seat].settlements)


def _run(owners: tuple[int, ...], ray: tuple[int, ...], seat: Seat) -> int:
    number = 0
    for hexagon in ray:
        if owners[hexagon] != seat:
            break
        number += 1
    return number


def _room(state: State) -> list[int]:
    """For each hex the size of its connected area of prairie; 0 on mountains and lakes."""
    around, land = state.table.geometry.around, state.land
    room = [0] * len(land)
    for first in range(len(land)):
        if room[first] or land[first].terrain is not Terrain.PRAIRIE:
            continue
        found, edge = {first}, [first]
        while edge:
            for other in around[edge.pop()]:
                if other not in found and land[other].terrain is Terrain.PRAIRIE:
                    found.add(other)
                    edge.append(other)
        for hexagon in found:
            room[hexagon] = len(found)
    return room
