"""Where the parts of Montana's picture lie and how they look, by layout and number of seats."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final, TypeAlias

from engine.games.montana.components import Area
from engine.games.montana.observe import Observation
from engine.panel import Block
from engine.picks import Choices
from engine.svg import BORDER, BRIGHT, CARD, INK, PAPER, SAND
from engine.types import Layout

Part = StrEnum("Part", "LAND HEAD SEATS WORK TOWN WHEEL SUPPLY KEY")
"""The parts of a picture, in their order on a phone."""


@dataclass(frozen=True, slots=True)
class Look:
    """The colours of surfaces; ``lake`` is water and shore, ``rock`` ground, light and shadow."""

    table: str = SAND
    paper: str = PAPER
    border: str = BORDER
    card: str = CARD
    bright: str = BRIGHT
    row: str = "#f1e2bd"
    taken: str = "#e4d3a8"
    prairie: tuple[str, str, str] = ("#dbe5b3", "#e2eabf", "#d5e0a9")
    open: str = "#f3f3cf"
    lake: tuple[str, str] = ("#a6d3ea", "#efe0b4")
    rock: tuple[str, str, str] = ("#d3cbc1", "#a69b90", "#8a7f74")
    grounds: Mapping[Area, str] = field(
        default_factory=lambda: dict(zip(Area, ("#f1d9c4", "#dfe1e5", "#f6e9b9", "#fbdcb8"), strict=True))
    )
    rim: str = "#5a3f29"
    rim_text: str = "#fff6e4"
    segments: tuple[str, str] = ("#f1e2bd", "#e6d2a2")
    shown: str = "#fff6d8"
    shadow: float = 0.28


@dataclass(frozen=True, slots=True)
class Marks:
    """How hexes are marked, in units of a hex with a side of 48; ``compact`` ones have large names,
    and numbers instead of several pieces.
    """

    name_size: float = 14.5
    name_y: float = -27
    compact: bool = False


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a sheet: rows of parts with their widths."""

    x: float
    rows: tuple[tuple[tuple[Part, float], ...], ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet, in user units: where the parts lie, and how large. Without a ``height`` it is as
    high as its contents, otherwise the landscape takes the room that is left. ``abreast`` cards of
    seats are side by side; ``fine`` scales supply and key.
    """

    columns: tuple[Column, ...]
    width: float = 1200
    look: Look = Look()
    marks: Marks = Marks()
    abreast: int = 1
    card: float = 168
    fine: float = 1
    title: float = 28
    status: float = 16
    margin: float = 20
    gap: float = 14
    height: float | None = None


_INK_ON_WHITE: Final = Look(
    **dict.fromkeys(("table", "paper", "card", "bright", "row", "open", "rim"), "#ffffff"),
    border="#8a8072",
    taken="#e6e6e6",
    prairie=("#ffffff", "#ffffff", "#ffffff"),
    lake=("#e3f1f8", "#ffffff"),
    rock=("#f4f2ef", "#ffffff", "#e2ded9"),
    grounds=dict.fromkeys(Area, "#ffffff"),
    rim_text=INK,
    segments=("#ffffff", "#ffffff"),
    shown="#ececec",
    shadow=0,
)

DARK: Final[Mapping[str, str]] = {
    "#dbe5b3": "#39432b",  # prairie, in three shades
    "#e2eabf": "#3e492f",
    "#d5e0a9": "#353f27",
    "#f3f3cf": "#5c5a34",  # open to build
    "#9db061": "#6d8141",  # plants
    "#9a8734": "#c9b45e",
    "#3b7a1f": "#9bd67c",
    "#a6d3ea": "#1f4a63",  # lakes
    "#3d7fa6": "#5fa3c9",
    "#efe0b4": "#5b4f33",
    "#d3cbc1": "#4a453f",  # mountains
    "#4a3421": "#8a7355",  # borders of tiles
    "#a99a6c": "#8a7355",
    "#f1d9c4": "#4d3626",  # the areas
    "#dfe1e5": "#3b3e44",
    "#f6e9b9": "#4a4122",
    "#fbdcb8": "#4f3a1f",
    "#f1e2bd": "#4a3d28",  # the bank, rows of the shop, segments of the wheel
    "#e4d3a8": "#2b241a",
    "#e6d2a2": "#3d3220",
    "#fff6d8": "#6a5a30",
    "#5a3f29": "#6b4c32",  # the rim of the wheel
    "#1d1712": "#efe6d3",  # around settlements and representatives
    "#b9a67e": "#8f7d60",  # free places for workers
    "#c9b68d": "#6f6048",
}
"""What is drawn on a screen in the dark, by its colour in the light."""

# Twelve hundred units wide; what stands below the seats depends on how many there are.
_LEFT, _RIGHT = 872.0, 268.0
_BOARDS: Final = ((Part.WORK, 492.0), (Part.TOWN, 366.0))


def _desktop(left: tuple[Part, ...], right: tuple[Part, ...]) -> Sheet:
    return Sheet(
        columns=(
            Column(20, (((Part.LAND, _LEFT),), _BOARDS, *(((part, _LEFT),) for part in left))),
            Column(912, (*(((part, _RIGHT),) for part in right), ((Part.WHEEL, _RIGHT),))),
        )
    )


_PHONE_WIDTH: Final = 352.0
_PHONE: Final = Sheet(
    width=360,
    columns=(Column(4, tuple(((part, _PHONE_WIDTH),) for part in Part)),),
    marks=Marks(name_size=25.5, name_y=-16, compact=True),
    card=132,
    fine=0.9,
    title=20,
    status=14,
    margin=6,
    gap=8,
)
_BOARD: Final = replace(_PHONE, columns=(Column(4, (((Part.LAND, _PHONE_WIDTH),),)),))
# A4, upright: 210 to 297.
_PRINT_BOARDS: Final = ((Part.WORK, 486.0), (Part.TOWN, 352.0), (Part.WHEEL, 254.0))
_UPPER, _LOWER = (
    tuple(((part, 1120.0),) for part in parts)
    for parts in ((Part.HEAD, Part.LAND, Part.SEATS), (Part.SUPPLY, Part.KEY))
)
_PRINT: Final = Sheet(
    height=1697,
    columns=(Column(40, (*_UPPER, _PRINT_BOARDS, *_LOWER)),),
    look=_INK_ON_WHITE,
    abreast=4,
    card=150,
    margin=40,
)
_SHEETS: Final = {
    2: _desktop((Part.KEY,), (Part.HEAD, Part.SEATS, Part.SUPPLY)),
    3: _desktop((Part.SUPPLY,), (Part.HEAD, Part.SEATS, Part.KEY)),
    4: _desktop((Part.SUPPLY, Part.KEY), (Part.HEAD, Part.SEATS)),
}


def sheet(layout: Layout, seats: int) -> Sheet:
    """The sheet for a layout and a number of seats."""
    if layout is Layout.PRINT:
        return replace(_PRINT, abreast=seats)
    return _SHEETS[seats] if layout is Layout.DESKTOP else _PHONE if layout is Layout.PHONE else _BOARD


@dataclass(frozen=True, slots=True)
class Scene:
    """What is drawn: the observation, the players' names, the sheet, what is to be marked."""

    observation: Observation
    names: Sequence[str]
    sheet: Sheet
    choices: Choices


Drawer: TypeAlias = Callable[[Scene, float], Block]
"""Draws a part in the given width."""
