"""The candidate actions in each phase, the prompts, and the outcomes of chance."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from engine.games.ozeanien.actions import Action, DrawTile, Explore, Place, PlaceExplorer, Skip, UseDiscarded
from engine.games.ozeanien.apply import at_hand
from engine.games.ozeanien.board import can_place, open_starts, placements
from engine.games.ozeanien.components import VALUES
from engine.games.ozeanien.state import Phase, State
from engine.games.ozeanien.tiles import KINDS, LAND_NAMES, PARTS, sides_of
from engine.types import Seat, Statement


def candidates(state: State, seat: Seat) -> Iterable[Action]:
    """The candidates in canonical order: circles, tiles; spaces, then turns; explorers."""
    match state.phase:
        case Phase.SHIP:
            yield from _starts(state)
        case Phase.PLACE if state.ship is not None and state.tile is not None:
            ground = state.table.ground
            for space, land in placements(ground, state.board, state.ship, state.tile):
                yield Place(ground.names[space], LAND_NAMES[land])
        case Phase.EXPLORER:
            parts = PARTS[at_hand(state)]
            left = [value for value, number in zip(VALUES, state.seats[state.seat].explorers, strict=True) if number]
            for value in left:
                yield from (PlaceExplorer(value, sides_of(part)[0] if len(parts) > 1 else None) for part in parts)
            yield Skip()


def prompt(state: State, seat: Seat) -> Statement:
    """What the seat is asked, from public facts alone."""
    match state.phase:
        case Phase.SHIP:
            return Statement("ship")
        case Phase.PLACE if state.tile is not None:
            return Statement("place", {"tile": KINDS[state.tile].value})
        case Phase.EXPLORER:
            return Statement("explorer")
        case _:
            raise AssertionError(f"no seat is awaited while the phase is {state.phase}")


def _starts(state: State) -> Iterator[Action]:
    ground, me = state.table.ground, state.seats[state.seat]
    found = list(open_starts(ground, state.board))
    yield from (Explore(ground.starts[start]) for start in found)
    if state.table.solo or not any(me.discarded):
        return
    values = [value for value, number in zip(VALUES, me.explorers, strict=True) if number]
    for start in found:
        for kind, number in enumerate(me.discarded):
            if number and can_place(ground, state.board, start, kind):
                yield from (UseDiscarded(ground.starts[start], KINDS[kind], value) for value in values)


def superfluous(state: State, seat: Seat, action: Action) -> bool:
    """Whether the seat declines an explorer, or says that it is done, after its turn has ended."""
    return isinstance(action, Skip) and state.phase in (Phase.SHIP, Phase.OVER)


def outcomes(state: State) -> Sequence[tuple[DrawTile, int]]:
    """R3.3: the kinds that may be drawn, with their weights, those removed unseen included."""
    if state.phase is not Phase.DRAW:
        return ()
    return tuple((DrawTile(kind), left) for kind, left in zip(KINDS, state.bag, strict=True) if left)
