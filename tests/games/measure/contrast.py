"""The contrast of labels against what is drawn below them (WCAG 2.2, relative luminance)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, TypeAlias

from tests.games.measure.drawn import Drawn, Label, Paint, Shape
from tests.games.measure.plane import Point, distance, inside

Colour: TypeAlias = tuple[float, float, float]
"""Red, green and blue, 0 to 1."""

WHITE: Final[Colour] = (1.0, 1.0, 1.0)
_NAMED: Final = {"white": "#ffffff", "black": "#000000", "red": "#ff0000", "gray": "#808080", "grey": "#808080"}


CELL: Final = 24.0
"""The side of the squares by which the shapes at a point are looked up."""


@dataclass(frozen=True, slots=True)
class Ground:
    """The shapes of a picture that may lie at the probes of its labels: by square, in the order of
    painting, each with its place in this order.
    """

    squares: Mapping[tuple[int, int], Sequence[tuple[int, Shape]]]

    def at(self, point: Point) -> Sequence[tuple[int, Shape]]:
        """The shapes near the point."""
        return self.squares[_square(*point)]


def ground(drawn: Drawn) -> Ground:
    """The ground of a picture's labels."""
    squares: dict[tuple[int, int], list[tuple[int, Shape]]] = {
        _square(*point): [] for label in drawn.labels for point in probes(label)
    }
    for place, shape in enumerate(drawn.shapes):
        left, top = _square(*shape.bounds[:2])
        right, bottom = _square(*shape.bounds[2:])
        for column in range(left, right + 1):
            for row in range(top, bottom + 1):
                if (column, row) in squares:
                    squares[column, row].append((place, shape))
    return Ground(squares)


def _square(x: float, y: float) -> tuple[int, int]:
    return int(x // CELL), int(y // CELL)


def least_contrast(below: Ground, label: Label) -> float:
    """The contrast of the label where it is least: in the middle, and near both ends."""
    return min(_contrast_at(below, label, point) for point in probes(label))


def is_covered(around: Ground, label: Label) -> bool:
    """Whether something is painted over the middle of the label."""
    middle = probes(label)[0]
    return any(
        place >= label.place and shape.paint.opacity > 0.5 and _lies_below(shape, middle, label.height)
        for place, shape in around.at(middle)
    )


def probes(label: Label) -> tuple[Point, ...]:
    """Points in the label: its middle, and the middles of its first and last tenth."""
    (ax, ay), (bx, by), _, (dx, dy) = label.corners
    middle = (ax + dx) / 2, (ay + dy) / 2
    return tuple((middle[0] + (bx - ax) * part, middle[1] + (by - ay) * part) for part in (0.5, 0.05, 0.95))


def contrast(one: Colour, other: Colour) -> float:
    """The contrast ratio of two colours, 1 to 21."""
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@cache
def colour(written: str) -> Colour:
    """The colour of an attribute. Raises ``ValueError``."""
    digits = _NAMED.get(written, written).removeprefix("#")
    if len(digits) == 3:
        digits = "".join(2 * digit for digit in digits)
    if len(digits) != 6:
        raise ValueError(f"The colour {written} is unknown.")
    red, green, blue = (int(digits[place : place + 2], 16) / 255 for place in (0, 2, 4))
    return red, green, blue


def _contrast_at(below: Ground, label: Label, point: Point) -> float:
    behind = _background(below, label, point)
    if label.halo is not None:
        behind = _over(label.halo, behind)
    return contrast(_over(label.fill, behind), behind)


def _background(below: Ground, label: Label, point: Point) -> Colour:
    """The colour at the point before the label is painted."""
    above: list[Paint] = []
    for place, shape in reversed(below.at(point)):
        if place < label.place and _lies_below(shape, point, label.height):
            above.append(shape.paint)
            if shape.paint.opacity >= 1:
                break
    found = WHITE
    for paint in reversed(above):
        found = _over(paint, found)
    return found


def _lies_below(shape: Shape, point: Point, height: float) -> bool:
    """Whether the shape is the ground below a label of that height: it is, unless it is a line
    thinner than half of the label.
    """
    left, top, right, bottom = shape.bounds
    if not (left <= point[0] <= right and top <= point[1] <= bottom):
        return False
    if shape.clip is not None and not inside((shape.clip,), point):
        return False
    if shape.width is not None:
        return shape.width >= height / 2 and distance(shape.rings, point) <= shape.width / 2
    return inside(shape.rings, point, evenodd=shape.evenodd)


def _over(paint: Paint, behind: Colour) -> Colour:
    """The paint over a colour."""
    part = min(1.0, paint.opacity)
    red, green, blue = (
        front * part + back * (1 - part) for front, back in zip(colour(paint.colour), behind, strict=True)
    )
    return red, green, blue


def _luminance(shade: Colour) -> float:
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in shade)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
