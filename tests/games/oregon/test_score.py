"""R6: what placements earn.

The worked examples of the rulebooks are here; their pictures are missing, so boards are drawn to
their words.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.games.oregon.actions import DealCoal, DealGold
from engine.games.oregon.apply import apply
from engine.games.oregon.board import AROUND, BESIDE, INDEX, NAMES
from engine.games.oregon.legal import outcomes
from engine.games.oregon.score import makes_group
from engine.games.oregon.state import Due, State, check, to_act
from engine.types import CHANCE
from tests.games.oregon.positions import board_of, play, position, put


def points(state: State) -> tuple[int, ...]:
    return tuple(seat.score for seat in state.seats)


def test_example_farmer_beside_gold_mine_post_office_and_church() -> None:
    """R6.1, R6.4.

    English and French editions: 3 points for the post office, 3 for the church with three farmers
    around it, and a gold token.
    """
    state = position("""
        ^  PO .
        GM .  CH
        .  B  Y
    """, "E1", seats=3)  # fmt: skip
    after = put(state, "R", "F2")
    assert points(after) == (6, 0, 0)
    assert after.due == ((Due.GOLD, 0),)


def test_example_farmer_beside_harbour_station_and_warehouse() -> None:
    """R6.3.

    English and French editions: 4 + 1 + 1 points; the joker becomes active, the extra turn token
    was and stays so.
    """
    state = position("""
        ST .  .
        .  HB WH
    """, "E6", joker=(False, True), extra=(True, True))  # fmt: skip
    after = put(state, "R", "F6")
    assert points(after) == (6, 0)
    assert (after.seats[0].joker, after.seats[0].extra) == (True, True)


def test_example_a_new_group_of_three() -> None:
    """R6.6.

    English and French editions, first group example: yellow makes a group of three and earns 5.
    """
    state = position("""
        Y . Y
    """, "H5", seats=3, seat=2)  # fmt: skip
    assert points(put(state, "Y", "I5")) == (0, 0, 5)


def test_example_two_pairs_become_a_group_of_five() -> None:
    """R6.6.

    English and French editions, second group example: two groups of two were not scored, so the
    five earn 5.
    """
    state = position("""
        Y . .
        Y . Y
        . . Y
    """, "H4", seats=3, seat=2)  # fmt: skip
    assert points(put(state, "Y", "I5")) == (0, 0, 5)


def test_example_a_scored_group_of_three_grows() -> None:
    """R6.6.

    English and French editions, third group example: the group of three has scored already, so
    nothing is earned.
    """
    state = position("""
        Y Y Y .
    """, "H5", seats=3, seat=2)  # fmt: skip
    assert points(put(state, "Y", "K5")) == (0, 0, 0)


def test_example_a_church_scores_for_every_seat_around_it() -> None:
    """R6.2, R6.4.

    English and French editions: blue builds a church amid four farmers; red and green earn 4 each,
    blue 8 for two farmers.
    """
    state = position("""
        R  .  Y
        .  .  .
        B  .  B
    """, "H5", seats=3, seat=1)  # fmt: skip
    assert points(put(state, "CH", "I6")) == (4, 8, 4)


def test_example_a_station_scores_and_activates_extra_turn_tokens() -> None:
    """R6.2, R6.3.

    English edition: the builder earns 1 and, as its token was inactive, an active extra turn token;
    green earns 2 and the same.
    """
    state = position("""
        B  .  Y
        .  .  Y
    """, "H6", seats=3, seat=1, extra=(False, False, False), joker=(False, False, False))  # fmt: skip
    after = put(state, "ST", "I7")
    assert points(after) == (0, 1, 2)
    assert [seat.extra for seat in after.seats] == [False, True, True]


def test_the_french_station_example_contradicts_the_rules() -> None:
    """R6.3.

    The French edition lets green's joker become active through a station; the station's own rule,
    and the English example, say the extra turn.
    """
    state = position("B . Y", "H6", seats=3, seat=1, extra=(False, False, False), joker=(False, False, False))
    after = put(state, "ST", "I7")
    assert [seat.joker for seat in after.seats] == [False, False, False]
    assert after.seats[2].extra


def test_around_is_eight_spaces_and_beside_four() -> None:
    """R1.4: fewer at the edges; a harbour two spaces away earns nothing."""
    assert [len(AROUND[INDEX[space]]) for space in ("A1", "B1", "B2", "O10")] == [3, 5, 8, 3]
    assert {NAMES[space] for space in BESIDE[INDEX["B2"]]} == {"B1", "A2", "C2", "B3"}
    assert points(put(position("HB . . PO", "G6"), "R", "I6")) == (3, 0)


def test_a_farmer_earns_from_each_of_several_buildings() -> None:
    """R6.1: two post offices, two harbours."""
    state = position("""
        PO .  PO
        HB .  HB
    """, "A9")  # fmt: skip
    assert points(put(state, "R", "B9")) == (14, 0)


def test_a_farmer_earns_for_its_own_seat_only() -> None:
    """R6.1: neighbours of the building earn nothing from another's farmer."""
    state = position("""
        B  PO .
        B  .  CH
        .  B  B
    """, "H4")  # fmt: skip
    assert points(put(state, "R", "I5")) == (3 + 3, 0)


def test_a_building_scores_for_each_farmer() -> None:
    """R6.2, R6.3: a harbour amid three farmers of one seat and one of another."""
    state = position("""
        R  R  .
        R  .  B
    """, "I1")  # fmt: skip
    assert points(put(state, "HB", "J2")) == (12, 4)


@pytest.mark.parametrize(("piece", "worth"), [("PO", 3), ("HB", 4), ("WH", 1), ("ST", 1), ("CM", 0), ("GM", 0)])
def test_what_buildings_are_worth(piece: str, worth: int) -> None:
    """R6.3: for a farmer next to it, and for a building placed next to a farmer."""
    assert points(put(position(piece, "H6"), "R", "H7")) == (worth, 0)
    assert points(put(position("B", "H6"), piece, "H7")) == (0, worth)


@pytest.mark.parametrize("farmers", range(1, 9))
def test_a_church_is_worth_one_to_eight(farmers: int) -> None:
    """R6.4: as many points as farmers around it, the new one included."""
    spaces = [NAMES[space] for space in AROUND[INDEX["H6"]]]
    board = list(board_of("CH", "H6"))
    for space in spaces[: farmers - 1]:
        board[INDEX[space]] = board_of("B")[0]
    state = replace(position(), board=tuple(board))
    assert points(put(state, "R", spaces[farmers - 1])) == (farmers, 0)


def test_a_warehouse_makes_the_joker_active_and_nothing_else() -> None:
    """R6.3: for every seat next to it."""
    state = position("R B", "H6", joker=(False, False), extra=(False, False))
    after = put(state, "WH", "H7")
    assert [(seat.joker, seat.extra) for seat in after.seats] == [(True, False), (True, False)]


def test_mines_give_tokens_for_each_farmer() -> None:
    """R6.5: two coal tokens for two farmers."""
    state = position("R B R", "H6")
    after = put(state, "CM", "I7")
    assert after.due == ((Due.COAL, 0), (Due.COAL, 0), (Due.COAL, 1))
    assert to_act(after) == (CHANCE,)


def test_a_token_is_worth_its_value_at_the_end_only() -> None:
    """R6.5: a token does not move the marker on the track."""
    state = put(position("CM", "H6"), "R", "H7")
    assert outcomes(state) == ((DealCoal(0, 1), 7), (DealCoal(0, 2), 7), (DealCoal(0, 3), 7))
    after = apply(state, CHANCE, DealCoal(0, 3))
    assert (after.seats[0].coal, points(after), after.coal) == ((3,), (0, 0), (7, 7, 6))


def test_tokens_are_drawn_by_what_is_left() -> None:
    """R6.7, R1.6: the weights are the tokens left of each value."""
    state = replace(put(position("GM", "H6"), "R", "H7"), gold=(0, 2, 5))
    assert outcomes(state) == ((DealGold(0, 4), 2), (DealGold(0, 5), 5))


def test_the_acting_seat_takes_scarce_tokens_first() -> None:
    """R6.7: seat 1 builds, three tokens are left for its two farmers, two of seat 2 and one of seat
    0.
    """
    state = replace(position("R Y Y B B", "G6", seats=3, seat=1), coal=(1, 1, 1))
    board = board_of("""
        Y Y B
        R . B
    """, "G6")  # fmt: skip
    after = put(replace(state, board=board), "CM", "H7")
    assert after.due == ((Due.COAL, 1), (Due.COAL, 1), (Due.COAL, 2))


def test_an_empty_supply_gives_nothing() -> None:
    """R6.7: the play is accepted, but no token is taken."""
    state = replace(put(position("CM GM", "H6"), "R", "H7"), due=())
    after = put(replace(position("CM GM", "H6"), coal=(0, 0, 0)), "R", "H7")
    assert after.due == ((Due.GOLD, 0),)
    assert points(after) == points(state)


def test_coal_comes_before_gold() -> None:
    """R6.7: in the order the supplies are named."""
    after = put(position("GM CM", "H6"), "R", "H7")
    assert after.due == ((Due.COAL, 0), (Due.GOLD, 0))


def test_corners_do_not_join_a_group() -> None:
    """R6.6: three in a diagonal are three groups of one."""
    state = position("""
        R . .
        . . .
        . . R
    """, "H4")  # fmt: skip
    assert points(put(state, "R", "I5")) == (0, 0)


def test_other_colours_do_not_join_a_group() -> None:
    """R6.6: a group is of one colour."""
    assert points(put(position("R . B", "H5"), "R", "I5")) == (0, 0)


def test_a_group_of_three_absorbs_a_pair_without_bonus() -> None:
    """R6.6: one of the joined groups was large already."""
    state = position("""
        R R R . R R
    """, "F5")  # fmt: skip
    assert points(put(state, "R", "I5")) == (0, 0)


def test_a_corner_group_of_three_scores() -> None:
    """R6.6: a group need not be a line."""
    state = position("""
        R .
        . R
    """, "H4")  # fmt: skip
    assert points(put(state, "R", "H5")) == (5, 0)


def test_four_single_farmers_joined_score_once() -> None:
    """R6.6: five points however many groups are joined."""
    state = position("""
        . R .
        R . R
        . R .
    """, "H4")  # fmt: skip
    assert points(put(state, "R", "I5")) == (5, 0)


def test_a_ring_that_touches_twice_counts_once() -> None:
    """R6.6: a group that touches the new farmer by two sides has three or more already."""
    state = position("""
        R R
        R .
    """, "H4")  # fmt: skip
    assert not makes_group(put(state, "R", "I5").board, 0, INDEX["I5"])


def test_a_group_and_buildings_are_earned_together() -> None:
    """R6.1, R6.6: 3 for the post office, 5 for the group."""
    state = position("""
        R R .
        . . PO
    """, "H4")  # fmt: skip
    assert points(put(state, "R", "J4")) == (8, 0)


def test_a_position_stays_sound_after_a_play() -> None:
    """R6: after a real play everything is conserved."""
    state = position("""
        ST .  .
        .  HB WH
    """, "E6", hands=["bison settler settler harbour"], joker=(False, True))  # fmt: skip
    after = play(state, "farmer bison settler F6")
    assert points(after) == (6, 0)
    assert check(after) == ()
