"""R1 and R2: what lies on the table, and what chance and the seats do before the first turn."""

from __future__ import annotations

from collections import Counter

import pytest

from engine.games.montana import GAME
from engine.games.montana.actions import LayStart, LayTile, Spin
from engine.games.montana.board import FLOWER
from engine.games.montana.components import GOODS, WORKERS, Good, Options, Terrain, Worker
from engine.games.montana.landscape import start_hexes
from engine.games.montana.state import Phase, SeatState, State
from engine.play import judge
from engine.types import CHANCE, Setup
from tests.games.montana.positions import STANDARD, act, me, plains, position, refused, spin


def laid(seats: int, turned: int = 0) -> State:
    """A board of the first tiles in their order."""
    state: State = GAME.setup(Setup(seats, Options(), STANDARD))
    while state.phase is Phase.LAYING:
        tile = min(state.left)
        state = GAME.apply(state, CHANCE, LayTile(tile, turned))
    return state


def started(seats: int) -> State:
    state = laid(seats)
    return GAME.apply(state, CHANCE, GAME.outcomes(state)[0][0])


def test_a_hex_touches_six_others_and_is_named_by_column_and_row() -> None:
    """R1.1"""
    geometry = position().table.geometry
    assert {geometry.names[hexagon] for hexagon in geometry.around[geometry.index["E5"]]} == {
        "D5",
        "F5",
        "D4",
        "E4",
        "D6",
        "E6",
    }
    assert {geometry.names[hexagon] for hexagon in geometry.around[geometry.index["E4"]]} == {
        "D4",
        "F4",
        "E3",
        "F3",
        "E5",
        "F5",
    }
    assert refused(position(), "build A1").rule == "R1.1"


def test_tiles_have_seven_hexes_and_show_what_they_cost() -> None:
    """R1.2"""
    for hexes in STANDARD.tiles.value.values():
        assert sorted(hexagon.at for hexagon in hexes) == sorted(FLOWER)
        for hexagon in hexes:
            assert (sum(hexagon.cost.values()) > 0) == (hexagon.terrain is Terrain.PRAIRIE)
            assert hexagon.terrain is Terrain.LAKE or not hexagon.canteen


@pytest.mark.parametrize(("seats", "tiles"), [(2, 7), (3, 9), (4, 10)])
def test_seven_nine_or_ten_of_the_twelve_tiles_are_laid(seats: int, tiles: int) -> None:
    """R1.3"""
    state = laid(seats)
    assert len(STANDARD.tiles.value) == 12
    assert len(state.land) == 7 * tiles
    assert len(state.left) == 12 - tiles


def test_small_and_large_goods_never_replace_each_other() -> None:
    """R1.4"""
    assert [good.value for good in GOODS] == ["wheat", "pumpkin", "copper", "stone", "large_copper", "large_stone"]
    drawing = "E4 S; D5 c"
    state = position(drawing, *_two("ssC"))
    assert refused(state, "build E4").code == "too_few_goods"
    assert refused(state, "build D5").code == "too_few_goods"


def test_there_are_eighteen_workers_of_each_kind() -> None:
    """R1.5"""
    assert all(STANDARD.workers.value[worker] == 18 for worker in WORKERS)


def test_areas_have_three_slots_for_one_three_and_six_coins() -> None:
    """R1.6"""
    slots = [(slot.area.value, slot.number, slot.price, slot.goods) for slot in started(2).table.slots]
    assert slots[:3] == [("mine", 1, 1, 1), ("mine", 2, 3, 2), ("mine", 3, 6, 3)]
    assert [slot[2:] for slot in slots[3:]] == [(1, 1), (3, 2), (6, 3), (1, 2), (3, 3), (6, 4), (1, 2), (3, 3), (6, 4)]
    assert refused(position("", *_two("", "c")), "mine 4 copper").rule == "R1.6"


def test_the_bank_has_four_spaces() -> None:
    """R1.7"""
    assert [(space.workers, space.coins) for space in STANDARD.bank.value] == [(1, 4), (2, 8), (2, 8), (3, 12)]
    assert refused(position("", *_two("", "cc")), "bank 5 copper").rule == "R1.7"


def test_the_shop_has_four_rows_and_four_columns() -> None:
    """R1.8"""
    assert len(STANDARD.shop_rows.value) == 4
    assert STANDARD.shop_columns.value == (3, 6, 9, 12)
    assert refused(position("", *_two("ppp")), "town 5 1").rule == "R1.8"


def test_the_wheel_has_eight_segments_of_two_workers() -> None:
    """R1.9"""
    assert ["+".join(segment) for segment in STANDARD.wheel.value] == [
        *("stone+pumpkin", "any+any", "pumpkin+pumpkin", "stone+copper"),
        *("wheat+wheat", "any+any", "copper+copper", "wheat+stone"),
    ]


def test_whatever_chance_does_is_equally_likely() -> None:
    """R1.10"""
    state = GAME.setup(Setup(2, Options(), STANDARD))
    assert len(GAME.outcomes(state)) == 12 * 6
    for each in (state, laid(2), started(2)):
        assert {weight for _, weight in GAME.outcomes(each)} == {1}
    assert [action for action, _ in GAME.outcomes(started(2))] == [Spin(segment) for segment in range(1, 9)]


def test_a_seat_cannot_do_what_chance_does() -> None:
    """R1.10"""
    refusal = judge(GAME, position(), 0, Spin(3))
    assert refusal is not None
    assert refusal.code == "not_an_action"


def test_goods_workers_and_cows_can_run_short_and_coins_cannot() -> None:
    """R1.11"""
    state = position("", me("", "wwp"), me(coins=99))
    assert act(state, "bank 4 wheat wheat pumpkin").seats[0].coins == 12
    supply = GAME.observe(state, None).supply
    assert (supply.cows, supply.goods[Good.WHEAT], supply.workers[Worker.PUMPKIN]) == (10, 10, 17)
    assert not hasattr(supply, "coins")


def test_a_tile_is_turned_clockwise() -> None:
    """R2.1"""
    straight, turned = laid(2), laid(2, turned=1)
    assert turned.land[0] == straight.land[0]
    assert turned.land[2:7] == straight.land[1:6]
    assert turned.land[1] == straight.land[6]


def test_the_start_tile_lies_near_the_middle_on_calm_prairie() -> None:
    """R2.2"""
    for seats in (2, 3, 4):
        state = laid(seats)
        hexes = start_hexes(state)
        assert hexes
        for hexagon in hexes:
            assert state.land[hexagon].terrain is Terrain.PRAIRIE
            assert not state.land[hexagon].cow
            assert state.table.geometry.inner[hexagon] <= 2
        assert [action for action, _ in GAME.outcomes(state)] == [
            LayStart(state.table.geometry.names[hexagon]) for hexagon in hexes
        ]


def test_the_start_tile_does_not_lie_where_mountains_leave_no_room() -> None:
    """R2.2"""
    ring = "; ".join(f"{name} mountain" for name in ("D5", "F5", "D4", "E4", "D6", "E6"))
    state = position(ring, start="C5")
    assert state.table.geometry.index["E5"] not in start_hexes(state)


def test_preferences_for_the_start_tile_are_dropped_when_no_hex_meets_them() -> None:
    """R2.2"""
    near = [
        name
        for name, hexagon in position().table.geometry.index.items()
        if position().table.geometry.inner[hexagon] <= 2
    ]
    state = position("; ".join(f"{name} w cow" for name in near), start="A4")
    names = [state.table.geometry.names[hexagon] for hexagon in start_hexes(state)]
    assert names
    assert not set(names) & set(near)


def test_cows_and_canteens_lie_where_they_are_shown_and_the_other_cows_form_the_supply() -> None:
    """R2.3"""
    state = started(2)
    shown = sum(1 for ground in state.land if ground.cow)
    assert len(state.cattle) == shown
    assert state.cows == 24 - 2 - shown
    assert len(state.canteens) == sum(1 for ground in state.land if ground.canteen)


@pytest.mark.parametrize(
    ("seats", "supply"), [(2, (10, 10, 10, 10, 6, 6)), (3, (15, 15, 15, 15, 9, 9)), (4, (20, 20, 20, 20, 12, 12))]
)
def test_the_supply_depends_on_the_number_of_seats(seats: int, supply: tuple[int, ...]) -> None:
    """R2.4"""
    state = started(seats)
    assert state.goods == supply
    assert state.workers == (18, 18, 18, 18)


@pytest.mark.parametrize(("seats", "settlements"), [(2, 12), (3, 10), (4, 8)])
def test_every_seat_begins_with_a_cow_and_four_goods_from_the_box(seats: int, settlements: int) -> None:
    """R2.5"""
    for seat in started(seats).seats:
        assert seat.settlements == settlements
        assert seat.cows == 1
        assert {good: number for good, number in zip(GOODS, seat.goods, strict=True) if number} == {
            Good.WHEAT: 1,
            Good.PUMPKIN: 1,
            Good.COPPER: 1,
            Good.STONE: 1,
        }


def test_every_seat_spins_twice_and_begins_with_four_workers() -> None:
    """R2.6"""
    state = spin(spin(started(2), 1), 3)
    assert state.seats[0].workers == (0, 3, 0, 1)
    state = spin(state, 2)
    assert state.phase is Phase.CHOOSE
    assert GAME.to_act(state) == (1,)
    state = spin(act(state, "choose copper wheat"), 5)
    assert state.seats[1].workers == (3, 0, 1, 0)
    assert (state.phase, state.seat, state.round) == (Phase.TURN, 0, 1)


def test_coins_rise_in_turn_order() -> None:
    """R2.7"""
    assert [seat.coins for seat in started(4).seats] == [3, 4, 5, 6]


def test_plain_components_are_for_tests_alone() -> None:
    hexes = Counter(hexagon.terrain for tile in plains().tiles.value.values() for hexagon in tile)
    assert set(hexes) == {Terrain.PRAIRIE}


def _two(goods: str = "", workers: str = "") -> tuple[SeatState, SeatState]:
    return me(goods, workers, coins=20), me()
