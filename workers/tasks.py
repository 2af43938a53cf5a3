"""The jobs that RQ calls by name, without arguments.

The work is in the rows: a job may come twice, late or for nothing. The context is built once per
process, by the first job.
"""

from __future__ import annotations

import os
from functools import lru_cache

import structlog

from service.config import load
from service.context import Context
from service.notices import delivery
from service.queue import NOTICES, TURNS
from service.turns import pending
from service.vitals import DELIVERIES
from service.wiring import wire

_log = structlog.get_logger("workers")


@lru_cache(maxsize=1)
def context() -> Context:
    """The context of this process."""
    return wire(load(os.environ))


def judge_turns() -> None:
    """Judges the pending turns."""
    started = context().timer()
    context().queue.acknowledge(TURNS)
    judged = pending.judge_pending(context())
    _log.info("turns.judged", turns=judged, milliseconds=_milliseconds(started))


def deliver_notices() -> None:
    """Delivers the notices that are due."""
    started = context().timer()
    context().queue.acknowledge(NOTICES)
    delivered = delivery.deliver_due(context())
    context().vitals.count(DELIVERIES, {str(result): number for result, number in delivered.items()})
    _log.info("notices.handled", results=dict(delivered), milliseconds=_milliseconds(started))


def _milliseconds(started: float) -> float:
    return round((context().timer() - started) * 1000, 1)
