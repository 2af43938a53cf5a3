"""The vocabulary of Oregon's notation: English words, letters and codes, and the French and Italian
names of the rulebooks.
"""

from __future__ import annotations

from enum import Enum
from typing import Final, TypeAlias

from engine.games.oregon.components import Building, Deck, Symbol
from engine.reading import Reader, Spaces, vocabulary


class Verb(Enum):
    """The first words of actions.

    It is no ``StrEnum``, so that the verb "building" is not equal to the deck of that name.
    """

    START = "start"
    FARMER = "farmer"
    BUILDING = "building"
    EXTRA = "extra"
    DRAW = "draw"
    SET_ASIDE = "set aside"
    DISCARD = "discard"
    DONE = "done"
    DEAL = "deal"


class Token(Enum):
    """Other words with a meaning."""

    JOKER = "joker"
    SEAT = "seat"


Meaning: TypeAlias = Verb | Token | Symbol | Building | Deck
Line: TypeAlias = Reader[Meaning]
"""A line that is being read."""
Kinds: TypeAlias = frozenset[Meaning]
"""A set of meanings that are accepted at a position."""

BUILDING_NAMES: Final = {building: building.value.replace("_", " ") for building in Building}
BUILDING_CODES: Final = {
    Building.POST_OFFICE: "PO",
    Building.HARBOUR: "HB",
    Building.CHURCH: "CH",
    Building.COAL_MINE: "CM",
    Building.GOLD_MINE: "GM",
    Building.WAREHOUSE: "WH",
    Building.STATION: "ST",
}

# The words and phrases for each meaning. The first one is suggested in errors and may be
# abbreviated.
_SAID: Final[dict[Meaning, str]] = {
    Verb.START: "start, start tile, tile, tuile, tessera",
    Verb.FARMER: "farmer, farm, rancher, meeple, fermier, allevatore",
    Verb.BUILDING: "building, build, batiment, edificio",
    Verb.EXTRA: "extra, extra turn, second turn, tour supplementaire, turno extra",
    Verb.DRAW: "draw, take, piocher, pioche, pescare, pesca",
    Verb.SET_ASIDE: "set aside, setaside, aside, put aside, lay aside",
    Verb.DISCARD: "discard, throw away, defausser, defausse, scartare, scarta",
    Verb.DONE: "done, end, end turn, finish, finished, fin, fine",
    Verb.DEAL: "deal",
    Token.JOKER: "joker, j, wild, jolly",
    Token.SEAT: "seat",
    Symbol.WAGON: "wagon, w, wagons, covered wagon, waggon, chariot, carro",
    Symbol.BISON: "bison, b, bisons, buffalo, bisonte",
    Symbol.SETTLER: "settler, s, settlers, pioneer, pionnier, colono, coloni",
    Symbol.EAGLE: "eagle, e, eagles, aigle, aquila",
    Symbol.CAMPFIRE: "campfire, c, campfires, camp fire, fire, feu de camp, feux de camp, falo",
    Building.POST_OFFICE: "post office, po, post, postoffice, bureau de poste, poste, ufficio postale",
    Building.HARBOUR: "harbour, hb, harbor, port, porto",
    Building.CHURCH: "church, ch, eglise, chiesa",
    Building.COAL_MINE: "coal mine, cm, coal, coalmine, coal pit, coalpit, mine de charbon, miniera di carbone",
    Building.GOLD_MINE: "gold mine, gm, gold, goldmine, gold pit, mine d or, miniera d oro",
    Building.WAREHOUSE: "warehouse, wh, store, storehouse, entrepot, emporio",
    Building.STATION: (
        "station, st, train station, railway station, railroad station, depot, gare, stazione, stazione ferroviaria"
    ),
    Deck.LANDSCAPE: "landscape, l, landscapes, paysage, paesaggio",
    Deck.BUILDING: "building, b, buildings, batiment, edificio",
}

_PASSED_OVER: Final = """
a an and as at away by card cards col column for from i in into my of on onto one place play please
put row space symbol the to token turn using via with
"""
WORDS: Final = vocabulary(
    _SAID, verbs=tuple(Verb), fillers=_PASSED_OVER, then="then puis poi", in_full=(Verb.DEAL, Token.SEAT)
)
"""The vocabulary; the names of meanings used in actions of chance may not be abbreviated."""
_SPACES: Final = Spaces("The board has no space", columns=15, rows=10, example="C7")


def read(line: str) -> Line:
    """A reader of the line with this vocabulary.

    Raises ``NotationError`` at a character that belongs to no word.
    """
    return Reader(line, WORDS, _SPACES)
