"""The words of Montana's notation: English, letters and colours, and the French names of the rulebook."""

from __future__ import annotations

import unicodedata
from enum import Enum
from typing import Final, TypeAlias

from engine.games.montana.components import Area


class Verb(Enum):
    """What an action begins with."""

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
    """What is harvested, and the worker called after it; which of the two is meant, the action tells."""

    WHEAT = "wheat"
    PUMPKIN = "pumpkin"
    COPPER = "copper"
    STONE = "stone"


class Token(Enum):
    """Further words with a meaning of their own."""

    LARGE = "large"
    SMALL = "small"
    WORKER = "worker"
    COINS = "coins"
    NOTHING = "nothing"
    START = "start"
    TILE = "tile"
    TURNED = "turned"


Meaning: TypeAlias = Verb | Thing | Token | Area
Phrase: TypeAlias = tuple[str, ...]

# For each meaning the whole words and phrases that stand for it; the first one is what is suggested, and what prefixes are taken from.
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

PHRASES: Final[dict[Meaning, tuple[Phrase, ...]]] = {meaning: tuple(tuple(phrase.split()) for phrase in said.split(", ")) for meaning, said in _SAID.items()}
LONGEST_PHRASE: Final = max(len(phrase) for phrases in PHRASES.values() for phrase in phrases)
THEN: Final = frozenset(("then", "puis"))
_PASSED_OVER = """
a an and as at box by cow column col cows de et for from good goods hex pay i in into la le les my of on onto one place please
pour representative row slot space the to turn un une up use using vache via with
"""
FILLERS: Final = frozenset(_PASSED_OVER.split())
_NEVER_SHORT: Final = frozenset((Verb.LAY, Verb.SPIN, Token.START, Token.TILE, Token.TURNED))


def _by_phrase() -> dict[Phrase, tuple[Meaning, ...]]:
    found: dict[Phrase, tuple[Meaning, ...]] = {}
    for meaning, phrases in PHRASES.items():
        for phrase in phrases:
            found[phrase] = (*found.get(phrase, ()), meaning)
    return found


MEANINGS: Final = _by_phrase()


def beginning(word: str) -> tuple[Meaning, ...]:
    """The meanings whose main word begins with this one, chance's words excepted."""
    return tuple(meaning for meaning, phrases in PHRASES.items() if phrases[0][0].startswith(word) and meaning not in _NEVER_SHORT)


def main_word(meaning: Meaning) -> str:
    """The word that is suggested for a meaning."""
    return " ".join(PHRASES[meaning][0])


def folded(word: str) -> str:
    """The word without case and accents."""
    return "".join(letter for letter in unicodedata.normalize("NFKD", word.casefold()) if not unicodedata.combining(letter))
