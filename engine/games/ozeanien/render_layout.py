"""Where things lie in Ozeanien's picture, how large they are, and their colours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from engine.svg import ACCENT, BORDER, BRIGHT, CARD, INK, PAPER, SAND, SOFT

PHONE_WIDTH: Final = 360.0
SHEET: Final = (1123.0, 794.0)
"""A4 paper, landscape, in CSS pixels."""
_LARGEST_PHONE_SCALE: Final = 0.62


@dataclass(frozen=True, slots=True)
class BoardPlan:
    """Sizes on the board, in units of which a space is 100 wide, ``scale`` in the picture.

    ``left`` to ``below`` are margins; the middle of a ``circle`` is ``away`` from the board.
    ``number_at`` is the x of the row numbers, ``letter_at`` the baseline of the column letters;
    ``heading`` to ``badge`` are sizes of letters. Explorers are enlarged by ``explorer``, and bear
    their seat's letter where ``lettered``. Where ``drawn``, the ways to place a tile are drawn.
    """

    scale: float
    left: float
    top: float
    right: float
    below: float
    circle: float
    away: float
    number_at: float
    letter_at: float
    heading: float
    name: float
    caption: float
    badge: float
    explorer: float
    lettered: bool
    drawn: bool

    def size(self, columns: int, rows: int) -> tuple[float, float]:
        """The size of the board with its margins, in units of the picture."""
        return (
            self.scale * (self.left + columns * 100 + self.right),
            self.scale * (self.top + rows * 100 + self.below),
        )


@dataclass(frozen=True, slots=True)
class PanelPlan:
    """Sizes in the panels: the width, its padding, letters, the height of a row of a table."""

    width: float
    pad: float
    title: float
    corner: float
    status: float
    score: float
    body: float
    small: float
    row: float

    @property
    def inner(self) -> float:
        """The width inside of the padding."""
        return self.width - 2 * self.pad


DESKTOP_PANEL: Final = PanelPlan(300, 16, 29, 17, 16, 26, 15, 13, 23)
PHONE_PANEL: Final = PanelPlan(PHONE_WIDTH, 14, 22, 14, 15, 22, 13.5, 12, 20)
PRINT_PANEL: Final = PanelPlan(0, 12, 22, 14, 14.5, 20, 13.5, 12, 19)


def sides_with_circles(circles: Sequence[str]) -> frozenset[str]:
    """The sides of the board that have circles, from the circles' names."""
    return frozenset(name.split()[0] for name in circles)


def wide_board(sides: frozenset[str], scale: float = 1.0) -> BoardPlan:
    """The plan of a board for a wide screen or a sheet of paper."""
    return BoardPlan(
        scale=scale,
        left=86 if "west" in sides else 46,
        top=114 if "north" in sides else 46,
        right=64 if "east" in sides else 20,
        below=84 if "south" in sides else 24,
        circle=23,
        away=31,
        number_at=-70 if "west" in sides else -24,
        letter_at=-84 if "north" in sides else -14,
        heading=18,
        name=20,
        caption=13.5,
        badge=15,
        explorer=1.0,
        lettered=True,
        drawn=True,
    )


def phone_board(sides: frozenset[str], columns: int) -> BoardPlan:
    """The plan of a board as wide as a phone; letters and pieces are larger beside spaces."""
    left = 39.0 if "west" in sides else 18.0
    right = 36.0 if "east" in sides else 5.0
    scale = min((PHONE_WIDTH - left - right) / columns / 100, _LARGEST_PHONE_SCALE)
    spare = (PHONE_WIDTH - left - right) / scale - columns * 100
    return BoardPlan(
        scale=scale,
        left=left / scale + spare / 2,
        top=(65 if "north" in sides else 21) / scale,
        right=right / scale + spare / 2,
        below=(48 if "south" in sides else 7) / scale,
        circle=8.5 / scale,
        away=16.5 / scale,
        number_at=-(34 if "west" in sides else 10) / scale,
        letter_at=-(53 if "north" in sides else 6) / scale,
        heading=12.5 / scale,
        name=11.5 / scale,
        caption=11 / scale,
        badge=11 / scale,
        explorer=max(0.552 / scale, 0.95),
        lettered=False,
        drawn=False,
    )


@dataclass(frozen=True, slots=True)
class Palette:
    """The colours of a picture. ``lands`` are those of islands that nobody leads, then by seat.
    Where ``marked``, lands bear strokes for the leader, and waves and trees are left out.
    """

    name: str = "screen"
    ground: str = SAND
    panel: str = PAPER
    card: str = CARD
    bright: str = BRIGHT
    ink: str = INK
    border: str = BORDER
    soft: str = SOFT
    highlight: str = ACCENT
    badge: str = ACCENT
    badge_ink: str = PAPER
    sea: str = "#8fc8e0"
    shallows: str = "#bfe4ea"
    beach: str = "#f0dca6"
    shore: str = "#7d6a3a"
    lands: tuple[str, str, str] = ("#a9c77f", "#98a4a4", "#eeeedb")
    marked: bool = False
    route: str = "#3f86ab"
    fog: str = "#efe2c0"
    fog_line: str = "#d8c391"
    place: str = "#6f5a2c"
    frame: str = "#5a3f29"


SCREEN: Final = Palette()

INKED: Final = Palette(
    name="inked",
    **dict.fromkeys(("ground", "panel", "card", "bright", "badge", "sea", "shallows", "beach", "fog"), "#ffffff"),
    **dict.fromkeys(("ink", "highlight", "badge_ink"), "#000000"),
    border="#8a8a8a",
    soft="#4d4d4d",
    shore="#333333",
    lands=("#ececec", "#d4d4d4", "#ffffff"),
    marked=True,
    route="#8a8a8a",
    fog_line="#dddddd",
    place="#4d4d4d",
    frame="#333333",
)

DARK: Final[Mapping[str, str]] = {
    SCREEN.sea: "#1d4c66",
    SCREEN.shallows: "#2d6680",
    SCREEN.beach: "#8f7d4c",
    SCREEN.shore: "#3d3418",
    SCREEN.lands[0]: "#587a3a",
    SCREEN.lands[1]: "#5f6b6b",
    SCREEN.lands[2]: "#b9b9a2",
    SCREEN.route: "#6fb4d6",
    SCREEN.fog: "#3a3120",
    SCREEN.fog_line: "#57492d",
    SCREEN.place: "#d3bd8b",
    SCREEN.frame: "#6b4c32",
    "#5fa3c4": "#4c88a6",  # waves
    "#4c7a35": "#9cc476",  # trees
}
"""What is drawn on a screen in the dark, by its colour in the light."""
