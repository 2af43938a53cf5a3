"""What elements of SVG say: their parts of text, their outlines, the attributes they hand on."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final
from xml.etree import ElementTree

from tests.games.measure.plane import Ring, box, ellipse, outline

_SPACE: Final = re.compile(r"[ \t\r\n]+")
SVG: Final = "{http://www.w3.org/2000/svg}"
LINK: Final = "{http://www.w3.org/1999/xlink}href"
INHERITED: Final = frozenset(
    [
        "fill",
        "stroke",
        "stroke-width",
        "font-size",
        "font-weight",
        "text-anchor",
        "fill-opacity",
        "stroke-opacity",
        "fill-rule",
        "paint-order",
    ]
)
PLAIN: Final = frozenset(
    [
        "id",
        "x",
        "y",
        "x1",
        "y1",
        "x2",
        "y2",
        "cx",
        "cy",
        "r",
        "rx",
        "ry",
        "width",
        "height",
        "d",
        "points",
        "transform",
        "href",
        "class",
        "role",
        "lang",
        "stroke-linecap",
        "stroke-linejoin",
        "stroke-dasharray",
        "stroke-dashoffset",
        "stroke-miterlimit",
        "opacity",
        "viewBox",
        "dx",
        "dy",
        "font-family",
        "font-style",
        "preserveAspectRatio",
        "shape-rendering",
        "overflow",
    ]
) | {LINK, "{http://www.w3.org/XML/1998/namespace}space", "{http://www.w3.org/XML/1998/namespace}lang"}


class UnknownMarkup(ValueError):
    """Markup that the measure does not understand."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a text: its words, its style, and where it begins, unless after the part before."""

    words: str
    style: Mapping[str, str]
    opacity: float
    x: float | None
    y: float | None
    dx: float
    dy: float

    @property
    def size(self) -> float:
        return float(self.style.get("font-size", "16"))

    @property
    def bold(self) -> bool:
        return self.style.get("font-weight", "normal") in ("bold", "600", "700", "800", "900")


def parts(element: ElementTree.Element, style: Mapping[str, str], opacity: float) -> Iterator[Part]:
    """The parts of a text element: its own words, and those of its tspan elements."""
    at = coordinate(element, "x"), coordinate(element, "y")
    shift = coordinate(element, "dx"), coordinate(element, "dy")
    started = bool(_words(element.text))
    if started:
        yield Part(_words(element.text), style, opacity, *at, *shift)
    for child in element:
        if child.tag != f"{SVG}tspan" or len(child):
            raise UnknownMarkup(f"The element {child.tag} in a text is unknown.")
        style = {**style, **{key: value for key, value in child.attrib.items() if key in INHERITED}}
        x = coordinate(child, "x") if "x" in child.attrib else None if started else at[0]
        y = coordinate(child, "y") if "y" in child.attrib else None if started else at[1]
        if (x is not None and y is None) or (x is None and y is not None):
            x, y = at[0] if x is None else x, at[1] if y is None else y
        yield Part(_words(child.text), style, opacity, x, y, coordinate(child, "dx"), coordinate(child, "dy"))
        started = True
        if _words(child.tail).strip():
            yield Part(_words(child.tail), style, opacity, None, None, 0.0, 0.0)


@cache
def inherited(keys: tuple[str, ...]) -> tuple[str, ...]:
    """Those of an element's attributes that the elements inside inherit. Raises ``UnknownMarkup``
    if the measure does not know one.
    """
    for key in keys:
        if key not in INHERITED and key not in PLAIN and not key.startswith(("data-", "aria-")):
            raise UnknownMarkup(f"The attribute {key} is unknown.")
    return tuple(key for key in keys if key in INHERITED)


def _words(written: str | None) -> str:
    return _SPACE.sub(" ", written or "")


def chunks(parts: Iterator[Part]) -> list[list[Part]]:
    """The parts in groups that are anchored together: each begins with a part that has a place."""
    found: list[list[Part]] = []
    for part in parts:
        if part.x is not None:
            found.append([])
        found[-1].append(part)
    return found


def coordinate(element: ElementTree.Element, key: str) -> float:
    return float(element.get(key, 0))


def rectangle(element: ElementTree.Element) -> Ring:
    return box(*(coordinate(element, key) for key in ("x", "y", "width", "height")))


def outline_of(element: ElementTree.Element, tag: str) -> tuple[Ring, ...]:
    """The outline of a shape, in its own coordinates."""
    if tag == "path":
        return outline(element.get("d", ""))
    if tag == "rect":
        corners = rectangle(element)
        return ((*corners, corners[0]),)
    if tag == "line":
        return (
            (
                (coordinate(element, "x1"), coordinate(element, "y1")),
                (coordinate(element, "x2"), coordinate(element, "y2")),
            ),
        )
    if tag in ("circle", "ellipse"):
        across, down = (coordinate(element, key) for key in (("r", "r") if tag == "circle" else ("rx", "ry")))
        return (ellipse(coordinate(element, "cx"), coordinate(element, "cy"), across, down),)
    numbers = [float(value) for value in re.split(r"[\s,]+", element.get("points", "").strip())]
    points = tuple(zip(numbers[::2], numbers[1::2], strict=True))
    return ((*points, points[0]),) if tag == "polygon" else (points,)
