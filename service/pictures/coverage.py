"""Which names the bundled fonts can draw, and what is drawn instead of the others."""

from __future__ import annotations

import struct
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Final

from engine.svg import escape
from engine.wording import listed, seat_name
from service.pictures.picture import FONT_FILES, as_drawn

MARK: Final = "*"
_INVISIBLE: Final = ("Cc", "Cf", "Zs")
_FORMATS: Final = (12, 4)
"""The formats of character maps that are read, the one with more characters first."""


def in_pixels(names: Sequence[str], draw: Callable[[Sequence[str]], str]) -> str:
    """The SVG that ``draw`` makes of the names, to be drawn in pixels: a name that cannot be drawn
    is replaced by that of its seat and a mark, and the description says whose it is.
    """
    missing = [seat for seat, name in enumerate(names) if not drawable(name)]
    if not missing:
        return draw(names)
    svg = draw([f"{seat_name(seat)} {MARK}" if seat in missing else name for seat, name in enumerate(names)])
    whose = listed(f"{seat_name(seat)} is {names[seat]}" for seat in missing)
    return svg.replace("</desc>", escape(f" {MARK} {whose}: no font for this name is at hand.") + "</desc>", 1)


def drawable(words: str) -> bool:
    """Whether a bundled font has each visible character of the words."""
    if words.isascii():
        return True
    covered = _covered()
    return all(letter in covered or unicodedata.category(letter) in _INVISIBLE for letter in as_drawn(words))


@cache
def _covered() -> frozenset[str]:
    """The characters of all bundled fonts."""
    return frozenset(chr(code) for file in FONT_FILES for code in _codes(Path(file).read_bytes()))


def _codes(font: bytes) -> Iterator[int]:
    """The code points in the character map of a font (OpenType, "cmap")."""
    (tables,) = struct.unpack_from(">H", font, 4)
    starts = {font[at : at + 4]: struct.unpack_from(">L", font, at + 8)[0] for at in range(12, 12 + 16 * tables, 16)}
    start = starts[b"cmap"]
    (maps,) = struct.unpack_from(">H", font, start + 2)
    found = {}
    for at in range(start + 4, start + 4 + 8 * maps, 8):
        place = start + struct.unpack_from(">L", font, at + 4)[0]
        found[struct.unpack_from(">H", font, place)[0]] = place
    chosen = next(kind for kind in _FORMATS if kind in found)
    yield from (_long if chosen == 12 else _short)(font, found[chosen])


def _long(font: bytes, at: int) -> Iterator[int]:
    """Format 12: groups of code points."""
    (groups,) = struct.unpack_from(">L", font, at + 12)
    for group in range(groups):
        first, last, _ = struct.unpack_from(">LLL", font, at + 16 + 12 * group)
        yield from range(first, last + 1)


def _short(font: bytes, at: int) -> Iterator[int]:
    """Format 4: segments of code points below 0x10000; glyph 0 is that of missing characters."""
    (doubled,) = struct.unpack_from(">H", font, at + 6)
    count = doubled // 2
    ends = struct.unpack_from(f">{count}H", font, at + 14)
    begins = struct.unpack_from(f">{count}H", font, at + 16 + doubled)
    shifts = struct.unpack_from(f">{count}H", font, at + 16 + 2 * doubled)
    where = at + 16 + 3 * doubled
    offsets = struct.unpack_from(f">{count}H", font, where)
    for segment, (first, last) in enumerate(zip(begins, ends, strict=True)):
        for code in range(first, min(last, 0xFFFE) + 1):
            if not offsets[segment]:
                glyph = (code + shifts[segment]) & 0xFFFF
            else:
                (glyph,) = struct.unpack_from(">H", font, where + 2 * segment + offsets[segment] + 2 * (code - first))
            if glyph:
                yield code
