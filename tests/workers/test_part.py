"""A process of workers, and what it shows of itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from service import parts
from workers import part
from workers.stop import StopRequest


class AfterOneLook(StopRequest):
    """Is requested by the first wait."""

    def wait(self, seconds: float | None = None) -> bool:
        self.request()
        return True


@pytest.mark.parametrize("down", [frozenset(), frozenset({parts.Part.SWEEPER})])
def test_a_process_shows_life_only_while_none_of_its_parts_is_down(
    down: frozenset[parts.Part], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts, "down", lambda: down)
    part.show_life(tmp_path / "alive", AfterOneLook())
    assert (tmp_path / "alive").exists() == (not down)
