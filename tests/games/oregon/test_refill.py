"""R8: drawing, setting aside, and when a turn ends."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.games.oregon import GAME
from engine.games.oregon.actions import DealBuilding, DealSymbol, Done, DrawCard
from engine.games.oregon.components import Building, Deck, Options, Symbol
from engine.games.oregon.legal import can_complete, candidates, might_set_aside, outcomes
from engine.games.oregon.state import Phase, State, check, to_act
from engine.play import judge
from tests.engine.matches import asked
from tests.games.oregon.positions import is_legal, play, position, refused

L, B = "draw landscape", "draw building"
NO_SYMBOLS, NO_BUILDINGS = (0,) * 5, (0,) * 7


def legal(state: State) -> list[object]:
    return [action for action in candidates(state, state.seat) if judge(GAME, state, state.seat, action) is None]


def test_cards_are_drawn_one_at_a_time_up_to_four() -> None:
    """R8.1: from the deck of one's choice; then the next seat is awaited."""
    state = play(position(hands=["wagon wagon settler church"]), "farmer wagon wagon A1")
    state = play(state, B, "deal harbour to seat 0")
    assert (state.seat, state.seats[0].cards) == (0, 3)
    state = play(state, L, "deal eagle to seat 0")
    assert (state.seat, state.phase, state.seats[0].cards) == (1, Phase.PLAY, 4)
    assert check(state) == ()


def test_the_hand_must_be_full_before_the_turn_ends() -> None:
    """R8.1: done is refused while cards are missing."""
    state = play(position(hands=["wagon wagon settler church"]), "farmer wagon wagon A1")
    found = refused(state, "done")
    assert (found.code, found.rule) == ("hand_not_full", "R8.1")


def test_a_draw_is_weighted_by_what_the_deck_holds() -> None:
    """R1.6: the outcomes are what is left of each."""
    state = play(position(hands=["wagon wagon settler church"]), "farmer wagon wagon A1", L)
    assert outcomes(state) == (
        (DealSymbol(0, Symbol.WAGON), 8),
        (DealSymbol(0, Symbol.BISON), 10),
        (DealSymbol(0, Symbol.SETTLER), 6),
        (DealSymbol(0, Symbol.EAGLE), 10),
        (DealSymbol(0, Symbol.CAMPFIRE), 10),
    )


def test_the_last_card_makes_up_for_a_missing_building_card() -> None:
    """R8.2: three landscape cards ask for a building card."""
    state = play(position(hands=["wagon wagon settler settler"]), "farmer wagon wagon A1", L, "deal eagle to seat 0")
    found = refused(state, L)
    assert (found.code, found.rule) == ("needs_both_kinds", "R8.2")
    assert found.message == "You must end with at least one building card in hand. Possible now: draw building."
    assert is_legal(state, B)


def test_the_last_card_makes_up_for_a_missing_landscape_card() -> None:
    """R8.2: three building cards ask for a landscape card."""
    state = play(position(hands=["wagon wagon church harbour"]), "farmer wagon wagon A1", B, "deal station to seat 0")
    assert refused(state, B).code == "needs_both_kinds"
    assert is_legal(state, L)


@pytest.mark.parametrize(
    ("hand", "left", "possible"),
    [
        ((2, 0), (9, 1), True),
        ((2, 0), (9, 0), False),
        ((0, 2), (0, 9), False),
        ((1, 1), (0, 2), True),
        ((1, 1), (1, 0), False),
        ((4, 0), (9, 9), False),
        ((3, 1), (0, 0), True),
        ((0, 0), (2, 2), True),
        ((0, 0), (4, 0), False),
    ],
)
def test_whether_a_hand_can_be_completed(hand: tuple[int, int], left: tuple[int, int], possible: bool) -> None:
    """R8.2: four cards, at least one of each kind, from what the decks hold."""
    assert can_complete(*hand, *left) is possible


def test_a_card_whose_stack_is_empty_may_be_set_aside() -> None:
    """R8.3: one held from before, before or between draws; another card is drawn for it from either
    deck.
    """
    state = play(position(hands=["wagon wagon settler church"], stacks={"church": 0}), "farmer wagon wagon A1")
    assert is_legal(state, "set aside church")
    state = play(state, L, "deal eagle to seat 0", "set aside church")
    assert (state.aside, state.seats[0].cards) == ((0, 0, 1, 0, 0, 0, 0), 2)
    assert is_legal(state, L)
    assert is_legal(state, B)


def test_a_card_may_be_set_aside_with_a_full_hand() -> None:
    """R8.3: a useless card that was just drawn, with four cards in hand; then the hand is filled
    again.
    """
    state = play(
        position(hands=["wagon wagon settler church"], stacks={"station": 0}),
        "farmer wagon wagon A1",
        L,
        "deal eagle to seat 0",
        B,
        "deal station to seat 0",
    )
    assert to_act(state) == (0,)
    assert asked(GAME, state, 0) == "End your turn, or set a useless building card aside."
    state = play(state, "set aside station")
    assert state.seats[0].cards == 3
    assert refused(state, "done").code == "hand_not_full"
    state = play(state, L, "deal eagle to seat 0", "done")
    assert state.seat == 1


def test_a_stack_emptied_this_very_turn_counts() -> None:
    """R8.3: the last church is placed, so another church card is useless at once."""
    state = play(position(hands=["wagon wagon church church"], stacks={"church": 1}), "church wagon A1")
    assert is_legal(state, "set aside church")


def test_a_useful_card_stays() -> None:
    """R8.3: the refusal says how many tiles are left."""
    state = play(position(hands=["wagon wagon settler church"]), "farmer wagon wagon A1")
    found = refused(state, "set aside church")
    assert (found.code, found.rule) == ("card_useful", "R8.3")
    assert "4 church tiles" in found.message
    assert refused(state, "set aside station").code == "card_not_in_hand"


def test_a_card_that_cannot_be_replaced_stays() -> None:
    """R8.4: the only building card of a hand, and no other to be had."""
    state = position(hands=["wagon wagon settler church"], stacks={"church": 0}, building_deck=NO_BUILDINGS)
    state = play(state, "farmer wagon wagon A1")
    found = refused(state, "set aside church")
    assert (found.code, found.rule) == ("cannot_replace", "R8.4")


def test_cards_set_aside_wait_for_the_end_of_the_turn() -> None:
    """R8.5: they cannot be drawn again in the same turn, and join the discards afterwards."""
    state = position(hands=["wagon wagon church harbour"], stacks={"church": 0}, building_deck=(0, 0, 0, 0, 0, 0, 1))
    state = play(
        state, "farmer wagon wagon A1", "set aside church", B, "deal station to seat 0", L, "deal eagle to seat 0"
    )
    found = refused(state, B)
    assert (found.code, found.rule) == ("deck_empty", "R8.6")
    assert state.building_discards == NO_BUILDINGS
    state = play(state, L, "deal eagle to seat 0", "done")
    assert (state.seat, state.aside, state.building_discards) == (1, NO_BUILDINGS, (0, 0, 1, 0, 0, 0, 0))


def test_an_empty_deck_is_reshuffled_from_its_discards() -> None:
    """R8.6: the cards played this very turn included."""
    state = position(
        hands=["wagon wagon settler church"], landscape_deck=NO_SYMBOLS, landscape_discards=(0, 1, 0, 0, 0)
    )
    state = play(state, "farmer wagon wagon A1", L)
    assert outcomes(state) == ((DealSymbol(0, Symbol.WAGON), 2), (DealSymbol(0, Symbol.BISON), 1))
    assert state.landscape_discards == NO_SYMBOLS


def test_a_building_deck_is_reshuffled_too() -> None:
    """R8.6: from the building discards alone."""
    state = play(position(hands=["wagon wagon settler church"], building_deck=NO_BUILDINGS), "church wagon A1", B)
    assert outcomes(state) == ((DealBuilding(0, Building.CHURCH), 1),)


def test_a_deck_with_cards_is_not_reshuffled() -> None:
    """R8.6: discards wait until the deck is empty and a card is needed."""
    state = play(
        position(hands=["wagon wagon settler church"], landscape_deck=(0, 0, 1, 0, 0)),
        "farmer wagon wagon A1",
        L,
        "deal settler to seat 0",
    )
    assert state.landscape_discards == (2, 0, 0, 0, 0)
    assert sum(state.landscape_deck) == 0


def test_an_empty_deck_without_discards_cannot_be_drawn_from() -> None:
    """R8.6: the refusal names the other deck."""
    state = play(position(hands=["wagon wagon settler church"], building_deck=NO_BUILDINGS), "farmer wagon wagon A1")
    found = refused(state, B)
    assert (found.code, found.rule) == ("deck_empty", "R8.6")
    assert is_legal(state, L)


def test_the_turn_ends_by_itself_while_every_stack_has_tiles() -> None:
    """R8.7: nothing could be set aside, and everyone knows."""
    state = play(
        position(hands=["wagon wagon settler church"]),
        "farmer wagon wagon A1",
        L,
        "deal eagle to seat 0",
        B,
        "deal church to seat 0",
    )
    assert state.seat == 1


@pytest.mark.parametrize("card", ["church", "station"])
def test_done_is_asked_whether_or_not_a_card_could_be_set_aside(card: str) -> None:
    """R8.7: the church stack is empty; the question does not tell whether a church card is held."""
    state = play(
        position(hands=[f"wagon wagon settler {card}"], stacks={"church": 0}),
        "farmer wagon wagon A1",
        L,
        "deal eagle to seat 0",
        L,
        "deal eagle to seat 0",
    )
    assert to_act(state) == (0,)
    assert Done() in legal(state)
    assert refused(state, L).code == "hand_full"
    assert (len(legal(state)) == 2) is (card == "church")


def test_the_turn_ends_by_itself_when_every_useless_card_lies_open() -> None:
    """R8.7: the church stack is empty, but all three church cards are in the discards."""
    state = position(
        hands=["wagon wagon settler station"],
        stacks={"church": 0},
        building_discards=(0, 0, 3, 0, 0, 0, 0),
        building_deck=(3, 1, 0, 3, 3, 3, 2),
    )
    state = play(state, "farmer wagon wagon A1", L, "deal eagle to seat 0", L, "deal eagle to seat 0")
    assert state.seat == 1


def test_the_turn_ends_by_itself_when_nothing_could_be_drawn_instead() -> None:
    """R8.7, R8.4: one building card in hand, none to be had; everyone sees that it has to stay."""
    state = position(hands=["wagon wagon settler church"], stacks={"church": 0}, building_deck=NO_BUILDINGS)
    state = play(state, "farmer wagon wagon A1", L, "deal eagle to seat 0", L, "deal eagle to seat 0")
    assert state.seat == 1


ITALIAN = Options(discard_duplicates=True)


def test_a_duplicate_just_drawn_may_be_set_aside_in_the_italian_edition() -> None:
    """R8.8: it equals a card in hand; the turn waits for done."""
    state = position(hands=["wagon wagon settler church"], options=ITALIAN)
    state = play(state, "farmer wagon wagon A1", L, "deal eagle to seat 0", B, "deal church to seat 0")
    assert to_act(state) == (0,)
    assert is_legal(state, "set aside church")
    assert is_legal(state, "done")


def test_the_prompt_does_not_reveal_a_duplicate() -> None:
    """R8.7, R8.8: a building card drawn last, two in hand: done is asked in any case."""
    state = position(hands=["wagon wagon settler church"], options=ITALIAN)
    state = play(state, "farmer wagon wagon A1", L, "deal eagle to seat 0", B, "deal station to seat 0")
    assert legal(state) == [Done()]
    found = refused(state, "set aside church")
    assert (found.code, found.rule) == ("card_useful", "R8.8")


def test_a_duplicate_drawn_before_another_card_stays() -> None:
    """R8.8: just drawn means drawn last; a landscape card drawn last ends the turn."""
    state = position(hands=["wagon wagon settler church"], options=ITALIAN)
    state = play(state, "farmer wagon wagon A1", B, "deal church to seat 0")
    assert is_legal(state, "set aside church")
    state = play(state, L, "deal eagle to seat 0")
    assert state.seat == 1


def test_a_duplicate_held_from_before_stays() -> None:
    """R8.8: it was not just drawn."""
    state = play(position(hands=["wagon wagon church church"], options=ITALIAN), "farmer wagon wagon A1")
    assert refused(state, "set aside church").rule == "R8.8"


def test_a_replaced_duplicate_may_be_replaced_again() -> None:
    """R8.8: as often as necessary (Italian edition)."""
    state = position(hands=["wagon wagon settler church"], options=ITALIAN)
    state = play(
        state,
        "farmer wagon wagon A1",
        B,
        "deal church to seat 0",
        "set aside church",
        B,
        "deal church to seat 0",
        "set aside church",
    )
    assert state.aside == (0, 0, 2, 0, 0, 0, 0)


def test_without_the_option_a_duplicate_stays() -> None:
    """R8.8: the option is off by default."""
    state = play(position(hands=["wagon wagon settler church"]), "farmer wagon wagon A1", B, "deal church to seat 0")
    assert refused(state, "set aside church").rule == "R8.3"
    assert not Options().discard_duplicates


def test_all_cards_of_a_kind_in_the_open_leave_no_duplicate() -> None:
    """R8.7, R8.8: where of every building at most one card is hidden, nobody can hold two."""
    state = position(hands=["wagon wagon harbour church"], options=ITALIAN)
    state = replace(play(state, "farmer wagon wagon A1"), just_drawn=2, building_discards=(2, 2, 2, 2, 2, 2, 2))
    assert not might_set_aside(state)


def test_cards_set_aside_are_in_the_open_too() -> None:
    """R8.7, R8.8: a card that was set aside cannot be the duplicate in somebody's hand."""
    state = position(hands=["wagon wagon harbour church"], options=ITALIAN)
    state = replace(play(state, "farmer wagon wagon A1"), just_drawn=2, building_discards=(1, 1, 1, 1, 1, 1, 1))
    assert might_set_aside(state)
    assert not might_set_aside(replace(state, aside=(1, 1, 1, 1, 1, 1, 1)))


def test_after_a_joker_fewer_cards_are_drawn() -> None:
    """R5.2, R8.1: three cards are left, one is drawn."""
    state = play(position(hands=["wagon wagon settler church"]), "farmer wagon joker A1")
    assert asked(GAME, state, 0) == "Use your extra turn, or draw 1 card."
    assert play(state, L, "deal eagle to seat 0").seat == 1


def test_draws_are_listed_in_canonical_order() -> None:
    """R8.1: landscape before building."""
    state = play(position(hands=["wagon wagon settler church"], extra=(False, True)), "farmer wagon wagon A1")
    assert legal(state) == [DrawCard(Deck.LANDSCAPE), DrawCard(Deck.BUILDING)]
