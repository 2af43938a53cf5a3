"""R8: which cards may be drawn and set aside. What a prompt or the phase depends on is computed
from public facts alone.
"""

from __future__ import annotations

from engine.games.oregon.components import BUILDINGS, Deck
from engine.games.oregon.state import HAND, State


def available(state: State, deck: Deck) -> int:
    """R8.6: the number of cards that can be drawn from a deck, its discards included."""
    if deck is Deck.LANDSCAPE:
        return sum(state.landscape_deck) + sum(state.landscape_discards)
    return sum(state.building_deck) + sum(state.building_discards)


def can_complete(symbols: int, buildings: int, landscape_left: int, building_left: int) -> bool:
    """R8.2: whether a hand with these numbers of landscape and building cards can be refilled to
    four cards with at least one of each, from decks with these numbers of cards left.
    """
    missing = HAND - symbols - buildings
    least = 1 if buildings == 0 else 0
    most = missing if symbols else missing - 1
    # The number of building cards to draw has a lower bound from the hand and the landscape deck,
    # and an upper bound from the hand and the building deck.
    return max(least, missing - landscape_left) <= min(most, building_left)


def may_draw(state: State, deck: Deck) -> bool:
    """R8.2, R8.6: whether a card may be drawn from the deck, so that the hand can still be
    completed.
    """
    me = state.seats[state.seat]
    symbols, buildings = sum(me.symbols), sum(me.buildings)
    landscape_left, building_left = available(state, Deck.LANDSCAPE), available(state, Deck.BUILDING)
    if deck is Deck.LANDSCAPE:
        return landscape_left > 0 and can_complete(symbols + 1, buildings, landscape_left - 1, building_left)
    return building_left > 0 and can_complete(symbols, buildings + 1, landscape_left, building_left - 1)


def can_replace(state: State) -> bool:
    """R8.4: whether the hand can be completed after a building card is set aside.

    It is public, as it depends only on the numbers of cards.
    """
    me = state.seats[state.seat]
    buildings = sum(me.buildings)
    return buildings > 0 and can_complete(
        sum(me.symbols), buildings - 1, available(state, Deck.LANDSCAPE), available(state, Deck.BUILDING)
    )


def is_useless(state: State, building: int) -> bool:
    """R8.3, R8.8: whether the seat to act may set aside this building card, which it holds."""
    held = state.seats[state.seat].buildings[building]
    duplicate = state.table.options.discard_duplicates and state.just_drawn == building and held > 1
    return state.stacks[building] == 0 or duplicate


def may_set_aside(state: State, building: int) -> bool:
    """R8.3, R8.4, R8.8: whether the seat to act holds this building card, and may set it aside."""
    held = state.seats[state.seat].buildings[building]
    return held > 0 and is_useless(state, building) and can_replace(state)


def might_set_aside(state: State) -> bool:
    """R8.7: whether, from public facts alone, the seat to act may hold a card that it can set
    aside. It does not depend on the cards in the hand.
    """
    if not can_replace(state):
        return False
    cards = state.table.components.building_cards.value
    hidden = [
        cards[building] - state.building_discards[index] - state.aside[index]
        for index, building in enumerate(BUILDINGS)
    ]
    if any(left == 0 and hidden[index] for index, left in enumerate(state.stacks)):
        return True
    drawn = (
        state.table.options.discard_duplicates
        and state.just_drawn is not None
        and sum(state.seats[state.seat].buildings) > 1
    )
    return drawn and any(number > 1 for number in hidden)
