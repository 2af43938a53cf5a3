"""The actions of seats and of chance in Oregon, from which the schemas of turns are derived."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Final, TypeAlias, get_args

from engine.documents import About
from engine.games.oregon.components import Building, Deck, Symbol

Space: TypeAlias = Annotated[
    str,
    About(
        "A space of the board: column letter A to O, row number 1 to 10.", pattern=r"^[A-O](10|[1-9])$", example="C7"
    ),
]
Cards: TypeAlias = Annotated[
    tuple[Symbol, ...],
    About("The landscape cards, two at most; their order does not matter.", max_items=2, example=["bison", "wagon"]),
]
Joker: TypeAlias = Annotated[bool, About("True if the joker token stands for one landscape card.")]
_SYMBOL_ORDER = {symbol: index for index, symbol in enumerate(Symbol)}
_BUILDING_ORDER = {building: index for index, building in enumerate(Building)}


@dataclass(frozen=True, slots=True)
class PlaceStart:
    """Place your start tile on an empty space of its terrain."""

    type: ClassVar[str] = "start"
    space: Space


@dataclass(frozen=True, slots=True)
class PlaceFarmer:
    """Play two landscape cards, or one and the joker, and place a farmer in an area they name."""

    type: ClassVar[str] = "farmer"
    space: Space
    cards: Cards
    joker: Joker = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "cards", sorted_symbols(self.cards))


@dataclass(frozen=True, slots=True)
class PlaceBuilding:
    """Play a building card and a landscape card, or the joker instead of that, and place a tile of
    that building.
    """

    type: ClassVar[str] = "building"
    space: Space
    building: Annotated[Building, About("The building.")]
    cards: Cards = ()
    joker: Joker = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "cards", sorted_symbols(self.cards))


@dataclass(frozen=True, slots=True)
class UseExtraTurn:
    """Flip your active extra turn token; a second play follows."""

    type: ClassVar[str] = "extra"


@dataclass(frozen=True, slots=True)
class DrawCard:
    """Draw one card from the deck of your choice; the first draw ends your plays."""

    type: ClassVar[str] = "draw"
    deck: Annotated[Deck, About("The deck.")]


@dataclass(frozen=True, slots=True)
class SetAside:
    """Set a useless building card aside, face up, to draw another card for it."""

    type: ClassVar[str] = "set_aside"
    building: Annotated[Building, About("The building card.")]


@dataclass(frozen=True, slots=True)
class Discard:
    """Discard two cards of your choice because no play is possible."""

    type: ClassVar[str] = "discard"
    symbols: Cards = ()
    buildings: Annotated[
        tuple[Building, ...], About("The building cards, two at most; their order does not matter.", max_items=2)
    ] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "symbols", sorted_symbols(self.symbols))
        object.__setattr__(self, "buildings", sorted_buildings(self.buildings))


@dataclass(frozen=True, slots=True)
class Done:
    """End your turn with a full hand; asked for only while a card could perhaps be set aside."""

    type: ClassVar[str] = "done"


@dataclass(frozen=True, slots=True)
class DealSymbol:
    """Chance gives a seat a landscape card."""

    type: ClassVar[str] = "deal_symbol"
    to: Annotated[int, About("The seat.")]
    symbol: Annotated[Symbol, About("The card.")]


@dataclass(frozen=True, slots=True)
class DealBuilding:
    """Chance gives a seat a building card."""

    type: ClassVar[str] = "deal_building"
    to: Annotated[int, About("The seat.")]
    building: Annotated[Building, About("The card.")]


@dataclass(frozen=True, slots=True)
class DealStartTile:
    """Chance gives a seat its start tile, face up."""

    type: ClassVar[str] = "deal_start_tile"
    to: Annotated[int, About("The seat.")]
    building: Annotated[Building, About("The tile.")]


@dataclass(frozen=True, slots=True)
class DealCoal:
    """Chance gives a seat a coal token of some value, face down."""

    type: ClassVar[str] = "deal_coal"
    to: Annotated[int, About("The seat.")]
    value: Annotated[int, About("The value of the token.")]


@dataclass(frozen=True, slots=True)
class DealGold:
    """Chance gives a seat a gold token of some value, face down."""

    type: ClassVar[str] = "deal_gold"
    to: Annotated[int, About("The seat.")]
    value: Annotated[int, About("The value of the token.")]


SeatAction: TypeAlias = PlaceStart | PlaceFarmer | PlaceBuilding | UseExtraTurn | DrawCard | SetAside | Discard | Done
Deal: TypeAlias = DealSymbol | DealBuilding | DealStartTile | DealCoal | DealGold
Action: TypeAlias = SeatAction | Deal
SEAT_ACTIONS: Final[tuple[type[SeatAction], ...]] = get_args(SeatAction)
CHANCE_ACTIONS: Final[tuple[type[Deal], ...]] = get_args(Deal)


def sorted_symbols(symbols: tuple[Symbol, ...]) -> tuple[Symbol, ...]:
    """The symbols in the order of the board's edges."""
    return tuple(sorted(symbols, key=_SYMBOL_ORDER.__getitem__))


def sorted_buildings(buildings: tuple[Building, ...]) -> tuple[Building, ...]:
    """The buildings in the order of the rules."""
    return tuple(sorted(buildings, key=_BUILDING_ORDER.__getitem__))
