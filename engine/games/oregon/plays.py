"""The grammar of plays in Oregon's notation: a farmer or a building, its cards and its space."""

from __future__ import annotations

from typing import Final, NoReturn

from engine.games.oregon.actions import PlaceBuilding, PlaceFarmer
from engine.games.oregon.components import Building, Symbol
from engine.games.oregon.phrases import (
    BUILDINGS,
    BUILDINGS_SAID,
    JOKER,
    SPACE_SAID,
    SYMBOLS,
    SYMBOLS_SAID,
    goes_on,
    take_cards,
    take_place,
)
from engine.games.oregon.terms import Meaning, Token, Verb
from engine.games.oregon.vocabulary import BUILDING_NAMES, Kinds, Line
from engine.reading import NEXT_SAID

_PIECES: Final[Kinds] = frozenset((Verb.FARMER, Verb.BUILDING))
_PIECE_OR_PLACE: Final[Kinds] = _PIECES | {Verb.PLACE}
_BUILDING_OR_PLACE: Final[Kinds] = frozenset((Verb.BUILDING, Verb.PLACE))
_OF_FARMERS: Final[Kinds] = SYMBOLS | JOKER
_OF_PLAYS: Final[Kinds] = _OF_FARMERS | BUILDINGS
_BEFORE_PIECE: Final[Kinds] = frozenset((Verb.PLACE, Token.FOR))
_NOTHING: Final[Kinds] = frozenset()
_CARDS_OF_A_PLAY: Final = 2


def read_play(reader: Line, piece: Verb | None) -> PlaceFarmer | PlaceBuilding:
    """Reads a farmer or a building: cards, joker and space in any order.

    ``piece`` is the verb "farmer" or "building" if the line began with it. Otherwise one of the two
    may follow ("bison and wagon for a farmer on C7"), as long as the play is not complete; without
    them it is a building if one is named, else a farmer. Raises ``NotationError``.
    """
    cards: list[Meaning] = []
    space: str | None = None
    begin = reader.at
    while goes_on(reader, len(cards), open_to := _open_to(piece, cards, space)):
        before = reader.at
        if open_to and (label := _take_piece(reader, open_to)) is not None:
            piece = label
        elif (place := take_place(reader)) is not None:
            if space is not None:
                reader.fail(f"A play has one space, and {space} was already named", NEXT_SAID, before)
            space = place
        else:
            found = take_cards(reader, _OF_FARMERS if piece is Verb.FARMER else _OF_PLAYS, _said(piece, cards, space))
            if not found:
                break
            cards += found
            _check_single(reader, cards, before)
    return _play(reader, begin, piece, cards, space)


def _open_to(piece: Verb | None, cards: list[Meaning], space: str | None) -> Kinds:
    """The verbs that may still say which piece is placed; none if it is said or the play is
    complete.
    """
    if piece is not None or (space is not None and len(cards) >= _CARDS_OF_A_PLAY):
        return _NOTHING
    return _BUILDING_OR_PLACE if any(isinstance(card, Building) for card in cards) else _PIECE_OR_PLACE


def _take_piece(reader: Line, kinds: Kinds) -> Verb | None:
    """Takes "a farmer" or "a building", if one of them is next, with or without "place", "for" or
    "one" before it.
    """
    before = reader.at
    reader.skip(_BEFORE_PIECE)
    count = reader.take_number()
    found = reader.skip(kinds & _PIECES)
    if not isinstance(found, Verb) or count not in (None, 1):
        reader.go_back(before)
        return None
    return found


def _said(piece: Verb | None, cards: list[Meaning], space: str | None) -> tuple[str, ...]:
    if space is not None and len(cards) >= _CARDS_OF_A_PLAY:
        return NEXT_SAID
    is_named = piece is Verb.FARMER or any(isinstance(card, Building) for card in cards)
    buildings = () if is_named else BUILDINGS_SAID
    return (*SYMBOLS_SAID, "joker", *buildings, *(() if space else SPACE_SAID))


def _check_single(reader: Line, cards: list[Meaning], at: int) -> None:
    """A play has one building and one joker. Raises ``NotationError``."""
    named = [card for card in cards if isinstance(card, Building)]
    if len(named) > 1:
        reader.fail(
            f"A play has one building, and {BUILDING_NAMES[named[0]]} was already named", (*SYMBOLS_SAID, "joker"), at
        )
    if cards.count(Token.JOKER) > 1:
        reader.fail("There is only one joker token", SYMBOLS_SAID, at)


def _play(
    reader: Line, begin: int, piece: Verb | None, cards: list[Meaning], space: str | None
) -> PlaceFarmer | PlaceBuilding:
    symbols = tuple(card for card in cards if isinstance(card, Symbol))
    building = next((card for card in cards if isinstance(card, Building)), None)
    joker = Token.JOKER in cards
    if piece is Verb.BUILDING and building is None:
        reader.fail("Say which building", BUILDINGS_SAID)
    if piece is None and space is None and not cards:
        reader.fail_at_next(("farmer", "building", "start tile"))
    if space is None:
        reader.fail(f"The {BUILDING_NAMES[building] if building else 'farmer'} needs a space", SPACE_SAID)
    if not symbols and not joker:
        _fail_without_cards(reader, begin, piece, building, space)
    if building is None:
        return PlaceFarmer(space, symbols, joker)
    return PlaceBuilding(space, building, symbols, joker)


def _fail_without_cards(
    reader: Line, begin: int, piece: Verb | None, building: Building | None, space: str
) -> NoReturn:
    start = (f"start {space}",) if piece is None else ()
    if building is None and piece is None:
        reader.fail(f"Say what {space} is for", (*start, f"farmer bison wagon {space}", f"church eagle {space}"), begin)
    if building is None:
        reader.fail("The farmer needs two landscape cards, or one and the joker", (*SYMBOLS_SAID, "joker"))
    name = BUILDING_NAMES[building]
    readings = (f"{name} eagle {space}", f"{name} joker {space}", *start)
    reader.fail(f"The {name} needs a landscape card or the joker", readings)
