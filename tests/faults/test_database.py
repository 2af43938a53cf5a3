"""The database locked by somebody else, and PostgreSQL restarted: clients are told to ask again,
and lose nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.faults.test_killed import killed
from tests.faults.trial import Trial
from tests.faults.trial import trial as new_trial
from tests.postgres import Postgres, postgres_or_skip
from tools.soak.faults import locked

pytestmark = pytest.mark.deep

LOCKED_SECONDS = 7.0
"""Longer than the service waits for the lock, so that callers hear of it."""


def test_a_locked_sqlite_database_costs_nothing(trial: Trial) -> None:
    @contextmanager
    def held() -> Iterator[None]:
        with locked(trial.service.database_url):
            trial.last(LOCKED_SECONDS)
        yield

    trial.suffer(f"SQLite locked for {LOCKED_SECONDS:g} s by another process", held())


@pytest.fixture(scope="module")
def postgres() -> Iterator[Postgres]:
    with postgres_or_skip() as server:
        yield server


@pytest.fixture(scope="module")
def on_postgres(postgres: Postgres, tmp_path_factory: pytest.TempPathFactory, rows: Path) -> Iterator[Trial]:
    given = {"OVERLAND_DATABASE_URL": postgres.url}
    with new_trial(tmp_path_factory.mktemp("trial"), rows, "PostgreSQL", given) as trial:
        yield trial


@pytest.mark.parametrize("mode", ["immediate", "fast"])
def test_a_restarted_postgresql_costs_nothing(on_postgres: Trial, postgres: Postgres, mode: str) -> None:
    @contextmanager
    def restarted() -> Iterator[None]:
        postgres.stop(mode)
        on_postgres.last(2)
        postgres.start()
        yield

    on_postgres.suffer(f"PostgreSQL stopped ({mode}) and started again", restarted())


def test_a_killed_worker_costs_nothing_on_postgresql(on_postgres: Trial) -> None:
    on_postgres.suffer("kill -9 of a worker", killed(on_postgres, "turns"))
