"""The actions of seats and of chance in Montana, from which the schemas of turns are derived."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Final, TypeAlias, get_args

from engine.documents import About
from engine.games.montana.components import GOOD_INDEX, WORKER_INDEX, Area, Good, Worker

HexName: TypeAlias = Annotated[
    str,
    About(
        "A hex of the board: column letter from the left, row number from the top.",
        pattern=r"^[A-P](1[0-6]|[1-9])$",
        example="C5",
    ),
]
Two: TypeAlias = Annotated[
    tuple[Worker, ...], About("One or two workers, in any order.", example=["copper", "stone"], max_items=2)
]
Three: TypeAlias = Annotated[
    tuple[Worker, ...], About("One to three workers, in any order.", example=["copper", "stone"], max_items=3)
]
_Place: TypeAlias = Annotated[int, About("Counted from 1.", minimum=1, maximum=6)]


@dataclass(frozen=True, slots=True)
class Recruit:
    """Spin the wheel and take the two workers it shows."""

    type: ClassVar[str] = "recruit"


@dataclass(frozen=True, slots=True)
class MoveArrow:
    """After the spin: pay wheat to move the arrow that many segments on, and take two more
    workers.
    """

    type: ClassVar[str] = "move_arrow"
    wheat: Annotated[int, About("How much wheat, and how many segments.", minimum=1, maximum=7)]


@dataclass(frozen=True, slots=True)
class ChooseWorkers:
    """The arrow shows any workers: say which two you take."""

    type: ClassVar[str] = "choose"
    workers: Two

    def __post_init__(self) -> None:
        object.__setattr__(self, "workers", sorted_workers(self.workers))


@dataclass(frozen=True, slots=True)
class ReturnWorkers:
    """You have more workers than room: say which go back to the supply."""

    type: ClassVar[str] = "return"
    workers: Two

    def __post_init__(self) -> None:
        object.__setattr__(self, "workers", sorted_workers(self.workers))


@dataclass(frozen=True, slots=True)
class UseBank:
    """Put exactly as many workers on a free space of the bank as it shows, and take its coins."""

    type: ClassVar[str] = "bank"
    space: _Place
    workers: Three

    def __post_init__(self) -> None:
        object.__setattr__(self, "workers", sorted_workers(self.workers))


@dataclass(frozen=True, slots=True)
class Harvest:
    """Put a fitting worker, or any two, on the large box of a free slot, pay its price and take its
    goods.
    """

    type: ClassVar[str] = "harvest"
    area: Annotated[Area, About("The area.")]
    slot: _Place
    workers: Two

    def __post_init__(self) -> None:
        object.__setattr__(self, "workers", sorted_workers(self.workers))


@dataclass(frozen=True, slots=True)
class HarvestAgain:
    """Put a fitting worker, or any two, on the small box of the same slot, and take one good
    more.
    """

    type: ClassVar[str] = "again"
    workers: Two

    def __post_init__(self) -> None:
        object.__setattr__(self, "workers", sorted_workers(self.workers))


@dataclass(frozen=True, slots=True)
class PlaceInTown:
    """Place your representative in the shop: to go to town as your turn, or in answer to another
    seat that did, or because it was overtaken.
    """

    type: ClassVar[str] = "town"
    row: _Place
    column: _Place


@dataclass(frozen=True, slots=True)
class Pass:
    """Keep your representative out of the shop for the rest of this town."""

    type: ClassVar[str] = "pass"


@dataclass(frozen=True, slots=True)
class TakeGoods:
    """Your row of the shop gives goods of choice: name them all."""

    type: ClassVar[str] = "take"
    goods: Annotated[
        tuple[Good, ...],
        About("Wheat, small copper and small stone, in any order.", example=["wheat", "copper", "copper"], max_items=3),
    ]

    def __post_init__(self) -> None:
        object.__setattr__(self, "goods", sorted_goods(self.goods))


@dataclass(frozen=True, slots=True)
class Upgrade:
    """Your row of the shop exchanges small goods for large ones: name all the small ones you give,
    or none.
    """

    type: ClassVar[str] = "upgrade"
    goods: Annotated[
        tuple[Good, ...], About("Small copper and small stone, in any order.", example=["copper", "stone"], max_items=3)
    ] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "goods", sorted_goods(self.goods))


@dataclass(frozen=True, slots=True)
class Build:
    """Pay a hex's goods and build there, with all the free settlements you have a right to, or with
    fewer.
    """

    type: ClassVar[str] = "build"
    hex: HexName
    settlements: Annotated[
        int | None,
        About(
            "How many settlements in all, the paid one included; as many as possible if left out.", minimum=1, maximum=5
        ),
    ] = None


@dataclass(frozen=True, slots=True)
class TradeForGood:
    """Give a cow for a small good, wheat or a pumpkin."""

    type: ClassVar[str] = "trade_good"
    good: Annotated[Good, About("The good.")]


@dataclass(frozen=True, slots=True)
class TradeForCoins:
    """Give a cow for three coins."""

    type: ClassVar[str] = "trade_coins"


@dataclass(frozen=True, slots=True)
class TradeForWorker:
    """Give a cow for a worker."""

    type: ClassVar[str] = "trade_worker"
    worker: Annotated[Worker, About("The worker.")]


@dataclass(frozen=True, slots=True)
class UseCanteen:
    """End your turn and spend a canteen: another turn of yours follows at once."""

    type: ClassVar[str] = "canteen"


@dataclass(frozen=True, slots=True)
class EndTurn:
    """End your turn."""

    type: ClassVar[str] = "end"


@dataclass(frozen=True, slots=True)
class LayTile:
    """Chance lays a landscape tile on the next place of the layout, turned clockwise by so many
    sixths.
    """

    type: ClassVar[str] = "lay_tile"
    tile: Annotated[str, About("The name of the tile.")]
    turned: Annotated[int, About("Sixths of a full turn, clockwise.", minimum=0, maximum=5)]


@dataclass(frozen=True, slots=True)
class LayStart:
    """Chance puts the start tile on a hex."""

    type: ClassVar[str] = "lay_start"
    hex: HexName


@dataclass(frozen=True, slots=True)
class Spin:
    """Chance spins the wheel: the arrow stops on this segment, counted from 1."""

    type: ClassVar[str] = "spin"
    segment: Annotated[int, About("Counted clockwise from 1.", minimum=1, maximum=12)]


SeatAction: TypeAlias = (
    Recruit
    | MoveArrow
    | ChooseWorkers
    | ReturnWorkers
    | UseBank
    | Harvest
    | HarvestAgain
    | PlaceInTown
    | Pass
    | TakeGoods
    | Upgrade
    | Build
    | TradeForGood
    | TradeForCoins
    | TradeForWorker
    | UseCanteen
    | EndTurn
)
ChanceAction: TypeAlias = LayTile | LayStart | Spin
Action: TypeAlias = SeatAction | ChanceAction
SEAT_ACTIONS: Final[tuple[type[SeatAction], ...]] = get_args(SeatAction)
CHANCE_ACTIONS: Final[tuple[type[ChanceAction], ...]] = get_args(ChanceAction)


def sorted_workers(workers: tuple[Worker, ...]) -> tuple[Worker, ...]:
    """The workers in canonical order."""
    return tuple(sorted(workers, key=WORKER_INDEX.__getitem__)) if len(workers) > 1 else workers


def sorted_goods(goods: tuple[Good, ...]) -> tuple[Good, ...]:
    """The goods in canonical order."""
    return tuple(sorted(goods, key=GOOD_INDEX.__getitem__)) if len(goods) > 1 else goods
