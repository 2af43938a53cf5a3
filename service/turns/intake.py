"""Parses the actions of a submitted turn, JSON documents or lines of notation, into actions of the
game; ``submit`` stores them.

A number alone in a line means the legal action of that number, and is resolved here only.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.documents import to_document
from engine.errors import DocumentError, NotationError
from engine.game import AnyGame
from engine.play import legal_actions, preview, read_action
from engine.slips import playable
from engine.types import Seat
from service.errors import Invalid, InvalidNotation
from service.sandbox import GivenActions, GivenNotation

MOST_ACTIONS = 64
MOST_LINES = 64
LONGEST_LINE = 1000
_NUMBER = re.compile(r"\s*(\d{1,6})\s*")


@dataclass(frozen=True, slots=True)
class Intake:
    """The actions, and the document of them that is stored."""

    actions: tuple[Any, ...]
    document: Mapping[str, Any]


def take_in(
    game: AnyGame, state: Callable[[], Any], seat: Seat, actions: GivenActions, notation: GivenNotation
) -> Intake:
    """Parses whichever form is given; ``state`` is called only for notation. Raises ``Invalid``."""
    if actions is not None and notation is not None:
        raise Invalid((("/notation", "Send actions or notation, not both."),))
    if notation is not None:
        read = _read_lines(game, state(), seat, notation)
        kept = [notation] if isinstance(notation, str) else list(notation)
        documents = to_document(read)
        _check_typed(game, seat, read, documents)
        return Intake(read, {"actions": documents, "notation": kept})
    if not actions:
        raise Invalid((("/actions", "A turn has at least one action."),))
    if len(actions) > MOST_ACTIONS:
        raise Invalid((("/actions", f"A turn has at most {MOST_ACTIONS} actions, not {len(actions)}."),))
    read = _read_documents(game, seat, actions)
    return Intake(read, {"actions": to_document(read)})


def fingerprint(match_id: str, seat: Seat, ply: int, actions: GivenActions, notation: GivenNotation) -> str:
    """A digest of a submission, to distinguish submissions with the same idempotency key."""
    body = {"match": match_id, "seat": seat, "ply": ply, "actions": actions, "notation": notation}
    return hashlib.sha256(json.dumps(body, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def _check_typed(game: AnyGame, seat: Seat, actions: Sequence[Any], documents: Sequence[Mapping[str, Any]]) -> None:
    """Checks actions of notation as documents, which they are stored as. Raises ``Invalid``."""
    problems = []
    for action, document in zip(actions, documents, strict=True):
        try:
            read_action(game, seat, document)
        except DocumentError as error:
            problems += [
                ("/notation", f'"{game.format(action)}": {pointer.removeprefix("/")}: {sentence}')
                for pointer, sentence in error.problems
            ]
    if problems:
        raise Invalid(tuple(problems))


def _read_documents(game: AnyGame, seat: Seat, actions: Sequence[Any]) -> tuple[Any, ...]:
    read, problems = [], []
    for index, document in enumerate(actions):
        pointer = f"/actions/{index}"
        if not isinstance(document, Mapping):
            problems.append((pointer, "This is not an object."))
            continue
        try:
            read.append(read_action(game, seat, document, pointer))
        except DocumentError as error:
            problems.extend(error.problems)
    if problems:
        raise Invalid(tuple(problems))
    return tuple(read)


def _read_lines(game: AnyGame, state: Any, seat: Seat, lines: str | Sequence[str]) -> tuple[Any, ...]:
    """Parses the actions of one turn that begins in ``state``, on which only numbers depend: ``3``
    is the third action that is legal at that point, which is unknown after a draw.

    Raises ``Invalid``, and ``InvalidNotation``, which says where (``/notation``, ``/notation/N``).
    """
    actions: list[Any] = []
    for pointer, line in _lines(lines):
        for start, part in _parts(line):
            number = _NUMBER.fullmatch(part)
            try:
                actions += [_numbered(game, state, seat, actions, part)] if number else game.parse(part)
            except NotationError as found:
                error = found if actions else playable(game, state, seat, found)
                raise InvalidNotation(pointer, error.message, line, start + error.column, error.expected) from found
            if len(actions) > MOST_ACTIONS:
                raise Invalid(((pointer, f"A turn has at most {MOST_ACTIONS} actions."),))
    if not actions:
        raise Invalid((("/notation", "There is no action in this notation."),))
    return tuple(actions)


def tries_actions(lines: str | Sequence[str]) -> bool:
    """Whether parsing applies actions: a number follows another action. Raises ``Invalid``."""
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
    """The line or, if one of its parts is a number, the parts; each with its first column."""
    parts = list(re.finditer(r"[^;]+", line))
    if not any(_NUMBER.fullmatch(part[0]) for part in parts):
        yield 0, line
        return
    for part in parts:
        if part[0].strip():
            yield part.start(), part[0]


def _numbered(game: AnyGame, state: Any, seat: Seat, before: Sequence[Any], part: str) -> Any:
    """The action of the number ``part`` after the actions ``before``. Raises ``NotationError``."""
    number, reached = int(part.strip()), preview(game, state, seat, before)
    expected: tuple[str, ...] = ()
    if reached.violation is not None:
        refused = game.format(before[reached.actions])
        why = (
            f'The number {number} counts what is legal after "{refused}", but that is refused:'
            f" {reached.violation.message}"
        )
    elif reached.drawing or reached.actions < len(before):
        why = (
            f"The number {number} comes after a draw, where the legal actions are not known yet: write the action out."
        )
    else:
        legal = legal_actions(game, reached.state, seat)
        if 1 <= number <= len(legal):
            return legal[number - 1]
        why = f"The number {number} stands for no action: there is nothing for you to do here."
        if legal:
            why = f"There is no legal action {number} here; they are numbered from 1 to {len(legal)}."
            expected = (f"1 to {len(legal)}",)
    raise NotationError(why, part, len(part) - len(part.lstrip()), expected)
