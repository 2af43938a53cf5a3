"""The observation of a match of Oregon by a seat or a spectator."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.games.oregon import actions
from engine.games.oregon.board import NAMES, SPACES
from engine.games.oregon.components import BUILDINGS, SYMBOLS, Building, Deck, Symbol
from engine.games.oregon.legal import plays
from engine.games.oregon.refusals import problems
from engine.games.oregon.score import ending_sentence, outcome
from engine.games.oregon.state import Phase, SeatState, State, building_at, farmer_at, to_act
from engine.types import Outcome, Seat, Viewer


@dataclass(frozen=True, slots=True)
class Hand:
    """The cards in a hand, in canonical order."""

    symbols: tuple[Symbol, ...]
    buildings: tuple[Building, ...]


@dataclass(frozen=True, slots=True)
class SeatObservation:
    """A seat as the viewer sees it.

    ``landscape_cards`` and ``building_cards`` count the hand by backs; ``hand``, ``coal`` and
    ``gold`` (token values, ascending) are ``None`` unless the viewer owns them or the match is
    over. ``start_tile`` is face up until it is placed.
    """

    score: int
    farmers_left: int
    joker_active: bool
    extra_turn_active: bool
    landscape_cards: int
    building_cards: int
    coal_tokens: int
    gold_tokens: int
    start_tile: Building | None = None
    hand: Hand | None = None
    coal: tuple[int, ...] | None = None
    gold: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class BuildingOnBoard:
    """A building tile on a space."""

    space: str
    building: Building


@dataclass(frozen=True, slots=True)
class FarmerOnBoard:
    """A farmer on a space."""

    space: str
    seat: int


@dataclass(frozen=True, slots=True)
class Offers:
    """What the viewer may do now, in its own turn.

    ``farmer`` and ``building``: such a play is possible; ``joker``: one that uses the joker is;
    ``discard``: no play is possible, so two cards are given away. ``extra_turn``: it may be used
    now, and the cards left allow a play. ``draw`` are the decks from which a card may be drawn,
    ``set_aside`` the building cards that may be replaced; ``done``: the turn may be ended.
    """

    farmer: bool = False
    building: bool = False
    joker: bool = False
    discard: bool = False
    extra_turn: bool = False
    draw: tuple[Deck, ...] = ()
    set_aside: tuple[Building, ...] = ()
    done: bool = False


@dataclass(frozen=True, slots=True)
class Observation:
    """Everything the viewer may know.

    ``viewer`` is a seat, or ``None`` for a spectator. ``phase`` is one of ``dealing``, ``start``,
    ``play``, ``extra`` (the second play of an extra turn is due), ``refill`` (the hand is refilled;
    before the first draw the extra turn may still be used), ``over``; ``to_act`` are the awaited
    seats (-1 for chance). ``terrain`` holds ten rows of fifteen characters (``.`` prairie, ``~``
    water, ``^`` mountain, ``=`` railway); ``column_symbols`` name the five bands of three columns,
    ``row_symbols`` those of two rows. ``last`` are the spaces of the latest turn's placements,
    oldest first. ``landscape_discards`` and ``building_discards`` count the face-up discards.
    ``ending`` says what triggered the end, and is ``None`` before. ``coal_values`` and
    ``gold_values`` are what tokens can be worth, ascending. ``offers`` is ``None`` unless the
    viewer is awaited: what a seat may do depends on its hand, which nobody else may know.
    """

    viewer: int | None
    phase: str
    to_act: tuple[int, ...]
    round: int
    seats: tuple[SeatObservation, ...]
    terrain: tuple[str, ...]
    column_symbols: tuple[Symbol, ...]
    row_symbols: tuple[Symbol, ...]
    buildings: tuple[BuildingOnBoard, ...]
    farmers: tuple[FarmerOnBoard, ...]
    stacks: Mapping[Building, int]
    landscape_deck: int
    building_deck: int
    landscape_discards: Mapping[Symbol, int]
    building_discards: Mapping[Building, int]
    set_aside: tuple[Building, ...]
    coal_supply: int
    gold_supply: int
    last: tuple[str, ...] = ()
    ending: str | None = None
    outcome: Outcome | None = None
    coal_values: tuple[int, ...] = ()
    gold_values: tuple[int, ...] = ()
    offers: Offers | None = None


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
        ending=ending_sentence(state) if state.ending else None,
        outcome=outcome(state),
        coal_values=state.table.coal_values,
        gold_values=state.table.gold_values,
        offers=None if viewer is None or viewer not in to_act(state) else _offers(state, viewer),
    )


def seen(state: State, seat: Seat, action: actions.Action, viewer: Viewer) -> actions.Action | None:
    """R10.1: the action as the viewer may know it.

    Hidden cards and tokens that chance deals are known only to their owner (``None`` for others);
    all other actions are public.
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
