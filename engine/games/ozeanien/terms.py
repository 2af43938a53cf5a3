"""The terms of Ozeanien in three languages, the vocabulary made of them, words for sides."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Final, TypeAlias

from engine.games.ozeanien.tiles import Kind, Side
from engine.reading import Reader, Spaces
from engine.vocabulary import AND, THEN, Term, vocabulary, words_of

Verb = Enum("Verb", "SHIP TAKE PLACE EXPLORER SKIP NO_EXPLORER DRAW")
"""The first words of actions; ``NO_EXPLORER`` does what ``SKIP`` does."""
Token = Enum(
    "Token",
    "TILE SPACE CIRCLE ROW COLUMN EDGE LAND NO_LAND ALL DISCARDED VALUE THERE NO TURNED AND WITH FOR FROM ON EN OF",
)
"""The words that name pieces, places and their parts within an action, and the small words."""


Meaning: TypeAlias = Verb | Token | Side | Kind

SHIP_NAMES: Final = ("ship", "boat", "navire", "bateau", "nave")
"""What the ship itself is called, beside the verbs that move it."""

TERMS: Final[Mapping[Meaning, Term]] = {
    Verb.SHIP: Term(
        "ship, ships, sail, sails, sail ship, ship sails, sailing, boat, start, starts, explore, explores",
        "navire, bateau, naviguer, navigue, naviguez, partir, pars, partez, explore, explorez, démarrer, démarre",
        "nave, salpare, salpa, salpate, salpo, navigare, naviga, navigate, navigo, partire, parti, partite, parte,"
        " parto, esplorare, esplora, esplorate, esploro",
    ),
    Verb.TAKE: Term(
        "take, takes, use, uses, reuse, reuses",
        "prendre, prends, prend, prenez, utiliser, utilise, utilisez, reprendre, reprends, reprend",
        "prendere, prendi, prende, prendete, prendo, usare, usa, usate, uso, utilizzare, utilizza, utilizzo,"
        " riprendere, riprendi, riprende, riprendo",
    ),
    Verb.PLACE: Term(
        "place, places, put, puts, lay, lays",
        "placer, place, placez, poser, pose, posez, mettre, mets, met, mettez",
        "piazzare, piazza, piazzate, piazzo, posare, posa, posate, poso, mettere, metti, mette, mettete, metto,"
        " collocare, colloca, colloco",
    ),
    Verb.EXPLORER: Term(
        "explorer, explorers, scout, pawn",
        "explorateur, explorateurs, jeton, jeton explorateur, pion, pion explorateur",
        "esploratore, esploratori, pedina",
    ),
    Verb.SKIP: Term(
        "skip, skips, skip explorer, pass, passes, done, end, end turn, finish, finished, that's it, that's all",
        "passer, passe, passez, fin, fini, finir, finis, fin du tour, terminer, termine, terminé, c'est tout",
        "saltare, salta, saltate, passare, passa, passate, passo, salto, fine, finito, ho finito, finire, finisci,"
        " finisco, fine del turno",
    ),
    Verb.NO_EXPLORER: Term(
        "no explorer, no explorers, without explorer, with no explorer, none, nobody, nothing, no thanks, no thank you",
        "pas d'explorateur, aucun explorateur, sans explorateur, rien, personne, non merci",
        "nessun esploratore, nessuno, senza esploratore, niente, no grazie",
    ),
    Verb.DRAW: Term("draw, draws", "piocher, pioche, piochez, tirer, tire, tirez", "pescare, pesca, pescate, pesco"),
    Side.NORTH: Term("north, northern, n, top, up, above", "nord, haut, en haut", "nord, alto, in alto, sopra"),
    Side.EAST: Term("east, eastern, e, right", "est, droite", "est, destra"),
    Side.SOUTH: Term("south, southern, s, bottom, below", "sud, bas, en bas", "sud, basso, in basso, sotto"),
    Side.WEST: Term("west, western, w, left", "ouest, o, gauche", "ovest, sinistra"),
    Kind.SEA: Term("sea, open sea, ocean", "mer, pleine mer", "mare, mare aperto"),
    Kind.CAPE: Term("cape", "cap", "capo"),
    Kind.COAST: Term("coast", "côte", "costa"),
    Kind.STRAIT: Term("strait", "détroit", "stretto"),
    Kind.BAY: Term("bay", "baie", "baia"),
    Kind.INLAND: Term("inland", "intérieur", "entroterra, interno"),
    Token.TILE: Term("tile, tile just placed", "tuile", "tessera"),
    Token.SPACE: Term("space, field", "case, espace", "casella, spazio"),
    Token.CIRCLE: Term("circle", "cercle", "cerchio"),
    Token.ROW: Term("row", "rang, rangée, ligne", "riga, fila"),
    Token.COLUMN: Term("column", "colonne", "colonna"),
    Token.EDGE: Term("edge, edges, side, sides, part", "côté, côtés, bord, bords", "lato, lati, bordo, bordi"),
    Token.LAND: Term("land", "terre, terrain", "terra"),
    Token.NO_LAND: Term("no land, without land", "sans terre, pas de terre", "senza terra, nessuna terra"),
    Token.ALL: Term("all, all four", "tous, toutes", "tutti, tutte"),
    Token.DISCARDED: Term("discarded", "défaussée, défausse", "scartata"),
    Token.VALUE: Term("value", "valeur", "valore"),
    Token.THERE: Term("there, here, on it", "dessus, ici", "qui, lì"),
    Token.NO: Term("no", "non"),
    Token.TURNED: Term(
        "turned, rotated, rotate, rotation, clockwise",
        "tournée, tourne, tourner, pivotée, pivote, pivoter",
        "girata, gira, girare, ruotata, ruota, ruotare",
    ),
    Token.AND: Term("and", "et", "e, ed"),
    Token.WITH: Term("with, using", "avec, en utilisant", "con, usando"),
    Token.FOR: Term(
        "for, giving, giving up, gives up, paying, paying with, pays, against",
        "pour, contre, en cédant, en payant",
        "per, contro, cedendo, pagando",
    ),
    Token.FROM: Term("from", "depuis", "da, dal, dalla"),
    Token.ON: Term(
        "on, onto, in, into, at, to, toward, towards, before",
        "sur, dans, au, aux, vers, devant",
        "su, sul, sulla, in, nel, nella, al, alla, verso, davanti",
    ),
    Token.EN: Term("en"),
    Token.OF: Term("of", "de, du, des", "di, del, della, dei"),
}
"""The terms by meaning. The rulebook names the actions, the ship, the tiles and the explorers; the
kinds of tiles have the names of these rules.
"""


Line: TypeAlias = Reader[Meaning]
"""A line that is being read."""
Kinds: TypeAlias = frozenset[Meaning]
"""The meanings that a word may have."""

WORDS: Final = vocabulary(TERMS, verbs=tuple(Verb), in_full=(Verb.DRAW, Verb.NO_EXPLORER, *Side, *Token))
"""The vocabulary. The names of actions of seats and of kinds of tiles may be abbreviated."""
LINKS: Final[frozenset[Meaning]] = frozenset(
    (
        *(Verb.TAKE, Verb.PLACE, Verb.EXPLORER),
        *(Token.TILE, Token.SPACE, Token.CIRCLE, Token.ROW, Token.COLUMN, Token.EDGE, Token.LAND, Token.NO_LAND),
        *(Token.DISCARDED, Token.VALUE, Token.THERE),
        *(Token.AND, Token.WITH, Token.FOR, Token.FROM, Token.ON, Token.EN, Token.OF),
        *Kind,
    )
)
"""The words that may be there or not without a difference, where the grammar has them: small words,
labels ("row", "tile", "explorer", the "place" of "place explorer 2"), and the kind of a tile, which
has to agree with its land.
"""
SPACES: Final = Spaces("No board has a space", columns=7, rows=7, example="C4")
SIDES: Final[Kinds] = frozenset(Side)
KINDS: Final[Kinds] = frozenset(Kind)

_LETTERS: Final = {"n": Side.NORTH, "e": Side.EAST, "s": Side.SOUTH, "w": Side.WEST}
_FRENCH: Final = frozenset(["so", "eo", "neo", "nso", "eso", "neso"])
"""Letters with O for "ouest" and "ovest", clockwise; other orders, and "no", mean other things."""
_ITALIAN_SIDES: Final = frozenset(["nord", "est", "sud", "ovest"])
_ITALIAN: Final = frozenset(
    ["poi", "quindi"] + [word for term in TERMS.values() for word in words_of(term.italian.replace(",", " "))]
)


def read(line: str) -> Line:
    """A reader of the line. Raises ``NotationError`` at a character that belongs to no word."""
    return Reader(line, WORDS, SPACES)


def next_word(reader: Line) -> str:
    """The next word, folded; "" if none is next."""
    return reader.here.word if reader.here.kind == "word" else ""


def check_known(reader: Line, kinds: Kinds, said: tuple[str, ...]) -> None:
    """Raises ``NotationError``, with what is close among ``kinds``, at a word without a meaning."""
    word = next_word(reader)
    if word and (word,) not in WORDS.meanings and not directions(word) and word not in AND | THEN:
        reader.take(kinds, said)


def directions(word: str) -> tuple[Side, ...]:
    """The sides that a word names ("east", "NE", "northeast"); none for any other word."""
    for meaning in WORDS.meanings.get((word,), ()):
        if isinstance(meaning, Side):
            return (meaning,)
    if word in _FRENCH:
        return tuple(_LETTERS["w" if letter == "o" else letter] for letter in word)
    if word and len(set(word)) == len(word) and set(word) <= _LETTERS.keys():
        return tuple(_LETTERS[letter] for letter in word)
    for name in ("north", "south", "nord", "sud"):
        rest = directions(word.removeprefix(name)) if word.startswith(name) else ()
        if len(rest) == 1 and rest[0] in (Side.EAST, Side.WEST):
            return (Side.NORTH if name.startswith("n") else Side.SOUTH, *rest)
    return ()


def in_letters(word: str) -> bool:
    """Whether the word names sides by letters ("e", "ne")."""
    return bool(word) and set(word) <= set("nesow")


def is_written_out(word: str) -> bool:
    """Whether the word names sides by more than letters ("east", "northeast")."""
    return bool(directions(word)) and not in_letters(word)


def is_italian_side(word: str) -> bool:
    """Whether the word is a side's Italian name, written out."""
    return word in _ITALIAN_SIDES


def is_italian(word: str) -> bool:
    """Whether the word is one of the Italian terms, or of the words for "then"."""
    return word in _ITALIAN
