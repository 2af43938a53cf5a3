"""Where things lie in Oregon's picture for each layout, in user units, and its colours. A spot is a
place with a font size or an icon's scale.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

from engine.svg import ACCENT, BORDER, INK, PAPER, SAND
from engine.types import Layout


@dataclass(frozen=True, slots=True)
class Inks:
    """The colours of a picture.

    ``ground`` has a fill and a line for each terrain; ``farmers`` and ``letters`` are by seat;
    ``cards`` fill landscape and building cards; ``active`` fills a token that can be used, with
    letters in ``active_ink`` and the outline ``active_line``.
    """

    page: str
    panel: str
    idle: str
    border: str
    accent: str
    plate: str
    plate_line: str
    plate_ink: str
    ground: Mapping[str, tuple[str, str]] = field(hash=False)
    rocks: tuple[str, str]
    rails: tuple[str, str, str]
    farmers: tuple[str, ...]
    letters: tuple[str, ...]
    tile: str
    cards: tuple[str, str]
    active: str
    active_ink: str
    active_line: str


SCREEN: Final = Inks(
    page=SAND,
    panel=PAPER,
    idle="#fbf3e0",
    border=BORDER,
    accent=ACCENT,
    plate="#5a3f29",
    plate_line="#5a3f29",
    plate_ink="#fff4dc",
    ground={
        ".": ("#dfe8b9", "#8fa451"),
        "~": ("#a6d3ea", "#3d7fa6"),
        "^": ("#cfc8c0", "#8d847a"),
        "=": ("#f1e2bd", "#cdb684"),
    },
    rocks=("#8a7f74", "#a69b90"),
    rails=("#3f362e", "#7a5a3a", "#f1e2bd"),
    farmers=("#c8372d", "#2a6db0", "#f7cb2d", "#2b2b30"),
    letters=("#ffffff", "#ffffff", INK, "#ffffff"),
    tile=PAPER,
    cards=("#eef3d8", "#f3e2bf"),
    active=INK,
    active_ink="#ffffff",
    active_line=INK,
)

# Farmers differ by letter and hat, terrain by its drawing; nothing large is filled.
PRINTED: Final = Inks(
    page="#ffffff",
    panel="#ffffff",
    idle="#ffffff",
    border="#8a8a8a",
    accent="#000000",
    plate="#ffffff",
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
    tile="#ffffff",
    cards=("#ffffff", "#ffffff"),
    active="#ffffff",
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

    left: float
    top: float
    cell: tuple[float, float]
    plate_height: float
    plate_top: float
    plate_icon: Spot
    plate_name: Spot
    plate_anchor: str
    row_plate_width: float
    row_plate_left: float
    row_icon: Spot
    row_name: Spot
    gap: float
    letter: tuple[float, float]
    number: tuple[float, float]
    farmer: float
    tile: tuple[float, float]
    tile_icon: tuple[float, float]
    tile_code: tuple[float, float] | None
    """The baseline and size of the code on a tile; ``None`` if its icon is large enough."""


@dataclass(frozen=True, slots=True)
class Seats:
    """The card of a seat. ``score`` is a baseline and a size; ``sheet`` the sum at the end."""

    height: float
    farmer: Spot
    name: Spot
    score: tuple[float, float]
    farmers_left: Spot
    landscape: Spot
    building: Spot
    coal: Spot
    gold: Spot
    joker: Spot
    extra: Spot
    tile: Spot
    sheet: Spot


@dataclass(frozen=True, slots=True)
class Supplies:
    """The rows of the decks: the height of a row, where its parts begin, and the size of texts.

    ``cards`` and ``first`` are where the word and the icons of the discards begin, as those of the
    cards set aside; ``step`` is from one icon to the next. ``lower`` is how far they lie below the
    deck: 0, or a row.
    """

    height: float
    name: float
    count: float
    typed: float
    anchor: str
    cards: float
    first: float
    step: float
    lower: float
    gold: float
    size: float
    scale: float


@dataclass(frozen=True, slots=True)
class Worth:
    """The cells of the buildings: how many in a row, their height, and the spots in them."""

    across: int
    height: float
    icon: Spot
    name: Spot
    worth: Spot


@dataclass(frozen=True, slots=True)
class Plan:
    """Where things lie.

    ``side`` is the column of the seats and ``below`` that of the legend: x, y and width. Without a
    ``height`` the picture is as high as its columns, which lie one below the other. ``title``,
    ``text`` and ``small`` are sizes of letters, ``line`` is from one line to the next; ``card`` is
    the size of a card in hand, ``swatch`` that of a terrain in the legend.
    """

    width: float
    height: float | None
    side: tuple[float, float, float]
    below: tuple[float, float, float]
    title: float
    text: float
    line: float
    small: float
    card: tuple[float, float]
    swatch: float
    board: Board
    seats: Seats
    supplies: Supplies
    worth: Worth
    inks: Inks


_WIDE: Final = Plan(
    width=1256,
    height=888,
    side=(922, 20, 314),
    below=(20, 644, 882),
    title=30,
    text=15.5,
    line=19,
    small=14,
    card=(69, 72),
    swatch=26,
    board=Board(
        left=92,
        top=84,
        cell=(54, 54),
        plate_height=40,
        plate_top=-68,
        plate_icon=(26, 20, 0.86),
        plate_name=(50, 26.5, 18.5),
        plate_anchor="start",
        row_plate_width=44,
        row_plate_left=-76,
        row_icon=(22, 32, 0.92),
        row_name=(22, 82, 24),
        gap=4,
        letter=(-8, 18),
        number=(-16, 18),
        farmer=1.06,
        tile=(44, 44),
        tile_icon=(0, 0.94),
        tile_code=None,
    ),
    seats=Seats(
        height=96,
        farmer=(25, 22, 0.8),
        name=(48, 29, 17),
        score=(31, 26),
        farmers_left=(20, 53, 16),
        landscape=(82, 53, 16),
        building=(136, 53, 16),
        coal=(192, 53, 16),
        gold=(248, 53, 16),
        joker=(10, 68, 14),
        extra=(76, 68, 14),
        tile=(276, 78, 0.56),
        sheet=(14, 68, 14),
    ),
    supplies=Supplies(
        height=31,
        name=30,
        count=170,
        typed=250,
        anchor="start",
        cards=388,
        first=474,
        step=58,
        lower=0,
        gold=200,
        size=14.5,
        scale=0.58,
    ),
    worth=Worth(across=4, height=43, icon=(21, 20, 0.8), name=(48, 16, 15), worth=(48, 34, 14)),
    inks=SCREEN,
)

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
        plate_name=(32, 24.5, 10.5),
        plate_anchor="middle",
        row_plate_width=12.5,
        row_plate_left=-27.5,
        row_icon=(6.25, 20, 0.31),
        row_name=(6.25, 45, 12),
        gap=1,
        letter=(-4, 11),
        number=(-7.4, 10),
        farmer=0.66,
        tile=(20.6, 27.5),
        tile_icon=(-4.2, 0.44),
        tile_code=(11.6, 10),
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
    inks=SCREEN,
)

PLANS: Final[Mapping[Layout, Plan]] = {
    Layout.DESKTOP: _WIDE,
    Layout.PHONE: _PHONE,
    Layout.PRINT: replace(_WIDE, inks=PRINTED),
    Layout.BOARD: replace(_PHONE, height=_PHONE.side[1]),
}
"""The plan of each layout. The wide one has the proportions of a sheet of A4."""
