"""The jobs, as RQ calls them by name: thin, with an id each. A job may come twice or too late; the use cases behind know.

The service is wired once in a process, when the first job asks for it.
"""

from __future__ import annotations

import os
from functools import lru_cache
from time import perf_counter

import structlog

from service.config import load
from service.matches import turns
from service.notices import delivery
from service.wiring import Overland, wire

_log = structlog.get_logger("workers")


@lru_cache(maxsize=1)
def overland() -> Overland:
    """The service of this process."""
    return wire(load(os.environ))


def judge_turn(turn_id: str) -> None:
    """Judges one submitted turn."""
    started = perf_counter()
    turn = turns.judge(overland(), turn_id)
    _log.info("turn judged", turn=turn_id, match=turn.match_id, status=turn.status, milliseconds=_milliseconds(started))


def deliver_notice(notice_id: str) -> None:
    """Delivers one notice."""
    started = perf_counter()
    delivered = delivery.deliver(overland(), notice_id)
    _log.info("notice handled", notice=notice_id, result=delivered, milliseconds=_milliseconds(started))


def _milliseconds(started: float) -> float:
    return round((perf_counter() - started) * 1000, 1)
