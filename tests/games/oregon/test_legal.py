"""The legal actions: a second implementation of the rules, invalid input, whole matches."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.conformance.grammar import grammar
from engine.games.oregon import GAME
from engine.games.oregon.actions import (
    Action,
    DealGold,
    DealStartTile,
    Discard,
    PlaceBuilding,
    PlaceFarmer,
    PlaceStart,
)
from engine.games.oregon.components import BUILDINGS, SYMBOLS, Options, Symbol, Terrain
from engine.games.oregon.state import Phase, State, check
from engine.play import is_legal, judge, legal_actions
from engine.types import CHANCE
from tests.games.oregon.playouts import playout
from tests.games.oregon.positions import position

EVERYTHING = grammar(GAME)
"""Whatever a seat can write down; that the list is what the judge leaves of it is tested for every
game in ``tests/games/test_perft.py``.
"""


def test_plays_agree_with_a_second_implementation_of_the_rules() -> None:
    """R4, R5: the judge against a second, naive reading of the rules, on positions of a random
    match.
    """
    plays = [action for action in EVERYTHING if isinstance(action, PlaceFarmer | PlaceBuilding)]
    positions = [
        step.before
        for step in playout(11, 3)
        if step.before.phase is Phase.PLAY and step.before.seat == 0 and step.before.round % 3 == 0
    ]
    assert len(positions) > 1
    for before in positions:
        for action in plays:
            assert is_legal(GAME, before, 0, action) is naively_legal(before, action), action


def naively_legal(state: State, action: PlaceFarmer | PlaceBuilding) -> bool:
    """R3.2, R4, R5 told again, space by space."""
    me, parts = state.seats[state.seat], state.table.components
    column, row = ord(action.space[0]) - ord("A"), int(action.space[1:]) - 1
    heads = {parts.columns.value[column // 3], parts.rows.value[row // 2]}
    pair = sorted((parts.columns.value[column // 3], parts.rows.value[row // 2]))
    land = parts.terrain.value[row][column]
    if state.board[row * 15 + column] or (action.joker and not me.joker):
        return False
    if any(action.cards.count(card) > me.symbols[SYMBOLS.index(card)] for card in action.cards):
        return False
    if isinstance(action, PlaceFarmer):
        if land == Terrain.WATER or not me.farmers:
            return False
        return (
            (len(action.cards) == 1 and action.cards[0] in heads)
            if action.joker
            else (len(action.cards) == 2 and sorted(action.cards) == pair)
        )
    kind = BUILDINGS.index(action.building)
    if not me.buildings[kind] or not state.stacks[kind] or len(action.cards) != (0 if action.joker else 1):
        return False
    grounds = {
        "post_office": ".",
        "harbour": ".",
        "church": ".",
        "warehouse": ".",
        "coal_mine": "^",
        "gold_mine": "^",
        "station": "=",
    }
    wet = any(
        parts.terrain.value[y][x] == "~"
        for y in range(max(0, row - 1), min(10, row + 2))
        for x in range(max(0, column - 1), min(15, column + 2))
    )
    fits = land == grounds[action.building] and (action.building != "harbour" or wet)
    return fits and (action.joker or action.cards[0] in heads)


@pytest.mark.parametrize("seed", range(3))
def test_different_actions_lead_to_different_states(seed: int) -> None:
    """R5.2: nothing is listed under two names."""
    for number, step in enumerate(playout(seed, 2)):
        if step.seat != CHANCE and number % 5 == 0:
            listed = legal_actions(GAME, step.before, step.seat)
            assert len({GAME.apply(step.before, step.seat, action) for action in listed}) == len(listed)


@pytest.mark.parametrize("phase", list(Phase))
def test_the_judge_never_raises(phase: Phase) -> None:
    """R3.1: whatever is submitted in whatever phase, there is a sentence for it, with a rule of the
    rules text.
    """
    state = replace(position(hands=["wagon bison bison church"], joker=(False, True)), phase=phase)
    hostile: tuple[Action, ...] = (
        PlaceFarmer("A1\n", (Symbol.WAGON,) * 1000, True),
        PlaceFarmer("K2", ()),
        PlaceBuilding("", BUILDINGS[0], (Symbol.WAGON, Symbol.EAGLE, Symbol.EAGLE), True),
        PlaceStart("O11"),
        Discard((Symbol.EAGLE,) * 30, tuple(BUILDINGS) * 3),
        DealGold(99, 99),
        DealStartTile(-5, BUILDINGS[0]),
    )
    for action in (*hostile, *EVERYTHING[::37]):
        judge(GAME, state, 0, action)
        for problem in GAME.problems(state, 0, action):
            sentence = GAME.explain(problem)
            assert problem.rule.startswith("R")
            assert sentence[0].isupper()
            assert sentence.endswith(".")
            assert problem.code == problem.code.lower()
            assert len(sentence) < 400


@pytest.mark.parametrize(
    ("seed", "seats", "duplicates"), [(seed, seats, seed % 2 == 1) for seed in range(6) for seats in (2, 3, 4)]
)
def test_random_matches_end_and_stay_sound(seed: int, seats: int, duplicates: bool) -> None:
    """R9: no dead end, no broken invariant, and equally many turns for all seats."""
    last = None
    for step in playout(seed, seats, Options(duplicates)):
        assert check(step.after) == ()
        assert step.seat == CHANCE or judge(GAME, step.before, step.seat, step.action) is None
        last = step
    assert last is not None
    assert last.after.phase is Phase.OVER
    assert GAME.outcome(last.after) is not None
    assert last.after.seat == seats - 1
