"""The candidates in each phase, the prompts, which cards may be drawn (R8), chance's outcomes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations
from typing import Any, TypeAlias

from engine.games.oregon import actions
from engine.games.oregon.board import NAMES
from engine.games.oregon.components import BUILDINGS, SYMBOLS, Building, Deck, Symbol
from engine.games.oregon.state import EMPTY, HAND, Due, Phase, State, Tally, add, to_act
from engine.types import Seat, Statement

Play: TypeAlias = actions.PlaceFarmer | actions.PlaceBuilding


def candidates(state: State, seat: Seat) -> Iterable[actions.Action]:
    """The candidates in canonical order: all legal ones, each once, and possibly others."""
    match state.phase:
        case Phase.START:
            tile = state.seats[seat].start_tile
            if tile is not None:
                yield from (
                    actions.PlaceStart(NAMES[space])
                    for space in state.table.geometry.ground[tile]
                    if state.board[space] == EMPTY
                )
        case Phase.PLAY:
            found = False
            for play in plays(state):
                found = True
                yield play
            if not found:
                yield from _discards(state)
        case Phase.EXTRA:
            yield from plays(state)
        case Phase.REFILL:
            if state.seats[seat].cards == HAND:
                yield actions.Done()
            elif state.plays == 1 and not state.refilling and state.seats[seat].extra:
                yield actions.UseExtraTurn()
            yield from (actions.DrawCard(deck) for deck in Deck)
            yield from (
                actions.SetAside(building)
                for building, held in zip(BUILDINGS, state.seats[seat].buildings, strict=True)
                if held
            )


def plays(state: State) -> Iterator[Play]:
    """Every play of the seat, farmers before buildings, in any phase; each effect once."""
    me, geometry, board = state.seats[state.seat], state.table.geometry, state.board
    held = [symbol for symbol, number in enumerate(me.symbols) if number]
    if me.farmers:
        for place, first in enumerate(held):
            for second in held[place if me.symbols[first] > 1 else place + 1 :]:
                cards = (SYMBOLS[first], SYMBOLS[second])
                yield from (
                    actions.PlaceFarmer(NAMES[space], cards)
                    for space in geometry.areas[first][second]
                    if board[space] == EMPTY
                )
        if me.joker:
            for symbol in held:
                yield from (
                    actions.PlaceFarmer(NAMES[space], (SYMBOLS[symbol],), True)
                    for space in geometry.bands[symbol]
                    if board[space] == EMPTY
                )
    for number, building in enumerate(BUILDINGS):
        if me.buildings[number] and state.stacks[number]:
            for symbol in held:
                card = (SYMBOLS[symbol],)
                yield from (
                    actions.PlaceBuilding(NAMES[space], building, card)
                    for space in geometry.sites[number][symbol]
                    if board[space] == EMPTY
                )
            if me.joker:
                # R5.2: the joker's symbol is not named, so each space is listed once.
                yield from (
                    actions.PlaceBuilding(NAMES[space], building, (), True)
                    for space in geometry.ground[number]
                    if board[space] == EMPTY
                )


def prompt(state: State, seat: Seat) -> Statement:
    """What the seat is asked, from public facts alone."""
    match state.phase:
        case Phase.START:
            tile = state.seats[seat].start_tile
            return Statement("start", {"tile": None if tile is None else BUILDINGS[tile].value})
        case Phase.PLAY:
            return Statement("play", {"pieces": ("farmer", "building")})
        case Phase.EXTRA:
            return Statement("extra")
        case Phase.REFILL:
            missing = HAND - state.seats[seat].cards
            return refill(missing, extra_turn=extra_turn_open(state), set_aside=missing == 0)
        case Phase.DEALING | Phase.OVER:
            raise AssertionError(f"no seat is awaited while the phase is {state.phase}")


def refill(missing: int, *, extra_turn: bool, set_aside: bool) -> Statement:
    """R8: what a seat is asked that has so many cards to draw, none at the end of its turn."""
    return Statement("refill", {"draw": missing, "extra_turn": extra_turn, "set_aside": set_aside})


def extra_turn_open(state: State) -> bool:
    """R7.1: whether the awaited seat may use its extra turn now, from public facts alone."""
    return state.phase is Phase.REFILL and state.plays == 1 and not state.refilling and state.seats[state.seat].extra


def _discards(state: State) -> Iterator[actions.Discard]:
    me = state.seats[state.seat]
    held: list[Symbol | Building] = []
    for symbol, number in zip(SYMBOLS, me.symbols, strict=True):
        held += [symbol] * min(number, 2)
    for building, number in zip(BUILDINGS, me.buildings, strict=True):
        held += [building] * min(number, 2)
    for pair in dict.fromkeys(combinations(held, 2)):
        yield actions.Discard(
            tuple(card for card in pair if isinstance(card, Symbol)),
            tuple(card for card in pair if isinstance(card, Building)),
        )


def superfluous(state: State, seat: Seat, action: actions.Action) -> bool:
    """Whether the seat ends a turn that has ended by itself."""
    return isinstance(action, actions.Done) and seat not in to_act(state)


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
    """R8.2, R8.6: whether a card may be drawn, so that the hand can still be completed."""
    me = state.seats[state.seat]
    symbols, buildings = sum(me.symbols), sum(me.buildings)
    landscape_left, building_left = available(state, Deck.LANDSCAPE), available(state, Deck.BUILDING)
    if deck is Deck.LANDSCAPE:
        return landscape_left > 0 and can_complete(symbols + 1, buildings, landscape_left - 1, building_left)
    return building_left > 0 and can_complete(symbols, buildings + 1, landscape_left, building_left - 1)


def can_replace(state: State) -> bool:
    """R8.4: whether, from public facts, the hand can be completed after a card is set aside."""
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
    """R8.7: whether, from public facts alone, the seat may hold a card that it can set aside."""
    if not can_replace(state):
        return False
    cards = state.table.components.building_cards.value
    gone = add(state.building_discards, state.aside)
    hidden = [cards[building] - number for building, number in zip(BUILDINGS, gone, strict=True)]
    if any(left == 0 and hidden[index] for index, left in enumerate(state.stacks)):
        return True
    drawn = (
        state.table.options.discard_duplicates
        and state.just_drawn is not None
        and sum(state.seats[state.seat].buildings) > 1
    )
    return drawn and any(number > 1 for number in hidden)


def outcomes(state: State) -> Sequence[tuple[actions.Deal, int]]:
    """The outcomes of the due deal with their weights, in canonical order; empty if none is due."""
    if not state.due:
        return ()
    due, to = state.due[0]
    deal, things, left = _dealing(state, due)
    return tuple((deal(to, thing), number) for thing, number in zip(things, left, strict=True) if number)


def _dealing(state: State, due: Due) -> tuple[Callable[[Seat, Any], actions.Deal], Sequence[Any], Tally]:
    """What is dealt: the action, what it may deal, and how many of each are left."""
    match due:
        case Due.SYMBOL:
            return actions.DealSymbol, SYMBOLS, state.landscape_deck
        case Due.BUILDING:
            return actions.DealBuilding, BUILDINGS, state.building_deck
        case Due.START_TILE:
            return actions.DealStartTile, BUILDINGS, state.start_tiles
        case Due.COAL:
            return actions.DealCoal, state.table.coal_values, state.coal
        case Due.GOLD:
            return actions.DealGold, state.table.gold_values, state.gold
