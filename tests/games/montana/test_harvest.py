"""R5, R3.2, R3.4 and R3.6: bank and areas, short supplies, places that are cleared."""

from __future__ import annotations

import pytest

from engine.documents import from_document
from engine.errors import DocumentError
from engine.games.montana import GAME
from engine.games.montana.actions import Harvest, HarvestAgain, UseBank
from engine.games.montana.state import Phase
from engine.play import judge
from tests.games.montana.positions import act, lines, me, position, refused, rules


def test_the_bank_example_of_the_rulebook() -> None:
    """R5.2: a copper and a stone worker go to a space for two, and bring 8 coins."""
    state = act(position("", me("", "cs", coins=1), me()), "bank 2 copper stone")
    assert state.seats[0].coins == 9
    assert state.seats[0].workers == (0, 0, 0, 0)
    assert state.bank == ((), (2, 3), (), ())
    assert state.seat == 1


@pytest.mark.parametrize(
    ("line", "coins"), [("bank 1 wheat", 4), ("bank 3 wheat wheat", 8), ("bank 4 wheat wheat pumpkin", 12)]
)
def test_a_space_gives_the_coins_it_shows(line: str, coins: int) -> None:
    """R5.2"""
    assert act(position("", me("", "wwp"), me()), line).seats[0].coins == coins


def test_a_space_of_the_bank_takes_exactly_its_workers() -> None:
    """R5.2"""
    state = position("", me("", "wwwp"), me())
    assert refused(state, "bank 1 wheat wheat").rule == "R5.2"
    assert refused(state, "bank 4 wheat wheat").rule == "R5.2"
    taken = position("", me("", "wwwp"), me(), places="bank 2:ss")
    assert refused(taken, "bank 2 wheat wheat").message == "Space 2 of the bank is taken; free: 1, 3, 4."


@pytest.mark.parametrize(
    ("kind", "document", "pointer"),
    [
        (UseBank, {"space": 4, "workers": ["wheat"] * 4}, "/workers"),
        (UseBank, {"space": 0, "workers": ["wheat"]}, "/space"),
        (UseBank, {"space": 7, "workers": ["wheat"]}, "/space"),
        (Harvest, {"area": "mine", "slot": 1, "workers": ["wheat"] * 3}, "/workers"),
        (Harvest, {"area": "mine", "slot": 0, "workers": ["wheat"]}, "/slot"),
        (HarvestAgain, {"workers": ["wheat"] * 3}, "/workers"),
    ],
)
def test_a_document_beyond_any_space_or_crew_is_refused_by_its_pointer(
    kind: type[UseBank | Harvest | HarvestAgain], document: dict[str, object], pointer: str
) -> None:
    """R5.2, R5.3: three workers at the bank, two on a box, places counted from 1."""
    with pytest.raises(DocumentError) as refusal:
        from_document(kind, {"type": kind.type, **document})
    assert [where for where, _ in refusal.value.problems] == [pointer]


def test_a_seat_sends_only_workers_that_it_has() -> None:
    """R5.1"""
    state = position("", me("", "w", coins=9), me())
    assert refused(state, "bank 2 wheat stone").rule == "R5.1"
    assert refused(state, "mine 1 copper").message.startswith("You named 1 copper worker and have 0")
    assert (
        refused(state, "bank 2 wheat wheat").message == "You named 2 wheat workers and have 1; your workers: wheat 1."
    )


def test_the_wheat_field_example_of_the_rulebook() -> None:
    """R5.3, R5.4, R5.6: a wheat worker, 6 coins, 4 wheat; then two other workers on the small box
    for one more wheat.
    """
    state = act(position("", me("", "wps", coins=7), me()), "harvest field 3 wheat")
    assert state.seats[0].coins == 1
    assert state.seats[0].goods[0] == 4
    assert state.phase is Phase.HARVESTED
    state = act(state, "again pumpkin stone")
    assert state.seats[0].goods[0] == 5
    assert state.seats[0].coins == 1
    assert state.goods[0] == 5
    assert state.seat == 1


def test_a_box_takes_one_worker_at_home_there_or_any_two() -> None:
    """R5.3"""
    state = position("", me("", "wcc", coins=9), me())
    assert [line for line in lines(state) if "mine 1" in line] == [
        "harvest mine 1 copper",
        "harvest mine 1 wheat copper",
        "harvest mine 1 copper copper",
    ]
    assert refused(state, "mine 1 wheat").rule == "R5.3"
    assert refused(state, "mine 1 wheat copper copper").rule == "R5.3"


def test_a_slot_is_free_if_its_large_box_is() -> None:
    """R5.3"""
    state = position("", me("", "c", coins=9), me(), places="mine 2:c/ mine 3:c/ss")
    assert refused(state, "mine 2 copper").message == "Slot 2 of the mine is taken; free there: 1."
    assert [line for line in lines(state) if "mine" in line] == ["harvest mine 1 copper"]


def test_where_no_place_is_free_any_more_that_is_said() -> None:
    """R5.2, R5.3"""
    mine = act(position("", me("", "cc", coins=9), me(), places="mine 1:c/ mine 2:c/"), "mine 3 copper")
    assert [each.message for each in refused(mine, "mine 1 copper").others] == [
        "Slot 1 of the mine is taken; free there: none."
    ]
    bank = act(position("", me("", "ww", cows=1), me(), places="bank 2:ss bank 3:cc bank 4:ppp"), "bank 1 wheat")
    assert [each.message for each in refused(bank, "bank 1 wheat").others] == [
        "Space 1 of the bank is taken; free: none."
    ]


def test_the_price_has_to_be_paid() -> None:
    """R5.4"""
    state = position("", me("", "c", coins=5), me())
    assert refused(state, "mine 3 copper").message == "Slot 3 of the mine costs 6 coins; you have 5."
    assert [line for line in lines(state) if "mine" in line] == ["harvest mine 1 copper", "harvest mine 2 copper"]


def test_every_broken_rule_is_named() -> None:
    """R5.1, R5.3, R5.4"""
    state = position("", me("", "w"), me(), places="mine 3:c/")
    assert rules(refused(state, "mine 3 stone")) == ["R5.3", "R5.3", "R5.1", "R5.4"]


def test_no_other_slot_can_be_used_in_the_same_turn() -> None:
    """R5.5, R3.2"""
    state = act(position("", me("", "ccc", coins=9), me()), "mine 1 copper")
    assert refused(state, "mine 2 copper").rule == "R3.2"
    assert refused(state, "bank 1 copper").code == "action_taken"
    assert lines(state) == ["again copper", "again copper copper", "end"]


def test_the_small_box_is_a_choice_and_used_once() -> None:
    """R5.6"""
    state = act(position("", me("", "ccc", coins=9), me()), "mine 1 copper")
    assert act(state, "end").seat == 1
    cows = act(position("", me("", "ccc", coins=9, cows=1), me()), "mine 1 copper; again copper")
    assert cows.phase is Phase.DONE
    assert refused(cows, "again copper").rule == "R5.6"
    assert refused(position(), "again copper").code == "harvest_first"
    assert refused(act(position("", me("", "wc", cows=1), me()), "bank 1 wheat"), "again copper").code == "no_slot"


def test_the_turn_ends_by_itself_without_workers_for_the_small_box() -> None:
    """R3.3, R5.6"""
    assert act(position("", me("", "cw", coins=9), me()), "mine 1 copper").seat == 1


def test_a_turn_is_one_of_three() -> None:
    """R3.2"""
    state = position("E4 w", me("w", "c", coins=9, cows=1), me())
    assert refused(state, "end").rule == "R3.2"
    state = act(state, "build E4")
    assert refused(state, "recruit").rule == "R3.2"


def test_the_stone_example_of_the_rulebook() -> None:
    """R3.4: three stones are harvested and two are there, so everybody gives one back first, the
    taker too.
    """
    state = position("", me("s", "s", coins=6), me("ss"), me("w"), supply="wwwss", start="E6")
    after = act(state, "quarry 3 stone")
    assert [seat.goods[3] for seat in after.seats] == [3, 1, 0]
    assert after.goods[3] == 1


def test_a_seat_without_the_good_gives_none_and_the_levy_is_repeated_until_it_suffices() -> None:
    """R3.4"""
    state = position("", me("", "s", coins=6), me("ssss"), supply="")
    after = act(state, "quarry 3 stone")
    assert [seat.goods[3] for seat in after.seats] == [3, 1]
    assert after.goods[3] == 0


def test_if_the_levy_does_not_suffice_the_rest_is_taken() -> None:
    """R3.4"""
    state = position("", me("", "s", coins=6), me("s"), supply="s")
    after = act(state, "quarry 3 stone")
    assert [seat.goods[3] for seat in after.seats] == [2, 0]


def test_a_full_bank_is_cleared_when_the_turn_ends() -> None:
    """R3.6"""
    state = act(position("", me("", "w", cows=1), me(), places="bank 2:ss bank 3:cc bank 4:ppp"), "bank 1 wheat")
    assert all(state.bank)
    after = act(state, "end")
    assert not any(after.bank)
    assert after.workers == (18, 18, 18, 18)


def test_an_area_whose_large_boxes_are_taken_is_cleared() -> None:
    """R3.6"""
    state = position("", me("", "c", coins=9), me(), places="mine 2:c/ww mine 3:ss/c quarry 1:s/")
    after = act(state, "mine 1 copper")
    assert after.boxes[:6] == ((),) * 6
    assert after.boxes[6] == (3,)
    assert after.workers == (18, 18, 18, 17)


def test_another_area_than_the_first_is_cleared_alone() -> None:
    """R3.6"""
    state = position("", me("", "s", coins=9), me(), places="mine 1:c/ quarry 2:s/ww quarry 3:cc/s")
    after = act(state, "quarry 1 stone")
    assert len(after.boxes) == len(state.boxes)
    assert after.boxes[:6] == state.boxes[:6]
    assert after.boxes[6:12] == ((),) * 6
    assert after.workers == (18, 18, 17, 18)


def test_an_area_is_not_cleared_while_a_large_box_is_free() -> None:
    """R3.6"""
    state = position("", me("", "c", coins=9), me(), places="mine 2:c/ww")
    assert act(state, "mine 1 copper").boxes[2:4] == ((2,), (0, 0))


def test_only_the_seat_that_is_awaited_acts() -> None:
    """R3.1"""
    state = position("", me("", "w"), me("", "w"))
    (action,) = GAME.parse("bank 1 wheat")
    refusal = judge(GAME, state, 1, action)
    assert refusal is not None
    assert refusal.code == "not_your_turn"
    after = act(act(state, "bank 1 wheat"), "recruit", seat=1)
    assert after.seat == 1
