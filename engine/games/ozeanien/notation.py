"""The notation of Ozeanien: reads lines in many spellings, writes each action in one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, assert_never

from engine.games.ozeanien.actions import Action, DrawTile, Explore, Place, PlaceExplorer, Skip, UseDiscarded
from engine.games.ozeanien.components import VALUES
from engine.games.ozeanien.tiles import LAND_NAMES, SIDE_INDEX, Kind, Side
from engine.games.ozeanien.vocabulary import SIDE_NAMES, Line, Verb, directions, peek_directions, read, take_word

NOTATION: Final = """\
One line for each action, or several on one line with ";" between them.
Capitals do not matter. Spaces of the board are a column letter and a row number: C4.

  ship C4                    put the ship on the tile of C4, and draw a tile
  ship west 3                the circle west of row 3; also east 3, south D
  ship C4 with bay for 1     no draw: take your discarded bay for an explorer of 1
  place D4 NE                place the tile with its land on the north and the east
  place D4                   place a tile without land
  explorer 2                 put an explorer of value 2 on the tile just placed
  explorer 2 east            on a strait: on its eastern side
  skip                       no explorer

Tiles by their land edges: sea (none), cape (one), coast (two adjacent),
           strait (two opposite), bay (three), inland (four)
Sides:     north east south west, or N E S W
The answer to "ship" shows the tile and every way to place it, numbered: a number
is enough. The rest of a turn on one line: place D4 NE; explorer 2
"""

_SHIP_SAID: Final = ("an explored space such as C4", "a circle such as west 3 or south D")
_VERBS_SAID: Final = ("ship C4", "place C4 NE", "explorer 2", "skip")
_VALUES_SAID: Final = ("1, 2 or 3",)
_SIDES_SAID: Final = ("north", "east", "south", "west")


def format_action(action: Action) -> str:
    """The action as a line of notation; ``parse`` reads it back."""
    match action:
        case Explore(start):
            return f"ship {start}"
        case UseDiscarded(start, tile, explorer):
            return f"ship {start} with {tile} for {explorer}"
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
    """The actions on a line, at least one. Raises ``NotationError``.

    Illegal actions are read, too: whether the tile fits is checked by the rules.
    """
    reader = read(line)
    actions: list[Action] = []
    while not reader.at_end():
        actions.append(_action(reader))
        if not reader.ended() and reader.here.kind != "word":
            reader.fail_at_next(('";" before the next action',))
    if not actions:
        reader.fail("There is no action on this line", _VERBS_SAID)
    return tuple(actions)


def _action(reader: Line) -> Action:
    before = reader.at
    if (space := reader.take_space()) is not None:
        if peek_directions(reader):
            reader.at = before
            return _place(reader)
        reader.fail(f"Say what {space} is for", (f"ship {space}", f"place {space} NE"), before)
    if reader.here.kind == "word" and reader.here.word in SIDE_NAMES:
        return _ship(reader)
    verb = take_word(reader)
    if isinstance(verb, Verb):
        return _READERS[verb](reader)
    reader.at = before
    return reader.fail_at_next(_VERBS_SAID)


def _ship(reader: Line) -> Action:
    start = _start(reader)
    if reader.ended():
        return Explore(start)
    before = reader.at
    tile = take_word(reader)
    if isinstance(tile, Verb):
        reader.at = before
        return Explore(start)
    if not isinstance(tile, Kind):
        reader.at = before
        reader.fail_at_next(tuple(kind.value for kind in Kind))
    return UseDiscarded(start, tile, _value(reader, f"Say which explorer you give up for the {tile}"))


def _start(reader: Line) -> str:
    """Reads a starting point: a space, or a circle as a side with a row or a column, in either
    order or as one word ("W3").
    """
    here = reader.here
    if here.kind == "space" and here.text.upper()[0] == "W":
        return _circle(reader, Side.WEST, here.text[1:])
    named = directions(here.word) if here.kind == "word" and here.word != "e" else ()
    if len(named) != 1:
        space = reader.take_space()
        if space is None:
            reader.fail_at_next(_SHIP_SAID)
        return space
    reader.at += 1
    while reader.pieces[reader.at].word in ("row", "column", "of"):
        reader.at += 1
    return _circle(reader, named[0], reader.pieces[reader.at].text)


def _circle(reader: Line, side: Side, place: str) -> str:
    along = "1234567" if side in (Side.WEST, Side.EAST) else "ABCDEFG"
    if len(place) != 1 or place.upper() not in along:
        what = "a row from 1 to 7" if along[0] == "1" else "a column from A to G"
        reader.fail(f"A circle in the {side} is named by {what}", (f"{side} {along[2]}",))
    reader.at += 1
    return f"{side} {place.upper()}"


def _place(reader: Line) -> Action:
    space = reader.take_space()
    if space is None:
        reader.fail("The tile needs a space", ("a space such as C4",))
    land = 0
    while peek_directions(reader):
        for side in directions(reader.here.word):
            land |= 1 << SIDE_INDEX[side]
        reader.at += 1
    if not reader.ended() and (reader.here.kind != "word" or isinstance(_peek(reader), Kind)):
        reader.fail(f'"{reader.here.text[:20]}" does not fit here; name the edges with land', _SIDES_SAID)
    return Place(space, LAND_NAMES[land])


def _peek(reader: Line) -> object:
    before = reader.at
    word = take_word(reader)
    reader.at = before
    return word


def _explorer(reader: Line) -> Action:
    value = _value(reader, "Say the explorer's value")
    if not peek_directions(reader):
        return PlaceExplorer(value)
    sides = directions(reader.here.word)
    if len(sides) != 1:
        reader.fail("An explorer goes on one side", _SIDES_SAID)
    reader.at += 1
    return PlaceExplorer(value, sides[0])


def _value(reader: Line, wish: str) -> int:
    before = reader.at
    value = reader.take_number()
    if value not in VALUES:
        reader.fail(wish, _VALUES_SAID, before)
    return value


def _skip(reader: Line) -> Action:
    if reader.here.kind == "word" and reader.here.word in ("explorer", "explorateur"):
        reader.at += 1
    return Skip()


def _draw(reader: Line) -> Action:
    tile = take_word(reader)
    if not isinstance(tile, Kind):
        reader.fail("Say which tile is drawn", tuple(kind.value for kind in Kind))
    return DrawTile(tile)


_READERS: Final[dict[Verb, Callable[[Line], Action]]] = {
    Verb.SHIP: _ship,
    Verb.PLACE: _place,
    Verb.EXPLORER: _explorer,
    Verb.SKIP: _skip,
    Verb.DRAW: _draw,
}
