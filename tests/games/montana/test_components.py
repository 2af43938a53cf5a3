"""Component sets of Montana: the standard one, and what is wrong with others, by JSON pointer."""

from __future__ import annotations

from typing import Any

import pytest

from engine import registry
from engine.errors import DocumentError
from engine.games.montana import GAME
from engine.games.montana.components import GOODS, Terrain
from tests.games.montana.positions import STANDARD, document


def problems(changed: dict[str, Any]) -> dict[str, str]:
    with pytest.raises(DocumentError) as refused:
        GAME.load_components(changed)
    return dict(refused.value.problems)


def tiles(**changed: Any) -> dict[str, Any]:
    """The standard document with the middle of tile D changed, which is a prairie."""
    found = registry.component_document("montana")
    found["tiles"]["value"]["D"][0] = {"at": [0, 0], "terrain": "prairie", "cost": {"wheat": 1}} | changed
    return found


def test_the_standard_set_has_all_that_the_design_asks_for() -> None:
    """R1.2, R1.3"""
    hexes = [hexagon for tile in STANDARD.tiles.value.values() for hexagon in tile]
    assert sum(1 for hexagon in hexes if hexagon.canteen) <= 6
    assert sum(1 for hexagon in hexes if hexagon.cow) <= 20
    assert any(hexagon.double for hexagon in hexes)
    assert any(hexagon.terrain is Terrain.MOUNTAIN for hexagon in hexes)
    assert {sum(hexagon.cost.values()) for hexagon in hexes if hexagon.cost} <= {1, 2, 3, 4}
    for good in GOODS:
        assert any(hexagon.cost.get(good) for hexagon in hexes), good


def test_the_two_hexes_of_the_rulebooks_example_exist() -> None:
    """R1.2, R7.2"""
    hexes = [hexagon for tile in STANDARD.tiles.value.values() for hexagon in tile]
    assert any(dict(hexagon.cost) == {"large_stone": 1, "wheat": 1} and hexagon.cow for hexagon in hexes)
    assert any(
        dict(hexagon.cost) == {"wheat": 1, "pumpkin": 1, "copper": 1, "stone": 1} and hexagon.double
        for hexagon in hexes
    )


def test_every_value_says_where_it_comes_from() -> None:
    found = registry.component_document("montana")
    assert {part["provenance"] for name, part in found.items() if name != "name"} == {
        "rulebook",
        "reported",
        "reconstructed",
    }


def test_a_tile_is_a_flower_of_seven_hexes() -> None:
    found = registry.component_document("montana")
    found["tiles"]["value"]["D"].pop()
    assert "/tiles/value/D" in problems(found)
    assert "/tiles/value/D" in problems(tiles(at=[2, 0]))


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"cost": {}}, "1 to 9 goods"),
        ({"canteen": True}, "Only a lake"),
        ({"terrain": "mountain"}, "Only prairie has a cost"),
        ({"terrain": "mountain", "cost": {}, "canteen": True}, "Only a lake"),
        ({"terrain": "lake", "cost": {}, "double": True}, "Only prairie"),
    ],
)
def test_a_hex_has_only_what_its_terrain_allows(changed: dict[str, Any], words: str) -> None:
    assert words in problems(tiles(**changed))["/tiles/value/D/0"]


def test_a_tile_has_a_prairie() -> None:
    found = registry.component_document("montana")
    for hexagon in found["tiles"]["value"]["D"]:
        hexagon.update(terrain="mountain", cost={}, cow=False, double=False, canteen=False)
    assert problems(found)["/tiles/value/D"] == "A tile has at least one prairie."


def test_there_are_cows_and_canteens_for_what_the_tiles_show() -> None:
    assert "cows" in problems(document(cows=10))["/tiles/value"]
    assert "canteens" in problems(document(canteens=2))["/tiles/value"]


def test_a_layout_fits_together() -> None:
    layouts = registry.component_document("montana")["layouts"]["value"]
    overlapping = {**layouts, "2": {"centres": [[0, 0], [1, 0]], "middle": [[0, 0]]}}
    assert problems(document(layouts=overlapping))["/layouts/value/2"] == "Two tiles overlap."
    apart = {**layouts, "2": {"centres": [[0, 0], [9, 0]], "middle": [[0, 0]]}}
    assert problems(document(layouts=apart))["/layouts/value/2"] == "The tiles do not touch each other."
    outside = {**layouts, "2": {"centres": [[0, 0]], "middle": [[5, 0]]}}
    assert "middle" in problems(document(layouts=outside))["/layouts/value/2"]
    wide = {**layouts, "2": {"centres": [[step * 2, step] for step in range(7)], "middle": [[0, 0]]}}
    assert "wider or higher" in problems(document(layouts=wide))["/layouts/value/2"]
    many = {**layouts, "2": {"centres": [[0, 0]] * 13, "middle": [[0, 0]]}}
    assert "/layouts/value/2/centres" in problems(document(layouts=many))
    assert problems(document(layouts={"2": layouts["2"], "3": layouts["3"]}))["/layouts/value"] == "4 is missing."


@pytest.mark.parametrize(
    ("name", "value", "pointer"),
    [
        ("wheel", [["any", "wheat"], ["stone", "stone"]], "/wheel/value/0"),
        ("wheel", [["stone", "stone"]], "/wheel/value"),
        ("bank", [], "/bank/value"),
        ("shop_columns", [2, 2, 3], "/shop_columns/value"),
        ("shop_columns", [0, 2], "/shop_columns/value"),
        ("shop_rows", [{"goods": 2, "upgrades": 1}], "/shop_rows/value/0"),
        ("coins", [3, 4], "/coins/value"),
        ("settlements", {"2": 12, "3": 0, "4": 8}, "/settlements/value/3"),
        ("workers", {"wheat": 5, "pumpkin": 5, "copper": 5, "stone": 5}, "/workers/value"),
        ("goods", {"wheat": 1}, "/goods/value"),
        ("yields", {"mine": [1], "quarry": [1, 2, 3], "field": [1, 2, 3], "garden": [1, 2, 3]}, "/yields/value/mine"),
    ],
)
def test_a_senseless_value_is_refused(name: str, value: Any, pointer: str) -> None:
    assert pointer in problems(document(**{name: value}))
