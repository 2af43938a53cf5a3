"""The game that goes wrong on command, and only then."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine import registry
from engine.types import Layout
from tools.games import first_game
from tools.mishap import NAME, installed


def test_the_game_is_offered_as_long_as_it_is_installed(tmp_path: Path) -> None:
    with installed(tmp_path):
        assert registry.game(NAME).info.name == NAME
        assert registry.rules_text(NAME) == registry.rules_text(first_game())
    assert NAME not in registry.games()


def test_a_mishap_happens_until_it_is_mended(tmp_path: Path) -> None:
    with installed(tmp_path) as mishap:
        game = registry.game(NAME)
        with mishap.happening("picture hangs"):
            assert "feTurbulence" in game.svg(None, (), Layout.DESKTOP)
        assert not (tmp_path / NAME / NAME).exists()


def test_a_service_finds_the_game_beside_what_it_found_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with installed(tmp_path) as mishap:
        monkeypatch.delenv("PYTHONPATH", raising=False)
        assert mishap.environ() == {"PYTHONPATH": str(tmp_path)}
        monkeypatch.setenv("PYTHONPATH", "/elsewhere")
        assert mishap.environ() == {"PYTHONPATH": f"{tmp_path}:/elsewhere"}
