"""R10: positions that differ only in what a viewer may not know give equal views and prompts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from engine.games.oregon import GAME
from engine.games.oregon.actions import (
    Action,
    DealBuilding,
    DealCoal,
    DealGold,
    DealSymbol,
    Discard,
    DrawCard,
    PlaceBuilding,
    PlaceFarmer,
    SetAside,
    UseExtraTurn,
)
from engine.games.oregon.components import BUILDING_INDEX, BUILDINGS, SYMBOL_INDEX, SYMBOLS, Building, Options, Symbol
from engine.games.oregon.legal import prompt
from engine.games.oregon.narrate import narrate
from engine.games.oregon.observe import Hand, observe, seen
from engine.games.oregon.state import Phase, SeatState, State, Tally, check, to_act
from engine.play import judge
from engine.types import CHANCE, Layout, Seat, Viewer
from tests.engine.matches import asked
from tests.games.oregon.playouts import Step, playout
from tests.games.oregon.positions import play, position

NAMES = ("Ann", "Bob", "Cid", "Dee")


def viewers(seats: int) -> Iterator[Viewer]:
    yield None
    yield from range(seats)


def reshuffled(random: Random, state: State, viewer: Viewer, spend: Action | None = None) -> State:
    """A state that ``viewer`` cannot tell from this one: other hands, decks and tokens of the
    others. The cards of ``spend`` stay with the seat to act.
    """
    hidden = [seat for seat in range(state.table.seats) if seat != viewer]
    kept_symbols, kept_buildings = _spent(spend)
    symbols = _deal_again(
        random, [state.seats[seat].symbols for seat in hidden], state.landscape_deck, hidden, state.seat, kept_symbols
    )
    buildings = _deal_again(
        random,
        [state.seats[seat].buildings for seat in hidden],
        state.building_deck,
        hidden,
        state.seat,
        kept_buildings,
    )
    coal = _tokens_again(random, [state.seats[seat].coal for seat in hidden], state.coal, state.table.coal_values)
    gold = _tokens_again(random, [state.seats[seat].gold for seat in hidden], state.gold, state.table.gold_values)
    seats: list[SeatState] = list(state.seats)
    for place, seat in enumerate(hidden):
        seats[seat] = replace(
            seats[seat],
            symbols=symbols[0][place],
            buildings=buildings[0][place],
            coal=coal[0][place],
            gold=gold[0][place],
        )
    drawn = state.just_drawn
    if drawn is not None and state.seat in hidden:
        held = [index for index, number in enumerate(seats[state.seat].buildings) if number]
        drawn = random.choice(held) if held else drawn
    return replace(
        state,
        seats=tuple(seats),
        landscape_deck=symbols[1],
        building_deck=buildings[1],
        coal=coal[1],
        gold=gold[1],
        just_drawn=drawn,
    )


def _spent(action: Action | None) -> tuple[list[int], list[int]]:
    match action:
        case PlaceFarmer():
            return [SYMBOL_INDEX[card] for card in action.cards], []
        case PlaceBuilding():
            return [SYMBOL_INDEX[card] for card in action.cards], [BUILDING_INDEX[action.building]]
        case SetAside():
            return [], [BUILDING_INDEX[action.building]]
        case Discard():
            return [SYMBOL_INDEX[card] for card in action.symbols], [BUILDING_INDEX[card] for card in action.buildings]
        case _:
            return [], []


def _deal_again(
    random: Random, hands: list[Tally], deck: Tally, seats: list[Seat], acting: Seat, kept: list[int]
) -> tuple[list[Tally], Tally]:
    pool = [kind for tally in (*hands, deck) for kind, number in enumerate(tally) for _ in range(number)]
    keeps = [list(kept) if seat == acting else [] for seat in seats]
    for keep in keeps:
        for kind in keep:
            pool.remove(kind)
    random.shuffle(pool)
    dealt = []
    for tally, keep in zip(hands, keeps, strict=True):
        cards = keep + [pool.pop() for _ in range(sum(tally) - len(keep))]
        dealt.append(tuple(cards.count(kind) for kind in range(len(deck))))
    return dealt, tuple(pool.count(kind) for kind in range(len(deck)))


def _tokens_again(
    random: Random, held: list[tuple[int, ...]], supply: Tally, values: tuple[int, ...]
) -> tuple[list[tuple[int, ...]], Tally]:
    pool = [value for tokens in held for value in tokens] + [
        value for value, number in zip(values, supply, strict=True) for _ in range(number)
    ]
    random.shuffle(pool)
    dealt = [tuple(sorted(pool.pop() for _ in tokens)) for tokens in held]
    return dealt, tuple(pool.count(value) for value in values)


def other_deal(random: Random, state: State, action: Action) -> Action:
    """Another outcome of the same draw, if it is a hidden one."""
    if not isinstance(action, DealSymbol | DealBuilding | DealCoal | DealGold):
        return action
    return random.choice([outcome for outcome, _ in GAME.outcomes(state)])


def shown(state: State, viewer: Viewer) -> tuple[object, ...]:
    """Everything a viewer is shown of a position."""
    observation = observe(state, viewer)
    names = NAMES[: state.table.seats]
    prompts = tuple(prompt(state, seat) for seat in to_act(state) if seat != CHANCE)
    return (
        observation,
        GAME.text(observation, names),
        GAME.svg(observation, names, Layout.DESKTOP),
        to_act(state),
        prompts,
    )


def told(step: Step, viewer: Viewer) -> tuple[object, ...]:
    """Everything a viewer is told of an entry."""
    return (
        seen(step.before, step.seat, step.action, viewer),
        narrate(step.before, step.seat, step.action, step.after, viewer, NAMES[: step.before.table.seats]),
    )


@pytest.mark.parametrize(
    ("seed", "seats", "duplicates"),
    [
        (1, 2, False),
        (2, 3, True),
        *(pytest.param(*each, marks=pytest.mark.deep) for each in [(3, 4, False), (4, 2, True)]),
    ],
)
def test_observations_narration_and_prompts_show_nothing_hidden(seed: int, seats: int, duplicates: bool) -> None:
    """R10.1, R10.3: along a match, every position, entry and question against others that differ in
    hidden cards and tokens.
    """
    random = Random(seed)
    compared = 0
    for number, step in enumerate(playout(seed, seats, Options(duplicates))):
        if step.after.phase is Phase.OVER or step.before.phase is Phase.DEALING:
            continue
        for viewer in viewers(seats):
            other = reshuffled(random, step.before, viewer, step.action)
            assert check(other) == ()
            mine = isinstance(step.action, DealSymbol | DealBuilding | DealCoal | DealGold) and step.action.to == viewer
            action = step.action if mine else other_deal(random, other, step.action)
            if mine and action not in [outcome for outcome, _ in GAME.outcomes(other)]:
                continue
            variant = Step(other, step.seat, action, GAME.apply(other, step.seat, action))
            assert told(variant, viewer) == told(step, viewer)
            assert to_act(variant.after) == to_act(step.after)
            if number % 4 == 0:
                assert shown(other, viewer) == shown(step.before, viewer)
                assert shown(variant.after, viewer) == shown(step.after, viewer)
            if other != step.before:
                compared += 1
    assert compared > 100


@pytest.mark.parametrize("seed", [5, 6])
def test_bots_value_a_position_by_what_they_know(seed: int) -> None:
    """R10.1: the value of a position to a seat is that of every position it cannot tell from it; at
    the end, too, or a bot that thinks of ending the match would know what that reveals.
    """
    random = Random(seed)
    for step in playout(seed, 3):
        for seat in range(3):
            assert GAME.evaluate(step.after, seat) == GAME.evaluate(reshuffled(random, step.after, seat), seat)


def test_a_seat_sees_its_own_cards_and_tokens() -> None:
    """R10.1: and a spectator nobody's."""
    state = position(
        hands=["wagon bison bison church", "eagle eagle eagle station"], coal=((1, 3), (2,)), gold=((), (5,))
    )
    mine, theirs = observe(state, 0).seats
    assert mine.hand == Hand((Symbol.WAGON, Symbol.BISON, Symbol.BISON), (Building.CHURCH,))
    assert (mine.coal, mine.gold) == ((1, 3), ())
    assert (theirs.hand, theirs.coal, theirs.gold) == (None, None, None)
    assert all((seat.hand, seat.coal, seat.gold) == (None, None, None) for seat in observe(state, None).seats)


def test_what_is_public_is_seen_by_all() -> None:
    """R10.2: backs of cards, numbers of tokens, sides, stacks, discards, decks and supplies."""
    state = position(
        "R . PO",
        "A9",
        hands=["wagon bison church station", "eagle eagle eagle station"],
        coal=((1, 3), (2,)),
        joker=(False, True),
        extra=(True, False),
        stacks={"church": 0},
    )
    state = play(state, "farmer wagon bison A3", "set aside church")
    for viewer in viewers(2):
        observation = observe(state, viewer)
        assert [
            (seat.landscape_cards, seat.building_cards, seat.coal_tokens, seat.gold_tokens)
            for seat in observation.seats
        ] == [(0, 1, 2, 0), (3, 1, 1, 0)]
        assert [(seat.joker_active, seat.extra_turn_active) for seat in observation.seats] == [
            (False, True),
            (True, False),
        ]
        assert observation.set_aside == (Building.CHURCH,)
        assert observation.stacks[Building.CHURCH] == 0
        assert observation.landscape_discards == {**dict.fromkeys(SYMBOLS, 0), Symbol.WAGON: 1, Symbol.BISON: 1}
        assert observation.building_discards == dict.fromkeys(BUILDINGS, 0)
        assert (observation.coal_supply, observation.gold_supply) == (18, 21)
        assert observation.landscape_deck == 45
        assert [(farmer.space, farmer.seat) for farmer in observation.farmers] == [("A3", 0), ("A9", 0)]
        assert observation.last == ("A3",)


def test_at_the_end_everything_is_visible() -> None:
    """R10.1: for the others and for spectators."""
    *_, last = playout(1, 2)
    for viewer in viewers(2):
        assert all(None not in (seat.hand, seat.coal, seat.gold) for seat in observe(last.after, viewer).seats)


def test_a_deal_is_visible_to_its_seat_alone() -> None:
    """R10.1, R10.2: cards and tokens are concealed from the others, start tiles are not."""
    state = position()
    for action in (DealSymbol(0, Symbol.EAGLE), DealBuilding(0, Building.CHURCH), DealCoal(0, 2), DealGold(0, 4)):
        assert seen(state, CHANCE, action, 0) == action
        assert seen(state, CHANCE, action, 1) is None
        assert seen(state, CHANCE, action, None) is None
    assert seen(state, 0, PlaceFarmer("G5", (Symbol.SETTLER, Symbol.SETTLER)), 1) is not None


def test_the_prompt_after_a_play_does_not_reveal_a_possible_second_one() -> None:
    """R10.3, R7.2: with or without a possible second play the seat is asked the same."""
    possible = play(position(hands=["wagon wagon settler church"]), "farmer wagon wagon A1")
    impossible = play(position(hands=["wagon wagon church church"], joker=(False, True)), "farmer wagon wagon A1")
    assert judge(GAME, possible, 0, UseExtraTurn()) is None
    assert judge(GAME, impossible, 0, UseExtraTurn()) is not None
    assert prompt(possible, 0) == prompt(impossible, 0)
    assert asked(GAME, possible, 0) == "Use your extra turn, or draw 2 cards."
    assert to_act(possible) == to_act(impossible) == (0,)


def test_without_an_active_token_nothing_is_offered() -> None:
    """R10.3: the side of the token is public, so the question may tell it."""
    state = play(position(hands=["wagon wagon settler church"], extra=(False, True)), "farmer wagon wagon A1")
    assert asked(GAME, state, 0) == "Draw 2 cards."


def test_a_draw_names_its_deck() -> None:
    """R10.2: the backs differ, so everyone sees from which deck a card comes."""
    action = next(step.action for step in playout(1, 2) if isinstance(step.action, DrawCard))
    assert seen(position(), 0, action, None) == action
