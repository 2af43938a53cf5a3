"""The observation of a match of Montana, the same for all viewers: everything, as nothing is
hidden.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from engine.documents import About
from engine.games.montana.actions import Action, TradeForCoins, UseCanteen
from engine.games.montana.components import AREA_GOOD, AREAS, GOODS, WORKERS, Area, Good, Hiring, Terrain, Worker
from engine.games.montana.landscape import most_settlements
from engine.games.montana.legal import prompt
from engine.games.montana.refusals import problems
from engine.games.montana.score import ended, outcome, standing
from engine.games.montana.state import (
    MOST_BUILT,
    OVERTAKEN,
    PASSED,
    SERVED,
    UNDECIDED,
    Crew,
    Phase,
    SeatState,
    State,
    Tally,
    covers,
    surplus,
    to_act,
)
from engine.games.montana.town import spaces
from engine.types import CHANCE, Outcome, Seat, Statement, Viewer


@dataclass(frozen=True, slots=True)
class Awaited:
    """A seat that has to decide, and what it is asked."""

    seat: Annotated[int, About("The seat.")]
    prompt: Annotated[Statement, About("What it is asked.")]
    can_trade: Annotated[bool, About("True if it may also trade a cow now.")] = False
    can_use_canteen: Annotated[bool, About("True if it may end its turn with a canteen, for another one.")] = False


@dataclass(frozen=True, slots=True)
class SeatObservation:
    """What a seat has."""

    built: Annotated[int, About("Its settlements on the board.")]
    settlements_left: Annotated[int, About("Its settlements that are left.")]
    coins: Annotated[int, About("Its coins.")]
    cows: Annotated[int, About("Its cows.")]
    canteens: Annotated[int, About("Its canteens.")]
    goods: Annotated[Mapping[Good, int], About("Its goods, by kind.")]
    workers: Annotated[Mapping[Worker, int], About("Its workers, by kind.")]


@dataclass(frozen=True, slots=True)
class HexObservation:
    """A hex of the landscape.

    ``q`` and ``r`` are axial, hexes have a corner at the top: the middle of a hex is at x = (q + r
    / 2) * sqrt(3) * size, y = r * 1.5 * size, with r growing downwards. ``possible`` is 0 also
    where the awaited seat cannot pay for the hex, or has something else to decide.
    """

    name: Annotated[
        str, About("Its name in notation: the letter is the column (zigzag), the number the row (straight).")
    ]
    q: Annotated[int, About("The axial coordinate to the east.")]
    r: Annotated[int, About("The axial coordinate to the south-east, growing downwards.")]
    tile: Annotated[str, About("The name of the landscape tile that it belongs to.")]
    terrain: Annotated[Terrain, About("What it is.")]
    cost: Annotated[Mapping[Good, int], About("The goods of a settlement there; of prairie only.")]
    double: Annotated[bool, About("True if it shows two settlements.")] = False
    cow: Annotated[bool, About("True if a cow can still be taken there.")] = False
    canteen: Annotated[bool, About("True if a canteen can still be taken there.")] = False
    start: Annotated[bool, About("True of the start tile.")] = False
    owner: Annotated[int | None, About("The seat that has built there; `null` if none has.")] = None
    settlements: Annotated[int, About("How many settlements stand there.")] = 0
    open: Annotated[
        bool, About("True if it is free and next to the start tile or a settlement, so that it could be built on.")
    ] = False
    possible: Annotated[
        int, About("How many settlements the awaited seat can build there now, the free ones included.")
    ] = 0


@dataclass(frozen=True, slots=True)
class BankObservation:
    """A space of the bank."""

    workers: Annotated[int, About("How many workers it takes, exactly.")]
    coins: Annotated[int, About("How many coins it gives.")]
    placed: Annotated[tuple[Worker, ...], About("The workers on it.")] = ()


@dataclass(frozen=True, slots=True)
class SlotObservation:
    """A slot of an area: a large box, and a small box that is used after it."""

    price: Annotated[int, About("What the large box costs in coins.")]
    goods: Annotated[int, About("How many goods the large box gives.")]
    small_goods: Annotated[int, About("How many goods more the small box gives, which is free.")]
    large_box: Annotated[tuple[Worker, ...], About("The workers on the large box.")] = ()
    small_box: Annotated[tuple[Worker, ...], About("The workers on the small box.")] = ()


@dataclass(frozen=True, slots=True)
class AreaObservation:
    """An area where ``good`` is harvested, by one ``worker`` of that kind or any two."""

    area: Annotated[Area, About("The area.")]
    good: Annotated[Good, About("What is harvested there.")]
    worker: Annotated[Worker, About("The kind of worker of whom one is enough, instead of any two.")]
    slots: Annotated[tuple[SlotObservation, ...], About("Its slots, from the first.")]


@dataclass(frozen=True, slots=True)
class RowObservation:
    """What a row of the shop gives."""

    cows: Annotated[int, About("How many cows it gives.")]
    coins: Annotated[int, About("How many coins it gives.")]
    goods: Annotated[int, About("How many goods of choice it gives.")]
    upgrades: Annotated[int, About("How many small goods become large ones at most.")]


@dataclass(frozen=True, slots=True)
class RepresentativeObservation:
    """Where a seat's representative is. While no seat is in town, it has no row and nothing is
    true of it.
    """

    seat: Annotated[int, About("The seat.")]
    row: Annotated[int | None, About("The row of the shop, from 1; `null` if it is not there.")] = None
    column: Annotated[int | None, About("The column of the shop, from 1; `null` if it is not there.")] = None
    passed: Annotated[bool, About("True if it stays out of this town.")] = False
    undecided: Annotated[
        bool, About("True if its seat has yet to place it, to pass, or to move it after it was overtaken.")
    ] = False
    served: Annotated[bool, About("True if its seat has taken its reward.")] = False


@dataclass(frozen=True, slots=True)
class SpaceObservation:
    """A space of the shop."""

    row: Annotated[int, About("Its row, from 1.")]
    column: Annotated[int, About("Its column, from 1.")]


@dataclass(frozen=True, slots=True)
class ShopObservation:
    """The town. A representative may only go to the right of another one in its row."""

    costs: Annotated[tuple[int, ...], About("The pumpkins that each column costs, from the left.")]
    rows: Annotated[tuple[RowObservation, ...], About("What its rows give, from the first.")]
    representatives: Annotated[tuple[RepresentativeObservation, ...], About("Where the representatives are, by seat.")]
    possible: Annotated[
        tuple[SpaceObservation, ...], About("The spaces on which the awaited seat can place its own now.")
    ] = ()


@dataclass(frozen=True, slots=True)
class WheelObservation:
    """The recruitment wheel."""

    segments: Annotated[tuple[tuple[Hiring, ...], ...], About("The workers of its segments, clockwise.")]
    arrow: Annotated[int | None, About("The segment that the arrow shows, from 1; `null` before the first spin.")] = (
        None
    )


@dataclass(frozen=True, slots=True)
class SupplyObservation:
    """The supply. Coins are unlimited."""

    goods: Annotated[Mapping[Good, int], About("The goods that are left, by kind.")]
    workers: Annotated[Mapping[Worker, int], About("The workers that are left, by kind.")]
    cows: Annotated[int, About("The cows that are left.")]


@dataclass(frozen=True, slots=True)
class Observation:
    """The whole position.

    ``phase`` is one of ``laying`` (chance lays tiles; only those laid are in ``hexes``), ``start``
    (chance puts the start tile), ``spin`` (chance spins), ``choose`` (a seat chooses workers),
    ``turn`` (a seat chooses what to do), ``recruited`` (the arrow may be moved), ``harvested`` (the
    small box may be used), ``town`` (representatives are placed), ``rewards``, ``building``
    (``built`` of up to three are built), ``done`` (only trades, a canteen and the end of the turn
    are left), ``over``. ``last`` are names of hexes, "wheel", "bank 3", "mine 2", "mine 2 again",
    "town 2 3" (row and column).
    """

    viewer: Annotated[int | None, About("The seat of the viewer; `null` for a spectator.")]
    phase: Annotated[str, About("What is to be done now.")]
    to_act: Annotated[tuple[int, ...], About("The awaited seats; -1 is chance.")]
    awaited: Annotated[tuple[Awaited, ...], About("The awaited seats, with what they are asked.")]
    round: Annotated[int, About("The round; 0 before the first turn.")]
    turn: Annotated[int, About("The seat whose turn it is.")]
    built: Annotated[int, About("How many hexes were built on in this turn, of at most three.")]
    surplus: Annotated[int, About("How many workers the awaited seat has to return first.")]
    seats: Annotated[tuple[SeatObservation, ...], About("The seats, from the first.")]
    hexes: Annotated[tuple[HexObservation, ...], About("The hexes that are laid, in reading order.")]
    bank: Annotated[tuple[BankObservation, ...], About("The spaces of the bank, from the first.")]
    areas: Annotated[tuple[AreaObservation, ...], About("The areas where goods are harvested.")]
    shop: ShopObservation
    wheel: WheelObservation
    supply: SupplyObservation
    last: Annotated[
        tuple[str, ...], About("The places of the latest action that had one; of a turn of building all its hexes.")
    ] = ()
    ending: Annotated[Statement | None, About("What triggered the end; `null` before.")] = None
    outcome: Annotated[Outcome | None, About("How the match ended; `null` until then.")] = None


def observe(state: State, viewer: Viewer) -> Observation:
    """R10.1: the observation, which is the same for all viewers but for ``viewer``."""
    parts, awaited = state.table.components, to_act(state)
    seats = [seat for seat in awaited if seat != CHANCE]
    return Observation(
        viewer=viewer,
        phase=state.phase.value,
        to_act=awaited,
        awaited=tuple(_awaited(state, seat) for seat in seats),
        round=state.round,
        turn=state.seat,
        built=state.built,
        surplus=sum(surplus(state.seats[seat]) for seat in seats),
        seats=tuple(_seat(seat, built) for seat, built in zip(state.seats, standing(state), strict=True)),
        hexes=tuple(_hex(state, hexagon) for hexagon in state.table.geometry.order if hexagon < len(state.land)),
        bank=tuple(
            BankObservation(space.workers, space.coins, _crew(crew))
            for space, crew in zip(parts.bank.value, state.bank, strict=True)
        ),
        areas=tuple(_area(state, area) for area in AREAS),
        shop=_shop(state),
        wheel=WheelObservation(parts.wheel.value, state.arrow + 1 if state.arrow >= 0 else None),
        supply=SupplyObservation(_goods(state.goods), _workers(state.workers), state.cows),
        last=state.last,
        ending=ended(state) if state.ending else None,
        outcome=outcome(state),
    )


def _awaited(state: State, seat: Seat) -> Awaited:
    def legal(action: Action) -> bool:
        return next(problems(state, seat, action), None) is None

    return Awaited(seat, prompt(state, seat), legal(TradeForCoins()), legal(UseCanteen()))


def _seat(seat: SeatState, built: int) -> SeatObservation:
    return SeatObservation(
        built, seat.settlements, seat.coins, seat.cows, seat.canteens, _goods(seat.goods), _workers(seat.workers)
    )


def _hex(state: State, hexagon: int) -> HexObservation:
    ground, geometry = state.land[hexagon], state.table.geometry
    q, r = geometry.axial[hexagon]
    owner = state.owners[hexagon]
    return HexObservation(
        name=geometry.names[hexagon],
        q=q,
        r=r,
        tile=ground.tile,
        terrain=ground.terrain,
        cost={good: count for good, count in zip(GOODS, ground.cost, strict=True) if count},
        double=ground.double,
        cow=hexagon in state.cattle,
        canteen=hexagon in state.canteens,
        start=hexagon == state.start,
        owner=owner if owner >= 0 else None,
        settlements=state.counts[hexagon],
        open=hexagon in state.open,
        possible=_possible(state, hexagon),
    )


def _possible(state: State, hexagon: int) -> int:
    """R7.2, R7.3: how many settlements the seat whose turn it is can build on a hex now."""
    me = state.seats[state.seat]
    building = state.phase is Phase.TURN or (state.phase is Phase.BUILDING and state.built < MOST_BUILT)
    if not building or surplus(me) or hexagon not in state.open or not covers(me.goods, state.land[hexagon].cost):
        return 0
    return most_settlements(state, state.seat, hexagon)


def _area(state: State, area: Area) -> AreaObservation:
    first, last = state.table.spans[area]
    more = state.table.components.small_box.value
    slots = tuple(
        SlotObservation(slot.price, slot.goods, more, _crew(state.boxes[2 * place]), _crew(state.boxes[2 * place + 1]))
        for place, slot in enumerate(state.table.slots[first:last], first)
    )
    return AreaObservation(area, GOODS[AREA_GOOD[area]], WORKERS[AREA_GOOD[area]], slots)


def _shop(state: State) -> ShopObservation:
    parts, busy = state.table.components, state.phase in (Phase.TOWN, Phase.REWARDS)
    columns = len(parts.shop_columns.value)
    representatives = []
    for seat, place in enumerate(state.shop):
        row, column = (place // columns + 1, place % columns + 1) if place >= 0 else (None, None)
        undecided = busy and place in (UNDECIDED, OVERTAKEN)
        facts = RepresentativeObservation(seat, row, column, place == PASSED, undecided, place == SERVED)
        representatives.append(facts)
    rows = tuple(RowObservation(row.cows, row.coins, row.goods, row.upgrades) for row in parts.shop_rows.value)
    choosing = state.phase in (Phase.TURN, Phase.TOWN) and not surplus(state.seats[state.awaited])
    possible = spaces(state, state.awaited) if choosing else ()
    shown = tuple(SpaceObservation(row + 1, column + 1) for row, column in possible)
    return ShopObservation(parts.shop_columns.value, rows, tuple(representatives), shown)


def _goods(goods: Tally) -> dict[Good, int]:
    return dict(zip(GOODS, goods, strict=True))


def _workers(workers: Tally) -> dict[Worker, int]:
    return dict(zip(WORKERS, workers, strict=True))


def _crew(crew: Crew) -> tuple[Worker, ...]:
    return tuple(WORKERS[kind] for kind in crew)
