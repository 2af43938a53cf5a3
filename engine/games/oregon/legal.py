"""The one judge: what a seat may do now, and why it may not do the rest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations_with_replacement

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
from engine.games.oregon.components import BUILDING_INDEX, BUILDINGS, SYMBOLS, Building, Deck, Symbol, noun
from engine.games.oregon.plays import (
    Problems,
    building_words,
    described,
    first_play,
    hand_problems,
    play_problems,
    plays,
    start_problems,
)
from engine.games.oregon.refill import available, can_replace, is_useless, may_draw
from engine.games.oregon.state import EMPTY, HAND, Phase, State, to_act
from engine.types import Seat, Violation
from engine.wording import a


def candidates(state: State, seat: Seat) -> Iterable[Action]:
    """What the seat might do, in canonical order; every legal action is among them, once."""
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


def violation(state: State, seat: Seat, action: Action) -> Violation | None:
    """Why the action is refused, the rule that refuses it first in front and every other broken
    rule in ``others``; ``None`` if it is legal.
    """
    if seat not in to_act(state):
        return Violation("not_your_turn", "R3.1", "It is not your turn; wait until you are awaited.")
    problems = _problems(state, action)
    if not problems:
        return None
    first = problems[0]
    return Violation(first.code, first.rule, first.message, tuple(problems[1:])) if len(problems) > 1 else first


def prompt(state: State, seat: Seat) -> str:
    """What the seat is asked, from what everyone knows."""
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
            draw = f"draw {missing} card{'' if missing == 1 else 's'}"
            return f"use your extra turn, or {draw}" if _extra_turn_open(state) else draw
        case Phase.DEALING | Phase.OVER:
            return ""


def _problems(state: State, action: Action) -> Problems:
    match action:
        case PlaceFarmer() | PlaceBuilding():
            if state.phase in (Phase.PLAY, Phase.EXTRA):
                return play_problems(state, action)
            return [_no_play_now(state), *play_problems(state, action)]
        case PlaceStart():
            return start_problems(state, action)
        case UseExtraTurn():
            return _extra_problems(state)
        case DrawCard():
            return _refill_moment(state, "draw") or _draw_problems(state, action.deck)
        case SetAside():
            return _refill_moment(state, "set a card aside") + _set_aside_problems(state, action.building)
        case Discard():
            return _discard_problems(state, action)
        case Done():
            return _refill_moment(state, "end your turn") or _done_problems(state)
        case _:
            return [
                Violation(
                    "chance_only",
                    "R1.6",
                    f"Only chance deals; a seat cannot submit {str(getattr(action, 'type', 'this'))[:20]!r}.",
                )
            ]


def _no_play_now(state: State) -> Violation:
    if state.phase is Phase.START:
        return _start_tile_first(state)
    if state.plays == 0:
        return Violation("plays_over", "R3.4", "You have discarded because no play was possible; now draw cards.")
    if _extra_turn_open(state):
        return Violation(
            "extra_turn_needed",
            "R7.1",
            "You have made your play; a second one needs your extra turn token, so use that first, or draw cards.",
        )
    return Violation(
        "plays_over", "R8.1" if state.refilling else "R7.1", "Your plays are over; now draw cards up to four."
    )


def _start_tile_first(state: State) -> Violation:
    tile = state.seats[state.seat].start_tile
    return Violation(
        "start_tile_first",
        "R2.4",
        f"Place your start tile first{'' if tile is None else f', {a(noun(BUILDINGS[tile]))}'}.",
    )


def _extra_turn_open(state: State) -> bool:
    return state.phase is Phase.REFILL and state.plays == 1 and not state.refilling and state.seats[state.seat].extra


def _extra_problems(state: State) -> Problems:
    if state.phase is Phase.START:
        return [_start_tile_first(state)]
    problems: Problems = []
    if state.phase is Phase.PLAY:
        problems.append(
            Violation("play_first", "R7.1", "An extra turn follows a play; make your first play of this turn.")
        )
    elif state.plays == 0:
        problems.append(
            Violation(
                "no_extra_turn_after_discard", "R3.4", "No extra turn follows when you had to discard; draw cards."
            )
        )
    elif state.phase is Phase.EXTRA or state.plays > 1:
        what = "make its play" if state.phase is Phase.EXTRA else "draw cards"
        problems.append(
            Violation(
                "extra_turn_used",
                "R7.1",
                f"You have used an extra turn already, and there is at most one in a turn; {what}.",
            )
        )
    elif state.refilling:
        problems.append(
            Violation(
                "refill_begun",
                "R8.1",
                "You have begun to refill your hand, which gave up the extra turn; go on drawing.",
            )
        )
    if not state.seats[state.seat].extra:
        problems.append(
            Violation(
                "extra_turn_inactive",
                "R7.1",
                "Your extra turn token is inactive; a station next to a farmer of yours makes it active again.",
            )
        )
    if not problems and first_play(state) is None:
        problems.append(
            Violation(
                "no_play_left",
                "R7.2",
                "The cards left in your hand allow no play, so the extra turn cannot be used; draw cards.",
            )
        )
    return problems


def _refill_moment(state: State, wish: str) -> Problems:
    match state.phase:
        case Phase.START:
            return [_start_tile_first(state)]
        case Phase.PLAY:
            return [Violation("play_first", "R3.1", f"You cannot {wish} before you have made a play.")]
        case Phase.EXTRA:
            return [
                Violation(
                    "play_first",
                    "R7.2",
                    f"You cannot {wish} now: you have used your extra turn, so its play comes first.",
                )
            ]
        case _:
            return []


def _draw_problems(state: State, deck: Deck) -> Problems:
    if may_draw(state, deck):
        return []
    me, other = state.seats[state.seat], Deck.BUILDING if deck is Deck.LANDSCAPE else Deck.LANDSCAPE
    if me.cards >= HAND:
        return [
            Violation(
                "hand_full",
                "R8.1",
                "Your hand holds four cards already; set a useless building card aside, or end your turn.",
            )
        ]
    if not available(state, deck):
        return [
            Violation("deck_empty", "R8.6", f"The {deck} deck and its discards are empty; draw from the {other} deck.")
        ]
    lacking = "building" if deck is Deck.LANDSCAPE else "landscape"
    return [
        Violation(
            "needs_both_kinds",
            "R8.2",
            f"You must end with at least one {lacking} card in hand, so draw from the {other} deck.",
        )
    ]


def _set_aside_problems(state: State, building: Building) -> Problems:
    me, word = state.seats[state.seat], noun(building)
    if not me.buildings[BUILDING_INDEX[building]]:
        return [
            Violation(
                "card_not_in_hand",
                "R8.3",
                f"You hold no {word} card; your building cards are"
                f" {', '.join(building_words(me.buildings)) or 'none'}.",
            )
        ]
    problems: Problems = []
    if not is_useless(state, BUILDING_INDEX[building]):
        left = state.stacks[BUILDING_INDEX[building]]
        if state.table.options.discard_duplicates and left:
            message = (
                f"There are {left} {word} tiles left, and it is not a card just drawn that you hold twice, so your"
                f" {word} card stays in your hand."
            )
            problems.append(Violation("card_useful", "R8.8", message))
        else:
            problems.append(
                Violation(
                    "card_useful",
                    "R8.3",
                    f"A card is set aside only when no tile of it is left; there are {left} {word} tiles, so keep the"
                    " card.",
                )
            )
    if state.phase is Phase.REFILL and not can_replace(state):
        problems.append(
            Violation(
                "cannot_replace",
                "R8.4",
                "The decks and discards could not complete your hand afterwards, so the card has to stay.",
            )
        )
    return problems


def _done_problems(state: State) -> Problems:
    cards = state.seats[state.seat].cards
    if cards == HAND:
        return []
    return [Violation("hand_not_full", "R8.1", f"You hold {cards} cards; draw up to four before you end your turn.")]


def _discard_problems(state: State, action: Discard) -> Problems:
    problems: Problems = []
    if state.phase is Phase.START:
        problems.append(_start_tile_first(state))
    elif state.phase is Phase.REFILL:
        problems.append(
            Violation(
                "plays_over",
                "R3.4",
                "Cards are discarded instead of the play that opens a turn; now it is time to draw.",
            )
        )
    else:
        play = first_play(state)
        if play is not None:
            problems.append(
                Violation(
                    "play_possible",
                    "R3.4",
                    f"You discard only when no play is possible; one is, for instance {described(play)}.",
                )
            )
    named = len(action.symbols) + len(action.buildings)
    if named != 2:
        problems.append(Violation("wrong_card_count", "R3.4", f"Exactly two cards are discarded; you named {named}."))
    return problems + hand_problems(state.seats[state.seat], action.symbols, action.buildings)


def _discards(state: State) -> Iterator[Discard]:
    me = state.seats[state.seat]
    held: list[Symbol | Building] = [symbol for symbol, number in zip(SYMBOLS, me.symbols, strict=True) if number]
    held += [building for building, number in zip(BUILDINGS, me.buildings, strict=True) if number]
    for pair in combinations_with_replacement(held, 2):
        discard = Discard(
            tuple(card for card in pair if isinstance(card, Symbol)),
            tuple(card for card in pair if isinstance(card, Building)),
        )
        if not hand_problems(me, discard.symbols, discard.buildings):
            yield discard
