"""The invariants of a state: each of them is told when it is broken, and by a sentence."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engine.games.ozeanien.state import Explorer, State, check
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


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"board": board(A1="NESW")}, "sea tiles"),
        ({"bag": (-1, *SOUND.bag[1:])}, "there are -1 sea sea tiles"),
        ({"reserve": (-1, *SOUND.reserve[1:])}, "reserve tiles"),
        ({"draws": SOUND.draws - 1}, f"{SOUND.draws - 1} tiles may be drawn, and {sum(SOUND.bag)} are unseen"),
        ({"board": SOUND.board[:-1]}, "the board has 8 spaces"),
        ({"board": board(A1="E", B1="")}, "the tile on A1 does not match its neighbours"),
        ({"board": board(B1="", A2="", B3="", C2="", A1="", C1="", A3="", C3="")}, "B2 stays enclosed"),
        ({"explorers": (Explorer(0, None, 0, 1), Explorer(0, None, 1, 1))}, "a tile bears two explorers"),
        ({"explorers": (Explorer(0, None, 0, 1),)}, "an explorer stands on A1, which no seat has explored"),
        (
            {"board": board(A1="N"), "explorers": (Explorer(0, 1, 0, 1),)},
            "an explorer on A1 stands on no part of an island",
        ),
        ({"explorers": (Explorer(0, None, 0, 1),)}, "seat 0 has"),
        ({"tile": KIND_INDEX[Kind.SEA]}, "a tile is at hand"),
    ],
)
def test_what_is_broken_is_told(change: dict[str, Any], said: str) -> None:
    broken: State = replace(SOUND, **change)
    assert any(said in sentence for sentence in check(broken)), check(broken)
