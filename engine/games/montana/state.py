"""A position of Montana: frozen, flat and small, so that an action costs microseconds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from operator import attrgetter
from typing import Any, Final, TypeAlias

from engine.games.montana.board import Geometry
from engine.games.montana.components import GOODS, WORKERS, Area, Components, Options, Terrain
from engine.types import CHANCE, Seat

Tally: TypeAlias = tuple[int, ...]
"""How many of each: six goods, or four kinds of workers, in the order of their enumerations."""
Crew: TypeAlias = tuple[int, ...]
"""The workers on a box, by number; () on a free one."""

NO_GOODS: Final[Tally] = (0,) * len(GOODS)
NO_WORKERS: Final[Tally] = (0,) * len(WORKERS)
WHEAT: Final = 0
PUMPKIN: Final = 1
NOBODY: Final = -1
UNDECIDED: Final = -1
"""Of a representative: not in the shop, and nothing said yet."""
PASSED: Final = -2
OVERTAKEN: Final = -3
"""R6.5: it has to move at once, or pass."""
WORKER_ROOM: Final = 8
"""R1.5: how many workers a seat has room for."""
SETUP_SPINS: Final = 2
MOST_BUILT: Final = 3
MOST_SEGMENTS: Final = 7


class Phase(StrEnum):
    """Where in a match, or in a turn, it stands; ``Observation`` says what each means."""

    LAYING = "laying"
    START = "start"
    SPIN = "spin"
    CHOOSE = "choose"
    TURN = "turn"
    RECRUITED = "recruited"
    HARVESTED = "harvested"
    TOWN = "town"
    REWARDS = "rewards"
    BUILDING = "building"
    DONE = "done"
    OVER = "over"


BY_CHANCE: Final = frozenset((Phase.LAYING, Phase.START, Phase.SPIN))


class Ending(StrEnum):
    """R9.1, R9.4: what triggered the end."""

    LAST_SETTLEMENT = "last_settlement"
    NO_ROOM = "no_room"


class Happening(StrEnum):
    """What an action brought about besides what its seat did."""

    LEVIED = "levied"
    PASSED = "passed"
    REWARDED = "rewarded"
    CANNOT_PAY = "cannot_pay"
    CLEARED = "cleared"
    COINS = "coins"


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened by itself: to which seat, what it was about, and how many; for the
    telling.
    """

    kind: Happening
    seat: Seat = NOBODY
    what: str = ""
    number: int = 0


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
    """A slot of an area: its number there (from 1), the number of its good and of the worker at
    home there, its price and what the large box gives.
    """

    area: Area
    number: int
    kind: int
    price: int
    goods: int


@dataclass(frozen=True, slots=True)
class Table:
    """What does not change in a match.

    ``tiles`` are the names of the tiles, in canonical order; ``slots`` those of all areas, area by
    area; ``spans`` are for each area the number of its first slot and of the one behind its last.
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
    """A position.

    ``goods``, ``workers`` and ``cows`` are the supply. ``land`` holds what is laid so far, by the
    number of the hex; ``owners`` and ``counts`` what is built, ``cattle`` and ``canteens`` the
    hexes where a cow or a canteen can still be taken, ``open`` the free hexes next to the start
    tile or a settlement, in reading order. ``bank`` and ``boxes`` hold the workers: of ``boxes``
    two for each slot, large and small, area by area.

    ``seat`` is whose turn it is, ``awaited`` who has to decide. ``spins`` counts the hirings of
    this turn (or of this seat's set-up), ``slot`` is where it harvests, ``built`` how many
    settlements it has paid for. ``shop`` holds for each seat the number of a space (row by row),
    ``UNDECIDED``, ``PASSED`` or ``OVERTAKEN``. ``last`` are the places of the latest action,
    ``events`` what it brought about.
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
    """The seats that have to decide: one, or chance, or nobody when the match is over."""
    if state.phase in BY_CHANCE:
        return (CHANCE,)
    return () if state.phase is Phase.OVER else (state.awaited,)


def changed(state: State, **new: Any) -> State:
    """``dataclasses.replace`` in half the time: whoever looks ahead changes states a thousand times
    a turn.
    """
    values = list(_values_of(state))
    for name, value in new.items():
        values[_PLACES[name]] = value
    return State(*values)


def surplus(seat: SeatState) -> int:
    """R3.5: how many workers a seat has to return."""
    return max(0, sum(seat.workers) - WORKER_ROOM)


def plus(tally: Tally, index: int, number: int = 1) -> Tally:
    """The tally with ``number`` more of one thing."""
    return (*tally[:index], tally[index] + number, *tally[index + 1 :])


def add(first: Tally, second: Tally) -> Tally:
    """Both tallies together."""
    return tuple([left + right for left, right in zip(first, second, strict=True)])


def less(first: Tally, second: Tally) -> Tally:
    """The first tally without the second."""
    return tuple([left - right for left, right in zip(first, second, strict=True)])


def covers(first: Tally, second: Tally) -> bool:
    """Whether the first tally has at least as many of everything as the second."""
    for left, right in zip(first, second, strict=True):  # noqa: SIM110 - asked for every hex in every turn, and three times as fast as all()
        if left < right:
            return False
    return True


def with_seat(state: State, number: Seat, seat: SeatState) -> tuple[SeatState, ...]:
    """The seats with one of them replaced."""
    return (*state.seats[:number], seat, *state.seats[number + 1 :])
