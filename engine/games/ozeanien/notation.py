"""The notation of Ozeanien: reads lines in many spellings, writes each action in one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, assert_never

from engine.games.ozeanien.actions import Action, DrawTile, Explore, Place, PlaceExplorer, Skip, UseDiscarded
from engine.games.ozeanien.board import start_said
from engine.games.ozeanien.components import VALUES
from engine.games.ozeanien.phrases import ON, SIDES_SAID, WITH_ROWS, begins_a_circle, take_land, take_side, take_start
from engine.games.ozeanien.terms import KINDS as KIND_WORDS
from engine.games.ozeanien.terms import SHIP_NAMES, SIDES, Kinds, Line, Token, Verb, next_word, read
from engine.games.ozeanien.tiles import KIND_INDEX, LAND_NAMES, SHAPES, WAYS_ROUND, Kind, Side, a
from engine.reading import NEXT_SAID, read_actions
from engine.texts import read_text

NOTATION: Final = read_text("engine.games.ozeanien", "notation.txt")


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


ACTIONS_SAID: Final = ("ship west 3", "place C4 NE", "explorer 2", "skip")
_VALUES_SAID: Final = ("1, 2 or 3",)
_KINDS_SAID: Final = tuple(kind.value for kind in Kind)
_VERBS: Final[Kinds] = frozenset(Verb)
_EXPLORER_OR_NONE: Final[Kinds] = frozenset([Verb.EXPLORER, Verb.NO_EXPLORER])
_TILE: Final[Kinds] = frozenset([Token.TILE])
_DISCARDED: Final[Kinds] = frozenset([Token.DISCARDED])
_DISCARDED_TILE: Final[Kinds] = KIND_WORDS | _DISCARDED | _TILE
_SHIP: Final[Kinds] = frozenset([Verb.SHIP])
_ACUTE: Final = ("\u00e9", "e\u0301")


def read_action(reader: Line) -> Iterable[Action]:
    """The actions, legal or not, of the verb that is next, or of none. Raises ``NotationError``."""
    declined = reader.skip(Token.NO, Verb.NO_EXPLORER)
    if declined is Token.NO and not reader.ended():
        reader.fail_at_next(("explorer",))
    if declined is not None:
        return _skip(reader)
    _check_not_turned(reader)
    if reader.at_number() or reader.next_is(Token.VALUE) is not None:
        return _number_first(reader)
    if begins_a_circle(reader):
        return _circle_or_side(reader)
    if reader.letter_and_number() is not None or reader.next_is(Token.TILE, Token.SPACE) is not None:
        return _space(reader)
    verb = reader.take(_VERBS, ACTIONS_SAID)
    return _READERS[verb](reader) if isinstance(verb, Verb) else reader.fail_at_next(ACTIONS_SAID)


def _number_first(reader: Line) -> Iterable[Action]:
    """Reads "2 north" and "value 2 on the north side", an explorer; "2 east" may be a circle."""
    before, is_value = reader.at, reader.next_is(Token.VALUE) is not None
    if is_value:
        return _explorer(reader)
    value = reader.take_number()
    side = take_side(reader)
    if side is None:
        reader.go_back(before)
        reader.fail_at_next(ACTIONS_SAID)
    if side in WITH_ROWS:
        reader.fail(f'"{value} {side}" may be an explorer or a circle', (f"explorer {value} {side}", f"{side} {value}"))
    reader.go_back(before)
    return _explorer(reader)


def _circle_or_side(reader: Line) -> Iterable[Action]:
    """Reads "west 3", and "east explorer 2"."""
    before = reader.at
    part = reader.skip(*SIDES)
    if isinstance(part, Side) and reader.skip(Verb.EXPLORER) is not None:
        return (PlaceExplorer(_take_value(reader, "Say the explorer's value"), part),)
    reader.go_back(before)
    return _ship(reader)


def _space(reader: Line) -> Iterable[Action]:
    """Reads "C4 NE"; a space alone does not say what it is for."""
    before = reader.at
    label = reader.skip(Token.TILE, Token.SPACE)
    reader.skip(*ON)
    space = reader.take_space()
    if space is None:
        reader.fail_at_next(("a space such as C4",))
    if reader.ended() or reader.next_is_verb() is not None:
        also = ("ship east " + space[1],) if space[0] == "E" and label is None else ()
        reader.fail(f"Say what {space} is for", (f"ship tile {space}", *also, f"place {space} NE"), before)
    reader.go_back(before)
    return _place(reader)


def _ship(reader: Line) -> Iterable[Action]:
    """Reads "ship west 3" and "ship tile C4 with bay for 1"."""
    start = take_start(reader)
    before = reader.at
    joined = reader.skip(Token.AND) is not None
    takes = reader.skip(Token.WITH, Verb.TAKE) is not None
    if not takes and reader.next_is_verb() in _EXPLORER_OR_NONE:
        reader.fail("An explorer goes on a tile, or is given up for a discarded one", ("with bay for 1",))
    if not takes and (joined or reader.next_is(*_DISCARDED_TILE) is None):
        reader.go_back(before)
        if not (joined or reader.ended()):  # a draw follows, which nobody can take back
            reader.fail_at_next(NEXT_SAID)
        return (Explore(start),)
    tile = _take_discarded(reader)
    return (UseDiscarded(start, tile, _take_price(reader, tile)),)


def _take(reader: Line) -> Iterable[Action]:
    """Reads "take bay from tile C4 for 1", and the two parts in the other order."""
    tile = _take_discarded(reader)
    start: str | None = None
    if reader.next_is(*ON) is not None:
        start = take_start(reader)
    value = _take_price(reader, tile)
    if start is None:
        if reader.next_is(*ON) is None:
            reader.fail("Say where the ship starts", ("from west 3", "from tile C4"))
        start = take_start(reader)
    return (UseDiscarded(start, tile, value),)


def _take_discarded(reader: Line) -> Kind:
    """Takes the kind of a discarded tile: "my discarded bay tile"."""
    reader.skip(Token.DISCARDED)
    tiles = reader.skip(Token.TILE)
    tile = reader.take(KIND_WORDS, _KINDS_SAID)
    if not isinstance(tile, Kind):
        reader.fail_at_next(_KINDS_SAID)
    if tiles is None:
        reader.skip(Token.TILE)
    reader.skip(Token.DISCARDED)
    return tile


def _take_price(reader: Line, tile: Kind) -> int:
    """Takes the explorer that is given up: "for an explorer of value 1"."""
    before = reader.at
    reader.skip(Token.AND)
    if reader.skip(Token.FOR) is None:
        reader.go_back(before)
    reader.skip(Verb.EXPLORER)
    return _take_value(reader, f"Say which explorer you give up for the {tile}")


def _place(reader: Line) -> Iterable[Action]:
    """Reads "place D4 NE", and what else is put: "put explorer 2", "put the ship on tile C4"."""
    put = reader.skip(*(_EXPLORER_OR_NONE if next_word(reader) not in SHIP_NAMES else _SHIP))
    if isinstance(put, Verb):
        return _READERS[put](reader)
    tile = reader.skip(Token.TILE)
    kind = _take_kind(reader)
    if tile is None:
        reader.skip(Token.TILE)
    _check_not_turned(reader)
    reader.skip(*ON)
    reader.skip(Token.TILE, Token.SPACE)
    space = reader.take_space()
    if space is None:
        reader.fail("The tile needs a space", ("a space such as C4",))
    return _placed(reader, space, kind)


def _placed(reader: Line, space: str, kind: Kind | None) -> Iterable[Action]:
    """Reads what follows the space: the kind, the land, and perhaps "with explorer 2"."""
    if kind is None and (kind := _take_kind(reader)) is not None:
        reader.skip(Token.TILE)
    linked = reader.skip(Token.WITH) is not None
    before, land = reader.at, None
    if not linked or reader.next_is(Verb.EXPLORER, Verb.NO_EXPLORER) is None:
        land = take_land(reader)
        if linked and land is None:
            reader.fail_at_next(SIDES_SAID)
        linked = reader.skip(Token.WITH) is not None
    _check_not_turned(reader)
    placed = Place(space, LAND_NAMES[_agreed(reader, kind, land, before)])
    if not linked:
        return (placed,)
    verb = reader.next_is(Verb.EXPLORER, Verb.NO_EXPLORER)
    if not isinstance(verb, Verb):
        reader.fail_at_next(("explorer 2",))
    reader.skip(Verb.EXPLORER, Verb.NO_EXPLORER)
    return (placed, *_READERS[verb](reader))


def _agreed(reader: Line, kind: Kind | None, land: int | None, at: int) -> int:
    """The land of a tile, which has to be of the kind that is named, or its only one."""
    if kind is None:
        return land or 0
    ways = WAYS_ROUND[KIND_INDEX[kind]]
    if land is None and len(ways) > 1:
        reader.fail(f"Say which edges of the {kind} are land", SIDES_SAID)
    if land is not None and land not in ways:
        reader.fail(f"{a(kind).capitalize()} is one {SHAPES[kind]}", SIDES_SAID, at)
    return ways[0] if land is None else land


def _take_kind(reader: Line) -> Kind | None:
    """Takes the name of a kind, if one is next: a "côte", but no "côté", which is a side."""
    if reader.here.text.casefold().endswith(_ACUTE):
        return None
    kind = reader.skip(*KIND_WORDS)
    return kind if isinstance(kind, Kind) else None


def _explorer(reader: Line) -> Iterable[Action]:
    """Reads "explorer 2 east", "explorer of value 2 there, on the east side"."""
    before = reader.at
    part = take_side(reader)
    if part is not None and reader.next_is(Token.OF, Token.VALUE) is None:
        reader.go_back(before)
        reader.fail("Say the value first", (f"explorer 2 {part}", f"ship {part} 3"))
    value = _take_value(reader, "Say the explorer's value")
    _skip_there(reader)
    part = take_side(reader) if part is None else part
    if reader.next_is(Verb.NO_EXPLORER) is not None:
        reader.fail_at_next(('";"',))
    return (PlaceExplorer(value, part),)


def _skip_there(reader: Line) -> None:
    """Takes words for the tile just placed. Raises ``NotationError`` at the name of a space."""
    if reader.skip(Token.THERE) is not None:
        return
    before = reader.at
    reader.skip(*ON)
    label = reader.skip(Token.TILE, Token.SPACE)
    end = reader.at
    reader.skip(*ON)
    found = reader.letter_and_number()
    if found is not None:
        reader.fail(f'An explorer goes on the tile just placed; leave "{found[0]}{found[1]}" out', ("explorer 2",))
    reader.go_back(before if label is None else end)


def _take_value(reader: Line, wish: str) -> int:
    """Takes the value of an explorer: "2", "of value 2"."""
    reader.skip(Token.OF)
    if reader.skip(Token.VALUE) is not None:
        reader.skip(Token.OF)
    is_number, at = reader.at_number(), reader.at
    value = reader.take_number() if is_number else None
    return value if value is not None and value in VALUES else reader.fail(wish, _VALUES_SAID, at)


def _skip(reader: Line) -> Iterable[Action]:
    """Reads what may follow "skip" and "no"."""
    reader.skip(Verb.EXPLORER)
    reader.skip(Token.THERE)
    return (Skip(),)


def _draw(reader: Line) -> Iterable[Action]:
    """Reads the action of chance, which nobody has to type, and "draw from tile C4"."""
    if reader.next_is(*ON) is not None:
        return _ship(reader)
    reader.skip(Token.TILE)
    kind = _take_kind(reader)
    if kind is None:
        reader.fail("Chance draws the tile, once the ship has its starting point", ("ship west 3", "ship tile C4"))
    reader.skip(Token.TILE)
    return (DrawTile(kind),)


def _check_not_turned(reader: Line) -> None:
    """Raises ``NotationError`` at "rotated": which way round a tile was before is not known."""
    if reader.next_is(Token.TURNED) is not None:
        reader.fail("Instead of how the tile is turned, say which of its edges are land", ("place C4 NE",))


_READERS: Final[dict[Verb, Callable[[Line], Iterable[Action]]]] = {
    Verb.SHIP: _ship,
    Verb.TAKE: _take,
    Verb.PLACE: _place,
    Verb.EXPLORER: _explorer,
    Verb.SKIP: _skip,
    Verb.NO_EXPLORER: _skip,
    Verb.DRAW: _draw,
}
