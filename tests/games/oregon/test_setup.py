"""R2: before the first turn."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.games.oregon import GAME
from engine.games.oregon.actions import DealBuilding, DealStartTile, DealSymbol, PlaceStart
from engine.games.oregon.components import Building, Options, Symbol
from engine.games.oregon.legal import candidates, outcomes
from engine.games.oregon.state import Due, Phase, State, check, setup, to_act
from engine.play import judge
from engine.types import CHANCE, Setup
from tests.engine.matches import asked
from tests.games.oregon.playouts import playout
from tests.games.oregon.positions import STANDARD, play, position, refused


def starting(*tiles: str, drawing: str = "", at: str = "A1") -> State:
    """A position in which the start tiles are to be placed."""
    numbers = tuple(list(Building).index(Building(tile)) for tile in tiles)
    left = tuple(0 if index in numbers else 1 for index in range(7))
    return position(drawing, at, seats=len(tiles), start_tile=numbers, start_tiles=left, phase=Phase.START, round=0)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_hands_are_dealt_in_seat_order(seats: int) -> None:
    """R2.1: three landscape cards and a building card for each seat; then (R2.2) the start
    tiles.
    """
    state = setup(Setup(seats, Options(), STANDARD))
    hand = (Due.SYMBOL, Due.SYMBOL, Due.SYMBOL, Due.BUILDING)
    assert state.due == (
        *((due, seat) for seat in range(seats) for due in hand),
        *((Due.START_TILE, seat) for seat in range(seats)),
    )
    assert to_act(state) == (CHANCE,)
    assert check(state) == ()
    while state.due:
        state = GAME.apply(state, CHANCE, GAME.outcomes(state)[0][0])
    assert (state.phase, to_act(state)) == (Phase.START, (0,))


def test_deals_are_weighted_by_what_is_left() -> None:
    """R1.5, R1.6: ten of each symbol, three of each building, one of each start tile; one fewer
    after each deal.
    """
    state = setup(Setup(2, Options(), STANDARD))
    assert outcomes(state) == tuple((DealSymbol(0, symbol), 10) for symbol in Symbol)
    state = play(state, "deal eagle to seat 0", "deal eagle to seat 0", "deal wagon to seat 0")
    assert outcomes(state) == tuple((DealBuilding(0, building), 3) for building in Building)
    state = play(state, "deal church to seat 0")
    assert outcomes(state)[3] == (DealSymbol(1, Symbol.EAGLE), 8)


def test_each_seat_gets_one_start_tile_face_up() -> None:
    """R2.2: without replacement."""
    dealt = [step.action for step in playout(3, 4) if isinstance(step.action, DealStartTile)]
    tiles = [action.building for action in dealt]
    assert len(tiles) == len(set(tiles)) == 4
    assert [action.to for action in dealt] == [0, 1, 2, 3]


def test_every_seat_begins_with_14_farmers_and_active_tokens() -> None:
    """R2.3: and no points."""
    state = setup(Setup(3, Options(), STANDARD))
    assert [(seat.farmers, seat.joker, seat.extra, seat.score) for seat in state.seats] == [(14, True, True, 0)] * 3


def test_start_tiles_are_placed_in_seat_order_on_their_ground() -> None:
    """R2.4: then seat 0 has the first turn (R3.1)."""
    state = starting("coal_mine", "harbour", "church")
    assert asked(GAME, state, 0) == "Place your start tile, a coal mine."
    assert all(judge(GAME, state, 0, action) is None for action in candidates(state, 0))
    assert len(list(candidates(state, 0))) == 27
    assert refused(state, "start A1").rule == "R4.1"
    state = play(state, "start B1")
    assert state.seat == 1
    assert refused(state, "start A10").rule == "R4.2"
    state = play(state, "start B10")
    found = refused(state, "start B10")
    assert (found.code, found.rule) == ("space_taken", "R4.7")
    state = play(state, "start A10")
    assert (state.seat, state.phase, state.round) == (0, Phase.PLAY, 1)
    assert check(state) == ()


def test_nothing_else_can_be_done_before_the_start_tile() -> None:
    """R2.4: every other action is refused with this rule in front."""
    state = starting("coal_mine", "harbour")
    for line in (
        "farmer settler settler G5",
        "draw landscape",
        "extra",
        "done",
        "set aside harbour",
        "discard settler settler",
    ):
        found = refused(state, line)
        assert (found.code, found.rule) == ("start_tile_first", "R2.4"), line


def test_a_start_tile_is_placed_once() -> None:
    """R2.4: later there is none."""
    assert refused(position(), "start A1").code == "start_tile_placed"


def test_a_start_tile_scores_nothing_and_leaves_the_stacks_alone() -> None:
    """R2.5: not even next to a farmer; later it is a building like any other."""
    state = play(starting("coal_mine", "church"), "start B1", "start A1")
    assert [seat.score for seat in state.seats] == [0, 0]
    assert state.stacks == (4,) * 7
    assert state.due == ()


def test_a_farmer_earns_from_a_start_tile() -> None:
    """R2.5, R6.1."""
    state = play(starting("warehouse", "church"), "start H5", "start A1", "farmer settler settler I5")
    assert state.seats[0].score == 1


def test_a_seat_cannot_deal() -> None:
    """R1.6: only chance does."""
    state = position()
    found = judge(GAME, state, 0, DealSymbol(0, Symbol.EAGLE))
    assert found is not None
    assert (found.code, found.rule) == ("not_an_action", "")


def test_the_standard_components() -> None:
    """R1.5: what lies on the table."""
    assert sum(STANDARD.landscape_cards.value.values()) == 50
    assert sum(STANDARD.building_cards.value.values()) == 21
    assert sum(STANDARD.building_tiles.value.values()) == 28
    assert sum(STANDARD.start_tiles.value.values()) == 7
    assert STANDARD.farmers.value == 14
    assert STANDARD.coal_tokens.value == {"1": 7, "2": 7, "3": 7}
    assert STANDARD.gold_tokens.value == {"3": 7, "4": 7, "5": 7}


def test_an_unknown_space_is_refused_for_a_start_tile() -> None:
    """R1.1."""
    found = judge(GAME, starting("church", "harbour"), 0, PlaceStart("Z99"))
    assert found is not None
    assert found.code == "no_such_space"


def test_a_supply_may_run_out() -> None:
    """R1.6: no token left is sound, and fewer than none is not."""
    state = position()
    table = state.table
    held = tuple(value for value in table.coal_values for _ in range(table.components.coal_tokens.value[str(value)]))
    seats = (replace(state.seats[0], coal=held), *state.seats[1:])
    assert check(replace(state, coal=(0,) * len(state.coal), seats=seats)) == ()
    assert check(replace(state, coal=(-1, *state.coal[1:]))) != ()
