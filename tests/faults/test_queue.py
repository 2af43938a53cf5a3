"""Valkey flushed, stopped, frozen, and with keys of wrong types: it is disposable, since the
database holds everything.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from service import redis_link
from tests.faults.trial import Trial

pytestmark = pytest.mark.deep


def test_a_flushed_valkey_costs_nothing(trial: Trial) -> None:
    @contextmanager
    def flushed() -> Iterator[None]:
        for _ in range(3):
            trial.more_turns(1)
            trial.valkey.wipe()
        yield

    trial.suffer("Valkey flushed (FLUSHALL) under load", flushed())


def test_a_stopped_valkey_that_comes_back_empty_costs_nothing(trial: Trial) -> None:
    @contextmanager
    def stopped() -> Iterator[None]:
        trial.valkey.wipe()
        trial.valkey.stop()
        trial.last(3)
        trial.valkey.start()
        yield

    trial.suffer("Valkey killed for 3 s, restarted empty", stopped())


def test_a_frozen_valkey_costs_nothing(trial: Trial) -> None:
    @contextmanager
    def frozen() -> Iterator[None]:
        os.kill(trial.valkey.pid, signal.SIGSTOP)
        trial.last(4)
        os.kill(trial.valkey.pid, signal.SIGCONT)
        yield

    trial.suffer("Valkey frozen for 4 s (SIGSTOP)", frozen())


def test_keys_of_wrong_types_cost_nothing(trial: Trial) -> None:
    @contextmanager
    def poisoned() -> Iterator[None]:
        for _ in range(3):
            trial.more_turns(1)
            trial.valkey.poison(redis_link.SHARED)
        yield

    trial.suffer("Valkey with keys of wrong types under load", poisoned())
