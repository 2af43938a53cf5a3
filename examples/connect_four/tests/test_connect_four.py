"""The rules of Connect Four, on positions that are drawn as text."""

from __future__ import annotations

import pytest
from connect_four import GAME
from connect_four.actions import Drop
from connect_four.state import State

from engine import registry
from engine.perft import perft
from engine.play import judge, legal_actions
from engine.types import Setup

SETUP = Setup(2, GAME.options(), registry.components("connect_four"))


def drawn(*rows: str) -> State:
    """The position with these lowest rows, the bottom row last: X is red, O is yellow."""
    columns = [[row[column] for row in reversed(rows) if row[column] != "."] for column in range(7)]
    return State(SETUP, tuple(tuple("XO".index(disc) for disc in column) for column in columns))


def test_red_begins_on_an_empty_board_of_seven_columns() -> None:  # R1.1, R1.2
    state = GAME.setup(SETUP)
    assert GAME.to_act(state) == (0,)
    assert legal_actions(GAME, state, 0) == tuple(Drop(column) for column in "abcdefg")


def test_a_disc_falls_onto_the_others_and_the_other_seat_is_next() -> None:  # R2.1
    before, after = drawn("...O...", "..XX..."), drawn("...O...", "..XXO..")
    assert GAME.to_act(before) == (1,)
    assert GAME.apply(before, 1, Drop("e")) == after
    assert GAME.to_act(after) == (0,)


def test_a_column_that_the_board_does_not_have_is_refused() -> None:  # R2.2
    refusal = judge(GAME, GAME.setup(SETUP), 0, Drop("h"))
    assert refusal is not None
    assert (refusal.rule, refusal.message) == ("R2.2", "The board has no column h; its columns are a to g.")


def test_a_full_column_is_refused() -> None:  # R2.3
    refusal = judge(GAME, drawn("O......", "X......", "O......", "X......", "O......", "X......"), 0, Drop("a"))
    assert refusal is not None
    assert (refusal.rule, refusal.message) == ("R2.3", "Column a is full; there is room in b, c, d, e, f, g.")


@pytest.mark.parametrize(
    "rows",
    [
        ("OOO....", "XXXX..."),
        ("...X...", "...XO..", "...XO..", "...XO.."),
        ("...X...", "..XO...", ".XOX...", "XOOXO.."),
        ("X......", "OX.....", "XOX....", "OOXXO.."),
    ],
)
def test_four_in_a_row_win_at_once(rows: tuple[str, ...]) -> None:  # R3.1
    state = drawn(*rows)
    outcome = GAME.outcome(state)
    assert GAME.to_act(state) == ()
    assert outcome is not None
    assert (outcome.scores, outcome.winners) == ((1, 0), (0,))


def test_nobody_wins_on_a_full_board_without_four_in_a_row() -> None:  # R3.2
    state = drawn("OOOXOOO", "XXXOXXX", "OOOXOOO", "XXXOXXX", "OOOXOOO", "XXXOXXX")
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert (outcome.scores, outcome.ranks, outcome.ended.code) == ((0, 0), (1, 1), "board_full")


def test_every_column_is_open_as_long_as_none_can_be_full() -> None:  # R2.3
    assert [perft(GAME, GAME.setup(SETUP), depth) for depth in (1, 2, 3, 4)] == [7, 49, 343, 2401]
