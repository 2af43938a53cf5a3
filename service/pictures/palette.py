"""Reduces a picture to a palette, which makes it a third as large: it is drawn in few colours, and
most of the others are the edges of shapes.
"""

from __future__ import annotations

import io
from typing import Final

from PIL import Image

MOST_COLOURS: Final = (128, 96, 64)
"""Tried one after the other until the picture is small enough."""
MOST_BYTES: Final = 126_000
"""The largest picture of a mail has 130 kB."""
MOST_TRIED: Final = 160_000
"""A larger one is not for a mail, and stays larger with any palette."""
COMPRESSION: Final = 4
"""Of zlib; 6 takes twice as long and saves a twentieth."""


def with_palette(png: bytes) -> bytes:
    """The same picture, a PNG without transparency, as PNG with a palette of at most 128 colours,
    or fewer where that brings it near ``MOST_BYTES``. The same bytes give the same bytes.
    """
    with Image.open(io.BytesIO(png)) as opened:
        picture = opened.convert("RGB")
    small = png
    for colours in MOST_COLOURS:
        reduced = picture.quantize(colours, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
        output = io.BytesIO()
        reduced.save(output, "PNG", compress_level=COMPRESSION)
        small = output.getvalue()
        if not MOST_BYTES < len(small) <= MOST_TRIED:
            break
    return small
