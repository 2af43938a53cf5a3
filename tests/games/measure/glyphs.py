"""Measures text in the fonts that pictures are drawn with, shaped as browsers and resvg do it."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final, TypeAlias

import uharfbuzz

from service.pictures.picture import FONT_FILES, as_drawn

Font: TypeAlias = Any
"""A font of uharfbuzz, which has no types."""

Box: TypeAlias = tuple[float, float, float, float]
"""Left, right, bottom, top."""

UNKNOWN: Final[Box] = (0.0, 1.0, -0.12, 0.88)
"""The box of a character that no font has."""


@dataclass(frozen=True, slots=True)
class Extent:
    """A line of text in size 1, from the origin to the right; y grows upwards from the baseline.
    ``advance`` is the width that anchors count; the visible glyphs lie between the other values.
    """

    advance: float
    left: float
    right: float
    bottom: float
    top: float


@lru_cache(maxsize=100_000)
def measured(words: str, bold: bool = False) -> Extent | None:
    """The box of the words; ``None`` where nothing is visible."""
    boxes: list[Box] = []
    pen = 0.0
    for font, run in _runs(as_drawn(words), _fonts(bold)):
        for advance, box in _glyphs(font, run):
            if box is not None:
                boxes.append((pen + box[0], pen + box[1], box[2], box[3]))
            pen += advance
    if not boxes:
        return None
    lefts, rights, bottoms, tops = zip(*boxes, strict=True)
    return Extent(pen, min(lefts), max(rights), min(bottoms), max(tops))


@cache
def _fonts(bold: bool) -> tuple[Font, ...]:
    """The fonts in the order in which they are asked for a character."""
    found = [uharfbuzz.Font(uharfbuzz.Face(Path(file).read_bytes())) for file in FONT_FILES]
    if bold:
        found[:2] = reversed(found[:2])
        for font in found[2:]:
            font.set_variations({"wght": 700})
    return tuple(found)


def _runs(words: str, fonts: tuple[Font, ...]) -> Iterator[tuple[Font | None, str]]:
    """The words in parts of one font and one direction."""
    run = ""
    last: tuple[Font | None, bool] = fonts[0], False
    for letter in words:
        kind = last
        if not _attached(letter):
            font = next((each for each in fonts if each.get_nominal_glyph(ord(letter))), None)
            direction = unicodedata.bidirectional(letter)
            kind = font, direction in ("R", "AL") if direction in ("L", "R", "AL") else last[1]
        if run and kind != last:
            yield last[0], run
            run = ""
        run, last = run + letter, kind
    if run:
        yield last[0], run


def _attached(letter: str) -> bool:
    """Whether a character has no place of its own: marks, joiners, variation selectors."""
    return unicodedata.category(letter) in ("Mn", "Me", "Cf")


def _glyphs(font: Font | None, run: str) -> Iterator[tuple[float, Box | None]]:
    """Each glyph's advance, and its box if it is visible."""
    if font is None:
        yield from ((UNKNOWN[1], UNKNOWN) for letter in run if not _attached(letter))
        return
    buffer = uharfbuzz.Buffer()
    buffer.add_str(run)
    buffer.guess_segment_properties()
    uharfbuzz.shape(font, buffer)
    unit = font.face.upem
    for info, position in zip(buffer.glyph_infos, buffer.glyph_positions, strict=True):
        extents = font.get_glyph_extents(info.codepoint)
        box = None
        if extents is not None and extents.width:
            left, top = position.x_offset + extents.x_bearing, position.y_offset + extents.y_bearing
            box = left / unit, (left + extents.width) / unit, (top + extents.height) / unit, top / unit
        yield position.x_advance / unit, box
