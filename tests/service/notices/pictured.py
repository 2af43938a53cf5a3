"""Turn mails of every game as a browser shows them: on a wide screen, on a phone, and in dark mode.

``python -m tests.service.notices.pictured`` writes docs/images/mails/<game>-<view>.png
(``make mail-pictures``).
"""

from __future__ import annotations

import shutil
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, Literal

from PIL import Image
from playwright.sync_api import sync_playwright

from engine import registry
from tests.service.notices.shown import mails_of, write

FOLDER: Final = Path(__file__).parents[3] / "docs" / "images" / "mails"
KIND: Final = "your_turn"
COLOURS: Final = 128
VIEWS: Final[dict[str, tuple[int, Literal["light", "dark"]]]] = {
    "wide": (1000, "light"),
    "phone": (360, "light"),
    "dark": (360, "dark"),
}
"""The width of the window in pixels, and the colour scheme."""


def draw(folder: Path) -> None:
    """Writes the pictures of all games. Raises where there is no browser."""
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as mails, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for game in registry.games():
            write(Path(mails), {game: mails_of(game)[KIND]})
            for view, (width, scheme) in VIEWS.items():
                page = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
                page.goto((Path(mails) / f"{game}.html").as_uri())
                shot = Image.open(BytesIO(page.screenshot(full_page=True))).convert("RGB").quantize(COLOURS)
                shot.save(folder / f"{game}-{view}.png", optimize=True)
                page.close()
        browser.close()


if __name__ == "__main__":
    draw(FOLDER)
