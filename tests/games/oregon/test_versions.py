"""Version 1 of the rules, kept for the matches that were begun by it, beside version 2."""

from __future__ import annotations

from random import Random

from engine import registry
from engine.bots import random_action
from engine.games.oregon import GAME, v1
from engine.games.oregon.components import Options
from engine.games.oregon.state import State
from engine.play import begin, judge, settle
from engine.types import Setup
from tests.games.oregon.positions import STANDARD, is_legal, play, position, refused

ITALIAN = Options(discard_duplicates=True)
SETUP = Setup(2, ITALIAN, STANDARD)


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


def test_in_version_1_setting_a_card_aside_ends_just_drawn() -> None:
    """R8.8: as matches of version 1 are played, the church has to be set aside first."""
    (church, warehouse) = GAME.parse("set aside church; set aside warehouse")
    state = holding_both()
    assert judge(v1.GAME, v1.GAME.apply(state, 0, church), 0, warehouse) is None
    refusal = judge(v1.GAME, v1.GAME.apply(state, 0, warehouse), 0, church)
    assert refusal is not None
    assert (refusal.code, refusal.rule) == ("card_useful", "R8.8")


def test_both_versions_are_known_and_the_newest_is_played() -> None:
    assert registry.game("oregon").info.rules_version == 2
    assert {number: game.info.rules_version for number, game in registry.versions("oregon").items()} == {2: 2, 1: 1}


def test_version_1_is_made_from_version_2() -> None:
    """Whoever raises the version again has to make it from the copy that is kept as version 2."""
    assert v1.VERSION_2.info.rules_version == 2


def test_matches_of_version_1_reach_their_end_in_sound_states() -> None:
    """R8.8: with the option, every action of a random match is legal and every state is sound."""
    luck = Random("version 1")

    def pick(_: int, total: int) -> int:
        return luck.randrange(total)

    for _ in range(10):
        state, _ = begin(v1.GAME, SETUP, pick)
        while awaited := v1.GAME.to_act(state):
            action = random_action(v1.GAME, state, awaited[0], luck.choice)
            assert judge(v1.GAME, state, awaited[0], action) is None
            state, _ = settle(v1.GAME, v1.GAME.apply(state, awaited[0], action), 0, pick)
            assert v1.GAME.check(state) == ()
        assert v1.GAME.outcome(state) is not None
