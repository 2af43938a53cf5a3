"""Component sets: what is read, and what is refused with which pointer."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from engine import registry
from engine.components import Provenance
from engine.documents import to_document
from engine.errors import DocumentError
from engine.games.oregon.components import Building, Components, load_components
from engine.games.oregon.state import check, lay
from engine.types import Setup
from tests.games.oregon.positions import STANDARD, is_legal, position

DOCUMENT = registry.component_document("oregon")


def changed(change: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
    document: dict[str, Any] = copy.deepcopy(dict(DOCUMENT))
    change(document)
    return document


def problems(change: Callable[[dict[str, Any]], Any]) -> tuple[tuple[str, str], ...]:
    with pytest.raises(DocumentError) as caught:
        load_components(changed(change))
    return caught.value.problems


def put(document: dict[str, Any], path: str, value: Any) -> None:
    """Puts a value to a path of a document; the parts of lists are numbers."""
    *parents, last = path.strip("/").split("/")
    for key in parents:
        document = document[int(key)] if isinstance(document, list) else document[key]
    document[int(last) if isinstance(document, list) else last] = value


def put_all(document: dict[str, Any], values: dict[str, Any]) -> None:
    for path, value in values.items():
        put(document, path, value)


def test_the_standard_set_round_trips_as_a_document() -> None:
    assert load_components(DOCUMENT) == STANDARD
    assert to_document(STANDARD) == DOCUMENT


def test_every_value_has_a_provenance() -> None:
    for name, value in DOCUMENT.items():
        if name != "name":
            assert value["provenance"] in tuple(Provenance), name
            assert value["note"], name


def test_the_map_has_the_terrain_that_was_reported() -> None:
    """R1.3: 90 prairie, 13 water, 27 mountain, 20 railway; prairie in the majority."""
    land = "".join(STANDARD.terrain.value)
    assert [land.count(character) for character in ".~^="] == [90, 13, 27, 20]


def test_every_symbol_reaches_a_site_for_every_building() -> None:
    """R1.2, R4.1, R4.2: no card is useless for want of ground."""
    geometry = position().table.geometry
    assert all(geometry.sites[building][symbol] for building in range(7) for symbol in range(5))


def test_another_set_can_be_played() -> None:
    """R1.5: an owner's board with other edges and another map."""
    mirrored = load_components(
        changed(
            lambda document: put_all(
                document,
                {
                    "columns/value": DOCUMENT["columns"]["value"][::-1],
                    "terrain/value": [row[::-1] for row in DOCUMENT["terrain"]["value"]],
                    "coal_tokens/value": {"2": 5, "10": 1},
                },
            )
        )
    )
    state = position(hands=["wagon wagon settler church"], components=mirrored)
    assert is_legal(state, "farmer wagon wagon O1")
    assert lay(2, state.table.options, mirrored).coal_values == (2, 10)
    assert check(registry.game("oregon").setup(Setup(2, state.table.options, mirrored))) == ()


@pytest.mark.parametrize(
    ("path", "value", "pointer", "words"),
    [
        ("columns/value", ["wagon", "bison"], "/columns/value", "2 bands"),
        ("rows/value/4", "wagon", "/rows/value/4", "already heads a band of this edge"),
        ("rows/value/4", "horse", "/rows/value/4", "not one of"),
        ("terrain/value", [], "/terrain/value", "0 rows"),
        ("terrain/value/3", "....", "/terrain/value/3", "4 spaces, not 15"),
        ("terrain/value/9", "...x..^^^^.....", "/terrain/value/9", "'x' is not a terrain"),
        ("terrain/value", ["." * 15] * 10, "/terrain/value", "Only 0 spaces can hold a harbour"),
        ("landscape_cards/value/wagon", 0, "/landscape_cards/value/wagon", "less than 1"),
        ("landscape_cards/value/horse", 3, "/landscape_cards/value/horse", "There is no 'horse'"),
        (
            "building_cards/value",
            {building.value: 1 for building in Building},
            "/building_cards/value",
            "7 cards in all",
        ),
        ("building_tiles/value", {}, "/building_tiles/value", "post_office is missing"),
        ("start_tiles/value/church", "two", "/start_tiles/value/church", "not a whole number"),
        ("farmers/value", 0, "/farmers/value", "less than 1"),
        ("farmers/provenance", "hearsay", "/farmers/provenance", "not one of"),
        ("coal_tokens/value/much", 7, "/coal_tokens/value/much", "not a value of a token"),
        ("coal_tokens/value/01", 7, "/coal_tokens/value/01", "not a value of a token"),
        pytest.param(
            "coal_tokens/value",
            {"9" * 5000: 1},
            "/coal_tokens/value/" + "9" * 5000,
            "not a value of a token",
            id="a very long value",
        ),
        ("gold_tokens/value", {}, "/gold_tokens/value", "no tokens"),
        ("dice", 3, "/dice", "no field"),
    ],
)
def test_a_wrong_value_is_refused_by_its_pointer(path: str, value: Any, pointer: str, words: str) -> None:
    found = problems(lambda document: put(document, path, value))
    assert any(where == pointer and words in sentence for where, sentence in found), found


def test_every_problem_is_named() -> None:
    found = problems(
        lambda document: put_all(document, {"rows/value/4": "wagon", "coal_tokens/value/0": 3, "terrain/value/0": "."})
    )
    assert [pointer for pointer, _ in found] == ["/rows/value/4", "/terrain/value/0", "/coal_tokens/value/0"]


def test_a_missing_value_is_refused() -> None:
    found = problems(lambda document: document.pop("terrain"))
    assert found == (("/terrain", "terrain is missing."),)


def test_the_set_is_of_the_type_the_schema_is_made_from() -> None:
    assert registry.game("oregon").components is Components
