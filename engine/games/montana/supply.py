"""R3.4: takes from the supply, which may be short, and gives back to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.games.montana.components import GOODS, WORKERS
from engine.games.montana.state import (
    Event,
    Happening,
    SeatState,
    State,
    Tally,
    add,
    changed,
    covers,
    less,
    plus,
    with_seat,
)
from engine.types import Seat


def take_goods(state: State, seat: Seat, wanted: Tally) -> State:
    """The state after a seat has taken goods; from a short supply after all have given back."""
    if covers(state.goods, wanted):
        me = state.seats[seat]
        return changed(
            state,
            goods=less(state.goods, wanted),
            seats=with_seat(state, seat, replace(me, goods=add(me.goods, wanted))),
        )
    for index, number in enumerate(wanted):
        if number:
            held = [each.goods[index] for each in state.seats]
            after, left = levied(held, state.goods[index], number)
            got = min(left, number)
            events = _events(held, after, GOODS[index].value)
            after[seat] += got
            seats = tuple(_with_goods(each, index, have) for each, have in zip(state.seats, after, strict=True))
            state = changed(
                state,
                seats=seats,
                goods=plus(state.goods, index, left - got - state.goods[index]),
                events=(*state.events, *events),
            )
    return state


def take_workers(state: State, seat: Seat, wanted: Tally) -> State:
    """The state after a seat has taken workers; from a short supply after all have given back."""
    if covers(state.workers, wanted):
        me = state.seats[seat]
        return changed(
            state,
            workers=less(state.workers, wanted),
            seats=with_seat(state, seat, replace(me, workers=add(me.workers, wanted))),
        )
    for index, number in enumerate(wanted):
        if number:
            held = [each.workers[index] for each in state.seats]
            after, left = levied(held, state.workers[index], number)
            got = min(left, number)
            events = _events(held, after, f"{WORKERS[index].value} worker")
            after[seat] += got
            seats = tuple(_with_workers(each, index, have) for each, have in zip(state.seats, after, strict=True))
            state = changed(
                state,
                seats=seats,
                workers=plus(state.workers, index, left - got - state.workers[index]),
                events=(*state.events, *events),
            )
    return state


def levied(held: Sequence[int], left: int, number: int) -> tuple[list[int], int]:
    """R3.4: the numbers that the seats hold, and the number in the supply, after every seat that
    has one has given one back, repeated until ``number`` can be taken.
    """
    after = list(held)
    while left < number and any(after):
        left += sum(1 for have in after if have > 0)
        after = [have - 1 if have > 0 else 0 for have in after]
    return after, left


def give_goods(state: State, seat: Seat, given: Tally) -> State:
    """The state after a seat has given goods to the supply."""
    me = state.seats[seat]
    return changed(
        state, goods=add(state.goods, given), seats=with_seat(state, seat, replace(me, goods=less(me.goods, given)))
    )


def within_reach(state: State, seat: Seat, index: int, *, workers: bool = False) -> bool:
    """R8.5: whether the supply or another seat has one of a good, or of a kind of ``workers``."""
    if workers:
        return state.workers[index] > 0 or any(
            each.workers[index] for number, each in enumerate(state.seats) if number != seat
        )
    return state.goods[index] > 0 or any(each.goods[index] for number, each in enumerate(state.seats) if number != seat)


def _events(before: Sequence[int], after: Sequence[int], what: str) -> list[Event]:
    return [
        Event(Happening.LEVIED, seat, what, had - has)
        for seat, (had, has) in enumerate(zip(before, after, strict=True))
        if had != has
    ]


def _with_goods(seat: SeatState, index: int, number: int) -> SeatState:
    return (
        seat
        if seat.goods[index] == number
        else replace(seat, goods=plus(seat.goods, index, number - seat.goods[index]))
    )


def _with_workers(seat: SeatState, index: int, number: int) -> SeatState:
    return (
        seat
        if seat.workers[index] == number
        else replace(seat, workers=plus(seat.workers, index, number - seat.workers[index]))
    )
