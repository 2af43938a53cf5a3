"""R6 and R9: what a placement earns, the standing and the outcome."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from engine.games.oregon.board import AROUND, BESIDE
from engine.games.oregon.components import BUILDING_INDEX, BUILDINGS, Building
from engine.games.oregon.state import FIRST_BUILDING, FIRST_FARMER, GROUPS, Due, Ending, Phase, SeatState, State, plus
from engine.types import Outcome, ScoreLine, Seat, Statement

GROUP_SIZE: Final = 3
GROUP_POINTS: Final = 5
POINTS: Final = {Building.POST_OFFICE: 3, Building.HARBOUR: 4, Building.WAREHOUSE: 1, Building.STATION: 1}
_MINES = {Building.COAL_MINE: Due.COAL, Building.GOLD_MINE: Due.GOLD}


@dataclass(frozen=True, slots=True)
class Gain:
    """What one seat earns from one building, or from a group (``building`` is ``None``): ``points``
    on the track by so many ``farmers``, and ``tokens`` of a ``mine``, limited by the supply.
    """

    seat: Seat
    building: Building | None
    space: int
    farmers: int
    points: int
    tokens: int = 0

    @property
    def mine(self) -> Due | None:
        """The kind of tokens that the building gives; ``None`` if it is not a mine."""
        return None if self.building is None else _MINES.get(self.building)


def farmer_gains(board: Sequence[int], seat: Seat, space: int) -> tuple[Gain, ...]:
    """R6.1, R6.6: what the farmer on ``space`` earns from buildings around it, then as a group."""
    gains = [
        _gain(board, seat, BUILDINGS[board[other] - FIRST_BUILDING], other, 1)
        for other in AROUND[space]
        if board[other] >= FIRST_BUILDING
    ]
    if makes_group(board, seat, space):
        gains.append(Gain(seat, None, space, GROUP_SIZE, GROUP_POINTS))
    return tuple(gains)


def building_gains(board: Sequence[int], seat: Seat, seats: int, space: int) -> tuple[Gain, ...]:
    """R6.2: what the building on ``space`` earns each seat around it, ``seat`` first."""
    building = BUILDINGS[board[space] - FIRST_BUILDING]
    codes = [board[other] for other in AROUND[space]]
    order = [(seat + step) % seats for step in range(seats)]
    counts = [(other, codes.count(FIRST_FARMER + other)) for other in order]
    return tuple(_gain(board, other, building, space, farmers) for other, farmers in counts if farmers)


def makes_group(board: Sequence[int], seat: Seat, space: int) -> bool:
    """R6.6: whether the farmer on ``space`` makes a group of three or more of smaller ones."""
    code = FIRST_FARMER + seat
    joined = {space}
    for start in BESIDE[space]:
        if board[start] != code or start in joined:
            continue
        # The group to which this neighbour belonged before: it is not connected through ``space``.
        group, edge = {start}, [start]
        while edge:
            for other in BESIDE[edge.pop()]:
                if other != space and other not in group and board[other] == code:
                    group.add(other)
                    edge.append(other)
        if len(group) >= GROUP_SIZE:
            return False
        joined |= group
    return len(joined) >= GROUP_SIZE


def earn(state: State, gains: tuple[Gain, ...]) -> State:
    """The state with points added, tokens flipped, and coal and gold due from chance, in the order
    of ``gains`` as far as the supply goes.
    """
    if not gains:
        return state
    seats = list(state.seats)
    due: list[tuple[Due, Seat]] = []
    left = {Due.COAL: sum(state.coal), Due.GOLD: sum(state.gold)}
    for gain in gains:
        seats[gain.seat] = _credited(seats[gain.seat], gain)
    # R6.7: coal before gold; an empty supply gives nothing.
    for mine in (Due.COAL, Due.GOLD):
        for gain in gains:
            if gain.mine is mine:
                number = min(gain.tokens, left[mine])
                left[mine] -= number
                due += [(mine, gain.seat)] * number
    return replace(state, seats=tuple(seats), due=tuple(due))


def outcome(state: State) -> Outcome | None:
    """R9.4, R9.5: the outcome; ``None`` while the match runs."""
    if state.phase is not Phase.OVER:
        return None
    placed = [state.table.components.farmers.value - seat.farmers for seat in state.seats]
    scores = standing(state)
    keys = list(zip(scores, placed, strict=True))
    return Outcome(
        scores=scores,
        ranks=tuple(1 + sum(1 for other in keys if other > key) for key in keys),
        ended=ended(state),
        details=tuple(
            (
                ScoreLine("track", seat.score),
                ScoreLine("coal", sum(seat.coal)),
                ScoreLine("gold", sum(seat.gold)),
                ScoreLine("farmers", farmers),
            )
            for seat, farmers in zip(state.seats, placed, strict=True)
        ),
    )


def standing(state: State) -> tuple[int, ...]:
    """The current points of every seat, coal and gold included."""
    return tuple(seat.score + sum(seat.coal) + sum(seat.gold) for seat in state.seats)


def ended(state: State) -> Statement:
    """R9.1: what has triggered the end."""
    assert state.ending is not None
    if state.ending is Ending.LAST_FARMER:
        return Statement(state.ending.value)
    empty = tuple(building.value for building, left in zip(BUILDINGS, state.stacks, strict=True) if not left)
    return Statement(state.ending.value, {"stacks": empty})


def _gain(board: Sequence[int], seat: Seat, building: Building, space: int, farmers: int) -> Gain:
    if building in _MINES:
        return Gain(seat, building, space, farmers, 0, tokens=farmers)
    # R6.4: a church gives a point for each farmer around it, of all colours.
    worth = (
        len([other for other in AROUND[space] if FIRST_FARMER <= board[other] < FIRST_BUILDING])
        if building is Building.CHURCH
        else POINTS[building]
    )
    return Gain(seat, building, space, farmers, worth * farmers)


def _credited(seat: SeatState, gain: Gain) -> SeatState:
    if gain.building is None:
        return replace(seat, earned=plus(seat.earned, GROUPS, gain.points))
    return replace(
        seat,
        earned=plus(seat.earned, BUILDING_INDEX[gain.building], gain.points) if gain.points else seat.earned,
        joker=seat.joker or gain.building is Building.WAREHOUSE,
        extra=seat.extra or gain.building is Building.STATION,
    )
