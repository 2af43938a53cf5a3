"""Reads the phrases that actions of Oregon's notation share: a space, counted cards, "and"."""

from __future__ import annotations

from typing import Final

from engine.games.oregon.components import Building, Deck, Symbol
from engine.games.oregon.terms import Count, Meaning, Token
from engine.games.oregon.vocabulary import BUILDING_NAMES, Kinds, Line
from engine.vocabulary import THEN

SYMBOLS: Final[Kinds] = frozenset(Symbol)
BUILDINGS: Final[Kinds] = frozenset(Building)
DECKS: Final[Kinds] = frozenset(Deck)
JOKER: Final[Kinds] = frozenset((Token.JOKER,))

SPACE_SAID: Final = ("a space such as C7",)
SYMBOLS_SAID: Final = tuple(symbol.value for symbol in Symbol)
BUILDINGS_SAID: Final = tuple(BUILDING_NAMES.values())
DECKS_SAID: Final = ("landscape", "building")

_AND: Final[Kinds] = frozenset((Token.AND,))
_WITH: Final[Kinds] = frozenset((Token.WITH,))
_ON: Final[Kinds] = frozenset((Token.ON,))
_OF: Final[Kinds] = frozenset((Token.OF,))
_SPACE: Final[Kinds] = frozenset((Token.SPACE,))
_CARD: Final[Kinds] = frozenset((Token.CARD,))
_COUNTS: Final[Kinds] = frozenset(Count)
_OF_BUILDINGS: Final[Kinds] = frozenset((Token.CARD, Token.TILE))
_OF_JOKERS: Final[Kinds] = frozenset((Token.TOKEN,))
_LABELS: Final[Kinds] = frozenset((Token.CARD, Token.TILE, Token.TOKEN))
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
    joins two actions. ``named`` cards were named so far; the verbs in ``own_verbs`` belong to this
    action instead of beginning the next one.

    The letter "e" is an eagle or, in Italian, "and". It is "and" between two cards that are written
    in full, and before a verb if two cards are there without it.
    """
    if reader.ended():
        return False
    if not named or reader.next_is(_AND) is None:
        return True
    before, eagle = reader.at, reader.here.word == _EAGLE
    reader.skip(_AND)
    verb = reader.next_is_verb()
    further = not reader.ended() and (verb is None or verb in own_verbs)
    if eagle and not (_is_and_by_names(reader, before) if further and verb is None else _is_and_by_verb(reader, named)):
        reader.go_back(before)
        return True
    if not further:
        reader.go_back(before)
    return further


def joined(reader: Line, named: int, kinds: Kinds = frozenset()) -> bool:
    """As ``goes_on``, where no card is an eagle: "e" is "and". A word in ``kinds`` belongs to this
    action, even if it is a verb, too.
    """
    if reader.ended():
        return False
    if named and reader.next_is(_AND) is not None:
        before = reader.at
        reader.skip(_AND)
        if reader.ended() or (reader.next_is_verb() is not None and reader.next_is(kinds) is None):
            reader.go_back(before)
            return False
    return True


def take_place(reader: Line) -> str | None:
    """Takes a space, if one is next, with or without "on" and "space" before it."""
    before = reader.at
    led = reader.skip(_ON), reader.skip(_SPACE)
    found = reader.letter_and_number()
    space = None if found is not None and found[0] == _TIMES else reader.take_space()
    if space is None and led != (None, None):
        reader.fail_at_next(SPACE_SAID)
    if space is None:
        reader.go_back(before)
    return space


def take_cards(reader: Line, kinds: Kinds, said: tuple[str, ...]) -> list[Meaning]:
    """Takes cards of one name, if some are next: "bison", "with the bison card", "two wagon cards",
    "wagon x2"; the joker and tiles are named in the same ways. Gives [] where the action ends.
    """
    led = reader.skip(_WITH)
    before = reader.at
    count = take_count(reader)
    label = reader.skip(_LABELS)
    if label or count is not None:
        reader.skip(_OF)
    card = reader.take(kinds, said)
    if card is None:
        if count is not None and reader.ended():
            reader.go_back(before)
        if led or label or count is not None:
            reader.fail_at_next(said)
        return []
    if label is None:
        reader.skip(_OF_BUILDINGS if isinstance(card, Building) else _OF_JOKERS if card is Token.JOKER else _CARD)
    elif label is not Token.CARD and label is not (Token.TILE if isinstance(card, Building) else Token.TOKEN):
        reader.go_back(before)
        reader.fail_at_next(said)
    if count is None:
        count = reader.take_times()
    if count is not None and not 1 <= count <= _MOST_ALIKE:
        reader.fail("One or two cards of a kind can be named", said, before)
    return [card] * (count or 1)


def take_count(reader: Line) -> int | None:
    """Takes a number, if one is next: "2", "two", "2x"."""
    word = reader.skip(_COUNTS)
    if isinstance(word, Count):
        return int(word.value)
    times = reader.take_times()
    return reader.take_number() if times is None else times


def take_decks(reader: Line) -> list[Deck]:
    """Takes draws from one deck, if some are next, or glued ones: "landscape", "two building
    cards", "2 from the landscape deck", "LLB", "2L". Gives [] where the action ends.
    """
    if decks := take_glued_decks(reader):
        return decks
    before, count = reader.at, take_count(reader)
    led = [reader.skip(kinds) for kinds in (_CARD, _FROM, _OF_DECKS, _OF)]
    deck = reader.take(DECKS, DECKS_SAID)
    if not isinstance(deck, Deck):
        if count is not None or any(led):
            reader.fail("Say which deck to draw from", DECKS_SAID, before if reader.ended() else None)
        return []
    reader.skip(_OF_DECKS)
    if count is None:
        count = reader.take_times()
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
    _check_count_after_letter(reader, at)
    decks = [Deck.LANDSCAPE if letter == "l" else Deck.BUILDING for letter in letters]
    times = reader.take_times() if len(text) == 1 else None
    return decks * _checked(reader, int(digits or 1) if times is None else times, at)


def _checked(reader: Line, count: int, at: int) -> int:
    if not 1 <= count <= _MOST_DRAWN:
        reader.fail(f"Draw 1 to {_MOST_DRAWN} cards from a deck", DECKS_SAID, at)
    return count


def _check_count_after_letter(reader: Line, at: int) -> None:
    """Refuses "L 2 B", which may be "L2 B" or "L 2B"; raises ``NotationError``."""
    letter, number, after = reader.pieces[at], reader.here, reader.pieces[min(reader.at + 1, len(reader.pieces) - 1)]
    glued = not reader.line[letter.column + len(letter.text) : number.column].strip()
    if len(letter.text) == 1 and number.kind == "number" and number.text != "1" and glued and after.kind == "word":
        one, many = letter.text.upper(), number.text
        other = after.text[:1].upper()
        reader.fail(
            f'"{letter.text} {number.text}" could be more than one thing',
            (f"{one}{many} {other}", f"{one} {many}{other}"),
            at,
        )


def _is_and_by_names(reader: Line, at: int) -> bool:
    """Whether the "e" with the index ``at`` is between two cards that are written in full."""
    names = reader.pieces[at - 1], reader.here
    return all(len(piece.word) > _LETTERS for piece in names) and reader.next_is(_IN_FULL) is not None


def _is_and_by_verb(reader: Line, named: int) -> bool:
    """Whether the "e" before the next piece, a verb, a stop or the end, is "and"."""
    return named > 1 and (not reader.ended() or reader.here.word in THEN)
