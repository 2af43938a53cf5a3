"""R3: the parts of a turn that need no decision: automatic steps, its end, the next turn."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import Any

from engine.games.montana.components import AREAS
from engine.games.montana.state import (
    MOST_BUILT,
    NO_WORKERS,
    SETUP_SPINS,
    WHEAT,
    Crew,
    Event,
    Happening,
    Phase,
    State,
    Tally,
    add,
    changed,
    covers,
    surplus,
    with_seat,
)
from engine.games.montana.town import unasked


def settled(state: State) -> State:
    """The next state with a decision or a draw: seats without one are skipped, turns ended."""
    while True:
        match state.phase:
            case Phase.TOWN | Phase.REWARDS:
                if surplus(state.seats[state.seat]):
                    return state
                after = unasked(state)
                if after is state:
                    return state
                state = after
            case Phase.RECRUITED | Phase.HARVESTED | Phase.BUILDING | Phase.DONE:
                me = state.seats[state.seat]
                # R3.3: while the seat can do something else, it ends its turn by an action.
                if me.cows or me.canteens or surplus(me) or _can_go_on(state):
                    return state
                return ended(state)
            case _:
                return state


def hired(state: State) -> State:
    """R4: the state after workers were taken, in the set-up or in a turn."""
    if state.round:
        return replace(state, phase=Phase.RECRUITED if state.spins == 1 else Phase.DONE)
    if state.spins < SETUP_SPINS:
        return replace(state, phase=Phase.SPIN)
    # R2.6: each seat spins twice, one seat after the other.
    if state.seat + 1 < state.table.seats:
        return replace(state, phase=Phase.SPIN, seat=state.seat + 1, awaited=state.seat + 1, spins=0)
    return replace(state, phase=Phase.TURN, seat=0, awaited=0, spins=0, round=1)


def ended(state: State) -> State:
    """R3.6, R7.4, R9.2: the state after a turn: coins, full places, the next seat or the end."""
    if state.seat + 1 < state.table.seats:
        return closed(state, phase=Phase.TURN, seat=state.seat + 1, awaited=state.seat + 1)
    if state.ending:
        return closed(state, phase=Phase.OVER)
    return closed(state, phase=Phase.TURN, seat=0, awaited=0, round=state.round + 1)


def closed(state: State, **then: Any) -> State:
    """The state after the end of a turn, ``then`` the fields that say what comes next."""
    events = list(state.events)
    if state.built and (idle := MOST_BUILT - state.built):
        me = state.seats[state.seat]
        then["seats"] = with_seat(state, state.seat, replace(me, coins=me.coins + idle))
        events.append(Event(Happening.COINS, state.seat, "", idle))
    then |= _cleared(state, events)
    return changed(state, spins=0, slot=-1, built=0, events=tuple(events), **then)


def _cleared(state: State, events: list[Event]) -> dict[str, Any]:
    """R3.6: the changed fields after full places are cleared, whose ``events`` are appended."""
    crews: list[Crew] = []
    found: dict[str, Any] = {}
    if all(state.bank):
        crews += state.bank
        found["bank"] = ((),) * len(state.bank)
        events.append(Event(Happening.CLEARED, what="bank"))
    boxes = list(state.boxes)
    for area in AREAS:
        first, last = state.table.spans[area]
        if all(boxes[2 * first : 2 * last : 2]):
            crews += boxes[2 * first : 2 * last]
            boxes[2 * first : 2 * last] = [()] * (2 * (last - first))
            events.append(Event(Happening.CLEARED, what=area.value))
    if crews:
        found |= {"workers": add(state.workers, counted(tuple(chain.from_iterable(crews)))), "boxes": tuple(boxes)}
    return found


def counted(crew: Crew) -> Tally:
    """The number of workers of each kind in a crew."""
    return tuple([crew.count(kind) for kind in range(len(NO_WORKERS))]) if crew else NO_WORKERS


def can_build(state: State) -> bool:
    """R7: whether the seat whose turn it is can build another settlement now."""
    me = state.seats[state.seat]
    return (
        state.built < MOST_BUILT
        and me.settlements > 0
        and any(covers(me.goods, state.land[hexagon].cost) for hexagon in state.open)
    )


def can_harvest_again(state: State) -> bool:
    """R5.6: whether the seat whose turn it is has workers that fit the small box."""
    workers = state.seats[state.seat].workers
    return sum(workers) >= 2 or workers[state.table.slots[state.slot].kind] > 0


def _can_go_on(state: State) -> bool:
    match state.phase:
        case Phase.RECRUITED:
            return state.seats[state.seat].goods[WHEAT] > 0
        case Phase.HARVESTED:
            return can_harvest_again(state)
        case Phase.BUILDING:
            return can_build(state)
        case _:
            return False
