"""What simulations count of an action of Montana."""

from __future__ import annotations

from engine.games.montana import GAME
from engine.games.montana.state import State
from tests.games.montana.positions import act, me, position


def occurred(state: State, line: str) -> list[str]:
    """What simulations count of the (only) action of the line."""
    (action,) = GAME.parse(line)
    (awaited,) = GAME.to_act(state)
    return sorted(GAME.occurrences(state, awaited, action, act(state, line)))


def test_the_use_of_an_area_is_counted() -> None:
    state = position("", me("", "c", coins=9), me())
    assert occurred(state, "mine 1: copper") == ["mine used"]


def test_a_town_nobody_follows_into_is_counted_with_its_row_and_the_passes() -> None:
    state = position("", me("ppppp"), me())
    assert occurred(state, "town 4 column 1") == ["others pass in town", "row 4 served", "towns"]


def test_a_town_is_contested_when_another_seat_stands_in_the_shop_too() -> None:
    state = position("", me("ppppp"), me("ppppp"))
    assert occurred(state, "town 4 column 1") == []
    entered = act(state, "town 4 column 1")
    assert occurred(entered, "pass") == ["others pass in town", "row 4 served", "towns"]
    assert occurred(entered, "town 3 column 1") == [
        "others place in town",
        "row 3 served",
        "row 4 served",
        "towns",
        "towns contested",
    ]
