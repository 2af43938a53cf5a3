"""The colours of Oregon's picture: those of a screen, and ink on white paper."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from engine.svg import ACCENT, BORDER, INK, PAPER, SAND


@dataclass(frozen=True, slots=True)
class Inks:
    """The colours of a picture.

    ``ground`` has a fill and a line for each terrain; ``farmers`` and ``letters`` are by seat;
    ``cards`` fill landscape and building cards; ``active`` fills a token that can be used, with
    letters in ``active_ink`` and the outline ``active_line``.
    """

    page: str
    panel: str
    idle: str
    border: str
    accent: str
    plate: str
    plate_line: str
    plate_ink: str
    ground: Mapping[str, tuple[str, str]] = field(hash=False)
    rocks: tuple[str, str]
    rails: tuple[str, str, str]
    farmers: tuple[str, ...]
    letters: tuple[str, ...]
    tile: str
    cards: tuple[str, str]
    active: str
    active_ink: str
    active_line: str


SCREEN: Final = Inks(
    page=SAND,
    panel=PAPER,
    idle="#fbf3e0",
    border=BORDER,
    accent=ACCENT,
    plate="#5a3f29",
    plate_line="#5a3f29",
    plate_ink="#fff4dc",
    ground={
        ".": ("#dfe8b9", "#8fa451"),
        "~": ("#a6d3ea", "#3d7fa6"),
        "^": ("#cfc8c0", "#8d847a"),
        "=": ("#f1e2bd", "#cdb684"),
    },
    rocks=("#8a7f74", "#a69b90"),
    rails=("#3f362e", "#7a5a3a", "#f1e2bd"),
    farmers=("#c8372d", "#2a6db0", "#f7cb2d", "#2b2b30"),
    letters=("#ffffff", "#ffffff", INK, "#ffffff"),
    tile=PAPER,
    cards=("#eef3d8", "#f3e2bf"),
    active=INK,
    active_ink="#ffffff",
    active_line=INK,
)

# Farmers differ by letter and hat, terrain by its drawing; nothing large is filled.
PRINTED: Final = Inks(
    page="#ffffff",
    panel="#ffffff",
    idle="#ffffff",
    border="#8a8a8a",
    accent="#000000",
    plate="#ffffff",
    plate_line=INK,
    plate_ink=INK,
    ground={
        ".": ("#ffffff", "#bdbdbd"),
        "~": ("#ffffff", "#4a4a4a"),
        "^": ("#ffffff", "#7a7a7a"),
        "=": ("#ffffff", "#a8a8a8"),
    },
    rocks=("#ffffff", "#ffffff"),
    rails=("#4a4a4a", "#8a8a8a", "#ffffff"),
    farmers=("#ffffff",) * 4,
    letters=(INK,) * 4,
    tile="#ffffff",
    cards=("#ffffff", "#ffffff"),
    active="#ffffff",
    active_ink="#000000",
    active_line="#000000",
)
