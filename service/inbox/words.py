"""The words that a mail can say besides moves: ``board``, ``help``, ``say`` and others, each on a
line of its own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from engine.bots import LEVELS
from engine.pieces import close_words
from engine.vocabulary import folded
from service.clocks.rule import NAMES
from service.inbox.plain_text import plain
from service.mail_words import WORDS, Name

_ALONE: Final[Mapping[Name, str]] = MappingProxyType(
    {
        "abandon": "end as abandoned, end the match as abandoned, finir comme abandonnée, finisci come abbandonata",
        "back": "back, i am back, i'm back, take back, je suis de retour, me revoilà, sono tornato, sono tornata",
        "board": "board, show board, the board, show the board, plateau, le plateau, tabellone, plancia, brett",
        "clock": "clock, the clock, my clock, time, time left, my time, deadline, my deadline, how much time, how long,"
        " how much time do i have, how much time do i have left, how much time is left, how long do i have,"
        " when is my deadline, until when, horloge, mon temps, combien de temps, orologio, quanto tempo,"
        " quanto tempo ho,"
        " uhr, zeit, wie viel zeit habe ich",
        "call_off": "call off, call it off, call off the match, annuler la partie, annulla la partita",
        "draw": "offer draw, offer a draw, draw offer, i offer a draw, proposer nulle, offro patta",
        "end": "end, end of mail, end here, eom, stop, stop here, fin du message, fine del messaggio",
        "end_match": "end match, end the match, offer to end, offer the end, finir la partie, finisci la partita",
        "extend": "extend, one more day, one day more, a day more, extend my time, un jour de plus, un giorno in più",
        "hand_over": "hand over, hand over my seat, céder ma place, cedo il posto",
        "help": "help, help me, help please, ?, aide, à l'aide, aiuto, hilfe",
        "join": "join, sign up, signup, inscription, iscrivimi",
        "list": "list, list matches, my matches, liste, la liste, lista, elenco",
        "moves": "moves, move list, legal, legal moves, all moves, show moves, list moves, what can i do, options,"
        " coups, les coups, mosse, le mosse",
        "no": "no, no thanks, no thank you, nope, non, non merci, no grazie, nein, decline, i decline, refuse",
        "pass": "pass, i pass, pass my turn, skip, skip my turn, i skip, passe, je passe, passer, passo, ich passe",
        "pause": "pause, a pause, une pause, pausa",
        "reopen": "reopen, reopen the match, reopen match, rouvrir, rouvrir la partie, riapri, riapri la partita",
        "repeat": "repeat, again please, send again, resend, répéter, répète, ripeti, ripetere",
        "resign": "resign, i resign, give up, i give up, abandonner, j'abandonne, abbandono, mi arrendo",
        "resume": "resume, end pause, end the pause, reprendre, riprendere",
        "rules": "rules, the rules, règles, les règles, regole, le regole",
        "score": "score, scores, the score, the scores, points, my score, show score, show scores, what is the score,"
        " what's the score, who is winning, who's winning, standing, standings, les points, punteggio, punti, punkte",
        "settings": "settings, my settings, preferences, réglages, préférences, impostazioni, preferenze",
        "undo": "undo, undo move, undo my move, undo last move, take it back, take that back, take my move back,"
        " takeback,"
        " can i undo, can i undo that, annuler, annule, annulla, annulla la mossa, zuruck, ruckgangig,"
        " zug zurucknehmen",
        "withdraw": "withdraw, withdraw my offer, i withdraw, retirer, ritiro",
        "yes": "yes, yes please, yes thanks, yep, oui, oui merci, sì, si, sì grazie, ja, accept, i accept, ok, okay,"
        " confirm, i confirm, confirmer, je confirme, confermo, conferma",
    }
)
"""The words that stand alone, as they may be written, apart from capitals, accents and stops."""
_LEADING: Final[Mapping[Name, str]] = MappingProxyType(
    {
        "away": "away, i am away, i'm away, absent, je suis absent, je suis absente, sono assente",
        "hand_over": "hand over to, hand over my seat to, hand my seat to, céder ma place à, cedo il posto a",
        "join": "join, sign up",
        "new": "new, new match, nouveau, nouvelle partie, nuovo, nuova partita",
        "no": "decline, i decline, refuser, rifiuto",
        "pause": "pause, pause for, a pause of, pausa",
        "preview": "preview, try, aperçu, anteprima",
        "rules": "rules, rules of, rules for, règles, regole",
        "say": "say, tell all, chat, dis, dire, dire à tous, di, di' a tutti",
        "settings": "settings, setting, set, réglages, impostazioni",
        "withdraw": "withdraw, i withdraw, retirer, ritiro",
        "yes": "accept, i accept, confirm, accepter, accetto",
    }
)
"""The words that something follows."""
ASKING: Final[frozenset[Name]] = frozenset(
    ["board", "clock", "help", "list", "moves", "pass", "rules", "score", "settings", "undo"]
)
"""Words that only ask for something, also with a question mark."""
_EDGES: Final = " \t\"'`*_<>[](){}.,;!-"
_LONGEST: Final = 60
_MOST_GUESSED: Final = 6
_MOST_NEAREST: Final = 3


@dataclass(frozen=True, slots=True)
class Word:
    """A word and what follows it on its line: how long ``away`` and ``pause`` are; the text of
    ``say``, the turn of ``preview``, game and addresses of ``new``, the name of ``join``, the game
    of ``rules``, what ``settings`` are to be, the number of the question that is answered.
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
        if name == "say":
            return Word("say", _unquoted(rest.removeprefix(":").strip()))
        rest = rest.lstrip(":-# ").strip().rstrip(".,;!")
        return Word(name, _unquoted(rest)) if rest and _fits(name, rest) else None
    return None


def _fits(name: Name, rest: str) -> bool:
    """Whether something can be the rest of that word, rather than of a sentence."""
    match name:
        case "new":
            return "@" in rest or " " not in rest or set(_parts(rest.lower())[1:]) <= _OF_NEW
        case "join":
            return len(rest) <= _LONGEST
        case "away" | "pause":
            return any(letter.isdigit() for letter in rest)
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
_NAMES: Final = {_key(phrase): name for name, said in _ALONE.items() for phrase in said.split(", ")}
_LEADS: Final = sorted(
    ((_key(phrase), name) for name, said in _LEADING.items() for phrase in said.split(", ")),
    key=lambda lead: -len(lead[0]),
)
_SHOWN: Final = tuple(dict.fromkeys(_shown(written) for word in WORDS for written in word.written))
"""The words themselves, of what is written."""
