"""Reads the lines that a player typed: a turn, words, or something that has to be asked about.

1. Each line is a number of a legal action, notation, a word, something that looks like a move, or
   chat.
2. The moves are one turn, in their order. It is played only if it is the only reading, and if no
   other line looks like a move: then the readings are offered.

Everything is read as of the ply that the mail answers: the number 3 is the third action of the list
in that mail. Reading several moves applies them, so callers who fear a game's code read in a child
process (``service.sandbox``).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from engine.errors import NotationError
from engine.game import AnyGame
from engine.play import adjudicate, is_legal, legal_actions, preview
from engine.types import Seat
from engine.vocabulary import folded
from service.inbox.likeness import Legal, legal_of, looks_like_move, nearest, option_of
from service.inbox.lines import plain
from service.inbox.orders import Ambiguous, Empty, Option, Orders, Play, Unread, Words
from service.inbox.signatures import is_greeting, is_sign_off, is_thanks
from service.inbox.words import Word, read_word
from service.texts import gettext as _

MOST_LINES: Final = 200
MOST_DOUBTS: Final = 10
"""After so many lines that may be moves no further line is read: nothing is played anyway."""
MOST_ACTIONS: Final = 64
MOST_OPTIONS: Final = 9
LONGEST_LINE: Final = 1000
LONG_LINE: Final = 55
"""From so many characters on a mail program may have broken a line of chat."""
_NUMBERED: Final = re.compile(
    r"(?:please |i )?(?:(?:play|move|number|option|choose|take|no|nr|num|n|coup|joue|mossa|gioco|zug"
    r"|nummer)\b[ .:°]*){0,3}"
    r"[#(\[]*(?P<number>\d{1,6})[)\]]*[.!:]*(?:,? (?:please|pls|svp|thanks|thank you|merci|grazie|bitte|danke))?",
)
_SEVERAL: Final = re.compile(r"[#(]*\d{1,6}[).]*(?:(?:\s*[,;&+]\s*|\s+(?:and |then )?)[#(]*\d{1,6}[).]*)+[.!]*")
_LISTED: Final = re.compile(r"[#(\[]*(?P<number>\d{1,6})[)\].:-]*\s+(?P<rest>\S.*)")
_EDGES: Final = " \t\"'`*_<>"
_FACES: Final = re.compile(r"\s[:;=]-?[)(DPp]+(?=\s|$)|[\u2600-\u27bf\U0001f000-\U0001faff]+")
"""Emoticons and emoji, which say nothing about a move."""
_BULLET: Final = re.compile(r"\A\s*[-\u2022\u00b7]\s+")
_CHATTY: Final = frozenset({"fine", "no", "non", "e", "ok", "place"})
"""Lines that say something to people, too, where a game reads them as a move."""
_HARMLESS_WORDS: Final = frozenset({"say", "board", "moves", "help", "list", "rules", "repeat", "settings", "preview"})
"""Words that may stand beside a turn without making it doubtful."""


@dataclass(frozen=True, slots=True)
class _Move:
    """A line that is a move: its steps, each a number of the list or actions."""

    line: str
    steps: tuple[int | tuple[Any, ...], ...]
    is_end: bool = False


@dataclass(frozen=True, slots=True)
class _Doubt:
    """A line that may be a move."""

    line: str
    why: str
    options: tuple[Option, ...]


@dataclass(slots=True)
class _Read:
    """What was read so far."""

    moves: list[_Move] = field(default_factory=list)
    doubts: list[_Doubt] = field(default_factory=list)
    words: list[Word] = field(default_factory=list)
    chat: list[str] = field(default_factory=list)


def read_orders(game: AnyGame, state: Any, seat: Seat, lines: Sequence[str], asked: bool = False) -> Orders:
    """What the lines ask for, in ``state``, which the mail answers, by the player of ``seat``.

    ``asked`` says that a question is open that is answered by yes, no or confirm: these words are
    then no moves. A number is the 1-based index of a legal action. Never raises for what is typed.
    """
    legal = legal_of(game, legal_actions(game, state, seat))
    table = _Table(game, state, seat, legal, asked)
    if len(lines) > MOST_LINES:
        why = _("This mail has more than {most} lines of its own.").format(most=MOST_LINES)
        return Unread(lines[0][:LONGEST_LINE], why)
    read = table.read(lines)
    return table.orders(read)


@dataclass(frozen=True, slots=True)
class _Table:
    """What lines are read by."""

    game: AnyGame
    state: Any
    seat: Seat
    legal: Legal
    asked: bool

    def read(self, lines: Sequence[str]) -> _Read:
        """Sorts the lines."""
        read = _Read()
        below = False
        saying = False
        before = ""
        for line in map(plain, lines):
            text = line.strip()
            if len(read.doubts) >= MOST_DOUBTS:
                break
            if saying and text and not self._stands_alone(text, before):
                said = read.words.pop()
                read.words.append(Word("say", f"{said.rest} {text}".strip()))
                before = text
                continue
            saying = False
            if not text:
                before = ""
                continue
            if is_sign_off(text) or (is_thanks(text) and (read.moves or read.doubts)):
                below = True
                read.chat.append(text)
                before = text
                continue
            word = read_word(text)
            if word is not None and word.name == "end":
                self._end(read, text)
                break
            if word is not None and self._is_meant(word, text):
                if not below or word.name == "say":
                    read.words.append(word)
                    saying = word.name == "say"
            else:
                self._sort(read, text, below, before)
            before = text
        return read

    def _stands_alone(self, text: str, before: str) -> bool:
        """Whether a line below ``say`` is not the rest of its text: it is read by itself, and the
        line above is not so long that a mail program may have broken it.
        """
        return len(before) < LONG_LINE and (read_word(text) is not None or isinstance(self._line(text), _Move))

    def _is_meant(self, word: Word, text: str) -> bool:
        """Whether a word is meant, rather than the move that is written in the same way."""
        if self.asked and word.name in ("yes", "no", "confirm"):
            return True
        parsed = self._parsed(text)
        return not (parsed and is_legal(self.game, self.state, self.seat, parsed[0]))

    def _sort(self, read: _Read, text: str, below: bool, before: str) -> None:
        found = self._line(text)
        if below and isinstance(found, _Move) and not self._begins(found):
            found = None
        doubtful = below or len(before) > LONG_LINE
        if isinstance(found, _Move) and not (below and not _NUMBERED.fullmatch(text) and folded(text).isalpha()):
            if doubtful:
                read.doubts.append(_Doubt(text, _("It stands below the text of the mail."), self._offered(found)))
            else:
                read.moves.append(found)
        elif isinstance(found, _Move):
            read.doubts.append(_Doubt(text, _("It may be a name in a signature."), self._offered(found)))
        elif isinstance(found, _Doubt) and not below:
            read.doubts.append(found)
        else:
            read.chat.append(text)

    def _begins(self, move: _Move) -> bool:
        """Whether the turn could begin with the move."""
        return is_legal(self.game, self.state, self.seat, self._actions([move])[0])

    def _end(self, read: _Read, text: str) -> None:
        """Takes ``end`` as the move of that name, if the game has one, too."""
        parsed = self._parsed(text)
        if parsed:
            read.moves.append(_Move(text, (parsed,), is_end=True))

    def _line(self, line: str) -> _Move | _Doubt | None:
        """What a line is that is no word: a move, something like a move, or ``None``, chat."""
        text = _BULLET.sub("", _FACES.sub("", line)).strip(_EDGES)
        if len(text) > LONGEST_LINE or is_greeting(text):
            return None
        lowered = folded(text).strip(_EDGES + ".,!")
        if (found := _NUMBERED.fullmatch(lowered)) is not None:
            return self._numbers(line, (int(found["number"]),))
        if _SEVERAL.fullmatch(lowered):
            return self._numbers(line, tuple(map(int, re.findall(r"\d+", lowered))))
        if parsed := self._parts(text):
            if lowered.strip(".,;!?") in _CHATTY:
                return _Doubt(line, _("It can be read as a move."), self._offered(_Move(line, parsed)))
            listed = _LISTED.fullmatch(text)
            if listed is None or not re.match(r"[#(\[]*\d+[)\].:-]", text):
                return _Move(line, parsed)
        if (listed := _LISTED.fullmatch(text)) is not None and (rest := self._parsed(listed["rest"])):
            return self._listed(line, int(listed["number"]), rest)
        if not is_thanks(text) and looks_like_move(self.game, self.legal, text):
            why = self._why(text)
            return _Doubt(line, why, nearest(self.game, self.state, self.seat, self.legal, text))
        return None

    def _numbers(self, line: str, numbers: tuple[int, ...]) -> _Move | _Doubt:
        most = len(self.legal.actions)
        for number in numbers:
            if not 1 <= number <= most:
                return _Doubt(line, self._no_such(number), ())
        return _Move(line, numbers)

    def _no_such(self, number: int) -> str:
        most = len(self.legal.actions)
        if not most:
            return _("There is no move {number}: there is nothing for you to do.").format(number=number)
        return _("There is no move {number}: they are numbered from 1 to {most}.").format(number=number, most=most)

    def _listed(self, line: str, number: int, actions: tuple[Any, ...]) -> _Doubt:
        """A number before notation, as our lists have it: it is offered, never played, because it
        may have been quoted.
        """
        options = [option_of(self.game, self.legal, actions)]
        if 1 <= number <= len(self.legal.actions):
            options.insert(0, Option(self.legal.lines[number - 1], number))
        return _Doubt(line, _("It is a number and a move, as in a list."), tuple(dict.fromkeys(options)))

    def _parts(self, text: str) -> tuple[int | tuple[Any, ...], ...]:
        """The steps of a line: the whole line, or its parts between semicolons if some are numbers;
        empty if it cannot be read.
        """
        parts = [part.strip() for part in text.split(";") if part.strip()]
        if len(parts) < 2 or not any(part.isdigit() for part in parts):
            parsed = self._parsed(text)
            return (parsed,) if parsed else ()
        steps: list[int | tuple[Any, ...]] = []
        for part in parts:
            if part.isdigit() and len(part) < 6 and 1 <= int(part) <= len(self.legal.actions):
                steps.append(int(part))
            elif not part.isdigit() and (parsed := self._parsed(part)):
                steps.append(parsed)
            else:
                return ()
        return tuple(steps)

    def _parsed(self, text: str) -> tuple[Any, ...]:
        """The actions that a text is the notation of; empty if it is none."""
        try:
            return tuple(self.game.parse(text))
        except NotationError:
            return ()

    def _why(self, text: str) -> str:
        """Why a text is no notation."""
        try:
            self.game.parse(text)
        except NotationError as error:
            return error.message
        return _("It can be read in more than one way.")

    def _actions(self, moves: Sequence[_Move]) -> tuple[Any, ...]:
        """The actions of moves; a number is one of the list of this ply."""
        return tuple(
            action
            for move in moves
            for step in move.steps
            for action in ((self.legal.actions[step - 1],) if isinstance(step, int) else step)
        )

    def _offered(self, *moves: _Move) -> tuple[Option, ...]:
        return tuple(option_of(self.game, self.legal, self._actions([move])) for move in moves)

    def orders(self, read: _Read) -> Orders:
        """What the mail asks for, by what its lines are."""
        words = tuple(word for word in read.words if word.name != "say" or word.rest)
        moves = self._without_end(read)
        other = tuple(word for word in words if word.name not in _HARMLESS_WORDS)
        if moves and (read.doubts or other):
            doubted = [option for doubt in read.doubts for option in doubt.options]
            options = (
                self._turn(moves),
                *doubted,
                *(Option(" ".join((word.name, word.rest)).strip()) for word in other),
            )
            lines = (*(move.line for move in moves), *(doubt.line for doubt in read.doubts))
            return Ambiguous(tuple(dict.fromkeys(options)), lines, tuple(word for word in words if word not in other))
        if moves:
            return self._turn_of(moves, words)
        if read.doubts:
            return self._doubtful(read.doubts, words)
        return Words(words) if words else Empty(tuple(read.chat))

    def _doubtful(self, doubts: Sequence[_Doubt], words: tuple[Word, ...]) -> Orders:
        options = tuple(dict.fromkeys(option for doubt in doubts for option in doubt.options))
        if len(doubts) > 1 and options:
            return Ambiguous(options, tuple(doubt.line for doubt in doubts), words)
        return Unread(doubts[0].line, doubts[0].why, options, words)

    def _turn(self, moves: Sequence[_Move]) -> Option:
        return option_of(self.game, self.legal, self._actions(moves))

    def _turn_of(self, moves: Sequence[_Move], words: tuple[Word, ...]) -> Orders:
        """The turn of these moves, unless they are rather alternatives, or a number in them could
        mean something else.
        """
        actions, lines = self._actions(moves), tuple(move.line for move in moves)
        if len(actions) == 1:
            return Play(lines, actions, words)
        if len(actions) > MOST_ACTIONS:
            why = _("A turn has at most {most} actions, not {number}.").format(most=MOST_ACTIONS, number=len(actions))
            return Unread(lines[0], why, (), words)
        alternatives = self._alternatives(moves, actions)
        if len(alternatives) > 1:
            return Ambiguous(alternatives, lines, words)
        if len({self._actions([move]) for move in moves}) == 1 and len(moves) > 1 and not self._goes(actions):
            return Play(lines[:1], self._actions(moves[:1]), words)
        return Play(lines, actions, words)

    def _alternatives(self, moves: Sequence[_Move], actions: tuple[Any, ...]) -> tuple[Option, ...]:
        """The readings of several moves, if there is more than one: each by itself, if they cannot
        follow each other and could each begin the turn; a number as one of the list after the move
        before it, if that gives something else.
        """
        steps = [step for move in moves for step in move.steps]
        if not self._goes(actions):
            single = [self._actions([_Move("", (step,))]) for step in dict.fromkeys(steps)]
            if len(single) > 1 and all(is_legal(self.game, self.state, self.seat, each[0]) for each in single):
                return tuple(dict.fromkeys(option_of(self.game, self.legal, each) for each in single[:MOST_OPTIONS]))
        if any(isinstance(step, int) for step in steps[1:]):
            later = self._counted_later(steps)
            if later is not None and later != actions:
                return (option_of(self.game, self.legal, actions), option_of(self.game, self.legal, later))
        return ()

    def _goes(self, actions: Sequence[Any]) -> bool:
        """Whether the actions can be legal one after the other: with one outcome of each draw,
        any.
        """
        return adjudicate(self.game, self.state, 0, self.seat, actions, lambda ply, total: 0).violation is None

    def _counted_later(self, steps: Sequence[int | tuple[Any, ...]]) -> tuple[Any, ...] | None:
        """The actions if each number counts what is legal after the step before; ``None`` if that
        is not known, or there is none of that number.
        """
        actions: list[Any] = []
        for step in steps:
            if not isinstance(step, int):
                actions.extend(step)
                continue
            reached = preview(self.game, self.state, self.seat, actions)
            if reached.violation is not None or reached.drawing or reached.ending:
                return None
            legal = legal_actions(self.game, reached.state, self.seat)
            if step > len(legal):
                return None
            actions.append(legal[step - 1])
        return tuple(actions)

    def _without_end(self, read: _Read) -> list[_Move]:
        """The moves; ``end`` is one of them only if it is legal after the others, or if nothing
        else was said.
        """
        if not read.moves or not read.moves[-1].is_end:
            return read.moves
        others = read.moves[:-1]
        if not others:
            actions = self._actions(read.moves)
            said = bool(read.doubts or read.words)
            return [] if said or not is_legal(self.game, self.state, self.seat, actions[0]) else read.moves
        reached = preview(self.game, self.state, self.seat, self._actions(others))
        if reached.violation is not None or reached.drawing or reached.ending:
            return others
        ends = is_legal(self.game, reached.state, self.seat, self._actions(read.moves[-1:])[0])
        return read.moves if ends else others
