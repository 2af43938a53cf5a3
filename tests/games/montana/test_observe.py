"""R10: everything is public; the observation says who is awaited for what."""

from __future__ import annotations

from dataclasses import replace

from engine.games.montana import GAME
from engine.games.montana.components import Area, Good, Terrain, Worker
from engine.games.montana.observe import Awaited, SpaceObservation
from engine.games.montana.state import Phase
from engine.types import Statement
from tests.games.montana.positions import act, me, position


def test_everybody_sees_the_same() -> None:
    """R10.1"""
    state = act(position("E4 wS cow", me("ppp", "wc", coins=3), me("pp")), "town 2 1")
    seen = [replace(GAME.observe(state, viewer), viewer=None) for viewer in (None, 0, 1)]
    assert seen[0] == seen[1] == seen[2]
    (action,) = GAME.parse("pass")
    assert all(GAME.seen(state, 1, action, viewer) == action for viewer in (None, 0, 1))


def test_it_says_who_is_awaited_and_what_for() -> None:
    """R6.3, R10.1"""
    state = act(position("", me("pp"), me("ppp")), "town 2 1")
    observation = GAME.observe(state, None)
    assert observation.turn == 0
    assert observation.to_act == (1,)
    assert observation.awaited == (Awaited(1, Statement("place")),)
    assert observation.shop.representatives[0].row == 2
    assert observation.shop.representatives[1].undecided
    state = act(state, "town 2 2")
    assert GAME.observe(state, 1).awaited == (Awaited(0, Statement("move")),)
    state = act(state, "pass")
    assert GAME.observe(state, 1).awaited == (Awaited(1, Statement("take", {"number": 3})),)
    assert GAME.observe(state, 1).shop.representatives[0].passed


def test_hexes_boards_and_seats_are_described() -> None:
    """R1.2, R1.6, R1.7, R10.1"""
    drawing = "E4 wS cow double; F4 lake canteen; E3 mountain"
    state = position(
        drawing, me("wwS", "wcc", coins=3, cows=1), me(), built="0:D5x2 1:G4", places="mine 2:c/ww bank 3:sp"
    )
    found = GAME.observe(state, 0)
    hexes = {hexagon.name: hexagon for hexagon in found.hexes}
    assert len(hexes) == 49
    assert hexes["E4"].cost == {Good.WHEAT: 1, Good.LARGE_STONE: 1}
    assert (hexes["E4"].double, hexes["E4"].cow, hexes["E4"].open) == (True, True, True)
    assert (hexes["F4"].terrain, hexes["F4"].canteen) == (Terrain.LAKE, False)
    assert hexes["E5"].start
    assert (hexes["D5"].owner, hexes["D5"].settlements) == (0, 2)
    assert (hexes["E5"].q, hexes["E5"].r) == (0, 0)
    assert found.bank[2].placed == (Worker.STONE, Worker.PUMPKIN)
    mine = found.areas[0]
    assert (mine.area, mine.good, mine.worker) == (Area.MINE, Good.COPPER, Worker.COPPER)
    assert (mine.slots[1].large_box, mine.slots[1].small_box) == ((Worker.COPPER,), (Worker.WHEAT, Worker.WHEAT))
    assert found.seats[0].workers[Worker.COPPER] == 2
    assert (found.seats[0].built, found.seats[0].settlements_left) == (2, 10)
    assert found.shop.costs == (2, 3, 4, 5)
    assert found.supply.cows == 10
    assert found.wheel.arrow == 1


def test_the_latest_action_is_marked() -> None:
    """R10.1"""
    ann = me("wwppp", "wcc", coins=3)
    for line, last in (
        ("build E4", ("E4",)),
        ("build E4; build D4", ("E4", "D4")),
        ("bank 2 wheat copper", ("bank 2",)),
        ("mine 1 copper", ("mine 1",)),
        ("mine 1 copper; again copper", ("mine 1 again",)),
        ("town 2 column 3", ("town 2 3",)),
        ("recruit", ("wheel",)),
    ):
        assert GAME.observe(act(position("", ann, me()), line), None).last == last


def test_what_the_awaited_seat_can_do_besides_is_said() -> None:
    """R8.1, R8.6"""
    state = position("", me("w", "wwcs", coins=3, cows=1, canteens=1), me(cows=1, canteens=1))
    assert GAME.observe(state, None).awaited[0] == Awaited(
        0, Statement("turn", {"possible": ("recruit", "harvest", "build")}), can_trade=True
    )
    state = act(state, "mine 1 copper")
    (awaited,) = GAME.observe(state, None).awaited
    assert (awaited.can_trade, awaited.can_use_canteen) == (True, True)
    state = act(state, "end")
    (awaited,) = GAME.observe(state, None).awaited
    assert (awaited.seat, awaited.can_trade, awaited.can_use_canteen) == (1, True, False)


def test_the_hexes_that_the_seat_can_pay_for_say_how_many_settlements_it_can_build() -> None:
    """R7.2, R7.3, R7.5, R7.6"""
    state = position("E4 wp; D4 wp double; F6 S; E5 wp", me("wwpp"), me("S"), start="E6", built="0:B5 0:C5 0:D5")
    hexes = {hexagon.name: hexagon for hexagon in GAME.observe(state, None).hexes}
    assert [hexes[name].possible for name in ("D4", "E5", "F6", "E4", "D5")] == [2, 2, 0, 0, 0]
    state = act(state, "build D4")
    assert {hexagon.name: hexagon.possible for hexagon in GAME.observe(state, None).hexes}["E5"] == 2
    assert [hexagon.name for hexagon in GAME.observe(act(state, "end"), None).hexes if hexagon.possible] == ["F6"]


def test_the_spaces_in_town_that_the_seat_can_take_are_said() -> None:
    """R6.2, R6.4"""
    state = act(position("", me("pp"), me("ppp")), "town 2 1")
    found = GAME.observe(state, None).shop.possible
    assert SpaceObservation(2, 1) not in found
    assert {space.column for space in found if space.row == 2} == {2}
    assert {space.column for space in found if space.row == 1} == {1, 2}
    assert GAME.observe(position("", me("w", "w"), me(), phase=Phase.DONE), None).shop.possible == ()


def test_a_seat_that_took_its_reward_is_served_and_has_not_passed() -> None:
    """R6.7"""
    state = act(position("", me("ppc"), me("ppp")), "town 3 1; town 2 1; upgrade copper", None)
    served = GAME.observe(state, None).shop.representatives[0]
    assert (served.served, served.passed, served.undecided, served.row) == (True, False, False, None)
    assert not any(each.served for each in GAME.observe(act(state, "take w w w"), None).shop.representatives)


def test_surplus_workers_are_reported() -> None:
    """R3.5"""
    state = act(position("", me("", "wwwwpppp", cows=1), me()), "trade cow for stone worker")
    assert GAME.observe(state, 1).surplus == 1
    assert GAME.observe(state, 1).awaited == (Awaited(0, Statement("return", {"number": 1})),)
