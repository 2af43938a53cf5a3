"""The words that a mail can say besides moves, such as ``board``, each on a line of its own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, get_args

from engine.bots import LEVELS
from engine.pieces import close_words
from engine.texts import read_table
from engine.vocabulary import folded
from service.clocks.rule import NAMES
from service.inbox.plain_text import plain
from service.mail_words import WORDS, Name

ASKING: Final[frozenset[Name]] = frozenset(
    ["board", "clock", "help", "list", "moves", "pass", "rules", "score", "settings", "undo"]
)
"""Words that only ask for something, also with a question mark."""
_EDGES: Final = " \t\"'`*_<>[](){}.,;!-"
_REPORTED: Final = re.compile(
    r"[\"']|[A-Z]\S*\s+\S+\s+\S|(?:this|that|these|those|he|she|they|his|her|their|him|them|i|my|ce|cet|cette"
    r"|il|elle|ils|quest[aeio]|quell[aeio]|lui|lei)\b"
)
"""How what is said about somebody begins, rather than "report back soon"."""
_LONGEST: Final = 60
_MOST_GUESSED: Final = 6
_MOST_NEAREST: Final = 3


@dataclass(frozen=True, slots=True)
class Word:
    """A word and what follows it on its line: the text of ``say``, the turn of ``preview``, the
    game and addresses of ``new``, the number of the question that is answered, and so on.
    """

    name: Name
    rest: str = ""

    @property
    def arguments(self) -> tuple[str, ...]:
        """The rest, split at blanks and commas."""
        return _parts(self.rest)


def read_word(line: str) -> Word | None:
    """The word that a line says; ``None`` if it says none. Capitals, accents, quotes around it and
    stops after it do not matter; nothing else may be on the line but what belongs to the word.
    """
    said = plain(line).strip()
    alone = _key(said.strip(_EDGES) or said)
    if alone.endswith("?") and _NAMES.get(alone.rstrip("? ")) in ASKING:
        alone = alone.rstrip("? ")
    if len(alone) <= _LONGEST and (name := _NAMES.get(alone)) is not None:
        return Word(name)
    return _leading(said.lstrip(_EDGES))


def together(words: Sequence[Word]) -> tuple[Word, ...]:
    """The words of a mail, with its lines of settings as one, in place of the first of them."""
    at = [number for number, word in enumerate(words) if word.name == "settings"]
    joined = Word("settings", "\n".join(words[number].rest for number in at if words[number].rest))
    return tuple(joined if number in at else word for number, word in enumerate(words) if number not in at[1:])


def as_written(word: Word) -> str:
    """How the word can be written, so that it is read as the same."""
    return f"{_WRITTEN[f'{word.name}…' if word.rest else word.name].split(', ')[0]} {word.rest}".strip()


def nearest_words(line: str) -> tuple[str, ...]:
    """The words that a line that says none is closest to, or has among others, at most three."""
    key = _key(plain(line).strip(_EDGES + "?"))[:_LONGEST]
    said = key.split()
    close = [found for each in dict.fromkeys((key, *said[:_MOST_GUESSED])) for found in close_words(each, _SHOWN)]
    within = [word for word in _SHOWN if word in said] if len(said) <= _MOST_GUESSED else []
    return tuple(dict.fromkeys((*within, *close)))[:_MOST_NEAREST]


def _shown(written: str) -> str:
    """The word of an example, without what follows it."""
    word = read_word(written)
    return written if word is None or not word.rest else written.removesuffix(word.rest).strip()


def _leading(said: str) -> Word | None:
    for phrase, name in _LEADS:
        count = phrase.count(" ") + 1
        parts = said.split(None, count)
        if len(parts) < count or (len(parts) == count and name != "say"):
            continue
        if _key(" ".join(parts[:count]).rstrip(":,-")) != phrase:
            continue
        rest = parts[count].strip() if len(parts) > count else ""
        is_led = parts[count - 1].endswith(":") or rest.startswith(":")
        if name == "say" or (name == "report" and (is_led or _fits(name, rest))):
            return Word(name, _unquoted(rest.removeprefix(":").strip()))
        rest = rest.lstrip(":-# ").strip().rstrip(".,;!")
        return Word(name, _unquoted(rest)) if rest and _fits(name, rest) else None
    return None


def _fits(name: Name, rest: str) -> bool:
    """Whether something can be the rest of that word, rather than of a sentence."""
    match name:
        case "report":
            return _REPORTED.match(rest) is not None
        case "new":
            return "@" in rest or " " not in rest or set(_parts(rest.lower())[1:]) <= _OF_NEW
        case "join":
            return len(rest) <= _LONGEST
        case "away" | "pause":
            return any(letter.isdecimal() for letter in rest)
        case "rules":
            return len(rest.split()) <= 2
        case "no" | "withdraw" | "yes":
            return re.fullmatch(r"\d{1,4}", rest) is not None
        case _:
            return True


def _parts(rest: str) -> tuple[str, ...]:
    return tuple(re.findall(r"[^\s,;]+", rest))


def _unquoted(text: str) -> str:
    """The text without quotes around it."""
    return text[1:-1].strip() if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'" else text


def _key(text: str) -> str:
    return " ".join(folded(text.replace(",", " ")).split())


_OF_NEW: Final = {*NAMES, *LEVELS, "bot"}
"""What may follow ``new`` and a game beside addresses: a clock, and bots."""
_WRITTEN: Final = read_table("service.inbox", "words.txt")
"""How each word may be written where it stands alone, and before more by its name with "…"."""
_NAMES: Final = {
    _key(phrase): name for name in get_args(Name) for phrase in _WRITTEN.get(name, "").split(", ") if phrase
}
_LEADS: Final[Sequence[tuple[str, Name]]] = sorted(
    ((_key(phrase), name) for name in get_args(Name) for phrase in _WRITTEN.get(f"{name}…", "").split(", ") if phrase),
    key=lambda lead: -len(lead[0]),
)
_SHOWN: Final = tuple(dict.fromkeys(_shown(written) for word in WORDS for written in word.written))
"""The words themselves, of what is written."""
