"""The colours of Ozeanien's picture, on a screen and as ink on paper."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.svg import ACCENT, BORDER, INK, PAPER, SAND, SOFT


@dataclass(frozen=True, slots=True)
class Palette:
    """The colours of a picture.

    ``lands`` are those of islands that nobody leads, then of those that each seat leads. Where
    ``marked``, lands also bear strokes or rings for the leader, and waves and trees are left out.
    """

    name: str
    ground: str
    panel: str
    card: str
    ink: str
    border: str
    soft: str
    highlight: str
    badge: str
    badge_ink: str
    sea: str
    shallows: str
    beach: str
    shore: str
    lands: tuple[str, str, str]
    marked: bool
    route: str
    fog: str
    fog_line: str
    place: str
    frame: str


SCREEN: Final = Palette(
    name="screen",
    ground=SAND,
    panel=PAPER,
    card="#fbf3e0",
    ink=INK,
    border=BORDER,
    soft=SOFT,
    highlight=ACCENT,
    badge=ACCENT,
    badge_ink="#ffffff",
    sea="#8fc8e0",
    shallows="#bfe4ea",
    beach="#f0dca6",
    shore="#7d6a3a",
    lands=("#a9c77f", "#98a4a4", "#eeeedb"),
    marked=False,
    route="#3f86ab",
    fog="#efe2c0",
    fog_line="#d8c391",
    place="#6f5a2c",
    frame="#5a3f29",
)

INKED: Final = Palette(
    name="inked",
    ground="#ffffff",
    panel="#ffffff",
    card="#ffffff",
    ink="#000000",
    border="#8a8a8a",
    soft="#4d4d4d",
    highlight="#000000",
    badge="#ffffff",
    badge_ink="#000000",
    sea="#ffffff",
    shallows="#ffffff",
    beach="#ffffff",
    shore="#333333",
    lands=("#ececec", "#d4d4d4", "#ffffff"),
    marked=True,
    route="#8a8a8a",
    fog="#ffffff",
    fog_line="#dddddd",
    place="#4d4d4d",
    frame="#333333",
)
