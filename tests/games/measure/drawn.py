"""Reads a game's picture: its labels with their boxes, and the shapes in the order of painting.

What a picture contains but this reader does not know raises ``UnknownMarkup``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final
from xml.etree import ElementTree

from tests.games.measure.glyphs import Extent, measured
from tests.games.measure.markup import (
    INHERITED,
    LINK,
    SVG,
    Part,
    UnknownMarkup,
    chunks,
    coordinate,
    inherited,
    outline_of,
    parts,
    rectangle,
)
from tests.games.measure.plane import (
    IDENTITY,
    Matrix,
    Ring,
    bounds,
    box,
    moved,
    scale_of,
    times,
    transform,
)

FRAME: Final = "panel"
"""The class of a rect that no label of its parent element leaves, however deep it is in there."""

HALO: Final = 0.1
"""The least width of the line around letters that counts as their background, in sizes."""

_SHAPES: Final = frozenset(("rect", "circle", "ellipse", "polygon", "polyline", "path", "line"))
_SILENT: Final = frozenset(("title", "desc", "defs", "metadata"))


@dataclass(frozen=True, slots=True)
class Paint:
    """A colour as it is written, and how opaque it is."""

    colour: str
    opacity: float


@dataclass(frozen=True, slots=True)
class Label:
    """A line of text: its box in the picture (four corners), its size and height, what bounds it.

    ``halo`` is the paint of its outline with the outline's width, if it is below the letters.
    ``place`` counts the painted things below.
    """

    words: str
    corners: Ring
    size: float
    height: float
    fill: Paint
    halo: Paint | None
    panel: Ring | None
    clip: Ring | None
    place: int


@dataclass(frozen=True, slots=True)
class Shape:
    """Something painted: its outline in the picture. ``width`` is that of the line; ``None`` for an
    area.
    """

    rings: tuple[Ring, ...]
    bounds: tuple[float, float, float, float]
    paint: Paint
    width: float | None
    evenodd: bool
    clip: Ring | None


@dataclass(slots=True)
class Drawn:
    """What a picture shows."""

    width: float
    height: float
    labels: list[Label] = field(default_factory=list)
    shapes: list[Shape] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Around:
    """What an element inherits."""

    matrix: Matrix
    style: Mapping[str, str]
    opacity: float
    panel: Ring | None
    clip: Ring | None


def read(svg: str, *, shapes: bool = True) -> Drawn:
    """The picture's labels, and its shapes unless these are not wanted."""
    root = ElementTree.fromstring(svg)
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    reader = _Reader(Drawn(width, height), {each.get("id", ""): each for each in root.iter()}, shapes)
    style = {key: value for key, value in root.attrib.items() if key in INHERITED}
    around = _Around(IDENTITY, style, 1.0, None, None)
    reader.children(root, around)
    return reader.found


class _Reader:
    """Walks over a picture's elements in the order of painting."""

    def __init__(self, found: Drawn, definitions: Mapping[str, ElementTree.Element], shapes: bool) -> None:
        self.found, self._definitions, self._shapes = found, definitions, shapes
        self._silent: dict[str, bool] = {}

    def children(self, parent: ElementTree.Element, around: _Around) -> None:
        """Reads the elements inside ``parent``; a frame among them bounds their labels."""
        frames = [child for child in parent if FRAME in child.get("class", "").split()]
        if len(frames) > 1 or any(frame.tag != f"{SVG}rect" for frame in frames):
            raise UnknownMarkup(f"The labels of an element are bounded by one rect of the class {FRAME}: {frames}")
        for frame in frames:
            matrix = times(around.matrix, transform(frame.get("transform", "")))
            panel = tuple(moved(matrix, corner) for corner in rectangle(frame))
            around = _Around(around.matrix, around.style, around.opacity, panel, around.clip)
        for child in parent:
            self._element(child, around)

    def _element(self, element: ElementTree.Element, around: _Around) -> None:
        tag = element.tag.removeprefix(SVG)
        if tag in _SILENT or (tag in _SHAPES and not self._shapes):
            return
        inner = self._inner(element, around)
        if tag == "g":
            self.children(element, inner)
        elif tag == "use":
            self._use(element, inner)
        elif tag == "svg":
            self._nested(element, inner)
        elif tag == "text":
            self._text(element, inner)
        elif tag in _SHAPES:
            self._shape(element, tag, inner)
        else:
            raise UnknownMarkup(f"The element {element.tag} is unknown.")

    def _inner(self, element: ElementTree.Element, around: _Around) -> _Around:
        attributes = element.attrib
        style = around.style
        if handed_on := inherited(tuple(attributes)):
            style = {**around.style, **{key: attributes[key] for key in handed_on}}
        matrix = around.matrix
        if "transform" in attributes:
            matrix = times(matrix, transform(attributes["transform"]))
        return _Around(matrix, style, around.opacity * float(attributes.get("opacity", 1)), around.panel, around.clip)

    def _use(self, element: ElementTree.Element, inner: _Around) -> None:
        name = element.get("href", element.get(LINK, ""))[1:]
        target = self._definitions.get(name)
        if target is None:
            raise UnknownMarkup(f"There is no definition {name!r}.")
        if not self._shapes and self._is_silent(name, target):
            return
        shift = (1.0, 0.0, 0.0, 1.0, coordinate(element, "x"), coordinate(element, "y"))
        moved_there = _Around(times(inner.matrix, shift), inner.style, inner.opacity, inner.panel, inner.clip)
        self._element(target, moved_there)

    def _is_silent(self, name: str, target: ElementTree.Element) -> bool:
        """Whether the definition has no labels."""
        if name not in self._silent:
            self._silent[name] = not any(each.tag in (f"{SVG}text", f"{SVG}use") for each in target.iter())
        return self._silent[name]

    def _nested(self, element: ElementTree.Element, inner: _Around) -> None:
        x, y, width, height = (coordinate(element, key) for key in ("x", "y", "width", "height"))
        left, top, across, down = map(float, element.attrib["viewBox"].split())
        scale = min(width / across, height / down)
        matrix = times(
            inner.matrix,
            (
                scale,
                0.0,
                0.0,
                scale,
                x + (width - across * scale) / 2 - left * scale,
                y + (height - down * scale) / 2 - top * scale,
            ),
        )
        clip = tuple(moved(inner.matrix, corner) for corner in box(x, y, width, height))
        self.children(element, _Around(matrix, inner.style, inner.opacity, inner.panel, clip))

    def _text(self, element: ElementTree.Element, inner: _Around) -> None:
        """Adds a label for every part of a text that has its own style."""
        for chunk in chunks(parts(element, inner.style, inner.opacity)):
            extents = [measured(part.words, part.bold) for part in chunk]
            length = sum(each.advance * part.size for each, part in zip(extents, chunk, strict=True) if each)
            first = chunk[0]
            x, y = first.x or 0.0, first.y or 0.0
            x -= length * _ANCHORS[first.style.get("text-anchor", "start")]
            for part, extent in zip(chunk, extents, strict=True):
                x, y = x + part.dx, y + part.dy
                if extent is not None and part.style.get("fill") != "none":
                    self._label(part, extent, x, y, inner)
                    x += extent.advance * part.size

    def _label(self, part: Part, extent: Extent, x: float, y: float, inner: _Around) -> None:
        size, scale = part.size, scale_of(inner.matrix)
        height = (extent.top - extent.bottom) * size
        around = box(x + extent.left * size, y - extent.top * size, (extent.right - extent.left) * size, height)
        self.found.labels.append(
            Label(
                part.words.strip(),
                tuple(moved(inner.matrix, corner) for corner in around),
                size * scale,
                height * scale,
                Paint(part.style.get("fill", "black"), part.opacity * float(part.style.get("fill-opacity", 1))),
                _halo(part),
                inner.panel,
                inner.clip,
                len(self.found.shapes),
            )
        )

    def _shape(self, element: ElementTree.Element, tag: str, inner: _Around) -> None:
        rings = tuple(tuple(moved(inner.matrix, point) for point in ring) for ring in outline_of(element, tag))
        if not rings:
            return
        style = inner.style
        around = bounds([point for ring in rings for point in ring])
        fill = self._plain(style.get("fill", "black"), inner.opacity * float(style.get("fill-opacity", 1)))
        if fill is not None and tag != "line":
            evenodd = style.get("fill-rule") == "evenodd"
            self.found.shapes.append(Shape(rings, around, fill, None, evenodd, inner.clip))
        stroke = self._plain(style.get("stroke", "none"), inner.opacity * float(style.get("stroke-opacity", 1)))
        width = float(style.get("stroke-width", "1")) * scale_of(inner.matrix)
        if stroke is not None and "stroke-dasharray" not in element.attrib:
            left, top, right, bottom = around
            reach = (left - width / 2, top - width / 2, right + width / 2, bottom + width / 2)
            self.found.shapes.append(Shape(rings, reach, stroke, width, False, inner.clip))

    def _plain(self, colour: str, opacity: float) -> Paint | None:
        """The paint of an area. Of a pattern it is that of the rect which fills it: its lines are
        too thin to be the background of a label.
        """
        if not colour.startswith("url("):
            return None if colour in ("none", "transparent") or not opacity else Paint(colour, opacity)
        pattern = self._definitions.get(colour[5:-1])
        if pattern is None or pattern.tag != f"{SVG}pattern":
            raise UnknownMarkup(f"The paint {colour} is unknown.")
        for child in pattern:
            if child.tag == f"{SVG}rect" and coordinate(child, "width") >= coordinate(pattern, "width"):
                return Paint(child.get("fill", "black"), opacity * float(child.get("fill-opacity", 1)))
        return None


_ANCHORS: Final = {"start": 0.0, "middle": 0.5, "end": 1.0}


def _halo(part: Part) -> Paint | None:
    """The paint of the outline behind the letters."""
    style = part.style
    wide = float(style.get("stroke-width", "1")) >= HALO * part.size
    if not style.get("paint-order", "").startswith("stroke") or style.get("stroke", "none") == "none" or not wide:
        return None
    return Paint(style["stroke"], part.opacity * float(style.get("stroke-opacity", 1)))
