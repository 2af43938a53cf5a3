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
from engine.games.oregon.components import BUILDING_INDEX, BUILDINGS, Building, Deck, noun
from engine.games.oregon.legal import extra_turn_open, plays, prompt
from engine.games.oregon.refill import available, can_replace, is_useless, may_draw, may_set_aside
from engine.games.oregon.refusals.placements import (
    described,
    first_play,
    hand_problems,
    not_in_hand,
    play_problems,
    start_problems,
)
from engine.games.oregon.state import HAND, Phase, State
from engine.types import Problem, Seat
from engine.wording import amount, either


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
    possible = {"possible": possible_in_refill(state)}
    if state.plays == 0:
        return Problem("plays_over", "R3.4", {"because": "discarded", **possible})
    if not extra_turn_open(state):
        return Problem("plays_over", "R8.1" if state.refilling else "R7.1", {"because": "played", **possible})
    if may_use_extra_turn(state):
        return Problem("extra_turn_needed", "R7.1", possible)
    return Problem("no_play_left", "R7.2", possible)


def may_use_extra_turn(state: State) -> bool:
    """R7.1, R7.2: whether the awaited seat may use its extra turn now, its cards considered."""
    return extra_turn_open(state) and first_play(state) is not None


def possible_in_refill(state: State) -> list[str]:
    """What the awaited seat may do in the refill, as lines of notation."""
    asides = (building for index, building in enumerate(BUILDINGS) if may_set_aside(state, index))
    return [
        *(["extra"] if may_use_extra_turn(state) else []),
        *(f"draw {deck}" for deck in Deck if may_draw(state, deck)),
        *(f"set aside {noun(building)}" for building in asides),
        *(["done"] if state.seats[state.seat].cards == HAND else []),
    ]


def own_prompt(state: State, seat: Seat) -> str:
    """What the awaited seat itself is asked, made from what is legal for it."""
    match state.phase:
        case Phase.PLAY:
            found = {isinstance(play, PlaceFarmer) for play in plays(state) if not any(play_problems(state, play))}
            pieces = [piece for is_farmer, piece in ((True, "a farmer"), (False, "a building")) if is_farmer in found]
            return f"play cards to place {either(pieces)}" if pieces else "discard two cards, as no play is possible"
        case Phase.REFILL:
            missing = HAND - state.seats[seat].cards
            wishes = ["use your extra turn"] if may_use_extra_turn(state) else []
            wishes.append(f"draw {amount(missing, 'card')}" if missing else "end your turn")
            if any(may_set_aside(state, building) for building in range(len(BUILDINGS))):
                wishes.append("set a useless building card aside")
            return ", or ".join(wishes)
        case _:
            return prompt(state, seat)


def _start_tile_first(state: State) -> Problem:
    tile = state.seats[state.seat].start_tile
    return Problem("start_tile_first", "R2.4", {"tile": None if tile is None else BUILDINGS[tile].value})


def _refill_moment(state: State, wish: str) -> list[Problem]:
    match state.phase:
        case Phase.START:
            return [_start_tile_first(state)]
        case Phase.PLAY:
            if first_play(state) is None:
                return [Problem("discard_first", "R3.4", {"wish": wish})]
            return [Problem("play_first", "R7.1" if wish == "extra_turn" else "R3.1", {"wish": wish, "extra": False})]
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
        possible = possible_in_refill(state) if state.phase is Phase.REFILL else []
        yield Problem("extra_turn_inactive", "R7.1", {"possible": possible})
    if out_of_turn is None and active and first_play(state) is None:
        yield Problem("no_play_left", "R7.2", {"possible": possible_in_refill(state)})


def _extra_moment(state: State) -> Problem | None:
    if state.phase is Phase.PLAY:
        (problem,) = _refill_moment(state, "extra_turn")
        return problem
    if state.phase is Phase.EXTRA:
        return Problem("extra_turn_used", "R7.1", {"play_due": True, "possible": []})
    possible = {"possible": possible_in_refill(state)}
    if state.plays == 0:
        return Problem("no_extra_turn_after_discard", "R3.4", possible)
    if state.plays > 1:
        return Problem("extra_turn_used", "R7.1", {"play_due": False, **possible})
    return Problem("refill_begun", "R8.1", possible) if state.refilling else None


def _draw_problems(state: State, deck: Deck) -> Iterator[Problem]:
    """R8.1, R8.2, R8.6: cards are drawn up to four, with both kinds in hand, from a deck that is
    not empty.
    """
    if may_draw(state, deck):
        return
    lacking = Deck.BUILDING if deck is Deck.LANDSCAPE else Deck.LANDSCAPE
    possible = {"possible": possible_in_refill(state)}
    if state.seats[state.seat].cards >= HAND:
        yield Problem("hand_full", "R8.1", possible)
    elif not available(state, deck):
        yield Problem("deck_empty", "R8.6", {"deck": deck.value, **possible})
    else:
        yield Problem("needs_both_kinds", "R8.2", {"lacking": lacking.value, **possible})


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
        yield Problem("cannot_replace", "R8.4", {"possible": possible_in_refill(state)})


def _done_problems(state: State) -> Iterator[Problem]:
    cards = state.seats[state.seat].cards
    if cards != HAND:
        yield Problem("hand_not_full", "R8.1", {"cards": cards, "possible": possible_in_refill(state)})


def _discard_problems(state: State, action: Discard) -> Iterator[Problem]:
    """R3.4: two cards of the hand are discarded, only if no play is possible."""
    if state.phase is Phase.START:
        yield _start_tile_first(state)
    elif state.phase is Phase.REFILL:
        yield Problem("plays_over", "R3.4", {"because": "opening", "possible": possible_in_refill(state)})
    elif (play := first_play(state)) is not None:
        yield Problem("play_possible", "R3.4", {"play": described(play)})
    named = len(action.symbols) + len(action.buildings)
    if named != 2:
        yield Problem("wrong_card_count", "R3.4", {"piece": None, "named": named})
    yield from hand_problems(state.seats[state.seat], action.symbols, action.buildings)
