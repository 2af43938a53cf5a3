"""Tells lines that look like moves from chat, and which moves they are nearest to.

A line that looks like a move and is none must stop a mail from being played: its sender meant
something else than what was read. So this leans to taking chat for moves.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from engine.errors import NotationError
from engine.game import AnyGame
from engine.pieces import close_words
from engine.play import is_legal
from engine.slips import playable
from engine.types import Seat
from engine.vocabulary import AND, FILLERS, THEN, folded
from service.inbox.orders import Option

MOST_OFFERED: Final = 3
_LEAST_LIKE: Final = 0.5
_MOST_WORDS: Final = 12
_CHAT: Final = frozenset(
    "best game good great have hope like love luck made more move nice one ones some soon take than that then they"
    " think this time turn want well what when will with word work your".split()
)
"""Words of chat that are close to words of a notation, such as "good" to "gold", and no slips."""
_WORD: Final = re.compile(r"[^\W_]+")
_NO_NOTATION: Final = re.compile(r"[^\w\s;]")
_EXAMPLE: Final = re.compile(r"^ {2,}(\S.*?)(?: {2,}|$)", re.MULTILINE)
"""An example in the help of a notation, at the left of its explanation."""
_SPACE: Final = re.compile(r"[a-z][0-9]{1,2}|[0-9]{1,2}[a-z]")
_SAYING: Final = frozenset(
    "play plays move moves number no nr num option choose take pick go choice joue jouer coup numero gioco gioca mossa"
    " spiele zug nummer or".split()
)
"""Words that make the number beside them a move."""
_SMALL: Final = (
    FILLERS
    | AND
    | THEN
    | set("to on in at of for with from is it be me you we so do not this that will would ok".split())
)
ADDRESS: Final = frozenset(
    "street st road rd avenue ave lane ln drive dr way close court square floor suite apt room box rue bd boulevard"
    " chemin place allée quai bp via viale piazza corso vicolo largo strada strasse straße str platz weg allee gasse"
    " calle plaza laan straat".split()
)
"""Words beside which a number is that of a house."""
_MONTH: Final = (
    r"jan(?:uary|vier|uar)?|f[ée]b(?:ruary|ruar|braio)?|f[ée]vrier|gen(?:naio)?|mar(?:ch|s|zo)?|m[äa]rz|apr(?:il|ile)?"
    r"|avr(?:il)?|may|mai|mag(?:gio)?|jun[ei]?|juin|giu(?:gno)?|jul[yi]?|juil(?:let)?|lug(?:lio)?|aug(?:ust)?|ao[uû]t"
    r"|ago(?:sto)?|sept?(?:ember|embre)?|set(?:tembre)|o[ck]t(?:ober|obre)?|ott(?:obre)?|nov(?:ember|embre)?"
    r"|d[ée][cz](?:ember|embre)?|dic(?:embre)?"
)
_HARMLESS: Final = re.compile(
    r"\b[a-z][a-z0-9+.-]*:/+\S*|\bwww\.\S+|\S+@\S+"  # pages and addresses
    r"|\b\d{1,2}\s?[:h.]\s?\d{2}(?:\s?(?:am|pm|uhr|h))?\b|\b\d{1,2}\s?(?:am|pm|uhr|h|o'?clock)\b"  # times
    r"|\b\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}\b"  # dates
    rf"|\b\d{{1,2}}(?:st|nd|rd|th|er|\.)?\s(?:{_MONTH})\b|\b(?:{_MONTH})\.?\s\d{{1,2}}(?:st|nd|rd|th)?\b"
    r"|(?:tel|phone|fax|mobile|mob|cell|handy|t[ée]l|portable|cellulare|[tmf])\s?[.:]+\s?[\d+(][\d\s().+/-]*"
    r"|\+?\d[\d\s()./-]{6,}\d"  # telephone numbers
    r"|[$€£]\s?\d+(?:[.,]\d+)?|\d+(?:[.,]\d+)?\s?(?:[$€£%]|percent|euros?|dollars?)",
    re.IGNORECASE,
)
"""Dates, times, telephones and addresses, whose numbers are no moves."""


@dataclass(frozen=True, slots=True)
class Legal:
    """The legal actions of a seat, their notation, and the words of it."""

    actions: tuple[Any, ...]
    lines: tuple[str, ...]
    words: frozenset[str]
    has_spaces: bool


def legal_of(game: AnyGame, actions: Sequence[Any]) -> Legal:
    """The legal actions with their notation and its words, those of the game's help among them."""
    lines = tuple(game.format(action) for action in actions)
    helped = " ".join(found[1] for found in _EXAMPLE.finditer(game.info.notation))
    words = frozenset(
        word
        for word in _words(" ".join((*lines, helped)))
        if not word.isdigit() and len(word) > 1 and word not in _SMALL
    )
    return Legal(tuple(actions), lines, words, any(_SPACE.fullmatch(word) for word in words))


def looks_like_move(game: AnyGame, legal: Legal, line: str) -> bool:
    """Whether a line that cannot be read as a move might have been meant as one."""
    words = [word for word in _words(_HARMLESS.sub(" ", line)) if word not in _SMALL]
    if not words:
        return False
    if legal.has_spaces and any(_SPACE.fullmatch(word) for word in words):
        return True
    if _has_number(legal, words):
        return True
    guessed = len(words) <= 2 * _MOST_WORDS
    known = [
        word in legal.words or (guessed and word not in _CHAT and bool(close_words(word, legal.words)))
        for word in words
    ]
    count = sum(known)
    return (
        (count >= 2 and 2 * count >= len(words))
        or (count >= 1 and len(words) <= 2)
        or (known[0] and len(words) <= 4)
        or _understood(game, line) >= max(2, (len(words) + 1) // 2)
    )


def nearest(game: AnyGame, state: Any, seat: Seat, legal: Legal, line: str) -> tuple[Option, ...]:
    """The turns that a line is nearest to, at most three, the nearest first."""
    found: dict[str, Option] = {}
    for word in _WORD.findall(_HARMLESS.sub(" ", line)):
        if word.isdigit() and len(word) < 6 and 1 <= int(word) <= len(legal.lines):
            found.setdefault(legal.lines[int(word) - 1], Option(legal.lines[int(word) - 1], int(word)))
    for option in _corrected(game, state, seat, legal, line):
        found.setdefault(option.line, option)
    if not found:
        return tuple(_similar(legal, line))
    return tuple(found.values())[:MOST_OFFERED]


def option_of(game: AnyGame, legal: Legal, actions: Sequence[Any]) -> Option:
    """A turn as an option."""
    line = "; ".join(game.format(action) for action in actions)
    return Option(line, legal.lines.index(line) + 1 if line in legal.lines else None)


def _has_number(legal: Legal, words: Sequence[str]) -> bool:
    """Whether a number among the words may be that of a legal action."""
    at = [place for place, word in enumerate(words) if word.isdigit() and len(word) < 6]
    if not any(1 <= int(words[place]) <= len(legal.lines) for place in at):
        return False
    others = [word for word in words if not word.isdigit()]
    if ADDRESS & set(others):
        return False
    if _SAYING & set(others) and len(words) <= _MOST_WORDS:
        return True
    return len(others) <= 1 or (len(others) <= 3 and (at[0] == 0 or at[-1] == len(words) - 1))


def _understood(game: AnyGame, line: str) -> int:
    """How many words of the line the notation understands before it fails."""
    line = _NO_NOTATION.sub(" ", line)
    try:
        game.parse(line)
    except NotationError as error:
        return len([word for word in _words(line[: error.column]) if word not in _SMALL])
    return len(_words(line))


def _corrected(game: AnyGame, state: Any, seat: Seat, legal: Legal, line: str) -> list[Option]:
    """The line with a word that is close to the one that cannot be read, where it then is legal."""
    found: list[Option] = []
    for _ in range(2):
        try:
            actions = game.parse(line)
        except NotationError as error:
            word = next(iter(playable(game, state, seat, error).similar), None)
            if word is None:
                return found
            typed = re.match(r"\w+", line[error.column :])
            line = f"{line[: error.column]}{word}{line[error.column + (typed.end() if typed else 0) :]}"
            continue
        if is_legal(game, state, seat, actions[0]):
            found.append(option_of(game, legal, actions))
        return found
    return found


def _similar(legal: Legal, line: str) -> list[Option]:
    """The legal actions that share most words with the line."""
    said = frozenset(word for word in _words(line) if word not in _SMALL)
    if len(said) > 2 * _MOST_WORDS:
        return []
    spaces = frozenset(word for word in said if _SPACE.fullmatch(word))
    scored: list[tuple[float, int, str]] = []
    for number, move in enumerate(legal.lines, 1):
        words = frozenset(_words(move))
        shared = sum(word in said or bool(close_words(word, said)) for word in words)
        score = shared / (len(words) + len(said) - shared)
        if score >= _LEAST_LIKE or (spaces and spaces & words):
            scored.append((-score, number, move))
    return [Option(move, number) for _, number, move in sorted(scored)[:MOST_OFFERED]]


def _words(line: str) -> list[str]:
    return [folded(word) for word in _WORD.findall(line)]
