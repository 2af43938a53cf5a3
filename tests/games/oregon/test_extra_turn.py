"""R7: the extra turn."""

from __future__ import annotations

from engine.games.oregon import GAME
from engine.games.oregon.actions import DrawCard, SetAside, UseExtraTurn
from engine.games.oregon.board import INDEX
from engine.games.oregon.components import Building, Deck
from engine.games.oregon.legal import candidates
from engine.games.oregon.state import Phase, check
from engine.play import judge
from tests.engine.matches import asked
from tests.games.oregon.positions import is_legal, play, position, refused

HAND = ["wagon wagon settler church"]


def test_a_second_play_follows_the_extra_turn() -> None:
    """R7.1: the token turns, a play is made and scored, then cards are drawn."""
    state = play(position("PO . . . PO", "A2", hands=HAND), "farmer wagon wagon A1", "extra")
    assert (state.phase, state.seats[0].extra) == (Phase.EXTRA, False)
    after = play(state, "church settler I2")
    assert (after.seats[0].score, after.seats[0].cards, after.plays) == (3, 0, 2)
    assert check(after) == ()


def test_the_extra_turn_is_optional() -> None:
    """R7.1: drawing is possible instead."""
    state = play(position(hands=HAND), "farmer wagon wagon A1")
    assert [action for action in candidates(state, 0) if judge(GAME, state, 0, action) is None] == [
        UseExtraTurn(),
        DrawCard(Deck.LANDSCAPE),
        DrawCard(Deck.BUILDING),
    ]


def test_every_turn_may_have_an_extra_turn_of_its_own() -> None:
    """R7.1: the plays of a turn are counted anew for the next, and its spaces are marked anew."""
    state = play(position(hands=[HAND[0], HAND[0]]), "farmer wagon wagon A1", "extra", "church settler I5")
    for card in ("eagle", "eagle", "bison"):
        state = play(state, "draw landscape", f"deal {card} to seat 0")
    state = play(state, "draw building", "deal station to seat 0")
    assert (state.seat, state.phase) == (1, Phase.PLAY)
    state = play(state, "farmer wagon wagon A2")
    assert state.last == (INDEX["A2"],)
    assert play(state, "extra").phase is Phase.EXTRA


def test_no_second_play_without_the_token() -> None:
    """R7.1: a play needs the extra turn first, and that an active token."""
    active = play(position(hands=HAND), "farmer wagon wagon A1")
    assert refused(active, "church settler I5").code == "extra_turn_needed"
    inactive = play(position(hands=HAND, extra=(False, True)), "farmer wagon wagon A1")
    assert refused(inactive, "church settler I5").code == "plays_over"
    found = refused(inactive, "extra")
    assert (found.code, found.rule) == ("extra_turn_inactive", "R7.1")
    assert UseExtraTurn() not in candidates(inactive, 0)


def test_at_most_one_extra_turn_in_a_turn() -> None:
    """R7.1, R7.3: even if the second play makes the token active again, and with a joker a card
    would be left.
    """
    state = position("ST . WH", "A1", hands=["wagon wagon wagon church"], joker=(True, True))
    state = play(state, "farmer wagon joker B2")
    assert state.seats[0].joker
    state = play(state, "extra", "farmer wagon joker B1")
    assert (state.seats[0].extra, state.seats[0].joker, state.seats[0].cards) == (True, True, 2)
    found = refused(state, "extra")
    assert (found.code, found.rule) == ("extra_turn_used", "R7.1")
    assert UseExtraTurn() not in candidates(state, 0)
    assert refused(state, "church wagon A9").code == "plays_over"


def test_the_extra_turn_needs_a_play_with_the_cards_left() -> None:
    """R7.2: two landscape cards and no farmer are no play."""
    state = play(position(hands=["wagon wagon settler church"], farmers=(0, 14)), "church wagon A1")
    found = refused(state, "extra")
    assert (found.code, found.rule) == ("no_play_left", "R7.2")
    assert all(judge(GAME, state, 0, action) is not None for action in candidates(state, 0) if action == UseExtraTurn())


def test_two_building_cards_left_are_a_play_with_a_joker_only() -> None:
    """R7.2: the joker is considered."""
    hands = ["wagon wagon church post_office"]
    assert is_legal(play(position(hands=hands), "farmer wagon wagon A1"), "extra")
    assert not is_legal(play(position(hands=hands, joker=(False, True)), "farmer wagon wagon A1"), "extra")


def test_the_play_of_an_extra_turn_has_to_be_made() -> None:
    """R7.2: no draw, no end, no discard, no card set aside before it."""
    state = play(position(hands=HAND), "farmer wagon wagon A1", "extra")
    for line, code in (
        ("draw landscape", "play_first"),
        ("done", "play_first"),
        ("set aside church", "play_first"),
        ("discard settler church", "play_possible"),
    ):
        assert refused(state, line).code == code
    assert refused(state, "extra").code == "extra_turn_used"
    assert asked(GAME, state, 0) == "Make the second play of your extra turn."


def test_a_station_scored_by_the_second_play_makes_the_token_active_for_later() -> None:
    """R7.3: the token turned before the play was scored."""
    state = play(position("ST", "I6", hands=HAND), "farmer wagon wagon A1", "extra", "church settler H5")
    assert not state.seats[0].extra
    state = play(
        position("ST", "I6", hands=["wagon wagon settler settler"]),
        "farmer wagon wagon A1",
        "extra",
        "farmer settler settler H6",
    )
    assert state.seats[0].extra


def test_a_token_made_active_by_the_first_play_is_usable_at_once() -> None:
    """R7.3."""
    state = play(position("ST", "A1", hands=HAND, extra=(False, True)), "farmer wagon wagon A2")
    assert state.seats[0].extra
    assert is_legal(state, "extra")


def test_the_first_draw_gives_up_the_extra_turn() -> None:
    """R8.1: so does setting a card aside."""
    state = play(position(hands=HAND, stacks={"church": 0}), "farmer wagon wagon A1")
    drawn = play(state, "draw landscape", "deal bison to seat 0")
    found = refused(drawn, "extra")
    assert (found.code, found.rule) == ("refill_begun", "R8.1")
    assert refused(drawn, "farmer bison settler H3").code == "plays_over"
    aside = play(state, "set aside church")
    assert refused(aside, "extra").code == "refill_begun"
    assert SetAside(Building.CHURCH) in candidates(state, 0)


def test_others_may_earn_from_the_second_play_too() -> None:
    """R7.1, R6.2: it scores like the first."""
    state = play(position("B", "I6", hands=HAND), "farmer wagon wagon A1", "extra", "church settler H5")
    assert [seat.score for seat in state.seats] == [0, 1]
