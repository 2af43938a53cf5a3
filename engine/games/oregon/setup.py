"""The state at ply 0: nothing is dealt; the hands and start tiles of all seats are due from
chance.
"""

from __future__ import annotations

from engine.games.oregon.board import SPACES, geometry
from engine.games.oregon.components import BUILDINGS, SYMBOLS, Components, Options
from engine.games.oregon.state import EMPTY, Due, SeatState, State, Table
from engine.types import Setup

_PLIES_OF_A_PIECE = 20
_HAND = (Due.SYMBOL, Due.SYMBOL, Due.SYMBOL, Due.BUILDING)


def setup(setup: Setup) -> State:
    """R2: the state before any card is dealt.

    ``setup`` has the ``Options`` and ``Components`` of this game.
    """
    parts = setup.components
    table = lay(setup.seats, setup.options, parts)
    seats = range(setup.seats)
    return State(
        table=table,
        board=(EMPTY,) * SPACES,
        seats=(SeatState(parts.farmers.value),) * setup.seats,
        stacks=tuple(parts.building_tiles.value[building] for building in BUILDINGS),
        landscape_deck=tuple(parts.landscape_cards.value[symbol] for symbol in SYMBOLS),
        building_deck=tuple(parts.building_cards.value[building] for building in BUILDINGS),
        start_tiles=tuple(parts.start_tiles.value[building] for building in BUILDINGS),
        coal=tuple(parts.coal_tokens.value[str(value)] for value in table.coal_values),
        gold=tuple(parts.gold_tokens.value[str(value)] for value in table.gold_values),
        # R2.1, R2.2: the hands in seat order, then a start tile for each seat.
        due=(*((due, seat) for seat in seats for due in _HAND), *((Due.START_TILE, seat) for seat in seats)),
    )


def longest(state: State) -> int:
    """R9.6: the most plies of the match: 20 for each piece that can be placed."""
    parts = state.table.components
    pieces = state.table.seats * parts.farmers.value + sum(parts.building_tiles.value.values())
    return _PLIES_OF_A_PIECE * min(pieces, SPACES)


def lay(seats: int, options: Options, components: Components) -> Table:
    """The constant part of the states of a match, its geometry included."""
    return Table(
        seats=seats,
        options=options,
        components=components,
        geometry=geometry(components.terrain.value, components.columns.value, components.rows.value),
        coal_values=tuple(sorted(int(value) for value in components.coal_tokens.value)),
        gold_values=tuple(sorted(int(value) for value in components.gold_tokens.value)),
    )
