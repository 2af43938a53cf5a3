"""The sentence of every refusal of Ozeanien, each for a position."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine.games.ozeanien import GAME
from engine.games.ozeanien.actions import Action, Explore, Place
from engine.games.ozeanien.sentences import SENTENCES
from engine.games.ozeanien.state import State
from engine.games.ozeanien.tiles import Kind
from tests.games.ozeanien.positions import does, position
from tests.games.refusals import sentences

EMPTY = ". . .\n. . .\n. . ."
ISLAND = "~ . .\n~ ~/S ~\n~ ~/N ~\n. . ."
CHARTED = "~ . .\n~ . ."
BEGUN = position(EMPTY)
CAPE = position(". . .\n. ~/E .\n. . .", ship="B2", tile=Kind.CAPE)


def tile(kind: Kind) -> State:
    """A tile of that kind is at hand, and fits around B2."""
    return position(". . .\n. ~ .\n. . .", ship="B2", tile=kind)


CASES: list[tuple[Callable[[], State], str | Action, str, str]] = [
    (
        lambda: BEGUN,
        "place A1",
        "ship_first",
        "There is no tile at hand yet: put the ship at a starting point first, and a tile is drawn.",
    ),
    (
        lambda: BEGUN,
        "explorer 1",
        "ship_first",
        "An explorer follows a tile you have placed in this turn; put the ship at a starting point first.",
    ),
    (
        lambda: BEGUN,
        "skip",
        "ship_first",
        "An explorer follows a tile you have placed in this turn; put the ship at a starting point first.",
    ),
    (
        lambda: CAPE,
        "ship west 1",
        "tile_at_hand",
        "The ship is at its starting point and you hold a cape tile, which fits: place it.",
    ),
    (
        lambda: tile(Kind.SEA),
        "skip",
        "tile_at_hand",
        "Place an open sea tile first; an explorer goes on a tile that has been placed.",
    ),
    (
        lambda: does(BEGUN, "ship west 2; draw coast; place A2 NE"),
        "ship west 1",
        "explorer_due",
        "Your tile is on A2; put an explorer on it, or skip, before the next turn begins.",
    ),
    (
        lambda: does(BEGUN, "ship west 2; draw coast; place A2 NE"),
        "place A1",
        "tile_placed",
        "Your tile is already on A2, and you place only one in a turn; put an explorer on it, or skip.",
    ),
    (
        lambda: BEGUN,
        "ship south F",
        "no_such_start",
        (
            'There is no starting point "south F"; the board has 3 columns, 3 rows, and circles on the east, '
            "south and west."
        ),
    ),
    (
        lambda: position(EMPTY, circles=["west"]),
        Explore("nowhere near the board"),
        "no_such_start",
        (
            'There is no starting point "nowhere near the boa"; the board has 3 columns, 3 rows, and circles '
            "on the west."
        ),
    ),
    (
        lambda: position(ISLAND),
        "ship west 1",
        "circle_closed",
        (
            "The space before the circle west 1, A1, is explored, so no route leads on from there. Open starting "
            "points: "
            "west 4, south A, south B, south C, east 1, east 4 and 6 more."
        ),
    ),
    (
        lambda: position(ISLAND),
        "ship B1",
        "start_unexplored",
        (
            "B1 is unexplored; the ship starts from a circle or an explored tile. Open starting points: west 4, "
            "south A, "
            "south B, south C, east 1, east 4 and 6 more."
        ),
    ),
    (
        lambda: position(ISLAND),
        "ship A2",
        "no_route",
        (
            "No sea edge of A2 leads to an unexplored space. Open starting points: west 4, south A, south B, south C, "
            "east 1, east 4 and 6 more."
        ),
    ),
    (
        lambda: position(". .\n. .", seats=1),
        "ship west 1 with inland for 1",
        "no_discards_alone",
        "When you play alone, discarded tiles leave the match; put the ship at a starting point and draw.",
    ),
    (
        lambda: position(CHARTED, discarded=({Kind.SEA: 1, Kind.BAY: 1}, {})),
        "ship A2 with cape for 1",
        "tile_not_discarded",
        "You have no discarded cape tile; the kinds you have: sea and bay.",
    ),
    (
        lambda: BEGUN,
        "ship west 1 with cape for 1",
        "tile_not_discarded",
        "You have no discarded cape tile; the kinds you have: none.",
    ),
    (
        lambda: position(CHARTED, discarded=({Kind.SEA: 1}, {}), given_up=((0, 0, 1), (0, 0, 0))),
        "ship A2 with sea for 3",
        "explorer_not_left",
        "You have no explorer of value 3; those left have the values 1 and 2.",
    ),
    (
        lambda: position(CHARTED, discarded=({Kind.SEA: 1}, {}), given_up=((5, 2, 1), (0, 0, 0))),
        "ship A2 with sea for 3",
        "explorer_not_left",
        "You have no explorer of value 3; you have none left.",
    ),
    (
        lambda: position(CHARTED, discarded=({Kind.INLAND: 1}, {})),
        "ship A2 with inland for 1",
        "tile_does_not_fit",
        "An inland tile does not fit on B2, which A2 reaches; a discarded tile is taken only where it fits.",
    ),
    (
        lambda: CAPE,
        Place("B1", "SN"),
        "no_such_land",
        '"SN" names no edges; write those with land as letters N, E, S, W, in this order.',
    ),
    (
        lambda: tile(Kind.SEA),
        "place B1 N",
        "wrong_shape",
        (
            "You hold an open sea tile, without land; it cannot be placed with land on the north. Possible: B1, A2, "
            "C2 and B3."
        ),
    ),
    (
        lambda: CAPE,
        "place B1 NE",
        "wrong_shape",
        (
            "You hold a cape tile, with land on one edge; it cannot be placed with land on the north and east. "
            "Possible: B1 E, B1 W, A2 N, A2 S, B3 E and B3 W."
        ),
    ),
    (
        lambda: position(". . .\n. ~ ~\n. . .", ship="B2", tile=Kind.COAST),
        "place B1",
        "wrong_shape",
        ("You hold a coast tile, with land on two adjacent edges; it cannot be placed with no land. Possible: none."),
    ),
    (
        lambda: tile(Kind.STRAIT),
        "place A2 NE",
        "wrong_shape",
        (
            "You hold a strait tile, with land on two opposite edges; it cannot be placed with land on the north "
            "and east. Possible: B1 EW, A2 NS, C2 NS and B3 EW."
        ),
    ),
    (
        lambda: position(". . .\n. ~ ~\n. . .", ship="B2", tile=Kind.BAY),
        "place A2 NE",
        "wrong_shape",
        (
            "You hold a bay tile, with land on three edges; it cannot be placed with land on the north and east. "
            "Possible: none."
        ),
    ),
    (
        lambda: position(". . .\n. ~/NESW .\n. . .\n. . .", ship="west 4", tile=Kind.INLAND),
        "place A4 NE",
        "wrong_shape",
        (
            "You hold an inland tile, with land on all edges; it cannot be placed with land on the north and east. "
            "Possible: none."
        ),
    ),
    (lambda: tile(Kind.SEA), "place G7", "no_such_space", 'The board has no space "G7". Possible: B1, A2, C2 and B3.'),
    (lambda: tile(Kind.SEA), "place B2", "space_explored", "B2 is already explored. Possible: B1, A2, C2 and B3."),
    (
        lambda: tile(Kind.SEA),
        "place A1",
        "out_of_reach",
        "No route leads from the ship (B2) to A1. Possible: B1, A2, C2 and B3.",
    ),
    (
        lambda: CAPE,
        "place B3 N",
        "edges_clash",
        (
            "On B3 its north edge has to be sea, as B2 is. Turned another way, it fits there. Possible: B1 E, B1 W, "
            "A2 N, A2 S, B3 E and B3 W."
        ),
    ),
    (
        lambda: position(". .\n. .", ship="west 1", tile=Kind.CAPE),
        "place A1 N",
        "edges_clash",
        (
            "On A1 its north edge has to be sea, as the frame is. Turned another way, it fits there. Possible: A1 E "
            "and A1 S."
        ),
    ),
    (
        lambda: position("~/S ~/S ~\n. . .\n. . .", ship="west 3", tile=Kind.SEA),
        "place A2",
        "edges_clash",
        "On A2 its north edge has to be land, as A1 is. An open sea tile does not fit there. Possible: A3.",
    ),
    (
        lambda: does(BEGUN, "ship west 2; draw coast; place A2 NE"),
        "explorer 1 north",
        "no_parts",
        "The land on A2 is all one part; leave north out.",
    ),
    (
        lambda: does(BEGUN, "ship west 2; draw strait; place A2 NS"),
        "explorer 1",
        "part_missing",
        "The strait on A2 has two sides; say north or south.",
    ),
    (
        lambda: does(BEGUN, "ship west 2; draw strait; place A2 NS"),
        "explorer 1 east",
        "no_such_part",
        "The strait on A2 has no land on the east; say north or south.",
    ),
    (
        lambda: does(position(EMPTY, given_up=((0, 2, 0), (0, 0, 0))), "ship west 2; draw coast; place A2 NE"),
        "explorer 2",
        "explorer_not_left",
        "You have no explorer of value 2; those left have the values 1 and 3.",
    ),
]


@pytest.mark.parametrize(("state", "action", "code", "sentence"), CASES, ids=[case[2] for case in CASES])
def test_the_sentence_of_a_refusal(state: Callable[[], State], action: str | Action, code: str, sentence: str) -> None:
    assert sentence in sentences(GAME, state(), action, code)


def test_every_code_has_its_sentences_in_the_table() -> None:
    assert {code for _, _, code, _ in CASES} == set(SENTENCES)
