"""R3.5 and R4: recruiting, and more workers than room."""

from __future__ import annotations

from engine.games.montana import GAME
from engine.games.montana.state import Phase
from engine.types import CHANCE
from tests.engine.matches import asked
from tests.games.montana.positions import act, lines, me, position, refused, spin


def test_the_recruiting_example_of_the_rulebook() -> None:
    """R4.1, R4.3: a stone and a pumpkin worker; 2 wheat move the arrow two segments on, to two more
    pumpkin workers.
    """
    state = spin(act(position("", me("www"), me()), "recruit"), 1)
    assert state.seats[0].workers == (0, 1, 0, 1)
    state = act(state, "wheat 2")
    assert state.seats[0].workers == (0, 3, 0, 1)
    assert state.seats[0].goods[0] == 1
    assert state.goods[0] == 12
    assert state.arrow == 2
    assert state.seat == 1


def test_recruiting_waits_for_chance() -> None:
    """R4.1"""
    state = act(position(), "recruit")
    assert GAME.to_act(state) == (CHANCE,)
    assert len(GAME.outcomes(state)) == 8


def test_if_the_arrow_shows_any_workers_the_seat_chooses() -> None:
    """R4.2"""
    state = spin(act(position("", me("w"), me()), "recruit"), 2)
    assert len(lines(state)) == 10
    assert refused(state, "end").rule == "R4.2"
    assert refused(state, "choose copper").rule == "R4.2"
    state = act(state, "choose copper copper")
    assert state.seats[0].workers == (0, 0, 2, 0)
    assert state.phase is Phase.RECRUITED


def test_the_arrow_may_be_moved_onto_any_workers() -> None:
    """R4.2, R4.3"""
    state = act(spin(act(position("", me("www", "w"), me()), "recruit"), 1), "wheat 1")
    assert state.phase is Phase.CHOOSE
    assert act(state, "choose wheat stone").seat == 1


def test_the_arrow_continues_at_the_first_segment_after_the_last() -> None:
    """R4.3"""
    state = act(spin(act(position("", me("w" * 7), me()), "recruit"), 7), "wheat 4")
    assert state.arrow == 2
    assert state.seats[0].workers == (0, 2, 2, 0)


def test_one_to_seven_wheat_move_the_arrow_if_the_seat_has_them() -> None:
    """R4.3"""
    state = spin(act(position("", me("w" * 9), me()), "recruit"), 1)
    assert lines(state) == [*(f"wheat {number}" for number in range(1, 8)), "end"]
    assert refused(state, "wheat 8").rule == "R4.3"
    few = spin(act(position("", me("w"), me()), "recruit"), 1)
    assert "costs 2 wheat; you have 1" in refused(few, "wheat 2").message
    assert refused(position("", me("w"), me()), "wheat 1").code == "spin_first"


def test_the_arrow_is_moved_once_in_a_turn() -> None:
    """R4.4"""
    state = act(spin(act(position("", me("www", cows=1), me()), "recruit"), 1), "wheat 2")
    assert state.phase is Phase.DONE
    assert refused(state, "wheat 1").rule == "R4.4"


def test_nobody_has_to_move_the_arrow() -> None:
    """R4.4, R3.3"""
    state = spin(act(position("", me("www"), me()), "recruit"), 1)
    assert act(state, "end").seat == 1


def test_the_turn_ends_by_itself_without_wheat_and_cows() -> None:
    """R3.3"""
    assert spin(act(position(), "recruit"), 1).seat == 1


def test_more_than_eight_workers_go_back_before_anything_else() -> None:
    """R3.5"""
    state = spin(act(position("", me("www", "wwwwppp"), me()), "recruit"), 1)
    assert state.seats[0].workers == (4, 4, 0, 1)
    assert refused(state, "wheat 2").rule == "R3.5"
    assert lines(state) == ["return wheat", "return pumpkin", "return stone"]
    assert refused(state, "return wheat wheat").rule == "R3.5"
    assert refused(state, "return copper").rule == "R5.1"
    after = act(state, "return stone")
    assert after.workers[3] == state.workers[3] + 1
    assert after.phase is Phase.RECRUITED
    assert refused(after, "return stone").code == "nothing_to_return"


def test_surplus_workers_go_back_before_each_further_step() -> None:
    """R3.5"""
    state = spin(act(position("", me("www", "wwwwpppp"), me()), "recruit"), 3)
    state = act(act(state, "return pumpkin pumpkin"), "wheat 2")
    assert asked(GAME, state, 0) == "Return 2 workers to the supply."
    assert act(state, "return wheat wheat").seat == 1


def test_cows_may_be_traded_before_workers_go_back() -> None:
    """R3.5, R8.3, R8.4"""
    state = spin(act(position("", me("", "wwwwpppp", cows=2), me()), "recruit"), 3)
    assert "trade cow for wheat" in lines(state)
    assert "trade cow for wheat worker" not in lines(state)
    assert refused(state, "trade cow for wheat worker").rule == "R8.4"


def test_a_short_supply_of_workers_is_levied() -> None:
    """R3.4, R4.1"""
    state = position("", me("", "pp"), me("", "p"), hands="w" * 9 + "p" + "c" * 9 + "s" * 9)
    after = spin(act(state, "recruit"), 3)
    # One is in the supply; both give one back, and there are three: two are taken.
    assert after.seats[0].workers == (0, 3, 0, 0)
    assert after.seats[1].workers == (0, 0, 0, 0)
    assert after.workers[1] == 1


def test_the_rest_is_taken_when_no_seat_has_any_left() -> None:
    """R3.4"""
    state = position("", hands="wwppcc" + "s")
    state = spin(act(state, "recruit"), 1)
    assert state.seats[0].workers == (0, 1, 0, 1)
    state = position("", hands="wwppcc")
    assert spin(act(state, "recruit"), 1).seats[0].workers == (0, 1, 0, 0)


def test_equivalent_choices_are_listed_once() -> None:
    """R3.4, R4.2"""
    state = spin(act(position("", me("w"), me(), hands="ww"), "recruit"), 2)
    assert lines(state) == ["choose wheat wheat", "choose wheat pumpkin", "choose pumpkin pumpkin"]
