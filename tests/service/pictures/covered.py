"""``python -m tests.service.pictures.covered``: writes which characters the bundled fonts have, as
ranges of code points in base 16, a line each.
"""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

import uharfbuzz

from service.pictures.picture import FONT_FILES

COVERED = Path(FONT_FILES[0]).with_name("covered.txt")


def covered() -> str:
    """The text of the file."""
    codes = sorted({code for file in FONT_FILES for code in uharfbuzz.Face(Path(file).read_bytes()).unicodes})
    lines = []
    for _, numbered in groupby(enumerate(codes), key=lambda pair: pair[1] - pair[0]):
        span = [code for _, code in numbered]
        lines.append(f"{span[0]:x}" if len(span) == 1 else f"{span[0]:x}-{span[-1]:x}")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    COVERED.write_text(covered(), encoding="ascii")
