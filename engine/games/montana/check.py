"""The invariants of every position: everything is conserved, and no number is negative."""

from __future__ import annotations

from engine.games.montana.components import GOODS, WORKERS, Terrain
from engine.games.montana.landscape import open_hexes
from engine.games.montana.state import BY_CHANCE, MOST_BUILT, NO_GOODS, UNDECIDED, Phase, State, surplus


def check(state: State) -> tuple[str, ...]:
    """The broken invariants as sentences; none in a sound state."""
    return (*_check_supplies(state), *_check_board(state), *_check_moment(state))


def _check_supplies(state: State) -> list[str]:
    parts, seats, broken = state.table.components, state.table.seats, []
    supply = parts.supplies.value[str(seats)]
    for index, good in enumerate(GOODS):
        have = state.goods[index] + sum(seat.goods[index] for seat in state.seats)
        if have != supply[good] + seats * parts.goods.value[good]:
            broken.append(f"there are {have} {good} in the match")
    crews = [*state.bank, *state.boxes]
    for index, worker in enumerate(WORKERS):
        have = (
            state.workers[index]
            + sum(seat.workers[index] for seat in state.seats)
            + sum(crew.count(index) for crew in crews)
        )
        if have != parts.workers.value[worker]:
            broken.append(f"there are {have} {worker} workers in the match")
    cows = state.cows + len(state.cattle) + sum(seat.cows for seat in state.seats)
    if cows != parts.cows.value:
        broken.append(f"there are {cows} cows in the match")
    canteens = sum(1 for ground in state.land if ground.canteen)
    if canteens != len(state.canteens) + state.spent + sum(seat.canteens for seat in state.seats):
        broken.append(f"there are not exactly {canteens} canteens")
    numbers = [*state.goods, *state.workers, state.cows]
    for seat in state.seats:
        numbers += [*seat.goods, *seat.workers, seat.coins, seat.cows, seat.canteens, seat.settlements]
    if min(numbers) < 0:
        broken.append("a supply or a seat holds a negative number of something")
    return broken


def _check_board(state: State) -> list[str]:
    if state.phase in (Phase.LAYING, Phase.START):
        return []
    broken, each = [], state.table.components.settlements.value[str(state.table.seats)]
    for seat, facts in enumerate(state.seats):
        placed = sum(count for owner, count in zip(state.owners, state.counts, strict=True) if owner == seat)
        if placed + facts.settlements != each:
            broken.append(f"seat {seat} has {placed} settlements on the board and {facts.settlements} left")
    for hexagon, owner in enumerate(state.owners):
        if (owner >= 0) != (state.counts[hexagon] > 0):
            broken.append(f"hex {hexagon} has {state.counts[hexagon]} settlements of seat {owner}")
        if owner >= 0 and (
            state.land[hexagon].terrain is not Terrain.PRAIRIE or hexagon == state.start or state.counts[hexagon] > 5
        ):
            broken.append(f"hex {hexagon} cannot have {state.counts[hexagon]} settlements")
        if owner >= 0 and hexagon in state.cattle:
            broken.append(f"a cow was left on hex {hexagon}")
    if state.open != open_hexes(state):
        broken.append("the open hexes are not those next to the start tile and the settlements")
    slots, spans = state.table.slots, state.table.spans
    if len(state.boxes) != 2 * len(slots) or any(
        state.boxes[2 * place + 1] and not state.boxes[2 * place] for place in range(len(slots))
    ):
        broken.append("a small box is taken and its large box is free")
    if state.phase is Phase.TURN and (
        all(state.bank) or any(all(state.boxes[2 * place] for place in range(*span)) for span in spans.values())
    ):
        broken.append("a full place was not cleared before the turn")
    return broken


def _check_moment(state: State) -> list[str]:
    broken = []
    in_town = state.phase in (Phase.TOWN, Phase.REWARDS)
    if not in_town and any(place != UNDECIDED for place in state.shop):
        broken.append("a representative is in the shop while nobody is in town")
    columns = len(state.table.components.shop_columns.value)
    rows = [place // columns for place in state.shop if place >= 0]
    if len(set(rows)) < len(rows):
        broken.append("two representatives are in one row")
    if not in_town and state.awaited != state.seat:
        broken.append(f"seat {state.awaited} is awaited in the turn of seat {state.seat}")
    if any(
        surplus(facts) and (seat != state.awaited or state.phase in BY_CHANCE) for seat, facts in enumerate(state.seats)
    ):
        broken.append("a seat with more workers than room is not the one awaited")
    if state.built > MOST_BUILT or (state.phase is Phase.TURN and (state.built or state.spins)):
        broken.append(f"{state.built} settlements were paid for")
    if state.phase is Phase.OVER and state.ending is None:
        broken.append("the match is over and nothing ended it")
    if any(ground.cost == NO_GOODS for ground in state.land if ground.terrain is Terrain.PRAIRIE):
        broken.append("a prairie costs nothing")
    return broken
