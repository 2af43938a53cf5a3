"""A maintenance under load: clients are sent away and come back, and nothing is lost."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import requests

from tests.faults.trial import Trial
from tools.soak.faults import maintained
from tools.waiting import until

pytestmark = pytest.mark.deep


def test_a_maintenance_loses_nothing_and_play_goes_on_after_it(trial: Trial) -> None:
    @contextmanager
    def in_maintenance() -> Iterator[None]:
        signing_up = f"{trial.service.url}/v1/players"  # the players may all wait for verdicts
        with maintained(trial.service.database_url):
            until(lambda: requests.post(signing_up, json={}, timeout=60).status_code == 503, "a client is sent away")
            trial.last(2)
        yield

    trial.suffer("a maintenance of some seconds under load", in_maintenance())
