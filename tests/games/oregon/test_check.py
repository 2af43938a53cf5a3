"""The invariants of a position: each violation is reported, and nothing else."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engine.games.oregon.board import INDEX
from engine.games.oregon.components import BUILDING_INDEX, BUILDINGS, Building
from engine.games.oregon.state import EMPTY, FIRST_BUILDING, GROUPS, Phase, SeatState, State, check, plus
from tests.games.oregon.positions import position

SOUND = position("CH CM\nR  B")


def moved(state: State, start: str, end: str) -> State:
    """The state with what lies on one space put on another."""
    board = list(state.board)
    board[INDEX[end]], board[INDEX[start]] = board[INDEX[start]], EMPTY
    return replace(state, board=tuple(board))


def with_seat(state: State, number: int, **changes: Any) -> State:
    seats = [replace(seat, **changes) if number == at else seat for at, seat in enumerate(state.seats)]
    return replace(state, seats=tuple(seats))


def earning(building: Building | None, points: int) -> State:
    """The sound state in which seat 1 has got points from a building, or from groups."""
    place = GROUPS if building is None else BUILDING_INDEX[building]
    return with_seat(SOUND, 1, earned=plus(SOUND.seats[1].earned, place, points))


@pytest.mark.parametrize(
    "state",
    [
        SOUND,
        position("R", coal=((1, 1), (3,)), gold=((3, 4, 5), (5,))),
        position(coal=((1,) * 4, (1,) * 3)),
        position("ST", "G1", stacks={"station": 3}),
        earning(Building.POST_OFFICE, 6),
        earning(Building.HARBOUR, 4),
        earning(Building.HARBOUR, 8),
        earning(Building.CHURCH, 7),
        earning(Building.WAREHOUSE, 1),
        earning(None, 5),
    ],
)
def test_a_sound_position_has_nothing_broken(state: State) -> None:
    """Supplies that have run out are sound, and so are the points that each building can give."""
    assert check(state) == ()


HAND: SeatState = SOUND.seats[1]


@pytest.mark.parametrize(
    ("state", "said"),
    [
        (replace(SOUND, landscape_deck=plus(SOUND.landscape_deck, 0)), "there are 11 wagon landscape cards"),
        (replace(SOUND, building_deck=plus(SOUND.building_deck, 0)), "there are 4 post_office building cards"),
        (replace(SOUND, building_discards=plus(SOUND.building_discards, 2)), "there are 4 church building cards"),
        (replace(SOUND, aside=plus(SOUND.aside, 2)), "there are 4 church building cards"),
        (
            replace(SOUND, aside=plus(SOUND.aside, 2, -1), building_deck=plus(SOUND.building_deck, 2)),
            "a deck, a discard pile or a hand holds a negative number of cards",
        ),
        (replace(SOUND, board=SOUND.board[:-1]), "the board has 149 spaces"),
        (replace(SOUND, stacks=plus(SOUND.stacks, 1)), "there are 6 harbour tiles"),
        (replace(SOUND, start_tiles=plus(SOUND.start_tiles, 1)), "there are 6 harbour tiles"),
        (with_seat(SOUND, 1, start_tile=1), "there are 6 harbour tiles"),
        (
            replace(
                SOUND,
                stacks=plus(SOUND.stacks, 1, -5),
                board=(*(FIRST_BUILDING + 1,) * 5, *SOUND.board[5:]),
            ),
            "there are 5 harbour tiles",
        ),
        (moved(SOUND, "A1", "K2"), f"a church is on space {INDEX['K2']}, where it cannot be"),
        (with_seat(SOUND, 1, farmers=12), "seat 1 has 12 farmers left and 1 on the board"),
        (with_seat(SOUND, 0, farmers=14), "seat 0 has 14 farmers left and 1 on the board"),
        (with_seat(SOUND, 0, coal=(1,)), "there are 8 coal tokens of value 1"),
        (with_seat(SOUND, 0, gold=(5,)), "there are 8 gold tokens of value 5"),
        (
            with_seat(replace(SOUND, coal=plus(SOUND.coal, 0, -8)), 0, coal=(1,) * 8),
            "there are 7 coal tokens of value 1",
        ),
        (
            with_seat(position(gold=((3, 4), ())), 0, gold=(4, 3)),
            "the gold tokens of a seat are not in order",
        ),
        (earning(Building.POST_OFFICE, 4), "seat 1 has 4 points from post_office"),
        (earning(Building.HARBOUR, 3), "seat 1 has 3 points from harbour"),
        (earning(None, 4), "seat 1 has earned (0, 0, 0, 0, 0, 0, 0, 4)"),
        (earning(Building.CHURCH, -1), "seat 1 has earned (0, 0, -1, 0, 0, 0, 0, 0)"),
        (earning(Building.COAL_MINE, 2), "seat 1 has points on the track from a mine"),
        (earning(Building.GOLD_MINE, 2), "seat 1 has points on the track from a mine"),
        (
            with_seat(SOUND, 1, symbols=plus(HAND.symbols, 0), buildings=HAND.buildings),
            "seat 1 waits with 4 landscape and 1 building cards",
        ),
        (position(hands=["", "wagon wagon wagon wagon"]), "seat 1 waits with 4 landscape and 0 building cards"),
        (position(hands=["", "church church church church"]), "seat 1 waits with 0 landscape and 4 building cards"),
        (position(hands=["wagon church"]), "seat 0 waits with 1 landscape and 1 building cards"),
    ],
)
def test_broken_invariants_are_named(state: State, said: str) -> None:
    assert said in check(state)


@pytest.mark.parametrize("phase", [Phase.EXTRA, Phase.REFILL])
def test_a_seat_in_the_middle_of_its_turn_may_hold_fewer_cards(phase: Phase) -> None:
    assert check(position(hands=["wagon church"], phase=phase)) == ()


def test_every_kind_of_building_tile_is_counted() -> None:
    for index, building in enumerate(BUILDINGS):
        assert check(replace(SOUND, stacks=plus(SOUND.stacks, index, -1))) == (f"there are 4 {building} tiles",)
