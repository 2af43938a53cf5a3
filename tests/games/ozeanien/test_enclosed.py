"""R5: enclosed spaces are filled from the reserve."""

from __future__ import annotations

from engine.games.ozeanien.board import IMAGINED, RESERVE
from engine.games.ozeanien.state import State
from engine.games.ozeanien.tiles import LAND_NAMES, Kind
from tests.games.ozeanien.positions import does, legal, position, refused


def shown(state: State, space: str) -> str:
    """The land of a space, with + from the reserve and ? where imagined; "." unexplored."""
    tile = state.board[state.table.ground.index[space]]
    return (
        "." if tile < 0 else LAND_NAMES[tile & 15] + ("+" if tile & RESERVE else "") + ("?" if tile & IMAGINED else "")
    )


# R5.5
def test_the_rulebooks_example_encloses_a_space_on_the_left_and_a_land_hole_on_the_right() -> None:
    """White places one tile: four tiles surround the space to its left, to its right only land can
    follow.
    """
    state = position(
        """
        ~   ~  ~  ~/S ~/S ~   ~
        ~/E .  .  .   .   ~/W ~
        ~   ~  ~  ~/N ~/N ~   ~
        """,
        seat=1,
        ship="C1",
        tile=Kind.CAPE,
    )
    after = does(state, "place C2 E")
    assert [shown(after, space) for space in ("B2", "D2", "E2")] == ["W+", "NESW+", "NESW+"]
    assert after.reserve == (5, 4, 5, 5, 5, 3)
    assert [after.table.ground.names[space] for space in after.last] == ["C2", "B2", "D2", "E2"]


# R5.1
def test_a_single_space_gets_whatever_matches() -> None:
    strait = position("~ ~/S ~\n~ . .\n~ ~/N ~\n. . .", ship="east 2", tile=Kind.SEA)
    assert shown(does(strait, "place C2"), "B2") == "NS+"
    inland = position("~ ~/S ~\n~/E . .\n~ ~/N ~\n. . .", ship="east 2", tile=Kind.CAPE)
    assert shown(does(inland, "place C2 W"), "B2") == "NESW+"


# R5.1
def test_the_frame_encloses_too() -> None:
    corner = position(". . .\n~ ~ ~\n. . .", ship="east 1", tile=Kind.SEA)
    after = does(corner, "place C1")
    assert shown(after, "A1") == "."
    after = does(after, "ship west 1; draw sea; place A1")
    assert shown(after, "B1") == "+"
    corner = position(". . ~\n~/N ~ ~\n. . .", ship="B2", tile=Kind.CAPE)
    assert shown(does(corner, "place B1 W"), "A1") == "ES+"


# R5.2
def test_a_hole_bounded_by_land_alone_becomes_inland() -> None:
    state = position(
        """
        ~ ~   ~/S ~   ~
        ~ ~/E .   ~/W ~
        ~ ~/E .   .   ~
        ~ ~   ~/N ~   ~
        """,
        ship="D4",
        tile=Kind.CAPE,
    )
    after = does(state, "place D3 W")
    assert [shown(after, space) for space in ("C2", "C3")] == ["NESW+", "NESW+"]


# R5.3
def test_a_hole_with_a_sea_edge_stays() -> None:
    state = position(
        """
        ~ ~   ~   ~   ~
        ~ ~/E .   ~/W ~
        ~ ~/E .   .   ~
        ~ ~   ~/N ~   ~
        """,
        ship="D4",
        tile=Kind.CAPE,
    )
    after = does(state, "place D3 W; skip")
    assert [shown(after, space) for space in ("C2", "C3")] == [".", "."]
    assert legal(after) == ["ship tile C1"]
    assert refused(after, "ship tile A1").message.endswith("Open starting points: tile C1.")


# R5.3
def test_a_land_hole_at_the_top_stays_out_of_reach() -> None:
    state = position(
        """
        ~/E .   .   ~/W
        ~   ~/N .   ~
        ~   ~   ~   ~
        """,
        ship="C3",
        tile=Kind.CAPE,
    )
    after = does(state, "place C2 N; skip")
    assert [shown(after, space) for space in ("B1", "C1")] == [".", "."]
    assert after.phase == "over"


# R5.4
def test_a_tile_that_the_reserve_lacks_counts_as_if_it_were_there() -> None:
    state = position("~ ~/S ~\n~ . .\n~ ~/N ~\n. . .", ship="east 2", tile=Kind.SEA, reserve={Kind.SEA: 2})
    after = does(state, "place C2")
    assert shown(after, "B2") == "NS?"
    assert after.reserve == (2, 0, 0, 0, 0, 0)


# R5.4
def test_several_at_once_use_up_the_stack_in_reading_order() -> None:
    state = position(
        """
        ~ ~   ~/S ~   ~
        ~ ~/E .   ~/W ~
        ~ ~/E .   .   ~
        ~ ~   ~/N ~   ~
        """,
        ship="D4",
        tile=Kind.CAPE,
        reserve={Kind.INLAND: 1},
    )
    after = does(state, "place D3 W")
    assert [shown(after, space) for space in ("C2", "C3")] == ["NESW+", "NESW?"]


# R5.5
def test_two_single_spaces_at_once() -> None:
    state = position("~ ~ ~ ~ ~\n~ . . . ~\n~ ~ ~ ~ ~\n. . . . .", ship="C1", tile=Kind.STRAIT)
    after = does(state, "place C2 EW")
    assert [shown(after, space) for space in ("B2", "D2")] == ["E+", "W+"]
