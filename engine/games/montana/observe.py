"""The observation of a match of Montana, the same for all viewers: everything, as nothing is
hidden.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.games.montana.actions import Action, TradeForCoins, UseCanteen
from engine.games.montana.components import AREA_GOOD, AREAS, GOODS, WORKERS, Area, Good, Hiring, Terrain, Worker
from engine.games.montana.landscape import most_settlements
from engine.games.montana.legal import prompt
from engine.games.montana.refusals import problems
from engine.games.montana.score import ending_sentence, outcome, standing
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
from engine.types import CHANCE, Outcome, Seat, Viewer


@dataclass(frozen=True, slots=True)
class Awaited:
    """A seat that has to decide, and its prompt ("move your representative, or pass").

    ``can_trade`` says that it may also trade a cow now, ``can_use_canteen`` that it may end its
    turn with a canteen for another one.
    """

    seat: int
    what: str
    can_trade: bool = False
    can_use_canteen: bool = False


@dataclass(frozen=True, slots=True)
class SeatObservation:
    """A seat: its settlements on the board and those left, its coins, cows, canteens, goods and
    workers.
    """

    built: int
    settlements_left: int
    coins: int
    cows: int
    canteens: int
    goods: Mapping[Good, int]
    workers: Mapping[Worker, int]


@dataclass(frozen=True, slots=True)
class HexObservation:
    """A hex of the landscape.

    ``q`` and ``r`` are axial, hexes have a corner at the top: the middle of a hex is at x = (q + r
    / 2) * sqrt(3) * size, y = r * 1.5 * size, with r growing downwards. ``name`` is its name in
    notation: the letter is the column (zigzag), the number the row (straight). ``tile`` is the name
    of the landscape tile it belongs to. ``cost`` are the goods of a settlement (prairie only),
    ``double`` says that it shows two settlements. ``cow`` and ``canteen`` say that one can still be
    taken there. ``start`` marks the start tile. ``owner`` and ``settlements`` are what was built
    there. ``open`` says that it is free and next to the start tile or a settlement, so that it
    could be built on. ``possible`` is how many settlements the awaited seat can build there now,
    the free ones included: 0 if it cannot pay for the hex, or has something else to decide.
    """

    name: str
    q: int
    r: int
    tile: str
    terrain: Terrain
    cost: Mapping[Good, int]
    double: bool = False
    cow: bool = False
    canteen: bool = False
    start: bool = False
    owner: int | None = None
    settlements: int = 0
    open: bool = False
    possible: int = 0


@dataclass(frozen=True, slots=True)
class BankObservation:
    """A space of the bank, counted from 1 in their order: it takes exactly ``workers`` workers and
    gives ``coins``. ``placed`` are those on it.
    """

    workers: int
    coins: int
    placed: tuple[Worker, ...] = ()


@dataclass(frozen=True, slots=True)
class SlotObservation:
    """A slot of an area, counted from 1 in their order: a large box and a small box with the
    workers on them.

    The large box costs ``price`` coins and gives ``goods``; the small one is free and gives
    ``small_goods`` more.
    """

    price: int
    goods: int
    small_goods: int
    large_box: tuple[Worker, ...] = ()
    small_box: tuple[Worker, ...] = ()


@dataclass(frozen=True, slots=True)
class AreaObservation:
    """An area where ``good`` is harvested, by one ``worker`` of that kind or any two."""

    area: Area
    good: Good
    worker: Worker
    slots: tuple[SlotObservation, ...]


@dataclass(frozen=True, slots=True)
class RowObservation:
    """A row of the shop, counted from 1: what it gives.

    ``goods`` are of choice; ``upgrades`` is how many small goods at most become large ones.
    """

    cows: int
    coins: int
    goods: int
    upgrades: int


@dataclass(frozen=True, slots=True)
class RepresentativeObservation:
    """Where a seat's representative is: at a row and column of the shop (from 1), or nowhere there.

    ``passed`` says that it stays out of this town, ``undecided`` that its seat has yet to place it
    or pass (or to move it after it was overtaken), ``served`` that its seat has taken its reward.
    While no seat is in town, all of them are false and there is no row.
    """

    seat: int
    row: int | None = None
    column: int | None = None
    passed: bool = False
    undecided: bool = False
    served: bool = False


@dataclass(frozen=True, slots=True)
class SpaceObservation:
    """A space of the shop: its row and column, from 1."""

    row: int
    column: int


@dataclass(frozen=True, slots=True)
class ShopObservation:
    """The town: ``costs`` are the pumpkins of each column from the left.

    A representative may only go to the right of another one in its row. ``possible`` are the spaces
    on which the awaited seat can place its own now.
    """

    costs: tuple[int, ...]
    rows: tuple[RowObservation, ...]
    representatives: tuple[RepresentativeObservation, ...]
    possible: tuple[SpaceObservation, ...] = ()


@dataclass(frozen=True, slots=True)
class WheelObservation:
    """The recruitment wheel: its segments clockwise, and the one (from 1) that the arrow shows,
    ``None`` before the first spin.
    """

    segments: tuple[tuple[Hiring, ...], ...]
    arrow: int | None = None


@dataclass(frozen=True, slots=True)
class SupplyObservation:
    """The supply. Coins are unlimited."""

    goods: Mapping[Good, int]
    workers: Mapping[Worker, int]
    cows: int


@dataclass(frozen=True, slots=True)
class Observation:
    """The whole position; ``viewer`` is a seat, or ``None`` for a spectator.

    ``phase`` is one of ``laying`` (chance lays tiles; only those laid are in ``hexes``), ``start``
    (chance puts the start tile), ``spin`` (chance spins), ``choose`` (a seat chooses workers),
    ``turn`` (a seat chooses what to do), ``recruited`` (the arrow may be moved), ``harvested`` (the
    small box may be used), ``town`` (representatives are placed), ``rewards``, ``building``
    (``built`` of up to three are built), ``done`` (only trades, a canteen and the end of the turn
    are left), ``over``. ``turn`` is the seat whose turn it is; ``to_act`` the awaited seats (-1 for
    chance), ``awaited`` the same with what they are asked. ``surplus`` is how many workers the
    awaited seat has to return first. ``hexes`` are in reading order. ``last`` are the places of the
    latest action that had one: names of hexes, "wheel", "bank 3", "mine 2", "mine 2 again", "town 2
    3" (row and column); a turn of building lists all its hexes. ``round`` is 0 before the first
    turn. ``ending`` says what triggered the end, and is ``None`` before.
    """

    viewer: int | None
    phase: str
    to_act: tuple[int, ...]
    awaited: tuple[Awaited, ...]
    round: int
    turn: int
    built: int
    surplus: int
    seats: tuple[SeatObservation, ...]
    hexes: tuple[HexObservation, ...]
    bank: tuple[BankObservation, ...]
    areas: tuple[AreaObservation, ...]
    shop: ShopObservation
    wheel: WheelObservation
    supply: SupplyObservation
    last: tuple[str, ...] = ()
    ending: str | None = None
    outcome: Outcome | None = None


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
        ending=ending_sentence(state) if state.ending else None,
        outcome=outcome(state),
    )


def seen(state: State, seat: Seat, action: Action, viewer: Viewer) -> Action | None:
    """R10.1: the action unchanged, as nothing is hidden."""
    return action


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
        if place >= 0:
            representatives.append(RepresentativeObservation(seat, place // columns + 1, place % columns + 1))
        else:
            representatives.append(
                RepresentativeObservation(
                    seat,
                    passed=place == PASSED,
                    undecided=busy and place in (UNDECIDED, OVERTAKEN),
                    served=place == SERVED,
                )
            )
    rows = tuple(RowObservation(row.cows, row.coins, row.goods, row.upgrades) for row in parts.shop_rows.value)
    choosing = state.phase in (Phase.TURN, Phase.TOWN) and not surplus(state.seats[state.awaited])
    possible = (
        [SpaceObservation(row + 1, column + 1) for row, column in spaces(state, state.awaited)] if choosing else []
    )
    return ShopObservation(parts.shop_columns.value, rows, tuple(representatives), tuple(possible))


def _goods(goods: Tally) -> dict[Good, int]:
    return dict(zip(GOODS, goods, strict=True))


def _workers(workers: Tally) -> dict[Worker, int]:
    return dict(zip(WORKERS, workers, strict=True))


def _crew(crew: Crew) -> tuple[Worker, ...]:
    return tuple(WORKERS[kind] for kind in crew)
