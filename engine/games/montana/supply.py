"""R3.4: takes from the supply, which may be short, and gives back to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, TypeAlias

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

_Kind: TypeAlias = Literal["goods", "workers"]


def take_goods(state: State, seat: Seat, wanted: Tally) -> State:
    """The state after a seat has taken goods; from a short supply after all have given back."""
    return _taken(state, seat, wanted, "goods")


def take_workers(state: State, seat: Seat, wanted: Tally) -> State:
    """The state after a seat has taken workers; from a short supply after all have given back."""
    return _taken(state, seat, wanted, "workers")


def _taken(state: State, seat: Seat, wanted: Tally, kind: _Kind) -> State:
    supply = _held(state, kind)
    if covers(supply, wanted):
        me = state.seats[seat]
        seats = with_seat(state, seat, _holding(me, kind, add(_held(me, kind), wanted)))
        return changed(state, **{kind: less(supply, wanted), "seats": seats})
    for index, number in enumerate(wanted):
        if number:
            supply, held = _held(state, kind), [_held(each, kind)[index] for each in state.seats]
            after, left = levied(held, supply[index], number)
            got = min(left, number)
            what = GOODS[index].value if kind == "goods" else f"{WORKERS[index].value} worker"
            events = (*state.events, *_events(held, after, what))
            if got < number:
                events = (*events, Event(Happening.SHORT, seat, what, got))
            after[seat] += got
            seats = tuple(
                _holding(each, kind, plus(_held(each, kind), index, have - had))
                for each, have, had in zip(state.seats, after, held, strict=True)
            )
            supply = plus(supply, index, left - got - supply[index])
            state = changed(state, **{kind: supply, "seats": seats, "events": events})
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
    seats = with_seat(state, seat, replace(me, goods=less(me.goods, given)))
    return changed(state, goods=add(state.goods, given), seats=seats)


def within_reach(state: State, seat: Seat, index: int, *, workers: bool = False) -> bool:
    """R8.5: whether the supply or another seat has one of a good, or of a kind of ``workers``."""
    supply = state.workers if workers else state.goods
    others = (each.workers if workers else each.goods for number, each in enumerate(state.seats) if number != seat)
    return supply[index] > 0 or any(held[index] for held in others)


def _events(before: Sequence[int], after: Sequence[int], what: str) -> list[Event]:
    return [
        Event(Happening.LEVIED, seat, what, had - has)
        for seat, (had, has) in enumerate(zip(before, after, strict=True))
        if had != has
    ]


def _held(holder: State | SeatState, kind: _Kind) -> Tally:
    return holder.goods if kind == "goods" else holder.workers


def _holding(seat: SeatState, kind: _Kind, held: Tally) -> SeatState:
    return replace(seat, goods=held) if kind == "goods" else replace(seat, workers=held)
