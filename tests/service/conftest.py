"""Fixtures that the tests of the service share."""

from __future__ import annotations

from typing import Any

import pytest

from service.store import matches


@pytest.fixture
def ranges_read(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """The ranges of plies that are read from logs, in order."""
    ranges: list[tuple[int, int]] = []
    log = matches.log

    def noted(connection: Any, match_id: str, start: int, stop: int) -> Any:
        ranges.append((start, stop))
        return log(connection, match_id, start, stop)

    monkeypatch.setattr(matches, "log", noted)
    return ranges
