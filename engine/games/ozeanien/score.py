"""R8 and R9: the points for islands, discarded tiles and unexplored spaces, the standing and the
outcome.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.games.ozeanien.islands import chart, strengths
from engine.games.ozeanien.state import Ending, Phase, State, unexplored
from engine.types import Outcome, Seat

DISCARDED: Final = 2
"""R8.5: the points that a discarded tile costs."""
UNEXPLORED_SPACE: Final = 20
"""R9.4: the points that an unexplored space costs a seat that plays alone."""

_ENDED: Final = {
    Ending.EXPLORED: "Every space of the board is explored.",
    Ending.NO_TILES: "No tile is left to draw.",
    Ending.NO_START: "No starting point is left.",
}


@dataclass(frozen=True, slots=True)
class Island:
    """An island as it stands: its ``spaces`` by name, each tile once; ``gaps`` is how many of its
    land edges are still open.

    ``strengths[seat]`` are the explorers' values added up; ``leader`` is the seat with more than
    any other, ``points`` what the island earns the leader, or a seat that plays alone, as it
    stands: 0 while it is incomplete.
    """

    spaces: tuple[str, ...]
    gaps: int
    strengths: tuple[int, ...]
    leader: Seat | None
    points: int

    @property
    def complete(self) -> bool:
        """R8.2: whether it counts."""
        return self.gaps == 0


def islands(state: State) -> tuple[Island, ...]:
    """The islands of the board, by their first space in reading order."""
    table = state.table
    marks = chart(table.ground, state.board)
    found = []
    for spaces, gaps, sums in zip(
        marks.spaces, marks.gaps, strengths(marks, state.board, state.explorers, table.seats), strict=True
    ):
        leader = leader_of(sums)
        size = len(spaces)
        counts = not gaps and (table.solo or leader is not None)  # R8.2 to R8.4
        points = (size * size if table.solo else size) if counts else 0
        found.append(
            Island(tuple(table.ground.names[space] for space in spaces), len(gaps), tuple(sums), leader, points)
        )
    return tuple(found)


def leader_of(sums: list[int]) -> Seat | None:
    """R8.3, R8.4: the seat with the highest sum of explorers; ``None`` if there is no explorer or
    two sums are equal.
    """
    most = max(sums)
    return sums.index(most) if most and sums.count(most) == 1 else None


def standing(state: State) -> tuple[int, ...]:
    """The current points of every seat: complete islands less deductions."""
    return tuple(sum(number for _, number in lines) for lines in details(state))


def details(state: State) -> tuple[tuple[tuple[str, int], ...], ...]:
    """The score sheet of every seat as (label, points) lines."""
    found = islands(state)
    if state.table.solo:
        return (
            (
                ("islands", sum(island.points for island in found)),
                ("unexplored spaces", -UNEXPLORED_SPACE * unexplored(state)),
            ),
        )
    return tuple(
        (
            ("islands", sum(island.points for island in found if island.leader == seat)),
            ("discarded tiles", -DISCARDED * sum(facts.discarded)),
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
        ended=_ENDED[state.ending],
        details=details(state),
    )
