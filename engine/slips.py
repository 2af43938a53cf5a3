"""Which similar words are worth offering for a word that cannot be read: those that make a line
that can be played now.
"""

from __future__ import annotations

import re
from typing import Any

from engine.errors import NotationError
from engine.game import AnyGame
from engine.play import is_legal
from engine.types import Seat


def playable(game: AnyGame, state: Any, seat: Seat, error: NotationError) -> NotationError:
    """The error with only those of its similar words that make sense in ``state``: those with which
    the line can be read and its first action is legal for the seat. If it cannot be read with any
    of them, those with which it can be read further.
    """
    read: dict[str, Any] = {}
    further: list[str] = []
    for word in error.similar:
        try:
            read[word] = game.parse(_corrected(error, word))[0]
        except NotationError as other:
            if other.column > error.column + len(word):
                further.append(word)
    legal = [word for word, action in read.items() if is_legal(game, state, seat, action)]
    return error.with_similar(tuple(legal if read else further))


def _corrected(error: NotationError, word: str) -> str:
    """The line with this word instead of the one that could not be read."""
    typed = re.match(r"\w+", error.line[error.column :])
    end = error.column + (len(typed.group()) if typed else 0)
    return f"{error.line[: error.column]}{word}{error.line[end:]}"
