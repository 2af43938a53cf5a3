"""R9: what ends a match, and who has won."""

from __future__ import annotations

from engine import registry
from engine.games.montana import GAME
from engine.games.montana.state import Ending, Phase, SeatState, State
from engine.play import longest
from engine.types import Outcome, ScoreLine, Setup, Statement
from tests.engine.matches import asked
from tests.games.montana.positions import act, me, position


def outcome(state: State) -> Outcome:
    found = GAME.outcome(state)
    assert found is not None
    return found


def last(*seats: SeatState, built: str = "0:D5 1:F5", seat: int = 1) -> State:
    """The last seat of two ends the match with its next action at the bank."""
    return act(position("", *seats, built=built, seat=seat, ending=Ending.LAST_SETTLEMENT), "bank 1 wheat")


def test_the_last_settlement_triggers_the_end_and_the_round_is_finished() -> None:
    """R9.1, R9.2"""
    state = act(position("", me("w", left=1), me("", "w", left=2), built="0:D5x2 1:F5", seat=0), "build E4")
    assert state.ending is Ending.LAST_SETTLEMENT
    assert GAME.outcome(state) is None
    assert GAME.to_act(state) == (1,)
    state = act(state, "bank 1 wheat", seat=1)
    assert state.phase is Phase.OVER
    assert GAME.to_act(state) == ()
    assert outcome(state).scores == (3, 1)
    assert outcome(state).winners == (0,)


def test_the_last_seats_last_settlement_ends_the_match_with_its_turn() -> None:
    """R9.2"""
    state = act(position("", me(left=1), me("w", left=1), built="0:D5 1:F5", seat=1), "build E4")
    assert state.phase is Phase.OVER
    assert outcome(state).winners == (1,)


def test_a_canteen_may_be_spent_in_the_last_round() -> None:
    """R9.2, R8.6"""
    state = act(position("", me(left=1), me("w", canteens=1, left=1), built="0:D5 1:F5", seat=1), "build E4")
    assert state.phase is not Phase.OVER
    assert act(state, "canteen").phase is Phase.TURN
    assert act(state, "end").phase is Phase.OVER


def test_a_seat_that_has_built_all_may_go_on_but_not_build() -> None:
    """R7.10, R9.2"""
    state = act(position("", me("ww", cows=1, left=1), me(left=2), built="0:D5x2 1:F5", seat=0), "build E4")
    assert asked(GAME, state, 0) == "Trade a cow or end your turn."


def test_most_settlements_win() -> None:
    """R9.3"""
    found = outcome(last(me(coins=50, cows=9, left=3), me("", "w", left=2), built="0:D5 1:F5x2"))
    assert found.scores == (1, 2)
    assert found.ranks == (2, 1)


def test_among_equals_cows_and_canteens_decide() -> None:
    """R9.3"""
    found = outcome(last(me(cows=1, canteens=1), me("wwwww", "w", coins=50)))
    assert found.ranks == (1, 2)
    assert found.details[0] == (
        ScoreLine("settlements", 1),
        ScoreLine("animals", 2),
        ScoreLine("belongings", 0),
        ScoreLine("left", 11),
    )


def test_then_goods_coins_and_workers_decide() -> None:
    """R9.3"""
    found = outcome(last(me("wwC", "cc", coins=3), me("", "ww", coins=2)))
    assert found.details[0][2] == ScoreLine("belongings", 8)
    assert found.details[1][2] == ScoreLine("belongings", 7)
    assert found.winners == (0,)


def test_then_the_victory_is_shared() -> None:
    """R9.3"""
    found = outcome(last(me("wwC", "cc", coins=2), me("", "ww", coins=2)))
    assert found.winners == (0, 1)
    assert found.ranks == (1, 1)


def test_the_end_is_triggered_too_when_no_hex_is_left() -> None:
    """R9.4"""
    ring = "; ".join(f"{name} mountain" for name in ("D5", "F5", "D4", "D6", "E6", "E3", "F3", "F4"))
    state = act(position(ring, me("w"), me("", "w"), seat=0), "build E4")
    assert state.ending is Ending.NO_ROOM
    state = act(state, "bank 1 wheat", seat=1)
    assert state.phase is Phase.OVER
    assert outcome(state).ended == Statement("no_room")


def test_the_standing_counts_settlements_on_the_board() -> None:
    """R9.3"""
    assert GAME.standing(position("", me(), me(), built="0:D5 0:E4x2 1:F5x4")) == (3, 4)


def test_a_match_has_at_most_a_hundred_actions_for_each_settlement() -> None:
    """R9.5."""
    components = registry.components("montana")
    for seats, settlements in ((2, 12), (3, 10), (4, 8)):
        assert longest(GAME, GAME.setup(Setup(seats, GAME.options(), components))) == 100 * seats * settlements
