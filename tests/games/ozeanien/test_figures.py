"""What simulations count of a finished match."""

from __future__ import annotations

from engine.games.ozeanien import GAME
from engine.games.ozeanien.tiles import Kind
from tests.games.ozeanien.positions import position


# R5.4
def test_a_match_with_an_imagined_tile_is_one_with_a_short_reserve() -> None:
    figures = dict(GAME.figures(position("~ ~+ ~\n~ ~? ~\n. . .", reserve={Kind.SEA: 0})))
    assert figures["reserve short, % of matches"] == 100
    assert figures["reserve tiles missing"] == 1
    assert figures["open sea from the reserve"] == 1


# R5.1
def test_the_tiles_that_came_from_the_reserve_are_counted_by_kind() -> None:
    figures = dict(GAME.figures(position("~ ~/S+ ~\n~ ~/N+ ~\n~ ~ ~+\n. . .")))
    assert figures == {
        "reserve short, % of matches": 0,
        "reserve tiles missing": 0,
        "open sea from the reserve": 1,
        "cape from the reserve": 2,
        "coast from the reserve": 0,
        "strait from the reserve": 0,
        "bay from the reserve": 0,
        "inland from the reserve": 0,
    }
