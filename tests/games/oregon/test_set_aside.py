"""R8.8: which cards are set aside as useless, and in which order."""

from __future__ import annotations

from engine.games.oregon.components import Options
from engine.games.oregon.state import State
from tests.games.oregon.positions import is_legal, play, position, refused

ITALIAN = Options(discard_duplicates=True)


def holding_both() -> State:
    """Seat 0 holds a campfire, a church and a warehouse of an empty stack, and has just drawn
    another church.
    """
    hand = "wagon campfire church warehouse"
    state = position(hands=[hand], stacks={"warehouse": 0}, options=ITALIAN)
    return play(state, "farmer wagon joker A1", "draw building", "deal church to seat 0")


def test_useless_cards_are_set_aside_in_either_order() -> None:
    """R8.8: the church stays just drawn when the warehouse is set aside first."""
    church_first = play(holding_both(), "set aside church", "set aside warehouse")
    warehouse_first = play(holding_both(), "set aside warehouse", "set aside church")
    assert church_first == warehouse_first
    assert church_first.seats[0].cards == 2


def test_one_draw_is_set_aside_once() -> None:
    """R8.8: of three churches, one of which was just drawn, two stay."""
    state = position(hands=["wagon campfire church church"], options=ITALIAN)
    state = play(state, "farmer wagon joker A1", "draw building", "deal church to seat 0", "set aside church")
    assert refused(state, "set aside church").code == "card_useful"


def test_a_card_is_not_just_drawn_after_the_next_draw() -> None:
    """R8.8: the warehouse is set aside and another card drawn for it, so the church has to stay."""
    state = play(holding_both(), "set aside warehouse", "draw building", "deal harbour to seat 0")
    assert refused(state, "set aside church").code == "card_useful"
    assert is_legal(state, "done")
