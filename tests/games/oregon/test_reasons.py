"""What Oregon tells the awaited seat is true: over the states of matches, every stated reason is
compared with the state, and what is said to be possible with the legal list.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any, Final, TypeAlias

import pytest

from engine.conformance.grammar import grammar
from engine.conformance.subject import PlayedMatch, play
from engine.games.oregon import GAME
from engine.games.oregon.actions import PlaceBuilding, PlaceFarmer
from engine.games.oregon.board import INDEX
from engine.games.oregon.components import BUILDING_INDEX, SYMBOLS, Building, Deck, Symbol, Terrain
from engine.games.oregon.legal import available
from engine.games.oregon.sentences import SENTENCES
from engine.games.oregon.state import EMPTY, HAND, Phase, State
from engine.play import is_legal, judge, legal_actions
from engine.types import Seat
from tests.engine.matches import asked, subject

pytestmark = pytest.mark.deep

SEED: Final = 20261124
TRIED: Final = 12
"""So many actions of the grammar are tried in each decision, beside those without values."""
Truth: TypeAlias = Callable[[State, Seat, Any, Mapping[str, Any]], bool]
"""Whether the reason with these values holds for the action in the state."""


@cache
def matches() -> tuple[PlayedMatch, ...]:
    return tuple(play(subject("oregon"), seats, number) for seats in (2, 3, 4) for number in (1, 2))


def can_play(state: State, seat: Seat) -> bool:
    """Whether a play is possible with the cards in hand, were one due."""
    return bool(legal_actions(GAME, replace(state, phase=Phase.EXTRA), seat))


def is_play_legal(state: State, seat: Seat, told: Mapping[str, Any]) -> bool:
    cards = tuple(map(Symbol, told["cards"]))
    if told["piece"] == "farmer":
        return is_legal(GAME, state, seat, PlaceFarmer(told["space"], cards, told["joker"]))
    return is_legal(GAME, state, seat, PlaceBuilding(told["space"], Building(told["piece"]), cards, told["joker"]))


def held(state: State, seat: Seat, card: str) -> int:
    me = state.seats[seat]
    is_symbol = card in SYMBOLS
    number: int = me.symbols[SYMBOLS.index(Symbol(card))] if is_symbol else me.buildings[BUILDING_INDEX[Building(card)]]
    return number


def wrong_number(state: State, seat: Seat, action: Any, values: Mapping[str, Any]) -> bool:
    if values["piece"] is None:
        return bool(len(action.symbols) + len(action.buildings) != 2)
    return bool(len(action.cards) != (2 if values["piece"] == "farmer" else 1) - action.joker)


TRUE: Final[Mapping[str, Truth]] = {
    "start_tile_first": lambda state, seat, action, values: state.phase is Phase.START,
    "start_tile_placed": lambda state, seat, action, values: state.seats[seat].start_tile is None,
    "no_such_space": lambda state, seat, action, values: action.space not in INDEX,
    "space_taken": lambda state, seat, action, values: state.board[INDEX[action.space]] != EMPTY,
    "wrong_terrain": lambda state, seat, action, values: (
        INDEX[action.space] not in state.table.geometry.ground[BUILDING_INDEX[Building(values["building"])]]
    ),
    "harbour_without_water": lambda state, seat, action, values: (
        INDEX[action.space] not in state.table.geometry.ground[BUILDING_INDEX[Building.HARBOUR]]
    ),
    "farmer_on_water": lambda state, seat, action, values: (
        state.table.geometry.terrain[INDEX[action.space]] is Terrain.WATER
    ),
    "outside_area": lambda state, seat, action, values: not headed(state, action),
    "outside_band": lambda state, seat, action, values: not headed(state, action),
    "wrong_card_count": wrong_number,
    "card_not_in_hand": lambda state, seat, action, values: (
        held(state, seat, values["card"]) == values["held"] < values["named"]
    ),
    "joker_inactive": lambda state, seat, action, values: not state.seats[seat].joker,
    "no_farmer_left": lambda state, seat, action, values: state.seats[seat].farmers == 0,
    "stack_empty": lambda state, seat, action, values: state.stacks[BUILDING_INDEX[action.building]] == 0,
    "plays_over": lambda state, seat, action, values: state.phase is Phase.REFILL,
    "play_first": lambda state, seat, action, values: (
        state.phase in (Phase.PLAY, Phase.EXTRA) and can_play(state, seat)
    ),
    "discard_first": lambda state, seat, action, values: state.phase is Phase.PLAY and not can_play(state, seat),
    "extra_turn_needed": lambda state, seat, action, values: "extra" in legal_lines(state, seat),
    "extra_turn_used": lambda state, seat, action, values: state.phase is Phase.EXTRA or state.plays == 2,
    "extra_turn_inactive": lambda state, seat, action, values: not state.seats[seat].extra,
    "no_extra_turn_after_discard": lambda state, seat, action, values: state.phase is Phase.REFILL and state.plays == 0,
    "refill_begun": lambda state, seat, action, values: state.refilling,
    "no_play_left": lambda state, seat, action, values: state.plays == 1 and not can_play(state, seat),
    "play_possible": lambda state, seat, action, values: can_play(state, seat),
    "hand_full": lambda state, seat, action, values: state.seats[seat].cards == HAND,
    "hand_not_full": lambda state, seat, action, values: state.seats[seat].cards == values["cards"] < HAND,
    "deck_empty": lambda state, seat, action, values: available(state, Deck(values["deck"])) == 0,
    "needs_both_kinds": lambda state, seat, action, values: (
        f"draw {values['lacking']}" in legal_lines(state, seat)
        and f"draw {action.deck}" not in legal_lines(state, seat)
    ),
    "card_useful": lambda state, seat, action, values: (
        state.stacks[BUILDING_INDEX[action.building]] == values["left"] > 0
    ),
    "cannot_replace": lambda state, seat, action, values: (
        not any(line.startswith("set aside") for line in legal_lines(state, seat))
    ),
}
"""The reasons by code, each as a condition of its own."""


def headed(state: State, action: Any) -> bool:
    """Whether two cards name the column and the row of the space, or one card either of them."""
    geometry, space = state.table.geometry, INDEX[action.space]
    column, row = SYMBOLS[geometry.column[space]], SYMBOLS[geometry.row[space]]
    if len(action.cards) == 1:
        return action.cards[0] in (column, row)
    return sorted(action.cards) == sorted((column, row))


def legal_lines(state: State, seat: Seat) -> list[str]:
    return [GAME.format(action) for action in legal_actions(GAME, state, seat)]


def test_every_reason_has_a_condition() -> None:
    assert TRUE.keys() == SENTENCES.keys()


def test_every_stated_reason_is_true_and_what_is_said_to_be_possible_is_all_that_is() -> None:
    luck, stated = Random(SEED), Counter[str]()
    everything = grammar(GAME)
    plain = [action for action in everything if not isinstance(action, PlaceFarmer | PlaceBuilding)]
    for match in matches():
        for ply, state, seat in match.decisions():
            tried = (*luck.sample(everything, TRIED), *(action for action in plain if luck.random() < 0.2))
            for action in dict.fromkeys(tried):
                refused = judge(GAME, state, seat, action)
                for each in () if refused is None else (refused, *refused.others):
                    where = f"match {match.seats}-{match.number}, ply {ply}: {GAME.format(action)}: {each.message}"
                    assert TRUE[each.code](state, seat, action, each.values), where
                    if told := each.values.get("play"):
                        assert is_play_legal(state, seat, told), where
                    if "possible" in each.values and state.phase is Phase.REFILL:
                        assert sorted(each.values["possible"]) == sorted(legal_lines(state, seat)), where
                    stated[each.code] += 1
    print(f"seed {SEED}: {dict(stated)}")
    assert stated["joker_inactive"] > 20
    assert stated["extra_turn_inactive"] > 20


def test_a_token_is_active_again_exactly_when_its_building_scores() -> None:
    """What the refusals of the joker and of the extra turn say."""
    scored = Counter[Building]()
    for match in matches():
        for _, before, _, after in match.steps:
            for one, other in zip(before.seats, after.seats, strict=True):
                for building, was, is_now in (
                    (Building.WAREHOUSE, one.joker, other.joker),
                    (Building.STATION, one.extra, other.extra),
                ):
                    index = BUILDING_INDEX[building]
                    scores = other.earned[index] > one.earned[index]
                    assert is_now if scores else is_now <= was
                    scored[building] += scores
    assert min(scored.values()) > 10


def test_the_seat_itself_is_asked_for_what_is_legal() -> None:
    """Whatever the public prompt leaves open."""
    for match in matches():
        for ply, state, seat in match.decisions():
            question, lines = asked(GAME, state, seat, seat).lower(), legal_lines(state, seat)
            begun = {line.split()[0] for line in lines}
            for words, verb in (
                ("a farmer", "farmer"),
                ("a building", "building"),
                ("discard", "discard"),
                ("use your extra turn", "extra"),
                ("draw", "draw"),
                ("set a useless building card aside", "set"),
                ("end your turn", "done"),
            ):
                if state.phase in (Phase.PLAY, Phase.REFILL):
                    assert (words in question) == (verb in begun), f"ply {ply}: {question!r}, {sorted(begun)}"
