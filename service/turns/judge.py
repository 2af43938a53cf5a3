"""Judges one turn in memory: how many of its actions are accepted, and why the rest is not. Reads
and writes nothing; ``rulings`` and ``batch`` do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import structlog

from engine.bots import first_legal, substitute
from engine.documents import from_document, to_document
from engine.game import AnyGame
from engine.play import Replayed, adjudicate, legal_actions, read_action
from engine.record import EarlyEnd, StepKind
from engine.types import Problem, Seat, Violation
from service.clocks.spans import instant
from service.matches import replays
from service.matches.fairness import draw_of
from service.matches.progress import Cause, Progress, Step, ended_by, progress_by, whole_turn, with_substitutes
from service.matches.resign import resigning
from service.store.matches import StoredMatch
from service.store.turns import StoredTurn
from service.turns import refusals
from service.turns.refusals import closed_to, stale_at
from service.turns.types import LegalAction
from service.turns.verdicts import StoredRefusal, StoredVerdict, problems_of

MOST_LEGAL = 200

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Judged:
    """The verdict on a turn, and the progress to write if any of its actions are accepted."""

    verdict: StoredVerdict
    progress: Progress | None = None


def judge(match: StoredMatch, turn: StoredTurn, state: Any, since: Sequence[Replayed]) -> Judged:
    """Judges a turn in ``state``, that of the match at its ply; ``since`` are the entries from the
    ply that the turn answers.
    """
    game = replays.game_of(match)
    try:
        if turn.kind == "early_end":
            made = ended_by(match, state, turn.id, from_document(EarlyEnd, turn.document["early_end"]))
            return Judged(StoredVerdict("accepted", 0, match.ply, match.ply), made)
        problem = stale_at(game, match, turn.seat, turn.ply, since)
        if problem is not None:
            return _rejected(match, problem)
        return _judged(game, state, match, turn) if turn.kind == "turn" else _time_up(game, state, match, turn)
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
    made = None
    if judgement.entries:
        step = Step(judgement.entries, (state, *judgement.states))
        step = with_substitutes(game, step, match.ply, match.played_by_bots, draw)
        made = progress_by(match, step, Cause("turn", turn.seat, instant(turn.submitted_at)), turn.id)
    ply = match.ply if made is None else made.ply
    return Judged(StoredVerdict(judgement.verdict, judgement.accepted, match.ply, ply, refused), made)


def _time_up(game: AnyGame, state: Any, match: StoredMatch, turn: StoredTurn) -> Judged:
    """What follows from time that was up: the seat resigns, or a bot plays its turn. Where that has
    failed before, the bot plays the first legal action.
    """
    kind: StepKind = turn.document["step"]
    cause, step = Cause(kind, turn.seat, instant(turn.submitted_at)), Step((), (state,))
    if kind == "time_up_resign":
        made = resigning(match, game, step, turn.seat, cause, turn.id)
    else:
        choose = first_legal if turn.attempts else _substitute
        draw, played = draw_of(match), match.played_by_bots
        step = whole_turn(game, step, match.ply, turn.seat, choose, draw)
        if kind != "time_up_bot_turn":
            played |= {turn.seat}
        made = progress_by(match, with_substitutes(game, step, match.ply, played, draw), cause, turn.id)
    return Judged(StoredVerdict("accepted", len(made.step.entries), match.ply, made.ply), made)


def _substitute(game: AnyGame, state: Any, seat: Seat) -> Any:
    """What the bot plays; where it raises, the first legal action."""
    try:
        return substitute(game, state, seat)
    except Exception:
        log.exception("bot.failed", game=game.info.name, seat=seat)
        return first_legal(game, state, seat)


def _rejected(match: StoredMatch, problem: Problem) -> Judged:
    return Judged(StoredVerdict("rejected", 0, match.ply, match.ply, StoredRefusal((problem,))))
