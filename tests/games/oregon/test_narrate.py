"""The narration of entries in logs, mails and the terminal."""

from __future__ import annotations

from engine.games.oregon.apply import apply
from engine.games.oregon.narrate import narrate
from engine.games.oregon.notation import parse
from engine.games.oregon.state import Ending, Phase, State
from engine.types import CHANCE, Viewer
from tests.games.oregon.playouts import playout
from tests.games.oregon.positions import play, position

NAMES = ("Ann", "Bob")
HAND = "wagon wagon settler church"


def told(state: State, line: str, viewer: Viewer = None) -> str:
    (action,) = parse(line)
    seat = CHANCE if state.due else state.seat
    return narrate(state, seat, action, apply(state, seat, action), viewer, NAMES)


def test_a_start_tile() -> None:
    state = position(start_tile=(3, 1), phase=Phase.START)
    assert told(state, "start B1") == "Ann places the start tile on B1. It is a coal mine."


def test_a_farmer_that_earns_nothing() -> None:
    assert told(position(hands=[HAND]), "farmer wagon wagon A1") == "Ann places a farmer on A1 with two wagon cards."


def test_a_farmer_that_earns_from_buildings_and_a_group() -> None:
    state = position("""
        PO .  R
        R  .  CM
        .  WH .
    """, "A1", hands=[HAND], joker=(False, True))  # fmt: skip
    assert (
        told(state, "farmer wagon wagon B1")
        == "Ann places a farmer on B1 with two wagon cards. Ann earns 3 points for the post office on A1 and a coal"
        " token for the coal mine on C2."
    )
    assert (
        told(state, "farmer wagon wagon B2")
        == "Ann places a farmer on B2 with two wagon cards. Ann earns 3 points for the post office on A1, a coal"
        " token for the coal mine on C2 and 1 point for the warehouse on B3 (4 points in all); the joker is active"
        " again."
    )


def test_a_new_group() -> None:
    state = position("R . R", "A1", hands=[HAND])
    assert (
        told(state, "farmer wagon wagon B1")
        == "Ann places a farmer on B1 with two wagon cards. Ann earns 5 points for a new group."
    )


def test_a_building_that_earns_for_several_seats() -> None:
    state = position("""
        R . R
        B . .
    """, "A1", hands=["wagon settler settler station"], extra=(True, False))  # fmt: skip
    assert (
        told(position("R . R", "A1", hands=["wagon wagon settler harbour"]), "harbour joker C8")
        == "Ann builds a harbour on C8 with the joker."
    )
    assert (
        told(state, "church wagon B2")
        == "Ann builds a church on B2 with wagon. The church earns 6 points for Ann (2 farmers) and 3 points"
        " for Bob (1 farmer)."
    )
    assert (
        told(state, "station wagon B2")
        == "Ann builds a station on B2 with wagon. The station earns 2 points for Ann (2 farmers) "
        "and 1 point for Bob (1 farmer; the extra turn is active again)."
    )


def test_tokens_are_valued_for_their_owner_only() -> None:
    """R10.1."""
    state = play(position("CM", "A2", hands=[HAND]), "farmer wagon wagon A1")
    assert told(state, "deal coal 2 to seat 0", 0) == "Ann takes a coal token worth 2."
    assert told(state, "deal coal 2 to seat 0", 1) == told(state, "deal coal 3 to seat 0") == "Ann takes a coal token."


def test_a_short_supply_is_narrated() -> None:
    """R6.7."""
    state = position("CM", "A2", hands=[HAND], coal=((), ()))
    empty = narrate(
        state,
        0,
        parse("farmer wagon wagon A1")[0],
        play(position("CM", "A2", hands=[HAND], coal=((1,) * 7 + (2,) * 7 + (3,) * 7, ())), "farmer wagon wagon A1"),
        1,
        NAMES,
    )
    assert (
        empty
        == "Ann places a farmer on A1 with two wagon cards. Ann earns a coal token for the coal mine on A2; the coal"
        " supply is too small for all."
    )


def test_draws_are_narrated_by_deck_to_others_and_by_card_to_the_owner() -> None:
    """R10.1, R10.2."""
    state = play(position(hands=[HAND]), "farmer wagon wagon A1")
    assert told(state, "draw landscape", 1) == "Ann draws a landscape card."
    drawn = play(state, "draw landscape")
    assert told(drawn, "deal eagle to seat 0", 0) == "Ann draws an eagle card."
    assert told(drawn, "deal eagle to seat 0", 1) == ""


def test_a_reshuffled_deck_is_narrated() -> None:
    """R8.6."""
    state = play(position(hands=[HAND], landscape_deck=(0,) * 5), "farmer wagon wagon A1")
    assert (
        told(state, "draw landscape", 1)
        == "Ann draws a landscape card. The landscape discards were shuffled into a new deck for it."
    )


def test_the_other_actions_are_narrated() -> None:
    state = play(position(hands=[HAND], stacks={"church": 0}), "farmer wagon wagon A1")
    assert told(state, "extra") == "Ann uses the extra turn."
    assert told(state, "set aside church") == "Ann sets a church card aside."
    stuck = position(hands=[HAND], stacks={"church": 0}, farmers=(0, 14))
    assert told(stuck, "discard wagon church") == "Ann discards wagon and church. No play was possible."


def test_the_trigger_of_the_end_is_narrated_once() -> None:
    """R9.1."""
    state = position(hands=[HAND], farmers=(1, 14))
    assert told(state, "farmer wagon wagon A1").endswith(
        "Ann has placed the last farmer, so the match ends with this round."
    )
    again = position(hands=[HAND], farmers=(1, 14), ending=Ending.EMPTY_STACKS)
    assert "round" not in told(again, "farmer wagon wagon A1")
    stacks = position(hands=[HAND], stacks={"church": 1, "harbour": 0})
    assert told(stacks, "church wagon A1").endswith(
        "2 stacks of building tiles are empty, so the match ends with this round."
    )


def test_the_result_is_narrated() -> None:
    """R9.4, R9.5."""
    state = position(
        "R R B",
        "A9",
        seat=1,
        hands=[HAND, HAND],
        phase=Phase.REFILL,
        plays=1,
        refilling=True,
        ending=Ending.LAST_FARMER,
        earned=((0, 0, 6, 0, 0, 0, 0, 0), (0, 0, 4, 0, 0, 0, 0, 0)),
        coal=((), (2,)),
    )
    assert (
        told(state, "done")
        == "Bob ends the turn. The match is over: Ann 6 (6 on the track, coal 0, gold 0), Bob 6 (4 on the track, coal"
        " 2, gold 0). Ann wins, with more farmers on the board."
    )


def test_every_public_entry_is_narrated() -> None:
    """R10.2: nothing a spectator may know is left untold; nothing else is told."""
    for step in playout(9, 2):
        sentence = narrate(step.before, step.seat, step.action, step.after, None, NAMES)
        concealed = type(step.action).__name__ in ("DealSymbol", "DealBuilding") and step.after.phase is not Phase.OVER
        assert (sentence == "") is concealed
        assert "  " not in sentence
        assert sentence == "" or sentence.endswith(".")
