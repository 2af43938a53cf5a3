"""The components of Ozeanien as data that a match can choose: board, tiles and explorers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final, TypeAlias

from engine.components import Vouched, by_name
from engine.documents import About, Problems, from_document
from engine.errors import DocumentError
from engine.games.ozeanien.tiles import KINDS, Side

VALUES: Final = (1, 2, 3)
"""R1.7: the values of explorers."""
LONGEST_SIDE: Final = 7

HowMany = Annotated[int, About("How many there are.", minimum=0, maximum=99)]
_Length = Annotated[int, About("Spaces along a side of the board.", minimum=2, maximum=LONGEST_SIDE)]


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a match."""

    upright: Annotated[bool, About("Turn the board upright: 5 columns and 7 rows instead of 7 columns and 5 rows.")] = (
        False
    )


@dataclass(frozen=True, slots=True)
class Size:
    """The spaces of the board."""

    columns: _Length
    rows: _Length


BoardSize: TypeAlias = Annotated[Vouched[Size], About("The board as it lies.", name="BoardSize")]
Sides: TypeAlias = Annotated[
    Vouched[tuple[Side, ...]], About("The sides of the board with a circle before each border space.", name="Sides")
]
Counts: TypeAlias = Annotated[
    Vouched[Mapping[str, HowMany]],
    About("How many there are of each: tiles by kind, explorers by value.", name="Counts"),
]
Count: TypeAlias = Annotated[Vouched[HowMany], About("How many there are.", name="Count")]


@dataclass(frozen=True, slots=True)
class Components:
    """A component set, every value with its provenance.

    ``removed`` sea tiles leave the match unseen; ``explorers`` are those of each seat.
    """

    name: Annotated[str, About("The name of the set.", pattern="^.{1,40}$")]
    board: BoardSize
    circles: Sides
    sea_tiles: Counts
    removed: Count
    reserve_tiles: Counts
    explorers: Counts


def load_components(document: Mapping[str, Any]) -> Components:
    """The component set of a document. Raises ``DocumentError`` with all that does not fit."""
    components: Components = from_document(Components, document)
    kinds, values = tuple(map(str, KINDS)), tuple(map(str, VALUES))
    problems = [
        *_side_problems(components.circles.value),
        *by_name("/sea_tiles/value", components.sea_tiles.value, kinds, "; write 0 where there is none"),
        *by_name("/reserve_tiles/value", components.reserve_tiles.value, kinds, "; write 0 where there is none"),
        *by_name("/explorers/value", components.explorers.value, values, "; write 0 where there is none"),
        *_total_problems(components),
    ]
    if problems:
        raise DocumentError(tuple(problems))
    return components


def _side_problems(sides: tuple[Side, ...]) -> Problems:
    if not sides:
        return [("/circles/value", "There are no circles; at least one side needs them, or no ship could ever start.")]
    return [
        (f"/circles/value/{index}", f"{side} is already named.")
        for index, side in enumerate(sides)
        if side in sides[:index]
    ]


def _total_problems(components: Components) -> Problems:
    total, removed = sum(components.sea_tiles.value.values()), components.removed.value
    sentence = f"There are {total} tiles in all, and {removed} are removed unseen: none would be left to draw."
    return [] if total > removed else [("/sea_tiles/value", sentence)]
