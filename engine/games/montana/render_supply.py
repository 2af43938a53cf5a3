"""The supply in Montana's picture, and the key of the marks on hexes."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import Final

from engine.games.montana.components import GOODS, WORKERS
from engine.games.montana.render_ground import outline
from engine.games.montana.render_icons import good_icon, worker_icon
from engine.games.montana.render_part import Drawn, Scene, to
from engine.games.montana.render_pieces import double_badge, latest, open_frame, possible_frame
from engine.svg import INK, group, label, polygon, use

_CELL: Final = (133.0, 46.0)
_LINE: Final = (176.0, 30.0)
_SMALL: Final = 0.28


def supply(scene: Scene, width: float) -> Drawn:
    """Every good, worker and animal with its name and the number left."""
    left = scene.observation.supply
    things = [
        *((good_icon(good), 0.95, good.value.replace("_", " ").capitalize(), left.goods[good]) for good in GOODS),
        *((worker_icon(kind), 1.0, f"{kind.value.capitalize()} worker", left.workers[kind]) for kind in WORKERS),
        ("mt-cow", 0.95, "Cow", left.cows),
    ]
    return _grid([_left(*thing) for thing in things], width, _CELL, scene.sheet.fine)


def key(scene: Scene, width: float) -> Drawn:
    """The marks on hexes and what they mean."""
    look = scene.sheet.look
    marks = (
        (use("mt-cow", 0, 0, 0.8), "cow to take"),
        (use("mt-canteen", 0, 0, 0.7), "canteen to take"),
        (group(*double_badge(2)), "two settlements"),
        (_hex(look.open, open_frame(0.8)), "open to build"),
        (_hex(look.open, possible_frame(0.8)), "can be paid now"),
        (_hex(look.prairie[0], *latest()), "latest action"),
    )
    drawn = [group(mark, label(meaning, 22, 5, 14.5, fill=INK), transform=to(18, 15)) for mark, meaning in marks]
    return _grid(drawn, width, _LINE, scene.sheet.fine)


def _left(icon: str, scale: float, name: str, count: int) -> str:
    return group(
        use(icon, 18, 18, scale),
        label(name, 36, 14, 12.5, fill=INK),
        label(f"{count} left", 36, 32, 14.5, font_weight="bold", fill=INK),
    )


def _hex(fill: str, *marks: str) -> str:
    return group(polygon(outline(), fill=fill, stroke=INK, stroke_width=2), *marks, transform=f"scale({_SMALL})")


def _grid(drawn: Sequence[str], width: float, cell: tuple[float, float], scale: float) -> Drawn:
    """The drawings in rows, as many side by side as the width allows, in rows of equal length."""
    most = max(1, int(width / (cell[0] * scale)))
    rows = ceil(len(drawn) / most)
    across = ceil(len(drawn) / rows)
    step, down = width / across, cell[1] * scale
    cells = (
        group(each, transform=to(place % across * step, place // across * down, scale))
        for place, each in enumerate(drawn)
    )
    return Drawn("".join(cells), rows * down)
