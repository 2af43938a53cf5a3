"""The invariants of a state: each violation is reported by a sentence."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engine.games.ozeanien.board import IMAGINED, RESERVE
from engine.games.ozeanien.state import Ending, Explorer, Phase, State, check, plus
from engine.games.ozeanien.tiles import KIND_INDEX, LANDS, Kind
from tests.games.ozeanien.positions import position

SOUND = position(". . .\n. . .\n. . .")


def board(**tiles: str) -> tuple[int, ...]:
    """The empty board with lands on some of its spaces."""
    placed = list(SOUND.board)
    for name, land in tiles.items():
        placed[SOUND.table.ground.names.index(name)] = LANDS[land]
    return tuple(placed)


def test_a_sound_state_has_nothing_broken() -> None:
    assert check(SOUND) == ()


SEA = KIND_INDEX[Kind.SEA]
STRAIT = board(A1="NS")
"""The empty board with a strait in its corner."""
NO_PART = "an explorer on A1 is on no part of an island"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"board": board(A1="NESW")}, "there are 21 inland sea tiles"),
        (
            {"seats": (replace(SOUND.seats[0], discarded=plus(SOUND.seats[0].discarded, SEA)), SOUND.seats[1])},
            "there are 21 sea sea tiles",
        ),
        ({"bag": (-1, *SOUND.bag[1:])}, "there are -1 sea sea tiles"),
        ({"reserve": (-1, *SOUND.reserve[1:])}, "there are -1 sea reserve tiles"),
        ({"board": (RESERVE, *SOUND.board[1:])}, "there are 6 sea reserve tiles"),
        ({"board": (IMAGINED, *SOUND.board[1:])}, "a sea tile is imagined although the reserve has some"),
        ({"draws": SOUND.draws - 1}, f"{SOUND.draws - 1} tiles may be drawn, and {sum(SOUND.bag)} are unseen"),
        ({"draws": -1, "bag": (2, 0, 0, 0, 0, 0)}, "-1 tiles may be drawn, and 2 are unseen"),
        ({"board": SOUND.board[:-1]}, "the board has 8 spaces"),
        ({"board": board(A1="E", B1="")}, "the tile on A1 does not match its neighbours"),
        ({"board": board(B1="", A2="", B3="", C2="", A1="", C1="", A3="", C3="")}, "B2 stays enclosed"),
        ({"explorers": (Explorer(0, None, 0, 1), Explorer(0, None, 1, 1))}, "a tile has two explorers"),
        ({"explorers": (Explorer(0, None, 0, 1),)}, "an explorer is on A1, which no seat has explored"),
        (
            {"board": (RESERVE + LANDS["E"], *SOUND.board[1:]), "explorers": (Explorer(0, None, 0, 1),)},
            "an explorer is on A1, which no seat has explored",
        ),
        (
            {"board": board(A1="N"), "explorers": (Explorer(0, 1, 0, 1),)},
            NO_PART,
        ),
        (
            {"board": STRAIT, "explorers": (Explorer(0, None, 0, 1),)},
            NO_PART,
        ),
        ({"board": STRAIT, "explorers": (Explorer(0, 1, 0, 1),)}, NO_PART),
        ({"explorers": (Explorer(0, None, 0, 1),)}, "seat 0 has 6 explorers of value 1"),
        (
            {"seats": (replace(SOUND.seats[0], explorers=(-1, 2, 1), given_up=(6, 0, 0)), SOUND.seats[1])},
            "seat 0 has 5 explorers of value 1",
        ),
        ({"tile": SEA}, "a tile is at hand: 0; the phase is ship"),
        ({"phase": Phase.PLACE, "ship": 0}, "a tile is at hand: None; the phase is place"),
        ({"ending": Ending.NO_TILES}, "the ending is no_tiles; the phase is ship"),
        ({"phase": Phase.OVER}, "the ending is None; the phase is over"),
        ({"phase": Phase.DRAW}, "the ship has no place"),
    ],
)
def test_broken_invariants_are_named(change: dict[str, Any], said: str) -> None:
    broken: State = replace(SOUND, **change)
    assert said in check(broken)


@pytest.mark.parametrize(
    "change",
    [
        {"ship": 0, "phase": Phase.DRAW},
        {"ship": 0, "phase": Phase.EXPLORER},
        {"ship": 0},
        {"phase": Phase.OVER, "ending": Ending.NO_START},
        {"seats": (replace(SOUND.seats[0], explorers=(4, 2, 1), given_up=(1, 0, 0)), SOUND.seats[1])},
    ],
)
def test_a_permitted_state_is_not_called_broken(change: dict[str, Any]) -> None:
    sound: State = replace(SOUND, **change)
    assert check(sound) == ()
