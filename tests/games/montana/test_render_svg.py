"""The picture: content, escaping, size, and that nothing depends on colour alone."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.games.montana.components import GOODS, Good, Hiring, Terrain, Worker
from engine.games.montana.facts import SEAT_COLOURS, SEAT_MARKS
from engine.games.montana.observe import BankObservation, Observation
from engine.games.montana.render_board import latest
from engine.games.montana.render_icons import SEAT_FILLS, good_icon, worker_icon
from engine.games.montana.render_svg import svg
from engine.types import Layout
from service.pictures.picture import png
from tests.games.measure.plane import IDENTITY, Matrix, scale_of, times, transform
from tests.games.montana.observations import NAMES, busy, early, finished, laying, start, town
from tests.games.montana.pictured import (
    LAYOUTS,
    OBSERVATIONS,
    SVG,
    described,
    difference,
    parsed,
    used,
    words,
)


@OBSERVATIONS
def test_it_can_be_drawn_as_png_and_its_words_are_there(observation: Observation) -> None:
    drawing = svg(observation, NAMES)
    silent = re.sub(r"<text.*?</text>", "", drawing)
    assert png(drawing, 640) != png(silent, 640)


@LAYOUTS
@OBSERVATIONS
def test_every_hex_has_its_name_and_its_terrain(observation: Observation, layout: Layout) -> None:
    root = parsed(observation, layout=layout)
    assert {hexagon.name for hexagon in observation.hexes} <= set(words(root))
    terrain = Counter(hexagon.terrain for hexagon in observation.hexes)
    found = used(root)
    assert found["montana-lake"] == terrain[Terrain.LAKE]
    assert found["montana-mountain"] == terrain[Terrain.MOUNTAIN]
    plants = sum(found[f"montana-prairie-{variant}"] for variant in range(3))
    assert plants == (0 if layout is Layout.PHONE else terrain[Terrain.PRAIRIE])


@pytest.mark.parametrize("observation", [start(), early(), busy()], ids=["start", "early", "busy"])
def test_the_costs_on_a_phone_are_drawn_in_at_least_11_pixels(observation: Observation) -> None:
    widths = {good_icon(good): 30 if good.startswith("large") else 24 for good in GOODS}

    def drawn(element: ElementTree.Element, matrix: Matrix) -> Iterator[tuple[str, float]]:
        inner = times(matrix, transform(element.get("transform", "")))
        if (name := element.get("href", "")[1:]) in widths:
            yield name, scale_of(inner) * widths[name]
        for child in element:
            yield from drawn(child, inner)

    board = ElementTree.fromstring(svg(observation, NAMES, Layout.BOARD))
    assert board.attrib["width"] == "360"
    assert {name for name, width in drawn(board, IDENTITY) if width < 11} == set()


def test_a_free_hex_shows_each_good_of_its_cost() -> None:
    observation = start()
    paid = [hexagon for hexagon in observation.hexes if hexagon.cost and not hexagon.start]
    free = replace(observation, hexes=tuple(replace(hexagon, cost={}) for hexagon in observation.hexes))
    expected = Counter({good_icon(good): sum(hexagon.cost.get(good, 0) for hexagon in paid) for good in GOODS})
    assert difference(observation, free) == expected


def test_every_settlement_is_drawn() -> None:
    observation = busy()
    bare = replace(
        observation,
        hexes=tuple(
            replace(hexagon, owner=None, cost={}, double=False)
            for hexagon in observation.hexes
            if hexagon.owner is not None
        ),
    )
    observation = replace(
        observation, hexes=tuple(hexagon for hexagon in observation.hexes if hexagon.owner is not None)
    )
    built = Counter(
        {
            f"montana-settlement-{seat}": sum(
                hexagon.settlements for hexagon in observation.hexes if hexagon.owner == seat
            )
            for seat in range(4)
        }
    )
    assert difference(observation, bare) == built


def test_more_settlements_than_there_is_room_for_are_counted() -> None:
    observation = busy()
    crowded = replace(
        observation,
        hexes=tuple(
            replace(hexagon, settlements=5) if hexagon.name == "H8" else hexagon for hexagon in observation.hexes
        ),
    )
    assert "\u00d75" in words(parsed(crowded))


def test_cows_canteens_and_double_hexes_are_drawn_as_long_as_they_matter() -> None:
    observation = town()
    plain = replace(
        observation,
        hexes=tuple(replace(hexagon, cow=False, canteen=False, double=False) for hexagon in observation.hexes),
    )
    assert difference(observation, plain) == {
        "montana-cow": sum(1 for hexagon in observation.hexes if hexagon.cow),
        "montana-canteen": sum(1 for hexagon in observation.hexes if hexagon.canteen),
        "montana-double": sum(1 for hexagon in observation.hexes if hexagon.double and hexagon.owner is None),
    }


@pytest.mark.parametrize("observation", [early(), busy(), laying()])
def test_the_hexes_of_the_latest_action_are_framed(observation: Observation) -> None:
    frame = list(latest())[1].split('stroke="')[1][:7]
    framed = [found for found in parsed(observation).iter(f"{SVG}polygon") if found.attrib.get("stroke") == frame]
    assert len(framed) == len(observation.last) + 1


@pytest.mark.parametrize("place", ["bank 2", "mine 1", "mine 1 again", "town 2 3"])
def test_the_box_of_the_latest_action_is_framed(place: str) -> None:
    observation = early()
    before = {
        (found.attrib["x"], found.attrib.get("stroke-width"))
        for found in parsed(replace(observation, last=())).iter(f"{SVG}rect")
    }
    after = {
        (found.attrib["x"], found.attrib.get("stroke-width"))
        for found in parsed(replace(observation, last=(place,))).iter(f"{SVG}rect")
    }
    assert {width for _, width in after - before} == {"3.6"}


def test_workers_are_drawn_where_they_were_placed() -> None:
    observation = replace(
        town(),
        bank=tuple(BankObservation(space.workers, space.coins) for space in town().bank),
        areas=tuple(
            replace(area, slots=tuple(replace(slot, large_box=(), small_box=()) for slot in area.slots))
            for area in town().areas
        ),
    )
    more = difference(town(), observation)
    small = [worker for area in town().areas for slot in area.slots for worker in slot.small_box]
    assert all(more[worker_icon(worker)] >= small.count(worker) for worker in Worker)
    assert sum(more.values()) >= len(small) + sum(len(space.placed) for space in town().bank)


def test_representatives_are_in_their_row_or_below() -> None:
    found = used(parsed(town()))
    assert all(found[f"montana-representative-{seat}"] == 1 for seat in range(4))
    assert {"Passed", "To decide"} <= set(words(parsed(town())))
    assert "Out of town" in words(parsed(busy()))


def test_the_arrow_shows_its_segment_and_there_is_none_before_the_first_spin() -> None:
    assert "rotate(157.5)" in svg(early(), NAMES)
    assert "rotate(" not in svg(start(), NAMES)


def test_everything_in_the_supply_is_counted() -> None:
    assert {f"{count} left" for count in (12, 8, 15, 11, 9, 10, 5)} <= set(words(parsed(town())))


def test_seats_differ_in_colour_letter_and_shape() -> None:
    assert len(set(SEAT_FILLS)) == len(set(SEAT_MARKS)) == len(set(SEAT_COLOURS)) == 4
    root = parsed(busy())
    shapes = {
        found.attrib["id"]: found[0].attrib["d"]
        for found in root.iter(f"{SVG}g")
        if found.attrib.get("id", "").startswith("montana-settlement-")
    }
    assert len(set(shapes.values())) == 4


def test_goods_and_workers_differ_in_shape() -> None:
    root = parsed(busy())
    drawings = {found.attrib["id"]: found for found in root.iter(f"{SVG}g") if "id" in found.attrib}

    def shapes(name: str) -> tuple[str, ...]:
        return tuple(part.attrib["d"] for part in drawings[name].iter(f"{SVG}path"))

    assert len({shapes(good_icon(good)) for good in Good}) == len(Good)
    assert len({shapes(worker_icon(worker)) for worker in Hiring}) == len(Hiring)


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_letters_stand_out_from_settlements_representatives_and_workers() -> None:
    checked = 0
    for drawing in parsed(busy()).iter(f"{SVG}g"):
        name, letter = drawing.attrib.get("id", ""), drawing.find(f"{SVG}text")
        if (
            name.startswith(("montana-settlement-", "montana-representative-", "montana-worker-"))
            and letter is not None
        ):
            ground = next(part.attrib["fill"] for part in drawing if part.attrib.get("fill", "none") != "none")
            light, dark = sorted((luminance(letter.attrib["fill"]), luminance(ground)), reverse=True)
            assert (light + 0.05) / (dark + 0.05) >= 4.5, name
            checked += 1
    assert checked == 4 + 4 + 5


def test_the_description_lists_the_belongings_and_the_awaited_seat() -> None:
    told = described(town())
    assert (
        "Round 9. Chandrasekhara Venkata Raman (G): Move your overtaken representative, or pass. It is the turn of"
        " Bjørn (Y)." in told
    )
    assert (
        "Ada Lovelace (blue): 4 settlements built on E4, D5 and E5 with 2, 4 left, 12 coins, 2 cows, 1 canteen, "
        in told
    )
    assert (
        "goods 2 wheat, 2 pumpkins, 1 small copper, 1 small stone, 1 large copper, 1 large stone, workers wheat 1,"
        " pumpkin 1, copper 1, stone 1." in told
    )
    assert "Lakes: D2 with a canteen, A4 with a canteen, I4 with a canteen, C7, G7, F9 with a canteen." in told
    assert "Start tile: F5." in told
    assert "E8 (1 wheat, 1 pumpkin, 1 small stone, 1 large copper, two settlements)" in told
    assert (
        "2 gives 2 small copper for 3 coins (taken by 1 wheat worker and 1 pumpkin worker), again 1 more (taken by 2"
        " stone workers)" in told
    )
    assert (
        "In town: blue has yet to decide, yellow in row 3, column 3, green has yet to decide and red has passed."
        in told
    )
    assert "7 copper and copper (the arrow)" in told
    assert "The latest action: at town 3 3." in told


def test_the_end_shows_final_scores_and_ranks() -> None:
    assert any(re.fullmatch("1. Chandra.*\u2026", written) for written in words(parsed(finished())))
    assert "Of equals, most cows and canteens: G 2, B 1." in " ".join(words(parsed(finished())))
    assert "The match is over: Chandrasekhara Venkata Raman wins." in described(finished())


def test_the_key_is_there_with_any_number_of_seats() -> None:
    for observation in (early(), start(), town()):
        assert "open to build" in words(parsed(observation))


def test_markup_in_names_is_escaped() -> None:
    hostile = "</text><script>alert(1)</script>"
    drawing = svg(busy(), [hostile, '"><image href="x"/>', "&amp;", "]]>"])
    root = ElementTree.fromstring(drawing)
    assert "<script" not in drawing
    assert "<image" not in drawing
    assert "]]>" in words(root)


@settings(max_examples=15)
@given(st.lists(st.text(max_size=40), max_size=4))
def test_any_names_make_a_picture_that_parses(names: list[str]) -> None:
    assert parsed(town(), names).tag == f"{SVG}svg"
