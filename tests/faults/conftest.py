"""One service for many faults: it is started once in a test process, and has to work as before
after each of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.trial import Trial
from tests.faults.trial import trial as new_trial

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
    with new_trial(tmp_path_factory.mktemp("trial"), rows, "SQLite") as trial:
        yield trial


@pytest.fixture
def trial(shared: Trial) -> Iterator[Trial]:
    """The shared service; its output is shown where a test fails."""
    began = len(shared.service.output())
    yield shared
    print(shared.service.output()[began:][-6000:])
