"""Judges submitted turns in batches, each turn exactly once: turns of many matches in one write
transaction. Run by the worker.

1. The turns' rows are locked: a second worker finds them judged and changes nothing.
2. The matches' rows are locked; a turn is stale where something has changed for its seat since the
   ply that it answers.
3. Every turn is judged in memory (``judge``); one that fails is left out and does not affect the
   others.
4. Entries, seats, verdicts and notices are written together. The key of the entries (match, ply) is
   the last guard.
5. After the commit the states are remembered, and waiting threads and workers are woken.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import structlog
from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from service.context import Judging, Replaying
from service.errors import NotFound
from service.matches import progress
from service.matches.progress import Progress, notice_for
from service.store import matches as match_rows
from service.store import outbox
from service.store import turns as turn_rows
from service.store.matches import StoredMatch
from service.store.turns import StoredTurn
from service.turns.judge import judge
from service.turns.lookup import shown
from service.turns.types import Turn
from service.turns.verdicts import StoredVerdict, stored

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class BatchResult:
    """The result of a batch, as ids: the judged turns, and those that could not be judged."""

    turns: tuple[str, ...]
    failed: tuple[str, ...] = ()


def judge_one(context: Judging, turn_id: str) -> Turn:
    """Judges one turn and gives it with its verdict; a turn that is judged already stays unchanged.

    Raises ``NotFound``.
    """
    with context.database.write() as connection:
        turn = turn_rows.lock(connection, turn_id)
        if turn is None:
            raise NotFound(f"There is no turn {turn_id}.", "turn_not_found")
        if turn.status != "queued":
            return shown(context, turn)
        match = match_rows.lock_all(connection, [turn.match_id])[turn.match_id]
        batch = (_case(connection, context, match, turn),)
        judged = _write(connection, batch, context.clock())
    _publish(context, batch)
    return shown(context, judged[0])


def judge_batch(context: Judging, limit: int, without: Collection[str] = ()) -> BatchResult:
    """Judges the oldest pending turns, at most ``limit`` and one per match, in one transaction;
    ``without`` are turns to skip, since they failed before.

    Turns that another worker is judging are skipped. Errors of the database are raised; then
    nothing is judged.
    """
    failed: list[str] = []
    batch: list[_Case] = []
    with context.database.write() as connection:
        turns = turn_rows.take(connection, limit, without)
        if not turns:
            return BatchResult(())
        matches = match_rows.lock_all(connection, [turn.match_id for turn in turns])
        for turn in turns:
            match = matches[turn.match_id]
            try:
                batch.append(_case(connection, context, match, turn))
            except SQLAlchemyError:
                raise
            except Exception:
                log.exception("turn.not_judged", turn=turn.id, match=match.id)
                failed.append(turn.id)
        judged = _write(connection, batch, context.clock())
    _publish(context, batch)
    return BatchResult(tuple(turn.id for turn in judged), tuple(failed))


@dataclass(frozen=True, slots=True)
class _Case:
    """A turn, its match, the verdict on it, and the match's progress where any of the turn's
    actions are accepted.
    """

    turn: StoredTurn
    match: StoredMatch
    verdict: StoredVerdict
    progress: Progress | None


def _case(connection: Connection, context: Replaying, match: StoredMatch, turn: StoredTurn) -> _Case:
    judged = judge(connection, context, match, turn)
    return _Case(
        turn, match, judged.verdict, None if judged.step is None else progress.progress_by(match, judged.step, turn.id)
    )


def _write(connection: Connection, batch: Sequence[_Case], now: datetime) -> tuple[StoredTurn, ...]:
    progress.write(connection, [case.progress for case in batch if case.progress is not None], now)
    judged = tuple(
        replace(case.turn, status=case.verdict.status, verdict=stored(case.verdict), judged_at=now) for case in batch
    )
    turn_rows.set_verdicts(connection, judged)
    verdicts = [
        notice_for(case.match, case.turn.seat, "verdict", ply=case.verdict.ply_after, turn_id=case.turn.id)
        for case in batch
    ]
    outbox.add_all(connection, verdicts, now)
    return judged


def _publish(context: Judging, batch: Sequence[_Case]) -> None:
    """Wakes waiting threads and workers and remembers the states. Called after the commit."""
    if batch:
        context.queue.announce_verdicts([case.turn.id for case in batch])
        context.queue.wake_notices()
    for case in batch:
        if case.progress is not None:
            progress.remember(context, case.progress)
