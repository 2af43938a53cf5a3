"""What the observation of an awaited seat offers, and that nobody else learns of it."""

from __future__ import annotations

import pytest

from engine.games.oregon import GAME
from engine.games.oregon.actions import (
    Discard,
    Done,
    DrawCard,
    PlaceBuilding,
    PlaceFarmer,
    SetAside,
    UseExtraTurn,
)
from engine.games.oregon.components import Building, Deck, Options
from engine.games.oregon.observe import Offers, observe
from engine.games.oregon.state import Phase, State
from engine.play import legal_actions, prompt
from engine.types import CHANCE, SPECTATOR, Statement
from tests.games.oregon.playouts import playout
from tests.games.oregon.positions import play, position


@pytest.mark.parametrize(("seed", "seats"), [(1, 2), (2, 3), (3, 4)])
def test_what_is_offered_is_what_is_legal(seed: int, seats: int) -> None:
    for step in playout(seed, seats, Options(seed == 1)):
        if step.seat == CHANCE or step.before.phase is Phase.START:
            continue
        legal = legal_actions(GAME, step.before, step.seat)
        assert observe(step.before, step.seat).offers == Offers(
            farmer=any(isinstance(action, PlaceFarmer) for action in legal),
            building=any(isinstance(action, PlaceBuilding) for action in legal),
            joker=any(isinstance(action, PlaceFarmer | PlaceBuilding) and action.joker for action in legal),
            discard=any(isinstance(action, Discard) for action in legal),
            extra_turn=UseExtraTurn() in legal,
            draw=tuple(action.deck for action in legal if isinstance(action, DrawCard)),
            set_aside=tuple(action.building for action in legal if isinstance(action, SetAside)),
            done=Done() in legal,
        )


@pytest.mark.parametrize(("seed", "seats"), [(1, 2), (3, 4)])
def test_a_seat_is_asked_for_the_plays_that_are_offered_to_it(seed: int, seats: int) -> None:
    """R3.2, R3.4: others learn from the question nothing of its cards."""
    for step in playout(seed, seats):
        if step.seat == CHANCE or step.before.phase is not Phase.PLAY:
            continue
        offered = offers(step.before, step.seat)
        assert offered is not None
        pieces = tuple(piece for piece in ("farmer", "building") if getattr(offered, piece))
        asked = Statement("discard") if offered.discard else Statement("play", {"pieces": pieces})
        assert prompt(GAME, step.before, step.seat, step.seat) == asked
        assert prompt(GAME, step.before, step.seat, SPECTATOR) == Statement("play", {"pieces": ("farmer", "building")})


def test_a_seat_without_any_play_is_asked_to_discard() -> None:
    """R3.4."""
    state = position(hands=["wagon church church church"], joker=(False, True), stacks={"church": 0})
    assert prompt(GAME, state, 0, 0) == Statement("discard")


def test_the_extra_turn_is_offered_where_the_cards_left_allow_a_play() -> None:
    """R7.2: to the seat that holds them."""
    possible, impossible = second_plays()
    assert offers(possible, 0) == Offers(extra_turn=True, draw=(Deck.LANDSCAPE, Deck.BUILDING))
    assert offers(impossible, 0) == Offers(draw=(Deck.LANDSCAPE, Deck.BUILDING), set_aside=(Building.HARBOUR,))


def test_no_other_viewer_learns_what_is_offered() -> None:
    """R10.3: whether the extra turn can be used is seen by nobody else."""
    for state in second_plays():
        assert [observe(state, viewer).offers for viewer in (1, None)] == [None, None]
        assert "You may" not in GAME.text(observe(state, 1), ("Ann", "Bob"))
    possible, impossible = second_plays()
    for viewer in (1, None):
        assert GAME.text(observe(possible, viewer), ()) == GAME.text(observe(impossible, viewer), ())


def test_a_useless_card_and_the_end_of_the_turn_are_offered() -> None:
    """R8.3, R8.7."""
    state = position(hands=["wagon wagon settler church"], stacks={"church": 0}, phase=Phase.REFILL, refilling=True)
    assert offers(state, 0) == Offers(set_aside=(Building.CHURCH,), done=True)


def test_two_cards_are_given_away_where_no_play_is_possible() -> None:
    """R3.4."""
    state = position(hands=["wagon church church church"], joker=(False, True), stacks={"church": 0})
    assert offers(state, 0) == Offers(discard=True)


def test_nothing_is_offered_while_chance_is_awaited_or_after_the_end() -> None:
    for step in playout(1, 2):
        if GAME.to_act(step.after) in ((CHANCE,), ()):
            assert [observe(step.after, viewer).offers for viewer in (0, 1, None)] == [None] * 3


def test_everybody_knows_what_tokens_can_be_worth() -> None:
    """R1.5: as the component set says."""
    for viewer in (0, 1, None):
        observation = observe(position(), viewer)
        assert (observation.coal_values, observation.gold_values) == ((1, 2, 3), (3, 4, 5))


def offers(state: State, seat: int) -> Offers | None:
    return observe(state, seat).offers


def second_plays() -> tuple[State, State]:
    """A second play that is possible, and one that is not, which look alike to others."""
    possible, impossible = (
        play(
            position(hands=[f"wagon wagon settler {card}"], joker=(False, True), stacks={"harbour": 0}),
            "farmer wagon wagon A1",
        )
        for card in ("church", "harbour")
    )
    return possible, impossible
