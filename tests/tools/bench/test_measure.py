"""The figures of the bench, and the matches that they are measured with."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine import registry
from service.store.database import Database
from service.store.schema import migrate
from tools.bench.measure import percentile, prepare

pytestmark = pytest.mark.deep


@pytest.mark.parametrize(("share", "value"), [(0.5, 51), (0.95, 96), (0.99, 100), (1.0, 100)])
def test_a_percentile_is_a_value_that_was_measured(share: float, value: int) -> None:
    assert percentile(list(range(1, 101)), share) == value


@pytest.mark.parametrize("name", registry.games())
@pytest.mark.parametrize(("matches", "turns"), [(3, 1), (1, 500)])
def test_of_any_game_enough_matches_and_turns_are_prepared(tmp_path: Path, name: str, matches: int, turns: int) -> None:
    database = Database(f"sqlite:///{tmp_path}/bench.sqlite")
    migrate(database)
    prepared = prepare(database, registry.game(name), matches, turns)
    database.dispose()
    assert len(prepared.requests) >= matches
    assert sum(map(len, prepared.requests)) >= turns
    assert sum(map(len, prepared.requests[:-1])) < turns or len(prepared.requests) == matches
    assert all(request.startswith(b"POST /v1/matches/bench0") for request in prepared.requests[0])
