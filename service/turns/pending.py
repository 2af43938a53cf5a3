"""Judges pending turns, batch by batch: what a worker does when it is woken."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

import structlog
from sqlalchemy.exc import SQLAlchemyError

from service.context import Judging
from service.store import turns as rows
from service.turns.judge import Judged, judge, judge_batch

AT_ONCE: Final = 64
LONGEST_SECONDS: Final = 0.8
"""Time budget of a job: between jobs RQ sends its heartbeat and heeds a request to stop.

A job whose time is up wakes the next one for what is left.
"""

log = structlog.get_logger(__name__)


def judge_pending(context: Judging) -> int:
    """Judges pending turns, oldest first, until there is none or the time is up; returns how many.

    A turn that cannot be judged stays pending, is logged, and is tried again by the next job; the
    others are judged.
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


def _one_by_one(context: Judging, without: Collection[str]) -> Judged:
    """Judges a batch with a transaction for each turn, so that a row which the database refuses
    keeps no other turn from being judged.
    """
    judged, failed = [], []
    with context.database.read() as connection:
        pending = rows.pending(connection, AT_ONCE + len(without))
    for turn_id in pending:
        if turn_id not in without:
            try:
                judged.append(judge(context, turn_id).id)
            except Exception:
                log.exception("turn.not_judged", turn=turn_id)
                failed.append(turn_id)
    return Judged(tuple(judged), tuple(failed))
