"""The landscape of Montana's picture: the ground with all that stands on it, fitted to its room."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.games.montana.observation import HexObservation
from engine.games.montana.render_ground import ACROSS, SIZE, ground, middle
from engine.games.montana.render_part import Drawn, Scene, to
from engine.games.montana.render_pieces import pieces
from engine.svg import group

_USUAL: Final = 1.08
_LARGEST: Final = 1.25
_EDGE: Final = 2.0
_SHADOW: Final = 8.0


def land(scene: Scene, width: float, high: float) -> Drawn:
    """The landscape in the middle of the given room."""
    observation, sheet = scene.observation, scene.sheet
    left, top, right, bottom = _extent(observation.hexes)
    scale = min(_LARGEST, width / (right - left), high / (bottom - top))
    drawn = group(
        ground(observation.hexes, sheet.look, plants=not sheet.marks.compact),
        *pieces(observation, sheet.marks, scale),
        transform=to((width - (right + left) * scale) / 2, (high - (bottom + top) * scale) / 2, scale),
    )
    return Drawn(drawn, high)


def least_height(scene: Scene, width: float) -> float:
    """The height of the landscape where no more room than that is left."""
    left, top, right, bottom = _extent(scene.observation.hexes)
    return (bottom - top) * min(_USUAL, width / (right - left))


def _extent(hexes: Sequence[HexObservation]) -> tuple[float, float, float, float]:
    """The left, top, right and bottom coordinates of the landscape."""
    middles = [middle(hexagon) for hexagon in hexes] or [(0.0, 0.0)]
    across, down = [x for x, _ in middles], [y for _, y in middles]
    return (
        min(across) - ACROSS / 2 - _EDGE,
        min(down) - SIZE - _EDGE,
        max(across) + ACROSS / 2 + _EDGE,
        max(down) + SIZE + _SHADOW,
    )
