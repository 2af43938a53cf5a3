"""The text board and the picture: content, escaping, and that nothing depends on colour alone."""

from __future__ import annotations

import re
from collections import Counter
from xml.etree import ElementTree

import pytest

from engine.games.ozeanien import GAME
from engine.games.ozeanien.state import State
from engine.games.ozeanien.tiles import Kind
from engine.types import Layout
from tests.games.ozeanien.positions import does, position
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
each_state = pytest.mark.parametrize("state", STATES.values(), ids=STATES.keys())


def text(state: State) -> str:
    return GAME.text(GAME.observe(state, 0), NAMES)


def svg(state: State) -> str:
    return GAME.svg(GAME.observe(state, 0), NAMES, Layout.DESKTOP)


@each_state
def test_the_text_is_ascii_but_for_names_and_fits_a_mail(state: State) -> None:
    assert text(state).replace(NAMES[1], "").replace(NAMES[1][:11], "").isascii()
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


def test_the_text_shows_explorers_straits_and_what_was_imagined() -> None:
    shown = text(does(STATES["explorer"], "explorer 3 south"))
    assert "|~#3G##~|" in shown
    assert text(STATES["explorer"]).count("skip") == 1
    assert "|*#####?|" in text(STATES["imagined"])
    assert "? the reserve had no tile left" in text(STATES["imagined"])


def test_the_text_lists_the_islands_and_the_score_sheet() -> None:
    shown = text(STATES["scored"])
    assert "3 tiles A1 B1 B2: complete, G 2 = 3 points" in shown
    assert "8 tiles D1 E1 F1 D2 E2 F2 D3 E3: complete, G 3, W 4 = 8 points" in shown
    assert "2 tiles A4 A5: 1 open edge, W 1" in shown
    assert "W has discarded 1 open sea, 3 cape." in shown
    assert re.search(r"1\. Ann <&> Bo +2   islands 2, discarded tiles 0", text(STATES["over"]))


@each_state
def test_the_picture_is_standalone_and_uses_all_definitions(state: State) -> None:
    drawing = svg(state)
    assert len(drawing.encode()) < 80_000
    assert "http" not in drawing.replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"<(script|image|foreignObject|style)|url\(|\son\w+=", drawing)
    root = ElementTree.fromstring(drawing)
    ids = Counter(each.attrib["id"] for each in root.iter() if "id" in each.attrib)
    assert set(ids.values()) == {1}
    assert {each.attrib["href"].removeprefix("#") for each in root.iter(f"{SVG}use")} <= set(ids)


def test_the_picture_shows_the_pieces_and_numbers_the_choices() -> None:
    words = ["".join(each.itertext()) for each in ElementTree.fromstring(svg(STATES["placing"])).iter(f"{SVG}text")]
    assert {"1", "2", "3", "4", "5", "6", "Cape"} <= set(words)
    assert svg(STATES["scored"]).count('href="#oz-explorer-1-2"') == 2 + 1, "two on the board, one in the panel"
    assert svg(STATES["alone"]).count('href="#oz-ship"') == 1
    assert svg(STATES["imagined"]).count('href="#oz-filled"') == 1


@each_state
def test_the_description_lists_what_the_picture_shows(state: State) -> None:
    told = ElementTree.fromstring(svg(state)).findtext(f"{SVG}desc") or ""
    assert "Island of" in told or not GAME.observe(state, 0).islands
    assert "Ann <&> Bo" in told
    assert "unexplored" in told


def test_seats_can_be_distinguished_without_colour() -> None:
    root = ElementTree.fromstring(svg(STATES["scored"]))
    shapes = {
        seat: next(each for each in root.iter() if each.get("id") == f"oz-explorer-{seat}-1")[1].get("d")
        for seat in (0, 1)
    }
    assert shapes[0] != shapes[1]
