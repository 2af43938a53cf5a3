"""The actions of seats and of chance in Ozeanien, from which the schemas of turns are derived."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, TypeAlias

from engine.documents import About
from engine.games.ozeanien.tiles import Kind, Side

Space: TypeAlias = Annotated[
    str,
    About(
        "A space of the board: column letter A to G, row number 1 to 7 from the top.",
        pattern=r"^[A-G][1-7]$",
        example="C4",
    ),
]
Start: TypeAlias = Annotated[
    str,
    About(
        "A starting point: an explored space, or a circle by its side of the board and the row or column it stands at.",
        pattern=r"^([A-G][1-7]|(west|east) [1-7]|(north|south) [A-G])$",
        example="west 3",
    ),
]
Land: TypeAlias = Annotated[
    str,
    About(
        "The edges of the tile that are land, once it is placed: letters in the order N, E, S, W; empty for open sea.",
        pattern=r"^N?E?S?W?$",
        example="NE",
    ),
]
Value: TypeAlias = Annotated[int, About("The value of an explorer.", minimum=1, maximum=3)]


@dataclass(frozen=True, slots=True)
class Explore:
    """Put the ship at a starting point and draw a tile."""

    type: ClassVar[str] = "ship"
    start: Start


@dataclass(frozen=True, slots=True)
class UseDiscarded:
    """Put the ship at a starting point and take one of your discarded tiles instead of drawing,
    giving up an explorer for good.
    """

    type: ClassVar[str] = "reuse"
    start: Start
    tile: Annotated[Kind, About("The kind of tile.")]
    explorer: Value


@dataclass(frozen=True, slots=True)
class Place:
    """Place the tile at hand on an unexplored space that the ship reaches; its land edges tell
    which way round.
    """

    type: ClassVar[str] = "place"
    space: Space
    land: Land = ""


@dataclass(frozen=True, slots=True)
class PlaceExplorer:
    """Put an explorer on the tile you have just placed; on a strait, say on which side of the
    water.
    """

    type: ClassVar[str] = "explorer"
    value: Value
    part: Annotated[Side | None, About("The side of a strait; left out on any other tile.")] = None


@dataclass(frozen=True, slots=True)
class Skip:
    """Put no explorer on the tile you have just placed."""

    type: ClassVar[str] = "skip"


@dataclass(frozen=True, slots=True)
class DrawTile:
    """Chance draws a tile from the bag."""

    type: ClassVar[str] = "draw"
    tile: Annotated[Kind, About("The kind of tile.")]


SEAT_ACTIONS = (Explore, UseDiscarded, Place, PlaceExplorer, Skip)
CHANCE_ACTIONS = (DrawTile,)
Action: TypeAlias = Explore | UseDiscarded | Place | PlaceExplorer | Skip | DrawTile
