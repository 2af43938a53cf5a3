"""Perft of Pearls, compared with counts made by hand."""

from __future__ import annotations

from engine.perft import perft
from engine.play import legal_actions
from engine.types import Setup
from tests.engine.toy import BAG, GAME, Bag, Dive, Options

START = GAME.setup(Setup(2, Options(), BAG))


def test_seats_and_chance_are_counted_ply_by_ply() -> None:
    """Three pearls: dive, 3 draws, dive, 2 draws each; then seat 0 dives or offers what it holds,
    and an offer has two answers.
    """
    state = GAME.setup(Setup(2, Options(), Bag(1, 1, 1)))
    assert [perft(GAME, state, depth) for depth in range(7)] == [1, 1, 3, 3, 6, 12, 18]


def test_an_outcome_counts_once_whatever_its_weight() -> None:
    assert perft(GAME, GAME.apply(GAME.setup(Setup(2, Options(), Bag(9, 9, 0))), 0, Dive()), 1) == 2


def test_a_match_that_ends_early_does_not_count() -> None:
    state = GAME.setup(Setup(2, Options(), Bag(1, 1, 0)))
    assert [perft(GAME, state, depth) for depth in range(1, 7)] == [1, 2, 2, 2, 0, 0]


def test_another_function_can_list_the_actions() -> None:
    assert perft(GAME, START, 3) == 3
    assert perft(GAME, START, 3, lambda game, state, seat: legal_actions(game, state, seat)[:0]) == 0
