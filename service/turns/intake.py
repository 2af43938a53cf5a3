"""Parses the actions of a submitted turn, JSON documents or notation, into actions of the game;
``submit`` stores them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.documents import to_document
from engine.errors import DocumentError
from engine.game import AnyGame
from engine.record import read_action
from engine.types import Seat
from service.errors import Invalid
from service.sandbox import Actions, Notation
from service.turns import notation as lines_of_notation

MOST_ACTIONS = 64


@dataclass(frozen=True, slots=True)
class Intake:
    """The actions, and the document of them that is stored."""

    actions: tuple[Any, ...]
    document: Mapping[str, Any]


def take_in(game: AnyGame, state: Callable[[], Any], seat: Seat, actions: Actions, notation: Notation) -> Intake:
    """Parses whichever form is given.

    ``state`` is called only for notation. Raises ``Invalid`` with JSON pointers.
    """
    if actions is not None and notation is not None:
        raise Invalid((("/notation", "Send actions or notation, not both."),))
    if notation is not None:
        read = lines_of_notation.read(game, state(), seat, notation, MOST_ACTIONS)
        kept = [notation] if isinstance(notation, str) else list(notation)
        documents = to_document(read)
        _check_typed(game, seat, read, documents)
        return Intake(read, {"actions": documents, "notation": kept})
    if not actions:
        raise Invalid((("/actions", "A turn has at least one action."),))
    read = _read_documents(game, seat, _bounded(actions))
    return Intake(read, {"actions": to_document(read)})


def take_in_prefix(
    game: AnyGame, state: Callable[[], Any], seat: Seat, actions: Actions, notation: Notation
) -> tuple[Any, ...]:
    """Parses the earlier actions of the same turn; there may be none."""
    if notation is None and not actions:
        return ()
    return take_in(game, state, seat, actions, notation).actions


def fingerprint(match_id: str, seat: Seat, ply: int, actions: Actions, notation: Notation) -> str:
    """A digest of a submission, to distinguish submissions with the same idempotency key."""
    body = {"match": match_id, "seat": seat, "ply": ply, "actions": actions, "notation": notation}
    return hashlib.sha256(json.dumps(body, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def _bounded(actions: Sequence[Any]) -> tuple[Any, ...]:
    if len(actions) > MOST_ACTIONS:
        raise Invalid((("/actions", f"A turn has at most {MOST_ACTIONS} actions, not {len(actions)}."),))
    return tuple(actions)


def _check_typed(game: AnyGame, seat: Seat, actions: Sequence[Any], documents: Sequence[Mapping[str, Any]]) -> None:
    """Checks that actions parsed from notation are within the bounds of documents, as which they
    are stored. Raises ``Invalid`` at ``/notation``.
    """
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
