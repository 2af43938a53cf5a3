"""Reads one line that a player typed: a move, something like a move, or neither.

A line that looks like a move and is none must stop a mail from being played: its sender meant
something else than what was read. So this leans to taking chat for moves, and offers those that the
line is nearest to.
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
from service.inbox.mail_programs import is_greeting, is_thanks
from service.inbox.orders import Option
from service.inbox.plain_text import EMOJI
from service.texts import gettext as _

LONGEST_LINE: Final = 1000
_NUMBERED: Final = re.compile(
    r"(?:please |i )?(?:(?:play|move|number|option|choose|take|no|nr|num|n|coup|joue|mossa|gioco|zug"
    r"|nummer)\b[ .:°]*){0,3}"
    r"[#(\[]*(?P<number>\d{1,6})[)\]]*[.!:]*(?:,? (?:please|pls|svp|thanks|thank you|merci|grazie|bitte|danke))?",
)
_SEVERAL: Final = re.compile(r"[#(]*\d{1,6}[).]*(?:(?:\s*[,;&+]\s*|\s+(?:and |then )?)[#(]*\d{1,6}[).]*)+[.!]*")
_IN_ORDER: Final = re.compile(r"[#(]*\d+[).]*(?:\s*(?:;|\bthen\b)\s*[#(]*\d+[).]*)*[.!]*")
"""Numbers that are moves one after another."""
_LISTED: Final = re.compile(r"[#(\[]*(?P<number>\d{1,6})[)\].:-]*\s+(?P<rest>\S.*)")
_EDGES: Final = " \t\"'`*_<>"
_VERB: Final = re.compile(r"\b(?:play|choose|take|move|joue|coup|gioco|mossa)\b")
"""Words that say that a number is played, rather than that of a house."""
_FACES: Final = re.compile(rf"\s[:;=]-?[)DPp]+(?=\s|$)|[{EMOJI}]+")
"""Emoticons and emoji."""
_GLAD: Final = frozenset(
    "\u2600\u2604\u2618\u263a\u2663\u2665\u2666\u2693\u2705\u2714\u270a\u270c\u2728\u2764"
    "\U0001f340\U0001f378\U0001f37a\U0001f37b\U0001f381\U0001f389\U0001f38a\U0001f3b2\U0001f3c6\U0001f44a\U0001f44b"
    "\U0001f44c\U0001f44d\U0001f44f\U0001f493\U0001f495\U0001f496\U0001f499\U0001f49a\U0001f49b\U0001f4aa\U0001f525"
    "\U0001f600\U0001f601\U0001f602\U0001f603\U0001f604\U0001f605\U0001f606\U0001f607\U0001f609\U0001f60a\U0001f60b"
    "\U0001f60e\U0001f60f\U0001f61b\U0001f61c\U0001f642\U0001f643\U0001f64b\U0001f64c\U0001f64f\U0001f680\U0001f91e"
    "\U0001f91d\U0001f917\U0001f918\U0001f919\U0001f920\U0001f923\U0001f929\U0001f970\U0001f973\U0001fae1"
    "\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff"
)
"""Emoji that agree or are glad, and tones of skin, which change nothing about a move. Any other may
take it back: thumbs down, crosses, doubtful faces.
"""
_BULLET: Final = re.compile(r"\A\s*[-\u2022\u00b7]\s+")
_CHATTY: Final = frozenset("fine no non e ok place".split())
"""Lines that say something to people, too, where a game reads them as a move."""
_TO_TWENTY: Final = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
    " eighteen nineteen twenty",
    "un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit"
    " dix-neuf vingt",
    "uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici"
    " diciassette diciotto diciannove venti",
    "eins zwei drei vier funf sechs sieben acht neun zehn elf zwolf dreizehn vierzehn funfzehn sechzehn siebzehn"
    " achtzehn neunzehn zwanzig",
    "uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis diecisiete"
    " dieciocho diecinueve veinte",
)
"""From one on, in English, French, Italian, German and Spanish, without accents."""
_TENS: Final = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_AROUND: Final = re.compile(
    r"(?:(?:i|please|play|plays|move|number|option|choose|take|no|the|je|joue|le|la|coup|numero|gioco|mossa|il|ich"
    r"|spiele|nehme|zug|nummer|die|juego|el)\b[ .:,]*)*(?P<said>.*?)(?:,? (?:please|pls|svp|thanks|thank you|merci"
    r"|grazie|per favore|s'il (?:te|vous) plait|bitte|danke|gracias|por favor))*[.!]*"
)
_NUMBERS: Final = {
    **{
        f"{ten} {unit}": 20 + 10 * at + number
        for at, ten in enumerate(_TENS)
        for number, unit in enumerate(_TO_TWENTY[0].split()[:9], 1)
    },
    **{ten: 20 + 10 * at for at, ten in enumerate(_TENS)},
    **{word.replace("-", " "): number for words in _TO_TWENTY for number, word in enumerate(words.split(), 1)},
}
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


@dataclass(frozen=True, slots=True)
class TypedMove:
    """A line that is a move: its steps, each a number of the list or actions."""

    line: str
    steps: tuple[int | tuple[Any, ...], ...]
    is_end: bool = False
    is_bare: bool = False
    """It is a number, with no verb."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """A line that may be a move."""

    line: str
    why: str
    options: tuple[Option, ...]


@dataclass(frozen=True, slots=True)
class LineReader:
    """What lines are read by: the state that the mail answers, and the legal actions of a seat.

    ``asked`` says that a question is open that is answered by yes or no.
    """

    game: AnyGame
    state: Any
    seat: Seat
    legal: Legal
    asked: bool

    def line(self, line: str) -> TypedMove | Doubt | None:
        """What a line is that is no word: a move, something like a move, or ``None``, chat."""
        text = _BULLET.sub("", _FACES.sub("", line)).strip(_EDGES)
        if len(text) > LONGEST_LINE or is_greeting(text):
            return None
        found = self._read(line, text)
        if _is_glad(line) or (text and found is None):
            return found
        options = self.offered(found) if isinstance(found, TypedMove) else found.options if found else ()
        return Doubt(line, _("A sign on this line may mean no."), options)

    def _read(self, line: str, text: str) -> TypedMove | Doubt | None:
        """What a line is whose text without signs is ``text``."""
        lowered = folded(text).strip(_EDGES + ".,!")
        if (found := _NUMBERED.fullmatch(lowered)) is not None:
            return self._numbers(line, (int(found["number"]),), _VERB.search(lowered) is None)
        if _SEVERAL.fullmatch(lowered):
            return self._several(line, lowered, tuple(map(int, re.findall(r"\d+", lowered))))
        if parsed := self._parts(text):
            if lowered.strip(".,;!?") in _CHATTY:
                return Doubt(line, _("It can be read as a move."), self.offered(TypedMove(line, parsed)))
            listed = _LISTED.fullmatch(text)
            if listed is None or not re.match(r"[#(\[]*\d+[)\].:-]", text):
                return TypedMove(line, parsed)
        if (number := _number_said(lowered)) is not None and number <= len(self.legal.actions):
            options = (Option(self.legal.lines[number - 1], number),)
            return Doubt(line, _("It says a number in words, as a dictated mail does."), options)
        if (listed := _LISTED.fullmatch(text)) is not None and (rest := self.parsed(listed["rest"])):
            return self._listed(line, int(listed["number"]), rest)
        if not is_thanks(text) and looks_like_move(self.game, self.legal, text):
            why = self._why(text)
            return Doubt(line, why, nearest(self.game, self.state, self.seat, self.legal, text))
        return None

    def parsed(self, text: str) -> tuple[Any, ...]:
        """The actions that a text is the notation of; empty if it is none."""
        try:
            return tuple(self.game.parse(text))
        except NotationError:
            return ()

    def actions(self, moves: Sequence[TypedMove]) -> tuple[Any, ...]:
        """The actions of moves; a number is one of the list of this ply."""
        return tuple(
            action
            for move in moves
            for step in move.steps
            for action in ((self.legal.actions[step - 1],) if isinstance(step, int) else step)
        )

    def offered(self, *moves: TypedMove) -> tuple[Option, ...]:
        return tuple(option_of(self.game, self.legal, self.actions([move])) for move in moves)

    def begins(self, move: TypedMove) -> bool:
        """Whether the turn could begin with the move."""
        return is_legal(self.game, self.state, self.seat, self.actions([move])[0])

    def _numbers(self, line: str, numbers: tuple[int, ...], is_bare: bool) -> TypedMove | Doubt:
        most = len(self.legal.actions)
        for number in numbers:
            if not 1 <= number <= most:
                return Doubt(line, self._no_such(number), ())
        return TypedMove(line, numbers, is_bare=is_bare)

    def _several(self, line: str, typed: str, numbers: tuple[int, ...]) -> TypedMove | Doubt:
        """Numbers are moves one after another where ";" or "then" is between them; otherwise they
        may be how many of something, or a row and a column.
        """
        read = self._numbers(line, numbers, True)
        if isinstance(read, Doubt) or _IN_ORDER.fullmatch(typed):
            return read
        options = tuple(dict.fromkeys(Option(self.legal.lines[number - 1], number) for number in numbers))
        return Doubt(line, _("It is several numbers: put a semicolon between moves, or write what they mean."), options)

    def _no_such(self, number: int) -> str:
        most = len(self.legal.actions)
        if not most:
            return _("There is no move {number}: there is nothing for you to do.").format(number=number)
        return _("There is no move {number}: they are numbered from 1 to {most}.").format(number=number, most=most)

    def _listed(self, line: str, number: int, actions: tuple[Any, ...]) -> Doubt:
        """A number before notation, as our lists have it: it is offered, never played, because it
        may have been quoted.
        """
        options = [option_of(self.game, self.legal, actions)]
        if 1 <= number <= len(self.legal.actions):
            options.insert(0, Option(self.legal.lines[number - 1], number))
        return Doubt(line, _("It is a number and a move, as in a list."), tuple(dict.fromkeys(options)))

    def _parts(self, text: str) -> tuple[int | tuple[Any, ...], ...]:
        """The steps of a line: the whole line, or its parts between semicolons if some are numbers;
        empty if it cannot be read.
        """
        parts = [part.strip() for part in text.split(";") if part.strip()]
        if len(parts) < 2 or not any(part.isdigit() for part in parts):
            parsed = self.parsed(text)
            return (parsed,) if parsed else ()
        steps: list[int | tuple[Any, ...]] = []
        for part in parts:
            if part.isdigit() and len(part) < 6 and 1 <= int(part) <= len(self.legal.actions):
                steps.append(int(part))
            elif not part.isdigit() and (parsed := self.parsed(part)):
                steps.append(parsed)
            else:
                return ()
        return tuple(steps)

    def _why(self, text: str) -> str:
        """Why a text is no notation."""
        try:
            self.game.parse(text)
        except NotationError as error:
            return playable(self.game, self.state, self.seat, error).message
        return _("It can be read in more than one way.")


def _is_glad(line: str) -> bool:
    """Whether no sign on the line may take a move back."""
    return all(
        character in _GLAD for face in _FACES.findall(line) for character in face.strip() if not character.isascii()
    )


def _number_said(line: str) -> int | None:
    """The number that a line says in words, with nothing else but that it is to be played, please;
    ``None`` where it says none. The line is folded (``engine.vocabulary``).
    """
    found = _AROUND.fullmatch(line)
    return None if found is None else _NUMBERS.get(found["said"].replace("-", " ").strip())


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
    for _attempt in range(2):
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
