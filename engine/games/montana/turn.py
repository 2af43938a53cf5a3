"""R3: how a turn goes on by itself, ends, and is followed by the next."""

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
    """The state in which somebody has something to decide: whoever has not is passed over, served,
    or at the end of the turn.
    """
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
                # R3.3: as long as there is anything but ending, the end is said.
                if me.cows or me.canteens or surplus(me) or _can_go_on(state):
                    return state
                return ended(state)
            case _:
                return state


def hired(state: State) -> State:
    """R4: the state after workers were taken, in the set-up or in a turn of recruiting."""
    if state.round:
        return replace(state, phase=Phase.RECRUITED if state.spins == 1 else Phase.DONE)
    if state.spins < SETUP_SPINS:
        return replace(state, phase=Phase.SPIN)
    # R2.6: both spins of a seat, then those of the next.
    if state.seat + 1 < state.table.seats:
        return replace(state, phase=Phase.SPIN, seat=state.seat + 1, awaited=state.seat + 1, spins=0)
    return replace(state, phase=Phase.TURN, seat=0, awaited=0, spins=0, round=1)


def ended(state: State) -> State:
    """R3.6, R7.4, R9.2: the turn is over: coins for what was not built, full places cleared, the
    next seat or the end.
    """
    if state.seat + 1 < state.table.seats:
        return closed(state, phase=Phase.TURN, seat=state.seat + 1, awaited=state.seat + 1)
    if state.ending:
        return closed(state, phase=Phase.OVER)
    return closed(state, phase=Phase.TURN, seat=0, awaited=0, round=state.round + 1)


def closed(state: State, **then: Any) -> State:
    """What the end of a turn does before the next one begins, a canteen's included; ``then`` are
    the fields that say what comes next.
    """
    events = list(state.events)
    if state.built and (idle := MOST_BUILT - state.built):
        me = state.seats[state.seat]
        then["seats"] = with_seat(state, state.seat, replace(me, coins=me.coins + idle))
        events.append(Event(Happening.COINS, state.seat, "", idle))
    then |= _cleared(state, events)
    return changed(state, spins=0, slot=-1, built=0, events=tuple(events), **then)


def _cleared(state: State, events: list[Event]) -> dict[str, Any]:
    """R3.6: a full bank, and every area whose large boxes are all taken, gives its workers back to
    the supply; what that changes, and adds to the events.
    """
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
    """A crew as how many workers of each kind."""
    return tuple([crew.count(kind) for kind in range(len(NO_WORKERS))]) if crew else NO_WORKERS


def can_build(state: State) -> bool:
    """R7: whether the seat whose turn it is could build another settlement right now."""
    me = state.seats[state.seat]
    return (
        state.built < MOST_BUILT
        and me.settlements > 0
        and any(covers(me.goods, state.land[hexagon].cost) for hexagon in state.open)
    )


def can_harvest_again(state: State) -> bool:
    """R5.6: whether the seat whose turn it is has workers for the small box."""
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
