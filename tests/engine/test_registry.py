"""The registry: finds the games and reads what lies in their folders."""

from __future__ import annotations

import sys
import types
from collections.abc import Iterator
from pathlib import Path

import pytest

import engine.games
from engine import registry
from engine.errors import UnknownGame
from tests.engine.toy import GAME


@pytest.fixture
def pearls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder called pearls beside the games that are there, with a game in it."""
    folder = tmp_path / "pearls"
    folder.mkdir()
    (folder / "__init__.py").write_text("from tests.engine.toy import GAME\n")
    (folder / "RULES.md").write_text("# Pearls\n")
    (folder / "standard.json").write_text('{"ones": 4, "twos": 4, "threes": 4}')
    (folder / "deep-sea.json").write_text('{"ones": 1, "twos": 1, "threes": 8}')
    monkeypatch.setattr(engine.games, "__path__", [str(tmp_path)])
    forget()
    yield folder
    for name in [name for name in sys.modules if name.startswith("engine.games.pearls")]:
        del sys.modules[name]
    forget()


def forget() -> None:
    for cached in (registry.games, registry.component_sets, registry.components, registry._file):
        cached.cache_clear()


@pytest.mark.usefixtures("pearls")
def test_a_folder_that_defines_a_game_is_all_it_takes() -> None:
    assert dict(registry.games()) == {"pearls": GAME}
    assert registry.game("pearls") is GAME


def test_a_folder_without_a_game_is_passed_over(pearls: Path) -> None:
    (pearls / "__init__.py").write_text("")
    assert dict(registry.games()) == {}


def test_a_game_is_called_as_its_folder_is(pearls: Path) -> None:
    pearls.rename(pearls.parent / "shells")
    with pytest.raises(ValueError, match="the game in engine/games/shells calls itself 'pearls'"):
        registry.games()
    del sys.modules["engine.games.shells"]


@pytest.mark.usefixtures("pearls")
def test_an_unknown_game_is_refused_with_those_there_are() -> None:
    for asked in (registry.game, registry.rules_text, registry.component_sets, registry.component_document, registry.components):
        with pytest.raises(UnknownGame, match="There is no game 'chess'; there are pearls"):
            asked("chess")


@pytest.mark.usefixtures("pearls")
def test_every_json_file_of_a_game_is_a_component_set_standard_first() -> None:
    assert registry.component_sets("pearls") == ("standard", "deep-sea")
    assert registry.components("pearls").threes == 4
    assert registry.components("pearls", "deep-sea").threes == 8


@pytest.mark.usefixtures("pearls")
def test_an_unknown_component_set_is_refused_with_those_there_are() -> None:
    with pytest.raises(UnknownGame, match=r"no component set '../secret'; there are standard, deep-sea"):
        registry.component_document("pearls", "../secret")


@pytest.mark.usefixtures("pearls")
def test_a_component_document_is_a_fresh_copy() -> None:
    registry.component_document("pearls")["ones"] = 99
    assert registry.component_document("pearls")["ones"] == 4


@pytest.mark.usefixtures("pearls")
def test_the_rules_of_a_game_are_read_from_its_folder() -> None:
    assert registry.rules_text("pearls") == "# Pearls\n"


def test_the_catalogue_cannot_be_changed() -> None:
    assert isinstance(registry.games(), types.MappingProxyType)
