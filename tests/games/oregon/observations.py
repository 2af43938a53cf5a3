"""Observations to draw, built by hand."""

from __future__ import annotations

from dataclasses import replace

from engine.games.oregon.components import Building, Symbol
from engine.games.oregon.observe import BuildingOnBoard, FarmerOnBoard, Hand, Observation, Offers, SeatObservation
from engine.types import Outcome, ScoreLine, Statement

TERRAIN = (
    ".^^^^.=......^^",
    "..^^..=...~~...",
    "....^.=....~~..",
    "....^.=.^^..~~.",
    "====..=..^...~.",
    "....====......^",
    "^.......=...^^^",
    "^^.~~....=....^",
    "..~~~..^^.=====",
    "...~..^^^^.....",
)
NAMES = ("Ada Lovelace", "Bjørn", "Chandrasekhara Venkata Raman", "Dee")

_CODES = {
    "PO": Building.POST_OFFICE,
    "HB": Building.HARBOUR,
    "CH": Building.CHURCH,
    "CM": Building.COAL_MINE,
    "GM": Building.GOLD_MINE,
    "WH": Building.WAREHOUSE,
    "ST": Building.STATION,
}


def buildings(text: str) -> tuple[BuildingOnBoard, ...]:
    """Buildings on the board from "PO:C7 CH:D3"."""
    return tuple(BuildingOnBoard(part.split(":")[1], _CODES[part.split(":")[0]]) for part in text.split())


def farmers(text: str) -> tuple[FarmerOnBoard, ...]:
    """Farmers on the board from "0:C7 1:D3"."""
    return tuple(FarmerOnBoard(part.split(":")[1], int(part.split(":")[0])) for part in text.split())


def fresh_seat(cards: Hand | None = None, tile: Building | None = None) -> SeatObservation:
    """A seat as a match begins."""
    return SeatObservation(0, 14, True, True, 3, 1, 0, 0, tile, cards, () if cards else None, () if cards else None)


def start(viewer: int | None = 0) -> Observation:
    """Three seats; the second is to place its start tile."""
    hand = Hand((Symbol.WAGON, Symbol.BISON, Symbol.BISON), (Building.CHURCH,))
    return Observation(
        viewer=viewer,
        phase="start",
        to_act=(1,),
        round=0,
        seats=(
            fresh_seat(hand if viewer == 0 else None),
            fresh_seat(None, Building.HARBOUR),
            fresh_seat(None, Building.COAL_MINE),
        ),
        terrain=TERRAIN,
        column_symbols=tuple(Symbol),
        row_symbols=tuple(Symbol),
        buildings=buildings("PO:H4"),
        farmers=(),
        stacks=dict.fromkeys(Building, 4),
        landscape_deck=41,
        building_deck=18,
        landscape_discards=dict.fromkeys(Symbol, 0),
        building_discards=dict.fromkeys(Building, 0),
        set_aside=(),
        coal_supply=21,
        gold_supply=21,
        coal_values=(1, 2, 3),
        gold_values=(3, 4, 5),
        last=("H4",),
    )


def early(viewer: int | None = 0) -> Observation:
    """Two seats, the first farmers are on the board, the viewer is to play."""
    hand = Hand((Symbol.WAGON, Symbol.SETTLER), (Building.CHURCH, Building.STATION))
    return Observation(
        viewer=viewer,
        phase="play",
        to_act=(0,),
        round=3,
        seats=(
            SeatObservation(
                7,
                12,
                True,
                False,
                2,
                2,
                1,
                0,
                None,
                hand if viewer == 0 else None,
                (3,) if viewer == 0 else None,
                () if viewer == 0 else None,
            ),
            SeatObservation(4, 13, True, True, 3, 1, 0, 0),
        ),
        terrain=TERRAIN,
        column_symbols=tuple(Symbol),
        row_symbols=tuple(Symbol),
        buildings=buildings("PO:H4 HB:J3 CM:E1"),
        farmers=farmers("0:F2 0:I3 1:J4"),
        stacks={**dict.fromkeys(Building, 4), Building.COAL_MINE: 3},
        landscape_deck=36,
        building_deck=17,
        landscape_discards={Symbol.WAGON: 1, Symbol.BISON: 2, Symbol.SETTLER: 0, Symbol.EAGLE: 2, Symbol.CAMPFIRE: 0},
        building_discards={**dict.fromkeys(Building, 0), Building.COAL_MINE: 1},
        set_aside=(),
        coal_supply=20,
        gold_supply=21,
        coal_values=(1, 2, 3),
        gold_values=(3, 4, 5),
        offers=Offers(farmer=True, building=True, joker=True) if viewer == 0 else None,
        last=("J4",),
    )


BUSY_BUILDINGS = (
    "PO:H4 PO:A2 PO:M5 PO:E7 HB:J3 HB:C8 HB:L4 HB:N6 CH:F3 CH:I7 CH:L7 CM:E1 CM:A7 CM:N7 CM:J4 "
    "GM:C1 GM:H10 GM:O1 WH:K5 WH:B3 WH:G7 WH:M10 ST:G2 ST:C5 ST:I7 ST:M9 CH:B6"
)
BUSY_FARMERS = (
    "0:F2 0:F4 0:I3 0:B2 0:K6 0:D6 0:M8 0:O7 0:K4 0:L10 0:H8 0:B9 1:I4 1:E3 1:G3 1:B5 1:D7 1:J7 1:N10 1:L9 1:K3 1:A9 "
    "2:I5 2:F5 2:A3 2:H6 2:K7 2:M6 2:O6 2:B7 2:D2 3:E4 3:H3 3:L5 3:L6 3:C6 3:F8 3:G10 3:N2 3:M1"
)


def busy(viewer: int | None = 2) -> Observation:
    """Four seats near the end, a full board, the viewer in the middle of an extra turn."""
    own = viewer == 2
    hand = Hand((Symbol.EAGLE, Symbol.EAGLE), (Building.WAREHOUSE,))
    placed = tuple({building.space: building for building in buildings(BUSY_BUILDINGS)}.values())
    taken = {building.space for building in placed}
    return Observation(
        viewer=viewer,
        phase="extra",
        to_act=(2,),
        round=12,
        seats=(
            SeatObservation(41, 0, False, True, 2, 2, 3, 2),
            SeatObservation(38, 4, True, False, 1, 3, 1, 4),
            SeatObservation(
                112,
                5,
                True,
                True,
                2,
                1,
                4,
                3,
                None,
                hand if own else None,
                (1, 1, 2, 3) if own else None,
                (3, 4, 5) if own else None,
            ),
            SeatObservation(29, 5, False, False, 3, 1, 0, 1),
        ),
        terrain=TERRAIN,
        column_symbols=tuple(Symbol),
        row_symbols=tuple(Symbol),
        buildings=placed,
        farmers=tuple(farmer for farmer in farmers(BUSY_FARMERS) if farmer.space not in taken),
        stacks={
            Building.POST_OFFICE: 0,
            Building.HARBOUR: 0,
            Building.CHURCH: 1,
            Building.COAL_MINE: 0,
            Building.GOLD_MINE: 2,
            Building.WAREHOUSE: 1,
            Building.STATION: 1,
        },
        landscape_deck=9,
        building_deck=3,
        landscape_discards={Symbol.WAGON: 8, Symbol.BISON: 7, Symbol.SETTLER: 6, Symbol.EAGLE: 4, Symbol.CAMPFIRE: 8},
        building_discards={**dict.fromkeys(Building, 1), Building.CHURCH: 2},
        set_aside=(Building.HARBOUR,),
        coal_supply=13,
        gold_supply=11,
        coal_values=(1, 2, 3),
        gold_values=(3, 4, 5),
        offers=Offers(farmer=True, building=True, joker=True) if own else None,
        last=("I5", "K7"),
        ending=Statement("last_farmer"),
    )


def finished(viewer: int | None = None) -> Observation:
    """Four seats after the end, everything face up."""
    last = busy(viewer)
    revealed = tuple(
        replace(
            seat,
            hand=Hand((Symbol.BISON,) * seat.landscape_cards, (Building.CHURCH,) * seat.building_cards),
            coal=(2,) * seat.coal_tokens,
            gold=(4,) * seat.gold_tokens,
        )
        for seat in last.seats
    )
    details = tuple(
        (
            ScoreLine("track", seat.score),
            ScoreLine("coal", 2 * seat.coal_tokens),
            ScoreLine("gold", 4 * seat.gold_tokens),
        )
        for seat in last.seats
    )
    scores = tuple(sum(line.number for line in lines) for lines in details)
    return replace(
        last,
        phase="over",
        to_act=(),
        offers=None,
        seats=revealed,
        outcome=Outcome(scores, (2, 3, 1, 4), Statement("last_farmer"), details),
    )
