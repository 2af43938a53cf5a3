"""The notation of Ozeanien: reads lines in many spellings, writes each action in one."""

from __future__ import annotations

from typing import Final, assert_never

from engine.games.ozeanien.actions import Action, DrawTile, Explore, Place, PlaceExplorer, Skip, UseDiscarded
from engine.games.ozeanien.board import start_said
from engine.games.ozeanien.grammar import ACTIONS_SAID, read_action
from engine.games.ozeanien.vocabulary import read
from engine.reading import read_actions

NOTATION: Final = """\
One line for each action, or several on one line with a semicolon between them.
Capitals do not matter. Spaces of the board are a column letter and a row number: C4.

  ship west 3                put the ship on the circle west of row 3, and draw a tile;
                             also east 3, south D
  ship tile C4               put the ship on the tile on C4, and draw a tile
  ship tile C4 with bay for 1    no draw: take your discarded bay, give up an explorer of 1
  place D4 NE                place the tile with its land on the north and the east
  place D4                   place a tile without land
  explorer 2                 put an explorer of value 2 on the tile just placed
  explorer 2 east            on a strait: on its eastern side
  skip                       no explorer

"ship C4" and "ship W3" do as well; E4 could be a tile or a circle: say tile E4 or east 4.
Tiles by their land edges: sea (none), cape (one), coast (two adjacent),
           strait (two opposite), bay (three), inland (four)
Sides:     north east south west, or N E S W
Sentences are read, too: "put the ship on the circle west of row 3", also in
French and Italian. A line is understood as a whole, or refused.
Once the tile is drawn, every way to place it is shown, numbered: a number is
enough. The rest of a turn on one line: place D4 NE; explorer 2
"""


def format_action(action: Action) -> str:
    """The action as a line of notation; ``parse`` reads it back."""
    match action:
        case Explore(start):
            return f"ship {start_said(start)}"
        case UseDiscarded(start, tile, explorer):
            return f"ship {start_said(start)} with {tile} for {explorer}"
        case Place(space, land):
            return f"place {space} {land}".rstrip()
        case PlaceExplorer(value, part):
            return f"explorer {value}" if part is None else f"explorer {value} {part}"
        case Skip():
            return "skip"
        case DrawTile(tile):
            return f"draw {tile}"
        case _:
            assert_never(action)


def parse(line: str) -> tuple[Action, ...]:
    """The actions on a line, at least one. Raises ``NotationError``."""
    return read_actions(read(line), read_action, ACTIONS_SAID)
