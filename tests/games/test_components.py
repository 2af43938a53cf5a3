"""Component sets of every game: they go through documents unchanged, and whatever set is accepted
can be played to the end.

People enter the components of their own boxes, so what a game accepts is not only what came with
it. Sets are made here by changing the standard one at random; each is a function of the number in
its id.
"""

from __future__ import annotations

import copy
import json
from contextlib import suppress
from random import Random
from typing import Any

import pytest

from engine import registry
from engine.documents import from_document, to_document
from engine.errors import DocumentError
from engine.play import drawn, legal_actions
from engine.types import CHANCE, Setup

each_game = pytest.mark.parametrize("name", list(registry.games()))


@each_game
def test_every_set_that_comes_along_goes_through_its_document_unchanged(name: str) -> None:
    game = registry.game(name)
    for which in registry.component_sets(name):
        components = registry.components(name, which)
        document = json.loads(json.dumps(to_document(components)))
        assert game.load_components(document) == components


@each_game
@pytest.mark.parametrize("number", range(12))
def test_whatever_set_is_accepted_can_be_played_to_the_end(name: str, number: int) -> None:
    game, luck = registry.game(name), Random(f"{name}-{number}")
    document, components = accepted(name, luck)
    seats = game.info.seats[number % len(game.info.seats)]
    state = game.setup(Setup(seats, game.options(), components))
    for ply in range(5000):
        assert game.check(state) == (), (ply, document)
        awaited = game.to_act(state)
        if not awaited:
            break
        seat = luck.choice(awaited)
        if seat == CHANCE:
            action = drawn(game, state, ply, lambda _, total: luck.randrange(total))
        else:
            legal = legal_actions(game, state, seat)
            assert legal, f"dead end at ply {ply} of {document}"
            action = luck.choice(legal)
        assert from_document(type(action), to_document(action)) == action, (ply, document)
        state = game.apply(state, seat, action)
    outcome = game.outcome(state)
    assert outcome is not None, document
    assert len(outcome.scores) == seats


def accepted(name: str, luck: Random) -> tuple[dict[str, Any], Any]:
    """A set that is like the standard one but for a few changes, and that the game takes."""
    for _ in range(200):
        document = registry.component_document(name)
        for _ in range(luck.randint(1, 4)):
            change(document, luck)
        with suppress(DocumentError):
            return document, registry.game(name).load_components(document)
    raise AssertionError(f"no change of the standard set of {name} is accepted")


def change(document: dict[str, Any], luck: Random) -> None:
    """Changes one thing somewhere: a number, the order or the length of a list, the letters of a
    line.
    """
    holder, key = luck.choice(
        [place for part in document.values() if isinstance(part, dict) for place in places(part, "value")]
    )
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


def places(holder: Any, key: Any) -> list[tuple[Any, Any]]:
    """Where something can be changed: every number, text and list below a place."""
    value = holder[key]
    below = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    found = [place for inner, _ in below for place in places(value, inner)]
    return found if isinstance(value, dict) else [(holder, key), *found]
