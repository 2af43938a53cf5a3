"""A maintenance under load: clients are sent away and come back, and nothing is lost."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.faults.trial import Trial
from tools.soak.faults import maintained
from tools.waiting import until

pytestmark = pytest.mark.deep


def test_a_maintenance_loses_nothing_and_play_goes_on_after_it(trial: Trial) -> None:
    @contextmanager
    def in_maintenance() -> Iterator[None]:
        began = len(trial.service.output())
        with maintained(trial.service.database_url):
            until(lambda: '"status": 503' in trial.service.output()[began:], "a client is sent away")
            trial.last(2)
        yield

    trial.suffer("a maintenance of some seconds under load", in_maintenance())
