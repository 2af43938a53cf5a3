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
    """The error with only those of its similar words that make sense in ``state``.

    With such a word the line can be read and its first action is legal for the seat, or the line
    can be read further.
    """
    return error.with_similar(tuple(word for word in error.similar if _makes_sense(game, state, seat, error, word)))


def _makes_sense(game: AnyGame, state: Any, seat: Seat, error: NotationError, word: str) -> bool:
    typed = re.match(r"\w+", error.line[error.column :])
    end = error.column + (len(typed.group()) if typed else 0)
    try:
        actions = game.parse(f"{error.line[: error.column]}{word}{error.line[end:]}")
    except NotationError as other:
        return other.column > error.column + len(word)
    return is_legal(game, state, seat, actions[0])
