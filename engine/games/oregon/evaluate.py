"""Estimates the position of a seat in points, from what that seat may know; for bots."""

from __future__ import annotations

from typing import Final

from engine.games.oregon.board import BESIDE
from engine.games.oregon.score import GROUP_POINTS
from engine.games.oregon.state import EMPTY, FIRST_FARMER, Due, Phase, State
from engine.types import Seat

_JOKER: Final = 1.0
_EXTRA_TURN: Final = 2.0
_SECOND_PLAY: Final = 3.0
_PAIR: Final = 0.5
_RIVAL: Final = 0.25


def evaluate(state: State, seat: Seat) -> float:
    """The value of points, tokens, joker, extra turn and pairs, less a share of a rival's."""
    rivals = [_standing(state, other, seat) for other in range(state.table.seats) if other != seat]
    return _standing(state, seat, seat) - _RIVAL * max(rivals)


def _standing(state: State, whose: Seat, viewer: Seat) -> float:
    me = state.seats[whose]
    coal_mean, gold_mean = _unknown_means(state, viewer)
    worth = float(me.score)
    if whose == viewer:
        worth += sum(me.coal) + sum(me.gold)
    else:
        worth += coal_mean * len(me.coal) + gold_mean * len(me.gold)
    worth += coal_mean * state.due.count((Due.COAL, whose)) + gold_mean * state.due.count((Due.GOLD, whose))
    if not state.ending:
        if me.joker:
            worth += _JOKER
        if me.extra:
            worth += _EXTRA_TURN
        # A second play that is due has to be worth more than the token used for it.
        if state.phase is Phase.EXTRA and whose == state.seat:
            worth += _SECOND_PLAY
        if whose == viewer:
            worth += _PAIR * min(_open_pairs(state, whose), GROUP_POINTS)
    return worth


def _unknown_means(state: State, viewer: Seat) -> tuple[float, float]:
    """The mean values of the coal and of the gold tokens that the viewer has not seen."""
    me, parts = state.seats[viewer], state.table.components
    means = []
    for counts, own in ((parts.coal_tokens.value, me.coal), (parts.gold_tokens.value, me.gold)):
        number = sum(counts.values()) - len(own)
        total = sum(int(value) * count for value, count in counts.items()) - sum(own)
        means.append(total / number if number else 0.0)
    return means[0], means[1]


def _open_pairs(state: State, seat: Seat) -> int:
    """The pairs of adjacent farmers of the seat that lack one farmer for a group."""
    board, code = state.board, FIRST_FARMER + seat
    pairs = 0
    for space, piece in enumerate(board):
        if piece != code:
            continue
        beside = [other for other in BESIDE[space] if board[other] == code]
        if len(beside) == 1 and beside[0] > space:
            fellows = [other for other in BESIDE[beside[0]] if board[other] == code]
            room = any(board[other] == EMPTY for end in (space, beside[0]) for other in BESIDE[end])
            if len(fellows) == 1 and room:
                pairs += 1
    return pairs
