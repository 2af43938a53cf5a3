"""Reads one line that a player typed: a move, something like a move, or neither.

A line that looks like a move and is none must stop a mail from being played. So this leans to
taking chat for moves, and offers those that the line is nearest to.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final

from engine.errors import NotationError
from engine.game import AnyGame
from engine.pieces import close_words
from engine.play import is_legal, legal_actions
from engine.slips import playable
from engine.texts import read_table
from engine.types import Seat
from engine.vocabulary import AND, FILLERS, THEN, folded
from service.inbox.mail_programs import is_greeting, is_thanks
from service.inbox.plain_text import EMOJI
from service.inbox.words import read_word
from service.texts import gettext as _

LONGEST_LINE: Final = 1000
_LISTS: Final = {name: words.split() for name, words in read_table("service.inbox", "moves.txt").items()}
"""Lists of words, and of emoji, by name."""
_VERBS: Final = (
    r"(?:play|move|option|choice|choose|pick|take|coup|joue|choix|mossa|gioco|zug|jugada|movimiento|jogada"
    r"|zet|\u0445\u043e\u0434)(?![^\W\d_])"
)
_SAID: Final = rf"(?:(?:move|option|choice) no(?![^\W\d_])|{_VERBS})"
_SIGN: Final = r"(?:(?:number|nr|num|nummer)(?![^\W\d_])|n\b|no(?=[.\xb0\d]))"
"""Before a number. With a blank behind it, "no" may refuse what follows."""
_MOVE: Final = rf"(?:{_VERBS}|(?:number|nr|num|nummer|no)(?![^\W\d_])|n\b)"
_PLEASE: Final = (
    r"(?:,? (?:please|pls|plz|svp|s'il (?:te|vous) plait|thanks|thank you|thx|merci|grazie|bitte|danke|gracias"
    r"|por favor|cheers|good luck|gl|gl hf|it is))?"
)
_PROMISE: Final = r"(?:i'?ll|i will|my)"
_NUMBERED: Final = re.compile(
    rf"(?:(?:please |i )?(?:{_SAID}[ .:]*){{0,3}}|{_PROMISE} (?:(?:{_SAID}(?: is)?|go with)[ .:]*){{1,3}})"
    rf"(?:{_SIGN}[ .:\xb0]*)?[#(\[]*(?P<number>\d{{1,6}})[)\]]*[.!:]*{_PLEASE}"
)
_LED: Final = re.compile(
    rf"(?:(?:please |i |{_PROMISE} )?play[ :]|je joue|gioco|juego|ich spiele|(?:(?:my|mon|mein) )?(?:move|play|choice"
    r"|coup|zug)(?::| is:?))\s*",
    re.IGNORECASE,
)
"""Words before notation that say no more than that it is played."""
_ANSWERED: Final = re.compile(rf"(?:please )?(?P<word>[^\W\d_]+)(?:[\W_]|{_MOVE})*(?P<number>\d{{1,6}})\W*{_PLEASE}")
"""A word and a number that may be that of a question, if the word is a yes or a no."""
_ANSWERS: Final = {"yes": "accept", "no": "decline"}
"""How they are written with the number of a question."""
_SEVERAL: Final = re.compile(r"[#(]*\d{1,6}[).]*(?:(?:\s*[,;&+]\s*|\s+(?:and |then )?)[#(]*\d{1,6}[).]*)+[.!]*")
_IN_ORDER: Final = re.compile(r"[#(]*\d+[).]*(?:\s*(?:;|\bthen\b)\s*[#(]*\d+[).]*)*[.!]*")
"""Numbers that are moves one after another."""
_LISTED: Final = re.compile(r"[#(\[]*(?P<number>\d{1,6})[)\].:-]*\s+(?P<rest>\S.*)")
_EDGES: Final = " \t\"'`*_\xab\xbb\u2039\u203a"
_IN_ANGLES: Final = re.compile(r"\A<\s*(\D.*?)\s*>\Z")
"""Notation in angle brackets; a number in them, or behind one, may be a heart."""
_VERB: Final = re.compile(r"\b(?:play|choose|pick|take|move|joue|coup|gioco|mossa)")
"""Words that say that a number is played, rather than that of a house."""
_FACES: Final = re.compile(
    rf"\s[:;=]-?[)DPp]+(?=\s|$)|(?:^|\s)(?:<3+)+[.!]*(?=\s|$)|[{EMOJI}\u25a0-\u25ff\u0335-\u0338]+"
)
"""Emoticons, emoji, boxes, and strokes through letters."""
_UNTICKED: Final = re.compile(r"\[\s*\]|\(\s*\)")
"""A box in which nothing stands."""
_ORDINAL: Final = re.compile(r"(?:the )?(?P<number>\d{1,6})(?:st|nd|rd|th)(?: one)?\W*")
"""A place in the list, of which "1st" is one of stone, too."""
_GLASSES: Final = re.compile(r"8\)+|\(+8")
"""A number, or a face with glasses."""
_GLAD: Final = frozenset(_LISTS["glad"])
"""Emoji that agree or are glad, and tones of skin, which change nothing about a move. Any other may
take it back: thumbs down, crosses, doubtful faces.
"""
_BULLET: Final = re.compile(r"\A\s*[-\u2022\u00b7]\s+")
_CHATTY: Final = frozenset("danke e fine grazie merci no non ok okay oui place si thank thanks yes you".split())
"""Words of lines that say something to people, too, where a game reads them as a move."""
_INITIALS: Final = re.compile(r"[^\W\d_](?:\.\s*[^\W\d_])+[\W\d]*")
"""Initials of a name, or what stands before an afterthought, which may be short for a move, too."""
_ASIDE: Final = re.compile(r"(?:your|his|her|their|ton|ta|tes|votre|vos|tuo|tua|tuoi|tue)\b|(?:no|nope|non)\s*,")
"""Notation may be about the move of another behind it, or beside what it refuses."""
_EITHER: Final = re.compile(r"[/|>]")
"""A sign that may be between alternatives, or before what takes the place of something."""
_AROUND: Final = re.compile(
    rf"(?:\u7b2c|(?:(?:{_PROMISE}|{_VERBS}|i|please|plays|go with|is|number|no|the|je|le|la|numero|il|ich|spiele|nehme"
    r"|nummer|die|der|juego|el)\b[ .:,]*)*)(?P<said>.*?)(?: one| move|[\u756a\u53f7\u6b65\u624b])?"
    r"(?:,? (?:please|pls|svp|thanks|thank you|merci|grazie|per favore|s'il (?:te|vous) plait|bitte|danke|gracias"
    r"|por favor))*[.!]*"
)
_NUMBERS: Final = {
    f"{ten} {unit}".strip(): 20 + 10 * at + number
    for at, ten in enumerate(_LISTS["tens"])
    for number, unit in enumerate(["", *_LISTS["one to twenty, English"][:9]])
} | {
    folded(word).replace("-", " "): number
    for name, words in _LISTS.items()
    if name.startswith(("one to", "first to"))
    for number, word in enumerate(words, 1)
}
MOST_OFFERED: Final = 3
_LEAST_LIKE: Final = 0.5
_MOST_WORDS: Final = 12
_LAST_WORDS: Final = 20
"""Characters of the words with which a line may end before what they are about."""
_CHAT: Final = frozenset(_LISTS["chat"])
"""Words of chat that are close to words of a notation, such as "good" to "gold", and no slips."""
_WORD: Final = re.compile(r"[^\W_]+")
_NO_NOTATION: Final = re.compile(r"[^\w\s;]")
_EXAMPLE: Final = re.compile(r"^ {2,}(\S.*?)(?: {2,}|$)", re.MULTILINE)
"""An example in the help of a notation, at the left of its explanation."""
_SPACE: Final = re.compile(r"[a-z][0-9]{1,2}|[0-9]{1,2}[a-z]")
_SAYING: Final = frozenset(_LISTS["saying"])
"""Words that make the number beside them a move."""
_SMALL: Final = FILLERS | AND | THEN | frozenset(_LISTS["little"])
ADDRESS: Final = frozenset(_LISTS["address"])
"""Words beside which a number is that of a house."""
_MONTH: Final = (
    r"jan(?:uary|vier|uar)?|f[ée]b(?:ruary|ruar|braio)?|f[ée]vrier|gen(?:naio)?|mar(?:ch|s|zo)?|m[äa]rz|apr(?:il|ile)?"
    r"|avr(?:il)?|may|mai|mag(?:gio)?|jun[ei]?|juin|giu(?:gno)?|jul[yi]?|juil(?:let)?|lug(?:lio)?|aug(?:ust)?|ao[uû]t"
    r"|ago(?:sto)?|sept?(?:ember|embre)?|set(?:tembre)|o[ck]t(?:ober|obre)?|ott(?:obre)?|nov(?:ember|embre)?"
    r"|d[ée][cz](?:ember|embre)?|dic(?:embre)?"
)
_UNSPACED: Final = "[\u0590-\u065f\u066a-\u06ef\u0e00-\u0e4f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"
_UNSPACED_NUMBER: Final = re.compile(rf"(?<=\d)(?={_UNSPACED})|(?<={_UNSPACED})(?=\d)")
"""Where a number begins or ends in a script in which none has a blank beside it."""
_ASIAN: Final = re.compile("[\u1100-\u11ff\u0e00-\u0e4f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
"""Scripts in which a word is a whole clause, or has what belongs to it written together with it."""
_HARMLESS: Final = re.compile(
    r"\b[a-z][a-z0-9+.-]*:/+\S*|\bwww\.\S+|\S+@\S+"  # pages and addresses
    r"|\b\d{1,2}\s?[:h.]\s?\d{2}(?:\s?(?:am|pm|uhr|h))?\b|\b\d{1,2}\s?(?:am|pm|uhr|h|o'?clock)\b"  # times
    r"|\b\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}\b"  # dates
    rf"|\b\d{{1,2}}(?:st|nd|rd|th|er|\.)?\s(?:{_MONTH})\b|\b(?:{_MONTH})\.?\s\d{{1,2}}(?:st|nd|rd|th)?\b"
    r"|\b(?:tel|phone|fax|mobile|mob|cell|handy|t[ée]l|portable|cellulare|[tmf])\s?[.:]+\s?[\d+(][\d\s().+/-]*"
    r"|\+?\d[\d\s()./-]{6,}\d"  # telephone numbers
    r"|\d+ ?[\u5e74\u6708\u65e5\u6642\u65f6\u70b9\u9ede\u5206\u79d2\u5143\u5186\u6b73\u5c81\u4eba\u697c\u968e"
    r"\ub144\uc6d4\uc77c\uc2dc\ubd84\ucd08\uc6d0\uba85\uce35"
    r"\u4e2a\u500b\u53ea\u5339\u672c\u679a\u518a\u56de\u5ea6\u6b21\u9031\u5468\u3064\u676f\u53f0\u6cca\u4f4d\u5757\u6761\u5f20\u5929"
    r"\uac1c\uc0b4\ub9c8\uc8fc\ub2ec]"  # the same in scripts of East Asia, and other things that are counted there
    r"|[$€£]\s?\d+(?:[.,]\d+)?|\d+(?:[.,]\d+)?\s?(?:[$€£%]|percent|euros?|dollars?)",
    re.IGNORECASE,
)
"""Dates, times, telephones and addresses, whose numbers are no moves."""


@dataclass(frozen=True, slots=True)
class Option:
    """A turn that is offered to a player, who did not clearly say one: its notation, which can be
    sent, and its number among the legal actions if it is one of them.
    """

    line: str
    number: int | None = None


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


def _legal_option(line: str, number: int) -> Option:
    """A legal action as an option: by its number alone where its line would be asked back again."""
    return Option(str(number)) if _CHATTY.issuperset(_words(line)) else Option(line, number)


class LineReader:
    """Reads lines in the state that the mail answers, by the legal actions of a seat, their
    notation and its words, as the game's help shows them, too. ``asked``: a question is open.
    """

    def __init__(self, game: AnyGame, state: Any, seat: Seat, asked: bool) -> None:
        self.game, self.state, self.seat, self.asked = game, state, seat, asked
        self.legal = tuple(legal_actions(game, state, seat))
        self._lines = tuple(game.format(action) for action in self.legal)
        self._options = tuple(_legal_option(line, number) for number, line in enumerate(self._lines, 1))
        words = _words(" ".join((*self._lines, *_EXAMPLE.findall(game.info.notation))))
        self._known = frozenset(word for word in words if not word.isdecimal() and len(word) > 1 and word not in _SMALL)
        self._has_spaces = any(map(_SPACE.fullmatch, self._known))

    def line(self, line: str) -> TypedMove | Doubt | None:
        """What a line is that is no word: a move, something like a move, or ``None``, chat."""
        text = _IN_ANGLES.sub(r"\1", _BULLET.sub("", _FACES.sub("", line)).strip(_EDGES))
        text = _UNSPACED_NUMBER.sub(" ", text)
        if len(text) > LONGEST_LINE or is_greeting(text):
            return None
        found = self._read(line, text)
        if (text and found is None) or (_is_glad(line) and _UNTICKED.search(line) is None):
            return found
        options = self.offered(found) if isinstance(found, TypedMove) else found.options if found else ()
        return Doubt(line, _("A sign on this line may mean no."), options)

    def _read(self, line: str, text: str) -> TypedMove | Doubt | None:
        """What a line is whose text without signs is ``text``."""
        lowered = folded(text).strip(_EDGES + ".,!")
        if options := self._two_readings(lowered):
            return Doubt(line, _("It can be read in more than one way."), options)
        if (found := _NUMBERED.fullmatch(lowered)) is not None:
            return self._numbers(line, (int(found["number"]),), _VERB.search(lowered) is None)
        if _SEVERAL.fullmatch(lowered):
            return self._several(line, lowered, tuple(map(int, re.findall(r"\d+", lowered))))
        if parsed := self.steps(text) or (self.steps(text[led.end() :]) if (led := _LED.match(text)) else ()):
            if _CHATTY.issuperset(_words(text)) or _INITIALS.fullmatch(lowered):
                return Doubt(line, _("It can be read as a move."), self.offered(TypedMove(line, parsed)))
            actions = self.actions([TypedMove(line, parsed)])
            if _ASIDE.match(lowered) or (_EITHER.search(text) and len(actions) > 1):
                readings = map(self.option, (actions, *((action,) for action in actions if self.is_legal(action))))
                return Doubt(line, _("It can be read in more than one way."), tuple(dict.fromkeys(readings)))
            listed = _LISTED.fullmatch(text)
            if listed is None or not re.match(r"[#(\[]*\d+[)\].:-]", text):
                return TypedMove(line, parsed)
        if options := self._numbered(_number_said(lowered)):
            return Doubt(line, _("It says a number in words, as a dictated mail does."), options)
        if (listed := _LISTED.fullmatch(text)) is not None and (rest := self.parsed(listed["rest"])):
            return self._listed(line, int(listed["number"]), rest)
        if not is_thanks(text) and self._looks_like_move(text):
            return Doubt(line, self._why(text), self._nearest(text))
        return None

    def parsed(self, text: str) -> tuple[Any, ...]:
        """The actions that a text, or what is before the stops at its end, is the notation of."""
        for typed in dict.fromkeys((text, text.rstrip(" .,!"))):
            with suppress(NotationError):
                return tuple(self.game.parse(typed))
        return ()

    def has_a_number_to_say(self, text: str) -> bool:
        """Whether a text has a number, and begins with a word of the notation, as a move may."""
        words = _words(text)
        return bool(words) and words[0] in self._known and any(map(str.isdecimal, text))

    def steps(self, text: str) -> tuple[int | tuple[Any, ...], ...]:
        """The steps of a line, or of its parts between semicolons if some are numbers."""
        parts = [part.strip() for part in text.split(";") if part.strip()]
        if len(parts) < 2 or not any(part.isdecimal() for part in parts):
            parsed = self.parsed(text)
            return (parsed,) if parsed else ()
        steps: list[int | tuple[Any, ...]] = []
        for part in parts:
            if part.isdecimal() and len(part) < 6 and 1 <= int(part) <= len(self.legal):
                steps.append(int(part))
            elif not part.isdecimal() and (parsed := self.parsed(part)):
                steps.append(parsed)
            else:
                return ()
        return tuple(steps)

    def may_go_on(self, text: str) -> bool:
        """Whether a text is notation, or the beginning of one: all but its last words is read."""
        try:
            self.game.parse(text)
        except NotationError as error:
            return error.column >= len(text) - _LAST_WORDS
        return True

    def actions(self, moves: Sequence[TypedMove]) -> tuple[Any, ...]:
        """The actions of moves; a number is one of the list of this ply."""
        return tuple(
            action
            for move in moves
            for step in move.steps
            for action in ((self.legal[step - 1],) if isinstance(step, int) else step)
        )

    def option(self, actions: Sequence[Any]) -> Option:
        """A turn as an option."""
        line = "; ".join(self.game.format(action) for action in actions)
        return _legal_option(line, self._lines.index(line) + 1) if line in self._lines else Option(line)

    def offered(self, move: TypedMove) -> tuple[Option]:
        """A move as the only option."""
        return (self.option(self.actions([move])),)

    def says_end(self, move: TypedMove) -> bool:
        """Whether a move is the end of a turn in other words than the notation's: "I'm done"."""
        end = self.parsed("end")
        return move.steps == (end,) and folded(move.line).strip(_EDGES + ".,!") != self.option(end).line

    def is_legal(self, action: Any) -> bool:
        """Whether the turn could begin with the action."""
        return is_legal(self.game, self.state, self.seat, action)

    def _numbers(self, line: str, numbers: tuple[int, ...], is_bare: bool) -> TypedMove | Doubt:
        most = len(self.legal)
        wrong = next((number for number in numbers if not 1 <= number <= most), None)
        if wrong is None:
            return TypedMove(line, numbers, is_bare=is_bare)
        why = _("There is no move {number}: there is nothing for you to do.")
        if most:
            why = _("There is no move {number}: they are numbered from 1 to {most}.")
        return Doubt(line, why.format(number=wrong, most=most), ())

    def _two_readings(self, typed: str) -> tuple[Option, ...]:
        """What a number may be that is a face, or a place in the list, too, or stands behind a yes
        or a no: the answer to the open question, or the move, of that number; or the move no.
        """
        if _GLASSES.fullmatch(typed):
            return self._numbered(8)
        if (place := _ORDINAL.fullmatch(typed)) is not None:
            parsed = self.steps(typed)
            return (*self._numbered(int(place["number"])), *(self.offered(TypedMove("", parsed)) if parsed else ()))
        found = _ANSWERED.fullmatch(typed)
        word = None if found is None else read_word(found["word"])
        if found is None or word is None or word.name not in _ANSWERS:
            return ()
        numbered = self._numbered(int(found["number"]))
        if self.asked:
            return (Option(f"{_ANSWERS[word.name]} {found['number']}"), *numbered)
        parsed = self.parsed(found["word"])
        return (self.option(parsed), *numbered) if parsed and self.is_legal(parsed[0]) else ()

    def _several(self, line: str, typed: str, numbers: tuple[int, ...]) -> TypedMove | Doubt:
        """Numbers are moves one after another where ";" or "then" is between them; otherwise they
        may be how many of something, or a row and a column.
        """
        read = self._numbers(line, numbers, True)
        if isinstance(read, Doubt) or _IN_ORDER.fullmatch(typed):
            return read
        options = tuple(dict.fromkeys(self._options[number - 1] for number in numbers))
        return Doubt(line, _("It is several numbers: put a semicolon between moves, or write what they mean."), options)

    def _listed(self, line: str, number: int, actions: tuple[Any, ...]) -> Doubt:
        """A number before notation, as in our lists: it is offered, as it may have been quoted."""
        options = dict.fromkeys((*self._numbered(number), self.option(actions)))
        return Doubt(line, _("It is a number and a move, as in a list."), tuple(options))

    def _why(self, text: str) -> str:
        """Why a text is no notation."""
        try:
            self.game.parse(text)
        except NotationError as error:
            return playable(self.game, self.state, self.seat, error).message
        return _("It can be read in more than one way.")

    def _looks_like_move(self, line: str) -> bool:
        """Whether a line that cannot be read as a move might have been meant as one."""
        words = [word for word in _words(_HARMLESS.sub(" ", line)) if word not in _SMALL]
        if not words:
            return False
        if self._has_spaces and any(_SPACE.fullmatch(word) for word in words):
            return True
        if self._has_number(words):
            return True
        guessed = len(words) <= 2 * _MOST_WORDS
        known = [
            word in self._known or (guessed and word not in _CHAT and bool(close_words(word, self._known)))
            for word in words
        ]
        count = sum(known)
        return (
            (count >= 2 and 2 * count >= len(words))
            or (count >= 1 and len(words) <= 2)
            or (known[0] and len(words) <= 4)
            or self._understood(line) >= max(2, (len(words) + 1) // 2)
        )

    def _nearest(self, line: str) -> tuple[Option, ...]:
        """The turns that a line is nearest to, at most three, the nearest first."""
        numbers = [int(word) for word in _WORD.findall(_HARMLESS.sub(" ", line)) if word.isdecimal() and len(word) < 6]
        found: dict[str, Option] = {}
        for option in (*chain(*map(self._numbered, numbers)), *self._corrected(line)):
            found.setdefault(option.line, option)
        return tuple(found.values())[:MOST_OFFERED] or self._similar(line)

    def _numbered(self, number: int) -> tuple[Option, ...]:
        """The legal action of that number, if there is one."""
        return (self._options[number - 1],) if 1 <= number <= len(self._options) else ()

    def _has_number(self, words: Sequence[str]) -> bool:
        """Whether a number among the words may be that of a legal action."""
        at = [place for place, word in enumerate(words) if word.isdecimal() and len(word) < 6]
        if not any(1 <= int(words[place]) <= len(self._lines) for place in at):
            return False
        others = [word for word in words if not word.isdecimal()]
        if ADDRESS & set(others):
            return False
        if _SAYING & set(others) and len(words) <= _MOST_WORDS:
            return True
        is_at_edge = at[0] == 0 or at[-1] == len(words) - 1
        return len(others) <= 1 or (len(others) <= 3 and (is_at_edge or any(map(_ASIAN.search, others))))

    def _understood(self, line: str) -> int:
        """How many words of the line the notation understands before it fails."""
        line = _NO_NOTATION.sub(" ", line)
        try:
            self.game.parse(line)
        except NotationError as error:
            return len([word for word in _words(line[: error.column]) if word not in _SMALL])
        return len(_words(line))

    def _corrected(self, line: str) -> tuple[Option, ...]:
        """The line with a word close to the one that cannot be read, if it then is legal."""
        for _attempt in range(2):
            try:
                actions = self.game.parse(line)
            except NotationError as error:
                word = next(iter(playable(self.game, self.state, self.seat, error).similar), None)
                if word is None:
                    return ()
                typed = re.match(r"\w+", line[error.column :])
                line = f"{line[: error.column]}{word}{line[error.column + (typed.end() if typed else 0) :]}"
            else:
                return (self.option(actions),) if self.is_legal(actions[0]) else ()
        return ()

    def _similar(self, line: str) -> tuple[Option, ...]:
        """The legal actions that share most words with the line."""
        said = frozenset(word for word in _words(line) if word not in _SMALL)
        if len(said) > 2 * _MOST_WORDS:
            return ()
        spaces = frozenset(word for word in said if _SPACE.fullmatch(word))
        scored: list[tuple[float, Option]] = []
        for option in self._options:
            words = frozenset(_words(option.line))
            shared = sum(word in said or bool(close_words(word, said)) for word in words)
            score = shared / (len(words) + len(said) - shared)
            if score >= _LEAST_LIKE or (spaces and spaces & words):
                scored.append((score, option))
        scored.sort(key=lambda each: -each[0])
        return tuple(option for _, option in scored[:MOST_OFFERED])


def _is_glad(line: str) -> bool:
    """Whether no sign on the line may take a move back."""
    return all(
        character in _GLAD for face in _FACES.findall(line) for character in face.strip() if not character.isascii()
    )


def _number_said(line: str) -> int:
    """The number that a folded line says in words, and nothing else but that it is to be played,
    please; 0 where it says none.
    """
    found = _AROUND.fullmatch(line)
    return 0 if found is None else _NUMBERS.get(found["said"].replace("-", " ").strip(), 0)


def _words(line: str) -> list[str]:
    return [folded(word) for word in _WORD.findall(line)]
