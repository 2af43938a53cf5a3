"""Judges one turn in memory: how many of its actions are accepted, and why the rest is not. Reads
and writes nothing; ``rulings`` and ``batch`` do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import structlog

from engine.documents import to_document
from engine.game import AnyGame
from engine.play import Replayed, adjudicate, legal_actions
from engine.record import read_action
from engine.types import Problem, Seat, Violation
from service.matches import replays
from service.matches.fairness import draw_of
from service.matches.progress import Step, with_substitutes
from service.store.matches import StoredMatch
from service.store.turns import StoredTurn
from service.turns import refusals
from service.turns.freshness import closed_to, stale_at
from service.turns.types import LegalAction
from service.turns.verdicts import StoredRefusal, StoredVerdict, problems_of

MOST_LEGAL = 200

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Judged:
    """The verdict on a turn, and the step to write if any of its actions are accepted."""

    verdict: StoredVerdict
    step: Step | None = None


def judge(match: StoredMatch, turn: StoredTurn, state: Any, since: Sequence[Replayed]) -> Judged:
    """Judges a turn in ``state``, that of the match at its ply; ``since`` are the entries from the
    ply that the turn answers.
    """
    game = replays.game_of(match)
    try:
        problem = stale_at(game, match, turn.seat, turn.ply, since)
        if problem is not None:
            return _rejected(match, problem)
        return _judged(game, state, match, turn)
    except Exception:
        # A fault in the rules: the turn is refused, as it would otherwise be judged again for ever,
        # without an answer to the player.
        log.exception("turn.judge_failed", turn=turn.id, match=match.id, ply=match.ply)
        return failed(match)


def closed(match: StoredMatch, turn: StoredTurn) -> Judged | None:
    """The verdict on a turn that is refused whatever the state of its match is; ``None`` where the
    state decides.
    """
    problem = closed_to(match, turn.seat)
    if problem is None and match.seats[turn.seat].player_id != turn.player_id:
        problem = refusals.resigned()
    return None if problem is None else _rejected(match, problem)


def failed(match: StoredMatch) -> Judged:
    """The verdict on a turn that could not be judged."""
    return _rejected(match, refusals.judge_failed())


def is_failure(verdict: StoredVerdict) -> bool:
    """Whether a verdict is that of a turn that could not be judged."""
    return verdict.violation is not None and verdict.violation.problems[0].code == "judge_failed"


def refused_at(game: AnyGame, state: Any, seat: Seat, violation: Violation, index: int) -> StoredRefusal:
    """The refusal of action ``index`` in ``state``, with what would be legal in its place."""
    legal = legal_actions(game, state, seat)
    return StoredRefusal(
        problems=problems_of(violation),
        action_index=index,
        legal=tuple(LegalAction(to_document(action), game.format(action)) for action in legal[:MOST_LEGAL]),
        legal_total=len(legal),
    )


def _judged(game: AnyGame, state: Any, match: StoredMatch, turn: StoredTurn) -> Judged:
    actions = [read_action(game, turn.seat, action) for action in turn.document["actions"]]
    draw = draw_of(match)
    judgement = adjudicate(game, state, match.ply, turn.seat, actions, draw)
    refused = None
    if judgement.violation is not None and judgement.failed is not None:
        # The actions before the refused one are legal: judged alone they lead to the state in
        # which it was refused.
        reached = adjudicate(game, state, match.ply, turn.seat, actions[: judgement.failed], draw).state
        refused = refused_at(game, reached, turn.seat, judgement.violation, judgement.failed)
    step = None
    if judgement.entries:
        resigned = {seat.seat for seat in match.resigned}
        step = with_substitutes(game, Step(judgement.entries, judgement.state), match.ply, resigned, draw)
    plies = 0 if step is None else len(step.entries)
    return Judged(StoredVerdict(judgement.verdict, judgement.accepted, match.ply, match.ply + plies, refused), step)


def _rejected(match: StoredMatch, problem: Problem) -> Judged:
    return Judged(StoredVerdict("rejected", 0, match.ply, match.ply, StoredRefusal((problem,))))
