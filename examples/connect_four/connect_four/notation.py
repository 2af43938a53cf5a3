"""Actions as lines that people type."""

from __future__ import annotations

import re

from connect_four.actions import LETTERS, Drop
from engine.errors import NotationError

NOTATION = "Name the column into which you drop a disc: d, or drop d."


def parse(line: str) -> tuple[Drop, ...]:
    """The actions of a line; raises ``NotationError``."""
    actions = []
    for found in re.finditer(r"[^\s,;]+", line):
        word = found.group().lower()
        if len(word) == 1 and word in LETTERS:
            actions.append(Drop(word))
        elif word != "drop":
            raise NotationError(f'"{found.group()}" is not a column.', line, found.start(), tuple(LETTERS))
    if not actions:
        raise NotationError("There is no column on this line.", line, 0, tuple(LETTERS))
    return tuple(actions)


def format_action(action: Drop) -> str:
    """The line of an action."""
    return f"drop {action.column}"
