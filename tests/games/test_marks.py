"""What the pictures mark, in every game: all of an action that is drawn, at a small cost."""

from __future__ import annotations

import gzip
import re
from collections.abc import Mapping
from functools import cache
from typing import Any, Final

import pytest

from engine import registry
from engine.conformance.subject import play
from engine.documents import to_document
from engine.picks import Pair, bag, choices
from engine.play import legal_actions
from engine.types import Layout, Seat
from tests.engine.matches import subject
from tests.games.tables import each_table

DRAWN: Final[Mapping[str, frozenset[str]]] = {
    name: frozenset(words.split())
    for name, words in {
        "oregon": "space cards symbols building buildings joker deck",
        "montana": "hex area slot space workers worker goods good row column wheat",
        "ozeanien": "start space land value part tile explorer",
    }.items()
}
"""The fields of actions whose values are drawn, each of which is marked; by words are chosen types
of action alone, and how many settlements are built.
"""
MOST_BYTES: Final = {"oregon": 1700, "montana": 900, "ozeanien": 500}
"""The most bytes by which marks enlarge a picture that is sent, compressed."""
each_screen = pytest.mark.parametrize("layout", [Layout.DESKTOP, Layout.PHONE])


@cache
def decisions(name: str, seats: int) -> tuple[tuple[int, Any, Seat, list[dict[str, Any]]], ...]:
    """The ply, the state, the seat and the documents of its legal actions, about 25 times."""
    match = play(subject(name, "marks"), seats, 0)
    found = list(match.decisions())
    return tuple(
        (ply, state, seat, [to_document(each) for each in legal_actions(match.game, state, seat)])
        for ply, state, seat in found[:: max(1, len(found) // 25)]
    )


@each_screen
@each_table
def test_every_value_that_is_drawn_is_marked(name: str, seats: int, layout: Layout) -> None:
    game = registry.game(name)
    for ply, state, seat, documents in decisions(name, seats):
        picture = game.svg(game.observe(state, seat), (), layout, choices(documents))
        marked: set[Pair] = set(re.split(r"[ |]", " ".join(re.findall('data-pick="([^"]*)"', picture))))
        legal = {pair for document in documents for pair in bag(document)}
        wanted = {pair for pair in legal if pair.partition("=")[0] in DRAWN[name]}
        assert wanted - marked == set(), f"ply {ply}, seat {seat}"
        assert {pair.partition("=")[0] for pair in legal - marked} <= {"type", "settlements"}


@each_screen
@each_table
def test_marks_enlarge_a_picture_by_little(name: str, seats: int, layout: Layout) -> None:
    game = registry.game(name)
    for _, state, seat, documents in decisions(name, seats)[::2]:
        seen = game.observe(state, seat)
        plain, marked = (
            len(gzip.compress(game.svg(seen, (), layout, choices(each)).encode())) for each in ((), documents)
        )
        assert marked - plain <= MOST_BYTES[name]
