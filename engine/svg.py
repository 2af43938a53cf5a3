"""SVG as text: elements, escaping, numbers, text fitted to a width.

A picture is a string. Only features that both browsers and resvg support are used; labels are in
"DejaVu Sans", the font that Overland includes.

What may be picked is marked (``pick``): a shape without ink, above what it stands for, with the
attribute ``data-pick``, whose first child is a ``title``, its accessible name. ``data-pick`` has
alternatives separated by ``|``, each one or more pairs of a field and a value separated by a space
(``engine.picks``): ``space=C7``, ``area=mine slot=2``, ``cards=bison|symbols=bison``. Values are
percent-encoded as by ``encodeURIComponent`` of ECMAScript, so that they have no space, ``|``, ``=``
and ``%`` of their own: ``start=west%203``. Each alternative is in a legal action; one who picks it
narrows the legal actions to those that have its pairs, and may pick it again where an action has
them twice. A picture with marks is a group, whose parts screen readers see, and not an image.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, Literal

from engine.letters import clusters, is_right_to_left
from engine.letters import width as width_of
from engine.picks import NO_CHOICES, Choices, pairs

FONT: Final = "'DejaVu Sans', Verdana, sans-serif"

# Colours shared by all pictures: text and lines, secondary text, panels, their borders, the
# background, cards, what stands out of these, and highlights (the last move, the seat to act).
INK: Final = "#33271b"
SOFT: Final = "#6d5b45"
PAPER: Final = "#fffaf0"
BORDER: Final = "#d9c7a0"
SAND: Final = "#f4ead2"
CARD: Final = "#fbf3e0"
BRIGHT: Final = "#fffefb"
ACCENT: Final = "#b0146c"
LETTER: Final = "#2a1f16"
"""Text and lines on pieces, whose colours are the same in the dark."""

DARK: Final[Mapping[str, str]] = {
    INK: "#efe6d3",
    SOFT: "#bcab8c",
    PAPER: "#1d1812",
    BORDER: "#4d4130",
    SAND: "#2b241a",
    CARD: "#251f16",
    BRIGHT: "#3a3022",
    ACCENT: "#ff8cc3",
}
"""The colours on a dark screen, by those of a light one; games have more (``Game.dark``). Pages
replace them by the attributes ``fill`` and ``stroke``, which are always written in six digits.
"""

_DESCRIBED: Final = re.compile(r"<(?P<tag>title|desc)\b[^>]*>(?P<said>.*?)</(?P=tag)>", re.DOTALL)
ELLIPSIS: Final = "\u2026"
_RIGHT_TO_LEFT: Final = "\u200f"
"""A mark without width, after which the ellipsis belongs to words that run from right to left."""
_NOT_XML: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_PLAIN: Final = re.compile(r"[\w .,:;/#%()+-]*", re.ASCII)
"""Texts that need no escaping; most attributes are."""


def escape(value: str) -> str:
    """The text escaped for XML text and attributes, without what XML does not allow."""
    if _PLAIN.fullmatch(value):
        return value
    clean = _NOT_XML.sub("", value)
    return (
        clean.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace('"', "&quot;")
        .replace("'", "&#39;")
    )


@lru_cache(maxsize=16_384)
def number(value: float) -> str:
    """A coordinate with at most two decimals and without trailing zeros; most recur in pictures."""
    written = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if written == "-0" else written


def element(name: str, *children: str, **attributes: str | float | None) -> str:
    """An element. Underscores in attribute names become hyphens; ``None`` leaves the attribute out.
    Children are markup already: escape text first, or use ``label``.
    """
    written = "".join(
        f' {key.replace("_", "-")}="{escape(value) if isinstance(value, str) else number(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{written}>{''.join(children)}</{name}>" if children else f"<{name}{written}/>"


def group(*children: str, **attributes: str | float | None) -> str:
    """A group of elements."""
    return element("g", *children, **attributes)


def rect(x: float, y: float, width: float, height: float, **attributes: str | float | None) -> str:
    """A rectangle by its upper left corner and size."""
    return element("rect", x=x, y=y, width=width, height=height, **attributes)


def plate(
    x: float,
    y: float,
    width: float,
    height: float,
    radius: float,
    fill: str,
    stroke: str,
    line: float,
    **attributes: str | float | None,
) -> str:
    """A rectangle with round corners and a line of the width ``line`` around it."""
    return rect(x, y, width, height, rx=radius, fill=fill, stroke=stroke, stroke_width=line, **attributes)


def frame(
    x: float,
    y: float,
    width: float,
    height: float,
    radius: float | None = None,
    fill: str = "none",
    stroke: str | None = None,
    line: float | None = None,
) -> str:
    """A rectangle that bounds the labels of the element it is put into, such as a group: a test
    measures that none of them, however deep in there, leaves it. An element has one at most.
    """
    attributes = {"class": "panel", "rx": radius, "fill": fill, "stroke": stroke, "stroke_width": line}
    return rect(x, y, width, height, **attributes)


def path(d: str, **attributes: str | float | None) -> str:
    """A path; ``d`` is its data (SVG 2, 9.3)."""
    return element("path", d=d, **attributes)


def shape(d: str, fill: str, stroke: str, width: float) -> str:
    """A path that is filled, with a line of that colour and width around it."""
    return path(d, fill=fill, stroke=stroke, stroke_width=width, stroke_linejoin="round")


def stroke(d: str, colour: str, width: float, dashes: str | None = None) -> str:
    """A path that is drawn as a line."""
    return path(d, fill="none", stroke=colour, stroke_width=width, stroke_linecap="round", stroke_dasharray=dashes)


def circle(x: float, y: float, r: float, **attributes: str | float | None) -> str:
    """A circle by its centre."""
    return element("circle", cx=x, cy=y, r=r, **attributes)


def polygon(points: Iterable[tuple[float, float]], **attributes: str | float | None) -> str:
    """A polygon by its corners."""
    return element("polygon", points=" ".join(f"{number(x)},{number(y)}" for x, y in points), **attributes)


def to(x: float, y: float, scale: float = 1) -> str:
    """The value of ``transform`` that moves the origin to (x, y), then scales."""
    moved = f"translate({number(x)} {number(y)})"
    return moved if scale == 1 else f"{moved} scale({number(scale)})"


def use(name: str, x: float, y: float, scale: float = 1, **attributes: str | float | None) -> str:
    """A copy of the definition ``name``, its origin at (x, y)."""
    if scale == 1:
        return element("use", href=f"#{name}", x=x, y=y, **attributes)
    return element("use", href=f"#{name}", transform=to(x, y, scale), **attributes)


def define(name: str, *children: str, **attributes: str | float | None) -> str:
    """A definition to be drawn by ``use``; put it into ``defs``."""
    return group(*children, id=name, **attributes)


def pick(choices: Choices, name: str, outline: str, *alternatives: Mapping[str, Any]) -> str:
    """The mark of what may be picked on the ``outline`` (path data), "" if no alternative, each of
    values by field, is in a legal action. The name contains the letters drawn below the mark.
    """
    if choices is NO_CHOICES:
        return ""
    written = [" ".join(each) for each in map(tuple, map(pairs, alternatives)) if choices.allow(each)]
    if not written:
        return ""
    marks = {"data_pick": "|".join(written), "fill": "none", "pointer_events": "all"}
    return element("path", element("title", escape(name)), d=outline, **marks)


def ordinal(things: Sequence[object], index: int) -> str:
    """What tells the names of equal things apart: " 2" for the second of them, "" for the first."""
    before = things[:index].count(things[index])
    return f" {before + 1}" if before else ""


def oblong(x: float, y: float, width: float, height: float) -> str:
    """A rectangle, by its upper left corner, as path data."""
    return f"M{number(x)} {number(y)}h{number(width)}v{number(height)}h{number(-width)}z"


def disc(x: float, y: float, r: float) -> str:
    """A circle by its centre, as path data."""
    half = f"a{number(r)} {number(r)} 0 1 1"
    return f"M{number(x - r)} {number(y)}{half} {number(2 * r)} 0{half} {number(-2 * r)} 0z"


def label(words: str, x: float, y: float, size: float, **attributes: str | float | None) -> str:
    """A line of text, escaped, on the baseline y."""
    return element("text", escape(words), x=x, y=y, font_size=size, **attributes)


def text_width(words: str, size: float, bold: bool = False) -> float:
    """The width of the words in user units, never less than in the fonts (``engine.letters``)."""
    return width_of(words, bold) / 1000 * size


def fitted(words: str, width: float, size: float, bold: bool = False) -> str:
    """The words, cut with an ellipsis if they would be wider than ``width`` (user units). Letters
    keep their marks; the ellipsis is at the end in the direction of the words.
    """
    if text_width(words, size, bold) <= width:
        return words
    room = width - text_width(ELLIPSIS, size, bold)
    kept = ""
    for cluster in clusters(words):
        room -= text_width(cluster, size, bold)
        if room < 0:
            break
        kept += cluster
    kept = kept.rstrip()
    return kept + ELLIPSIS + (_RIGHT_TO_LEFT if is_right_to_left(kept) else "")


def lines(words: str, width: float, size: float, most: int, bold: bool = False) -> tuple[str, ...]:
    """The words in at most ``most`` lines of ``width`` user units, the last cut if need be."""
    found: list[str] = []
    left = words.split()
    while left and len(found) < most - 1:
        line = [left.pop(0)]
        while left and text_width(" ".join((*line, left[0])), size, bold) <= width:
            line.append(left.pop(0))
        found.append(fitted(" ".join(line), width, size, bold))
    return tuple(found) if not left else (*found, fitted(" ".join(left), width, size, bold))


def picture(
    width: float,
    height: float,
    title: str,
    description: str,
    *children: str,
    prefix: str = "picture",
    choices: Choices = NO_CHOICES,
) -> str:
    """A standalone picture with a title and a description for screen readers, its ids prefixed, as
    a page may have several. With ``choices`` it is a group of marks and not an image.
    """
    return element(
        "svg",
        element("title", escape(title), id=f"{prefix}-title"),
        element("desc", escape(description), id=f"{prefix}-desc"),
        *children,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {number(width)} {number(height)}",
        width=width,
        height=height,
        role="img" if choices is NO_CHOICES else "group",
        aria_labelledby=f"{prefix}-title",
        aria_describedby=f"{prefix}-desc",
        font_family=FONT,
    )


def said(svg: str, tag: Literal["title", "desc"]) -> tuple[str, ...]:
    """The lines of the title or the description of a picture; none where it has none."""
    found = next((found for found in _DESCRIBED.finditer(svg) if found["tag"] == tag), None)
    written = html.unescape(found["said"]).splitlines() if found else ()
    return tuple(" ".join(line.split()) for line in written if line.strip())


def undescribed(svg: str) -> str:
    """The picture without title and description: what is drawn of it."""
    return _DESCRIBED.sub("", svg)
