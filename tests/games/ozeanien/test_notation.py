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
        ("ship tile C4", Explore("C4")),
        ("put the ship on the tile on C4", Explore("C4")),
        ("ship tile E4", Explore("E4")),
        ("ship west 3", Explore("west 3")),
        ("west 3", Explore("west 3")),
        ("ship W3", Explore("west 3")),
        ("ship 3w", Explore("west 3")),
        ("ship left row 3", Explore("west 3")),
        ("ship row 3 west", Explore("west 3")),
        ("ship 3 on the west side", Explore("west 3")),
        ("ship south D", Explore("south D")),
        ("ship column D in the south", Explore("south D")),
        ("ship south A", Explore("south A")),
        ("ship north a", Explore("north A")),
        ("ship sd", Explore("south D")),
        ("ship bottom d", Explore("south D")),
        ("ship to the circle east 5", Explore("east 5")),
        ("ship to the circle E5", Explore("east 5")),
        ("navire ouest 2", Explore("west 2")),
        ("Poser le bateau sur le cercle à l'ouest, rangée 3.", Explore("west 3")),
        ("Salpa dal cerchio a ovest, riga 3!", Explore("west 3")),
        ("ship C4 with bay for 1", UseDiscarded("C4", Kind.BAY, 1)),
        ("ship C4 with bay for an explorer of value 1", UseDiscarded("C4", Kind.BAY, 1)),
        ("take bay from C4 for 1", UseDiscarded("C4", Kind.BAY, 1)),
        ("use my discarded bay for explorer 1 from west 3", UseDiscarded("west 3", Kind.BAY, 1)),
        ("prendre la baie défaussée depuis la tuile E4 pour 1", UseDiscarded("E4", Kind.BAY, 1)),
        ("ship west 3 using my discarded open sea, giving explorers 2", UseDiscarded("west 3", Kind.SEA, 2)),
        ("place C4 NE", Place("C4", "NE")),
        ("place c4 en", Place("C4", "NE")),
        ("place C4 north and east", Place("C4", "NE")),
        ("place C4 north east", Place("C4", "NE")),
        ("place on C4 with land in the north and east", Place("C4", "NE")),
        ("put the tile on C4, land north-east", Place("C4", "NE")),
        ("place the coast on C4 with land on the N & E edges", Place("C4", "NE")),
        ("place C4 southwest", Place("C4", "SW")),
        ("place E3 E", Place("E3", "E")),
        ("place E3 e", Place("E3", "E")),
        ("C4 nesw", Place("C4", "NESW")),
        ("place inland C4", Place("C4", "NESW")),
        ("place C4 with land on all sides", Place("C4", "NESW")),
        ("place C4", Place("C4")),
        ("put the tile on C4", Place("C4")),
        ("place C4 without land", Place("C4")),
        ("place the sea tile on C4", Place("C4")),
        ("poser C4 nord ouest", Place("C4", "NW")),
        ("poser la tuile en C4, terre au nord et à l'est", Place("C4", "NE")),
        ("poser C4 SO", Place("C4", "SW")),
        ("poser C4 côté nord", Place("C4", "N")),
        ("poser C4 côte nord et est", Place("C4", "NE")),
        ("piazza la tessera su C4, terra a nord e a sud", Place("C4", "NS")),
        ("place C4 n e s", Place("C4", "NES")),
        ("explorer 2", PlaceExplorer(2)),
        ("put explorer 2", PlaceExplorer(2)),
        ("put an explorer of value 2 on the tile just placed", PlaceExplorer(2)),
        ("explorateur de valeur 2", PlaceExplorer(2)),
        ("metti un esploratore di valore 2", PlaceExplorer(2)),
        ("scout 3 east", PlaceExplorer(3, Side.EAST)),
        ("explorer of value 2 on the east", PlaceExplorer(2, Side.EAST)),
        ("explorer 2 on the eastern side", PlaceExplorer(2, Side.EAST)),
        ("east explorer 2", PlaceExplorer(2, Side.EAST)),
        ("explorateur 2 sur le côté est", PlaceExplorer(2, Side.EAST)),
        ("explorer of value 1 in the south", PlaceExplorer(1, Side.SOUTH)),
        ("skip", Skip()),
        ("no explorer", Skip()),
        ("no", Skip()),
        ("pas d'explorateur", Skip()),
        ("nessun esploratore", Skip()),
        ("pass", Skip()),
        ("end your turn", Skip()),
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
    assert GAME.parse("place C4 N S and put explorer 2 on the northern side") == turn
    assert GAME.parse("place C4 NS with an explorer of value 2 in the north") == turn
    assert GAME.parse("1. place C4 NS\n2. explorer 2 north") == turn
    assert GAME.parse("piazza C4 nord e sud e poi esploratore 2 a nord") == turn
    assert GAME.parse("place C4 E explorer 2") == (Place("C4", "E"), PlaceExplorer(2))
    assert GAME.parse("place C4 NS, no explorer") == (Place("C4", "NS"), Skip())
    assert GAME.parse("ship west 3; place A3; ") == (Explore("west 3"), Place("A3"))


@pytest.mark.parametrize(
    ("line", "column", "said"),
    [
        ("C4", 0, "Say what C4 is for"),
        ("ship", 4, "not finished"),
        ("ship H4", 5, 'No board has a space "H4"'),
        ("place w4", 6, 'No board has a space "W4"'),
        ("ship west D", 10, "a row from 1 to 7"),
        ("ship south 3", 11, "a column from A to G"),
        ("ship S3", 5, "a column from A to G"),
        ("ship circle C4", 12, "by its side of the board"),
        ("ship C4 with bay", 16, "which explorer"),
        ("ship C4 with explorer 1", 13, '"explorer" does not fit here'),
        ("ship C4 explorer 1", 8, "is given up for a discarded one"),
        ("ship west 3 4", 12, '"4" does not fit here'),
        ("ship west 3 skip", 12, '";" before the next action'),
        ("ship west 3 place D4", 12, '";" before the next action'),
        ("ship west 3; draw", 17, "Chance draws the tile"),
        ("take bay for 1", 14, "where the ship starts"),
        ("place", 5, "needs a space"),
        ("place explore C4", 6, "needs a space"),
        ("place C4 sea W", 13, "An open sea tile is one without land"),
        ("place C4 bay", 12, "which edges of the bay are land"),
        ("place C4 N north", 11, "The north is named twice"),
        ("place C4 rotated", 9, "say which of its edges are land"),
        ("explorer", 8, "the explorer's value"),
        ("explorer 4", 9, "the explorer's value"),
        ("explorer 2 NE", 11, "one side"),
        ("explorer 2 on C4", 14, 'leave "C4" out'),
        ("explorer 2 eats", 11, 'did you mean "east"'),
        ("plcae C4", 0, 'did you mean "place"'),
        ("place C4 N 5", 11, "does not fit here"),
        ("east", 4, "a row"),
        ("4", 0, "does not fit here"),
        ("draw 3", 5, "Chance draws the tile"),
    ],
)
def test_an_unreadable_line_is_refused_with_its_column_and_what_would_work(line: str, column: int, said: str) -> None:
    with pytest.raises(NotationError) as refused:
        GAME.parse(line)
    assert said in refused.value.message
    assert refused.value.column == column
    assert refused.value.expected


@pytest.mark.parametrize(
    "line", ["ship E4", "ship e 4", "ship 4e", "ship 4 e", "ship row 4 e", "take bay from E4 for 1"]
)
def test_a_letter_that_is_a_column_and_a_side_is_refused_with_both_readings(line: str) -> None:
    with pytest.raises(NotationError) as refused:
        GAME.parse(line)
    assert refused.value.expected == ("ship tile E4", "ship east 4")


@pytest.mark.parametrize(
    ("line", "readings"),
    [
        ("place C4 no", ("NW", '"; skip"')),
        ("place C4 north e south", ("east", "and")),
        ("piazza C4 N e esploratore 2", ("east", "and")),
        ("place C4 en sud", ("N E", "the sides alone")),
        ("piazza C4 nord o sud", ("west",)),
        ("explorer west 3", ("explorer 2 west", "ship west 3")),
    ],
)
def test_a_word_with_two_meanings_is_refused_with_both(line: str, readings: tuple[str, ...]) -> None:
    with pytest.raises(NotationError) as refused:
        GAME.parse(line)
    assert refused.value.expected == readings


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
        assert GAME.parse(GAME.format(action).upper()) == (action,)
