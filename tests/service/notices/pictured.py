"""Turn mails of every game as a browser shows them: on a wide screen, on a phone, and in dark mode.

``python -m tests.service.notices.pictured`` writes docs/images/mails/<game>-<view>.png
(``make mail-pictures``).
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, Literal

from engine import registry
from tests.browser import launched, shoot
from tests.service.notices.shown import mails_of, write

FOLDER: Final = Path(__file__).parents[3] / "docs" / "images" / "mails"
KIND: Final = "your_turn"
VIEWS: Final[dict[str, tuple[int, Literal["light", "dark"]]]] = {
    "wide": (1000, "light"),
    "phone": (360, "light"),
    "dark": (360, "dark"),
}
"""The width of the window in pixels, and the colour scheme."""


def draw(folder: Path) -> None:
    """Writes the pictures of all games. Raises where there is no browser."""
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as mails, launched() as browser:
        for game in registry.games():
            write(Path(mails), {game: mails_of(game)[KIND]})
            for view, (width, scheme) in VIEWS.items():
                page = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
                page.goto((Path(mails) / f"{game}.html").as_uri())
                shoot(page, folder / f"{game}-{view}.png", is_whole=True)
                page.close()


if __name__ == "__main__":
    draw(FOLDER)
