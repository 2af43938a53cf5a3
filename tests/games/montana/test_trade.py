"""R8: cows and canteens."""

from __future__ import annotations

import pytest

from engine.games.montana import GAME
from engine.games.montana.state import Phase
from tests.engine.matches import asked
from tests.games.montana.positions import act, lines, me, position, refused, rules


@pytest.mark.parametrize(("good", "index"), [("wheat", 0), ("pumpkin", 1), ("copper", 2), ("stone", 3)])
def test_a_cow_is_traded_for_a_small_good(good: str, index: int) -> None:
    """R8.1"""
    state = act(position("", me(cows=1), me()), f"trade cow for {good}")
    assert state.seats[0].goods[index] == 1
    assert state.goods[index] == 9
    assert state.seats[0].cows == 0
    assert state.cows == 11


def test_a_cow_is_traded_for_three_coins_or_a_worker() -> None:
    """R8.1"""
    state = act(position("", me(cows=2), me()), "trade cow for coins; trade cow for stone worker")
    assert state.seats[0].coins == 3
    assert state.seats[0].workers == (0, 0, 0, 1)


def test_cows_are_not_traded_for_large_goods_and_nothing_is_traded_without_a_cow() -> None:
    """R8.1"""
    assert rules(refused(position(), "trade cow for large stone")) == ["R8.1", "R8.1"]
    assert refused(position("", me(cows=1), me()), "trade cow for large stone").code == "not_for_cows"


def test_any_number_of_cows_is_traded_in_a_turn() -> None:
    """R8.2"""
    state = act(position("", me(cows=4), me()), "trade coins; trade coins; trade wheat; trade pumpkin worker")
    assert state.seats[0].coins == 6
    assert state.seats[0].cows == 0
    assert state.phase is Phase.TURN


def test_cows_are_traded_at_any_moment_of_ones_own_turn() -> None:
    """R8.3"""
    state = act(
        position("", me("w", "c", coins=9, cows=3), me()),
        "trade cow for wheat; build E4; trade cow for wheat; build D4; trade cow for coins; build E3",
    )
    assert state.seats[0].coins == 9 + 3
    assert state.seat == 1


def test_with_a_cow_left_the_turn_has_to_be_ended_explicitly() -> None:
    """R3.3, R8.3"""
    state = act(position("", me("", "w", cows=1), me()), "bank 1 wheat")
    assert state.phase is Phase.DONE
    assert asked(GAME, state, 0) == "Trade a cow or end your turn."
    assert act(state, "trade cow for coins").seat == 1


def test_a_cow_may_be_traded_for_what_opens_a_choice() -> None:
    """R8.3, R5.6"""
    state = act(position("", me("", "c", coins=9, cows=1), me()), "mine 1 copper")
    state = act(state, "trade cow for copper worker; again copper")
    assert state.seats[0].goods[2] == 2


def test_a_ninth_worker_sends_one_back() -> None:
    """R8.4, R3.5"""
    state = act(position("", me("", "wwwwpppp", cows=1), me()), "trade cow for stone worker")
    assert lines(state) == ["return wheat", "return pumpkin", "return stone"]
    assert act(state, "return wheat").phase is Phase.TURN


def test_a_trade_may_draw_on_a_short_supply() -> None:
    """R8.5, R3.4"""
    state = act(position("", me("w", cows=1), me("ww"), supply=""), "trade cow for wheat")
    assert [seat.goods[0] for seat in state.seats] == [1, 1]
    assert state.goods[0] == 1


def test_what_nobody_can_give_is_not_traded_for() -> None:
    """R8.5"""
    state = position("", me("w", cows=1), me(), supply="p", hands="w")
    assert refused(state, "trade cow for wheat").rule == "R8.5"
    assert refused(state, "trade cow for stone worker").rule == "R8.5"
    assert [line for line in lines(state) if "trade" in line] == [
        "trade cow for pumpkin",
        "trade cow for coins",
        "trade cow for wheat worker",
    ]


def test_a_canteen_brings_another_turn_at_once() -> None:
    """R8.6"""
    state = act(position("", me("", "ww", canteens=2), me()), "bank 1 wheat; canteen")
    assert (state.seat, state.phase) == (0, Phase.TURN)
    assert state.seats[0].canteens == 1
    assert state.spent - position("", me(canteens=2), me()).spent == 1
    assert "recruit" in lines(state)


def test_canteens_are_spent_several_in_a_row() -> None:
    """R8.6"""
    state = act(position("", me("", "www", canteens=2), me()), "bank 1 wheat; canteen; bank 2 wheat wheat; canteen")
    assert (state.seat, state.seats[0].canteens, state.seats[0].coins) == (0, 0, 12)


def test_a_canteen_is_used_only_if_there_is_one_and_the_turn_is_done() -> None:
    """R8.6"""
    state = act(position("", me("", "w", cows=1), me()), "bank 1 wheat")
    assert refused(state, "canteen").rule == "R8.6"
    assert refused(position("", me(canteens=1), me()), "canteen").rule == "R3.2"


def test_places_are_cleared_and_coins_paid_before_the_turn_of_a_canteen() -> None:
    """R8.7, R3.6, R7.4"""
    state = act(
        position("", me("", "ww", canteens=1), me(), places="bank 2:ss bank 3:cc bank 4:ppp"), "bank 1 wheat; canteen"
    )
    assert not any(state.bank)
    state = act(position("", me("w", canteens=1), me()), "build E4; canteen")
    assert state.seats[0].coins == 2
