"""The standard set is what the search that decision 0011 describes has found."""

from __future__ import annotations

import json
from pathlib import Path

from engine.documents import from_document
from engine.games.montana import GAME
from tests.games.montana.positions import STANDARD
from tools.search.command import base_of
from tools.search.space import Space, made

FILE = Path(__file__).parents[3] / "docs" / "decisions" / "0011-montana-space.json"
CHOSEN = "more, 16 double"


def test_the_chosen_candidate_is_the_standard_set() -> None:
    space: Space = from_document(Space, json.loads(FILE.read_text()))
    base = base_of("montana", space, FILE)
    found = GAME.load_components(made(space, base, space.begin[CHOSEN]))
    assert found.tiles.value == STANDARD.tiles.value
    assert found.shop_columns.value == STANDARD.shop_columns.value
    assert found.layouts == STANDARD.layouts


def test_every_first_candidate_is_a_component_set() -> None:
    space: Space = from_document(Space, json.loads(FILE.read_text()))
    base = base_of("montana", space, FILE)
    for candidate in space.begin.values():
        GAME.load_components(made(space, base, candidate))
