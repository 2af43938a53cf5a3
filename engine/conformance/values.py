"""Checks of a game's catalogue entry, types, rules text, evaluations, notation and documents."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, get_origin, get_type_hints

from engine import registry
from engine.conformance.subject import PlayedMatch, Subject
from engine.documents import from_document, schema, to_document
from engine.errors import DocumentError, NotationError
from engine.play import legal_actions
from engine.types import CHANCE


def the_catalogue_entry_is_complete(subject: Subject) -> Iterator[str]:
    """Every field of ``info`` has a value, every seat a colour, and ``dark`` has colours."""
    info = subject.game.info
    for field in ("name", "title", "summary", "credits", "notation"):
        if not getattr(info, field):
            yield f"info.{field} is empty"
    if info.rules_version < 1:
        yield f"rules_version is {info.rules_version}"
    if not info.seats or tuple(sorted(set(info.seats))) != info.seats or info.seats[0] < 1:
        yield f"seats are {info.seats}: not the numbers of seats, ascending"
    elif not len(set(info.seat_colours)) == len(info.seat_colours) >= max(info.seats):
        yield f"{max(info.seats)} seats have the colours {', '.join(info.seat_colours)}"
    for colour in (*subject.game.dark, *subject.game.dark.values()):
        if not re.fullmatch("#[0-9a-f]{6}", colour):
            yield f"dark has {colour!r}, which is not a colour such as '#33271b'"


def every_option_has_words(subject: Subject) -> Iterator[str]:
    """``option_words`` has words for each option and each value of an enumeration, and no more."""
    game, definitions = subject.game, dict[str, Any]()
    schema(game.options, definitions, written=True)
    options = definitions[game.options.__name__]["properties"]
    wanted = {*options, *(f"{name}={value}" for name, about in options.items() for value in about.get("enum", ()))}
    yield from (f"option_words has no words for {key}" for key in sorted(wanted - game.option_words.keys()))
    yield from (f"option_words has {key}, which is no option" for key in sorted(game.option_words.keys() - wanted))
    for key, words in game.option_words.items():
        if not re.fullmatch(r"[A-Z0-9][^\n_]{0,39}", words):
            yield f"{key} is called {words!r}, which is not a few words that begin with a capital letter"


def action_types_have_a_discriminator_and_a_docstring(subject: Subject) -> Iterator[str]:
    """Each action type has a ``type`` of its own and a docstring for the API description."""
    kinds = (*subject.game.actions, *subject.game.chance_actions)
    if len({kind.type for kind in kinds}) != len(kinds):
        yield f"two types of action have the same name: {', '.join(kind.type for kind in kinds)}"
    for kind in (kind for kind in subject.game.unbounded if kind not in subject.game.actions):
        yield f"{kind.__name__} is unbounded, and not an action of seats"
    for kind in kinds:
        if get_origin(get_type_hints(kind)["type"]) is not ClassVar:
            yield f"{kind.__name__}.type is not a class variable"
        if not re.fullmatch(r"[a-z][a-z_]*", kind.type):
            yield f"the type of {kind.__name__} is {kind.type!r}"
        if not (kind.__doc__ or "").strip().endswith("."):
            yield f"{kind.__name__} has no docstring that is a sentence"


def dataclasses_are_frozen_and_slotted(match: PlayedMatch) -> Iterator[str]:
    """All values are frozen, slotted dataclasses, and actions can be hashed."""
    game = match.game
    values = [*match.sample(5), *(entry.action for entry in match.log), match.setup.options, match.setup.components]
    values += [game.observe(state, viewer) for state in match.sample(3) for viewer in match.viewers]
    kinds: set[Any] = {type(part) for value in values for part in parts(value) if dataclasses.is_dataclass(part)}
    for kind in sorted(kinds, key=lambda kind: kind.__qualname__):
        if not kind.__dataclass_params__.frozen:
            yield f"{kind.__qualname__} is not frozen"
        if "__slots__" not in vars(kind):
            yield f"{kind.__qualname__} has no slots"
    for entry in match.log:
        try:
            hash(entry.action)
        except TypeError as error:
            yield f"{entry.action} cannot be hashed: {error}"


def states_contain_no_mutable_values(match: PlayedMatch) -> Iterator[str]:
    """A state contains no list, set or bytearray."""
    for state in match.sample(5):
        for part in parts(state):
            if isinstance(part, list | set | bytearray):
                yield f"a state holds a {type(part).__name__}: {part}"


def evaluate_gives_a_finite_number_for_every_seat(match: PlayedMatch) -> Iterator[str]:
    """``evaluate`` gives a finite number for every seat."""
    for state in match.sample(30):
        for seat in range(match.seats):
            worth = match.game.evaluate(state, seat)
            if not -1e9 < worth < 1e9:  # false for NaN, too
                yield f"seat {seat} is valued at {worth}"


def rules_have_unique_numbers(subject: Subject) -> Iterator[str]:
    """RULES.md has numbered rules, and each number occurs once."""
    numbers = subject.rule_numbers
    if not numbers:
        yield "no line of RULES.md begins with the number of a rule, like R1"
    for number in sorted({number for number in numbers if numbers.count(number) > 1}):
        yield f"{number} is given twice"


def rules_cited_in_the_code_exist(subject: Subject) -> Iterator[str]:
    """Every rule number in the code is in RULES.md, or is the beginning of a number there."""
    numbers = subject.rule_numbers
    letters = "".join(sorted({number[0] for number in numbers}))
    if not letters:
        return
    for file, text in subject.sources.items():
        for cited in re.findall(rf"\b([{letters}]\d+(?:\.\d+)*)\b", text):
            if not any(number == cited or number.startswith(f"{cited}.") for number in numbers):
                yield f"{file} cites {cited}, which RULES.md does not have"


def parts(value: Any) -> Iterator[Any]:
    """The value and all values that it contains, recursively."""
    yield value
    if dataclasses.is_dataclass(value):
        for field in dataclasses.fields(value):
            yield from parts(getattr(value, field.name))
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from parts(item)
    elif isinstance(value, tuple | frozenset | list):
        for item in value:
            yield from parts(item)


NONSENSE = ("", "   ", "\t", "!", "xyzzy", "ß\u0000", "-" * 300, "place a farmer on the moon")


def actions_are_equal_after_format_and_parse(match: PlayedMatch) -> Iterator[str]:
    """``parse`` reads what ``format`` writes of all actions, also in upper case, with spaces, and
    twice with a semicolon between.
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
        for typed, meant in ((line, (action,)), (f"  {line.upper()} ", (action,)), (f"{line}; {line}", (action,) * 2)):
            try:
                read = game.parse(typed)
            except NotationError as error:
                yield f"ply {ply}: {action} is written {typed!r}, which is refused: {error.message}"
            else:
                if read != meant:
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
    """Every declared type has a JSON Schema, options have defaults, components their type."""
    game = subject.game
    try:
        registry.check_declared(game)
    except (TypeError, ValueError, DocumentError) as error:
        yield str(error)
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
