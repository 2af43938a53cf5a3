"""Parses lines of notation.

A number alone means the legal action of that number, and is resolved here only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from engine.errors import NotationError
from engine.game import AnyGame
from engine.play import legal_actions, preview
from engine.slips import playable
from engine.types import Seat
from service.errors import Invalid, InvalidNotation

MOST_LINES = 64
LONGEST_LINE = 1000
_NUMBER = re.compile(r"\s*(\d{1,6})\s*")


def read(game: AnyGame, state: Any, seat: Seat, lines: str | Sequence[str], most: int) -> tuple[Any, ...]:
    """Parses the actions of one turn that begins in ``state``, at most so many.

    Only numbers depend on the state: ``3`` is the third action that is legal at that point, which
    is unknown after a draw. Raises ``InvalidNotation``, which says where parsing failed
    (``/notation``, ``/notation/N`` in a list), or ``Invalid``.
    """
    actions: list[Any] = []
    for pointer, line in _lines(lines):
        for start, part in _parts(line):
            number = _NUMBER.fullmatch(part)
            try:
                actions.extend(
                    (_numbered(game, state, seat, actions, int(number[1]), part),) if number else game.parse(part)
                )
            except NotationError as found:
                error = found if actions else playable(game, state, seat, found)
                raise InvalidNotation(pointer, error.message, line, start + error.column, error.expected) from found
            if len(actions) > most:
                raise Invalid(((pointer, f"A turn has at most {most} actions."),))
    if not actions:
        raise Invalid((("/notation", "There is no action in this notation."),))
    return tuple(actions)


def tries_actions(lines: str | Sequence[str]) -> bool:
    """Whether parsing these lines applies actions: a number follows another action. Raises
    ``Invalid``.
    """
    parts = [part for _, line in _lines(lines) for _, part in _parts(line)]
    return any(_NUMBER.fullmatch(part) for part in parts[1:])


def names_numbers(lines: str | Sequence[str]) -> bool:
    """Whether lines name an action by its number, which means another one at another ply."""
    return any(_NUMBER.fullmatch(part) for _, line in _lines(lines) for _, part in _parts(line))


def _lines(lines: str | Sequence[str]) -> Iterator[tuple[str, str]]:
    """Each line that is not empty, with its JSON pointer."""
    found = (
        [("/notation", line) for line in lines.splitlines()]
        if isinstance(lines, str)
        else [(f"/notation/{n}", line) for n, line in enumerate(lines)]
    )
    if len(found) > MOST_LINES:
        raise Invalid((("/notation", f"A turn has at most {MOST_LINES} lines, not {len(found)}."),))
    for pointer, line in found:
        if len(line) > LONGEST_LINE:
            raise Invalid(((pointer, f"A line has at most {LONGEST_LINE} characters, not {len(line)}."),))
        if line.strip():
            yield pointer, line


def _parts(line: str) -> Iterator[tuple[int, str]]:
    """The line as a whole or, if one of its parts is a number, its parts, each with its first
    column.
    """
    parts = list(re.finditer(r"[^;]+", line))
    if not any(_NUMBER.fullmatch(part[0]) for part in parts):
        yield 0, line
        return
    for part in parts:
        if part[0].strip():
            yield part.start(), part[0]


def _numbered(game: AnyGame, state: Any, seat: Seat, before: Sequence[Any], number: int, part: str) -> Any:
    """The action of that number after the actions ``before``. Raises ``NotationError``."""
    column = len(part) - len(part.lstrip())
    reached = preview(game, state, seat, before)
    if reached.violation is not None:
        refused = game.format(before[reached.actions])
        raise NotationError(
            f'The number {number} counts what is legal after "{refused}", but that is refused:'
            f" {reached.violation.message}",
            part,
            column,
        )
    if reached.drawing or reached.actions < len(before):
        raise NotationError(
            f"The number {number} comes after a draw, where the legal actions are not known yet: write the action out.",
            part,
            column,
        )
    legal = legal_actions(game, reached.state, seat)
    if not legal:
        raise NotationError(
            f"The number {number} stands for no action: there is nothing for you to do here.", part, column
        )
    if not 1 <= number <= len(legal):
        raise NotationError(
            f"There is no legal action {number} here; they are numbered from 1 to {len(legal)}.",
            part,
            column,
            (f"1 to {len(legal)}",),
        )
    return legal[number - 1]
