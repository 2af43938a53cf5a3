"""Where things lie in Oregon's picture, in user units, and its colours: the defaults are those of a
wide screen. A spot is a place with a font size or an icon's scale.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

from engine.svg import ACCENT, BORDER, BRIGHT, CARD, INK, LETTER, PAPER, SAND
from engine.types import Layout


@dataclass(frozen=True, slots=True)
class Inks:
    """The colours of a picture: ``ground`` has a fill and a line for each terrain, ``farmers`` and
    ``letters`` are by seat, ``cards`` of landscape and buildings; ``active`` is a token to be used.
    """

    page: str = SAND
    panel: str = PAPER
    idle: str = CARD
    bright: str = BRIGHT
    border: str = BORDER
    accent: str = ACCENT
    plate: str = "#5a3f29"
    plate_line: str = "#5a3f29"
    plate_ink: str = "#fff4dc"
    ground: Mapping[str, tuple[str, str]] = field(
        hash=False,
        default_factory=lambda: {
            ".": ("#dfe8b9", "#8fa451"),
            "~": ("#a6d3ea", "#3d7fa6"),
            "^": ("#cfc8c0", "#8d847a"),
            "=": ("#f1e2bd", "#cdb684"),
        },
    )
    rocks: tuple[str, str] = ("#8a7f74", "#a69b90")
    rails: tuple[str, str, str] = ("#3f362e", "#7a5a3a", "#f1e2bd")
    farmers: tuple[str, ...] = ("#c8372d", "#2a6db0", "#f7cb2d", "#2b2b30")
    letters: tuple[str, ...] = ("#ffffff", "#ffffff", LETTER, "#ffffff")
    tile: str = "#fff8ea"
    cards: tuple[str, str] = ("#eef3d8", "#f3e2bf")
    active: str = INK
    active_ink: str = PAPER
    active_line: str = INK


# Farmers differ by letter and hat, terrain by its drawing; nothing large is filled.
PRINTED: Final = Inks(
    **dict.fromkeys(("page", "panel", "idle", "bright", "plate", "tile", "active"), "#ffffff"),
    border="#8a8a8a",
    accent="#000000",
    plate_line=INK,
    plate_ink=INK,
    ground={
        ".": ("#ffffff", "#bdbdbd"),
        "~": ("#ffffff", "#4a4a4a"),
        "^": ("#ffffff", "#7a7a7a"),
        "=": ("#ffffff", "#a8a8a8"),
    },
    rocks=("#ffffff", "#ffffff"),
    rails=("#4a4a4a", "#8a8a8a", "#ffffff"),
    farmers=("#ffffff",) * 4,
    letters=(INK,) * 4,
    cards=("#ffffff", "#ffffff"),
    active_ink="#000000",
    active_line="#000000",
)


Spot: TypeAlias = tuple[float, float, float]
"""x, y, size."""


@dataclass(frozen=True, slots=True)
class Board:
    """The board, by its upper left corner and the size of a space, and its edges.

    A plate heads three columns (``plate``) or two rows (``row_plate``), with ``gap`` around it; the
    spots of its symbol and name are from its upper left corner. ``letter`` is the baseline of the
    letters of the columns, ``number`` the middle of the numbers of the rows, from the board, with
    their size. ``farmer`` is the scale of a farmer, ``tile`` the size of a building, ``tile_icon``
    how far its icon is below the middle, with its scale.
    """

    left: float = 92
    top: float = 84
    cell: tuple[float, float] = (54, 54)
    plate_height: float = 40
    plate_top: float = -68
    plate_icon: Spot = (26, 20, 0.86)
    plate_name: Spot = (50, 26.5, 18.5)
    plate_anchor: str = "start"
    row_plate_width: float = 44
    row_plate_left: float = -76
    row_icon: Spot = (22, 32, 0.92)
    row_name: Spot = (22, 82, 24)
    gap: float = 4
    letter: tuple[float, float] = (-8, 18)
    number: tuple[float, float] = (-16, 18)
    farmer: float = 1.06
    tile: tuple[float, float] = (44, 44)
    tile_icon: tuple[float, float] = (0, 0.94)
    tile_code: tuple[float, float] | None = None
    """The baseline and size of the code on a tile; ``None`` if its icon is large enough."""


@dataclass(frozen=True, slots=True)
class Seats:
    """The card of a seat. ``score`` is a baseline and a size; ``sheet`` the sum at the end."""

    height: float = 96
    farmer: Spot = (25, 22, 0.8)
    name: Spot = (48, 29, 17)
    score: tuple[float, float] = (31, 26)
    farmers_left: Spot = (20, 53, 16)
    landscape: Spot = (82, 53, 16)
    building: Spot = (136, 53, 16)
    coal: Spot = (192, 53, 16)
    gold: Spot = (248, 53, 16)
    joker: Spot = (10, 68, 14)
    extra: Spot = (76, 68, 14)
    tile: Spot = (276, 78, 0.56)
    sheet: Spot = (14, 68, 14)


@dataclass(frozen=True, slots=True)
class Supplies:
    """The rows of the decks: their height, where their parts begin, the size of texts. ``cards``
    and ``first`` are where the word and the icons of discards begin, ``step`` is from one icon to
    the next, ``lower`` how far they lie below the deck.
    """

    height: float = 31
    name: float = 30
    count: float = 170
    typed: float = 250
    anchor: str = "start"
    cards: float = 388
    first: float = 474
    step: float = 58
    lower: float = 0
    gold: float = 200
    size: float = 14.5
    scale: float = 0.58


@dataclass(frozen=True, slots=True)
class Worth:
    """The cells of the buildings: how many in a row, their height, and the spots in them."""

    across: int = 4
    height: float = 43
    icon: Spot = (21, 20, 0.8)
    name: Spot = (48, 16, 15)
    worth: Spot = (48, 34, 14)


@dataclass(frozen=True, slots=True)
class Plan:
    """Where things lie: ``side`` is the column of the seats, ``below`` that of the legend (x, y,
    width). Without a ``height`` the columns lie one below the other. ``title``, ``text`` and
    ``small`` are sizes of letters, ``line`` is the step between lines, ``card`` and ``swatch`` are
    sizes.
    """

    width: float = 1256
    height: float | None = 888
    side: tuple[float, float, float] = (922, 20, 314)
    below: tuple[float, float, float] = (20, 644, 882)
    title: float = 30
    text: float = 15.5
    line: float = 19
    small: float = 14
    card: tuple[float, float] = (69, 72)
    swatch: float = 26
    board: Board = Board()
    seats: Seats = Seats()
    supplies: Supplies = Supplies()
    worth: Worth = Worth()
    inks: Inks = Inks()


_PHONE: Final = Plan(
    width=360,
    height=None,
    side=(6, 354, 348),
    below=(6, 0, 348),
    title=17,
    text=13,
    line=16.5,
    small=11.5,
    card=(78, 66),
    swatch=20,
    board=Board(
        left=28.5,
        top=45,
        cell=(22, 30),
        plate_height=28,
        plate_top=-43,
        plate_icon=(32, 8.5, 0.38),
        plate_name=(32, 24.7, 11),
        plate_anchor="middle",
        row_plate_width=12,
        row_plate_left=-28,
        row_icon=(6, 20, 0.3),
        row_name=(6, 45, 12),
        gap=1,
        letter=(-4, 11),
        number=(-7.8, 11),
        farmer=0.66,
        tile=(20.6, 27.5),
        tile_icon=(-4.2, 0.44),
        tile_code=(12, 11),
    ),
    seats=Seats(
        height=58,
        farmer=(17, 18, 0.62),
        name=(34, 22, 14),
        score=(23, 20),
        farmers_left=(15, 43, 12.5),
        landscape=(58, 43, 12.5),
        building=(95, 43, 12.5),
        coal=(132, 43, 12.5),
        gold=(170, 43, 12.5),
        joker=(204, 33.5, 12),
        extra=(258, 33.5, 12),
        tile=(325, 43, 0.46),
        sheet=(10, 47, 12.5),
    ),
    supplies=Supplies(
        height=24,
        name=26,
        count=138,
        typed=344,
        anchor="end",
        cards=4,
        first=72,
        step=40,
        lower=24,
        gold=174,
        size=11.5,
        scale=0.42,
    ),
    worth=Worth(across=2, height=35, icon=(15, 15, 0.6), name=(34, 12.5, 12), worth=(34, 26.5, 11)),
)

PLANS: Final[Mapping[Layout, Plan]] = {
    Layout.DESKTOP: Plan(),
    Layout.PHONE: _PHONE,
    Layout.PRINT: Plan(inks=PRINTED),
    Layout.BOARD: replace(_PHONE, height=_PHONE.side[1]),
}
"""The plan of each layout. The wide one has the proportions of a sheet of A4."""

DARK: Final[Mapping[str, str]] = {
    "#5a3f29": "#6b4c32",  # the plates at the edges
    "#dfe8b9": "#39432b",  # prairie
    "#8fa451": "#6d8141",
    "#a6d3ea": "#1f4a63",  # water
    "#3d7fa6": "#5fa3c9",
    "#cfc8c0": "#4a453f",  # mountains
    "#f1e2bd": "#4a3d28",  # railway
    "#cdb684": "#7a6a48",
    "#3f362e": "#c9b894",  # rails
    "#4a3421": "#8a7355",  # the lines of the board
    "#26262a": "#63636c",  # coal
    "#1d1712": "#efe6d3",  # around farmers
    "#eef3d8": "#333d22",  # landscape cards
    "#f3e2bf": "#4a3a20",  # building cards
}
"""What is drawn on the ground of a screen in the dark, by its colour in the light."""
