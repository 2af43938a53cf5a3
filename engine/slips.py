"""What is worth offering where a line cannot be read: what makes a line that can be played now."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum
from typing import Any

from engine.errors import NotationError
from engine.game import AnyGame
from engine.play import legal_actions
from engine.types import Seat

Tried = Enum("Tried", "LEGAL ILLEGAL PART OPEN DESCRIBED")
"""What comes of a word in place of the one that could not be read. ``PART``: the line is read
further, and a legal line has the word; ``OPEN``: none has; ``DESCRIBED``: it says what would fit.
"""


def playable(game: AnyGame, state: Any, seat: Seat, error: NotationError) -> NotationError:
    """The error with only what makes sense in ``state``.

    Of its similar words those are left with which the first action is legal for the seat; without
    any, those with which the line is read further. Of what it expected, that which makes a legal
    action or a part of one; where nothing is left, or nothing was understood, an action of each
    legal kind.
    """
    legal = legal_actions(game, state, seat)
    lines = [game.format(action) for action in legal]
    tried = {word: _tried(game, legal, lines, error, word) for word in (*error.similar, *error.expected)}
    is_read = any(tried[word] in (Tried.LEGAL, Tried.ILLEGAL) for word in error.similar)
    offered = (Tried.LEGAL,) if is_read else (Tried.PART, Tried.OPEN)
    expected = [word for word in error.expected if tried[word] not in (Tried.ILLEGAL, Tried.OPEN)]
    if not error.line[: error.column].strip():
        typed = _word_at(error).lower()
        expected = [word for word in expected if tried[word] is Tried.LEGAL and typed in word.lower()]
    is_left = any(tried[word] is not Tried.DESCRIBED for word in expected)
    if legal and not is_left and len(expected) < len(error.expected):
        expected = _examples(legal, lines)
    return error.offering(
        tuple(word for word in error.similar if tried[word] in offered), tuple(expected) or error.expected
    )


def _tried(game: AnyGame, legal: Sequence[Any], lines: Sequence[str], error: NotationError, word: str) -> Tried:
    failed: list[NotationError] = []
    for line in (_corrected(error, word), word):
        try:
            action = game.parse(line)[0]
        except NotationError as other:
            failed.append(other)
        else:
            return Tried.LEGAL if action in legal else Tried.ILLEGAL
    at, end = failed[0].column, len(failed[0].line.rstrip())
    if at < error.column:
        return Tried.ILLEGAL
    if at <= error.column + len(word) and at < end:
        return Tried.DESCRIBED
    return Tried.PART if any(f" {word} " in f" {line} " for line in lines) else Tried.OPEN


def _examples(legal: Sequence[Any], lines: Sequence[str]) -> list[str]:
    first: dict[str, str] = {}
    for action, line in zip(legal, lines, strict=True):
        first.setdefault(action.type, line)
    return list(first.values())


def _word_at(error: NotationError) -> str:
    """The word that could not be read; "" at the end of the line."""
    typed = re.match(r"\w+", error.line[error.column :])
    return typed.group() if typed else ""


def _corrected(error: NotationError, word: str) -> str:
    end = error.column + len(_word_at(error))
    return f"{error.line[: error.column]} {word}{error.line[end:]}"
