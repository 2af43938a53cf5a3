"""One service for many faults: it is started once in a test process, and has to be as good as new
after each of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.trial import Trial, begin

ROWS = "fault-rows"


@pytest.fixture(scope="session")
def rows(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the lines of the fault table go; ``python -m tests.faults.table`` collects them."""
    folder = tmp_path_factory.getbasetemp() / ROWS
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory, rows: Path) -> Iterator[Trial]:
    """A service on SQLite with a Valkey and a mail server that the tests may break."""
    trial = begin(tmp_path_factory.mktemp("trial"), rows, "SQLite")
    yield trial
    trial.close()


@pytest.fixture
def trial(shared: Trial, request: pytest.FixtureRequest) -> Iterator[Trial]:
    """The shared service; what it said is shown where a test fails."""
    began = len(shared.service.said())
    yield shared
    shared.mail.feel("well")
    shared.service.resume_all()
    print(shared.service.said()[began:][-6000:])
