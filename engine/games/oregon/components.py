"""The components of Oregon as data: symbols, terrain, buildings, decks and tokens."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any, Final, TypeAlias

from engine.components import Vouched, by_name
from engine.documents import About, Problems, from_document
from engine.errors import DocumentError
from engine.grid import neighbours8
from engine.wording import a

Symbol = StrEnum("Symbol", "WAGON BISON SETTLER EAGLE CAMPFIRE")
"""What a landscape card shows, and what heads three columns and two rows of the board."""
Building = StrEnum("Building", "POST_OFFICE HARBOUR CHURCH COAL_MINE GOLD_MINE WAREHOUSE STATION")
"""The seven buildings, of cards and tiles alike."""


class Terrain(StrEnum):
    """What a space shows, with its character on the map."""

    PRAIRIE = "."
    WATER = "~"
    MOUNTAIN = "^"
    RAILWAY = "="


class Deck(StrEnum):
    """The two decks cards are drawn from."""

    LANDSCAPE = "landscape"
    BUILDING = "building"


WIDTH: Final = 15
HEIGHT: Final = 10
SYMBOLS: Final = tuple(Symbol)
BUILDINGS: Final = tuple(Building)
SYMBOL_INDEX: Final[Mapping[str, int]] = {symbol: index for index, symbol in enumerate(SYMBOLS)}
BUILDING_INDEX: Final[Mapping[str, int]] = {building: index for index, building in enumerate(BUILDINGS)}
GROUND: Final[Mapping[Building, Terrain]] = {
    Building.POST_OFFICE: Terrain.PRAIRIE,
    Building.HARBOUR: Terrain.PRAIRIE,
    Building.CHURCH: Terrain.PRAIRIE,
    Building.COAL_MINE: Terrain.MOUNTAIN,
    Building.GOLD_MINE: Terrain.MOUNTAIN,
    Building.WAREHOUSE: Terrain.PRAIRIE,
    Building.STATION: Terrain.RAILWAY,
}
"""R4.1: the terrain each building stands on."""

MOST_SEATS: Final = 4
FEWEST_CARDS: Final = 16
"""The fewest cards of a kind; with fewer, four hands could not always be refilled."""

_NOUNS: Final[Mapping[str, str]] = {thing: thing.replace("_", " ") for thing in (*SYMBOLS, *BUILDINGS)}

HowMany = Annotated[int, About("How many there are.", minimum=1, maximum=999)]


@dataclass(frozen=True, slots=True)
class Options:
    """What the seats of a match may agree on: the differences between the editions."""

    discard_duplicates: Annotated[
        bool,
        About(
            "Italian edition: a building card just drawn that equals one already in your hand may be set aside too, to"
            " draw another card for it."
        ),
    ] = False


SymbolOrder: TypeAlias = Annotated[
    Vouched[tuple[Symbol, ...]],
    About("The symbols along an edge of the board, each heading a band of equal width.", name="SymbolOrder"),
]
Map: TypeAlias = Annotated[
    Vouched[tuple[str, ...]],
    About("Ten rows of fifteen characters: ``.`` prairie, ``~`` water, ``^`` mountain, ``=`` railway.", name="Map"),
]
Counts: TypeAlias = Annotated[
    Vouched[Mapping[str, HowMany]],
    About("How many there are of each; tokens are named by their value in points.", name="Counts"),
]
Count: TypeAlias = Annotated[Vouched[HowMany], About("How many there are.", name="Count")]


@dataclass(frozen=True, slots=True)
class Components:
    """A component set, every value with its provenance.

    ``columns`` runs from left to right, ``rows`` from top to bottom.
    """

    name: Annotated[str, About("The name of the set.", pattern="^.{1,40}$")]
    columns: SymbolOrder
    rows: SymbolOrder
    terrain: Map
    landscape_cards: Counts
    building_cards: Counts
    building_tiles: Counts
    start_tiles: Counts
    farmers: Count
    coal_tokens: Counts
    gold_tokens: Counts


def load_components(document: Mapping[str, Any]) -> Components:
    """The component set of a document. Raises ``DocumentError`` with all that does not fit."""
    components: Components = from_document(Components, document)
    problems = [
        *_order_problems("/columns", components.columns.value),
        *_order_problems("/rows", components.rows.value),
        *_map_problems(components.terrain.value),
        *by_name("/landscape_cards/value", components.landscape_cards.value, SYMBOLS),
        *by_name("/building_cards/value", components.building_cards.value, BUILDINGS),
        *by_name("/building_tiles/value", components.building_tiles.value, BUILDINGS),
        *by_name("/start_tiles/value", components.start_tiles.value, BUILDINGS),
        *_total_problems("/landscape_cards", components.landscape_cards.value),
        *_total_problems("/building_cards", components.building_cards.value),
        *_token_problems("/coal_tokens", components.coal_tokens.value),
        *_token_problems("/gold_tokens", components.gold_tokens.value),
    ]
    if problems:
        raise DocumentError(tuple(problems))
    return components


def noun(thing: Symbol | Building) -> str:
    """The word for a symbol or a building in a sentence."""
    return _NOUNS[thing]


def terrain_name(terrain: Terrain) -> str:
    """The word for a terrain in a sentence."""
    return terrain.name.lower()


def may_stand(terrain: tuple[str, ...], column: int, row: int, building: Building) -> bool:
    """R4.1 and R4.2: whether the ground of a space (0-based column and row) bears the building."""
    if terrain[row][column] != GROUND[building]:
        return False
    return building is not Building.HARBOUR or any(
        terrain[y][x] == Terrain.WATER for x, y in neighbours8((column, row), WIDTH, HEIGHT)
    )


def _order_problems(pointer: str, order: tuple[Symbol, ...]) -> Problems:
    if len(order) != len(SYMBOLS):
        return [
            (f"{pointer}/value", f"There are {len(order)} bands here; an edge has {len(SYMBOLS)}, one for each symbol.")
        ]
    return [
        (f"{pointer}/value/{index}", f"{symbol} already heads a band of this edge.")
        for index, symbol in enumerate(order)
        if symbol in order[:index]
    ]


def _map_problems(rows: tuple[str, ...]) -> Problems:
    if len(rows) != HEIGHT:
        return [("/terrain/value", f"There are {len(rows)} rows; the board has {HEIGHT}.")]
    problems: Problems = []
    for index, row in enumerate(rows):
        pointer = f"/terrain/value/{index}"
        if len(row) != WIDTH:
            problems.append((pointer, f"This row has {len(row)} spaces, not {WIDTH}."))
        strange = sorted(set(row) - {terrain.value for terrain in Terrain})
        if strange:
            shown = ", ".join(map(repr, strange))
            problems.append((pointer, f"{shown} is not a terrain; use {' '.join(Terrain)}."))
    return problems or _site_problems(rows)


def _site_problems(rows: tuple[str, ...]) -> Problems:
    problems = []
    for building in Building:
        spaces = ((column, row) for row in range(HEIGHT) for column in range(WIDTH))
        sites = sum(1 for column, row in spaces if may_stand(rows, column, row, building))
        if sites < MOST_SEATS:
            where = f"{terrain_name(GROUND[building])}{' next to water' if building is Building.HARBOUR else ''}"
            sentence = (
                f"Only {sites} spaces can hold {a(noun(building))} ({where}); at least {MOST_SEATS} are needed,"
                " so that every start tile fits."
            )
            problems.append(("/terrain/value", sentence))
    return problems


def _total_problems(pointer: str, counts: Mapping[str, int]) -> Problems:
    total, why = sum(counts.values()), "so that four hands can always be refilled"
    sentence = f"There are {total} cards in all; at least {FEWEST_CARDS} are needed, {why}."
    return [] if total >= FEWEST_CARDS else [(f"{pointer}/value", sentence)]


def _token_problems(pointer: str, counts: Mapping[str, int]) -> Problems:
    if not counts:
        return [(f"{pointer}/value", "There are no tokens; name each value with how many there are.")]
    return [
        (f"{pointer}/value/{value}", f"{value!r} is not a value of a token: use a whole number from 1 to 99.")
        for value in counts
        if not re.fullmatch(r"[1-9][0-9]?", value)
    ]
