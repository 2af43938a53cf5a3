"""The state of a match of Oregon, as flat tuples of numbers for speed; invariants; first value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, TypeAlias

from engine.games.oregon.board import SPACES, Geometry, geometry
from engine.games.oregon.components import BUILDING_INDEX, BUILDINGS, SYMBOLS, Building, Components, Options
from engine.types import CHANCE, Seat, Setup

Tally: TypeAlias = tuple[int, ...]
"""Counts of the five symbols, of the seven buildings, or of the values of a kind of token."""

EMPTY: Final = 0
FIRST_FARMER: Final = 1
FIRST_BUILDING: Final = 8
HAND: Final = 4
GROUPS: Final = len(BUILDINGS)
"""The index of group bonuses in ``SeatState.earned``, after the buildings."""
Phase = StrEnum("Phase", "DEALING START PLAY EXTRA REFILL OVER")
"""The phases of a match and of a turn; ``EXTRA``: the second play of an extra turn is due."""
Due = StrEnum("Due", "SYMBOL BUILDING START_TILE COAL GOLD")
"""The kinds of deals that chance may have to make."""


class Ending(StrEnum):
    """R9.1: what triggered the end."""

    LAST_FARMER = "last_farmer"
    EMPTY_STACKS = "empty_stacks"


@dataclass(frozen=True, slots=True)
class Table:
    """What is constant in a match; the values of the tokens are ascending."""

    seats: int
    options: Options
    components: Components = field(hash=False)
    geometry: Geometry = field(compare=False, repr=False)
    coal_values: tuple[int, ...] = field(compare=False, repr=False)
    gold_values: tuple[int, ...] = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class SeatState:
    """One seat. ``farmers`` are not yet placed; ``coal`` and ``gold`` are token values, ascending;
    ``earned`` are the points on the track, by building and for groups.
    """

    farmers: int
    symbols: Tally = (0,) * len(SYMBOLS)
    buildings: Tally = (0,) * len(BUILDINGS)
    joker: bool = True
    extra: bool = True
    coal: tuple[int, ...] = ()
    gold: tuple[int, ...] = ()
    earned: Tally = (0,) * (len(BUILDINGS) + 1)
    start_tile: int | None = None

    @property
    def score(self) -> int:
        """The points on the track."""
        return sum(self.earned)

    @property
    def cards(self) -> int:
        """The number of cards in hand."""
        return sum(self.symbols) + sum(self.buildings)


@dataclass(frozen=True, slots=True)
class State:
    """The state of a match.

    ``board`` has a number for each space (``EMPTY``, ``FIRST_FARMER + seat``, ``FIRST_BUILDING +
    building``). ``due`` are the deals that chance has to make, in order; while there are any no
    seat acts. ``seat`` is whose turn it is, ``plays`` the number of plays in that turn,
    ``refilling`` says that a card was drawn or set aside in it, ``just_drawn`` the building card
    drawn last, as long as it may still be set aside for that (R8.8). ``last`` are the spaces of the
    latest turn's placements.
    """

    table: Table
    board: tuple[int, ...]
    seats: tuple[SeatState, ...]
    stacks: Tally
    landscape_deck: Tally
    building_deck: Tally
    start_tiles: Tally
    coal: Tally
    gold: Tally
    due: tuple[tuple[Due, Seat], ...]
    landscape_discards: Tally = (0,) * len(SYMBOLS)
    building_discards: Tally = (0,) * len(BUILDINGS)
    aside: Tally = (0,) * len(BUILDINGS)
    phase: Phase = Phase.DEALING
    seat: Seat = 0
    round: int = 0
    plays: int = 0
    refilling: bool = False
    just_drawn: int | None = None
    last: tuple[int, ...] = ()
    ending: Ending | None = None


def to_act(state: State) -> tuple[Seat, ...]:
    """The awaited seat, or chance; () when the match is over."""
    if state.due:
        return (CHANCE,)
    return () if state.phase is Phase.OVER else (state.seat,)


def farmer_at(state: State, space: int) -> Seat | None:
    """The seat whose farmer is on a space; ``None`` if there is no farmer."""
    code = state.board[space]
    return code - FIRST_FARMER if FIRST_FARMER <= code < FIRST_BUILDING else None


def building_at(state: State, space: int) -> Building | None:
    """The building on a space; ``None`` if there is none."""
    code = state.board[space]
    return BUILDINGS[code - FIRST_BUILDING] if code >= FIRST_BUILDING else None


def plus(tally: Tally, index: int, number: int = 1) -> Tally:
    """The tally with ``number`` added at ``index``."""
    return (*tally[:index], tally[index] + number, *tally[index + 1 :])


def add(first: Tally, second: Tally) -> Tally:
    """The sum of both tallies."""
    return tuple(left + right for left, right in zip(first, second, strict=True))


def check(state: State) -> tuple[str, ...]:
    """The broken invariants as sentences: everything is conserved, scores and hands are sound."""
    return (*_check_cards(state), *_check_board(state), *_check_tokens(state), *_check_seats(state))


def _check_cards(state: State) -> list[str]:
    parts = state.table.components
    symbols = [state.landscape_deck, state.landscape_discards, *(seat.symbols for seat in state.seats)]
    buildings = [state.building_deck, state.building_discards, state.aside, *(seat.buildings for seat in state.seats)]
    broken = [
        *_miscounted("landscape", symbols, SYMBOLS, parts.landscape_cards.value),
        *_miscounted("building", buildings, BUILDINGS, parts.building_cards.value),
    ]
    if any(number < 0 for tally in symbols + buildings for number in tally):
        broken.append("a deck, a discard pile or a hand holds a negative number of cards")
    return broken


def _miscounted(kind: str, tallies: list[Tally], names: tuple[str, ...], expected: Mapping[str, int]) -> list[str]:
    found = [(name, sum(tally[index] for tally in tallies)) for index, name in enumerate(names)]
    return [f"there are {have} {name} {kind} cards" for name, have in found if have != expected[name]]


def _check_board(state: State) -> list[str]:
    parts = state.table.components
    broken = []
    if len(state.board) != SPACES:
        broken.append(f"the board has {len(state.board)} spaces")
    for building, index in BUILDING_INDEX.items():
        placed = state.board.count(FIRST_BUILDING + index)
        before_seats = sum(1 for seat in state.seats if seat.start_tile == index)
        have = placed + state.stacks[index] + state.start_tiles[index] + before_seats
        if have != parts.building_tiles.value[building] + parts.start_tiles.value[building] or state.stacks[index] < 0:
            broken.append(f"there are {have} {building} tiles")
        broken += [
            f"a {building} is on space {space}, where it cannot be"
            for space, code in enumerate(state.board)
            if code == FIRST_BUILDING + index and space not in state.table.geometry.ground[index]
        ]
    for number, seat in enumerate(state.seats):
        placed = state.board.count(FIRST_FARMER + number)
        if seat.farmers < 0 or seat.farmers + placed != parts.farmers.value:
            broken.append(f"seat {number} has {seat.farmers} farmers left and {placed} on the board")
    return broken


def _check_tokens(state: State) -> list[str]:
    table, parts, broken = state.table, state.table.components, []
    coal, gold = [seat.coal for seat in state.seats], [seat.gold for seat in state.seats]
    for kind, values, supply, counts, held in (
        ("coal", table.coal_values, state.coal, parts.coal_tokens.value, coal),
        ("gold", table.gold_values, state.gold, parts.gold_tokens.value, gold),
    ):
        for index, value in enumerate(values):
            have = supply[index] + sum(tokens.count(value) for tokens in held)
            if supply[index] < 0 or have != counts[str(value)]:
                broken.append(f"there are {have} {kind} tokens of value {value}")
        if any(tokens != tuple(sorted(tokens)) for tokens in held):
            broken.append(f"the {kind} tokens of a seat are not in order")
    return broken


def _check_seats(state: State) -> list[str]:
    broken = []
    units = {Building.POST_OFFICE: 3, Building.HARBOUR: 4}
    for number, seat in enumerate(state.seats):
        for building, unit in units.items():
            if seat.earned[BUILDING_INDEX[building]] % unit:
                broken.append(f"seat {number} has {seat.earned[BUILDING_INDEX[building]]} points from {building}")
        if seat.earned[GROUPS] % 5 or any(points < 0 for points in seat.earned):
            broken.append(f"seat {number} has earned {seat.earned}")
        if any(seat.earned[BUILDING_INDEX[mine]] for mine in (Building.COAL_MINE, Building.GOLD_MINE)):
            broken.append(f"seat {number} has points on the track from a mine")
        waiting = state.phase is not Phase.DEALING and (
            number != state.seat or state.phase in (Phase.START, Phase.PLAY, Phase.OVER)
        )
        if waiting and (seat.cards != HAND or not any(seat.symbols) or not any(seat.buildings)):
            broken.append(
                f"seat {number} waits with {sum(seat.symbols)} landscape and {sum(seat.buildings)} building cards"
            )
    return broken


_PLIES_OF_A_PIECE = 20
_HAND = (Due.SYMBOL, Due.SYMBOL, Due.SYMBOL, Due.BUILDING)


def setup(setup: Setup) -> State:
    """R2: the state before any card is dealt."""
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
