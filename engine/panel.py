"""Parts of the panel beside a board that pictures of several games share: the pointer at an awaited
seat, and names that fit a status line.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.svg import ACCENT, fitted, polygon
from engine.wording import name_of

STATUS_SIZE: Final = 16


def pointer() -> str:
    """The triangle beside the card of an awaited seat."""
    return polygon(((-12, 14), (2, 24), (-12, 34)), fill=ACCENT)


def short_names(seats: int, names: Sequence[str]) -> list[str]:
    """The names of all seats, each shortened so that two of them fit on a status line."""
    return [fitted(name_of(seat, names), 150, STATUS_SIZE) for seat in range(seats)]
