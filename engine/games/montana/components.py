"""The components of Montana as data that a match can choose: landscape tiles, layouts, workers'
board, wheel and supplies.

Every value carries its provenance. Documents are read and checked in ``components_check``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Final, TypeAlias

from engine.components import Vouched
from engine.documents import About
from engine.wording import amount


class Good(StrEnum):
    """The six goods; ``copper`` and ``stone`` are the small ones."""

    WHEAT = "wheat"
    PUMPKIN = "pumpkin"
    COPPER = "copper"
    STONE = "stone"
    LARGE_COPPER = "large_copper"
    LARGE_STONE = "large_stone"


class Worker(StrEnum):
    """The four kinds of workers, called after what they harvest: wheat (beige), pumpkin (orange),
    copper (brown), stone (grey).
    """

    WHEAT = "wheat"
    PUMPKIN = "pumpkin"
    COPPER = "copper"
    STONE = "stone"


class Hiring(StrEnum):
    """What one half of a segment of the wheel shows: a worker of a kind, or any."""

    WHEAT = "wheat"
    PUMPKIN = "pumpkin"
    COPPER = "copper"
    STONE = "stone"
    ANY = "any"


class Area(StrEnum):
    """The four places where goods are harvested."""

    MINE = "mine"
    QUARRY = "quarry"
    FIELD = "field"
    GARDEN = "garden"


class Terrain(StrEnum):
    """What a hex is: settlements stand on prairie only."""

    PRAIRIE = "prairie"
    MOUNTAIN = "mountain"
    LAKE = "lake"


GOODS: Final = tuple(Good)
WORKERS: Final = tuple(Worker)
AREAS: Final = tuple(Area)
GOOD_INDEX: Final[Mapping[str, int]] = {good: index for index, good in enumerate(GOODS)}
WORKER_INDEX: Final[Mapping[str, int]] = {worker: index for index, worker in enumerate(WORKERS)}
AREA_GOOD: Final[Mapping[Area, int]] = {Area.MINE: 2, Area.QUARRY: 3, Area.FIELD: 0, Area.GARDEN: 1}
"""R1.6: the number of the good that an area gives, which is also the number of the worker that fits
there.
"""
SMALL_GOODS: Final = GOODS[:4]
UPGRADES: Final[Mapping[int, int]] = {2: 4, 3: 5}
"""R1.4: the large good for which a small one is exchanged, both by number."""
SEAT_COUNTS: Final = (2, 3, 4)

HowMany = Annotated[int, About("How many there are.", minimum=0, maximum=99)]
_UpToThree = Annotated[int, About("How many at most.", minimum=0, maximum=3)]
_Step = Annotated[int, About("An axial coordinate.", minimum=-20, maximum=20)]
Axial = Annotated[
    tuple[_Step, _Step], About("Axial coordinates (q, r): q grows to the east, r to the south-east.", example=[1, -1])
]


@dataclass(frozen=True, slots=True)
class Options:
    """What the seats of a match may agree on: nothing; there is one edition."""


@dataclass(frozen=True, slots=True)
class TileHex:
    """One hex of a tile: ``at`` are its axial coordinates from the middle of the tile; ``cost`` the
    goods of a settlement there.

    ``double`` hexes show two settlements. Only lakes bear a canteen, only prairie has a cost, a cow
    or a second settlement.
    """

    at: Axial
    terrain: Terrain
    cost: Mapping[Good, HowMany] = field(default_factory=dict)
    cow: bool = False
    double: bool = False
    canteen: bool = False


Tiles: TypeAlias = Annotated[
    Vouched[Mapping[str, tuple[TileHex, ...]]],
    About("Landscape tiles by name: seven hexes each, one in the middle and six around it.", name="Tiles"),
]


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the middles of the tiles lie, and the hexes the start tile may not be far from."""

    centres: tuple[Axial, ...]
    middle: tuple[Axial, ...]


Layouts: TypeAlias = Annotated[
    Vouched[Mapping[str, Layout]],
    About("A layout for each number of seats.", name="Layouts"),
]


@dataclass(frozen=True, slots=True)
class BankSpace:
    """A space of the bank: exactly so many workers, so many coins for them."""

    workers: Annotated[int, About("How many workers go there.", minimum=1, maximum=3)]
    coins: HowMany


Bank: TypeAlias = Annotated[
    Vouched[tuple[BankSpace, ...]],
    About("The spaces of the bank, from the first.", name="Bank"),
]
AreaNumbers: TypeAlias = Annotated[
    Vouched[Mapping[Area, tuple[HowMany, ...]]],
    About("A list of numbers for each area, one number for each slot.", name="AreaNumbers"),
]


@dataclass(frozen=True, slots=True)
class ShopRow:
    """What a row of the shop gives: cows, coins, goods of choice (small stone, small copper,
    wheat), and how many upgrades at most.
    """

    cows: HowMany = 0
    coins: HowMany = 0
    goods: _UpToThree = 0
    upgrades: _UpToThree = 0


ShopRows: TypeAlias = Annotated[
    Vouched[tuple[ShopRow, ...]],
    About("The rows of the shop, from the first.", name="ShopRows"),
]
Numbers: TypeAlias = Annotated[
    Vouched[tuple[HowMany, ...]],
    About("Several numbers in a row.", name="Numbers"),
]
Wheel: TypeAlias = Annotated[
    Vouched[tuple[tuple[Hiring, ...], ...]],
    About("The segments of the recruitment wheel, clockwise.", name="Wheel"),
]
WorkerCounts: TypeAlias = Annotated[
    Vouched[Mapping[Worker, HowMany]],
    About("How many workers there are of each kind.", name="WorkerCounts"),
]
GoodCounts: TypeAlias = Annotated[
    Vouched[Mapping[Good, HowMany]],
    About("How many of each good.", name="GoodCounts"),
]
Supplies: TypeAlias = Annotated[
    Vouched[Mapping[str, Mapping[Good, HowMany]]],
    About("The goods of the supply for each number of seats.", name="Supplies"),
]
BySeats: TypeAlias = Annotated[
    Vouched[Mapping[str, HowMany]],
    About("A number for each number of seats.", name="BySeats"),
]
Count: TypeAlias = Annotated[
    Vouched[HowMany],
    About("How many there are.", name="Count"),
]


@dataclass(frozen=True, slots=True)
class Components:
    """A component set, every value with its provenance.

    ``prices`` and ``yields`` have a number for each slot of an area, ``small_box`` is what the
    small box of any slot gives. ``shop_columns`` are the pumpkins a column of the shop costs, from
    the left. ``coins`` are what the seats begin with, in turn order. ``goods`` and ``start_cows``
    are what every seat begins with; the goods come on top of ``supplies``, the cows out of
    ``cows``. ``cow_price`` are the coins a cow is traded for.
    """

    name: str
    tiles: Tiles
    layouts: Layouts
    bank: Bank
    prices: AreaNumbers
    yields: AreaNumbers
    small_box: Count
    shop_rows: ShopRows
    shop_columns: Numbers
    wheel: Wheel
    workers: WorkerCounts
    supplies: Supplies
    goods: GoodCounts
    settlements: BySeats
    coins: Numbers
    cows: Count
    start_cows: Count
    canteens: Count
    cow_price: Count


def quantity(number: int, good: Good) -> str:
    """A number of goods in words: "2 pumpkins", "2 small copper"; wheat and copper are not
    counted.
    """
    return amount(number, noun(good)) if good in _SINGLE else f"{number} {noun(good)}"


def noun(thing: Good | Area | Terrain) -> str:
    """The word for a good, an area or a terrain in a sentence; that of a small good contains
    "small".
    """
    if thing is Good.COPPER or thing is Good.STONE:
        return f"small {thing.value}"
    if thing is Area.FIELD:
        return "wheat field"
    if thing is Area.GARDEN:
        return "pumpkin garden"
    return thing.value.replace("_", " ")


_SINGLE: Final = (Good.PUMPKIN, Good.STONE, Good.LARGE_STONE)
