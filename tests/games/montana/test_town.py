"""R6: going to town, placing, overtaking, passing, and the rewards.

Spaces of the shop are numbered row by row from 0.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.games.montana import GAME
from engine.games.montana.components import ShopRow
from engine.games.montana.state import OVERTAKEN, PASSED, UNDECIDED, Phase, State
from engine.games.montana.town import goods_after, rewarded, rewards
from tests.engine.matches import asked
from tests.games.montana.positions import act, lines, me, position, refused, rules

OUT, GONE = UNDECIDED, PASSED


def places(state: State) -> list[str]:
    """The spaces of the shop that the awaited seat may use."""
    return [line.removeprefix("town ").replace(" column ", ".") for line in lines(state) if line.startswith("town")]


def test_the_seat_that_goes_to_town_takes_a_pumpkin_and_may_pay_with_it() -> None:
    """R6.1, R6.2"""
    state = position("", me("p"), me("pp"))
    assert places(state) == ["1.1", "2.1", "3.1", "4.1"]
    after = act(state, "town 2 column 1")
    assert after.seats[0].goods[1] == 2
    assert after.goods[1] == 9
    assert GAME.to_act(after) == (1,)


def test_only_the_seat_that_goes_to_town_takes_a_pumpkin() -> None:
    """R6.1"""
    state = act(act(position("", me("p"), me("pp")), "town 2 1"), "town 1 1", seat=1)
    assert state.seats[1].goods[1] <= 2


def test_a_column_has_to_be_affordable() -> None:
    """R6.2"""
    state = position("", me("pp"), me())
    assert refused(state, "town 1 3").message == "Column 3 costs 4 pumpkins; you have 3, including the one you take."
    assert refused(position("", me(), me()), "town 1 1").rule == "R6.2"
    other = act(position("", me("p"), me("pp")), "town 2 1")
    assert refused(other, "town 1 2").message == "Column 2 costs 3 pumpkins; you have 2."


def test_the_pumpkin_may_come_from_a_short_supply() -> None:
    """R6.1, R3.4"""
    state = position("", me("pp"), me("p"), supply="ccc")
    after = act(state, "town 2 1")
    # Both give one back; one of the two is taken, and Bob, who has none left, is not asked.
    assert after.seats[0].goods[1] == 2
    assert after.goods[1] == 1
    assert after.seats[1].goods[1] == 0
    assert after.phase is Phase.REWARDS


def test_a_pumpkin_levied_from_the_seat_itself_does_not_count() -> None:
    """R6.1, R6.2"""
    state = position("", me("p"), me(), supply="ccc")
    assert places(state) == []


def test_the_others_place_or_pass_in_turn_order() -> None:
    """R6.3"""
    state = position("", me("p"), me("p"), me("pp"), me("pp"), start="E6", seat=2, round=3)
    state = act(state, "town 1 1", seat=2)
    assert GAME.to_act(state) == (3,)
    assert refused(state, "recruit").rule == "R6.3"
    state = act(state, "pass", seat=3)
    # Seats 0 and 1 cannot pay for any space and are not asked (R6.10).
    assert state.phase is Phase.DONE or state.seat == 3


def test_in_an_occupied_row_representatives_go_further_right() -> None:
    """R6.4"""
    state = act(position("", me("ppp"), me("pppp")), "town 2 2")
    assert places(state) == ["1.1", "1.2", "1.3", "2.3", "3.1", "3.2", "3.3", "4.1", "4.2", "4.3"]
    assert (
        refused(state, "town 2 2").message == "A representative is in row 2, column 2; use column 3 or further right."
    )
    assert rules(refused(state, "town 2 1")) == ["R6.4"]


def test_the_end_of_a_row_cannot_be_overtaken() -> None:
    """R6.4"""
    state = act(position("", me("pppp"), me("ppppp")), "town 2 4")
    assert refused(state, "town 2 4").message == "A representative is in row 2, column 4; use another row."


def test_the_overtaking_example_of_the_rulebook() -> None:
    """R6.5: Red comes to row 2, so Blue has to move: two rows are free for it, and in rows 2 and 4
    it may overtake in turn.
    """
    blue, red, green = me("p"), me("ppp"), me("pp")
    state = act(position("", blue, red, green, start="E6"), "town 2 1", seat=0)
    state = act(state, "town 2 2", seat=1)
    assert state.shop == (OVERTAKEN, 5, OUT)
    assert GAME.to_act(state) == (0,)
    assert asked(GAME, state, 0) == "Move your overtaken representative, or pass."
    assert lines(state) == ["town 1 column 1", "town 3 column 1", "town 4 column 1", "pass"]
    # With a pumpkin more there are the four of the rulebook's picture and others besides.
    rich = act(act(position("", me("pppp"), red, green, start="E6"), "town 2 1"), "town 2 2", seat=1)
    assert {"1.1", "2.3", "3.1", "4.1"} <= set(places(rich))
    assert "2.2" not in places(rich)


def test_the_overtaken_moves_before_the_next_seat_decides_and_may_overtake_in_turn() -> None:
    """R6.5"""
    state = position("", me("pppp"), me("pppp"), me("pp"), start="E6")
    state = act(act(state, "town 2 1"), "town 2 2", seat=1)
    state = act(state, "town 2 3", seat=0)
    assert GAME.to_act(state) == (1,)
    state = act(state, "town 1 1", seat=1)
    assert GAME.to_act(state) == (2,)


def test_a_seat_that_has_passed_is_not_asked_again() -> None:
    """R6.6"""
    state = position("", me("pppp"), me("pppp"), me("pppp"), start="E6")
    state = act(act(state, "town 2 1"), "pass", seat=1)
    state = act(state, "town 2 2", seat=2)
    assert state.shop == (OVERTAKEN, GONE, 6 - 1)
    state = act(state, "town 2 3", seat=0)
    assert GAME.to_act(state) == (2,)
    assert act(state, "pass", seat=2).phase is Phase.REWARDS


def test_an_overtaken_seat_may_pass_even_in_its_own_turn() -> None:
    """R6.5, R6.6"""
    state = act(act(position("", me("pp"), me("ppp")), "town 2 1"), "town 2 2", seat=1)
    state = act(state, "pass", seat=0)
    assert state.phase is Phase.REWARDS
    assert GAME.to_act(state) == (1,)


def test_seats_are_served_from_the_one_whose_turn_it_is() -> None:
    """R6.7, R6.9"""
    state = position("", me("p"), me("pp"), me("pp"), start="E6", seat=1)
    state = act(act(state, "town 2 1", seat=1), "town 4 1", seat=2)
    # Seat 2 has nothing to upgrade and takes its coins by itself, but only after seat 1.
    assert GAME.to_act(state) == (1,)
    assert state.seats[2].coins == 0
    assert refused(state, "end").rule == "R6.9"
    state = act(state, "take wheat copper copper")
    assert state.seats[1].goods == (1, 1, 2, 0, 0, 0)
    assert state.seats[2].coins == 2
    assert state.seats[2].goods[1] == 0
    assert state.shop == (OUT, OUT, OUT)
    assert state.seat == 2
    assert state.goods[1] == 10 - 1 + 2 + 2


def test_row_one_gives_a_cow_and_up_to_three_upgrades() -> None:
    """R6.8"""
    state = act(position("", me("pccss"), me()), "town 1 1")
    assert lines(state) == [
        *(
            "upgrade nothing",
            "upgrade copper",
            "upgrade stone",
            "upgrade copper copper",
            "upgrade copper stone",
            "upgrade stone stone",
        ),
        *("upgrade copper copper stone", "upgrade copper stone stone"),
    ]
    state = act(state, "upgrade copper stone stone")
    assert state.seats[0].goods == (0, 0, 1, 0, 1, 2)
    assert state.seats[0].cows == 1
    assert state.cows == 9
    assert state.goods == (10, 11, 11, 12, 5, 4)


def test_without_cows_in_the_supply_row_one_gives_none() -> None:
    """R6.8, R1.11"""
    state = act(position("", me("p"), me(), cows=0), "town 1 1")
    assert state.seats[0].cows == 0
    assert state.seat == 1


def test_row_two_gives_exactly_three_goods_of_choice() -> None:
    """R6.8"""
    state = act(position("", me("p"), me()), "town 2 1")
    assert len(lines(state)) == 10
    assert refused(state, "take wheat copper").rule == "R6.8"
    assert rules(refused(state, "take pumpkin large copper wheat stone")) == ["R6.8", "R6.8", "R6.8"]
    assert refused(state, "upgrade copper").code == "wrong_reward"
    assert act(state, "take 3 stone").seats[0].goods == (0, 0, 0, 3, 0, 0)


def test_rows_three_and_four_upgrade_two_and_one() -> None:
    """R6.8"""
    state = act(position("", me("pccc"), me()), "town 3 1")
    assert lines(state) == ["upgrade nothing", "upgrade copper", "upgrade copper copper"]
    assert refused(state, "upgrade 3 copper").message == "Row 3 upgrades up to 2; you named 3."
    assert refused(state, "upgrade stone").message == "You named 1 small stone to upgrade and have 0."
    assert refused(state, "upgrade wheat").code == "not_upgradable"
    assert refused(state, "take 3 wheat").code == "wrong_reward"
    state = act(act(position("", me("pccc"), me()), "town 4 1"), "upgrade copper")
    assert state.seats[0].coins == 2
    assert state.seats[0].goods == (0, 0, 2, 0, 1, 0)


def test_the_dearer_column_is_paid() -> None:
    """R6.7"""
    state = act(act(position("", me("ppp"), me()), "town 2 3"), "take 3 wheat")
    assert state.seats[0].goods == (3, 0, 0, 0, 0, 0)


def test_a_second_reward_finds_what_the_first_has_left() -> None:
    """R6.9, R3.4"""
    state = position("", me("pcc"), me("ppcc"), supply="ppppC")
    state = act(act(state, "town 1 1"), "town 3 1", seat=1)
    state = act(state, "upgrade copper", seat=0)
    assert state.goods[4] == 0
    # A large copper can still be had: seat 0 has to give its own back.
    state = act(state, "upgrade copper", seat=1)
    assert [seat.goods[4] for seat in state.seats] == [0, 1]
    assert [seat.goods[2] for seat in state.seats] == [1, 1]


def test_without_large_goods_small_ones_are_kept() -> None:
    """R6.8, R3.4"""
    state = act(position("", me("pcc"), me(), supply="pppp"), "town 3 1")
    # Whatever is named, nothing is exchanged: there is nothing to decide.
    assert state.seats[0].goods == (0, 0, 2, 0, 0, 0)
    assert state.seat == 1


@pytest.mark.parametrize("missing", "wcs")
def test_the_goods_expected_of_a_reward_are_those_that_the_supply_has(missing: str) -> None:
    """R6.7, R3.4"""
    supply = "wwwpppcccsssCCCSSS".replace(missing, "")
    state = act(position("", me("p"), me(), supply=supply), "town 2 1")
    expected = [rewarded(state, 0, action).seats[0].goods for action in rewards(state, 0)]
    assert goods_after(state, 0) == expected
    assert max(goods["wpcs".index(missing)] for goods in expected) == 0


def test_a_seat_with_nothing_to_decide_is_not_asked() -> None:
    """R6.10"""
    state = act(position("", me("p"), me()), "town 3 1")
    assert state.seat == 1
    assert state.seats[0].goods[1] == 0


def test_a_row_that_lets_nobody_name_anything_asks_for_nothing() -> None:
    """R6.10, also of a seat that could trade a cow; with rows that other component sets have"""
    state = position("", me("p", cows=1), me())
    parts = state.table.components
    rows = replace(parts.shop_rows, value=(ShopRow(coins=2),))
    state = replace(state, table=replace(state.table, components=replace(parts, shop_rows=rows)))
    assert act(state, "town 1 1").phase is Phase.DONE


def test_the_seat_whose_turn_it_is_may_trade_a_cow_after_being_overtaken() -> None:
    """R6.10, R8.3"""
    state = act(act(position("", me("p", cows=1), me("pppp")), "town 2 1"), "town 2 2", seat=1)
    assert "trade cow for pumpkin" in lines(state)
    state = act(state, "trade cow for pumpkin")
    assert "1.2" in places(state)
    assert GAME.to_act(state) == (0,)


def test_a_seat_that_can_only_pass_or_trade_is_awaited() -> None:
    """R6.10, R8.3"""
    state = position("", me("", cows=1), me("p"), phase=Phase.TOWN, shop=(OVERTAKEN, 4), awaited=0)
    assert places(state) == []
    assert {"pass", "trade cow for coins"} <= set(lines(state))


def test_a_ninth_worker_taken_in_town_goes_back_first() -> None:
    """R3.5, R8.4"""
    state = position("", me("p", "wwwwwwww", cows=1), me("p"), phase=Phase.TOWN, shop=(OVERTAKEN, 4), awaited=0)
    state = act(state, "trade cow for stone worker")
    assert asked(GAME, state, 0) == "Return 1 worker to the supply."
    assert refused(state, "pass").rule == "R3.5"
    assert act(state, "return stone").phase in (Phase.TOWN, Phase.REWARDS, Phase.TURN)


def test_cows_are_not_traded_in_the_turn_of_another() -> None:
    """R8.3"""
    state = act(position("", me("p"), me("pp", cows=2)), "town 2 1")
    assert refused(state, "trade cow for pumpkin").rule == "R8.3"
    assert not [line for line in lines(state) if line.startswith("trade")]


def test_a_seat_that_can_no_longer_pay_counts_as_having_passed() -> None:
    """R6.11"""
    state = position("", me("pp", cows=1), me("pp"), phase=Phase.REWARDS, shop=(4, 0), supply="wwwcccsss")
    state = act(state, "trade cow for pumpkin", seat=0)
    assert state.seats[1].goods[1] == 1
    state = act(state, "take wheat wheat wheat", seat=0)
    assert state.seats[1].goods == (0, 1, 0, 0, 0, 0)
    assert state.seats[1].cows == 0
    assert state.seat == 1


def test_there_is_nothing_to_pass_or_to_take_outside_town() -> None:
    """R6.3, R6.7"""
    assert refused(position(), "pass").rule == "R6.3"
    assert refused(position(), "take wheat wheat wheat").rule == "R6.7"
    done = act(position("", me("", "w", cows=1), me()), "bank 1 wheat")
    assert refused(done, "pass").rule == "R6.3"
    assert refused(done, "upgrade nothing").rule == "R6.7"
