"""The boards that the README and docs/images show."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from engine import registry
from engine.types import Layout
from tests.games.pictures import FOLDER, Shown, drawing, shown

README = Path(__file__).parents[2] / "README.md"


@pytest.mark.parametrize("name", list(registry.games()))
def test_every_game_has_a_board_in_the_readme_drawn_by_the_command(name: str) -> None:
    assert f"docs/images/{name}.svg" in README.read_text()
    root = ElementTree.parse(FOLDER / f"{name}.svg").getroot()
    title, described = (root.find(f"{{http://www.w3.org/2000/svg}}{part}") for part in ("title", "desc"))
    assert title is not None
    assert title.text == registry.game(name).info.title
    assert described is not None
    assert "Ada" in (described.text or "")


@pytest.mark.parametrize("name", list(registry.games()))
def test_the_page_of_pictures_shows_every_game_in_every_layout(name: str) -> None:
    page = (FOLDER / "README.md").read_text()
    pictures = shown(registry.game(name))
    assert {each.layout for each in pictures} == set(Layout) - {Layout.BOARD}
    files = {file.name for file in FOLDER.glob(f"{name}*.svg")}
    assert files == {each.name for each in pictures}
    assert all(f"({each.name})" in page for each in pictures)


ALL = [which for name in registry.games() for which in shown(registry.game(name))]


@pytest.mark.parametrize("which", ALL, ids=lambda which: which.name)
def test_the_same_command_draws_the_same_picture(which: Shown) -> None:
    assert drawing(which) == (FOLDER / which.name).read_text().rstrip("\n"), "make pictures draws it again"
