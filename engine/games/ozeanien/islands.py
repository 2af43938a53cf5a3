"""R8.1: the islands of a board: parts of tiles that are connected across land edges."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from engine.games.ozeanien.board import UNEXPLORED, Board, Geometry
from engine.games.ozeanien.state import Explorer
from engine.games.ozeanien.tiles import ALL_LAND, PARTS

NOWHERE: Final = -1


@dataclass(frozen=True, slots=True)
class Chart:
    """The islands of a board, numbered by their first land edge in reading order.

    ``island[4 * space + edge]`` is the island of a land edge, ``NOWHERE`` for sea and unexplored
    spaces; ``spaces`` are the spaces of each island, each once; ``gaps`` the unexplored spaces next
    to its land, once for each land edge at them.
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
    """Writes ``number`` into ``island`` for every land edge of the island that contains a part;
    gives the island's spaces and gaps.
    """
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
