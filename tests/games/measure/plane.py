"""Plane geometry of SVG: matrices, transforms, outlines of shapes and paths, points inside them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from math import acos, ceil, cos, hypot, pi, radians, sin, sqrt, tan
from typing import Final, TypeAlias

Point: TypeAlias = tuple[float, float]
Matrix: TypeAlias = tuple[float, float, float, float, float, float]
Ring: TypeAlias = tuple[Point, ...]
"""The corners of a closed line; curves are polygons of small steps."""

IDENTITY: Final[Matrix] = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
_STEPS: Final = 10
_TOKENS: Final = re.compile(r"[A-Za-z]|[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
_COUNTS: Final = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7, "Z": 0}


def times(outer: Matrix, inner: Matrix) -> Matrix:
    """First the inner transform, then the outer one."""
    a, b, c, d, e, f = outer
    g, h, i, j, k, m = inner
    return (a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * m + e, b * k + d * m + f)


def moved(matrix: Matrix, point: Point) -> Point:
    """The point after the transform."""
    a, b, c, d, e, f = matrix
    x, y = point
    return a * x + c * y + e, b * x + d * y + f


def scale_of(matrix: Matrix) -> float:
    """By how much the transform enlarges lengths."""
    return sqrt(abs(matrix[0] * matrix[3] - matrix[1] * matrix[2]))


@lru_cache(maxsize=20_000)
def transform(written: str) -> Matrix:
    """The matrix of an attribute ``transform``. Raises ``ValueError`` for what is unknown."""
    matrix = IDENTITY
    for name, numbers in re.findall(r"(\w+)\s*\(([^)]*)\)", written):
        values = [float(value) for value in re.split(r"[\s,]+", numbers.strip())]
        matrix = times(matrix, _single(name, values))
    return matrix


def _single(name: str, values: Sequence[float]) -> Matrix:
    if name == "translate":
        return (1.0, 0.0, 0.0, 1.0, values[0], values[1] if len(values) > 1 else 0.0)
    if name == "scale":
        return (values[0], 0.0, 0.0, values[-1], 0.0, 0.0)
    if name == "rotate":
        angle = radians(values[0])
        turned = (cos(angle), sin(angle), -sin(angle), cos(angle), 0.0, 0.0)
        if len(values) == 1:
            return turned
        x, y = values[1:]
        return times(times((1.0, 0.0, 0.0, 1.0, x, y), turned), (1.0, 0.0, 0.0, 1.0, -x, -y))
    if name == "matrix":
        a, b, c, d, e, f = values
        return (a, b, c, d, e, f)
    if name in ("skewX", "skewY"):
        slope = tan(radians(values[0]))
        return (1.0, slope if name == "skewY" else 0.0, slope if name == "skewX" else 0.0, 1.0, 0.0, 0.0)
    raise ValueError(f"The transform {name} is unknown.")


def bounds(points: Sequence[Point]) -> tuple[float, float, float, float]:
    """The least x, least y, greatest x and greatest y."""
    across, down = zip(*points, strict=True)
    return min(across), min(down), max(across), max(down)


def box(x: float, y: float, width: float, height: float) -> Ring:
    """The corners of a rectangle."""
    return ((x, y), (x + width, y), (x + width, y + height), (x, y + height))


def ellipse(x: float, y: float, across: float, down: float) -> Ring:
    """The outline of an ellipse by its centre and radii."""
    steps = 4 * _STEPS
    return tuple((x + across * cos(2 * pi * n / steps), y + down * sin(2 * pi * n / steps)) for n in range(steps))


def inside(rings: Sequence[Ring], point: Point, *, evenodd: bool = False) -> bool:
    """Whether the point lies within the rings, by the fill rule."""
    x, y = point
    winding = crossings = 0
    for ring in rings:
        before_x, before_y = ring[-1]
        for after_x, after_y in ring:
            if (before_y > y) != (after_y > y):
                cut = before_x + (y - before_y) / (after_y - before_y) * (after_x - before_x)
                if cut > x:
                    crossings += 1
                    winding += 1 if after_y > before_y else -1
            before_x, before_y = after_x, after_y
    return bool(crossings % 2) if evenodd else winding != 0


def distance(rings: Sequence[Ring], point: Point) -> float:
    """How far the point is from the lines."""
    x, y = point
    least = float("inf")
    for ring in rings:
        for (ax, ay), (bx, by) in pairwise(ring):
            dx, dy = bx - ax, by - ay
            length = dx * dx + dy * dy
            part = 0.0 if not length else max(0.0, min(1.0, ((x - ax) * dx + (y - ay) * dy) / length))
            least = min(least, hypot(x - ax - part * dx, y - ay - part * dy))
    return least


@lru_cache(maxsize=20_000)
def outline(d: str) -> tuple[Ring, ...]:
    """The lines of a path's data, curves as polygons. Raises ``ValueError``."""
    rings: list[list[Point]] = []
    here = start = handle = (0.0, 0.0)
    before = ""
    for command, values in _commands(d):
        kind = command.upper()
        dx, dy = here if command.islower() else (0.0, 0.0)
        if kind == "M":
            here = start = (values[0] + dx, values[1] + dy)
            rings.append([here])
        elif kind == "Z":
            here = start
            rings[-1].append(here)
            rings.append([here])
        else:
            if kind == "H":
                points = [(values[0] + dx, here[1])]
            elif kind == "V":
                points = [(here[0], values[0] + dy)]
            elif kind == "A":
                points = list(_arc(here, values[:5], (values[5] + dx, values[6] + dy)))
            else:
                points = [(x + dx, y + dy) for x, y in zip(values[::2], values[1::2], strict=True)]
                if kind in "ST":
                    turned = (2 * here[0] - handle[0], 2 * here[1] - handle[1])
                    points = [turned if before in ("CS" if kind == "S" else "QT") else here, *points]
                if kind != "L":
                    handle = points[-2]
                    points = list(_curve((here, *points)))
            rings[-1] += points
            here = points[-1]
        before = kind
    return tuple(tuple(ring) for ring in rings if len(ring) > 1)


def _commands(d: str) -> Iterator[tuple[str, tuple[float, ...]]]:
    """The commands of a path with their numbers; repeated commands are written out."""
    for command, written in re.findall(r"([A-DF-Za-df-z])([^A-DF-Za-df-z]*)", d):
        count = _COUNTS[command.upper()]
        numbers = [float(token) for token in _numbers(command, written)]
        if not count:
            yield command, ()
            continue
        if not numbers or len(numbers) % count:
            raise ValueError(f"The path {d!r} is broken.")
        for place in range(0, len(numbers), count):
            again = command if not place else {"M": "L", "m": "l"}.get(command, command)
            yield again, tuple(numbers[place : place + count])


def _numbers(command: str, written: str) -> list[str]:
    """The numbers of a command; the two flags of an arc may be written without a gap."""
    if command not in "Aa":
        return _TOKENS.findall(written)
    number = r"[+-]?(?:\d+\.?\d*|\.\d+)"
    gap = r"[\s,]*"
    arcs = re.findall(gap.join((f"({number})",) * 3 + ("([01])",) * 2 + (f"({number})",) * 2), written)
    return [value for arc in arcs for value in arc]


def _curve(points: Sequence[Point]) -> Iterator[Point]:
    """A Bezier curve of any degree, without its first point."""
    for step in range(1, _STEPS + 1):
        part, left = step / _STEPS, list(points)
        while len(left) > 1:
            left = [(ax + (bx - ax) * part, ay + (by - ay) * part) for (ax, ay), (bx, by) in pairwise(left)]
        yield left[0]


def _arc(start: Point, values: Sequence[float], end: Point) -> Iterator[Point]:
    """An elliptical arc without its first point (SVG 2, appendix B.2.4)."""
    across, down, turned, large, sweep = abs(values[0]), abs(values[1]), radians(values[2]), values[3], values[4]
    if not across or not down or start == end:
        yield end
        return
    half_x, half_y = (start[0] - end[0]) / 2, (start[1] - end[1]) / 2
    x = cos(turned) * half_x + sin(turned) * half_y
    y = -sin(turned) * half_x + cos(turned) * half_y
    grown = max(1.0, sqrt((x / across) ** 2 + (y / down) ** 2))
    across, down = across * grown, down * grown
    rest = (across * down) ** 2 - (across * y) ** 2 - (down * x) ** 2
    root = sqrt(max(0.0, rest / ((across * y) ** 2 + (down * x) ** 2))) * (-1 if large == sweep else 1)
    cx, cy = root * across * y / down, -root * down * x / across
    first = _angle((1, 0), ((x - cx) / across, (y - cy) / down))
    swept = _angle(((x - cx) / across, (y - cy) / down), ((-x - cx) / across, (-y - cy) / down)) % (2 * pi)
    swept = swept if sweep else swept - 2 * pi
    mid = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
    steps = max(2, ceil(abs(swept) / (pi / 2) * _STEPS / 2))
    for step in range(1, steps + 1):
        angle = first + swept * step / steps
        px, py = across * cos(angle) + cx, down * sin(angle) + cy
        yield mid[0] + cos(turned) * px - sin(turned) * py, mid[1] + sin(turned) * px + cos(turned) * py


def _angle(one: Point, other: Point) -> float:
    """The angle from one direction to another."""
    cosine = (one[0] * other[0] + one[1] * other[1]) / (hypot(*one) * hypot(*other))
    return acos(max(-1.0, min(1.0, cosine))) * (1 if one[0] * other[1] - one[1] * other[0] >= 0 else -1)
