"""Observations to draw: landscapes laid by the rules' own functions, then arranged by hand."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from engine.games.montana.actions import LayStart, LayTile
from engine.games.montana.apply import apply
from engine.games.montana.board import FLOWER
from engine.games.montana.components import GOODS, Components, Good, Hiring, Options, Terrain, Worker, load_components
from engine.games.montana.landscape import open_hexes
from engine.games.montana.observe import (
    BankObservation,
    Observation,
    RowObservation,
    SlotObservation,
    WheelObservation,
    observe,
)
from engine.games.montana.state import OVERTAKEN, PASSED, UNDECIDED, Crew, Ending, Phase, SeatState, State, Tally, setup
from engine.types import CHANCE, Setup

NAMES = ("Ada Lovelace", "Bjørn", "Chandrasekhara Venkata Raman", "Dee")
_LETTERS = "wpcsCS"
_TILES = "AKCFHBJEDLIG"
_STARTS = {2: "D6", 3: "E5", 4: "F5"}


def drawn() -> Components:
    """Components that stay as they are here, whatever becomes of the standard ones."""
    return load_components(json.loads(Path(__file__).with_name("drawn.json").read_text(encoding="utf-8")))


def landscape(seats: int, tiles: int | None = None) -> State:
    """A landscape, or its first tiles; a whole one has the start tile in its middle.

    Nothing is built.
    """
    state = setup(Setup(seats, Options(), drawn()))
    whole = len(state.table.geometry.names) // len(FLOWER)
    for turned, tile in enumerate(_TILES[: whole if tiles is None else tiles]):
        state = apply(state, CHANCE, LayTile(tile, turned % 6))
    return apply(state, CHANCE, LayStart(_STARTS[seats])) if tiles is None else state


def tally(letters: str, kinds: int = len(_LETTERS)) -> Tally:
    """Goods, or with four kinds workers, from letters: "wwS"."""
    return tuple(letters.count(letter) for letter in _LETTERS[:kinds])


def crew(letters: str) -> Crew:
    """The workers on a box from letters: "cs"."""
    return tuple(_LETTERS.index(letter) for letter in letters)


def seat(settlements: int, coins: int, cows: int, canteens: int, goods: str, workers: str) -> SeatState:
    """A seat, goods and workers by their letters."""
    return SeatState(settlements, coins, cows, canteens, tally(goods), tally(workers, 4))


def built(state: State, places: str) -> State:
    """The state with settlements from "0:E4 1:F4x2"; cows there, and canteens beside them, are
    gone.
    """
    owners, counts = list(state.owners), list(state.counts)
    cattle, canteens = set(state.cattle), set(state.canteens)
    for place in places.split():
        owner, _, where = place.partition(":")
        name, _, number = where.partition("x")
        hexagon = state.table.geometry.index[name]
        assert state.land[hexagon].terrain is Terrain.PRAIRIE, place
        assert owners[hexagon] < 0, place
        assert hexagon != state.start, place
        owners[hexagon], counts[hexagon] = int(owner), int(number or 1)
        cattle.discard(hexagon)
        canteens.difference_update(state.table.geometry.around[hexagon])
    state = replace(
        state, owners=tuple(owners), counts=tuple(counts), cattle=frozenset(cattle), canteens=frozenset(canteens)
    )
    return replace(state, open=open_hexes(state))


def boxes(state: State, workers: str) -> State:
    """The state with workers from "mine 1:c/ss bank 2:wp": large and small box of a slot, or a
    space of the bank.
    """
    found, bank = list(state.boxes), list(state.bank)
    words = workers.split()
    for area, where in zip(words[::2], words[1::2], strict=True):
        number, _, crews = where.partition(":")
        if area == "bank":
            bank[int(number) - 1] = crew(crews)
            continue
        place = next(
            place for place, slot in enumerate(state.table.slots) if slot.area == area and slot.number == int(number)
        )
        for box, letters in enumerate(crews.split("/")):
            found[2 * place + box] = crew(letters)
    return replace(state, boxes=tuple(found), bank=tuple(bank))


def laying() -> Observation:
    """Two seats; chance has laid three of seven tiles."""
    return observe(landscape(2, 3), None)


def start(viewer: int | None = 0) -> Observation:
    """Three seats; the start tile lies, the wheel has yet to spin."""
    return observe(landscape(3), viewer)


def early(viewer: int | None = 0) -> Observation:
    """Two seats in their third round; the viewer is to take its turn."""
    state = built(landscape(2), "0:D5 0:E4 1:E6 1:E7")
    state = boxes(state, "bank 2:sp mine 1:c/wp field 3:w/pp quarry 2:cs")
    return observe(
        replace(
            state,
            seats=(seat(10, 7, 1, 0, "wwpcS", "wpcsc"), seat(10, 4, 2, 1, "pcss", "wws")),
            phase=Phase.TURN,
            round=3,
            arrow=3,
            last=("E6", "E7"),
        ),
        viewer,
    )


def town(viewer: int | None = 2) -> Observation:
    """Four seats in the middle of a contested town: seat 2 was overtaken, seat 3 has passed, seat 1
    went to town and seat 0 is yet to decide.
    """
    state = boxes(
        built(landscape(4), _HALF_BUILT),
        "bank 1:w bank 3:cc mine 1:c/ mine 2:wp/ss quarry 3:s/ field 1:w/pc garden 2:p/",
    )
    return observe(
        replace(
            state,
            seats=(
                seat(4, 12, 2, 1, "wwppcCsS", "wpcs"),
                seat(3, 6, 0, 0, "pppcs", "ccssp"),
                seat(5, 21, 3, 0, "ppwwCC", "wwwwpppc"),
                seat(4, 0, 1, 2, "wS", ""),
            ),
            shop=(UNDECIDED, 2 * 4 + 2, OVERTAKEN, PASSED),
            goods=tally("w" * 12 + "p" * 8 + "c" * 15 + "s" * 11 + "C" * 9 + "S" * 10),
            workers=tally("w" * 8 + "p" * 9 + "c" * 10 + "s" * 12, 4),
            cows=5,
            phase=Phase.TOWN,
            round=9,
            seat=1,
            awaited=2,
            arrow=6,
            last=("town 3 3",),
        ),
        viewer,
    )


_HALF_BUILT = "0:E4 0:E5x2 0:D5 1:G5 1:F6 1:F4 1:G6x2 2:E6 2:E7 2:D7 3:F7 3:G8 3:G4x2"


def busy(viewer: int | None = 3) -> Observation:
    """Four seats near the end; seat 3 is building and has made a line."""
    state = built(
        landscape(4),
        "0:E4 0:E5x2 0:D5 0:D4 0:C6 1:G5 1:F6 1:F4 1:G6x2 1:H6 1:I6 2:E6 2:E7 2:D7 2:E3 2:D3 3:F7 3:F8 3:G8 3:H8x3 3:I8"
        " 0:C5 2:F3 1:H4",
    )
    state = boxes(
        state,
        "bank 1:w bank 2:ps bank 4:ccw mine 1:c/ mine 2:wp/ss quarry 3:s/c field 1:w/pc field 2:w/ garden 2:p/w garden"
        " 3:cs/p",
    )
    return observe(
        replace(
            state,
            seats=(
                seat(1, 12, 2, 1, "wwwwwwwwwwppcCsS", "wpcs"),
                seat(0, 6, 0, 0, "pppcs", "ccssp"),
                seat(2, 121, 13, 0, "CC", "wwwwpppc"),
                seat(1, 0, 1, 2, "wS", ""),
            ),
            goods=tally("p" * 3 + "c" * 15 + "s" * 11 + "C" * 9 + "S" * 10),
            workers=tally("w" * 2 + "c" * 10 + "s" * 12, 4),
            cows=0,
            phase=Phase.BUILDING,
            round=14,
            seat=3,
            awaited=3,
            built=2,
            arrow=2,
            last=("H8", "I8"),
            ending=Ending.LAST_SETTLEMENT,
        ),
        viewer,
    )


def finished(viewer: int | None = None) -> Observation:
    """Three seats after the end, two of them with equally many settlements."""
    state = built(
        landscape(3),
        "0:E4x2 0:E6x2 0:D5 0:F4x3 0:E3 0:D4 1:F6 1:F5 1:E7x2 1:G5 1:G6x2 1:F7 2:F9 2:G7 2:F8 2:D6x3 2:C6x3 2:E8",
    )
    return observe(
        replace(
            state,
            seats=(seat(0, 2, 1, 0, "ws", "wp"), seat(2, 9, 0, 0, "ppcC", ""), seat(0, 5, 1, 1, "S", "sssc")),
            phase=Phase.OVER,
            round=16,
            seat=2,
            awaited=2,
            arrow=0,
            last=("E8",),
            ending=Ending.LAST_SETTLEMENT,
        ),
        viewer,
    )


def unusual(viewer: int | None = None) -> Observation:
    """Three seats with components nobody has printed: long costs, many spaces and slots, a wheel of
    twelve segments, a wide shop, many workers to return.
    """
    usual = observe(replace(landscape(3), round=2, phase=Phase.TURN), viewer)
    hirings = tuple(Hiring)
    slot = SlotObservation(99, 99, 2, (Worker.WHEAT, Worker.COPPER), (Worker.STONE, Worker.STONE))
    return replace(
        usual,
        hexes=tuple(
            replace(hexagon, cost=dict.fromkeys(GOODS, 1) | {Good.WHEAT: 4})
            if hexagon.terrain is Terrain.PRAIRIE
            else hexagon
            for hexagon in usual.hexes
        ),
        bank=tuple(BankObservation(workers, 99, (Worker.STONE,) * workers) for workers in (1, 8, 3, 4, 5)),
        areas=tuple(replace(area, slots=(slot,) * 5) for area in usual.areas),
        shop=replace(usual.shop, costs=(1, 2, 3, 4, 5, 10), rows=(RowObservation(3, 10, 4, 5),) * 6),
        wheel=WheelObservation(
            tuple((hirings[place % 5], hirings[(place + 1) % 5], Hiring.ANY) for place in range(12)), 12
        ),
        seats=tuple(
            replace(seat, workers=dict.fromkeys(Worker, 3), goods=dict.fromkeys(GOODS, 24), coins=999)
            for seat in usual.seats
        ),
        last=("wheel", "mine 5", "field 1 again", "bank 2", "town 6 6"),
    )
