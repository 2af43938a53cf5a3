"""Estimates the position of a seat in points, from public facts; for bots: complete islands, and
incomplete ones by the probability that their gaps are filled; a due draw is the mean, over the
tiles that may be drawn, of the best placement of each.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from typing import Final

from engine.games.ozeanien.apply import fill, put
from engine.games.ozeanien.board import FRAME, UNEXPLORED, Board, placements
from engine.games.ozeanien.components import VALUES
from engine.games.ozeanien.score import DISCARDED, UNEXPLORED_SPACE, Chart, chart, standing, strengths
from engine.games.ozeanien.state import Explorer, Phase, State, Tally, plus
from engine.games.ozeanien.tiles import EDGES, KINDS, PARTS, WAYS_ROUND
from engine.types import Seat

_TRIES: Final = 0.3
_ENCLOSED: Final = (0.9, 0.8, 0.7, 0.6, 0.5)
"""The probability that a space is enclosed, by the number of its unexplored neighbours."""
_GROWTH: Final = 1.5
_EXPLORER: Final = (0.8, 1.6, 2.4)
_LEAD: Final = (0.0, 0.75, 0.95, 1.0)
_DISCARDED_USE: Final = 0.5


def evaluate(state: State, seat: Seat) -> float:
    """Alone: the expected points. For two seats: the expected points less those of the rival."""
    if state.table.solo:
        return _worth(state)
    return _worth(state) if seat == state.seat else -_worth(state)


def _worth(state: State) -> float:
    match state.phase:
        case Phase.OVER:
            scores = standing(state)
            return float(scores[0]) if state.table.solo else float(scores[state.seat] - scores[1 - state.seat])
        case Phase.SHIP:
            return _standing(state, state.board, state.explorers)
        case Phase.DRAW:
            return _drawing(state)
        case Phase.PLACE:
            assert state.tile is not None
            return _best_placement(state, state.tile)
        case Phase.EXPLORER:
            return _best_explorer(state, state.board, state.last[0])


def _drawing(state: State) -> float:
    total = sum(state.bag)
    worth = 0.0
    for kind, left in enumerate(state.bag):
        if left:
            drawn = replace(state, bag=plus(state.bag, kind, -1), draws=state.draws - 1)
            worth += left * _best_placement(drawn, kind)
    return worth / total


def _best_placement(state: State, kind: int) -> float:
    """The value of the best placement of a tile; of discarding it if it fits nowhere."""
    assert state.ship is not None
    ground = state.table.ground
    worth = [_placed(state, space, land) for space, land in placements(ground, state.board, state.ship, kind)]
    if worth:
        return max(worth)
    loss = 0.0 if state.table.solo else DISCARDED - _DISCARDED_USE
    return _standing(state, state.board, state.explorers) - loss


def _placed(state: State, space: int, land: int) -> float:
    board, _, _ = fill(state.table.ground, put(state.board, space, land), state.reserve, space)
    if not land or not any(state.seats[state.seat].explorers):
        return _standing(state, board, state.explorers)
    return _best_explorer(state, board, space)


def _best_explorer(state: State, board: Board, space: int) -> float:
    """The value of the best use of an explorer on the tile just placed, or of placing none."""
    best = _standing(state, board, state.explorers)
    parts = PARTS[board[space] & 15]
    for index, left in enumerate(state.seats[state.seat].explorers):
        if left:
            for part in parts:
                edge = next(edge for edge in EDGES if part >> edge & 1)
                stands = Explorer(space, edge if len(parts) > 1 else None, state.seat, VALUES[index])
                best = max(best, _standing(state, board, (*state.explorers, stands)) - _explorer_worth(state, index))
    return best


def _explorer_worth(state: State, index: int) -> float:
    """The value of an explorer in hand, which decreases with the number of tiles left."""
    return _EXPLORER[index] * state.draws / max(1, state.draws + 4)


def _standing(state: State, board: Board, explorers: tuple[Explorer, ...]) -> float:
    """The value of a board with explorers for the seat whose turn it is."""
    ground = state.table.ground
    filling = _filling(ground.near, ground.circles, board, state.bag, state.draws)
    marks = chart(ground, board)
    if state.table.solo:
        islands = sum(_island_alone(marks, island, filling) for island in range(len(marks.spaces)))
        return islands - UNEXPLORED_SPACE * sum(1 - chance for chance in filling if chance >= 0)
    me, rival = state.seats[state.seat], state.seats[1 - state.seat]
    worth = 0.0
    for island, sums in enumerate(strengths(marks, board, explorers, 2)):
        lead = sums[state.seat] - sums[1 - state.seat]
        if lead:
            sign, by = (1, lead) if lead > 0 else (-1, -lead)
            gaps = marks.gaps[island]
            size = len(marks.spaces[island])
            if gaps:
                worth += sign * (size + _GROWTH * len(set(gaps))) * _completing(gaps, filling) * _LEAD[min(by, 3)]
            else:
                worth += sign * size
    worth -= (DISCARDED - _DISCARDED_USE) * (sum(me.discarded) - sum(rival.discarded))
    hands = (
        sum(left * _explorer_worth(state, index) for index, left in enumerate(seat.explorers)) for seat in (me, rival)
    )
    return worth + next(hands) - next(hands)


def _island_alone(marks: Chart, island: int, filling: tuple[float, ...]) -> float:
    size, gaps = len(marks.spaces[island]), marks.gaps[island]
    if not gaps:
        return size * size
    grown = size + _GROWTH * len(set(gaps))
    return grown * grown * _completing(gaps, filling)


def _completing(gaps: Iterable[int], filling: tuple[float, ...]) -> float:
    chance = 1.0
    for gap in set(gaps):
        chance *= filling[gap]
    return chance


@lru_cache(maxsize=2048)
def _filling(
    near: tuple[tuple[int, ...], ...], circles: tuple[int, ...], board: Board, bag: Tally, draws: int
) -> tuple[float, ...]:
    """For each space the probability that it will be explored; -1 if it is explored."""
    total = sum(bag)
    left = board.count(UNEXPLORED)
    tries = _TRIES * draws / max(1, left)
    found = []
    for space, tile in enumerate(board):
        if tile != UNEXPLORED:
            found.append(-1.0)
            continue
        known = land = free = 0
        for edge in EDGES:
            other = near[space][edge]
            if other == FRAME:
                known |= 1 << edge
            elif board[other] == UNEXPLORED:
                free += 1
            else:
                known |= 1 << edge
                land |= (board[other] >> (edge + 2) % 4 & 1) << edge
        fitting = sum(bag[kind] for kind in _FITTING[known][land])
        chance = 1 - (1 - fitting / total) ** tries if total else 0.0
        enclosed = _ENCLOSED[free] * min(1.0, draws / (free + 1)) if draws else 0.0
        found.append(1 - (1 - chance) * (1 - enclosed))
    return tuple(found)


_FITTING: Final = tuple(
    tuple(
        tuple(kind for kind in range(len(KINDS)) if any(way & known == land for way in WAYS_ROUND[kind]))
        for land in range(16)
    )
    for known in range(16)
)
