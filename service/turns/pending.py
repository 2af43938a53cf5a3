"""Judges pending turns, batch by batch, when a worker is woken."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

import structlog
from sqlalchemy.exc import SQLAlchemyError

from service.context import Judging
from service.store import turns as rows
from service.turns.batch import BatchResult, judge_batch, judge_one

AT_ONCE: Final = 64
LONGEST_SECONDS: Final = 0.8
"""Time budget of a job: between jobs RQ sends its heartbeat and obeys a request to stop.

When it is used up the job queues another one for the remaining turns.
"""

log = structlog.get_logger(__name__)


def judge_pending(context: Judging) -> int:
    """Judges pending turns, oldest first, until none is left or the time budget is used up. Gives
    their number.

    A turn that cannot be judged is logged, stays pending and is tried again by the next job.
    """
    began, judged, failed = context.timer(), 0, set[str]()
    while True:
        if context.timer() - began > LONGEST_SECONDS:
            context.queue.wake_turns()
            return judged
        try:
            batch = judge_batch(context, AT_ONCE, failed)
        except SQLAlchemyError:
            log.exception("turns.batch_failed")
            batch = _one_by_one(context, failed)
        if not batch.turns and not batch.failed:
            return judged
        judged += len(batch.turns)
        failed.update(batch.failed)


def _one_by_one(context: Judging, without: Collection[str]) -> BatchResult:
    """Judges a batch with one transaction per turn, so that a row which the database refuses
    affects no other turn.
    """
    judged, failed = [], []
    with context.database.read() as connection:
        pending = rows.pending(connection, AT_ONCE + len(without))
    for turn_id in pending:
        if turn_id not in without:
            try:
                judged.append(judge_one(context, turn_id).id)
            except Exception:
                log.exception("turn.not_judged", turn=turn_id)
                failed.append(turn_id)
    return BatchResult(tuple(judged), tuple(failed))
