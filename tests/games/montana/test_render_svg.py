"""The picture: content, escaping, size, and that nothing depends on colour alone."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.games.montana.components import GOODS, Good, Hiring, Terrain, Worker
from engine.games.montana.observe import Awaited, BankObservation, Observation, RepresentativeObservation
from engine.games.montana.render import SEAT_COLOURS, SEAT_MARKS, svg
from engine.games.montana.render_icons import SEAT_FILLS, good_icon, worker_icon
from engine.games.montana.render_pieces import latest
from engine.types import Layout
from service.pictures.picture import png
from tests.games.measure.drawn import read
from tests.games.measure.plane import bounds
from tests.games.montana.observations import NAMES, busy, early, finished, laying, start, town, unusual

SVG = "{http://www.w3.org/2000/svg}"
OBSERVATIONS = pytest.mark.parametrize(
    "observation",
    [laying(), start(), early(), town(), busy(), finished(), unusual()],
    ids=["laying", "start", "early", "town", "busy", "finished", "unusual"],
)
LAYOUTS = pytest.mark.parametrize("layout", list(Layout))


def parsed(
    observation: Observation, names: Sequence[str] = NAMES, layout: Layout = Layout.DESKTOP
) -> ElementTree.Element:
    return ElementTree.fromstring(svg(observation, names, layout))


def recruited() -> Observation:
    """Seat 0, which has 2 wheat, may move the arrow."""
    return replace(early(), phase="recruited", awaited=(Awaited(0, "move the arrow"),))


def used(root: ElementTree.Element) -> Counter[str]:
    return Counter(found.attrib["href"].removeprefix("#") for found in root.iter(f"{SVG}use"))


def difference(one: Observation, other: Observation) -> Counter[str]:
    """What the picture of the one has more of."""
    return used(parsed(one)) - used(parsed(other))


def words(root: ElementTree.Element) -> list[str]:
    return ["".join(found.itertext()) for found in root.iter(f"{SVG}text")]


def described(observation: Observation) -> str:
    return parsed(observation).findtext(f"{SVG}desc") or ""


@LAYOUTS
@OBSERVATIONS
def test_a_picture_is_small_and_standalone(observation: Observation, layout: Layout) -> None:
    drawing = svg(observation, NAMES, layout)
    assert len(drawing.encode()) < 180_000
    assert "http" not in drawing.replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"<(script|image|foreignObject|style)|url\(|\son\w+=", drawing)


@LAYOUTS
@OBSERVATIONS
def test_every_used_definition_is_defined_once(observation: Observation, layout: Layout) -> None:
    root = parsed(observation, layout=layout)
    ids = Counter(found.attrib["id"] for found in root.iter() if "id" in found.attrib)
    assert set(used(root)) <= set(ids)
    assert set(ids.values()) == {1}


def sizes(
    element: ElementTree.Element, definitions: Mapping[str, ElementTree.Element], scale: float = 1, size: float = 0
) -> Iterator[tuple[float, str]]:
    """The size of every text as it is drawn, with the text."""
    for part in element:
        if part.tag == f"{SVG}defs":
            continue
        own = scale
        for factor in re.findall(r"scale\(([\d.]+)\)", part.attrib.get("transform", "")):
            own *= float(factor)
        if part.tag == f"{SVG}text":
            yield float(part.attrib.get("font-size", size)) * own, "".join(part.itertext())
        elif part.tag == f"{SVG}use":
            yield from sizes(definitions[part.attrib["href"].removeprefix("#")], definitions, own, size)
        else:
            yield from sizes(part, definitions, own, size)


@OBSERVATIONS
def test_it_can_be_drawn_as_png_and_its_words_are_there(observation: Observation) -> None:
    drawing = svg(observation, NAMES)
    silent = re.sub(r"<text.*?</text>", "", drawing)
    assert png(drawing, 640) != png(silent, 640)


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
    offered = replace(early(), awaited=(Awaited(1, "end your turn", can_trade=True, can_use_canteen=True),))
    assert {"trade cow", "canteen"} <= set(words(parsed(offered, layout=layout)))
    assert not {"trade cow", "canteen"} & set(words(parsed(replace(early(), awaited=()), layout=layout)))


def test_a_hex_says_how_many_settlements_are_built_on_it_at_once() -> None:
    """R7.5, R7.6"""
    double = sum(1 for hexagon in early().hexes if hexagon.double)
    lines = tuple(replace(hexagon, possible=3 if hexagon.name == "C5" else 0) for hexagon in early().hexes)
    for layout in Layout:
        key = 1
        assert words(parsed(early(), layout=layout)).count("\u00d72") == double + key + 1
        assert "\u00d73" in words(parsed(replace(early(), hexes=lines), layout=layout))


def test_the_start_tile_shows_no_double_settlement() -> None:
    hexes = tuple(replace(hexagon, double=hexagon.start) for hexagon in early().hexes)
    assert used(parsed(replace(early(), hexes=hexes)))["mt-double"] == 1


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


@LAYOUTS
@OBSERVATIONS
def test_every_hex_has_its_name_and_its_terrain(observation: Observation, layout: Layout) -> None:
    root = parsed(observation, layout=layout)
    assert {hexagon.name for hexagon in observation.hexes} <= set(words(root))
    terrain = Counter(hexagon.terrain for hexagon in observation.hexes)
    found = used(root)
    assert found["mt-lake"] == terrain[Terrain.LAKE]
    assert found["mt-mountain"] == terrain[Terrain.MOUNTAIN]
    plants = sum(found[f"mt-prairie-{variant}"] for variant in range(3))
    assert plants == (0 if layout is Layout.PHONE else terrain[Terrain.PRAIRIE])


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
            f"mt-settlement-{seat}": sum(hexagon.settlements for hexagon in observation.hexes if hexagon.owner == seat)
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
        "mt-cow": sum(1 for hexagon in observation.hexes if hexagon.cow),
        "mt-canteen": sum(1 for hexagon in observation.hexes if hexagon.canteen),
        "mt-double": sum(1 for hexagon in observation.hexes if hexagon.double and hexagon.owner is None),
    }


def test_hexes_that_are_open_to_build_are_framed() -> None:
    """Those that the seat can pay for have a solid line."""
    frames = list(parsed(early()).iter(f"{SVG}polygon"))
    dashed = [found for found in frames if "stroke-dasharray" in found.attrib]
    solid = [found for found in frames if found.attrib.get("stroke") == "#3b7a1f"]
    assert len(dashed) == len([hexagon for hexagon in early().hexes if hexagon.open and not hexagon.possible]) + 1
    assert len(solid) == len([hexagon for hexagon in early().hexes if hexagon.possible]) + 1


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
    assert all(found[f"mt-representative-{seat}"] == 1 for seat in range(4))
    assert {"Passed", "To decide"} <= set(words(parsed(town())))
    assert "Out of town" in words(parsed(busy()))


def test_a_representative_that_is_served_has_not_passed() -> None:
    """R6.7"""
    shop = replace(town().shop, representatives=(RepresentativeObservation(0, served=True),))
    assert "Served" in words(parsed(replace(town(), shop=shop)))
    assert "Passed" not in words(parsed(replace(town(), shop=shop)))
    assert "In town: blue is served." in described(replace(town(), shop=shop))


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
        if found.attrib.get("id", "").startswith("mt-settlement-")
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
        if name.startswith(("mt-settlement-", "mt-representative-", "mt-worker-")) and letter is not None:
            ground = next(part.attrib["fill"] for part in drawing if part.attrib.get("fill", "none") != "none")
            light, dark = sorted((luminance(letter.attrib["fill"]), luminance(ground)), reverse=True)
            assert (light + 0.05) / (dark + 0.05) >= 4.5, name
            checked += 1
    assert checked == 4 + 4 + 5


def test_the_description_lists_the_belongings_and_the_awaited_seat() -> None:
    told = described(town())
    assert (
        "Round 9. Chandrasekhara Venkata Raman (G): move your overtaken representative, or pass. It is the turn of"
        " Bjørn (Y)." in told
    )
    assert (
        "Ada Lovelace (blue): 4 settlements built on E4, D5 and E5 with 2, 4 left, 12 coins, 2 cows, 1 canteen, "
        in told
    )
    assert (
        "goods 2 wheat, 2 pumpkin, 1 small copper, 1 small stone, 1 large copper, 1 large stone, workers 1 wheat, 1"
        " pumpkin, 1 copper, 1 stone." in told
    )
    assert "Lakes: D2 with a canteen, A4 with a canteen, I4 with a canteen, C7, G7, F9 with a canteen." in told
    assert "Start tile: F5." in told
    assert "E8 (1 wheat, 1 pumpkin, 1 small stone, 1 large copper, two settlements)" in told
    assert "mine 2 with 1 wheat and 1 pumpkin and 2 stone on the small box" in told
    assert (
        "In town: blue has yet to decide, yellow in row 3, column 3, green has yet to decide and red has passed."
        in told
    )
    assert "The arrow of the wheel shows copper and copper, segment 7 of 8." in told
    assert "The latest action was at town 3 3." in told


def test_the_end_shows_final_scores_and_ranks() -> None:
    assert "1. Chandrasek\u2026" in words(parsed(finished()))
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
