"""One service for many faults: it is started once in a test process, and has to work as before
after each of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.trial import Trial
from tests.faults.trial import trial as new_trial
from tests.postgres import postgres_or_skip
from tools.mishap import Mishap, installed

ROWS = "fault-rows"
ROOT = Path(__file__).parent.parent.parent


@pytest.fixture(scope="session")
def rows(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the lines of the fault table go; ``python -m tests.faults.table`` collects them."""
    folder = tmp_path_factory.getbasetemp() / ROWS
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def mishap(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mishap]:
    """A game that goes wrong on command, installed in the shared service, and here, for the
    ledger.
    """
    with installed(tmp_path_factory.mktemp("site")) as game:
        yield game


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory, rows: Path, mishap: Mishap) -> Iterator[Trial]:
    """A service on SQLite with a Valkey and a mail server that the tests may break."""
    path = {"PYTHONPATH": f"{mishap.site}:{ROOT}"}
    with new_trial(tmp_path_factory.mktemp("trial"), rows, "SQLite", path, reader=True) as trial:
        yield trial


@pytest.fixture
def trial(shared: Trial) -> Iterator[Trial]:
    """The shared service; its output is shown where a test fails."""
    began = len(shared.service.output())
    yield shared
    print(shared.service.output()[began:][-6000:])


@pytest.fixture(scope="session", params=["SQLite", "PostgreSQL"])
def quiet(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, rows: Path) -> Iterator[Trial]:
    """A service at which only the test plays."""
    folder = tmp_path_factory.mktemp("trial")
    if request.param == "SQLite":
        with new_trial(folder, rows, "SQLite", matches=0) as trial:
            yield trial
        return
    with (
        postgres_or_skip() as server,
        new_trial(folder, rows, "PostgreSQL", {"OVERLAND_DATABASE_URL": server.url}, matches=0) as trial,
    ):
        yield trial
