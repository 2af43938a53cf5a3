"""The key of the marks on Montana's landscape."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.games.montana.render_ground import OPEN, PRAIRIE, outline
from engine.games.montana.render_pieces import latest, open_frame
from engine.svg import INK, group, label, polygon, use

_MARKS: Final = (
    ("mt-cow", 0.8, "a cow to take"),
    ("mt-canteen", 0.7, "a canteen to take"),
    ("mt-double", 0.85, "two settlements"),
)
_LINE: Final = 30
KEY_WIDTH: Final = 190
KEY_HEIGHT: Final = _LINE * (len(_MARKS) + 2)


def key() -> Iterator[str]:
    """The key, its upper left corner at the origin."""
    for place, (icon, scale, meaning) in enumerate(_MARKS):
        yield _line(place, use(icon, 0, 0, scale), meaning)
    yield _line(
        len(_MARKS),
        group(polygon(outline(), fill=OPEN, stroke=INK, stroke_width=2), open_frame(0.8), transform="scale(.28)"),
        "open to build",
    )
    yield _line(
        len(_MARKS) + 1, group(polygon(outline(), fill=PRAIRIE[0]), *latest(), transform="scale(.28)"), "latest action"
    )


def _line(place: int, drawn: str, meaning: str) -> str:
    return group(drawn, label(meaning, 24, 6, 16, fill=INK), transform=f"translate(18 {(place + 0.5) * _LINE:g})")
