"""Checks of component sets: those that come with a game, and those made by changing the standard
one at random, as players enter the components of their own boxes.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from engine.conformance.subject import DeadEnd, RandomGenerator, Subject, course
from engine.documents import from_document, to_document
from engine.errors import DocumentError
from engine.play import outcome
from engine.types import Outcome, Setup

CHANGED = 12
"""The number of changed sets that are played."""
ATTEMPTS = 200
"""The number of changed sets that are tried to find one that the game accepts."""


def component_sets_load_and_state_their_provenance(subject: Subject) -> Iterator[str]:
    """Each set is accepted, is equal after writing and reading, and states its provenance."""
    for name, document in subject.components.items():
        try:
            components = subject.game.load_components(document)
        except DocumentError as error:
            yield f"the component set {name} is refused: {error}"
            continue
        if subject.game.load_components(json.loads(json.dumps(to_document(components)))) != components:
            yield f"the component set {name} is another one when it is read again"
        if not re.search("rulebook|reported|reconstructed", str(document)):
            yield f"the component set {name} does not say where its values come from"


def accepted_component_sets_can_be_played_to_the_end(subject: Subject) -> Iterator[str]:
    """Sets that differ from the standard one in a few values can be played to the end."""
    if not _all_places(copy.deepcopy(dict(subject.standard))):
        return
    for number in range(CHANGED):
        luck = subject.luck("components", number)
        changed = accepted(subject, luck)
        if changed is None:
            yield f"none of {ATTEMPTS} changes of the standard component set is accepted"
            return
        document, components = changed
        seats = subject.game.info.seats[number % len(subject.game.info.seats)]
        for finding in _played(subject, Setup(seats, subject.game.options(), components), luck):
            yield f"{seats} seats, components {document}: {finding}"


def accepted(subject: Subject, luck: RandomGenerator) -> tuple[dict[str, Any], Any] | None:
    """An accepted set with up to four changes, as document and value, or ``None``."""
    for _ in range(ATTEMPTS):
        document = copy.deepcopy(dict(subject.standard))
        for _ in range(luck.randint(1, 4)):
            change(document, luck)
        with suppress(DocumentError):
            return document, subject.game.load_components(document)
    return None


def change(document: dict[str, Any], luck: RandomGenerator) -> None:
    """Changes a number, the order or length of a list, or a string, at a random place."""
    holder, key = luck.choice(_all_places(document))
    value = holder[key]
    if isinstance(value, bool):
        holder[key] = not value
    elif isinstance(value, int):
        holder[key] = luck.choice((0, 1, 2, value - 1, value + 1, 2 * value))
    elif isinstance(value, str):
        holder[key] = "".join(luck.sample(value, len(value)))
    elif luck.random() < 0.5:
        luck.shuffle(value)
    elif value and luck.random() < 0.5:
        value.pop(luck.randrange(len(value)))
    else:
        value.append(copy.deepcopy(luck.choice(value)) if value else 1)


def _played(subject: Subject, setup: Setup, luck: RandomGenerator) -> Iterator[str]:
    game, state, plies = subject.game, subject.game.setup(setup), 0
    yield from (f"ply 0: {sentence}" for sentence in game.check(state))
    try:
        for ply, _, entry, after in course(game, state, luck):
            if from_document(type(entry.action), to_document(entry.action)) != entry.action:
                yield f"ply {ply}: {entry.action} is another action when it is read again"
            yield from (f"ply {ply + 1}: {sentence}" for sentence in game.check(after))
            state, plies = after, ply + 1
    except DeadEnd as error:
        yield str(error)
        return
    found = outcome(game, state, plies)
    if found is None or from_document(Outcome, to_document(found)) != found or len(found.scores) != setup.seats:
        yield f"at the end, the outcome is {found}"


def _all_places(document: dict[str, Any]) -> list[tuple[Any, Any]]:
    """The places that can be changed, (holder, key) pairs; with provenance, those in the value."""
    found = []
    for name, part in document.items():
        inside = isinstance(part, dict) and "value" in part
        found += _places(part, "value") if inside else _places(document, name)
    return found


def _places(holder: Any, key: Any) -> list[tuple[Any, Any]]:
    """Every number, string and list at or below a place, as (holder, key) pairs."""
    value = holder[key]
    below = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    found = [place for inner, _ in below for place in _places(value, inner)]
    return found if isinstance(value, dict) else [(holder, key), *found]
