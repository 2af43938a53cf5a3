"""R5: the joker."""

from __future__ import annotations

import pytest

from engine.games.oregon import GAME
from engine.games.oregon.actions import PlaceBuilding, PlaceFarmer
from engine.games.oregon.components import BUILDING_INDEX, Building, Symbol
from engine.games.oregon.legal import candidates, plays
from engine.games.oregon.state import check
from engine.play import judge
from tests.games.oregon.positions import is_legal, play, position, refused

HAND = ["wagon wagon settler church"]


def test_an_inactive_joker_stands_for_nothing() -> None:
    """R5.1: refused, and not listed."""
    state = position(hands=HAND, joker=(False, True))
    found = refused(state, "farmer wagon joker A1")
    assert (found.code, found.rule) == ("joker_inactive", "R5.1")
    assert not any(play.joker for play in plays(state))


def test_the_joker_never_stands_for_a_building_card() -> None:
    """R5.1: a building without its card is refused, joker or not (Italian edition)."""
    found = refused(position(hands=HAND), "harbour joker C8")
    assert (found.code, found.rule) == ("card_not_in_hand", "R3.2")


def test_a_farmer_with_the_joker_goes_anywhere_in_the_cards_bands() -> None:
    """R5.2: settler and any other symbol meet in every settler area that is not water."""
    state = position(hands=HAND)
    geometry = state.table.geometry
    spaces = [
        play.space
        for play in plays(state)
        if isinstance(play, PlaceFarmer) and play.joker and play.cards == (Symbol.SETTLER,)
    ]
    assert len(spaces) == len(set(spaces)) == len(geometry.bands[2])
    assert is_legal(state, "farmer settler joker O5")
    found = refused(state, "farmer settler joker A1")
    assert (found.code, found.rule) == ("outside_area", "R4.5")
    assert found.message.startswith(
        "Settler and the joker name columns G-I and rows 5-6; A1 is in a wagon column and a wagon row."
    )


def test_a_building_with_the_joker_goes_on_any_fitting_space() -> None:
    """R5.2: each once, as no symbol is named."""
    state = position(hands=HAND)
    spaces = [play.space for play in plays(state) if isinstance(play, PlaceBuilding) and play.joker]
    assert len(spaces) == len(set(spaces)) == len(state.table.geometry.ground[BUILDING_INDEX[Building.CHURCH]])


def test_the_joker_replaces_exactly_one_landscape_card() -> None:
    """R5.2: not two, and none beside it."""
    state = position(hands=HAND)
    assert refused(state, "farmer joker A1").rule == "R5.2"
    assert refused(state, "farmer wagon settler joker A5").rule == "R5.2"
    found = judge(GAME, state, 0, PlaceBuilding("A1", Building.CHURCH, (Symbol.WAGON,), True))
    assert found is not None
    assert (found.code, found.rule) == ("wrong_card_count", "R5.2")


def test_the_joker_turns_inactive_when_used() -> None:
    """R5.3: and a card is saved."""
    after = play(position(hands=HAND), "farmer wagon joker A1")
    assert (after.seats[0].joker, after.seats[0].cards) == (False, 3)
    assert check(after) == ()


@pytest.mark.parametrize(
    ("line", "before", "after"),
    [
        ("church joker A1", True, False),
        ("church wagon A1", True, True),
        ("church wagon A1", False, False),
        ("farmer wagon settler A5", True, True),
        ("farmer wagon settler A5", False, False),
    ],
)
def test_the_joker_changes_only_when_it_is_used(line: str, before: bool, after: bool) -> None:
    """R5.3: for a building as for a farmer."""
    state = play(position(hands=["wagon wagon settler church"], joker=(before, True)), line)
    assert state.seats[0].joker is after


def test_a_warehouse_scored_by_the_play_makes_the_joker_active_again() -> None:
    """R5.3: for a farmer beside a warehouse, and for a warehouse beside a farmer."""
    farmer = play(position("WH", "A1", hands=HAND), "farmer wagon joker A2")
    assert (farmer.seats[0].joker, farmer.seats[0].score) == (True, 1)
    building = play(position("R", "A1", hands=["wagon wagon settler warehouse"]), "warehouse joker A2")
    assert (building.seats[0].joker, building.seats[0].score) == (True, 1)


def test_the_joker_may_be_used_in_both_plays_of_a_turn() -> None:
    """R5.3, R7.3: if the first play made it active again."""
    state = position("WH", "A1", hands=HAND)
    after = play(state, "farmer wagon joker A2", "extra", "farmer settler joker I5")
    assert (after.seats[0].joker, after.seats[0].cards) == (False, 2)


def test_no_two_candidates_lead_to_the_same_state() -> None:
    """R5.2: neither with two equal cards nor with the joker; a joker beside one card or another
    leaves other cards behind.
    """
    listed = list(candidates(position(hands=HAND), 0))
    assert len(listed) == len(set(listed))
