"""The boards that the README shows."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from engine import registry
from engine.games.ozeanien import GAME
from tests.games.pictures import FOLDER, picture

README = Path(__file__).parents[2] / "README.md"


@pytest.mark.parametrize("name", list(registry.games()))
def test_every_game_has_a_board_in_the_readme_drawn_by_the_command(name: str) -> None:
    assert f"docs/images/{name}.svg" in README.read_text()
    shown = ElementTree.parse(FOLDER / f"{name}.svg").getroot()
    title, described = (shown.find(f"{{http://www.w3.org/2000/svg}}{part}") for part in ("title", "desc"))
    assert title is not None
    assert title.text == registry.game(name).info.title
    assert described is not None
    assert "Ada" in (described.text or "")


def test_the_same_command_draws_the_same_picture() -> None:
    assert picture(GAME) == picture(GAME) == (FOLDER / "ozeanien.svg").read_text().rstrip("\n"), (
        "make pictures draws it again"
    )
