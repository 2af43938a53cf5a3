"""The file of an SQLite database taken away under the running service: nothing more is accepted,
the service is not ready, and when the file is back, nothing is missing.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import requests

from tests.faults.trial import Trial
from tools.soak.faults import moved_away
from tools.waiting import until

pytestmark = pytest.mark.deep


@pytest.mark.parametrize("replaced", [False, True])
def test_a_database_that_is_taken_away_and_put_back_costs_nothing(trial: Trial, replaced: bool) -> None:
    file = Path(trial.database.url.database or "")

    @contextmanager
    def away() -> Iterator[None]:
        copy = file.with_name("copy")
        if replaced:
            # A process that opens and closes the file itself loses SQLite's locks on it (fcntl).
            subprocess.run(["cp", file, copy], check=True)
        with moved_away(trial.service.database_url, copy if replaced else None):
            refused = trial.players.journal.unavailable
            before = trial.players.journal.turns
            until(lambda: trial.players.journal.unavailable > refused + 2, "answers of 503")
            said = requests.get(f"{trial.service.url}/readyz", timeout=60)
            assert said.status_code == 503
            happened = "replaced by another" if replaced else "deleted or moved"
            told = {f"lost: the file was {happened} while the service ran"}
            if not replaced:  # what a process says that has no connection open, of two that answer
                told.add("lost: the file is missing")
            assert said.json()["checks"]["database"] in told
            assert trial.players.journal.turns <= before + 2  # those whose answers were on their way
            assert replaced or not file.exists()
        yield

    trial.suffer(f"the database's file {'replaced by a copy' if replaced else 'moved away'} and put back", away())
