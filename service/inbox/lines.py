"""Lines of text as people and mail programs write them, made plain for comparing and reading."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_SAME: Final = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u00b4\u02bc", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d", "-"),
        **dict.fromkeys("\u2044\u2215", "/"),
        "\t": " ",
        "\u20e3": None,  # the box of a keycap emoji
        "\u00ad": None,  # a soft hyphen
        "\ufffc": " ",  # the place of an object, such as a picture
    }
)
"""Quotes, dashes and blanks that keyboards type for the plain ones."""
EMOJI: Final = "\u2600-\u27bf\U0001f000-\U0001faff"
"""As a range of a regular expression."""
_BREAKS: Final = re.compile(r"\r\n|[\n\r\x0b\x0c\x85\u2028\u2029]")
_WORDS: Final = re.compile(r"[^\W_]+|;")


def lines_of(text: str) -> list[str]:
    """The lines of a text, whatever breaks them, each made plain."""
    return [plain(line) for line in _BREAKS.split(text)]


def plain(line: str) -> str:
    """The line with plain quotes, dashes, digits and blanks, without what cannot be seen: marks of
    direction, joiners, variation selectors. Trailing blanks are removed, others are kept.
    """
    if line.isascii() and line.isprintable():
        return line.rstrip()
    wide = unicodedata.normalize("NFKC", line.translate(_SAME)).translate(_SAME)
    return "".join(_character(character) for character in wide).rstrip()


def words_in(line: str) -> tuple[str, ...]:
    """The words and numbers of a line in lower case, and each semicolon: what two lines are
    compared by, however they are broken, indented and punctuated.
    """
    return tuple(_WORDS.findall(line.casefold()))


def _character(character: str) -> str:
    kind = unicodedata.category(character)
    if kind == "Zs":
        return " "
    return "" if kind[0] == "C" or 0xFE00 <= ord(character) <= 0xFE0F else character
