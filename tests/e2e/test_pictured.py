"""The pictures of the pages in the documentation can be taken anew, and every one is shown."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser

from tests.e2e.pictured import FOLDER, draw
from tools.launch import running

pytestmark = pytest.mark.deep
ROOT = FOLDER.parents[2]
FEWEST_COLOURS = 60
"""Of a page that shows a board or a picture of one; an error page and an empty one have fewer."""


def test_every_page_is_pictured_as_the_documentation_shows_it(tmp_path: Path, chromium: Browser) -> None:
    shown = tmp_path / "shown"
    shown.mkdir()
    with running(tmp_path / "data", OVERLAND_RATE_LIMIT="off") as service:
        draw(chromium, service, shown)
    taken = {path.name: Image.open(path) for path in shown.iterdir()}
    kept = {path.name: Image.open(path) for path in FOLDER.iterdir()}
    assert {name: picture.size for name, picture in taken.items()} == {name: each.size for name, each in kept.items()}
    dull = [name for name, picture in taken.items() if len(picture.getcolors() or ()) < FEWEST_COLOURS]
    assert dull == []
    listed = (FOLDER.parent / "README.md").read_text("utf-8")
    assert [name for name in taken if f"(pages/{name})" not in listed] == []
    first_screen = (ROOT / "README.md").read_text("utf-8").splitlines()[:30]
    assert any("docs/images/pages/" in line for line in first_screen)
