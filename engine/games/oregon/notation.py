"""The notation of Oregon: reads lines in many spellings, writes each action in one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, assert_never

from engine.games.oregon.actions import (
    Action,
    DealBuilding,
    DealCoal,
    DealGold,
    DealStartTile,
    DealSymbol,
    Discard,
    Done,
    DrawCard,
    PlaceBuilding,
    PlaceFarmer,
    PlaceStart,
    SetAside,
    UseExtraTurn,
)
from engine.games.oregon.components import Building, Deck, Symbol
from engine.games.oregon.vocabulary import BUILDING_NAMES, WORDS, Kinds, Line, Token, Verb, read

NOTATION: Final = """\
One line for each action, or a whole turn on one line with ";" between them.
Capitals do not matter. A space is a column letter and a row number: C7.

  start C7                   place your start tile
  farmer bison wagon C7      two landscape cards, a farmer on C7
  farmer bison joker C7      one landscape card and your joker
  building church eagle D3   a building card and a landscape card
  building church joker D3   a building card and your joker
  church eagle D3            the same in short; so is "bison wagon C7"
  extra                      use your extra turn, then play again
  draw landscape             draw a card; "draw building" for the other deck
  draw L L B                 several at once
  set aside church           put a useless building card away for another
  discard bison church       no play is possible: give two cards away
  done                       end your turn (only when you are asked)

Cards:     wagon bison settler eagle campfire, or just w b s e c
Buildings: post office, harbour, church, coal mine, gold mine, warehouse,
           station, or PO HB CH CM GM WH ST as on the board
The beginning of a word is enough where it is clear: "f b w C7; draw l b".
A whole turn: farmer bison wagon C7; extra; church eagle D3; draw L L B B
"""

_SYMBOLS: Final[Kinds] = frozenset(Symbol)
_BUILDINGS: Final[Kinds] = frozenset(Building)
_DECKS: Final[Kinds] = frozenset(Deck)
_JOKER: Final[Kinds] = frozenset((Token.JOKER,))
_SEAT: Final[Kinds] = frozenset((Token.SEAT,))
_START: Final[Kinds] = frozenset((Verb.START,))
_FIRST: Final[Kinds] = frozenset(Verb) | _SYMBOLS | _BUILDINGS | _JOKER

_SPACE_SAID: Final = "a space such as C7"
_SYMBOLS_SAID: Final = tuple(symbol.value for symbol in Symbol)
_BUILDINGS_SAID: Final = tuple(BUILDING_NAMES.values())
_DECKS_SAID: Final = ("landscape", "building")
_DEALS_SAID: Final = ("bison", "church", "start church", "coal 2", "gold 4")
_ACTIONS_SAID: Final = ("start", "farmer", "building", "extra", "draw", "set aside", "discard", "done")
_MOST_CARDS: Final = 9


def format_action(action: Action) -> str:
    """The action as a line of notation; ``parse`` reads it back."""
    match action:
        case PlaceStart(space):
            return f"start {space}"
        case PlaceFarmer(space, cards, joker):
            return " ".join(("farmer", *cards, *(("joker",) if joker else ()), space))
        case PlaceBuilding(space, building, cards, joker):
            return " ".join(("building", BUILDING_NAMES[building], *cards, *(("joker",) if joker else ()), space))
        case UseExtraTurn():
            return "extra"
        case DrawCard(deck):
            return f"draw {deck}"
        case SetAside(building):
            return f"set aside {BUILDING_NAMES[building]}"
        case Discard(symbols, buildings):
            return " ".join(("discard", *symbols, *(BUILDING_NAMES[building] for building in buildings)))
        case Done():
            return "done"
        case DealSymbol(to, symbol):
            return f"deal {symbol} to seat {to}"
        case DealBuilding(to, building):
            return f"deal {BUILDING_NAMES[building]} to seat {to}"
        case DealStartTile(to, building):
            return f"deal start {BUILDING_NAMES[building]} to seat {to}"
        case DealCoal(to, value):
            return f"deal coal {value} to seat {to}"
        case DealGold(to, value):
            return f"deal gold {value} to seat {to}"
        case _:
            assert_never(action)


def parse(line: str) -> tuple[Action, ...]:
    """The actions on a line, at least one. Raises ``NotationError``.

    Illegal actions are read, too: whether one card is enough for a farmer is checked by the rules.
    """
    reader = read(line)
    actions: list[Action] = []
    while not reader.at_end():
        actions.extend(_action(reader))
    if not actions:
        reader.fail("There is no action on this line", _ACTIONS_SAID)
    return tuple(actions)


def _action(reader: Line) -> Iterable[Action]:
    """Reads the action at the current position, or the several actions of one verb. Raises
    ``NotationError``.
    """
    before = reader.at
    if (space := reader.take_space()) is not None:
        if reader.ended():
            reader.at = before
            reader.fail(
                f"Say what {space} is for", (f"start {space}", f"farmer bison wagon {space}", f"church eagle {space}")
            )
    else:
        first = reader.take(_FIRST, _ACTIONS_SAID)
        if isinstance(first, Verb):
            return _READERS[first](reader)
        if first is None:
            reader.fail_at_next(_ACTIONS_SAID)
    reader.at = before
    return _play(reader, None)


def _start(reader: Line) -> Iterable[Action]:
    reader.take(_BUILDINGS, (_SPACE_SAID,))
    space = reader.take_space()
    if space is None:
        reader.fail("The start tile needs a space", (_SPACE_SAID,))
    return (PlaceStart(space),)


def _farmer(reader: Line) -> Iterable[Action]:
    return _play(reader, Verb.FARMER)


def _building(reader: Line) -> Iterable[Action]:
    return _play(reader, Verb.BUILDING)


def _play(reader: Line, verb: Verb | None) -> Iterable[Action]:
    """Reads a farmer or a building: cards, joker and space in any order.

    Without a verb, it is a building if one is named, else a farmer.
    """
    symbols: list[Symbol] = []
    building: Building | None = None
    space: str | None = None
    joker = False
    kinds = _SYMBOLS | _JOKER | (frozenset() if verb is Verb.FARMER else _BUILDINGS)
    said = (*_SYMBOLS_SAID, "joker", *(() if verb is Verb.FARMER else _BUILDINGS_SAID))
    while True:
        before = reader.at
        named = reader.take_space()
        if named is not None and space is not None:
            reader.fail(f"A play has one space, and {space} was already named", ('";" before the next action',), before)
        if named is not None:
            space = named
            continue
        match reader.take(kinds, said if space else (*said, _SPACE_SAID)):
            case Symbol() as symbol:
                symbols.append(symbol)
            case Building() as another:
                if building is not None:
                    reader.fail(
                        f"A play has one building, and {WORDS.name(building)} was already named",
                        (*_SYMBOLS_SAID, "joker"),
                        before,
                    )
                building = another
            case Token.JOKER:
                if joker:
                    reader.fail("There is only one joker token", _SYMBOLS_SAID, before)
                joker = True
            case _:
                break
    if reader.at_number():
        reader.fail_at_next(said if space else (*said, _SPACE_SAID))
    if verb is Verb.BUILDING and building is None:
        reader.fail("Say which building", _BUILDINGS_SAID)
    if space is None:
        reader.fail(f"The {BUILDING_NAMES[building] if building else 'farmer'} needs a space", (_SPACE_SAID,))
    if building is None:
        return (PlaceFarmer(space, tuple(symbols), joker),)
    return (PlaceBuilding(space, building, tuple(symbols), joker),)


def _extra(reader: Line) -> Iterable[Action]:
    return (UseExtraTurn(),)


def _draw(reader: Line) -> Iterable[Action]:
    actions: list[Action] = []
    while True:
        before = reader.at
        decks = _glued_decks(reader)
        if not decks:
            count = reader.take_number()
            deck = reader.take(_DECKS, _DECKS_SAID)
            if count is not None and not (1 <= count <= _MOST_CARDS and deck):
                reader.fail(f"Draw 1 to {_MOST_CARDS} cards from a deck", _DECKS_SAID, before)
            decks = [deck] * (count or 1) if isinstance(deck, Deck) else []
        if not decks:
            break
        actions.extend(DrawCard(deck) for deck in decks)
    if not actions:
        reader.fail("Say which deck to draw from", _DECKS_SAID)
    return actions


def _glued_decks(reader: Line) -> list[Deck]:
    """Takes the decks of a piece such as "LLB", "2L" or "L2", if one is next, else gives []."""
    text = reader.here.text.lower()
    letters, digits = text.strip("0123456789"), text.strip("lb")
    if not letters or set(letters) - {"l", "b"} or len(text) > _MOST_CARDS:
        return []
    if text != letters and (len(letters) != 1 or digits not in map(str, range(1, _MOST_CARDS + 1))):
        return []
    reader.at += 1
    return [Deck.LANDSCAPE if letter == "l" else Deck.BUILDING for letter in letters] * int(digits or 1)


def _set_aside(reader: Line) -> Iterable[Action]:
    actions: list[Action] = []
    while isinstance(building := reader.take(_BUILDINGS, _BUILDINGS_SAID), Building):
        actions.append(SetAside(building))
    if not actions:
        reader.fail("Say which building card to set aside", _BUILDINGS_SAID)
    return actions


def _discard(reader: Line) -> Iterable[Action]:
    symbols: list[Symbol] = []
    buildings: list[Building] = []
    while (card := reader.take(_SYMBOLS | _BUILDINGS, (*_SYMBOLS_SAID, *_BUILDINGS_SAID))) is not None:
        if isinstance(card, Symbol):
            symbols.append(card)
        elif isinstance(card, Building):
            buildings.append(card)
    return (Discard(tuple(symbols), tuple(buildings)),)


def _done(reader: Line) -> Iterable[Action]:
    return (Done(),)


def _deal(reader: Line) -> Iterable[Action]:
    """Reads what chance deals to a seat. "coal" and "gold" mean a token if a value follows,
    otherwise a mine.
    """
    dealt = reader.take(_START | _SYMBOLS | _BUILDINGS, _DEALS_SAID)
    tile = dealt is Verb.START
    card = reader.take(_BUILDINGS, _BUILDINGS_SAID) if tile else dealt
    before = reader.at
    value = reader.take_number()
    reader.take(_SEAT, ("to seat 0",))
    seat = reader.take_number()
    if seat is None:
        reader.fail("Say to which seat", ("to seat 0",))
    match card, tile, value:
        case Symbol(), False, None:
            return (DealSymbol(seat, card),)
        case Building(), True, None:
            return (DealStartTile(seat, card),)
        case Building(), False, None:
            return (DealBuilding(seat, card),)
        case Building.COAL_MINE, False, int():
            return (DealCoal(seat, value),)
        case Building.GOLD_MINE, False, int():
            return (DealGold(seat, value),)
        case _:
            return reader.fail("That cannot be dealt", _DEALS_SAID, before)


_READERS: Final[dict[Verb, Callable[[Line], Iterable[Action]]]] = {
    Verb.START: _start,
    Verb.FARMER: _farmer,
    Verb.BUILDING: _building,
    Verb.EXTRA: _extra,
    Verb.DRAW: _draw,
    Verb.SET_ASIDE: _set_aside,
    Verb.DISCARD: _discard,
    Verb.DONE: _done,
    Verb.DEAL: _deal,
}
