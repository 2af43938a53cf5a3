"""R7: where and for what settlements are built, and what comes free with them."""

from __future__ import annotations

import pytest

from engine.games.montana import GAME
from engine.games.montana.state import Phase, State
from tests.engine.matches import asked
from tests.games.montana.positions import act, lines, me, position, refused, rules


def built(state: State, name: str) -> tuple[int, int]:
    """Whose settlements are on a hex, and how many."""
    hexagon = state.table.geometry.index[name]
    return state.owners[hexagon], state.counts[hexagon]


def test_the_building_example_of_the_rulebook() -> None:
    """R7.2, R7.4, R7.5, R7.8, R7.9, R8.1: a large stone and a wheat bring a cow and a canteen; the
    cow is traded for a small copper, which pays for a double hex; the third settlement is not
    built, for a coin.
    """
    drawing = "E4 wS cow; F4 lake canteen; E3 wpcs double"
    state = position(drawing, me("wwSsp"), me())
    state = act(state, "build E4")
    assert built(state, "E4") == (0, 1)
    assert (state.seats[0].cows, state.seats[0].canteens) == (1, 1)
    assert state.seats[0].goods == (1, 1, 0, 1, 0, 0)
    state = act(state, "trade cow for copper; build E3")
    assert built(state, "E3") == (0, 2)
    assert state.seats[0].goods == (0, 0, 0, 0, 0, 0)
    assert state.seats[0].settlements == 9
    state = act(state, "end")
    assert state.seats[0].coins == 1
    assert state.seats[0].canteens == 1


def test_a_fourth_settlement_in_line_on_a_double_hex_makes_three() -> None:
    """R7.5, R7.6: the note to the rulebook's example."""
    state = position("B5 w double", me("w"), me(), built="0:C5 0:D5x2 0:F5 0:E6", start="E4")
    assert act(state, "build B5").counts[state.table.geometry.index["B5"]] == 2
    state = position("B5 w double", me("w"), me(), built="0:C5 0:D5x2 0:E5", start="E4")
    assert built(act(state, "build B5"), "B5") == (0, 3)


def test_settlements_are_built_next_to_the_start_tile_or_any_settlement() -> None:
    """R7.1"""
    state = position("", me("www"), me(), built="1:E6")
    assert act(state, "build E7").owners[state.table.geometry.index["E7"]] == 0
    assert refused(state, "build C2").code == "not_adjacent"
    assert refused(state, "build E6").message.startswith("E6 already has a settlement. You could build on")
    assert refused(state, "build E5").message.startswith("E5 already has the start tile.")


@pytest.mark.parametrize("terrain", ["mountain", "lake"])
def test_nothing_is_built_on_mountains_and_lakes(terrain: str) -> None:
    """R7.1"""
    state = position(f"E4 {terrain}", me("www"), me())
    assert refused(state, "build E4").code == "wrong_terrain"
    assert "build E4" not in lines(state)


def test_the_next_settlement_may_adjoin_the_one_just_built() -> None:
    """R7.1, R7.3"""
    state = act(position("", me("www"), me()), "build E4; build E3; build D2")
    assert built(state, "D2") == (0, 1)


def test_exactly_the_goods_of_the_hex_are_paid() -> None:
    """R7.2"""
    state = position("E4 wpcS", me("wwpcs"), me())
    assert (
        refused(state, "build E4").message
        == "E4 costs 1 wheat, 1 pumpkin, 1 small copper and 1 large stone; you lack 1 large stone. You could build on "
        + ("D4, D5, F5, D6, E6.")
    )
    state = act(position("E4 wpcS", me("wwpcsS"), me()), "build E4")
    assert state.seats[0].goods == (1, 0, 0, 1, 0, 0)
    assert state.goods == (11, 11, 11, 10, 6, 7)


def test_at_most_three_are_built_in_a_turn() -> None:
    """R7.3"""
    state = act(position("", me("wwww", cows=1), me()), "build E4; build E3; build D2")
    assert refused(state, "build D3").rule == "R7.3"
    assert not [line for line in lines(state) if line.startswith("build")]


def test_a_turn_of_building_builds_one_at_least() -> None:
    """R7.3, R3.3"""
    assert refused(position("", me("w"), me()), "end").rule == "R3.2"


@pytest.mark.parametrize(
    ("line", "coins"), [("build E4; end", 2), ("build E4; build D4; end", 1), ("build E4 D4 F5", 0)]
)
def test_a_coin_for_each_settlement_that_is_not_built(line: str, coins: int) -> None:
    """R7.4"""
    state = act(position("", me("www"), me()), line)
    assert state.seats[0].coins == coins
    assert state.seat == 1


def test_building_ends_by_itself_when_nothing_more_can_be_paid() -> None:
    """R3.3, R7.4"""
    state = act(position("", me("w"), me()), "build E4")
    assert state.seat == 1
    assert state.seats[0].coins == 2


def test_a_double_hex_takes_a_second_settlement_free() -> None:
    """R7.5"""
    state = act(position("E4 w double", me("ww"), me()), "build E4")
    assert built(state, "E4") == (0, 2)
    assert state.seats[0].settlements == 10
    assert state.built == 1


def test_the_free_settlement_may_be_left_out() -> None:
    """R7.7"""
    state = position("E4 w double", me("ww"), me())
    assert {"build E4", "build E4 x1"} <= set(lines(state))
    state = act(state, "build E4 x1")
    assert built(state, "E4") == (0, 1)
    assert refused(state, "build E4").rule == "R7.1"


def test_the_number_that_is_said_has_to_be_possible() -> None:
    """R7.7"""
    state = position("E4 w double", me("ww"), me())
    assert act(state, "build E4 x2") == act(state, "build E4")
    assert refused(state, "build E4 x3").message == "You can build 1 to 2 settlements on E4 now, not 3."
    assert refused(state, "build D4 x2").message == "You can build one settlement on D4 now, not 2."


def test_a_line_of_four_brings_one_more() -> None:
    """R7.6"""
    state = position("", me("w"), me(), built="0:B5 0:C5 0:D5", start="E4")
    assert built(act(state, "build E5"), "E5") == (0, 2)


def test_a_line_runs_in_three_directions() -> None:
    """R7.6"""
    state = position("", me("w"), me(), built="0:D4 0:E5 0:E6", start="F5")
    assert built(act(state, "build F7"), "F7") == (0, 2)
    state = position("", me("w"), me(), built="0:E4 0:E5 0:D6", start="F5")
    assert built(act(state, "build D7"), "D7") == (0, 2)


def test_a_line_that_grows_further_brings_none() -> None:
    """R7.6"""
    state = position("", me("w"), me(), built="0:B5 0:C5 0:D5 0:E5", start="E4")
    assert built(act(state, "build F5"), "F5") == (0, 1)


def test_filling_a_gap_can_make_a_line() -> None:
    """R7.6"""
    state = position("", me("w"), me(), built="0:B5 0:C5 0:E5 0:F5", start="E4")
    assert built(act(state, "build D5"), "D5") == (0, 2)
    grown = position("", me("w"), me(), built="0:B5 0:C5 0:D5 0:E5 0:G5", start="E4")
    assert built(act(grown, "build F5"), "F5") == (0, 1)


def test_other_colours_the_start_tile_and_gaps_break_a_line() -> None:
    """R7.6"""
    for state in (
        position("", me("w"), me(), built="0:B5 1:C5 0:D5 0:E5", start="E4"),
        position("", me("w"), me(), built="0:B5 0:D5 0:E5", start="C5"),
        position("", me("w"), me(), built="0:B5 0:D5 0:E5", start="E4"),
    ):
        assert built(act(state, "build F5"), "F5") == (0, 1)


def test_a_line_counts_hexes_and_not_settlements() -> None:
    """R7.6"""
    state = position("", me("w"), me(), built="0:C5x2 0:D5x2", start="E4")
    assert built(act(state, "build E5"), "E5") == (0, 1)


def test_several_lines_at_once_bring_several() -> None:
    """R7.6, R7.7"""
    state = position("", me("w"), me(), built="0:B5 0:C5 0:D5 0:E4 0:F3 0:F2", start="F5")
    assert [line for line in lines(state) if "E5" in line] == ["build E5", "build E5 x2", "build E5 x1"]
    assert built(act(state, "build E5"), "E5") == (0, 3)


def test_free_settlements_do_not_count_towards_the_three() -> None:
    """R7.7"""
    state = act(position("E4 w double; D4 w double; E3 w double", me("www"), me()), "build E4; build D4; build E3")
    assert state.seats[0].settlements == 6
    assert state.seats[0].coins == 0


def test_the_cow_of_the_hex_is_taken() -> None:
    """R7.8"""
    state = act(position("E4 w cow", me("w"), me()), "build E4")
    assert state.seats[0].cows == 1
    assert not state.cattle
    assert state.phase is Phase.BUILDING


def test_the_canteens_of_all_lakes_beside_are_taken_once() -> None:
    """R7.9"""
    drawing = "E3 lake canteen; F4 lake canteen"
    state = act(position(drawing, me("ww"), me("w")), "build E4")
    assert state.seats[0].canteens == 2
    state = act(act(state, "end"), "build F5", seat=1)
    assert state.seats[1].canteens == 0


def test_only_settlements_that_are_left_are_built() -> None:
    """R7.10"""
    state = position("E4 w double", me("ww", left=1), me(left=4), built="0:D5x3")
    assert "build E4 x1" not in lines(state)
    state = act(state, "build E4")
    assert built(state, "E4") == (0, 1)
    none = position("", me("ww", left=0), me(left=3), built="0:D5x3")
    assert refused(none, "build E4").rule == "R7.10"


def test_every_broken_rule_of_a_build_is_named() -> None:
    """R7.1, R7.2, R7.7"""
    state = position("C2 SS", me("w"), me())
    assert rules(refused(state, "build C2 x5")) == ["R7.1", "R7.2", "R7.7"]


def test_the_prompts_while_building() -> None:
    """R7.3"""
    state = act(position("", me("ww"), me()), "build E4")
    assert asked(GAME, state, 0) == "Build another settlement, or end your turn."
