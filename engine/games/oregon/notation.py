"""The notation of Oregon: reads lines in many spellings, writes each action in one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, assert_never

from engine.games.oregon import actions, phrases
from engine.games.oregon.components import Building, Symbol
from engine.games.oregon.phrases import BUILDINGS, DECKS, JOKER, SYMBOLS
from engine.games.oregon.terms import BUILDING_NAMES, Kinds, Line, Token, Verb, read
from engine.reading import NEXT_SAID, read_actions
from engine.texts import read_text
from engine.vocabulary import THEN

NOTATION: Final = read_text("engine.games.oregon", "notation.txt")


def format_action(action: actions.Action) -> str:
    """The action as a line of notation; ``parse`` reads it back."""
    match action:
        case actions.PlaceStart(space):
            return f"start {space}"
        case actions.PlaceFarmer(space, cards, joker):
            return " ".join(("farmer", *cards, *(("joker",) if joker else ()), space))
        case actions.PlaceBuilding(space, building, cards, joker):
            return " ".join(("building", BUILDING_NAMES[building], *cards, *(("joker",) if joker else ()), space))
        case actions.UseExtraTurn():
            return "extra"
        case actions.DrawCard(deck):
            return f"draw {deck}"
        case actions.SetAside(building):
            return f"set aside {BUILDING_NAMES[building]}"
        case actions.Discard(symbols, buildings):
            return " ".join(("discard", *symbols, *(BUILDING_NAMES[building] for building in buildings)))
        case actions.Done():
            return "done"
        case actions.DealSymbol(to, symbol):
            return f"deal {symbol} to seat {to}"
        case actions.DealBuilding(to, building):
            return f"deal {BUILDING_NAMES[building]} to seat {to}"
        case actions.DealStartTile(to, building):
            return f"deal start {BUILDING_NAMES[building]} to seat {to}"
        case actions.DealCoal(to, value):
            return f"deal coal {value} to seat {to}"
        case actions.DealGold(to, value):
            return f"deal gold {value} to seat {to}"
        case _:
            assert_never(action)


def parse(line: str) -> tuple[actions.Action, ...]:
    """The actions on a line, legal or not, at least one. Raises ``NotationError``."""
    return read_actions(read(line), read_action, ACTIONS_SAID)


ACTIONS_SAID: Final = ("start", "farmer", "building", "extra", "draw", "set aside", "discard", "done")

_CARDS: Final[Kinds] = SYMBOLS | BUILDINGS
_FIRST: Final[Kinds] = frozenset((*Verb, Token.CARD)) | _CARDS | JOKER
_START: Final[Kinds] = frozenset((Verb.START,))
_CARD: Final[Kinds] = frozenset((Token.CARD,))
_BUILDING_CARD: Final[Kinds] = BUILDINGS | _CARD
_DEALS_SAID: Final = ("bison", "church", "start church", "coal 2", "gold 4")


def read_action(reader: Line) -> Iterable[actions.Action]:
    """Reads the action, or the several ones of a verb, that are next. Raises ``NotationError``."""
    if reader.here.kind == "word" and reader.letter_and_number() is None:
        if found := _glued_draws(reader) or _put_aside(reader):
            return _ended(reader, found)
        before = reader.at
        first = reader.take(_FIRST, ACTIONS_SAID)
        if isinstance(first, Verb):
            return _READERS[first](reader)
        if first is None:
            reader.fail_at_next(ACTIONS_SAID)
        reader.go_back(before)
    elif reader.at_number() and reader.pieces[reader.at + 1].kind != "word":
        reader.fail_at_next(ACTIONS_SAID)
    return _ended(reader, (phrases.read_play(reader, None),))


def _ended(reader: Line, found: Iterable[actions.Action]) -> Iterable[actions.Action]:
    """The actions, read without a verb: raises ``NotationError`` unless a stop is next."""
    before = reader.at
    reader.skip(Token.AND)
    if not reader.ended() or reader.here.kind == "end":
        reader.go_back(before)
    if not reader.ended():
        reader.fail_at_next(NEXT_SAID)
    return found


def _glued_draws(reader: Line) -> tuple[actions.DrawCard, ...]:
    """Takes "LLB", if it is next, without a verb: several letters, a landscape among them."""
    text = reader.here.text.lower()
    if text == "bb":
        reader.fail(f'"{reader.here.text}" could be more than one thing', ("draw B B", "bison bison C7"))
    if len(text) < 2 or "l" not in text:
        return ()
    return tuple(actions.DrawCard(deck) for deck in phrases.take_glued_decks(reader))


def _start(reader: Line) -> Iterable[actions.Action]:
    """ "start C7": the tile is known, so no building is named."""
    space = phrases.take_place(reader)
    if space is None and reader.next_is(*BUILDINGS) is not None:
        reader.fail("The start tile is named by its space alone", phrases.SPACE_SAID)
    if space is None:
        reader.fail("The start tile needs a space", phrases.SPACE_SAID)
    return (actions.PlaceStart(space),)


def _place(reader: Line) -> Iterable[actions.Action]:
    """ "place your start tile on C7", "put church aside", or a play."""
    before = reader.at
    if reader.skip(Verb.START) is not None:
        building_follows = reader.next_is(*BUILDINGS) is not None
        reader.go_back(before)
        if not (building_follows and reader.next_is(Token.TILE)):
            reader.skip(Verb.START)
            return _start(reader)
    return _put_aside(reader) or (phrases.read_play(reader, None),)


def _put_aside(reader: Line) -> tuple[actions.SetAside, ...]:
    """Takes "church aside", which may follow "put", if that is next, else gives ()."""
    if reader.next_is(*_BUILDING_CARD) is None:
        return ()
    named: list[actions.SetAside] = []
    before = reader.at
    while reader.next_is(Token.ASIDE) is None and phrases.joined(reader, len(named)):
        reader.skip(Token.CARD)
        if reader.next_is(*BUILDINGS) is None:
            break
        cards = phrases.take_cards(reader, BUILDINGS, phrases.BUILDINGS_SAID)
        named += [actions.SetAside(card) for card in cards if isinstance(card, Building)]
    if not named or reader.skip(Token.ASIDE) is None:
        reader.go_back(before)
        return ()
    reader.skip(Token.REPLACED)
    return tuple(named)


def _play(reader: Line) -> Iterable[actions.Action]:
    """ "play bison and wagon on C7"; the Italian rulebook plays an extra turn, too."""
    return _extra(reader) if reader.skip(Verb.EXTRA) is not None else (phrases.read_play(reader, None),)


def _use(reader: Line) -> Iterable[actions.Action]:
    """ "use your extra turn", or a play that begins with the joker."""
    if reader.skip(Verb.EXTRA) is not None:
        return _extra(reader)
    if reader.next_is(*JOKER) is None:
        reader.fail_at_next(("extra turn", "joker"))
    return (phrases.read_play(reader, None),)


def _extra(reader: Line) -> Iterable[actions.Action]:
    """ "extra", or with its play: "extra bison wagon C7"."""
    if reader.ended() or reader.next_is(Token.AND) is not None or reader.next_is_verb() is not None:
        return (actions.UseExtraTurn(),)
    return (actions.UseExtraTurn(), *_ended(reader, (phrases.read_play(reader, None),)))


def _draw(reader: Line) -> Iterable[actions.Action]:
    found: list[actions.Action] = []
    while (_then_a_deck(reader) or phrases.joined(reader, len(found), DECKS)) and (decks := phrases.take_decks(reader)):
        found.extend(actions.DrawCard(deck) for deck in decks)
    if not found:
        reader.fail("Say which deck to draw from", phrases.DECKS_SAID)
    return found


def _then_a_deck(reader: Line) -> bool:
    """Takes the "then" of "draw landscape then building": a deck alone continues the draws."""
    before = reader.at
    reader.skip(Token.AND)
    if reader.here.word not in THEN:
        reader.go_back(before)
        return False
    reader.at = after = reader.at + 1
    reader.take_count()
    deck = reader.skip(*DECKS)
    reader.skip(Token.CARD)
    continues = deck is not None and reader.ended()
    reader.go_back(after if continues else before)
    return continues


def _set_aside(reader: Line) -> Iterable[actions.Action]:
    found: list[actions.Action] = []
    while reader.skip(Token.REPLACED) is None and phrases.joined(reader, len(found)):
        cards = phrases.take_cards(reader, BUILDINGS, phrases.BUILDINGS_SAID)
        if not cards:
            break
        found.extend(actions.SetAside(card) for card in cards if isinstance(card, Building))
    if not found:
        reader.fail("Say which building card to set aside", phrases.BUILDINGS_SAID)
    return found


def _discard(reader: Line) -> Iterable[actions.Action]:
    """ "discard bison church". What the rulebooks call discarding a useless card is setting it
    aside, so a single building is discarded only "for another".
    """
    symbols: list[Symbol] = []
    buildings: list[Building] = []
    before, said = reader.at, (*phrases.SYMBOLS_SAID, *phrases.BUILDINGS_SAID)
    while reader.next_is(Token.REPLACED) is None and phrases.goes_on(reader, len(symbols) + len(buildings)):
        cards = phrases.take_cards(reader, _CARDS, said)
        if not cards:
            break
        symbols += [card for card in cards if isinstance(card, Symbol)]
        buildings += [card for card in cards if isinstance(card, Building)]
    if not symbols and not buildings:
        reader.fail("Say which two cards to discard", said)
    if len(buildings) == 1 and not symbols:
        if reader.skip(Token.REPLACED) is not None:
            return (actions.SetAside(buildings[0]),)
        name = BUILDING_NAMES[buildings[0]]
        readings = (f"set aside {name}", f"discard {name} and a second card")
        reader.fail("One building card is set aside, two cards are discarded", readings, before)
    return (actions.Discard(tuple(symbols), tuple(buildings)),)


def _deal(reader: Line) -> Iterable[actions.Action]:
    """Reads what chance deals to a seat. "coal" with a value is a token, else a mine."""
    dealt = reader.take(_START | _CARDS, _DEALS_SAID)
    tile = dealt is Verb.START
    card = reader.take(BUILDINGS, phrases.BUILDINGS_SAID) if tile else dealt
    before = reader.at
    value = reader.take_number()
    reader.skip(Token.TO)
    reader.skip(Token.SEAT)
    seat = reader.take_number()
    if seat is None:
        reader.fail("Say to which seat", ("to seat 0",))
    match card, tile, value:
        case Symbol(), False, None:
            return (actions.DealSymbol(seat, card),)
        case Building(), True, None:
            return (actions.DealStartTile(seat, card),)
        case Building(), False, None:
            return (actions.DealBuilding(seat, card),)
        case Building.COAL_MINE, False, int():
            return (actions.DealCoal(seat, value),)
        case Building.GOLD_MINE, False, int():
            return (actions.DealGold(seat, value),)
        case _:
            return reader.fail("That cannot be dealt", _DEALS_SAID, before)


_READERS: Final[dict[Verb, Callable[[Line], Iterable[actions.Action]]]] = {
    Verb.START: _start,
    Verb.FARMER: lambda reader: (phrases.read_play(reader, Verb.FARMER),),
    Verb.BUILDING: lambda reader: (phrases.read_play(reader, Verb.BUILDING),),
    Verb.PLACE: _place,
    Verb.PLAY: _play,
    Verb.EXTRA: _extra,
    Verb.NO_EXTRA: lambda reader: (),  # "no extra turn, draw landscape": what is not done is no action
    Verb.USE: _use,
    Verb.DRAW: _draw,
    Verb.SET_ASIDE: _set_aside,
    Verb.DISCARD: _discard,
    Verb.DONE: lambda reader: (actions.Done(),),
    Verb.DEAL: _deal,
}
