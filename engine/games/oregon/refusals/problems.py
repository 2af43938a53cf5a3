"""Every rule that an action breaks, in the order in which a player should correct them."""

from __future__ import annotations

from collections.abc import Iterator

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
from engine.games.oregon.components import BUILDING_INDEX, BUILDINGS, Building, Deck
from engine.games.oregon.legal import extra_turn_open
from engine.games.oregon.refill import available, can_replace, is_useless, may_draw
from engine.games.oregon.refusals.placements import (
    first_play,
    hand_problems,
    names,
    not_in_hand,
    play_problems,
    start_problems,
)
from engine.games.oregon.state import HAND, Phase, State
from engine.types import Problem, Seat


def problems(state: State, seat: Seat, action: Action) -> Iterator[Problem]:
    """Every rule that the action of the awaited seat breaks; nothing if it is legal."""
    match action:
        case PlaceFarmer() | PlaceBuilding():
            if state.phase not in (Phase.PLAY, Phase.EXTRA):
                yield _no_play_now(state)
            yield from play_problems(state, action)
        case PlaceStart():
            yield from start_problems(state, action)
        case UseExtraTurn():
            yield from _extra_problems(state)
        case DrawCard(deck):
            yield from _refill_moment(state, "draw") or _draw_problems(state, deck)
        case SetAside(building):
            yield from _refill_moment(state, "set_aside")
            yield from _set_aside_problems(state, building)
        case Discard():
            yield from _discard_problems(state, action)
        case Done():
            yield from _refill_moment(state, "done") or _done_problems(state)


def _no_play_now(state: State) -> Problem:
    if state.phase is Phase.START:
        return _start_tile_first(state)
    if state.plays == 0:
        return Problem("plays_over", "R3.4", {"because": "discarded"})
    if extra_turn_open(state):
        return Problem("extra_turn_needed", "R7.1")
    return Problem("plays_over", "R8.1" if state.refilling else "R7.1", {"because": "played"})


def _start_tile_first(state: State) -> Problem:
    tile = state.seats[state.seat].start_tile
    return Problem("start_tile_first", "R2.4", {"tile": None if tile is None else BUILDINGS[tile].value})


def _refill_moment(state: State, wish: str) -> list[Problem]:
    match state.phase:
        case Phase.START:
            return [_start_tile_first(state)]
        case Phase.PLAY:
            return [Problem("play_first", "R3.1", {"wish": wish, "extra": False})]
        case Phase.EXTRA:
            return [Problem("play_first", "R7.2", {"wish": wish, "extra": True})]
        case _:
            return []


def _extra_problems(state: State) -> Iterator[Problem]:
    """R7.1, R7.2: an extra turn is used after the first play of a turn and before cards are
    drawn.
    """
    if state.phase is Phase.START:
        yield _start_tile_first(state)
        return
    out_of_turn = _extra_moment(state)
    if out_of_turn is not None:
        yield out_of_turn
    active = state.seats[state.seat].extra
    if not active:
        yield Problem("extra_turn_inactive", "R7.1")
    if out_of_turn is None and active and first_play(state) is None:
        yield Problem("no_play_left", "R7.2")


def _extra_moment(state: State) -> Problem | None:
    if state.phase is Phase.PLAY:
        return Problem("play_first", "R7.1", {"wish": "extra_turn", "extra": False})
    if state.plays == 0:
        return Problem("no_extra_turn_after_discard", "R3.4")
    if state.phase is Phase.EXTRA or state.plays > 1:
        return Problem("extra_turn_used", "R7.1", {"play_due": state.phase is Phase.EXTRA})
    if state.refilling:
        return Problem("refill_begun", "R8.1")
    return None


def _draw_problems(state: State, deck: Deck) -> Iterator[Problem]:
    """R8.1, R8.2, R8.6: cards are drawn up to four, with both kinds in hand, from a deck that is
    not empty.
    """
    if may_draw(state, deck):
        return
    other = Deck.BUILDING if deck is Deck.LANDSCAPE else Deck.LANDSCAPE
    if state.seats[state.seat].cards >= HAND:
        yield Problem("hand_full", "R8.1")
    elif not available(state, deck):
        yield Problem("deck_empty", "R8.6", {"deck": deck.value, "other": other.value})
    else:
        yield Problem("needs_both_kinds", "R8.2", {"lacking": other.value, "other": other.value})


def _set_aside_problems(state: State, building: Building) -> Iterator[Problem]:
    """R8.3, R8.4, R8.8: a card that is set aside has to be useless and replaceable."""
    me, number = state.seats[state.seat], BUILDING_INDEX[building]
    if not me.buildings[number]:
        yield not_in_hand(me, "R8.3", building, 1, 0)
        return
    if not is_useless(state, number):
        left = state.stacks[number]
        duplicates = state.table.options.discard_duplicates
        values = {"building": building.value, "left": left, "duplicates": duplicates}
        yield Problem("card_useful", "R8.8" if duplicates else "R8.3", values)
    if state.phase is Phase.REFILL and not can_replace(state):
        yield Problem("cannot_replace", "R8.4")


def _done_problems(state: State) -> Iterator[Problem]:
    cards = state.seats[state.seat].cards
    if cards != HAND:
        yield Problem("hand_not_full", "R8.1", {"cards": cards})


def _discard_problems(state: State, action: Discard) -> Iterator[Problem]:
    """R3.4: two cards of the hand are discarded, only if no play is possible."""
    if state.phase is Phase.START:
        yield _start_tile_first(state)
    elif state.phase is Phase.REFILL:
        yield Problem("plays_over", "R3.4", {"because": "opening"})
    elif (play := first_play(state)) is not None:
        piece = "farmer" if isinstance(play, PlaceFarmer) else play.building.value
        values = {"piece": piece, "space": play.space, "cards": names(play.cards), "joker": play.joker}
        yield Problem("play_possible", "R3.4", values)
    named = len(action.symbols) + len(action.buildings)
    if named != 2:
        yield Problem("wrong_card_count", "R3.4", {"piece": None, "named": named})
    yield from hand_problems(state.seats[state.seat], action.symbols, action.buildings)
