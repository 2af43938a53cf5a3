"""The observation of a match of Ozeanien, the same for all viewers: everything but future draws."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from engine.games.ozeanien.actions import Action
from engine.games.ozeanien.apply import at_hand
from engine.games.ozeanien.board import IMAGINED, RESERVE, UNEXPLORED, can_place, land_at, open_starts, placements
from engine.games.ozeanien.components import VALUES
from engine.games.ozeanien.score import Island, islands, outcome, standing
from engine.games.ozeanien.state import Phase, State, Tally, to_act
from engine.games.ozeanien.tiles import KIND_OF, KINDS, LAND_NAMES, PARTS, SIDES, Kind, Side, sides_of
from engine.types import Outcome, Seat, Viewer


@dataclass(frozen=True, slots=True)
class TileOnBoard:
    """An explored space.

    ``land`` names the land edges; ``source`` is ``sea``, ``reserve``, or ``imagined`` if the
    reserve had none.
    """

    space: str
    kind: Kind
    land: str
    source: str


@dataclass(frozen=True, slots=True)
class ExplorerOnBoard:
    """An explorer on a tile; ``part`` is the side of a strait."""

    space: str
    seat: int
    value: int
    part: Side | None = None


@dataclass(frozen=True, slots=True)
class SeatObservation:
    """A seat: its current points, explorers left and given up by value, discarded tiles."""

    score: int
    explorers: Mapping[str, int]
    given_up: Mapping[str, int]
    discarded: Mapping[Kind, int]


@dataclass(frozen=True, slots=True)
class Placement:
    """A way to place the tile at hand; ``number`` is its place in the list of legal actions, from
    1.
    """

    number: int
    space: str
    land: str


@dataclass(frozen=True, slots=True)
class StartingPoint:
    """A point at which the ship may start; ``number`` is its place in the list of legal actions,
    from 1.
    """

    number: int
    start: str


@dataclass(frozen=True, slots=True)
class Reuse:
    """R3.4: one of the own discarded tiles that may be taken instead of a draw, for an explorer;
    ``starts`` are the starting points from which it fits.
    """

    tile: Kind
    starts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Stand:
    """A way to place an explorer; ``number`` is its place in the list of legal actions, from 1; the
    number after the last is that of skipping.
    """

    number: int
    value: int
    part: Side | None = None


@dataclass(frozen=True, slots=True)
class Observation:
    """Everything the viewer may know, which is the same for all.

    ``viewer`` is a seat, or ``None`` for a spectator. ``phase`` is one of ``ship``, ``draw``,
    ``place``, ``explorer``, ``over``; ``to_act`` are the awaited seats (-1 for chance). ``circles``
    are the names of all circles. ``unseen`` counts the unseen tiles by kind, those removed at the
    start included; ``draws`` of them may still be drawn. ``tile`` is at hand in the phase
    ``place``. ``starts``, ``placements`` and ``stands`` number what the awaited seat may do;
    ``reuses`` are the discarded tiles that it may take instead of drawing. ``last`` are the spaces
    of the latest placement: the tile first, then what the reserve filled.
    """

    viewer: int | None
    phase: str
    to_act: tuple[int, ...]
    turn: int
    columns: int
    rows: int
    seats: tuple[SeatObservation, ...]
    tiles: tuple[TileOnBoard, ...]
    explorers: tuple[ExplorerOnBoard, ...]
    islands: tuple[Island, ...]
    circles: tuple[str, ...]
    unexplored: int
    unseen: Mapping[Kind, int]
    draws: int
    reserve: Mapping[Kind, int]
    ship: str | None = None
    tile: Kind | None = None
    starts: tuple[StartingPoint, ...] = ()
    reuses: tuple[Reuse, ...] = ()
    placements: tuple[Placement, ...] = ()
    stands: tuple[Stand, ...] = ()
    last: tuple[str, ...] = ()
    outcome: Outcome | None = None


def observe(state: State, viewer: Viewer) -> Observation:
    """R10: what a seat, or a spectator, may know."""
    ground, points = state.table.ground, standing(state)
    return Observation(
        viewer=viewer,
        phase=state.phase.value,
        to_act=to_act(state),
        turn=state.turn,
        columns=ground.columns,
        rows=ground.rows,
        seats=tuple(
            SeatObservation(
                points[number], _by_value(seat.explorers), _by_value(seat.given_up), _by_kind(seat.discarded)
            )
            for number, seat in enumerate(state.seats)
        ),
        tiles=tuple(_tiles(state)),
        explorers=tuple(
            ExplorerOnBoard(
                ground.names[each.space], each.seat, each.value, None if each.part is None else SIDES[each.part]
            )
            for each in state.explorers
        ),
        islands=islands(state),
        circles=ground.starts[len(ground.names) :],
        unexplored=state.board.count(UNEXPLORED),
        unseen=_by_kind(state.bag),
        draws=state.draws,
        reserve=_by_kind(state.reserve),
        ship=None if state.ship is None else ground.starts[state.ship],
        tile=None if state.tile is None else KINDS[state.tile],
        starts=tuple(_starts(state)),
        reuses=tuple(_reuses(state)),
        placements=tuple(_placements(state)),
        stands=tuple(_stands(state)),
        last=tuple(ground.names[space] for space in state.last),
        outcome=outcome(state),
    )


def seen(state: State, seat: Seat, action: Action, viewer: Viewer) -> Action | None:
    """R10.1: the action unchanged, as nothing is hidden."""
    return action


def _by_kind(tally: Tally) -> Mapping[Kind, int]:
    return dict(zip(KINDS, tally, strict=True))


def _by_value(tally: Tally) -> Mapping[str, int]:
    return {str(value): number for value, number in zip(VALUES, tally, strict=True)}


def _tiles(state: State) -> Iterator[TileOnBoard]:
    for space, tile in enumerate(state.board):
        if tile != UNEXPLORED:
            land = land_at(state.board, space)
            source = "reserve" if tile & RESERVE else "imagined" if tile & IMAGINED else "sea"
            yield TileOnBoard(state.table.ground.names[space], KINDS[KIND_OF[land]], LAND_NAMES[land], source)


# The numbered actions come first in ``legal.candidates``, in the same order; a test compares the
# two.


def _starts(state: State) -> Iterator[StartingPoint]:
    if state.phase is Phase.SHIP:
        ground = state.table.ground
        yield from (
            StartingPoint(number, ground.starts[start])
            for number, start in enumerate(open_starts(ground, state.board), 1)
        )


def _reuses(state: State) -> Iterator[Reuse]:
    """R3.4, R3.5: what may be taken back; nothing without an explorer to pay with, or alone."""
    me = state.seats[state.seat]
    if state.phase is not Phase.SHIP or not any(me.explorers):
        return
    ground, open_to = state.table.ground, tuple(open_starts(state.table.ground, state.board))
    for kind, number in enumerate(me.discarded):
        if number:
            starts = tuple(ground.starts[start] for start in open_to if can_place(ground, state.board, start, kind))
            if starts:
                yield Reuse(KINDS[kind], starts)


def _placements(state: State) -> Iterator[Placement]:
    if state.phase is Phase.PLACE and state.ship is not None and state.tile is not None:
        ground = state.table.ground
        for number, (space, land) in enumerate(placements(ground, state.board, state.ship, state.tile), 1):
            yield Placement(number, ground.names[space], LAND_NAMES[land])


def _stands(state: State) -> Iterator[Stand]:
    if state.phase is Phase.EXPLORER:
        parts = PARTS[at_hand(state)]
        left = [value for value, number in zip(VALUES, state.seats[state.seat].explorers, strict=True) if number]
        ways = ((value, sides_of(part)[0] if len(parts) > 1 else None) for value in left for part in parts)
        yield from (Stand(number, value, part) for number, (value, part) in enumerate(ways, 1))
