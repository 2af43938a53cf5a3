"""Refusals by the service itself, and the sentences of all refusals.

Whether a turn can still be accepted is asked when it is submitted and again when it is judged: the
match runs, the seat has not resigned, and nothing has changed for the seat since the ply that the
turn answers. What counts as a change is a rule of the engine (``engine.play.still_fresh``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from engine import sentences
from engine.game import AnyGame
from engine.play import Replayed, narrated, still_fresh
from engine.types import Problem, Seat
from service.context import Context
from service.errors import Conflict, StalePly
from service.matches import replays
from service.matches.access import Seated
from service.store.matches import StoredMatch

SENTENCES: Final[Mapping[str, str]] = {
    "resigned": "You have resigned from this match; a bot plays your seat.",
    "stale_ply": "This turn answers ply {answered}, but the match has moved on to ply {current}: look at it again.",
    "judge_failed": "An error in the service kept this turn from being judged; it is logged, and nothing was changed.",
}
"""The sentences of the service, by code."""
NOT_AT_HAND: Final = (
    "This was refused by a version of the rules that is no longer installed here (code {code}, rule {rule})."
)


def resigned() -> Problem:
    """The seat has resigned, or is another player's."""
    return Problem("resigned", "")


def match_over() -> Problem:
    """The match is over, or has not begun."""
    return Problem("match_over", "")


def stale(answered: int, current: int) -> Problem:
    """The turn answers an earlier ply, and something has changed for its seat since."""
    return Problem("stale_ply", "", {"answered": answered, "current": current})


def judge_failed() -> Problem:
    """A fault of the service or of the rules."""
    return Problem("judge_failed", "")


def explain(game: AnyGame | None, problem: Problem) -> str:
    """The sentence for a problem of the service, of the driver or of the game; ``game`` is ``None``
    where the match's version of the rules is not installed.
    """
    for table in (SENTENCES, sentences.COMMON):
        if problem.code in table:
            return sentences.filled_in(table, problem)
    if game is None:
        return NOT_AT_HAND.format(code=problem.code, rule=problem.rule)
    return game.explain(problem)


def closed_to(match: StoredMatch, seat: Seat) -> Problem | None:
    """Why the seat can play no further turn, whichever ply it answers; ``None`` where it can."""
    if not match.is_on:
        return match_over()
    if match.seats[seat].resigned_at is not None:
        return resigned()
    return None


def not_awaited(match: StoredMatch, seat: Seat) -> Problem | None:
    """That a match that is open to the seat waits for others; ``None`` where it awaits the seat."""
    if match.seats[seat].to_act:
        return None
    return Problem("not_your_turn", "", {"awaited": [each.seat for each in match.seats if each.to_act]})


def check_playable(context: Context, at: Seated, ply: int) -> None:
    """Raises what ``check_fresh`` raises, and ``Conflict`` (``not_your_turn``), whatever ply a turn
    answers.
    """
    _check_open(at)
    problem = not_awaited(at.match, at.seat)
    if problem is not None:
        raise Conflict(explain(at.game, problem), problem.code)
    _check_ply(context, at, ply)


def check_fresh(context: Context, at: Seated, ply: int) -> None:
    """Raises ``Conflict`` (``match_over``, ``resigned``, ``ply_ahead``), ``StalePly`` or
    ``MatchUnreadable`` where a turn that answers ``ply`` cannot be accepted now.
    """
    _check_open(at)
    _check_ply(context, at, ply)


def _check_open(at: Seated) -> None:
    """That the match can be read comes first: what its seats may do follows from its log."""
    if at.match.unreadable_at is not None:
        raise replays.MatchUnreadable(at.match.id)
    problem = closed_to(at.match, at.seat)
    if problem is not None:
        raise Conflict(explain(at.game, problem), problem.code)


def _check_ply(context: Context, at: Seated, ply: int) -> None:
    match = at.match
    if ply > match.ply:
        raise Conflict(f"The match is only at ply {match.ply}; a turn has to answer that ply.", "ply_ahead")
    if ply < match.ply:
        with context.database.read() as connection:
            steps = tuple(replays.walk(connection, context, match, ply))
        problem = stale_at(at.game, match, at.seat, ply, steps)
        if problem is not None:
            changes = narrated(at.game, steps, at.seat, match.names)
            raise StalePly(explain(at.game, problem), ply, match.ply, changes)


def stale_at(game: AnyGame, match: StoredMatch, seat: Seat, ply: int, steps: Sequence[Replayed]) -> Problem | None:
    """Why a turn that answers ``ply`` is stale after ``steps``, the entries since; ``None`` where
    it is fresh.
    """
    if ply > match.ply or not still_fresh(game, steps, seat):
        return stale(ply, match.ply)
    return None
