"""Reads the parts of actions in Oregon's notation: spaces, cards, decks, and whole plays."""

from __future__ import annotations

from typing import Final, NoReturn

from engine.games.oregon.actions import PlaceBuilding, PlaceFarmer
from engine.games.oregon.components import Building, Deck, Symbol
from engine.games.oregon.terms import BUILDING_NAMES, Kinds, Line, Meaning, Token, Verb
from engine.reading import NEXT_SAID
from engine.vocabulary import THEN

SYMBOLS: Final[Kinds] = frozenset(Symbol)
BUILDINGS: Final[Kinds] = frozenset(Building)
DECKS: Final[Kinds] = frozenset(Deck)
JOKER: Final[Kinds] = frozenset((Token.JOKER,))

SPACE_SAID: Final = ("a space such as C7",)
SYMBOLS_SAID: Final = tuple(symbol.value for symbol in Symbol)
BUILDINGS_SAID: Final = tuple(BUILDING_NAMES.values())
DECKS_SAID: Final = ("landscape", "building")

_OF: Final[Kinds] = frozenset((Token.OF,))
_CARD: Final[Kinds] = frozenset((Token.CARD,))
_OF_BUILDINGS: Final[Kinds] = frozenset((Token.CARD, Token.TILE))
_OF_JOKERS: Final[Kinds] = frozenset((Token.TOKEN,))
_LABELS: Final[Kinds] = frozenset((Token.CARD, Token.TILE, Token.TOKEN))
_COUNTED: Final[Kinds] = SYMBOLS | BUILDINGS | DECKS | JOKER | _LABELS
"""The nouns that may be counted."""
_FROM: Final[Kinds] = frozenset((Token.OF, Token.ON))
_OF_DECKS: Final[Kinds] = frozenset((Token.CARD, Token.DECK))
_IN_FULL: Final[Kinds] = SYMBOLS | BUILDINGS | JOKER | _CARD
_EAGLE: Final = "e"
_TIMES: Final = "X"
_LETTERS: Final = 2
"""A name written in full has more letters than this."""
_MOST_ALIKE: Final = 2
_MOST_DRAWN: Final = 9


def goes_on(reader: Line, named: int, own_verbs: Kinds = frozenset()) -> bool:
    """Whether a further part of the action may follow; takes an "and" before it, but not one that
    joins two actions. ``named`` cards were named so far; ``own_verbs`` do not begin another one.

    "e" is an eagle or, in Italian, "and": between two cards that are written in full, and before a
    verb if two cards are there without it.
    """
    if reader.ended():
        return False
    if not named or reader.next_is(Token.AND) is None:
        return True
    before, eagle = reader.at, reader.here.word == _EAGLE
    reader.skip(Token.AND)
    verb = reader.next_is_verb()
    further = not reader.ended() and (verb is None or verb in own_verbs)
    if eagle and not (_is_and_by_names(reader, before) if further and verb is None else _is_and_by_verb(reader, named)):
        reader.go_back(before)
        return True
    if not further:
        reader.go_back(before)
    return further


def joined(reader: Line, named: int, kinds: Kinds = frozenset()) -> bool:
    """As ``goes_on``, where "e" is "and"; a word in ``kinds``, even a verb, belongs here."""
    if reader.ended():
        return False
    if named and reader.next_is(Token.AND) is not None:
        before = reader.at
        reader.skip(Token.AND)
        if reader.ended() or (reader.next_is_verb() is not None and reader.next_is(*kinds) is None):
            reader.go_back(before)
            return False
    return True


def take_place(reader: Line) -> str | None:
    """Takes a space, if one is next, with or without "on" and "space" before it."""
    before = reader.at
    led = reader.skip(Token.ON), reader.skip(Token.SPACE)
    found = reader.letter_and_number()
    space = None if found is not None and found[0] == _TIMES else reader.take_space()
    if space is None and led != (None, None):
        reader.fail_at_next(SPACE_SAID)
    if space is None:
        reader.go_back(before)
    return space


def take_cards(reader: Line, kinds: Kinds, said: tuple[str, ...]) -> list[Meaning]:
    """Takes cards of one name, if some are next: "bison", "with the bison card", "two wagon cards",
    "wagon x2"; the joker and tiles are named in the same ways. Returns [] where the action ends.
    """
    led = reader.skip(Token.WITH)
    before = reader.at
    count = reader.take_count_before()
    labels = [label for label in _LABELS if reader.next_is(label) is not None]
    if labels:
        reader.skip(*labels[:1])
    if labels or count is not None:
        reader.skip(Token.OF)
    card = reader.take(kinds, said)
    if card is None:
        if count is not None and reader.ended():
            reader.go_back(before)
        if led or labels or count is not None:
            reader.fail_at_next(said)
        return []
    noun = reader.at - 1
    if not labels:
        reader.skip(*(_OF_BUILDINGS if isinstance(card, Building) else _OF_JOKERS if card is Token.JOKER else _CARD))
    elif Token.CARD not in labels and (Token.TILE if isinstance(card, Building) else Token.TOKEN) not in labels:
        reader.go_back(before)
        reader.fail_at_next(said)
    behind = reader.take_count_behind(count is not None, _COUNTED)
    count = behind if count is None else count
    reader.check_counted(count, noun)
    if count is not None and not 1 <= count <= _MOST_ALIKE:
        reader.fail("One or two cards of a kind can be named", said, before)
    return [card] * (1 if count is None else count)


def take_decks(reader: Line) -> list[Deck]:
    """Takes draws from one deck, if some are next, or glued ones: "landscape", "two building
    cards", "2 from the landscape deck", "LLB", "2L". Returns [] where the action ends.
    """
    if decks := take_glued_decks(reader):
        return decks
    before, count = reader.at, reader.take_count_before()
    led = [reader.skip(*kinds) for kinds in (_CARD, _FROM, _OF_DECKS, _OF)]
    deck = reader.take(DECKS, DECKS_SAID)
    if not isinstance(deck, Deck):
        if count is not None or any(led):
            reader.fail("Say which deck to draw from", DECKS_SAID, before if reader.ended() else None)
        return []
    nouns = [reader.at - 1]
    if reader.skip(Token.CARD, Token.DECK) is Token.CARD:
        nouns.append(reader.at - 1)
    behind = reader.take_count_behind(count is not None, _COUNTED)
    count = behind if count is None else count
    for noun in nouns:
        reader.check_counted(count, noun)
    return [deck] * (1 if count is None else _checked(reader, count, before))


def take_glued_decks(reader: Line) -> list[Deck]:
    """Takes the decks of a piece such as "LLB", "2L" or "L2", if one is next, else gives []."""
    text = reader.here.text.lower()
    letters, digits = text.strip("0123456789"), text.strip("lb")
    if not letters or set(letters) - {"l", "b"} or len(text) > _MOST_DRAWN:
        return []
    if text != letters and (len(letters) != 1 or digits not in map(str, range(1, _MOST_DRAWN + 1))):
        return []
    at = reader.at
    reader.take_piece("decks")
    behind = reader.take_count_behind(len(text) > 1, _COUNTED)
    decks = [Deck.LANDSCAPE if letter == "l" else Deck.BUILDING for letter in letters]
    return decks * _checked(reader, int(digits or 1) if behind is None else behind, at)


def _checked(reader: Line, count: int, at: int) -> int:
    if not 1 <= count <= _MOST_DRAWN:
        reader.fail(f"Draw 1 to {_MOST_DRAWN} cards from a deck", DECKS_SAID, at)
    return count


def _is_and_by_names(reader: Line, at: int) -> bool:
    """Whether the "e" with the index ``at`` is between two cards that are written in full."""
    before = reader.at
    reader.take_count_before()
    names = reader.pieces[at - 1], reader.here
    found = all(len(piece.word) > _LETTERS for piece in names) and reader.next_is(*_IN_FULL) is not None
    reader.go_back(before)
    return found


def _is_and_by_verb(reader: Line, named: int) -> bool:
    """Whether the "e" before the next piece, a verb, a stop or the end, is "and"."""
    return named > 1 and (not reader.ended() or reader.here.word in THEN)


_PIECES: Final[Kinds] = frozenset((Verb.FARMER, Verb.BUILDING))
_PIECE_OR_PLACE: Final[Kinds] = _PIECES | {Verb.PLACE}
_BUILDING_OR_PLACE: Final[Kinds] = frozenset((Verb.BUILDING, Verb.PLACE))
_OF_FARMERS: Final[Kinds] = SYMBOLS | JOKER
_OF_PLAYS: Final[Kinds] = _OF_FARMERS | BUILDINGS
_NOTHING: Final[Kinds] = frozenset()
_CARDS_OF_A_PLAY: Final = 2


def read_play(reader: Line, piece: Verb | None) -> PlaceFarmer | PlaceBuilding:
    """Reads a farmer or a building: cards, joker and space in any order. Raises ``NotationError``.

    ``piece`` is the verb that began the line. Without, one may follow ("bison and wagon for a
    farmer on C7") as long as the play is not complete; else the cards tell.
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
    """The verbs that may still say which piece is placed."""
    if piece is not None or (space is not None and len(cards) >= _CARDS_OF_A_PLAY):
        return _NOTHING
    return _BUILDING_OR_PLACE if any(isinstance(card, Building) for card in cards) else _PIECE_OR_PLACE


def _take_piece(reader: Line, kinds: Kinds) -> Verb | None:
    """Takes "a farmer" or "a building", with or without "place", "for" or "one" before it."""
    before = reader.at
    reader.skip(Verb.PLACE, Token.FOR)
    count = reader.take_number()
    found = reader.skip(*(kinds & _PIECES))
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
