"""The types of which an observation of Montana consists. It contains everything, as nothing is
hidden.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.games.montana.components import Area, Good, Hiring, Terrain, Worker
from engine.types import Outcome


@dataclass(frozen=True, slots=True)
class Awaited:
    """A seat that has to decide, and its prompt ("move your representative, or pass").

    ``can_trade`` says that it may also trade a cow now, ``can_use_canteen`` that it may end its
    turn with a canteen for another one.
    """

    seat: int
    what: str
    can_trade: bool = False
    can_use_canteen: bool = False


@dataclass(frozen=True, slots=True)
class SeatObservation:
    """A seat: its settlements on the board and those left, its coins, cows, canteens, goods and
    workers.
    """

    built: int
    settlements_left: int
    coins: int
    cows: int
    canteens: int
    goods: Mapping[Good, int]
    workers: Mapping[Worker, int]


@dataclass(frozen=True, slots=True)
class HexObservation:
    """A hex of the landscape.

    ``q`` and ``r`` are axial, hexes have a corner at the top: the middle of a hex is at x = (q + r
    / 2) * sqrt(3) * size, y = r * 1.5 * size, with r growing downwards. ``name`` is its name in
    notation: the letter is the column (zigzag), the number the row (straight). ``tile`` is the name
    of the landscape tile it belongs to. ``cost`` are the goods of a settlement (prairie only),
    ``double`` says that it shows two settlements. ``cow`` and ``canteen`` say that one can still be
    taken there. ``start`` marks the start tile. ``owner`` and ``settlements`` are what was built
    there. ``open`` says that it is free and next to the start tile or a settlement, so that it
    could be built on. ``possible`` is how many settlements the awaited seat can build there now,
    the free ones included: 0 if it cannot pay for the hex, or has something else to decide.
    """

    name: str
    q: int
    r: int
    tile: str
    terrain: Terrain
    cost: Mapping[Good, int]
    double: bool = False
    cow: bool = False
    canteen: bool = False
    start: bool = False
    owner: int | None = None
    settlements: int = 0
    open: bool = False
    possible: int = 0


@dataclass(frozen=True, slots=True)
class BankObservation:
    """A space of the bank, counted from 1 in their order: it takes exactly ``workers`` workers and
    gives ``coins``. ``placed`` are those on it.
    """

    workers: int
    coins: int
    placed: tuple[Worker, ...] = ()


@dataclass(frozen=True, slots=True)
class SlotObservation:
    """A slot of an area, counted from 1 in their order: a large box and a small box with the
    workers on them.

    The large box costs ``price`` coins and gives ``goods``; the small one is free and gives
    ``small_goods`` more.
    """

    price: int
    goods: int
    small_goods: int
    large_box: tuple[Worker, ...] = ()
    small_box: tuple[Worker, ...] = ()


@dataclass(frozen=True, slots=True)
class AreaObservation:
    """An area where ``good`` is harvested, by one ``worker`` of that kind or any two."""

    area: Area
    good: Good
    worker: Worker
    slots: tuple[SlotObservation, ...]


@dataclass(frozen=True, slots=True)
class RowObservation:
    """A row of the shop, counted from 1: what it gives.

    ``goods`` are of choice; ``upgrades`` is how many small goods at most become large ones.
    """

    cows: int
    coins: int
    goods: int
    upgrades: int


@dataclass(frozen=True, slots=True)
class RepresentativeObservation:
    """Where a seat's representative is: at a row and column of the shop (from 1), or nowhere there.

    ``passed`` says that it stays out of this town, ``undecided`` that its seat has yet to place it
    or pass (or to move it after it was overtaken), ``served`` that its seat has taken its reward.
    While no seat is in town, all of them are false and there is no row.
    """

    seat: int
    row: int | None = None
    column: int | None = None
    passed: bool = False
    undecided: bool = False
    served: bool = False


@dataclass(frozen=True, slots=True)
class SpaceObservation:
    """A space of the shop: its row and column, from 1."""

    row: int
    column: int


@dataclass(frozen=True, slots=True)
class ShopObservation:
    """The town: ``costs`` are the pumpkins of each column from the left.

    A representative may only go to the right of another one in its row. ``possible`` are the spaces
    on which the awaited seat can place its own now.
    """

    costs: tuple[int, ...]
    rows: tuple[RowObservation, ...]
    representatives: tuple[RepresentativeObservation, ...]
    possible: tuple[SpaceObservation, ...] = ()


@dataclass(frozen=True, slots=True)
class WheelObservation:
    """The recruitment wheel: its segments clockwise, and the one (from 1) that the arrow shows,
    ``None`` before the first spin.
    """

    segments: tuple[tuple[Hiring, ...], ...]
    arrow: int | None = None


@dataclass(frozen=True, slots=True)
class SupplyObservation:
    """The supply. Coins are unlimited."""

    goods: Mapping[Good, int]
    workers: Mapping[Worker, int]
    cows: int


@dataclass(frozen=True, slots=True)
class Observation:
    """The whole position; ``viewer`` is a seat, or ``None`` for a spectator.

    ``phase`` is one of ``laying`` (chance lays tiles; only those laid are in ``hexes``), ``start``
    (chance puts the start tile), ``spin`` (chance spins), ``choose`` (a seat chooses workers),
    ``turn`` (a seat chooses what to do), ``recruited`` (the arrow may be moved), ``harvested`` (the
    small box may be used), ``town`` (representatives are placed), ``rewards``, ``building``
    (``built`` of up to three are built), ``done`` (only trades, a canteen and the end of the turn
    are left), ``over``. ``turn`` is the seat whose turn it is; ``to_act`` the awaited seats (-1 for
    chance), ``awaited`` the same with what they are asked. ``surplus`` is how many workers the
    awaited seat has to return first. ``hexes`` are in reading order. ``last`` are the places of the
    latest action that had one: names of hexes, "wheel", "bank 3", "mine 2", "mine 2 again", "town 2
    3" (row and column); a turn of building lists all its hexes. ``round`` is 0 before the first
    turn. ``ending`` says what triggered the end, and is ``None`` before.
    """

    viewer: int | None
    phase: str
    to_act: tuple[int, ...]
    awaited: tuple[Awaited, ...]
    round: int
    turn: int
    built: int
    surplus: int
    seats: tuple[SeatObservation, ...]
    hexes: tuple[HexObservation, ...]
    bank: tuple[BankObservation, ...]
    areas: tuple[AreaObservation, ...]
    shop: ShopObservation
    wheel: WheelObservation
    supply: SupplyObservation
    last: tuple[str, ...] = ()
    ending: str | None = None
    outcome: Outcome | None = None
