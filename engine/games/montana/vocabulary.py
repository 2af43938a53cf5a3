"""The vocabulary of Montana's notation: English words, letters and colours, and the French names of
the rulebook.
"""

from __future__ import annotations

from enum import Enum
from typing import Final, TypeAlias

from engine.games.montana.components import Area
from engine.reading import Reader, Spaces, vocabulary


class Verb(Enum):
    """The first words of actions."""

    RECRUIT = "recruit"
    MOVE = "move"
    CHOOSE = "choose"
    RETURN = "return"
    BANK = "bank"
    HARVEST = "harvest"
    AGAIN = "again"
    TOWN = "town"
    PASS = "pass"
    TAKE = "take"
    UPGRADE = "upgrade"
    BUILD = "build"
    TRADE = "trade"
    CANTEEN = "canteen"
    END = "end"
    LAY = "lay"
    SPIN = "spin"


class Thing(Enum):
    """A good or the worker that harvests it; the action determines which of the two is meant."""

    WHEAT = "wheat"
    PUMPKIN = "pumpkin"
    COPPER = "copper"
    STONE = "stone"


class Token(Enum):
    """Other words with a meaning."""

    LARGE = "large"
    SMALL = "small"
    WORKER = "worker"
    COINS = "coins"
    NOTHING = "nothing"
    START = "start"
    TILE = "tile"
    TURNED = "turned"


Meaning: TypeAlias = Verb | Thing | Token | Area
Line: TypeAlias = Reader[Meaning]
"""A line that is being read."""
Kinds: TypeAlias = frozenset[Meaning]
"""A set of meanings that are accepted at a position."""

# The words and phrases for each meaning. The first one is suggested in errors and may be
# abbreviated.
_SAID: Final[dict[Meaning, str]] = {
    Verb.RECRUIT: "recruit, recruter, hire",
    Verb.MOVE: "move, move arrow, move the arrow, arrow, avancer",
    Verb.CHOOSE: "choose, choisir",
    Verb.RETURN: "return, give back, dismiss, rendre",
    Verb.BANK: "bank, use bank, banque",
    Verb.HARVEST: "harvest, recolter",
    Verb.AGAIN: "again, harvest again, small box, encore",
    Verb.TOWN: "town, shop, go to town, ville, boutique",
    Verb.PASS: "pass, passer",
    Verb.TAKE: "take, prendre",
    Verb.UPGRADE: "upgrade, exchange, echanger",
    Verb.BUILD: "build, settle, construire",
    Verb.TRADE: "trade, sell, vendre",
    Verb.CANTEEN: "canteen, use canteen, gourde",
    Verb.END: "end, end turn, done, finish, fin",
    Verb.LAY: "lay",
    Verb.SPIN: "spin",
    Thing.WHEAT: "wheat, w, beige, ble",
    Thing.PUMPKIN: "pumpkin, p, pumpkins, orange, courge, courges",
    Thing.COPPER: "copper, c, brown, cuivre, cuivres, marron",
    Thing.STONE: "stone, s, stones, grey, gray, pierre, pierres, gris",
    Token.LARGE: "large, big, grand, grande",
    Token.SMALL: "small, little, petit, petite",
    Token.WORKER: "worker, workers, ouvrier, ouvriers",
    Token.COINS: "coins, coin, money, pieces",
    Token.NOTHING: "nothing, none, rien",
    Token.START: "start, start tile",
    Token.TILE: "tile",
    Token.TURNED: "turned",
    Area.MINE: "mine, copper mine",
    Area.QUARRY: "quarry, stone quarry, carriere",
    Area.FIELD: "field, wheat field, champ, champ de ble",
    Area.GARDEN: "garden, pumpkin garden, potager",
}

_PASSED_OVER: Final = """
a an and as at box by cow column col cows de et for from good goods hex pay i in into la le les my
of on onto one place please pour representative row slot space the to turn un une up use using vache
via with
"""
_CHANCE: Final = (Verb.LAY, Verb.SPIN, Token.START, Token.TILE, Token.TURNED)
"""The meanings used in actions of chance, whose names may not be abbreviated."""
WORDS: Final = vocabulary(_SAID, verbs=tuple(Verb), fillers=_PASSED_OVER, then="then puis", in_full=_CHANCE)
_SPACES: Final = Spaces("No board has a hex", columns=16, rows=16, example="C5")


def read(line: str) -> Line:
    """A reader of the line with this vocabulary.

    Raises ``NotationError`` at a character that belongs to no word.
    """
    return Reader(line, WORDS, _SPACES)
