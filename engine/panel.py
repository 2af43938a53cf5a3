"""The panel beside a board in every game's picture: title, status lines, and a card per seat."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from engine.svg import ACCENT, BORDER, INK, PAPER, SOFT, fitted, frame, label, polygon
from engine.wording import name_of

STATUS_SIZE: Final = 16
STATUS_TOP: Final = 62.0
STATUS_LINE: Final = 20
_IDLE: Final = "#fbf3e0"
_DUE: Final = "#ffffff"


def panel_head(
    title: str,
    corner: str,
    status: Sequence[str],
    width: float,
    height: float,
    title_size: float = 28,
    corner_size: float = 18,
) -> Iterator[str]:
    """The background of the panel, its title, the text in its upper right corner ("Round 7"; may be
    empty), and its status lines. Sizes are in SVG user units. The labels of the group that this is
    put into must not leave the panel.
    """
    yield frame(0, 0, width, height, rx=12, fill=PAPER, stroke=BORDER, stroke_width=1.5)
    yield label(title, 16, 38, title_size, font_weight="bold", fill=INK)
    if corner:
        yield label(corner, width - 16, 38, corner_size, text_anchor="end", fill=SOFT)
    for number, line in enumerate(status):
        yield label(line, 16, STATUS_TOP + STATUS_LINE * number, STATUS_SIZE, fill=INK)


def below_status(status: Sequence[str]) -> float:
    """The baseline (y) of the line after the status lines."""
    return STATUS_TOP + STATUS_LINE * len(status)


def seat_card(width: float, height: float, due: bool) -> Iterator[str]:
    """The card of a seat, with its upper left corner at the origin. An awaited seat (``due``) is
    marked by colour and by a pointer. The labels of the card's group must not leave it.
    """
    yield frame(
        0,
        0,
        width,
        height,
        rx=9,
        fill=_DUE if due else _IDLE,
        stroke=ACCENT if due else BORDER,
        stroke_width=3 if due else 1.2,
    )
    if due:
        yield pointer()


def pointer() -> str:
    """The triangle beside the card of an awaited seat."""
    return polygon(((-12, 14), (2, 24), (-12, 34)), fill=ACCENT)


def short_names(seats: int, names: Sequence[str]) -> list[str]:
    """The names of all seats, each shortened so that two of them fit on a status line."""
    return [fitted(name_of(seat, names), 150, STATUS_SIZE) for seat in range(seats)]
