"""The six kinds of tiles: their land edges, their distinct rotations, their parts of islands.

The *land* of a placed tile, a number with a bit for each land edge (north 1, east 2, south 4, west
8), determines its kind and rotation.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from engine import wording

Kind = StrEnum("Kind", "SEA CAPE COAST STRAIT BAY INLAND")
"""A tile by its land edges: none, one, two adjacent, two opposite, three, all four."""
Side = StrEnum("Side", "NORTH EAST SOUTH WEST")
"""A side of the board or of a tile; north is up."""


KINDS: Final = tuple(Kind)
SIDES: Final = tuple(Side)
KIND_NAMES: Final = {kind: "open sea" if kind is Kind.SEA else kind.value for kind in Kind}
KIND_INDEX: Final = {kind: index for index, kind in enumerate(KINDS)}
SIDE_INDEX: Final = {side: index for index, side in enumerate(SIDES)}
LETTERS: Final = "NESW"
ALL_LAND: Final = 15
EDGES: Final = range(4)

_FIRST_WAY_ROUND: Final = (0b0000, 0b0001, 0b0011, 0b0101, 0b0111, 0b1111)


def turned(land: int) -> int:
    """The land of a tile after a quarter turn clockwise."""
    return (land << 1 | land >> 3) & ALL_LAND


def _ways_round(land: int) -> tuple[int, ...]:
    found = [land]
    while (land := turned(land)) not in found:
        found.append(land)
    return tuple(found)


WAYS_ROUND: Final = tuple(_ways_round(land) for land in _FIRST_WAY_ROUND)
"""For each kind its possible lands, in quarter turns clockwise, each once."""

KIND_OF: Final = tuple(next(kind for kind, ways in enumerate(WAYS_ROUND) if land in ways) for land in range(16))
"""The kind of each land, as an index of ``KINDS``."""

LAND_NAMES: Final = tuple("".join(LETTERS[edge] for edge in EDGES if land >> edge & 1) for land in range(16))
"""The land edges as letters: "" for none, "NE", "NESW"."""

LANDS: Final = {name: land for land, name in enumerate(LAND_NAMES)}


def _parts(land: int) -> tuple[int, ...]:
    if not land:
        return ()
    return (
        (land,) if KINDS[KIND_OF[land]] is not Kind.STRAIT else tuple(1 << edge for edge in EDGES if land >> edge & 1)
    )


PARTS: Final = tuple(_parts(land) for land in range(16))
"""The parts of islands on a tile, as sets of edges: two on a strait, else one or none."""


SHAPES: Final = {
    Kind.SEA: "without land",
    Kind.CAPE: "with land on one edge",
    Kind.COAST: "with land on two adjacent edges",
    Kind.STRAIT: "with land on two opposite edges",
    Kind.BAY: "with land on three edges",
    Kind.INLAND: "with land on all edges",
}
"""What each kind of tile is, for a sentence."""


def a(kind: Kind) -> str:
    """The words for a tile of the kind in a sentence: "a cape tile", "an open sea tile"."""
    return f"{wording.a(KIND_NAMES[kind])} tile"


def sides_of(land: int) -> tuple[Side, ...]:
    """The sides in a set of edges."""
    return tuple(SIDES[edge] for edge in EDGES if land >> edge & 1)
