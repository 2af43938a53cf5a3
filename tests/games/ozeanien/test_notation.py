"""Ozeanien's notation: reading, writing, and the errors."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from engine.errors import NotationError
from engine.games.ozeanien import GAME
from engine.games.ozeanien.actions import DrawTile, Explore, Place, PlaceExplorer, Skip, UseDiscarded
from engine.games.ozeanien.tiles import LAND_NAMES, Kind, Side


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("ship C4", Explore("C4")),
        ("SAIL to c 4", Explore("C4")),
        ("start from 4C", Explore("C4")),
        ("ship west 3", Explore("west 3")),
        ("west 3", Explore("west 3")),
        ("ship W3", Explore("west 3")),
        ("ship left row 3", Explore("west 3")),
        ("ship south D", Explore("south D")),
        ("ship south A", Explore("south A")),
        ("ship bottom d", Explore("south D")),
        ("ship to the circle east 5", Explore("east 5")),
        ("ship E5", Explore("E5")),
        ("navire ouest 2", Explore("west 2")),
        ("ship C4 with bay for 1", UseDiscarded("C4", Kind.BAY, 1)),
        ("ship west 3 using my discarded open sea, giving explorers 2", UseDiscarded("west 3", Kind.SEA, 2)),
        ("place C4 NE", Place("C4", "NE")),
        ("place c4 en", Place("C4", "NE")),
        ("place C4 north and east", Place("C4", "NE")),
        ("put the tile on C4, land north-east", Place("C4", "NE")),
        ("place C4 southwest", Place("C4", "SW")),
        ("place E3 E", Place("E3", "E")),
        ("C4 nesw", Place("C4", "NESW")),
        ("place C4", Place("C4")),
        ("poser C4 nord ouest", Place("C4", "NW")),
        ("explorer 2", PlaceExplorer(2)),
        ("scout 3 east", PlaceExplorer(3, Side.EAST)),
        ("explorer of value 1 in the south", PlaceExplorer(1, Side.SOUTH)),
        ("skip", Skip()),
        ("no explorer", Skip()),
        ("pass", Skip()),
        ("draw strait", DrawTile(Kind.STRAIT)),
    ],
)
def test_different_spellings_are_read(line: str, action: object) -> None:
    assert GAME.parse(line) == (action,)


def test_the_rest_of_a_turn_goes_on_one_line() -> None:
    turn = (Place("C4", "NS"), PlaceExplorer(2, Side.NORTH))
    assert GAME.parse("place C4 NS; explorer 2 north") == turn
    assert GAME.parse("place C4 NS then explorer 2 n") == turn
    assert GAME.parse("place C4 NS explorer 2 N") == turn
    assert GAME.parse("ship west 3; place A3; ") == (Explore("west 3"), Place("A3"))


@pytest.mark.parametrize(
    ("line", "column", "said"),
    [
        ("C4", 0, "Say what C4 is for"),
        ("ship", 4, "not finished"),
        ("ship H4", 5, 'No board has a space "H4"'),
        ("ship west D", 10, "a row from 1 to 7"),
        ("ship south 3", 11, "a column from A to G"),
        ("ship C4 with bay", 16, "which explorer"),
        ("place", 5, "needs a space"),
        ("place C4 sea W", 9, "name the edges with land"),
        ("explorer", 8, "the explorer's value"),
        ("explorer 4", 9, "the explorer's value"),
        ("explorer 2 NE", 11, "one side"),
        ("plcae C4", 0, 'did you mean "place"'),
        ("place C4 N 5", 11, "does not fit here"),
        ("east", 4, "a row"),
        ("4", 0, "does not fit here"),
        ("draw 3", 5, "which tile"),
    ],
)
def test_an_unreadable_line_is_refused_with_its_column_and_what_would_work(line: str, column: int, said: str) -> None:
    with pytest.raises(NotationError) as refused:
        GAME.parse(line)
    assert said in refused.value.message
    assert refused.value.column == column
    assert refused.value.expected


def test_every_action_can_be_written_and_read_back() -> None:
    spaces = [f"{letter}{number}" for letter in "ABCDEFG" for number in range(1, 8)]
    circles = [f"{side} {number}" for side in ("west", "east") for number in range(1, 8)] + [
        f"{side} {letter}" for side in ("north", "south") for letter in "ABCDEFG"
    ]
    actions: list[Any] = [Explore(start) for start in (*spaces, *circles)]
    actions += [UseDiscarded(*each) for each in itertools.product((*spaces, *circles), Kind, (1, 2, 3))]
    actions += [Place(*each) for each in itertools.product(spaces, LAND_NAMES)]
    actions += [PlaceExplorer(*each) for each in itertools.product((1, 2, 3), (None, *Side))]
    actions += [Skip(), *(DrawTile(kind) for kind in Kind)]
    for action in actions:
        assert GAME.parse(GAME.format(action)) == (action,)


def test_the_help_can_be_typed_from() -> None:
    lines = [line[2:29].strip() for line in GAME.info.notation.splitlines() if line.startswith("  ") and line[2] != " "]
    assert len(lines) == 8
    for line in lines:
        assert GAME.format(GAME.parse(line)[0]) == line
