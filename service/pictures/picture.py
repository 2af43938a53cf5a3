"""Converts SVG to PNG for mails, with the bundled font only."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import resvg_py

_FONTS: Final = Path(__file__).parent / "fonts"
FONT_FAMILY: Final = "DejaVu Sans"
FONT_FILES: Final = tuple(str(_FONTS / name) for name in ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf"))
MOST_PIXELS: Final = 4096


def png(svg: str, width: int) -> bytes:
    """The picture as PNG, ``width`` pixels wide (1 to 4096), on white.

    System fonts are not used, so the picture is the same everywhere; without any font, text would
    be missing silently. Raises ``ValueError`` for a width out of bounds or a text that is not SVG.
    """
    if not 1 <= width <= MOST_PIXELS:
        raise ValueError(f"A picture is 1 to {MOST_PIXELS} pixels wide, not {width}.")
    return resvg_py.svg_to_bytes(
        svg_string=svg,
        width=width,
        background="#ffffff",
        skip_system_fonts=True,
        font_files=list(FONT_FILES),
        font_family=FONT_FAMILY,
        sans_serif_family=FONT_FAMILY,
    )
