"""What one needs of the picture to play from it, on every layout: names of places, what is
possible now, sizes.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from engine.games.montana.components import Hiring
from engine.games.montana.observe import (
    Awaited,
    BankObservation,
    Observation,
    RepresentativeObservation,
    RowObservation,
    WheelObservation,
)
from engine.games.montana.render_svg import svg
from engine.svg import ACCENT
from engine.types import Layout, Statement
from tests.games.labels import faults
from tests.games.measure.drawn import read
from tests.games.measure.plane import bounds
from tests.games.montana.observations import NAMES, busy, early, finished, start, town, unusual
from tests.games.montana.pictured import (
    LAYOUTS,
    OBSERVATIONS,
    SVG,
    described,
    parsed,
    recruited,
    sizes,
    used,
    words,
)


@LAYOUTS
@OBSERVATIONS
def test_every_place_that_is_typed_has_its_name(observation: Observation, layout: Layout) -> None:
    said = words(parsed(observation, layout=layout))
    assert {"Bank", *(area.area.value.capitalize() for area in observation.areas)} <= set(said)
    assert {f"row {row}" for row in range(1, len(observation.shop.rows) + 1)} <= set(said)
    numbered = (observation.bank, *(area.slots for area in observation.areas), observation.shop.costs)
    numbers = Counter(str(number) for places in numbered for number in range(1, len(places) + 1))
    numbers += Counter(str(number) for number in range(1, len(observation.wheel.segments) + 1))
    assert not numbers - Counter(said)


def test_the_columns_of_the_town_have_their_number_above_their_price() -> None:
    shop = replace(town().shop, costs=(31, 42, 53, 64))
    labels = [(label.words, bounds(label.corners)) for label in read(svg(replace(town(), shop=shop), NAMES)).labels]
    places = dict(labels)
    assert places["column"][3] < places["price"][1]
    for column, cost in enumerate(shop.costs, 1):
        left, top, right, _ = places[str(cost)]
        assert any(
            words == str(column) and top - 35 < box[1] < top and left - 5 < box[0] < right + 15 for words, box in labels
        ), cost


def test_the_rows_of_the_town_say_what_they_give() -> None:
    said = " ".join(words(parsed(town())))
    for gives in (
        "1 cow, up to 3 upgrades",
        "3 of wheat, copper, stone",
        "up to 2 upgrades",
        "2 coins, up to 1 upgrade",
    ):
        assert gives in said


def test_the_spaces_in_town_that_can_be_taken_are_marked() -> None:
    assert words(parsed(town())).count("+") == len(town().shop.possible) > 0
    assert "+" not in words(parsed(busy()))


def test_the_end_offers_nothing() -> None:
    assert finished().outcome is not None
    open_to_build = [found for found in parsed(finished()).iter(f"{SVG}polygon") if "stroke-dasharray" in found.attrib]
    assert len(open_to_build) == 1
    assert "The end" in words(parsed(finished()))


def test_the_wheat_that_moves_the_arrow_stands_on_each_segment_but_its_own() -> None:
    """R4.3"""
    more = Counter(words(parsed(recruited()))) - Counter(words(parsed(replace(recruited(), phase="harvested"))))
    assert more == Counter(["1", "2", "3", "4", "5", "6", "7", "wheat", "1 to 2, for as many", "segments"])


@pytest.mark.parametrize("layout", [Layout.DESKTOP, Layout.PHONE])
def test_canteens_and_cows_that_can_be_used_now_are_offered(layout: Layout) -> None:
    """R8.1, R8.6"""
    offered = replace(
        early(),
        awaited=(
            Awaited(1, Statement("end", {"trade": False, "canteen": True}), can_trade=True, can_use_canteen=True),
        ),
    )
    assert {"trade cow", "canteen"} <= set(words(parsed(offered, layout=layout)))
    assert not {"trade cow", "canteen"} & set(words(parsed(replace(early(), awaited=()), layout=layout)))


def test_a_hex_says_how_many_settlements_are_built_on_it_at_once() -> None:
    """R7.5, R7.6"""
    double = sum(1 for hexagon in early().hexes if hexagon.double)
    lines = tuple(replace(hexagon, possible=3 if hexagon.name == "C5" else 0) for hexagon in early().hexes)
    for layout in Layout:
        panels = 0 if layout is Layout.BOARD else 2
        assert words(parsed(early(), layout=layout)).count("\u00d72") == double + panels
        assert "\u00d73" in words(parsed(replace(early(), hexes=lines), layout=layout))


def test_the_start_tile_shows_no_double_settlement() -> None:
    hexes = tuple(replace(hexagon, double=hexagon.start) for hexagon in early().hexes)
    assert used(parsed(replace(early(), hexes=hexes)))["montana-double"] == 1


def test_the_row_of_the_seat_that_takes_its_reward_is_marked() -> None:
    """R6.7"""
    there = (RepresentativeObservation(0, served=True), RepresentativeObservation(1, 2, 3))
    shop = replace(town().shop, representatives=there, possible=())
    rewards = replace(town(), phase="rewards", to_act=(1,), shop=shop, last=())
    marked = [found for found in parsed(rewards).iter(f"{SVG}rect") if found.attrib.get("stroke") == ACCENT]
    assert len(marked) - len([found for found in marked if found.attrib.get("class") == "panel"]) == 1


@LAYOUTS
def test_other_components_have_room_too(layout: Layout) -> None:
    kinds = tuple(Hiring)
    wheel = WheelObservation(tuple((kinds[place % 4], kinds[(place + 1) % 4]) for place in range(12)), 12)
    shop = replace(town().shop, costs=(1, 2, 3, 5, 8, 10), rows=(*town().shop.rows, RowObservation(2, 3, 0, 3)))
    areas = tuple(replace(area, slots=area.slots * 2) for area in town().areas)
    bank = (*town().bank, BankObservation(3, 12), BankObservation(3, 12))
    other = replace(town(), wheel=wheel, shop=shop, areas=areas, bank=bank, phase="recruited", turn=2)
    assert faults(svg(other, NAMES, layout)) == ()


def test_a_phone_has_a_width_of_360_and_text_that_can_be_read() -> None:
    for observation in (early(), town(), busy(), finished(), recruited()):
        root = parsed(observation, layout=Layout.PHONE)
        assert root.attrib["width"] == "360"
        found = list(sizes(root, {each.attrib["id"]: each for each in root.iter() if "id" in each.attrib}))
        assert min(found)[0] >= 9
        typed = {hexagon.name for hexagon in observation.hexes} | {"row 1", "Mine", "Garden", "Bank", "build"}
        assert min(size for size, said in found if said in typed) >= 10


def test_a_print_is_a_sheet_of_a4_and_white() -> None:
    for observation in (start(), early(), town(), unusual()):
        drawing = svg(observation, NAMES, Layout.PRINT)
        drawn = read(drawing)
        assert drawn.height / drawn.width == pytest.approx(297 / 210, abs=0.001)
        assert 'width="1200" height="1697" fill="#ffffff"' in drawing


def test_hexes_that_are_open_to_build_are_framed() -> None:
    """Those that the seat can pay for have a double line."""
    frames = list(parsed(early()).iter(f"{SVG}polygon"))
    dashed = [found for found in frames if "stroke-dasharray" in found.attrib]
    double = [group for group in parsed(early()).iter(f"{SVG}g") if group.attrib.get("stroke") == "#3b7a1f"]
    assert len(dashed) == len([hexagon for hexagon in early().hexes if hexagon.open and not hexagon.possible]) + 1
    assert len(double) == len([hexagon for hexagon in early().hexes if hexagon.possible]) + 1


def test_a_representative_that_is_served_has_not_passed() -> None:
    """R6.7"""
    shop = replace(town().shop, representatives=(RepresentativeObservation(0, served=True),))
    assert "Served" in words(parsed(replace(town(), shop=shop)))
    assert "Passed" not in words(parsed(replace(town(), shop=shop)))
    assert "In town: blue is served." in described(replace(town(), shop=shop))
