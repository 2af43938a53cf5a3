"""The observation of a match of Oregon by a seat or a spectator."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from engine.documents import About
from engine.games.oregon import actions
from engine.games.oregon.board import NAMES, SPACES
from engine.games.oregon.components import BUILDINGS, SYMBOLS, Building, Deck, Symbol
from engine.games.oregon.legal import plays
from engine.games.oregon.refusals import problems
from engine.games.oregon.score import ended, outcome
from engine.games.oregon.state import Phase, SeatState, State, building_at, farmer_at, to_act
from engine.types import Outcome, Seat, Statement, Viewer


@dataclass(frozen=True, slots=True)
class Hand:
    """The cards in a hand, in canonical order."""

    symbols: Annotated[tuple[Symbol, ...], About("The landscape cards.")]
    buildings: Annotated[tuple[Building, ...], About("The building cards.")]


@dataclass(frozen=True, slots=True)
class SeatObservation:
    """A seat as the viewer sees it."""

    score: Annotated[int, About("Its points on the track.")]
    farmers_left: Annotated[int, About("Its farmers that are left.")]
    joker_active: Annotated[bool, About("True if its joker token can be used.")]
    extra_turn_active: Annotated[bool, About("True if its extra turn token can be used.")]
    landscape_cards: Annotated[int, About("How many landscape cards it has.")]
    building_cards: Annotated[int, About("How many building cards it has.")]
    coal_tokens: Annotated[int, About("How many coal tokens it has.")]
    gold_tokens: Annotated[int, About("How many gold tokens it has.")]
    start_tile: Annotated[Building | None, About("Its start tile; `null` once it is placed.")] = None
    hand: Annotated[Hand | None, About("Its hand; `null` unless it is yours, or the match is over.")] = None
    coal: Annotated[
        tuple[int, ...] | None,
        About("The values of its coal tokens, ascending; `null` unless they are yours, or the match is over."),
    ] = None
    gold: Annotated[
        tuple[int, ...] | None,
        About("The values of its gold tokens, ascending; `null` unless they are yours, or the match is over."),
    ] = None


@dataclass(frozen=True, slots=True)
class BuildingOnBoard:
    """A building tile on a space."""

    space: Annotated[str, About("The space.")]
    building: Annotated[Building, About("The building.")]


@dataclass(frozen=True, slots=True)
class FarmerOnBoard:
    """A farmer on a space."""

    space: Annotated[str, About("The space.")]
    seat: Annotated[int, About("Whose farmer it is.")]


@dataclass(frozen=True, slots=True)
class Offers:
    """What the viewer may do now, in its own turn."""

    farmer: Annotated[bool, About("True if a farmer can be placed.")] = False
    building: Annotated[bool, About("True if a building can be placed.")] = False
    joker: Annotated[bool, About("True if one of these can be done with the joker.")] = False
    discard: Annotated[bool, About("True if no play is possible, so that two cards are given away.")] = False
    extra_turn: Annotated[bool, About("True if the extra turn can be used now, and the cards left allow a play.")] = (
        False
    )
    draw: Annotated[tuple[Deck, ...], About("The decks from which a card can be drawn.")] = ()
    set_aside: Annotated[tuple[Building, ...], About("The building cards that can be replaced.")] = ()
    done: Annotated[bool, About("True if the turn can be ended.")] = False


@dataclass(frozen=True, slots=True)
class Observation:
    """Everything the viewer may know.

    ``phase`` is one of ``dealing``, ``start``,
    ``play``, ``extra`` (the second play of an extra turn is due), ``refill`` (the hand is refilled;
    before the first draw the extra turn may still be used), ``over``.
    """

    viewer: Annotated[int | None, About("The seat of the viewer; `null` for a spectator.")]
    phase: Annotated[str, About("What is to be done now.")]
    to_act: Annotated[tuple[int, ...], About("The awaited seats; -1 is chance.")]
    round: Annotated[int, About("The round.")]
    seats: Annotated[tuple[SeatObservation, ...], About("The seats, from the first.")]
    terrain: Annotated[
        tuple[str, ...], About("Ten rows of fifteen characters: `.` prairie, `~` water, `^` mountain, `=` railway.")
    ]
    column_symbols: Annotated[tuple[Symbol, ...], About("The symbols of the five bands of three columns.")]
    row_symbols: Annotated[tuple[Symbol, ...], About("The symbols of the five bands of two rows.")]
    buildings: Annotated[tuple[BuildingOnBoard, ...], About("The buildings on the board.")]
    farmers: Annotated[tuple[FarmerOnBoard, ...], About("The farmers on the board.")]
    stacks: Annotated[Mapping[Building, int], About("How many tiles are left of each building.")]
    landscape_deck: Annotated[int, About("How many landscape cards are left to draw.")]
    building_deck: Annotated[int, About("How many building cards are left to draw.")]
    landscape_discards: Annotated[Mapping[Symbol, int], About("The landscape cards that were discarded, face up.")]
    building_discards: Annotated[Mapping[Building, int], About("The building cards that were discarded, face up.")]
    set_aside: Annotated[tuple[Building, ...], About("The building cards that were set aside.")]
    coal_supply: Annotated[int, About("How many coal tokens are left.")]
    gold_supply: Annotated[int, About("How many gold tokens are left.")]
    last: Annotated[tuple[str, ...], About("The spaces of the latest turn's placements, oldest first.")] = ()
    ending: Annotated[Statement | None, About("What triggered the end; `null` before.")] = None
    outcome: Annotated[Outcome | None, About("How the match ended; `null` until then.")] = None
    coal_values: Annotated[tuple[int, ...], About("What coal tokens can be worth, ascending.")] = ()
    gold_values: Annotated[tuple[int, ...], About("What gold tokens can be worth, ascending.")] = ()
    offers: Annotated[
        Offers | None, About("What you may do now; `null` unless you are awaited, as it depends on your hand.")
    ] = None


def observe(state: State, viewer: Viewer) -> Observation:
    """R10: what a seat, or a spectator, may know; everything when the match is over."""
    parts = state.table.components
    return Observation(
        viewer=viewer,
        phase=state.phase.value,
        to_act=to_act(state),
        round=state.round,
        seats=tuple(
            _seat(seat, is_open=state.phase is Phase.OVER or number == viewer)
            for number, seat in enumerate(state.seats)
        ),
        terrain=parts.terrain.value,
        column_symbols=parts.columns.value,
        row_symbols=parts.rows.value,
        buildings=tuple(
            BuildingOnBoard(NAMES[space], building)
            for space in range(SPACES)
            if (building := building_at(state, space))
        ),
        farmers=tuple(
            FarmerOnBoard(NAMES[space], seat)
            for space in range(SPACES)
            if (seat := farmer_at(state, space)) is not None
        ),
        stacks=dict(zip(BUILDINGS, state.stacks, strict=True)),
        landscape_deck=sum(state.landscape_deck),
        building_deck=sum(state.building_deck),
        landscape_discards=dict(zip(SYMBOLS, state.landscape_discards, strict=True)),
        building_discards=dict(zip(BUILDINGS, state.building_discards, strict=True)),
        set_aside=tuple(
            building for building, number in zip(BUILDINGS, state.aside, strict=True) for _ in range(number)
        ),
        coal_supply=sum(state.coal),
        gold_supply=sum(state.gold),
        last=tuple(NAMES[space] for space in state.last),
        ending=ended(state) if state.ending else None,
        outcome=outcome(state),
        coal_values=state.table.coal_values,
        gold_values=state.table.gold_values,
        offers=None if viewer is None or viewer not in to_act(state) else _offers(state, viewer),
    )


def seen(state: State, seat: Seat, action: actions.Action, viewer: Viewer) -> actions.Action | None:
    """R10.1: the action; of cards and tokens that chance deals hidden ``None`` for all but the
    owner.
    """
    match action:
        case actions.DealSymbol() | actions.DealBuilding() | actions.DealCoal() | actions.DealGold():
            return action if action.to == viewer else None
        case _:
            return action


def _offers(state: State, seat: Seat) -> Offers:
    def is_legal(action: actions.Action) -> bool:
        return next(iter(problems(state, seat, action)), None) is None

    if state.phase is Phase.START:
        return Offers()
    if state.phase is not Phase.REFILL:
        found = tuple(plays(state))
        farmer = any(isinstance(play, actions.PlaceFarmer) and is_legal(play) for play in found)
        building = any(isinstance(play, actions.PlaceBuilding) and is_legal(play) for play in found)
        joker = any(play.joker and is_legal(play) for play in found)
        return Offers(farmer=farmer, building=building, joker=joker, discard=not (farmer or building))
    return Offers(
        extra_turn=is_legal(actions.UseExtraTurn()),
        draw=tuple(deck for deck in Deck if is_legal(actions.DrawCard(deck))),
        set_aside=tuple(building for building in BUILDINGS if is_legal(actions.SetAside(building))),
        done=is_legal(actions.Done()),
    )


def _seat(seat: SeatState, *, is_open: bool) -> SeatObservation:
    return SeatObservation(
        score=seat.score,
        farmers_left=seat.farmers,
        joker_active=seat.joker,
        extra_turn_active=seat.extra,
        landscape_cards=sum(seat.symbols),
        building_cards=sum(seat.buildings),
        coal_tokens=len(seat.coal),
        gold_tokens=len(seat.gold),
        start_tile=None if seat.start_tile is None else BUILDINGS[seat.start_tile],
        hand=_hand(seat) if is_open else None,
        coal=seat.coal if is_open else None,
        gold=seat.gold if is_open else None,
    )


def _hand(seat: SeatState) -> Hand:
    return Hand(
        tuple(symbol for symbol, number in zip(SYMBOLS, seat.symbols, strict=True) for _ in range(number)),
        tuple(building for building, number in zip(BUILDINGS, seat.buildings, strict=True) for _ in range(number)),
    )
