"""What stands beside the boards in the pictures of all games: blocks one below the other, items
beside each other in lines, cards of seats, names that fit a status line.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from engine.svg import ACCENT, fitted, frame, group, label, polygon, text_width, to
from engine.wording import name_of

STATUS_SIZE: Final = 16


@dataclass(frozen=True, slots=True)
class Block:
    """Something drawn from the origin down, and its height; perhaps on a ``plate``."""

    height: float
    drawn: str
    plate: bool = False


@dataclass(frozen=True, slots=True)
class Item:
    """Something drawn with its left end at x = 0 and its middle at y = 0, and its width."""

    width: float
    drawn: str


def words_item(words: str, size: float, fill: str, bold: bool = False) -> Item:
    """An item of words."""
    weight = "bold" if bold else None
    return Item(text_width(words, size, bold), label(words, 0, size * 0.36, size, fill=fill, font_weight=weight))


def joined(parts: Sequence[Item], gap: float = 4) -> Item:
    """Several items as one."""
    x, drawn = 0.0, []
    for part in parts:
        drawn.append(moved(part.drawn, x, 0))
        x += part.width + gap
    return Item(max(0.0, x - gap), "".join(drawn))


def flow(items: Sequence[Item], width: float, height: float, gap: float = 12, *, even: bool = False) -> Block:
    """The items in lines of ``width`` by ``height``; in columns, filled evenly, if ``even``."""
    if not items:
        return Block(0, "")
    drawn, x, y = [], 0.0, height / 2
    widest = max(item.width for item in items)
    most = max(1, int((width + gap) // (widest + gap)))
    columns = -(-len(items) // -(-len(items) // most))  # as many in every line, the last excepted
    for index, item in enumerate(items):
        if even:
            x, y = index % columns * (width + gap) / columns, (index // columns + 0.5) * height
        elif x and x + item.width > width:
            x, y = 0.0, y + height
        drawn.append(moved(item.drawn, x, y))
        x += item.width + gap
    return Block(y + height / 2, "".join(drawn))


def stacked(blocks: Sequence[Block], gap: float) -> Block:
    """The blocks below each other; those without height are left out."""
    y, drawn = 0.0, []
    for block in blocks:
        if block.height:
            drawn.append(moved(block.drawn, 0, y))
            y += block.height + gap
    return Block(max(0.0, y - gap), "".join(drawn))


def moved(drawn: str, x: float, y: float) -> str:
    """The drawing moved."""
    return group(drawn, transform=to(x, y)) if x or y else drawn


def column(blocks: Iterable[Block], x: float, y: float) -> str:
    """The blocks one below the other, the first with its upper left corner at (x, y)."""
    drawn = []
    for block in blocks:
        drawn.append(group(block.drawn, transform=to(x, y)))
        y += block.height
    return "".join(drawn)


def card(
    width: float,
    height: float,
    radius: float,
    due: bool,
    idle: str,
    bright: str,
    border: str,
    accent: str = ACCENT,
    line: float = 3,
) -> str:
    """The ground of a seat's card, with a line ``line`` wide if something is ``due`` from it."""
    return frame(0, 0, width, height, radius, bright if due else idle, accent if due else border, line if due else 1.2)


def pointer(left: float, top: float, width: float, half: float, fill: str = ACCENT) -> str:
    """The triangle beside the card of an awaited seat, ``half`` of its height above its tip."""
    return polygon(((left, top), (left + width, top + half), (left, top + 2 * half)), fill=fill)


def short_names(seats: int, names: Sequence[str]) -> list[str]:
    """The names of all seats, each shortened so that two of them fit on a status line."""
    return [fitted(name_of(seat, names), 150, STATUS_SIZE) for seat in range(seats)]
