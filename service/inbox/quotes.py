"""Recognises lines that mail programs mark as quoted."""

from __future__ import annotations

import re
from typing import Final

from service.inbox.lines import EMOJI

_MARK: Final = re.compile(r"\s{0,8}(?:(?:>|&gt;|»|\|(?=\s|$)|[A-Z][A-Za-z]{0,3}>)\s?)+")

_SIGN: Final = re.compile(f"[{EMOJI}]")
_STROKE: Final = re.compile(r"[|~#+=_/\\-]")


def is_marked(line: str) -> bool:
    """Whether a line begins with a quote mark: ``>``, ``|``, ``»``, or initials and ``>``."""
    return _MARK.match(line) is not None


def unmarked(line: str) -> str:
    """The line without its quote marks."""
    return _MARK.sub("", line, count=1)


def is_drawn(line: str) -> bool:
    """Whether a line is part of a drawing, such as a text board, rather than text."""
    if line.count("|") >= 3:
        return True
    if _SIGN.search(line):
        return False
    letters = sum(character.isalnum() for character in line)
    return (not letters and "?" not in line) or len(_STROKE.findall(line)) >= max(4, letters)


def is_indented(line: str) -> bool:
    """Whether a line begins with blanks."""
    return line[:1] == " "
