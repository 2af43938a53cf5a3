"""Component sets: what is read, and what is refused with which pointer."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from engine import registry
from engine.errors import DocumentError
from engine.games.ozeanien import GAME
from engine.games.ozeanien.components import Options, load_components
from engine.types import Layout, Setup
from tests.games.ozeanien.positions import plenty


def changed(path: str, value: Any) -> dict[str, Any]:
    document: dict[str, Any] = copy.deepcopy(dict(registry.component_document("ozeanien")))
    *parents, last = path.strip("/").split("/")
    inner = document
    for key in parents:
        inner = inner[key]
    inner[last] = value
    return document


@pytest.mark.parametrize(
    ("path", "value", "pointer", "said"),
    [
        ("/circles/value", [], "/circles/value", "no circles"),
        ("/circles/value", ["west", "west"], "/circles/value/1", "already named"),
        ("/circles/value", ["up"], "/circles/value/0", "not one of"),
        ("/sea_tiles/value", {"sea": 35}, "/sea_tiles/value", "cape is missing"),
        ("/sea_tiles/value/lagoon", 1, "/sea_tiles/value/lagoon", "There is no 'lagoon'"),
        ("/sea_tiles/value/sea", -1, "/sea_tiles/value/sea", "less than 0"),
        ("/removed/value", 35, "/sea_tiles/value", "none would be left"),
        ("/explorers/value/4", 1, "/explorers/value/4", "There is no '4'"),
        ("/board/value/rows", 8, "/board/value/rows", "more than 7"),
        ("/board/value/columns", 1, "/board/value/columns", "less than 2"),
        ("/board/provenance", "guessed", "/board/provenance", "not one of"),
    ],
)
def test_a_wrong_value_is_refused_by_its_pointer(path: str, value: Any, pointer: str, said: str) -> None:
    with pytest.raises(DocumentError) as refused:
        load_components(changed(path, value))
    assert any(where == pointer and said in sentence for where, sentence in refused.value.problems), (
        refused.value.problems
    )


def test_a_board_of_ones_own_may_have_circles_in_the_north() -> None:
    components = load_components(plenty(3, 2, circles=["north"]))  # type: ignore[arg-type]
    state = GAME.setup(Setup(2, Options(), components))
    assert [GAME.format(action) for action in GAME.candidates(state, 0)] == [
        "ship north A",
        "ship north B",
        "ship north C",
    ]
    assert "(1)" in GAME.text(GAME.observe(state, None), ("a", "b"))
    assert GAME.svg(GAME.observe(state, None), ("a", "b"), Layout.DESKTOP)
