"""The narration of a turn, and the prompts."""

from __future__ import annotations

import pytest

from engine.games.ozeanien import GAME
from engine.games.ozeanien.actions import Place
from engine.games.ozeanien.state import State
from engine.games.ozeanien.tiles import KIND_OF, KINDS, LAND_NAMES, LANDS, Kind
from tests.engine.matches import asked
from tests.games.ozeanien.positions import position

NAMES = ("Ann", "Bo")


def told(state: State, line: str) -> str:
    """The narration of the actions of a line."""
    found = []
    for action in GAME.parse(line):
        seat = -1 if isinstance(action, GAME.chance_actions) else state.seat
        after = GAME.apply(state, seat, action)
        found.append(GAME.narrate(state, seat, action, after, None, NAMES))
        state = after
    return " ".join(found)


def test_a_turn_is_narrated_from_ship_to_explorer() -> None:
    assert (
        told(position(". . .\n. . .\n. . ."), "ship west 2; draw strait; place A2 NS; explorer 2 south")
        == "Ann sails to the circle west 2. Ann draws a strait tile. Ann places a strait tile on A2, land on the north"
        " and south. Ann puts an explorer of value 2 on the tile just placed, in the south."
    )


def test_a_discarded_tile_is_narrated_when_it_is_taken_and_reused() -> None:
    state = position("~ ~/S ~\n. . .\n. . .", discarded=({Kind.SEA: 2}, {}))
    assert told(state, "ship west 3; draw strait").endswith(
        "Ann draws a strait tile, which fits nowhere from there: it is discarded."
    )
    assert (
        told(state, "ship west 3 with sea for 1; place A3")
        == "Ann sails to the circle west 3 and takes a discarded open sea tile, giving up an explorer of value 1. Ann"
        " places an open sea tile on A3."
    )
    assert "it leaves the match" in told(position("~ ~/S ~\n. . .\n. . .", seats=1), "ship west 3; draw strait")


def test_what_a_tile_encloses_and_completes_is_narrated() -> None:
    state = position("~ ~/S ~\n~ . .\n~ ~/N ~\n. . .", ship="east 2", tile=Kind.SEA, reserve={Kind.SEA: 2})
    assert (
        told(state, "place C2")
        == "Ann places an open sea tile on C2. That encloses B2; the reserve has no tile left for B2, so one is"
        " imagined there. 2 islands are complete: 2 tiles at B1 and 2 tiles at B2."
    )
    drawing = "~ ~ ~ ~ ~\n~ . . . ~\n~ ~ ~ ~ ~\n. . . . ."
    for left, fate in (
        (2, "fills them"),
        (1, "has no tile left for D2, so one is imagined there"),
        (0, "has no tile left for B2 and D2, so some are imagined there"),
    ):
        state = position(drawing, ship="C1", tile=Kind.SEA, reserve={Kind.SEA: left})
        assert told(state, "place C2").endswith(f"That encloses B2 and D2; the reserve {fate}.")
    alone = position("a/E . .\n~ ~ ~\n. . .", seats=1, ship="B2", tile=Kind.CAPE)
    assert told(alone, "place B1 W").endswith("An island is complete: 2 tiles at A1 (4 points).")


def test_the_end_is_narrated_with_the_score_sheet() -> None:
    assert told(position("a:1G a ~\n~ ~ ~\n. . ~", ship="A2", tile=Kind.SEA), "place A3").endswith(
        "Every space of the board is explored. The match is over: Ann 2 (islands 2, discarded tiles 0); Bo 0 (islands"
        " 0, discarded tiles 0). Ann wins."
    )
    assert told(position("~ ~ ~\n~ ~ ~\n. . ~", ship="A2", tile=Kind.SEA), "place A3").endswith(
        "Ann and Bo share the victory."
    )
    assert told(position("~ ~ ~\n~ ~ ~\n. . ~", ship="A2", tile=Kind.SEA, seats=1), "place A3").endswith(
        "Ann 0 (islands 0, unexplored spaces 0)."
    )


def test_the_prompt_says_what_is_asked() -> None:
    state = position(". . .\n. . .\n. . .", ship="west 2", tile=Kind.COAST)
    assert asked(GAME, position(". .\n. ."), 0) == "Choose a starting point for the ship."
    assert asked(GAME, state, 0) == "Place a coast tile."
    placed = GAME.apply(state, 0, GAME.parse("place A2 NE")[0])
    assert asked(GAME, placed, 0) == "Put an explorer on the tile just placed, or skip."


@pytest.mark.parametrize(
    "line",
    [
        "ship tile B2",
        "ship west 3",
        "ship south A",
        "ship tile B2 with sea for 1",
        "ship east 3 with inland for 3",
        "ship tile A1 with bay for 2",
    ],
)
def test_a_start_is_narrated_as_it_can_be_typed(line: str) -> None:
    held = {Kind.SEA: 1, Kind.INLAND: 2, Kind.BAY: 1}
    state = position("~ . .\n~ ~ .\n. . .", discarded=(held, {}))
    assert GAME.parse(told(state, line).removeprefix("Ann ")) == GAME.parse(line)


@pytest.mark.parametrize("land", LAND_NAMES)
def test_every_placement_is_narrated_as_it_can_be_typed(land: str) -> None:
    state = position(". . .\n. . .\n. . .", ship="west 2", tile=KINDS[KIND_OF[LANDS[land]]])
    sentence = told(state, f"place B2 {land}").split(". ")[0]
    assert GAME.parse(sentence.removeprefix("Ann ")) == (Place("B2", land),)
