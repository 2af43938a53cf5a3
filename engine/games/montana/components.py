"""The components of Montana as data, and the constraints that their schema does not express."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from string import ascii_uppercase
from typing import Annotated, Any, Final, TypeAlias

from engine.components import Vouched, by_name
from engine.documents import About, Problems, from_document
from engine.errors import DocumentError
from engine.games.montana.board import FLOWER, around_axial
from engine.wording import amount

Good = StrEnum("Good", "WHEAT PUMPKIN COPPER STONE LARGE_COPPER LARGE_STONE")
"""The six goods; ``copper`` and ``stone`` are the small ones."""
Worker = StrEnum("Worker", "WHEAT PUMPKIN COPPER STONE")
"""The four kinds of workers, called after what they harvest: wheat (beige), pumpkin (orange),
copper (brown), stone (grey).
"""
Hiring = StrEnum("Hiring", "WHEAT PUMPKIN COPPER STONE ANY")
"""What one half of a segment of the wheel shows: a worker of a kind, or any."""
Area = StrEnum("Area", "MINE QUARRY FIELD GARDEN")
"""The four places where goods are harvested."""
Terrain = StrEnum("Terrain", "PRAIRIE MOUNTAIN LAKE")
"""What a hex is: settlements stand on prairie only."""


GOODS: Final = tuple(Good)
WORKERS: Final = tuple(Worker)
AREAS: Final = tuple(Area)
GOOD_INDEX: Final[Mapping[str, int]] = {good: index for index, good in enumerate(GOODS)}
WORKER_INDEX: Final[Mapping[str, int]] = {worker: index for index, worker in enumerate(WORKERS)}
AREA_GOOD: Final[Mapping[Area, int]] = {Area.MINE: 2, Area.QUARRY: 3, Area.FIELD: 0, Area.GARDEN: 1}
"""R1.6: the number of the good that an area gives, and of the worker that fits there."""
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
    """One hex of a tile. Only lakes bear a canteen, only prairie has a cost, a cow or a second
    settlement.
    """

    at: Annotated[Axial, About("Its axial coordinates from the middle of the tile.")]
    terrain: Annotated[Terrain, About("What it is.")]
    cost: Annotated[Mapping[Good, HowMany], About("The goods of a settlement there; of prairie only.")] = field(
        default_factory=dict
    )
    cow: Annotated[bool, About("True if it bears a cow.")] = False
    double: Annotated[bool, About("True if it shows two settlements.")] = False
    canteen: Annotated[bool, About("True if it bears a canteen.")] = False


Tiles: TypeAlias = Annotated[
    Vouched[Mapping[str, tuple[TileHex, ...]]],
    About("Landscape tiles by name: seven hexes each, one in the middle and six around it.", name="Tiles"),
]


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the middles of the tiles lie, and the hexes the start tile may not be far from."""

    centres: Annotated[tuple[Axial, ...], About("The middles of the tiles.")]
    middle: Annotated[tuple[Axial, ...], About("The hexes that the start tile may not be far from.")]


Layouts: TypeAlias = Annotated[
    Vouched[Mapping[str, Layout]], About("A layout for each number of seats.", name="Layouts")
]


@dataclass(frozen=True, slots=True)
class BankSpace:
    """A space of the bank: exactly so many workers, so many coins for them."""

    workers: Annotated[int, About("How many workers go there.", minimum=1, maximum=3)]
    coins: HowMany


Bank: TypeAlias = Annotated[
    Vouched[tuple[BankSpace, ...]], About("The spaces of the bank, from the first.", name="Bank")
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
    Vouched[tuple[ShopRow, ...]], About("The rows of the shop, from the first.", name="ShopRows")
]
Numbers: TypeAlias = Annotated[Vouched[tuple[HowMany, ...]], About("Several numbers in a row.", name="Numbers")]
Wheel: TypeAlias = Annotated[
    Vouched[tuple[tuple[Hiring, ...], ...]], About("The segments of the recruitment wheel, clockwise.", name="Wheel")
]
WorkerCounts: TypeAlias = Annotated[
    Vouched[Mapping[Worker, HowMany]], About("How many workers there are of each kind.", name="WorkerCounts")
]
GoodCounts: TypeAlias = Annotated[Vouched[Mapping[Good, HowMany]], About("How many of each good.", name="GoodCounts")]
Supplies: TypeAlias = Annotated[
    Vouched[Mapping[str, Mapping[Good, HowMany]]],
    About("The goods of the supply for each number of seats.", name="Supplies"),
]
BySeats: TypeAlias = Annotated[
    Vouched[Mapping[str, HowMany]], About("A number for each number of seats.", name="BySeats")
]
Count: TypeAlias = Annotated[Vouched[HowMany], About("How many there are.", name="Count")]


@dataclass(frozen=True, slots=True)
class Components:
    """A component set, every value with its provenance.

    ``prices`` and ``yields`` have a number for each slot of an area, ``small_box`` is what the
    small box of any slot gives. ``shop_columns`` are the pumpkins a column of the shop costs, from
    the left. ``coins`` are what the seats begin with, in turn order. ``goods`` and ``start_cows``
    are what every seat begins with; the goods come on top of ``supplies``, the cows out of
    ``cows``. ``cow_price`` are the coins a cow is traded for.
    """

    name: Annotated[str, About("The name of the set.", pattern="^.{1,40}$")]
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
    """A number of goods in words: "2 pumpkins", "2 small copper"."""
    return amount(number, noun(good)) if good in _SINGLE else f"{number} {noun(good)}"


def noun(thing: Good | Area | Terrain) -> str:
    """The word for a good, an area or a terrain in a sentence; small goods are "small"."""
    if thing is Good.COPPER or thing is Good.STONE:
        return f"small {thing.value}"
    if thing is Area.FIELD:
        return "wheat field"
    if thing is Area.GARDEN:
        return "pumpkin garden"
    return thing.value.replace("_", " ")


_SINGLE: Final = (Good.PUMPKIN, Good.STONE, Good.LARGE_STONE)


WIDEST: Final = 16
"""Columns are named A to P, rows 1 to 16."""
MOST_PLACES: Final = 6
"""The most slots of an area, spaces of the bank, rows and columns of the shop."""


def load_components(document: Mapping[str, Any]) -> Components:
    """The component set of a document. Raises ``DocumentError`` with all that does not fit."""
    parts: Components = from_document(Components, document)
    problems = [
        *_tile_problems(parts),
        *_layout_problems(parts),
        *_board_problems(parts),
        *_seat_problems("/supplies", parts.supplies.value),
        *_seat_problems("/settlements", parts.settlements.value),
        *by_name("/workers/value", parts.workers.value, WORKERS),
        *by_name("/goods/value", parts.goods.value, GOODS),
        *(
            problem
            for seats, goods in parts.supplies.value.items()
            for problem in by_name(f"/supplies/value/{seats}", goods, GOODS)
        ),
        *_count_problems(parts),
    ]
    if problems:
        raise DocumentError(tuple(problems))
    return parts


def _tile_problems(parts: Components) -> Problems:
    problems: Problems = []
    for name, hexes in parts.tiles.value.items():
        pointer = f"/tiles/value/{name}"
        if name not in tuple(ascii_uppercase):
            problems.append((pointer, f"The name of a tile is one letter from A to Z, not {name!r}."))
        if sorted(hexagon.at for hexagon in hexes) != sorted(FLOWER):
            places = ", ".join(str(list(at)) for at in FLOWER)
            problems.append((pointer, f"A tile has seven hexes, one at each of {places}."))
        if not any(hexagon.terrain is Terrain.PRAIRIE for hexagon in hexes):
            problems.append((pointer, "A tile has at least one prairie."))
        for index, hexagon in enumerate(hexes):
            problems += [(f"{pointer}/{index}", sentence) for sentence in _hex_problems(hexagon)]
    cows = sum(1 for hexes in parts.tiles.value.values() for hexagon in hexes if hexagon.cow)
    most = parts.cows.value - SEAT_COUNTS[-1] * parts.start_cows.value
    if cows > most:
        sentence = f"The tiles show {cows} cows; of {parts.cows.value} cows, at most {most} are left for them."
        problems.append(("/tiles/value", sentence))
    canteens = sum(1 for hexes in parts.tiles.value.values() for hexagon in hexes if hexagon.canteen)
    if canteens > parts.canteens.value:
        problems.append(("/tiles/value", f"The tiles show {canteens} canteens; there are {parts.canteens.value}."))
    return problems


def _hex_problems(hexagon: TileHex) -> list[str]:
    wrong: list[str] = []
    goods = sum(hexagon.cost.values())
    if hexagon.terrain is Terrain.PRAIRIE:
        if not 1 <= goods <= 9:
            wrong.append(f"A settlement costs 1 to 9 goods, not {goods}.")
    elif hexagon.cost or hexagon.cow or hexagon.double:
        wrong.append(f"Only prairie has a cost, a cow or a second settlement, and this is a {hexagon.terrain}.")
    if hexagon.canteen and hexagon.terrain is not Terrain.LAKE:
        wrong.append("Only a lake can have a canteen.")
    return wrong


def _layout_problems(parts: Components) -> Problems:
    problems = _seat_problems("/layouts", parts.layouts.value)
    for seats, layout in parts.layouts.value.items():
        pointer = f"/layouts/value/{seats}"
        if not 1 <= len(layout.centres) <= len(parts.tiles.value):
            sentence = f"{len(layout.centres)} tiles are laid; there are {len(parts.tiles.value)}."
            problems.append((f"{pointer}/centres", sentence))
            continue
        problems += [(pointer, sentence) for sentence in _ground_problems(layout)]
    return problems


def _ground_problems(layout: Layout) -> list[str]:
    hexes = [(q + dq, r + dr) for q, r in layout.centres for dq, dr in FLOWER]
    ground = set(hexes)
    if len(ground) < len(hexes):
        return ["Two tiles overlap."]
    found, edge = {hexes[0]}, [hexes[0]]
    while edge:
        for other in around_axial(edge.pop()):
            if other in ground and other not in found:
                found.add(other)
                edge.append(other)
    wrong = [] if found == ground else ["The tiles do not touch each other."]
    columns = [q + r // 2 for q, r in hexes]
    if max(columns) - min(columns) >= WIDEST or max(r for _, r in hexes) - min(r for _, r in hexes) >= WIDEST:
        wrong.append(f"The board is wider or higher than {WIDEST} hexes.")
    if not layout.middle or not set(layout.middle) <= ground:
        wrong.append("The middle is one or more hexes of the board.")
    return wrong


def _board_problems(parts: Components) -> Problems:
    problems: Problems = []
    for pointer, areas in (("/prices", parts.prices.value), ("/yields", parts.yields.value)):
        problems += by_name(f"{pointer}/value", areas, AREAS)
    for area in AREAS:
        prices, yields = parts.prices.value.get(area, ()), parts.yields.value.get(area, ())
        if not 1 <= len(prices) == len(yields) <= MOST_PLACES:
            needed = f"an area has one to {MOST_PLACES} slots with one of each"
            sentence = f"There are {len(prices)} prices and {len(yields)} yields; {needed}."
            problems.append((f"/yields/value/{area}", sentence))
    for pointer, length in (
        ("/bank", len(parts.bank.value)),
        ("/shop_rows", len(parts.shop_rows.value)),
        ("/shop_columns", len(parts.shop_columns.value)),
    ):
        if not 1 <= length <= MOST_PLACES:
            problems.append((f"{pointer}/value", f"There are {length} here; one to {MOST_PLACES} are needed."))
    columns = parts.shop_columns.value
    if list(columns) != sorted(set(columns)) or (columns and columns[0] < 1):
        sentence = "The columns of the shop cost more from left to right, and the first at least 1."
        problems.append(("/shop_columns/value", sentence))
    problems += [
        (f"/shop_rows/value/{index}", "A row gives goods to choose or upgrades, not both.")
        for index, row in enumerate(parts.shop_rows.value)
        if row.goods and row.upgrades
    ]
    problems += [
        (f"/wheel/value/{index}", "A segment shows two workers, both of given kinds or both of any kind.")
        for index, segment in enumerate(parts.wheel.value)
        if len(segment) != 2 or (Hiring.ANY in segment and segment != (Hiring.ANY, Hiring.ANY))
    ]
    if not 2 <= len(parts.wheel.value) <= 12:
        problems.append(("/wheel/value", f"There are {len(parts.wheel.value)} segments; a wheel has 2 to 12."))
    return problems


def _count_problems(parts: Components) -> Problems:
    problems = []
    if len(parts.coins.value) < SEAT_COUNTS[-1]:
        sentence = f"There are coins for {len(parts.coins.value)} seats; {SEAT_COUNTS[-1]} can play."
        problems.append(("/coins/value", sentence))
    without = [seats for seats, count in parts.settlements.value.items() if not count]
    problems += [(f"/settlements/value/{seats}", "A seat needs a settlement.") for seats in without]
    if sum(parts.workers.value.get(worker, 0) for worker in Worker) < 40:
        problems.append(("/workers/value", "There are fewer than 40 workers, which is too few for four seats."))
    return problems


def _seat_problems(pointer: str, values: Mapping[str, Any]) -> Problems:
    return by_name(f"{pointer}/value", values, tuple(map(str, SEAT_COUNTS)))
