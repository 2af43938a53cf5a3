"""The text board, and what the picture and its description show."""

from __future__ import annotations

import re
from random import Random
from xml.etree import ElementTree

import pytest

from engine.bots import random_action
from engine.games.ozeanien import GAME
from engine.games.ozeanien.state import State
from engine.games.ozeanien.tiles import Kind
from engine.play import drawn
from engine.types import CHANCE, Layout, Setup
from tests.games.labels import faults
from tests.games.measure.drawn import read
from tests.games.ozeanien.positions import does, plenty, position
from tests.games.ozeanien.test_score import ALONE, SCORED

NAMES = ("Ann <&> Bo", "\u6771\u4eac\u6771\u4eac\u6771\u4eac\u6771\u4eac\u6771\u4eac\u6771\u4eac\u6771\u4eac")
SVG = "{http://www.w3.org/2000/svg}"
STATES = {
    "scored": position(SCORED, discarded=({Kind.BAY: 2}, {Kind.SEA: 1, Kind.CAPE: 3}), ship="south B"),
    "alone": position(ALONE, seats=1, ship="D4"),
    "placing": position(". . .\n. ~/N .\n. . .", ship="B2", tile=Kind.CAPE),
    "explorer": does(position(". . .\n. . .\n. . ."), "ship west 2; draw strait; place A2 NS"),
    "imagined": does(position("~ ~/S ~\n~ . .\n~ ~/N ~\n. . .", ship="east 2", tile=Kind.SEA, reserve={}), "place C2"),
    "over": does(position("a:1G a ~\n~ ~ ~\n. . ~", ship="A2", tile=Kind.SEA, seat=1), "place A3"),
}
WITH_PANELS = [each for each in Layout if each is not Layout.BOARD]
each_layout = pytest.mark.parametrize("layout", Layout)
each_state = pytest.mark.parametrize("state", STATES.values(), ids=STATES.keys())


def text(state: State) -> str:
    return GAME.text(GAME.observe(state, 0), NAMES)


def svg(state: State, layout: Layout = Layout.DESKTOP) -> str:
    return GAME.svg(GAME.observe(state, 0), NAMES, layout)


def labels(state: State, layout: Layout = Layout.DESKTOP) -> list[str]:
    root = ElementTree.fromstring(svg(state, layout))
    return ["".join(each.itertext()) for each in root.iter(f"{SVG}text")]


@each_state
def test_the_text_is_ascii_but_for_names_and_fits_a_mail(state: State) -> None:
    assert text(state).replace(NAMES[1], "").replace(NAMES[1][:9], "").isascii()
    assert max(map(len, text(state).splitlines())) <= 78


def test_the_text_board_of_a_placement() -> None:
    board = text(STATES["placing"]).split("\n\n")[1]
    assert board == (
        "            A       B       C\n"
        "        +-------+-------+-------+\n"
        "        |       |       |       |\n"
        " 1  ( ) |   A1  |   B1  |   C1  | ( )\n"
        "        |       |       |       |\n"
        "        +-------+-------+-------+\n"
        "        |       |~#####~|       |\n"
        " 2  ( ) |   A2  |~~###~~|   C2  | ( )\n"
        "        | (1-2) |@~~~~~~| (3-4) |\n"
        "        +-------+-------+-------+\n"
        "        |       |       |       |\n"
        " 3  ( ) |   A3  |   B3  |   C3  | ( )\n"
        "        |       | (5-6) |       |\n"
        "        +-------+-------+-------+\n"
        "           ( )     ( )     ( )"
    )
    assert "At hand: cape. A number is an answer:\n  1  place A2 N      3  place C2 N" in text(STATES["placing"])


def test_the_text_numbers_the_starting_points() -> None:
    shown = text(position("~ .\n. ."))
    assert " 1  ( ) |~~(6)~~|   B1  | (4)" in shown
    assert " 2  (1) |   A2  |   B2  | (5)" in shown
    assert "           (2)     (3)" in shown


def test_the_text_names_the_circle_at_which_the_ship_is() -> None:
    assert "The ship is at south B." in text(STATES["scored"])
    assert "  3  ship south B" in text(position("~ .\n. ."))


def test_the_text_tells_the_sides_of_a_strait_apart() -> None:
    shown = text(STATES["explorer"])
    assert "\n A2 north " in shown
    assert "\n A2 south " in shown


# R6.3
def test_the_text_and_the_picture_tell_on_which_islands_an_explorer_may_go() -> None:
    sailed = does(position(". ~/S .\n. . .\n. ~/N:2W ."), "ship west 2; draw sea; place A2; ship A2; draw strait")
    state = does(sailed, "place B2 NS")
    lines = ("north: B1, 2 tiles, complete", "south: B2 south, 2 tiles, complete, W 2")
    assert "".join(f"     {line}\n" for line in lines) in text(state)
    for layout in WITH_PANELS:
        assert set(lines) <= set(labels(state, layout))
    whole = does(position(". .\n. ~"), "ship west 1; draw cape; place A1 E")
    assert "\n     A1, 2 tiles, complete\n" in text(whole)


# R3.4
def test_the_text_and_the_picture_offer_to_take_a_discarded_tile_for_an_explorer() -> None:
    state = position(
        "~ . .\n. . a/N\n. . a", discarded=({Kind.SEA: 1, Kind.INLAND: 1}, {}), given_up=((5, 1, 0), (0, 0, 0))
    )
    shown = text(state)
    assert "     open sea from 1-4, 6-8\n" in shown
    assert "such as: ship west 2 with sea for 2" in shown
    assert "G has given up explorers: 5 of value 1 and 1 of value 2." in shown
    for layout in WITH_PANELS:
        words = labels(state, layout)
        assert "Type: ship west 2 with sea for 2" in words
        assert any(each.startswith("open sea from ") for each in words)
    assert "may be taken" not in text(STATES["scored"])


def test_the_text_shows_explorers_straits_and_what_was_imagined() -> None:
    shown = text(does(STATES["explorer"], "explorer 3 south"))
    assert "|~#3G##~|" in shown
    assert text(STATES["explorer"]).count("skip") == 1
    assert "|*#####?|" in text(STATES["imagined"])
    assert "? the reserve had no tile left" in text(STATES["imagined"])


def test_the_text_lists_the_islands_and_the_score_sheet() -> None:
    shown = text(STATES["scored"])
    assert shown.partition("Islands")[2].splitlines()[:5] == [
        "      tiles  open    G   W  points   spaces",
        " D1              8     -    3   4     W 8   D1 E1 F1 D2 E2 F2 D3 E3",
        " A1              3     -    2   -     G 3   A1 B1 B2",
        " A4              2     1    -   1   (W 2)   A4 A5",
        " open: land edges at unexplored spaces; in brackets: if complete as it is",
    ]
    assert re.search(r"=> G Ann <&> Bo +-1 +3 +-4 +3   2   0\n", shown)
    assert "W has discarded 1 open sea, 3 cape." in shown
    assert re.search(r"1\. Ann <&> Bo +2   islands 2, discarded tiles 0", text(STATES["over"]))


def test_the_picture_shows_the_pieces_and_numbers_the_choices() -> None:
    words = labels(STATES["placing"])
    assert {"1", "2", "3", "4", "5", "6", "Cape", "A2 N"} <= set(words)
    assert svg(STATES["scored"]).count('href="#ozeanien-explorer-1-2"') == 2, "two on the board"
    assert svg(STATES["scored"]).count('href="#ozeanien-none-1-2"') == 1, "none in the panel"
    assert svg(STATES["alone"]).count('href="#ozeanien-ship"') == 1
    assert svg(STATES["imagined"]).count('href="#ozeanien-filled"') == 1


@each_state
def test_the_description_lists_what_the_picture_shows(state: State) -> None:
    told = ElementTree.fromstring(svg(state)).findtext(f"{SVG}desc") or ""
    assert "Island " in told or not GAME.observe(state, 0).islands
    assert "Ann <&> Bo" in told
    assert "unexplored" in told


def test_seats_can_be_distinguished_without_colour() -> None:
    root = ElementTree.fromstring(svg(STATES["scored"]))
    shapes = {
        seat: next(each for each in root.iter() if each.get("id") == f"ozeanien-explorer-{seat}-1")[1].get("d")
        for seat in (0, 1)
    }
    assert shapes[0] != shapes[1]


@each_layout
def test_the_circle_of_the_ship_has_its_name(layout: Layout) -> None:
    shown = does(position("~ .\n. .", discarded=({}, {}), ship="west 2", tile=Kind.SEA), "place A2")
    assert GAME.observe(shown, 0).ship == "west 2"
    assert labels(shown, layout).count("west 2") == 1, "though its space is explored by now"
    assert "west 1" not in labels(shown, layout)


@each_layout
def test_every_circle_that_may_be_typed_has_its_name(layout: Layout) -> None:
    state = position("~ .\n. .")
    assert {each.start for each in GAME.observe(state, 0).starts if " " in each.start} <= set(labels(state, layout))


@pytest.mark.parametrize("layout", WITH_PANELS)
def test_the_points_of_every_seat_can_be_found_in_the_picture(layout: Layout) -> None:
    words = labels(STATES["scored"], layout)
    assert {"islands 3, discarded tiles -4", "islands 8, discarded tiles -8", "G 3", "W 8", "(W 2)"} <= set(words)
    assert {"islands 130, unexplored spaces -60", "49", "36", "25", "16", "4"} <= set(labels(STATES["alone"], layout))


def test_islands_that_are_not_listed_are_added_up() -> None:
    rows = "~/S ~/S ~/S ~/S ~/S ~/S ~/S\n~/N:1G ~/N:1G ~/N:1G ~/N:1G ~/N:1W ~/N:1W ~/N:1W\n"
    state = position(
        rows * 2 + ". . . . . . .",
        discarded=({Kind.SEA: 1, Kind.STRAIT: 1, Kind.BAY: 1}, {Kind.SEA: 1}),
        given_up=((1, 1, 0), (1, 0, 0)),
        sea_tiles={kind.value: 40 for kind in Kind},
        explorers={"1": 10, "2": 2, "3": 1},
    )
    words = labels(state)
    said = next(each for each in words if "more" in each)
    hidden = re.search(r"and (\d+) more islands: (?:G (\d+), )?W (\d+) points", said)
    assert hidden is not None
    count, grey, white = (int(each or 0) for each in hidden.groups())
    listed = [each[0] for each in words if re.fullmatch("[GW] 2", each)]
    assert len(listed) == 14 - count < 14
    assert 2 * listed.count("G") + grey == 16
    assert 2 * listed.count("W") + white == 12


@each_layout
def test_islands_are_tinted_by_who_leads(layout: Layout) -> None:
    drawn = {
        leader: lands(svg(position(f"a{leader} a{other} ~\n~ ~ ~\n. . ~"), layout))
        for leader, other in (("", ""), (":1G", ""), (":1W", ""), (":2W", ":1G"), (":3G", ":3W"))
    }
    assert drawn[":3G"] == drawn[""], "equal sums"
    assert drawn[":1G"] != drawn[""] != drawn[":1W"] != drawn[":1G"]
    assert drawn[":2W"] == drawn[":1W"]


def lands(drawing: str) -> list[tuple[str | None, ...]]:
    """The areas and lines on the board."""
    root = ElementTree.fromstring(drawing)
    for part in root.findall(f"{SVG}defs"):
        root.remove(part)
    return [tuple(each.get(key) for key in ("d", "fill", "stroke")) for each in root.iter(f"{SVG}path")]


@each_state
def test_a_picture_for_a_phone_is_as_wide_as_one_and_has_no_small_letters(state: State) -> None:
    drawing = svg(state, Layout.PHONE)
    assert (ElementTree.fromstring(drawing).get("viewBox") or "").startswith("0 0 360 ")
    capital = 0.72
    for each in read(drawing, shapes=False).labels:
        if re.fullmatch(r"\d+|[A-G]\d|(west|east) \d|(south|north) [A-G]", each.words):
            typed = not each.words.isdigit()
            assert each.height >= capital * (10 if typed else 9), each.words


@each_state
def test_a_picture_for_print_is_a_sheet_of_a4_without_dark_areas(state: State) -> None:
    root = ElementTree.fromstring(svg(state, Layout.PRINT))
    width, height = (float(root.get(side) or 0) for side in ("width", "height"))
    assert abs(max(width, height) / min(width, height) - 297 / 210) < 0.001
    assert {each.get("fill") for each in root.iter(f"{SVG}rect")} <= {"#ffffff", "none", "#ececec", "#d4d4d4"}


# R1.1, R1.4
@pytest.mark.parametrize(("columns", "rows"), [(2, 2), (7, 2), (2, 7), (5, 5), (7, 7)])
def test_no_label_collides_on_a_board_of_another_size(columns: int, rows: int) -> None:
    many = {"1": 99, "2": 99, "3": 99}
    document = plenty(columns, rows, explorers=many)
    document["circles"]["value"] = ["west", "south", "east", "north"]
    luck = Random(f"{columns} x {rows}")
    for seats in (1, 2):
        state = GAME.setup(Setup(seats, GAME.options(), GAME.load_components(document)))
        for ply in range(60):
            if not (awaited := GAME.to_act(state)):
                break
            if awaited == (CHANCE,):
                state = GAME.apply(state, CHANCE, drawn(GAME, state, 0, lambda _, total: luck.randrange(total)))
            else:
                state = GAME.apply(state, awaited[0], random_action(GAME, state, awaited[0], luck.choice))
            for layout in Layout if ply % 6 == 0 else ():
                assert faults(GAME.svg(GAME.observe(state, 0), ("W" * 40,) * seats, layout), contrast=False) == ()
