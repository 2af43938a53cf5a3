"""Checks of notation, documents and schemas."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from engine.conformance.subject import PlayedMatch, Subject
from engine.documents import from_document, schema, to_document
from engine.errors import DocumentError, NotationError
from engine.play import legal_actions
from engine.types import CHANCE

NONSENSE = ("", "   ", "\t", "!", "xyzzy", "ß\u0000", "-" * 300, "place a farmer on the moon")


def actions_are_equal_after_format_and_parse(match: PlayedMatch) -> Iterator[str]:
    """``parse`` reads what ``format`` writes, also in upper case and with spaces around it: every
    legal action, and everything that chance may do.
    """
    game = match.game
    written: dict[Any, int] = {}
    for ply, state in enumerate(match.states):
        for seat in game.to_act(state):
            possible = (
                [action for action, _ in game.outcomes(state)] if seat == CHANCE else legal_actions(game, state, seat)
            )
            for action in possible:
                written.setdefault(action, ply)
    for action, ply in written.items():
        line = game.format(action)
        if "\n" in line:
            yield f"ply {ply}: {action} is written on more than one line"
        for typed in (line, f"  {line.upper()} "):
            try:
                read = game.parse(typed)
            except NotationError as error:
                yield f"ply {ply}: {action} is written {typed!r}, which is refused: {error.message}"
            else:
                if read != (action,):
                    yield f"ply {ply}: {action} is written {typed!r}, which is read as {read}"


def unreadable_lines_are_refused_with_a_column(subject: Subject) -> Iterator[str]:
    """``parse`` raises ``NotationError`` with the line, a column within it and a sentence."""
    for line in NONSENSE:
        try:
            read = subject.game.parse(line)
        except NotationError as error:
            if error.line != line or not 0 <= error.column <= len(line) or not error.message:
                yield f"{line!r} is refused as {error.line!r} at column {error.column}: {error.message!r}"
        else:
            yield f"{line!r} is read as {read}"


def entries_are_equal_after_writing_and_reading(match: PlayedMatch) -> Iterator[str]:
    """Actions are of the declared types, and reading their documents gives equal actions."""
    documents = set()
    for ply, entry in enumerate(match.log):
        kinds = match.game.chance_actions if entry.seat == CHANCE else match.game.actions
        if not isinstance(entry.action, kinds):
            yield f"ply {ply}: {entry.action} is not of a type that the game names"
        document = to_document(entry.action)
        documents.add(json.dumps(document, sort_keys=True))
        if from_document(type(entry.action), document) != entry.action:
            yield f"ply {ply}: {entry.action} is another action when it is read again"
    if len(documents) != len({entry.action for entry in match.log}):
        yield "different actions have the same document, or equal ones have different documents"


def observations_are_equal_after_writing_and_reading(match: PlayedMatch) -> Iterator[str]:
    """Observations are of the declared type, and reading their documents gives equal ones."""
    for state in match.sample(25):
        for viewer in match.viewers:
            observation = match.game.observe(state, viewer)
            if not isinstance(observation, match.game.observation):
                yield f"an observation of viewer {viewer} is a {type(observation).__name__}"
            elif from_document(match.game.observation, to_document(observation)) != observation:
                yield f"an observation of viewer {viewer} is another one when it is read again: {observation}"


def every_declared_type_has_a_schema(subject: Subject) -> Iterator[str]:
    """Every declared type has a JSON Schema; all options have defaults; the standard components are
    of the declared type.
    """
    game, definitions = subject.game, dict[str, object]()
    for kind in (*game.actions, *game.chance_actions, game.options, game.observation, game.components):
        try:
            schema(kind, definitions, refs="#/$defs/")
        except (TypeError, KeyError) as error:
            yield f"{kind.__name__} has no schema: {error}"
    if game.options() != from_document(game.options, {}):
        yield "options that are left out are not the defaults"
    if not isinstance(game.load_components(subject.standard), game.components):
        yield f"the standard components are not {game.components.__name__}"


def invalid_component_documents_are_refused(subject: Subject) -> Iterator[str]:
    """``load_components`` raises ``DocumentError`` with a sentence for each problem."""
    for document in ({}, {"nonsense": 1}, {**subject.standard, "nonsense": 1}):
        try:
            subject.game.load_components(document)
        except DocumentError as error:
            if not error.problems or not all(sentence for _, sentence in error.problems):
                yield f"components with the keys {sorted(document)} are refused without a sentence"
        else:
            yield f"components with the keys {sorted(document)} are taken"
