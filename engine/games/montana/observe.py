"""What a viewer may know of a match of Montana: everything, as nothing is hidden."""

from __future__ import annotations

from engine.games.montana.actions import Action, TradeForCoins, UseCanteen
from engine.games.montana.components import AREA_GOOD, AREAS, GOODS, WORKERS, Area, Good, Worker
from engine.games.montana.landscape import most_settlements
from engine.games.montana.legal import prompt
from engine.games.montana.observation import (
    AreaObservation,
    Awaited,
    BankObservation,
    HexObservation,
    Observation,
    RepresentativeObservation,
    RowObservation,
    SeatObservation,
    ShopObservation,
    SlotObservation,
    SpaceObservation,
    SupplyObservation,
    WheelObservation,
)
from engine.games.montana.refusals.problems import problems
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
from engine.types import CHANCE, Seat, Viewer


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
