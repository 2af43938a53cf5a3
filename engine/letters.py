"""How wide text is in the fonts of pictures, and where it may be cut.

The widths are never less than the true ones, with whatever marks and neighbours, in the fonts that
the service draws with. A browser that lacks DejaVu Sans takes others, which are seldom wider.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from functools import lru_cache
from typing import Final

from engine.texts import read_text

_JOINER: Final = "\u200d"
_VIRAMA: Final = 9  # its combining class
_FLAGS: Final = ("\U0001f1e6", "\U0001f1ff")
_TONES: Final = ("\U0001f3fb", "\U0001f3ff")
_VOWELS: Final = ("\u0e33", "\u0eb3")
"""Vowels of Thai and Lao that belong to the letter before them."""
_HANGUL: Final = ("\u1160", "\u11ff")
"""Vowels and final consonants of decomposed Hangul."""
_UNSEEN: Final = re.compile("[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e0fff]")
_ETHIOPIC: Final = range(0x1200, 0x1380)
_MARKS: Final = frozenset(
    code
    for first, last in (
        *((0x300, 0x34F), (0x483, 0x487), (0x5B0, 0x5BD), (0x5BF, 0x5BF), (0x5C1, 0x5C2), (0x5C7, 0x5C7)),
        *((0x64B, 0x655), (0x657, 0x657), (0x670, 0x670), (0xFE00, 0xFE0F)),
    )
    for code in range(first, last + 1)
)
"""Marks that DejaVu Sans draws onto any of its letters."""
_STRAY: Final = 1500
"""The width of a mark that no font joins with the letter before: it gets a circle or a box."""

TABLE: Final = read_text("engine", "letters.txt")
"""The widths of letters from each code point (hexadecimal) on, in regular and bold type, in
thousandths of the size, never less than beside any letter (tests/engine/test_letters.py).
"""

_ROWS: Final = tuple(
    (int(first, 16), *map(int, widths.split("/"))) for first, _, widths in (row.partition(":") for row in TABLE.split())
)
_FIRSTS: Final = tuple(row[0] for row in _ROWS)


@lru_cache(maxsize=10_000)
def width(words: str, bold: bool = False) -> int:
    """The width of the words in thousandths of their size."""
    if words.isascii():
        return sum(_letter(letter, bold) for letter in words)
    found, base = 0, ""
    for letter in unicodedata.normalize("NFC", words):
        kind = unicodedata.category(letter)
        if kind == "Cf" and _UNSEEN.match(letter):
            continue
        if kind in ("Mn", "Me"):
            found += 0 if _joins(letter, base) else _STRAY
        else:
            found, base = found + _letter(letter, bold), letter
    return found


def clusters(words: str) -> list[str]:
    """The text in parts that must not be cut: letters with their marks, joined emoji, flags. These
    are the extended grapheme clusters of UAX 29, but for a few rare scripts.
    """
    found: list[str] = []
    for letter in words:
        if found and _belongs(found[-1], letter):
            found[-1] += letter
        else:
            found.append(letter)
    return found


def is_right_to_left(words: str) -> bool:
    """Whether the last letter that has a direction runs from right to left."""
    directions = (unicodedata.bidirectional(letter) for letter in reversed(words))
    return next((direction for direction in directions if direction in ("L", "R", "AL")), "L") != "L"


def _belongs(before: str, letter: str) -> bool:
    last = before[-1]
    if unicodedata.category(letter) in ("Mn", "Mc", "Me", "Cf") or letter in _VOWELS:
        return True
    if _TONES[0] <= letter <= _TONES[1]:
        return True
    if last == _JOINER or unicodedata.combining(last) == _VIRAMA:
        return unicodedata.category(letter)[0] in "LS"
    if _FLAGS[0] <= letter <= _FLAGS[1]:
        return _FLAGS[0] <= last <= _FLAGS[1] and len(before) % 2 == 1
    return _HANGUL[0] <= letter <= _HANGUL[1] and "\u1100" <= last <= "\u11ff"


@lru_cache(maxsize=10_000)
def _letter(letter: str, bold: bool) -> int:
    return _ROWS[bisect_right(_FIRSTS, ord(letter)) - 1][2 if bold else 1]


def _joins(mark: str, base: str) -> bool:
    """Whether a font has both the mark and the letter, so that it draws one onto the other."""
    code, below = ord(mark), ord(base or "o")
    if code in _MARKS:
        return below < 0x700 or 0x1E00 <= below < 0x2000
    return bool(base) and (code // 0x80 == below // 0x80 or (code in _ETHIOPIC and below in _ETHIOPIC))
