"""The observation of a match of Ozeanien, the same for all viewers: everything but future draws."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated

from engine.documents import About
from engine.games.ozeanien.apply import at_hand
from engine.games.ozeanien.board import IMAGINED, RESERVE, UNEXPLORED, can_place, land_at, open_starts, placements
from engine.games.ozeanien.components import VALUES
from engine.games.ozeanien.score import Island, islands, outcome, standing
from engine.games.ozeanien.state import Phase, State, Tally, to_act
from engine.games.ozeanien.tiles import KIND_OF, KINDS, LAND_NAMES, PARTS, SIDES, Kind, Side, sides_of
from engine.types import Outcome, Viewer


@dataclass(frozen=True, slots=True)
class TileOnBoard:
    """An explored space."""

    space: Annotated[str, About("The space.")]
    kind: Annotated[Kind, About("The kind of tile.")]
    land: Annotated[str, About("Its edges that are land.")]
    source: Annotated[str, About("`sea`, `reserve`, or `imagined` if the reserve had none.")]


@dataclass(frozen=True, slots=True)
class ExplorerOnBoard:
    """An explorer on a tile."""

    space: Annotated[str, About("The space.")]
    seat: Annotated[int, About("Whose explorer it is.")]
    value: Annotated[int, About("Its value.")]
    part: Annotated[Side | None, About("The side of a strait; `null` on any other tile.")] = None


@dataclass(frozen=True, slots=True)
class SeatObservation:
    """What a seat has."""

    score: Annotated[int, About("Its points as it stands.")]
    explorers: Annotated[Mapping[str, int], About("Its explorers that are left, by value.")]
    given_up: Annotated[Mapping[str, int], About("Its explorers that it has given up, by value.")]
    discarded: Annotated[Mapping[Kind, int], About("The tiles that it has discarded, by kind.")]


@dataclass(frozen=True, slots=True)
class Placement:
    """A way to place the tile at hand."""

    number: Annotated[int, About("Its number among the legal actions, from 1.")]
    space: Annotated[str, About("The space.")]
    land: Annotated[str, About("The edges that are land then.")]


@dataclass(frozen=True, slots=True)
class StartingPoint:
    """A point at which the ship may start."""

    number: Annotated[int, About("Its number among the legal actions, from 1.")]
    start: Annotated[str, About("The starting point.")]


@dataclass(frozen=True, slots=True)
class Reuse:
    """R3.4: one of the own discarded tiles that may be taken instead of a draw, for an explorer."""

    tile: Annotated[Kind, About("The kind of tile.")]
    starts: Annotated[tuple[str, ...], About("The starting points from which it fits.")]


@dataclass(frozen=True, slots=True)
class Stand:
    """A way to place an explorer."""

    number: Annotated[
        int, About("Its number among the legal actions, from 1; the next after the last is that of skipping.")
    ]
    value: Annotated[int, About("The value of the explorer.")]
    part: Annotated[Side | None, About("The side of a strait; `null` on any other tile.")] = None


@dataclass(frozen=True, slots=True)
class Observation:
    """Everything the viewer may know, which is the same for all."""

    viewer: Annotated[int | None, About("The seat of the viewer; `null` for a spectator.")]
    phase: Annotated[str, About("What is to be done now: `ship`, `draw`, `place`, `explorer`, or `over`.")]
    to_act: Annotated[tuple[int, ...], About("The awaited seats; -1 is chance.")]
    turn: Annotated[int, About("The turn, from 1.")]
    columns: Annotated[int, About("How many columns the board has.")]
    rows: Annotated[int, About("How many rows the board has.")]
    seats: Annotated[tuple[SeatObservation, ...], About("The seats, from the first.")]
    tiles: Annotated[tuple[TileOnBoard, ...], About("The explored spaces.")]
    explorers: Annotated[tuple[ExplorerOnBoard, ...], About("The explorers on the board.")]
    islands: Annotated[tuple[Island, ...], About("The islands, complete or not.")]
    circles: Annotated[tuple[str, ...], About("The names of all circles.")]
    unexplored: Annotated[int, About("How many spaces are unexplored.")]
    unseen: Annotated[
        Mapping[Kind, int], About("How many tiles nobody has seen, by kind, those removed at the start included.")
    ]
    draws: Annotated[int, About("How many of the unseen tiles may still be drawn.")]
    reserve: Annotated[Mapping[Kind, int], About("The tiles of the reserve, by kind.")]
    ship: Annotated[str | None, About("Where the ship is; `null` where it is nowhere.")] = None
    tile: Annotated[Kind | None, About("The tile at hand; `null` if there is none.")] = None
    starts: Annotated[tuple[StartingPoint, ...], About("Where the awaited seat may start.")] = ()
    reuses: Annotated[
        tuple[Reuse, ...], About("The discarded tiles that the awaited seat may take instead of drawing.")
    ] = ()
    placements: Annotated[tuple[Placement, ...], About("Where the awaited seat may place the tile.")] = ()
    stands: Annotated[tuple[Stand, ...], About("Where the awaited seat may put an explorer.")] = ()
    last: Annotated[
        tuple[str, ...], About("The spaces of the latest placement: the tile first, then what the reserve filled.")
    ] = ()
    outcome: Annotated[Outcome | None, About("How the match ended; `null` until then.")] = None


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
