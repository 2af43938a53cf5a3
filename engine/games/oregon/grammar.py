"""The grammar of Oregon's notation: reads each kind of action from a line."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

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
    PlaceStart,
    SetAside,
    UseExtraTurn,
)
from engine.games.oregon.components import Building, Symbol
from engine.games.oregon.phrases import (
    BUILDINGS,
    BUILDINGS_SAID,
    DECKS,
    DECKS_SAID,
    JOKER,
    SPACE_SAID,
    SYMBOLS,
    SYMBOLS_SAID,
    goes_on,
    joined,
    take_cards,
    take_decks,
    take_glued_decks,
    take_place,
)
from engine.games.oregon.plays import read_play
from engine.games.oregon.terms import Token, Verb
from engine.games.oregon.vocabulary import BUILDING_NAMES, Kinds, Line
from engine.reading import NEXT_SAID
from engine.vocabulary import THEN

ACTIONS_SAID: Final = ("start", "farmer", "building", "extra", "draw", "set aside", "discard", "done")

_CARDS: Final[Kinds] = SYMBOLS | BUILDINGS
_FIRST: Final[Kinds] = frozenset((*Verb, Token.CARD)) | _CARDS | JOKER
_START: Final[Kinds] = frozenset((Verb.START,))
_EXTRA: Final[Kinds] = frozenset((Verb.EXTRA,))
_CARD: Final[Kinds] = frozenset((Token.CARD,))
_BUILDING_CARD: Final[Kinds] = BUILDINGS | _CARD
_TILE: Final[Kinds] = frozenset((Token.TILE,))
_AND: Final[Kinds] = frozenset((Token.AND,))
_ASIDE: Final[Kinds] = frozenset((Token.ASIDE,))
_REPLACED: Final[Kinds] = frozenset((Token.REPLACED,))
_TO: Final[Kinds] = frozenset((Token.TO,))
_SEAT: Final[Kinds] = frozenset((Token.SEAT,))
_DEALS_SAID: Final = ("bison", "church", "start church", "coal 2", "gold 4")


def read_action(reader: Line) -> Iterable[Action]:
    """Reads the action at the current position, or the several actions of one verb. Raises
    ``NotationError``.
    """
    if reader.here.kind == "word" and reader.letter_and_number() is None:
        if actions := _glued_draws(reader) or _put_aside(reader):
            return _ended(reader, actions)
        before = reader.at
        first = reader.take(_FIRST, ACTIONS_SAID)
        if isinstance(first, Verb):
            return _READERS[first](reader)
        if first is None:
            reader.fail_at_next(ACTIONS_SAID)
        reader.go_back(before)
    elif reader.at_number() and reader.pieces[reader.at + 1].kind != "word":
        reader.fail_at_next(ACTIONS_SAID)
    return _ended(reader, (read_play(reader, None),))


def _ended(reader: Line, actions: Iterable[Action]) -> Iterable[Action]:
    """The actions, which were read without a verb, so that only a stop can end them; raises
    ``NotationError`` if something else follows.
    """
    before = reader.at
    reader.skip(_AND)
    if not reader.ended() or reader.here.kind == "end":
        reader.go_back(before)
    if not reader.ended():
        reader.fail_at_next(NEXT_SAID)
    return actions


def _glued_draws(reader: Line) -> tuple[DrawCard, ...]:
    """Takes "LLB", if it is next, without a verb: several letters, a landscape among them."""
    text = reader.here.text.lower()
    if text == "bb":
        reader.fail(f'"{reader.here.text}" could be more than one thing', ("draw B B", "bison bison C7"))
    if len(text) < 2 or "l" not in text:
        return ()
    return tuple(DrawCard(deck) for deck in take_glued_decks(reader))


def _start(reader: Line) -> Iterable[Action]:
    """ "start C7": the tile is known, so no building is named."""
    space = take_place(reader)
    if space is None and reader.next_is(BUILDINGS) is not None:
        reader.fail("The start tile is named by its space alone", SPACE_SAID)
    if space is None:
        reader.fail("The start tile needs a space", SPACE_SAID)
    return (PlaceStart(space),)


def _farmer(reader: Line) -> Iterable[Action]:
    return (read_play(reader, Verb.FARMER),)


def _building(reader: Line) -> Iterable[Action]:
    return (read_play(reader, Verb.BUILDING),)


def _place(reader: Line) -> Iterable[Action]:
    """ "place your start tile on C7", "put church aside", or a play."""
    before = reader.at
    if reader.skip(_START) is not None:
        building_follows = reader.next_is(BUILDINGS) is not None
        reader.go_back(before)
        if not (building_follows and reader.next_is(_TILE)):
            reader.skip(_START)
            return _start(reader)
    return _put_aside(reader) or (read_play(reader, None),)


def _put_aside(reader: Line) -> tuple[SetAside, ...]:
    """Takes "church aside", which may follow "put", if that is next, else gives ()."""
    if reader.next_is(_BUILDING_CARD) is None:
        return ()
    named: list[SetAside] = []
    before = reader.at
    while reader.next_is(_ASIDE) is None and joined(reader, len(named)):
        reader.skip(_CARD)
        if reader.next_is(BUILDINGS) is None:
            break
        cards = take_cards(reader, BUILDINGS, BUILDINGS_SAID)
        named += [SetAside(card) for card in cards if isinstance(card, Building)]
    if not named or reader.skip(_ASIDE) is None:
        reader.go_back(before)
        return ()
    reader.skip(_REPLACED)
    return tuple(named)


def _play(reader: Line) -> Iterable[Action]:
    """ "play bison and wagon on C7"; the Italian rulebook plays an extra turn, too."""
    return _extra(reader) if reader.skip(_EXTRA) is not None else (read_play(reader, None),)


def _use(reader: Line) -> Iterable[Action]:
    """ "use your extra turn", or a play that begins with the joker."""
    if reader.skip(_EXTRA) is not None:
        return _extra(reader)
    if reader.next_is(JOKER) is None:
        reader.fail_at_next(("extra turn", "joker"))
    return (read_play(reader, None),)


def _extra(reader: Line) -> Iterable[Action]:
    """ "extra", or with its play: "extra bison wagon C7"."""
    if reader.ended() or reader.next_is(_AND) is not None or reader.next_is_verb() is not None:
        return (UseExtraTurn(),)
    return (UseExtraTurn(), *_ended(reader, (read_play(reader, None),)))


def _no_extra(reader: Line) -> Iterable[Action]:
    """ "no extra turn, draw landscape": what is not done is no action."""
    return ()


def _draw(reader: Line) -> Iterable[Action]:
    actions: list[Action] = []
    while (_then_a_deck(reader) or joined(reader, len(actions), DECKS)) and (decks := take_decks(reader)):
        actions.extend(DrawCard(deck) for deck in decks)
    if not actions:
        reader.fail("Say which deck to draw from", DECKS_SAID)
    return actions


def _then_a_deck(reader: Line) -> bool:
    """Takes the "then" of "draw landscape then building": a deck alone continues the draws."""
    before = reader.at
    reader.skip(_AND)
    if reader.here.word not in THEN:
        reader.go_back(before)
        return False
    reader.at = after = reader.at + 1
    reader.take_count()
    deck = reader.skip(DECKS)
    reader.skip(_CARD)
    continues = deck is not None and reader.ended()
    reader.go_back(after if continues else before)
    return continues


def _set_aside(reader: Line) -> Iterable[Action]:
    actions: list[Action] = []
    while reader.skip(_REPLACED) is None and joined(reader, len(actions)):
        cards = take_cards(reader, BUILDINGS, BUILDINGS_SAID)
        if not cards:
            break
        actions.extend(SetAside(card) for card in cards if isinstance(card, Building))
    if not actions:
        reader.fail("Say which building card to set aside", BUILDINGS_SAID)
    return actions


def _discard(reader: Line) -> Iterable[Action]:
    """ "discard bison church". What the rulebooks call discarding a useless card is setting it
    aside, so a single building is discarded only "for another".
    """
    symbols: list[Symbol] = []
    buildings: list[Building] = []
    before, said = reader.at, (*SYMBOLS_SAID, *BUILDINGS_SAID)
    while reader.next_is(_REPLACED) is None and goes_on(reader, len(symbols) + len(buildings)):
        cards = take_cards(reader, _CARDS, said)
        if not cards:
            break
        symbols += [card for card in cards if isinstance(card, Symbol)]
        buildings += [card for card in cards if isinstance(card, Building)]
    if not symbols and not buildings:
        reader.fail("Say which two cards to discard", said)
    if len(buildings) == 1 and not symbols:
        if reader.skip(_REPLACED) is not None:
            return (SetAside(buildings[0]),)
        name = BUILDING_NAMES[buildings[0]]
        readings = (f"set aside {name}", f"discard {name} and a second card")
        reader.fail("One building card is set aside, two cards are discarded", readings, before)
    return (Discard(tuple(symbols), tuple(buildings)),)


def _done(reader: Line) -> Iterable[Action]:
    return (Done(),)


def _deal(reader: Line) -> Iterable[Action]:
    """Reads what chance deals to a seat. "coal" and "gold" mean a token if a value follows,
    otherwise a mine.
    """
    dealt = reader.take(_START | _CARDS, _DEALS_SAID)
    tile = dealt is Verb.START
    card = reader.take(BUILDINGS, BUILDINGS_SAID) if tile else dealt
    before = reader.at
    value = reader.take_number()
    reader.skip(_TO)
    reader.skip(_SEAT)
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
    Verb.PLACE: _place,
    Verb.PLAY: _play,
    Verb.EXTRA: _extra,
    Verb.NO_EXTRA: _no_extra,
    Verb.USE: _use,
    Verb.DRAW: _draw,
    Verb.SET_ASIDE: _set_aside,
    Verb.DISCARD: _discard,
    Verb.DONE: _done,
    Verb.DEAL: _deal,
}
