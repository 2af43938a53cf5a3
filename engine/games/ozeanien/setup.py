"""The state at ply 0: an unexplored board, all tiles in the bag, all explorers with their seats."""

from __future__ import annotations

from engine.games.ozeanien.board import UNEXPLORED, geometry
from engine.games.ozeanien.components import VALUES, Components, Options
from engine.games.ozeanien.state import NO_EXPLORERS, SeatState, State, Table
from engine.games.ozeanien.tiles import KINDS
from engine.types import Setup

_PLIES_OF_A_TURN = 5


def setup(setup: Setup) -> State:
    """R2: the state before the first turn.

    ``setup`` has the ``Options`` and ``Components`` of this game.
    """
    parts = setup.components
    table = lay(setup.seats, setup.options, parts)
    # R9.1: a seat that plays alone has no explorers.
    explorers = NO_EXPLORERS if table.solo else tuple(parts.explorers.value[str(value)] for value in VALUES)
    bag = tuple(parts.sea_tiles.value[kind] for kind in KINDS)
    return State(
        table=table,
        board=(UNEXPLORED,) * len(table.ground.names),
        seats=(SeatState(explorers),) * setup.seats,
        bag=bag,
        # R2.2: tiles are removed unseen; only the number that can be drawn decreases.
        draws=sum(bag) - parts.removed.value,
        reserve=tuple(parts.reserve_tiles.value[kind] for kind in KINDS),
    )


def longest(state: State) -> int:
    """R8.7: the most plies of the match: five for each tile and each explorer."""
    parts = state.table.components
    explorers = state.table.seats * sum(parts.explorers.value.values())
    return _PLIES_OF_A_TURN * (sum(parts.sea_tiles.value.values()) + explorers)


def lay(seats: int, options: Options, components: Components) -> Table:
    """The constant part of the states of a match, its geometry included."""
    size = components.board.value
    columns, rows = (size.rows, size.columns) if options.upright else (size.columns, size.rows)
    return Table(seats, options, components, geometry(columns, rows, components.circles.value))
