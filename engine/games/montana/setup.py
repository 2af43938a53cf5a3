"""The state at ply 0: an empty board; draws of tiles, the start tile and the first workers are
due.
"""

from __future__ import annotations

from engine.games.montana.board import geometry
from engine.games.montana.components import AREA_GOOD, AREAS, GOODS, WORKERS, Components, Options
from engine.games.montana.state import UNDECIDED, SeatState, Slot, State, Table
from engine.types import Setup

_PLIES_OF_A_SETTLEMENT = 100


def setup(setup: Setup) -> State:
    """R2: the state before any tile is laid.

    ``setup`` has the ``Options`` and ``Components`` of this game.
    """
    parts = setup.components
    key, seats = str(setup.seats), setup.seats
    supply = parts.supplies.value[key]
    table = lay(seats, setup.options, parts)
    hexes = len(table.geometry.names)
    return State(
        table=table,
        # R2.5, R2.7: goods come from the box, cows from the supply; coins depend on turn order.
        seats=tuple(
            SeatState(
                settlements=parts.settlements.value[key],
                coins=parts.coins.value[seat],
                cows=parts.start_cows.value,
                goods=tuple(parts.goods.value[good] for good in GOODS),
            )
            for seat in range(seats)
        ),
        goods=tuple(supply[good] for good in GOODS),
        workers=tuple(parts.workers.value[worker] for worker in WORKERS),
        cows=parts.cows.value - seats * parts.start_cows.value,
        bank=((),) * len(parts.bank.value),
        boxes=((),) * (2 * len(table.slots)),
        shop=(UNDECIDED,) * seats,
        left=frozenset(table.tiles),
        owners=(-1,) * hexes,
        counts=(0,) * hexes,
    )


def longest(state: State) -> int:
    """R9.5: the most plies of the match: 100 for each settlement."""
    seats = state.table.seats
    return _PLIES_OF_A_SETTLEMENT * seats * state.table.components.settlements.value[str(seats)]


def lay(seats: int, options: Options, components: Components) -> Table:
    """The constant part of the states of a match, its geometry included."""
    layout = components.layouts.value[str(seats)]
    slots: list[Slot] = []
    spans = {}
    for area in AREAS:
        first = len(slots)
        for number, (price, goods) in enumerate(
            zip(components.prices.value[area], components.yields.value[area], strict=True), 1
        ):
            slots.append(Slot(area, number, AREA_GOOD[area], price, goods))
        spans[area] = (first, len(slots))
    tiles = tuple(sorted(components.tiles.value))
    return Table(seats, options, components, tiles, tuple(slots), spans, geometry(layout.centres, layout.middle))
