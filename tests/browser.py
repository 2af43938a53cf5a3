"""The system's Chromium, for tests of pages."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Final

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from tests import missing

CHROMIUM: Final = next(
    (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None
)
PATIENCE: Final = 240_000
"""Milliseconds."""
PHONE_BROWSER: Final = (
    "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36"
)
"""What the browser of a phone calls itself: pages are laid out for it."""
COLOURS: Final = 128
"""Of a picture that is kept."""
FLAGS: Final = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@contextmanager
def launched() -> Iterator[Browser]:
    """A browser, closed when the block ends. Skips the test loudly where there is none."""
    if CHROMIUM is None:
        missing.skip(
            "THE PAGES ARE NOT TESTED: there is no Chromium on this machine. Install the package chromium; .ci/run"
            " does."
        )
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


def width_of(page: Page) -> int:
    """How wide what is shown is, in pixels, once the styles of the page have come: its text may be
    found before.
    """
    page.wait_for_load_state("load", timeout=PATIENCE)
    return int(page.evaluate("document.documentElement.scrollWidth"))


def shoot(page: Page, file: Path, *, is_whole: bool = False) -> None:
    """Writes what the window shows, or the whole page, as a small PNG."""
    shot = Image.open(BytesIO(page.screenshot(full_page=is_whole))).convert("RGB")
    shot.quantize(COLOURS).save(file, optimize=True)
