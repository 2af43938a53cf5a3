"""Checks of a game's catalogue entry, types, rules text and evaluations."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, get_origin, get_type_hints

from engine.conformance.subject import PlayedMatch, Subject


def the_catalogue_entry_is_complete(subject: Subject) -> Iterator[str]:
    """Every field of ``info`` has a value, and there is a colour for every seat."""
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
    """States, actions, options, components and observations are frozen, slotted dataclasses;
    actions can be hashed.
    """
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
