"""Measures the labels of a game's picture: that none collides with another, leaves its panel or the
picture, is covered, or has too little contrast.

A panel is an element, such as a group, with a rect of the class ``panel`` among its children
(``engine.svg.frame``): no label inside the element leaves this rect.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from engine.game import AnyGame
from engine.svg import DARK
from tests.games.measure.contrast import ground, is_covered, least_contrast
from tests.games.measure.drawn import Drawn, Label, read
from tests.games.measure.plane import Ring, bounds, box

TOLERANCE: Final = 0.5
"""By how much a box may overlap another, or stick out, in user units."""
LEAST_CONTRAST: Final = 4.5


def faults(svg: str, *, contrast: bool = True) -> tuple[str, ...]:
    """What is wrong with the labels, as sentences."""
    drawn = read(svg, shapes=contrast)
    found = [*_overlaps(drawn), *_outside(drawn)]
    if contrast:
        found += _pale(drawn)
    return tuple(found)


def in_the_dark(game: AnyGame, svg: str) -> str:
    """The picture as it is on a dark screen."""
    inks = {**game.dark, **DARK}
    return re.sub(r'(?<=(?:fill|roke)=")[^"]*', lambda found: inks.get(found[0], found[0]), svg)


def _overlaps(drawn: Drawn) -> Iterator[str]:
    """The labels that lie on one another, by a sweep from left to right."""
    boxed = sorted(((bounds(label.corners), label) for label in drawn.labels), key=lambda each: each[0])
    open_ones: list[tuple[tuple[float, float, float, float], Label]] = []
    for around, label in boxed:
        open_ones = [each for each in open_ones if each[0][2] > around[0] + TOLERANCE]
        for other_around, other in open_ones:
            apart = around[1] > other_around[3] - TOLERANCE or other_around[1] > around[3] - TOLERANCE
            if not apart and _depth(label.corners, other.corners) > TOLERANCE:
                yield f"{_name(other)} and {_name(label)} overlap."
        open_ones.append((around, label))


def _depth(one: Ring, other: Ring) -> float:
    """How deep two boxes, of any rotation, lie in one another: by how much one of them had to be
    moved to separate them; 0 or less where they are apart.
    """
    least = float("inf")
    for corners in (one, other):
        for (ax, ay), (bx, by) in list(pairwise(corners))[:2]:
            length = ((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5
            if length:
                across = (bx - ax) / length, (by - ay) / length
                first, second = ([x * across[0] + y * across[1] for x, y in ring] for ring in (one, other))
                least = min(least, min(max(first), max(second)) - max(min(first), min(second)))
    return least


def _outside(drawn: Drawn) -> Iterator[str]:
    """The labels that leave the picture, their panel, or the nested picture that clips them."""
    whole = box(0, 0, drawn.width, drawn.height)
    for label in drawn.labels:
        for border, what in ((whole, "the picture"), (label.clip, "what clips it"), (label.panel, "its panel")):
            if border is not None and not _within(label.corners, border):
                yield f"{_name(label)} leaves {what}, {_size(border)}."
                break


def _within(corners: Ring, border: Ring) -> bool:
    """Whether all corners lie in the rectangle, whatever its rotation, or hardly outside of it."""
    (ax, ay), (bx, by), _, (dx, dy) = border
    for tx, ty in ((bx - ax, by - ay), (dx - ax, dy - ay)):
        length = (tx * tx + ty * ty) ** 0.5
        along = [((x - ax) * tx + (y - ay) * ty) / length for x, y in corners]
        if min(along) < -TOLERANCE or max(along) > length + TOLERANCE:
            return False
    return True


def _pale(drawn: Drawn) -> Iterator[str]:
    below = ground(drawn)
    for label in drawn.labels:
        if is_covered(below, label):
            yield f"{_name(label)} is covered."
        elif (found := least_contrast(below, label)) < LEAST_CONTRAST:
            yield f"{_name(label)} has a contrast of {found:.1f}:1, less than {LEAST_CONTRAST}:1."


def _name(label: Label) -> str:
    left, top, right, bottom = bounds(label.corners)
    return f"{label.words!r} at ({left:.0f} to {right:.0f}, {top:.0f} to {bottom:.0f})"


def _size(border: Ring) -> str:
    left, top, right, bottom = bounds(border)
    return f"({left:.0f} to {right:.0f}, {top:.0f} to {bottom:.0f})"
