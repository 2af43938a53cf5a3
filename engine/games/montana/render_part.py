"""What the parts of Montana's picture are drawn from, and what drawing one gives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from engine.games.montana.observation import Observation
from engine.games.montana.render_sheet import Sheet
from engine.svg import number


@dataclass(frozen=True, slots=True)
class Scene:
    """What is drawn: the observation, the players' names, the sheet."""

    observation: Observation
    names: Sequence[str]
    sheet: Sheet


@dataclass(frozen=True, slots=True)
class Drawn:
    """A drawn part, its upper left corner at the origin, and its height; perhaps on a ``plate``."""

    markup: str
    height: float
    plate: bool = False


Drawer: TypeAlias = Callable[[Scene, float], Drawn]
"""Draws a part in the given width."""


def to(x: float, y: float, scale: float = 1) -> str:
    """The value of ``transform`` that moves the origin to (x, y), then scales."""
    moved = f"translate({number(x)} {number(y)})"
    return moved if scale == 1 else f"{moved} scale({number(scale)})"
