"""The candidate actions in each phase, and the prompts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import TypeAlias

from engine.games.oregon.actions import (
    Action,
    Discard,
    Done,
    DrawCard,
    PlaceBuilding,
    PlaceFarmer,
    PlaceStart,
    SetAside,
    UseExtraTurn,
)
from engine.games.oregon.board import NAMES
from engine.games.oregon.components import BUILDINGS, SYMBOLS, Building, Deck, Symbol, noun
from engine.games.oregon.state import EMPTY, HAND, Phase, State, to_act
from engine.types import Seat
from engine.wording import a, amount

Play: TypeAlias = PlaceFarmer | PlaceBuilding


def candidates(state: State, seat: Seat) -> Iterable[Action]:
    """The candidate actions of the seat in canonical order: all legal ones, each once, and possibly
    others.
    """
    match state.phase:
        case Phase.START:
            tile = state.seats[seat].start_tile
            if tile is not None:
                yield from (
                    PlaceStart(NAMES[space])
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
                yield Done()
            elif state.plays == 1 and not state.refilling and state.seats[seat].extra:
                yield UseExtraTurn()
            yield from (DrawCard(deck) for deck in Deck)
            yield from (
                SetAside(building)
                for building, held in zip(BUILDINGS, state.seats[seat].buildings, strict=True)
                if held
            )


def plays(state: State) -> Iterator[Play]:
    """Every play of the seat whose turn it is, farmers before buildings, regardless of the phase;
    no two lead to the same state.
    """
    me, geometry, board = state.seats[state.seat], state.table.geometry, state.board
    held = [symbol for symbol, number in enumerate(me.symbols) if number]
    if me.farmers:
        for place, first in enumerate(held):
            for second in held[place if me.symbols[first] > 1 else place + 1 :]:
                cards = (SYMBOLS[first], SYMBOLS[second])
                yield from (
                    PlaceFarmer(NAMES[space], cards) for space in geometry.areas[first][second] if board[space] == EMPTY
                )
        if me.joker:
            for symbol in held:
                yield from (
                    PlaceFarmer(NAMES[space], (SYMBOLS[symbol],), True)
                    for space in geometry.bands[symbol]
                    if board[space] == EMPTY
                )
    for number, building in enumerate(BUILDINGS):
        if me.buildings[number] and state.stacks[number]:
            for symbol in held:
                card = (SYMBOLS[symbol],)
                yield from (
                    PlaceBuilding(NAMES[space], building, card)
                    for space in geometry.sites[number][symbol]
                    if board[space] == EMPTY
                )
            if me.joker:
                # R5.2: the joker's symbol is not named, so each space is listed once.
                yield from (
                    PlaceBuilding(NAMES[space], building, (), True)
                    for space in geometry.ground[number]
                    if board[space] == EMPTY
                )


def prompt(state: State, seat: Seat) -> str:
    """What the seat is asked, from public facts alone."""
    match state.phase:
        case Phase.START:
            tile = state.seats[seat].start_tile
            return "place your start tile" if tile is None else f"place your start tile, {a(noun(BUILDINGS[tile]))}"
        case Phase.PLAY:
            return "play cards to place a farmer or a building"
        case Phase.EXTRA:
            return "make the second play of your extra turn"
        case Phase.REFILL:
            missing = HAND - state.seats[seat].cards
            if missing == 0:
                return "end your turn, or set a useless building card aside"
            draw = f"draw {amount(missing, 'card')}"
            return f"use your extra turn, or {draw}" if extra_turn_open(state) else draw
        case Phase.DEALING | Phase.OVER:
            return ""


def extra_turn_open(state: State) -> bool:
    """R7.1: whether the awaited seat may use its extra turn now, from public facts alone."""
    return state.phase is Phase.REFILL and state.plays == 1 and not state.refilling and state.seats[state.seat].extra


def _discards(state: State) -> Iterator[Discard]:
    me = state.seats[state.seat]
    held: list[Symbol | Building] = []
    for symbol, number in zip(SYMBOLS, me.symbols, strict=True):
        held += [symbol] * min(number, 2)
    for building, number in zip(BUILDINGS, me.buildings, strict=True):
        held += [building] * min(number, 2)
    for pair in dict.fromkeys(combinations(held, 2)):
        yield Discard(
            tuple(card for card in pair if isinstance(card, Symbol)),
            tuple(card for card in pair if isinstance(card, Building)),
        )


def superfluous(state: State, seat: Seat, action: Action) -> bool:
    """Whether the seat ends a turn that has ended by itself."""
    return isinstance(action, Done) and seat not in to_act(state)
