"""The state of a match of Montana, as flat tuples of numbers for speed; and its first value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from operator import attrgetter, ge
from typing import Any, Final, TypeAlias

from engine.games.montana.board import Geometry, geometry
from engine.games.montana.components import AREA_GOOD, AREAS, GOODS, WORKERS, Area, Components, Options, Terrain
from engine.types import CHANCE, Seat, Setup

Tally: TypeAlias = tuple[int, ...]
"""Counts of the six goods or of the four kinds of workers, in the order of their enumerations."""
Crew: TypeAlias = tuple[int, ...]
"""The workers on a box, by the number of their kind; () on a free one."""

NO_GOODS: Final[Tally] = (0,) * len(GOODS)
NO_WORKERS: Final[Tally] = (0,) * len(WORKERS)
WHEAT: Final = 0
PUMPKIN: Final = 1
NOBODY: Final = -1
UNDECIDED: Final = -1
"""Of a representative: not in the shop, its seat has yet to place it or pass."""
PASSED: Final = -2
OVERTAKEN: Final = -3
"""R6.5, of a representative: its seat has to move it or pass next."""
SERVED: Final = -4
"""R6.7, of a representative: its seat has paid and taken its reward."""
WORKER_ROOM: Final = 8
"""R1.5: the most workers that a seat may keep."""
SETUP_SPINS: Final = 2
MOST_BUILT: Final = 3
MOST_SEGMENTS: Final = 7


Phase = StrEnum("Phase", "LAYING START SPIN CHOOSE TURN RECRUITED HARVESTED TOWN REWARDS BUILDING DONE OVER")
"""The phases of a match and of a turn, explained in ``Observation``."""


BY_CHANCE: Final = frozenset((Phase.LAYING, Phase.START, Phase.SPIN))


class Ending(StrEnum):
    """R9.1, R9.4: what triggered the end."""

    LAST_SETTLEMENT = "last_settlement"
    NO_ROOM = "no_room"


Happening = StrEnum("Happening", "LEVIED SHORT PASSED REWARDED CANNOT_PAY CLEARED COINS")
"""The kinds of events that an action causes beside its own effect."""


@dataclass(frozen=True, slots=True)
class Event:
    """What followed from an action, for the narration; ``cows`` are those of a reward."""

    kind: Happening
    seat: Seat = NOBODY
    what: str = ""
    number: int = 0
    cows: int = 0


@dataclass(frozen=True, slots=True)
class Ground:
    """A hex of a tile that has been laid."""

    tile: str
    terrain: Terrain
    cost: Tally
    cow: bool
    double: bool
    canteen: bool


@dataclass(frozen=True, slots=True)
class Slot:
    """A slot of an area: its number there (from 1), the number of its good and of the worker that
    fits, its price, and the number of goods that the large box gives.
    """

    area: Area
    number: int
    kind: int
    price: int
    goods: int


@dataclass(frozen=True, slots=True)
class Table:
    """The constant part of the states of a match.

    ``tiles`` are the names of the tiles, in canonical order; ``slots`` those of all areas, area by
    area; ``spans`` has, for each area, the index of its first slot and that after its last.
    """

    seats: int
    options: Options
    components: Components
    tiles: tuple[str, ...] = field(compare=False, repr=False)
    slots: tuple[Slot, ...] = field(compare=False, repr=False)
    spans: Mapping[Area, tuple[int, int]] = field(compare=False, repr=False)
    geometry: Geometry = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class SeatState:
    """One seat. ``settlements`` counts those not yet built."""

    settlements: int
    coins: int
    cows: int
    canteens: int = 0
    goods: Tally = NO_GOODS
    workers: Tally = NO_WORKERS


@dataclass(frozen=True, slots=True)
class State:
    """The state of a match.

    ``goods``, ``workers`` and ``cows`` are the supply. ``land`` has the laid hexes by number;
    ``owners`` and ``counts`` the seat and number of settlements on each hex; ``cattle`` and
    ``canteens`` the hexes where a cow or a canteen can still be taken, ``open`` the free hexes next
    to the start tile or a settlement, in reading order. ``bank`` and ``boxes`` hold the workers: of
    ``boxes`` two for each slot, large and small, area by area.

    ``seat`` is whose turn it is, ``awaited`` who has to decide. ``spins`` counts the hirings of
    this turn (or of this seat's set-up), ``slot`` is the slot it harvests, ``built`` the number of
    settlements it has paid for. ``shop`` holds for each seat the number of a space (row by row),
    ``UNDECIDED``, ``PASSED``, ``OVERTAKEN`` or ``SERVED``. ``last`` are the places of the latest
    action, ``events`` what followed from it.
    """

    table: Table
    seats: tuple[SeatState, ...]
    goods: Tally
    workers: Tally
    cows: int
    bank: tuple[Crew, ...]
    boxes: tuple[Crew, ...]
    shop: tuple[int, ...]
    land: tuple[Ground, ...] = ()
    left: frozenset[str] = frozenset()
    start: int = -1
    owners: tuple[int, ...] = ()
    counts: tuple[int, ...] = ()
    cattle: frozenset[int] = frozenset()
    canteens: frozenset[int] = frozenset()
    open: tuple[int, ...] = ()
    arrow: int = -1
    phase: Phase = Phase.LAYING
    seat: Seat = 0
    awaited: Seat = 0
    round: int = 0
    spins: int = 0
    slot: int = -1
    built: int = 0
    spent: int = 0
    last: tuple[str, ...] = ()
    ending: Ending | None = None
    events: tuple[Event, ...] = field(default=(), compare=False, repr=False)


_PLACES: Final = {each.name: place for place, each in enumerate(fields(State))}
_values_of: Final = attrgetter(*_PLACES)


def to_act(state: State) -> tuple[Seat, ...]:
    """The awaited seat, or chance; () when the match is over."""
    if state.phase in BY_CHANCE:
        return (CHANCE,)
    return () if state.phase is Phase.OVER else (state.awaited,)


def turn_of(state: State) -> Seat:
    """Whose turn it is; other seats may be asked within it, in the town (R6)."""
    return state.seat


def changed(state: State, **new: Any) -> State:
    """Like ``dataclasses.replace``, in half the time: bots make a thousand states in a turn."""
    values = list(_values_of(state))
    for name, value in new.items():
        values[_PLACES[name]] = value
    return State(*values)


def surplus(seat: SeatState) -> int:
    """R3.5: the number of workers that a seat has to return."""
    return max(0, sum(seat.workers) - WORKER_ROOM)


def plus(tally: Tally, index: int, number: int = 1) -> Tally:
    """The tally with ``number`` added at ``index``."""
    return (*tally[:index], tally[index] + number, *tally[index + 1 :])


def add(first: Tally, second: Tally) -> Tally:
    """The sum of both tallies."""
    return tuple([left + right for left, right in zip(first, second, strict=True)])


def less(first: Tally, second: Tally) -> Tally:
    """The first tally less the second."""
    return tuple([left - right for left, right in zip(first, second, strict=True)])


def covers(first: Tally, second: Tally) -> bool:
    """Whether the first tally has at least as many of everything as the second."""
    return all(map(ge, first, second))


def with_seat(state: State, number: Seat, seat: SeatState) -> tuple[SeatState, ...]:
    """The seats with one of them replaced."""
    return (*state.seats[:number], seat, *state.seats[number + 1 :])


_PLIES_OF_A_SETTLEMENT = 100


def setup(setup: Setup) -> State:
    """R2: the state before any tile is laid."""
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
