"""R8: the islands (connected land of tiles), what they earn, the standing and the outcome."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Final

from engine.documents import About
from engine.games.ozeanien.board import IMAGINED, RESERVE, UNEXPLORED, Board, Geometry, land_at
from engine.games.ozeanien.state import Explorer, Phase, State, unexplored
from engine.games.ozeanien.tiles import ALL_LAND, EDGES, KIND_NAMES, KIND_OF, KINDS, LAND_NAMES, PARTS, sides_of
from engine.types import Outcome, ScoreLine, Seat, Statement

NOWHERE: Final = -1


@dataclass(frozen=True, slots=True)
class Chart:
    """The islands of a board, numbered by their first land edge in reading order: ``island[4 *
    space + edge]`` is that of a land edge, or ``NOWHERE``; ``spaces`` are those of each island,
    ``gaps`` the unexplored ones next to it, once for each land edge.
    """

    island: tuple[int, ...]
    spaces: tuple[tuple[int, ...], ...]
    gaps: tuple[tuple[int, ...], ...]

    def complete(self, island: int) -> bool:
        """R8.2: whether no land edge of the island borders an unexplored space."""
        return not self.gaps[island]


def chart(ground: Geometry, board: Board) -> Chart:
    """The islands of a board."""
    return _chart(ground.near, board)


@lru_cache(maxsize=512)
def _chart(near: tuple[tuple[int, ...], ...], board: Board) -> Chart:
    island = [NOWHERE] * (4 * len(board))
    spaces: list[tuple[int, ...]] = []
    gaps: list[tuple[int, ...]] = []
    for space, tile in enumerate(board):
        if tile == UNEXPLORED:
            continue
        for part in PARTS[tile & ALL_LAND]:
            if island[4 * space + _EDGES[part][0]] == NOWHERE:
                found, open_to = _spread(near, board, island, len(spaces), space, part)
                spaces.append(found)
                gaps.append(open_to)
    return Chart(tuple(island), tuple(spaces), tuple(gaps))


def _spread(
    near: tuple[tuple[int, ...], ...], board: Board, island: list[int], number: int, space: int, part: int
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Numbers every land edge of the island that contains a part; gives its spaces and gaps."""
    found, gaps = {space}, []
    for edge in _EDGES[part]:
        island[4 * space + edge] = number
    edges = [(space, edge) for edge in _EDGES[part]]
    for here, edge in edges:
        other = near[here][edge]
        if board[other] == UNEXPLORED:
            gaps.append(other)
            continue
        across = (edge + 2) % 4
        if island[4 * other + across] != NOWHERE:
            continue
        found.add(other)
        joined = next(each for each in PARTS[board[other] & ALL_LAND] if each >> across & 1)
        for further in _EDGES[joined]:
            island[4 * other + further] = number
            edges.append((other, further))
    return tuple(sorted(found)), tuple(sorted(gaps))


_EDGES: Final = tuple(tuple(edge for edge in range(4) if land >> edge & 1) for land in range(16))


def strengths(marks: Chart, board: Board, explorers: Iterable[Explorer], seats: int) -> list[list[int]]:
    """R8.3: for each island the sum of the values of each seat's explorers on it."""
    sums = [[0] * seats for _ in marks.spaces]
    for each in explorers:
        sums[island_of(marks, board, each)][each.seat] += each.value
    return sums


def island_of(marks: Chart, board: Board, explorer: Explorer) -> int:
    """The number of the island on which an explorer is."""
    edge = _EDGES[board[explorer.space] & ALL_LAND][0] if explorer.part is None else explorer.part
    return marks.island[4 * explorer.space + edge]


DISCARDED: Final = 2
"""R8.5: the points that a discarded tile costs."""
UNEXPLORED_SPACE: Final = 20
"""R9.4: the points that an unexplored space costs a seat that plays alone."""


@dataclass(frozen=True, slots=True)
class Island:
    """An island as it stands."""

    name: Annotated[str, About("Its first space, with the side if that is a strait between two islands: `C4 north`.")]
    spaces: Annotated[tuple[str, ...], About("Its spaces, each tile once.")]
    edges: Annotated[tuple[str, ...], About("For each of the spaces, the land edges that belong to the island.")]
    gaps: Annotated[int, About("How many of these edges are still open.")]
    strengths: Annotated[tuple[int, ...], About("For each seat, the values of its explorers there added up.")]
    leader: Annotated[Seat | None, About("The seat with more than any other; `null` if there is none.")]
    worth: Annotated[
        int, About("What it would earn its leader, or a seat that plays alone, if it were complete as it stands.")
    ]
    points: Annotated[int, About("What it earns now: 0 while it is incomplete.")]

    @property
    def complete(self) -> bool:
        """R8.2: whether it counts."""
        return self.gaps == 0


def islands(state: State) -> tuple[Island, ...]:
    """The islands of the board, by their first space in reading order."""
    table = state.table
    marks = chart(table.ground, state.board)
    sums = strengths(marks, state.board, state.explorers, table.seats)
    return tuple(_island(state, marks, number, sums[number]) for number in range(len(marks.spaces)))


def _island(state: State, marks: Chart, number: int, sums: list[int]) -> Island:
    names, spaces = state.table.ground.names, marks.spaces[number]
    edges = [_edges_of(marks, number, space) for space in spaces]
    first = names[spaces[0]]
    if len(PARTS[land_at(state.board, spaces[0])]) > 1 and edges[0] in PARTS[land_at(state.board, spaces[0])]:
        first = f"{first} {sides_of(edges[0])[0]}"
    leader, size = leader_of(sums), len(spaces)
    # R8.3, R8.4, R9.3
    worth = size * size if state.table.solo else size if leader is not None else 0
    return Island(
        name=first,
        spaces=tuple(names[space] for space in spaces),
        edges=tuple(LAND_NAMES[land] for land in edges),
        gaps=len(marks.gaps[number]),
        strengths=tuple(sums),
        leader=leader,
        worth=worth,
        points=worth if marks.complete(number) else 0,  # R8.2
    )


def _edges_of(marks: Chart, island: int, space: int) -> int:
    return sum(1 << edge for edge in EDGES if marks.island[4 * space + edge] == island)


def leader_of(sums: list[int]) -> Seat | None:
    """R8.3, R8.4: the seat with the highest sum of explorers; ``None`` where two are equal."""
    most = max(sums)
    return sums.index(most) if most and sums.count(most) == 1 else None


def standing(state: State) -> tuple[int, ...]:
    """The current points of every seat: complete islands less deductions."""
    return tuple(sum(line.number for line in lines) for lines in details(state))


def details(state: State) -> tuple[tuple[ScoreLine, ...], ...]:
    """The score sheet of every seat in lines."""
    found = islands(state)
    if state.table.solo:
        return (
            (
                ScoreLine("islands", sum(island.points for island in found)),
                ScoreLine("unexplored", -UNEXPLORED_SPACE * unexplored(state)),
            ),
        )
    return tuple(
        (
            ScoreLine("islands", sum(island.points for island in found if island.leader == seat)),
            ScoreLine("discarded", -DISCARDED * sum(facts.discarded)),
        )
        for seat, facts in enumerate(state.seats)
    )


def outcome(state: State) -> Outcome | None:
    """R8.6, R9.5: the outcome, with equal scores sharing a rank; ``None`` while the match runs."""
    if state.phase is not Phase.OVER or state.ending is None:
        return None
    scores = standing(state)
    return Outcome(
        scores=scores,
        ranks=tuple(1 + sum(1 for other in scores if other > score) for score in scores),
        ended=Statement(state.ending.value),
        details=details(state),
    )


def figures(state: State) -> Sequence[tuple[str, float]]:
    """R5.4: whether the reserve was short, as 100 or 0; reserve tiles missing, and placed."""
    tiles = [tile for tile in state.board if tile != UNEXPLORED]
    missing = sum(1 for tile in tiles if tile & IMAGINED)
    used = [KIND_OF[tile & 15] for tile in tiles if tile & RESERVE]
    return (
        ("reserve short, % of matches", 100 if missing else 0),
        ("reserve tiles missing", missing),
        *((f"{KIND_NAMES[kind]} from the reserve", used.count(index)) for index, kind in enumerate(KINDS)),
    )
