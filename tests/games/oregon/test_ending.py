"""R9: what ends a match, and who has won."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from engine import registry
from engine.conformance.subject import course
from engine.games.oregon import GAME
from engine.games.oregon.actions import Done, DrawCard
from engine.games.oregon.apply import apply
from engine.games.oregon.board import SPACES
from engine.games.oregon.components import Deck
from engine.games.oregon.legal import outcomes
from engine.games.oregon.score import outcome, standing
from engine.games.oregon.state import Ending, Phase, State, to_act
from engine.play import judge, longest
from engine.play import outcome as outcome_at
from engine.sentences import outcome_told
from engine.types import CHANCE, ScoreLine, Setup, Statement, Violation
from tests.games.oregon.positions import is_legal, play, position, refused

HAND = "wagon wagon settler church"


def refill(state: State) -> State:
    """The hand is filled with the first cards that may come, landscape cards where that is allowed,
    and the turn ended.
    """
    seat = state.seat
    while state.seat == seat and state.phase is Phase.REFILL:
        if state.due:
            state = apply(state, CHANCE, outcomes(state)[0][0])
        else:
            action = next(
                action
                for action in (Done(), DrawCard(Deck.LANDSCAPE), DrawCard(Deck.BUILDING))
                if judge(GAME, state, seat, action) is None
            )
            state = apply(state, seat, action)
    return state


def ended(**changes: Any) -> State:
    return position(phase=Phase.OVER, ending=Ending.LAST_FARMER, **changes)


def earned(points: int) -> tuple[int, ...]:
    return (0, 0, points, 0, 0, 0, 0, 0)


def test_the_last_farmer_triggers_the_end() -> None:
    """R9.1: and the round goes on (R9.2): seat 1 has its turn, then the match is over."""
    state = play(position(hands=[HAND, HAND], farmers=(1, 9)), "farmer wagon wagon A1")
    assert state.ending is Ending.LAST_FARMER
    state = refill(state)
    assert (state.phase, state.seat, outcome(state)) == (Phase.PLAY, 1, None)
    state = refill(play(state, "farmer wagon wagon B1"))
    assert (state.phase, to_act(state)) == (Phase.OVER, ())
    result = outcome(state)
    assert result is not None
    assert result.ended == Statement("last_farmer")


def test_the_last_seat_ends_the_match_with_its_own_turn() -> None:
    """R9.2: nobody gets another turn."""
    state = refill(play(position(hands=[HAND, HAND], seat=1, farmers=(9, 1)), "farmer wagon wagon A1"))
    assert state.phase is Phase.OVER


@pytest.mark.parametrize(("seats", "empty"), [(2, 2), (3, 3), (4, 4)])
def test_as_many_empty_stacks_as_seats_trigger_the_end(seats: int, empty: int) -> None:
    """R9.1: the last stack but one does not, the last one does."""
    names = ["post_office", "harbour", "coal_mine", "gold_mine"]
    almost = position(seats=seats, hands=[HAND], stacks=dict.fromkeys(names[: empty - 1], 0))
    assert play(almost, "church wagon A1").ending is None
    last = position(seats=seats, hands=[HAND], stacks=dict.fromkeys(names[: empty - 1], 0) | {"church": 1})
    state = play(last, "church wagon A1")
    assert state.ending is Ending.EMPTY_STACKS


def test_the_empty_stacks_are_named() -> None:
    """R9.1: in the outcome's sentence."""
    result = outcome(position(phase=Phase.OVER, ending=Ending.EMPTY_STACKS, stacks={"church": 0, "harbour": 0}))
    assert result is not None
    told = outcome_told(GAME, result).ended
    assert (told.code, told.values) == ("empty_stacks", {"stacks": ("harbour", "church")})
    assert told.sentence == "2 stacks of building tiles are empty (harbour, church)."


def test_the_last_farmer_may_be_followed_by_an_extra_turn_for_a_building() -> None:
    """R9.3: but not for a farmer, as none is left."""
    state = play(position(hands=[HAND], farmers=(1, 9)), "farmer wagon wagon A1")
    assert is_legal(state, "extra")
    state = play(state, "extra")
    found = refused(state, "farmer settler settler I5")
    assert "no_farmer_left" in [problem.code for problem in (found, *found.others)]
    assert play(state, "church settler I5").plays == 2


def test_coal_and_gold_are_added_at_the_end() -> None:
    """R9.4: the details say from what the score comes."""
    state = ended(earned=(earned(10), earned(12)), coal=((1, 3), ()), gold=((5,), (3,)))
    result = outcome(state)
    assert result is not None
    assert result.scores == standing(state) == (19, 15)
    assert result.ranks == (1, 2)
    assert result.details[0] == (
        ScoreLine("track", 10),
        ScoreLine("coal", 4),
        ScoreLine("gold", 5),
        ScoreLine("farmers", 0),
    )


def test_more_farmers_break_a_tie() -> None:
    """R9.5: equal points, two farmers against one."""
    result = outcome(ended(drawing="R R B", at="A9", earned=(earned(7), earned(7))))
    assert result is not None
    assert (result.ranks, result.winners) == ((1, 2), (0,))


def test_a_full_tie_is_a_shared_victory() -> None:
    """R9.5: equal points and equal farmers share the rank; the next rank is left out."""
    result = outcome(ended(drawing="R Y B", at="A9", seats=3, earned=(earned(7), earned(3), earned(7))))
    assert result is not None
    assert (result.ranks, result.winners) == ((1, 3, 1), (0, 2))


def test_farmers_do_not_outweigh_points() -> None:
    """R9.5: they count among equals only."""
    result = outcome(ended(drawing="R R B", at="A9", earned=(earned(6), earned(7))))
    assert result is not None
    assert result.winners == (1,)


def test_nothing_can_be_done_after_the_end() -> None:
    """R9.2: any action of any seat is refused."""
    for seat in (0, 1):
        assert isinstance(judge(GAME, ended(), seat, Done()), Violation)


def test_all_seats_have_had_equally_many_turns() -> None:
    """R9.2: the trigger by seat 1 of 3 lets seat 2 act, and nobody else."""
    state = refill(
        play(
            position(seats=3, seat=1, hands=[HAND, HAND, "bison bison settler station"], farmers=(9, 1, 9)),
            "farmer wagon wagon A1",
        )
    )
    assert (state.phase, state.seat) == (Phase.PLAY, 2)
    state = refill(play(state, "farmer bison bison D3"))
    assert state.phase is Phase.OVER


def test_a_match_has_at_most_twenty_actions_for_each_piece_that_can_be_placed() -> None:
    """R9.6: with any components; the farmers and tiles that find no space do not count."""
    assert longest(GAME, position()) == 20 * (2 * 14 + 28)
    document = registry.component_document("oregon")
    document["farmers"]["value"] = 99
    document["building_tiles"]["value"] = dict.fromkeys(document["building_tiles"]["value"], 99)
    made_up = GAME.setup(Setup(4, GAME.options(), GAME.load_components(document)))
    assert longest(GAME, made_up) == 20 * SPACES


def test_a_match_of_components_with_which_nothing_ends_it_ends_by_its_standing() -> None:
    """R9.6."""
    document = registry.component_document("oregon")
    document["farmers"]["value"] = 99
    document["building_tiles"]["value"] = dict.fromkeys(document["building_tiles"]["value"], 99)
    start = GAME.setup(Setup(2, GAME.options(), GAME.load_components(document)))
    steps = tuple(course(GAME, start, Random(1)))
    last = steps[-1].after
    assert len(steps) == longest(GAME, start)
    assert GAME.outcome(last) is None
    found = outcome_at(GAME, last, len(steps))
    assert found is not None
    assert found.scores == GAME.standing(last)
    assert outcome_at(GAME, last, len(steps) - 1) is None
