"""The picture: content, escaping, size, and that nothing depends on colour alone."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.games.oregon.components import Building, Symbol
from engine.games.oregon.facts import SEAT_MARKS
from engine.games.oregon.observe import Observation
from engine.games.oregon.render_layout import PLANS
from engine.games.oregon.render_svg import svg
from engine.types import Layout
from service.pictures.picture import png
from tests.games.oregon.observations import NAMES, busy, early, finished, start

SEAT_FILLS = PLANS[Layout.DESKTOP].inks.farmers
SVG = "{http://www.w3.org/2000/svg}"
OBSERVATIONS = pytest.mark.parametrize(
    "observation",
    [start(), early(), busy(), busy(None), finished(), finished(1)],
    ids=["start", "early", "busy", "spectator", "finished", "finished for a seat"],
)


LAYOUTS = pytest.mark.parametrize("layout", list(Layout))


def parsed(
    observation: Observation, names: tuple[str, ...] | list[str] = NAMES, layout: Layout = Layout.DESKTOP
) -> ElementTree.Element:
    return ElementTree.fromstring(svg(observation, names, layout))


def used(root: ElementTree.Element) -> Counter[str]:
    return Counter(found.attrib["href"].removeprefix("#") for found in root.iter(f"{SVG}use"))


def words(root: ElementTree.Element) -> list[str]:
    return ["".join(found.itertext()) for found in root.iter(f"{SVG}text")]


def described(observation: Observation) -> str:
    return parsed(observation).findtext(f"{SVG}desc") or ""


@OBSERVATIONS
def test_it_can_be_drawn_as_png_and_its_words_are_there(observation: Observation) -> None:
    drawing = svg(observation, NAMES)
    silent = re.sub(r"<text.*?</text>", "", drawing)
    assert png(drawing, 640) != png(silent, 640)


@LAYOUTS
def test_every_building_and_farmer_on_the_board_is_drawn(layout: Layout) -> None:
    observation = busy(None)
    without = replace(observation, buildings=(), farmers=(), last=())
    found = used(parsed(observation, layout=layout)) - used(parsed(without, layout=layout))
    assert sum(count for name, count in found.items() if name.startswith("oregon-tile-")) == len(observation.buildings)
    assert sum(count for name, count in found.items() if name.startswith("oregon-farmer-")) == len(observation.farmers)
    for seat in range(4):
        assert found[f"oregon-farmer-{seat}"] == len([farmer for farmer in observation.farmers if farmer.seat == seat])


def test_the_spaces_of_the_latest_turn_are_marked() -> None:
    assert used(parsed(busy()))["oregon-latest"] == len(busy().last) + 1
    assert used(parsed(replace(busy(), last=())))["oregon-latest"] == 1


def test_terrain_can_be_distinguished_without_colour() -> None:
    found = used(parsed(early()))
    assert found["oregon-water"] == 13 + 1
    assert found["oregon-mountain"] == 27 + 1
    assert sum(found[f"oregon-prairie-{variant}"] for variant in range(3)) == 90 + 1
    assert {"oregon-water", "oregon-mountain", "oregon-railway", "oregon-prairie-0"} <= set(found)


def test_every_symbol_heads_its_column_band_and_its_row_band() -> None:
    found = used(parsed(start(None)))
    assert all(found[f"oregon-symbol-{symbol}"] == 2 for symbol in Symbol)
    assert {"A", "O", "1", "10", "Wagon", "Campfire"} <= set(words(parsed(start(None))))


def test_seats_differ_in_colour_letter_and_shape() -> None:
    assert len(set(SEAT_FILLS)) == len(set(SEAT_MARKS)) == 4
    root = parsed(busy())
    shapes = {
        found.attrib["id"]: found[0].attrib["d"]
        for found in root.iter(f"{SVG}g")
        if found.attrib.get("id", "").startswith("oregon-farmer-")
    }
    assert len(set(shapes.values())) == 4


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_every_text_colour_stands_out_from_paper_and_the_letters_from_the_farmers() -> None:
    def contrast(one: str, other: str) -> float:
        light, dark = sorted((luminance(one), luminance(other)), reverse=True)
        return (light + 0.05) / (dark + 0.05)

    for mark in parsed(busy()).iter(f"{SVG}g"):
        if mark.attrib.get("id", "").startswith("oregon-farmer-"):
            seat = int(mark.attrib["id"][-1])
            assert contrast(mark.find(f"{SVG}text").attrib["fill"], SEAT_FILLS[seat]) >= 4.5  # type: ignore[union-attr]
    for colour in ("#33271b", "#6d5b45"):
        assert contrast(colour, "#f4ead2") >= 4.5


def test_the_viewer_sees_their_own_hand_and_a_spectator_none() -> None:
    assert "Your hand" in words(parsed(busy()))
    assert "Coal 1+1+2+3, gold 3+4+5" in words(parsed(busy()))
    assert "Your hand" not in words(parsed(busy(None)))


def test_the_picture_of_a_seat_does_not_depend_on_another_viewers_cards() -> None:
    assert "hand:" not in described(busy(None))
    assert "eagle and warehouse" not in svg(busy(None), NAMES)


def test_the_description_lists_the_pieces_and_the_awaited_seat() -> None:
    told = described(early())
    assert "Round 3. Ada Lovelace (R) is to play two cards." in told
    assert "Your hand: wagon, settler, church and station." in told
    assert "Ada Lovelace (red): 7 points, farmers on F2 and I3, 12 left, 2 landscape cards, 2 building cards" in told
    assert "Bjørn (blue): 4 points, farmers on J4" in told
    assert "harbour on J3" in told
    assert "The latest turn: at J4." in told
    assert "wagon A to C" in told
    assert "wagon 1 to 2" in told
    assert f"{Building.HARBOUR.value} 4" in told


def test_start_tiles_lie_face_up() -> None:
    more = used(parsed(start())) - used(
        parsed(replace(start(), seats=tuple(replace(seat, start_tile=None) for seat in start().seats)))
    )
    assert more == Counter({"oregon-building-harbour": 1, "oregon-building-coal_mine": 1})


def test_the_end_shows_final_scores_and_ranks() -> None:
    assert {"132", "1. Chandra\u2026"} & set(words(parsed(finished())))
    assert "112 + 8 coal + 12 gold, 9 farmers" in words(parsed(finished()))
    assert "The match is over: Chandrasekhara Venkata Raman wins." in described(finished())


def test_markup_in_names_is_escaped() -> None:
    hostile = "</text><script>alert(1)</script>"
    drawing = svg(busy(), [hostile, '"><image href="x"/>', "&amp;", "]]>"])
    root = ElementTree.fromstring(drawing)
    assert "<script" not in drawing
    assert "<image" not in drawing
    assert "]]>" in words(root)


@settings(max_examples=25)
@given(st.lists(st.text(max_size=40), max_size=4))
def test_any_names_make_a_picture_that_parses(names: list[str]) -> None:
    assert parsed(busy(), names).tag == f"{SVG}svg"
