"""R6: explorers on the tile just placed."""

from __future__ import annotations

from engine.games.ozeanien.state import Explorer, Phase
from engine.games.ozeanien.tiles import LANDS, PARTS, Kind
from tests.games.ozeanien.positions import does, legal, position, refused

EMPTY = ". . .\n. . .\n. . ."


# R6.1
def test_an_explorer_may_go_on_the_tile_just_placed() -> None:
    state = does(position(EMPTY), "ship west 2; draw coast; place A2 NE")
    assert legal(state) == ["explorer 1", "explorer 2", "explorer 3", "skip"]
    after = does(state, "explorer 2")
    assert after.explorers == (Explorer(3, None, 0, 2),)
    assert after.seats[0].explorers == (5, 1, 1)
    assert does(state, "skip").explorers == ()


# R6.1
def test_reserve_tiles_get_none() -> None:
    state = does(position("~ ~/S ~\n~ . .\n~ ~/N ~\n. . .", ship="east 2", tile=Kind.SEA), "place C2")
    assert (state.phase, state.seat) == (Phase.SHIP, 1)


# R6.2
def test_the_value_is_chosen_among_those_left() -> None:
    state = does(position(EMPTY, given_up=((0, 2, 0), (0, 0, 0))), "ship west 2; draw coast; place A2 NE")
    assert legal(state) == ["explorer 1", "explorer 3", "skip"]
    refusal = refused(state, "explorer 2")
    assert (refusal.code, refusal.rule) == ("explorer_not_left", "R6.2")
    assert "values 1 and 3" in refusal.message


# R6.3
def test_on_a_strait_a_side_is_chosen() -> None:
    state = does(position(EMPTY), "ship west 2; draw strait; place A2 NS")
    assert legal(state)[:3] == ["explorer 1 north", "explorer 1 south", "explorer 2 north"]
    assert refused(state, "explorer 1").code == "part_missing"
    assert refused(state, "explorer 1 east").code == "no_such_part"
    assert does(state, "explorer 3 south").explorers == (Explorer(3, 2, 0, 3),)


# R6.3
def test_on_any_other_tile_no_side_is_named() -> None:
    state = does(position(EMPTY), "ship west 2; draw coast; place A2 NE")
    assert refused(state, "explorer 1 north").code == "no_parts"


# R6.4
def test_the_step_is_left_out_without_land_or_explorers() -> None:
    assert does(position(EMPTY), "ship west 2; draw sea; place A2").seat == 1
    bare = position(EMPTY, given_up=((5, 2, 1), (0, 0, 0)))
    assert does(bare, "ship west 2; draw coast; place A2 NE").seat == 1


# R3.4
def test_the_last_explorer_given_up_leaves_none_for_the_tile() -> None:
    state = position("~ . .\n~ . .", discarded=({Kind.CAPE: 1}, {}), given_up=((4, 2, 1), (0, 0, 0)))
    after = does(state, "ship A2 with cape for 1; place B2 N")
    assert (after.seat, after.phase) == (1, Phase.SHIP)


# R6.3
def test_a_strait_has_two_parts_and_any_other_land_one() -> None:
    assert PARTS[LANDS["NS"]] == (LANDS["N"], LANDS["S"])
    assert PARTS[LANDS["EW"]] == (LANDS["E"], LANDS["W"])
    assert [PARTS[LANDS[name]] for name in ("", "N", "NE", "NESW")] == [
        (),
        (LANDS["N"],),
        (LANDS["NE"],),
        (LANDS["NESW"],),
    ]


# R6.3
def test_a_side_that_has_no_land_is_refused_by_name() -> None:
    state = does(position(EMPTY), "ship west 2; draw strait; place A2 NS")
    assert refused(state, "explorer 1 east").message == (
        "The strait on A2 has no land on the east; say north or south."
    )
