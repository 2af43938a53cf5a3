"""Reads the lines that a player typed: a turn, words, or something that has to be asked about.

Each line is a number of a legal action, notation, a word, something that looks like a move, or
chat. The moves are one turn, in their order, played only if that is the only reading, and no other
line looks like a move. The number 3 is the third action of the list in the mail that is answered.
Moves are applied: who fears a game's code reads in a child process (``service.sandbox``).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeAlias

from engine.game import AnyGame
from engine.play import adjudicate, legal_actions, preview
from engine.types import Seat
from engine.vocabulary import folded
from service.inbox.mail_programs import NAMED, is_greeting, is_sign_off, is_taken_back, is_thanks
from service.inbox.moves import ADDRESS, LONGEST_LINE, Doubt, LineReader, Option, TypedMove
from service.inbox.plain_text import plain
from service.inbox.words import Word, as_written, read_word
from service.texts import gettext as _

MOST_LINES: Final = 200
MOST_ACTIONS: Final = 64
MOST_OPTIONS: Final = 9
_HARMLESS_WORDS: Final = frozenset("say board clock moves help list rules repeat score settings preview".split())
"""Words that may stand beside a turn without making it doubtful."""
MOST_DOUBTS: Final = 10
"""Doubtful lines after which no further line is read: nothing is played anyway."""
LONG_LINE: Final = 55
"""Characters from which on a mail program may have broken a line of chat."""
SHORTEST_BROKEN: Final = 60
"""Characters from which on mail programs break lines."""
MOST_BROKEN: Final = 6
"""Lines that a turn may have been broken into."""
_CALLED: Final = re.compile(rf"{NAMED}[,!:]")
"""A name with which a mail begins."""
_POINTING: Final = re.compile(
    r"(?:(?:please )?see|(?:my )?(?:answer|reply|move)(?: is)?) (?:below|inline)\W*"
    r"|(?:siehe|antwort) unten\W*|voir (?:ci-dessous|plus bas)\W*|vedi sotto\W*"
)
"""It says that the answer stands further below, between quoted lines."""


@dataclass(frozen=True, slots=True)
class Play:
    """A turn: its actions, in the order in which they were typed, and the words on other lines."""

    actions: tuple[Any, ...]
    words: tuple[Word, ...] = ()


@dataclass(frozen=True, slots=True)
class Words:
    """Words only."""

    words: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """More than one reading, or a turn beside what could be another: nothing is played. ``words``
    stood beside it.
    """

    options: tuple[Option, ...]
    words: tuple[Word, ...] = ()


@dataclass(frozen=True, slots=True)
class Unread:
    """A line that could be a move, but cannot be read: why, and the turns it is nearest to.
    ``words`` stood beside it.
    """

    line: str
    why: str
    nearest: tuple[Option, ...] = ()
    words: tuple[Word, ...] = ()


@dataclass(frozen=True, slots=True)
class Empty:
    """Nothing that asks for anything: no text, greetings, chat. ``chat`` are the lines of it;
    ``is_ended``: a word ended what is read.
    """

    chat: tuple[str, ...] = ()
    is_ended: bool = False


Orders: TypeAlias = Play | Words | Ambiguous | Unread | Empty


@dataclass(slots=True)
class SortedLines:
    """What was read so far; ``has_text``: something besides moves, words, greetings and thanks;
    ``is_ended``: a word ended it.
    """

    moves: list[TypedMove] = field(default_factory=list)
    doubts: list[Doubt] = field(default_factory=list)
    words: list[Word] = field(default_factory=list)
    chat: list[str] = field(default_factory=list)
    has_text: bool = False
    is_ended: bool = False


def read_orders(game: AnyGame, state: Any, seat: Seat, lines: Sequence[str], asked: bool = False) -> Orders:
    """What the lines ask for, in ``state``, which the mail answers, by the player of ``seat``.
    Never raises for what is typed. ``asked``: a question is open, so yes and no are no moves.
    """
    if len(lines) > MOST_LINES:
        why = _("This mail has more than {most} lines of its own.").format(most=MOST_LINES)
        return Unread(lines[0][:LONGEST_LINE], why)
    reader = LineReader(game, state, seat, asked)
    read = _sorted(reader, lines)
    words = tuple(word for word in read.words if word.name != "say" or word.rest)
    orders = _orders(reader, read, words)
    return replace(orders, words=words) if isinstance(orders, Ambiguous | Unread) else orders


def _orders(reader: LineReader, read: SortedLines, words: tuple[Word, ...]) -> Orders:
    moves = _without_end(reader, read)
    others = [word for word in words if word.name not in _HARMLESS_WORDS or (word.name == "settings" and word.rest)]
    doubted = dict.fromkeys(option for doubt in read.doubts for option in doubt.options)
    if (moves and (read.doubts or others)) or ((moves or others) and any(map(is_taken_back, read.chat))):
        said = map(Option, map(as_written, others))
        return Ambiguous(tuple(dict.fromkeys((*_offered(reader, moves), *doubted, *said))))
    if moves:
        return _turn_of(reader, moves, words)
    if len(read.doubts) > 1 and doubted:
        return Ambiguous(tuple(doubted))
    if read.doubts:
        return Unread(read.doubts[0].line, read.doubts[0].why, tuple(doubted))
    return Words(words or tuple(read.words)) if read.words else Empty(tuple(read.chat), read.is_ended)


def _turn_of(reader: LineReader, moves: Sequence[TypedMove], words: tuple[Word, ...]) -> Orders:
    """The turn of these moves, unless they are alternatives, or a number is ambiguous."""
    actions = reader.actions(moves)
    if len(actions) == 1:
        return Play(actions, words)
    if len(actions) > MOST_ACTIONS:
        why = _("A turn has at most {most} actions, not {number}.").format(most=MOST_ACTIONS, number=len(actions))
        return Unread(moves[0].line, why)
    alternatives = _alternatives(reader, moves, actions)
    if len(alternatives) > 1:
        return Ambiguous(alternatives)
    if len({reader.actions([move]) for move in moves}) == 1 and len(moves) > 1 and not _goes(reader, actions):
        return Play(reader.actions(moves[:1]), words)
    return Play(actions, words)


def _offered(reader: LineReader, moves: Sequence[TypedMove]) -> tuple[Option, ...]:
    """What these moves may mean, which something on another line puts in doubt."""
    turn = _turn_of(reader, moves, ()) if moves else Ambiguous(())
    if isinstance(turn, Ambiguous):
        return turn.options
    return (reader.option(turn.actions if isinstance(turn, Play) else reader.actions(moves)),)


def _alternatives(reader: LineReader, moves: Sequence[TypedMove], actions: tuple[Any, ...]) -> tuple[Option, ...]:
    """The readings of several moves, if there is more than one: each by itself, if they cannot
    follow each other and could each begin the turn; a number as one of the list after the move
    before it, if that gives something else.
    """
    steps = [step for move in moves for step in move.steps]
    if not _goes(reader, actions):
        single = [reader.actions([TypedMove("", (step,))]) for step in dict.fromkeys(steps)]
        if len(single) > 1 and all(reader.is_legal(each[0]) for each in single):
            return tuple(dict.fromkeys(map(reader.option, single[:MOST_OPTIONS])))
    if any(isinstance(step, int) for step in steps[1:]):
        later = _counted_later(reader, steps)
        if later is not None and later != actions:
            return (reader.option(actions), reader.option(later))
    return ()


def _goes(reader: LineReader, actions: Sequence[Any]) -> bool:
    """Whether the actions can be legal one after the other, with one outcome of each draw."""
    return adjudicate(reader.game, reader.state, 0, reader.seat, actions, lambda ply, total: 0).violation is None


def _counted_later(reader: LineReader, steps: Sequence[int | tuple[Any, ...]]) -> tuple[Any, ...] | None:
    """The actions if each number counts what is legal after the step before, if known."""
    actions: list[Any] = []
    for step in steps:
        if not isinstance(step, int):
            actions.extend(step)
            continue
        state = _after(reader, actions)
        legal = () if state is None else legal_actions(reader.game, state, reader.seat)
        if step > len(legal):
            return None
        actions.append(legal[step - 1])
    return tuple(actions)


def _after(reader: LineReader, actions: Sequence[Any]) -> Any:
    """The state after these actions; ``None`` where it is not known."""
    reached = preview(reader.game, reader.state, reader.seat, actions)
    return None if reached.violation is not None or reached.drawing or reached.ending else reached.state


def _without_end(reader: LineReader, read: SortedLines) -> list[TypedMove]:
    """The moves; ``end``, or what says it behind others, only if it is legal after the others, or
    nothing else was said.
    """
    others = read.moves[:-1]
    if not read.moves or not (read.moves[-1].is_end or (others and reader.says_end(read.moves[-1]))):
        return read.moves
    if not others and (read.doubts or read.words):
        return []
    return read.moves if _goes(reader, reader.actions(read.moves)) else others


def _sorted(reader: LineReader, lines: Sequence[str]) -> SortedLines:
    """The moves, doubtful lines, words and chat among the lines."""
    read = SortedLines()
    below = saying = False
    before = ""
    texts = _unbroken(reader, [plain(line).strip() for line in lines])
    for at, text in enumerate(texts):
        if len(read.doubts) >= MOST_DOUBTS:
            break
        above, before = before, text
        said = bool(read.moves or read.doubts or saying)
        ends = (is_sign_off(text) and (said or not is_greeting(text))) or (is_thanks(text) and said)
        is_signed = ends and any(texts[at + 1 :])
        if saying and text and not is_signed and not _stands_alone(reader, text, above):
            read.words[-1] = Word("say", f"{read.words[-1].rest} {text}".strip())
            continue
        saying = False
        if not text:
            continue
        if ends:
            below = True
            read.chat.append(text)
            continue
        word = read_word(text)
        if word is not None and not any(map(str.isalnum, text)):  # a question mark, which may be about the move
            read.chat.append(text)
        if word is not None and word.name == "end":
            read.is_ended = True
            if parsed := reader.parsed(text):  # the game has a move of that name, too
                read.moves.append(TypedMove(text, (parsed,), is_end=True))
            break
        if word is None or not _is_meant(reader, word, text):
            _sort(reader, read, texts, at, below, above)
        elif word.name == "pass" and (parsed := reader.parsed("pass")) and reader.is_legal(parsed[0]):
            read.doubts.append(Doubt(text, _("It can be read as a move."), (reader.option(parsed),)))
        elif not below or word.name == "say":
            read.words.append(word)
            saying = word.name == "say"
    return read


def _unbroken(reader: LineReader, texts: Sequence[str]) -> list[str]:
    """The lines, those of a turn joined that a mail program has broken: what is left of it reads as
    moves only in one piece, and all of it does.
    """
    joined: list[str] = []
    at = 0
    while at < len(texts):
        end = last = at + 1
        while last < len(texts) and last - at < MOST_BROKEN and _may_go_on(texts[last - 1], texts[last]):
            if not reader.may_go_on(" ".join(texts[at:last])):
                break
            last += 1
            end = last if _is_broken(reader, texts[at:last]) else end
        joined.append(" ".join(texts[at:end]))
        at = end
    return joined


def _may_go_on(above: str, text: str) -> bool:
    """Whether a mail program may have broken a line between two: the next word had no room."""
    return bool(text) and len(above) + len(text.split(None, 1)[0]) >= SHORTEST_BROKEN


def _is_broken(reader: LineReader, pieces: Sequence[str]) -> bool:
    """Whether pieces are moves as one line, and not each by itself, or go on behind a semicolon."""
    if not reader.steps(" ".join(pieces)):
        return False
    return any(piece.endswith(";") for piece in pieces[:-1]) or not all(
        reader.steps(piece) or read_word(piece) is not None for piece in pieces
    )


def _stands_alone(reader: LineReader, text: str, before: str) -> bool:
    """Whether a line below ``say`` is not the rest of its text: it may be a move, which others are
    not to be told; or it is a word, below a line too short for a mail program to have broken it.
    """
    return reader.line(text) is not None or (len(before) < LONG_LINE and read_word(text) is not None)


def _is_meant(reader: LineReader, word: Word, text: str) -> bool:
    """Whether a word is meant, rather than the move that is written in the same way, or nearly so
    where others would be told of it.
    """
    if word.name in ("yes", "no", "withdraw") and (reader.asked or word.rest):
        return True
    parsed = reader.parsed(text)
    if word.name == "say":
        return not parsed and not reader.has_a_number_to_say(text)
    return not parsed or (word.name != "pass" and not reader.is_legal(parsed[0]))


def _sort(reader: LineReader, read: SortedLines, texts: Sequence[str], at: int, below: bool, before: str) -> None:
    text = texts[at]
    found = reader.line(text)
    if below and isinstance(found, TypedMove) and not reader.is_legal(reader.actions([found])[0]):
        found = None
    if isinstance(found, TypedMove):
        doubt = _doubt(reader, read, texts, at, found, below, before)
        if doubt:
            read.doubts.append(Doubt(text, doubt, reader.offered(found)))
        elif len(before) > LONG_LINE and (broken := _broken(reader, read, found)) is not None:
            read.doubts.append(broken)
        else:
            read.moves.append(found)
    elif isinstance(found, Doubt) and not below:
        read.doubts.append(found)
    else:
        read.chat.append(text)
        read.has_text = read.has_text or not _is_polite(text, is_first=at == 0)


def _doubt(
    reader: LineReader, read: SortedLines, texts: Sequence[str], at: int, move: TypedMove, below: bool, before: str
) -> str:
    """Why a move is not played without asking; empty where it is."""
    if below or (len(before) > LONG_LINE and (not read.moves or read.moves[-1].line != before)):
        return _("It stands below the text of the mail.")
    if move.is_bare and (read.has_text or _is_in_address(texts, at)):
        return _("A number alone is played only where nothing but a greeting stands above it.")
    return ""


def _broken(reader: LineReader, read: SortedLines, move: TypedMove) -> Doubt | None:
    """The doubt whether a move is the rest of the line above, which is one, too, and which a mail
    program may have broken; ``None`` if it means the same. The doubt takes the place of both.
    """
    above = read.moves[-1]
    steps = reader.steps(f"{above.line} {move.line}")
    readings = [reader.actions([TypedMove("", steps)]), reader.actions([above, move])]
    if not steps or readings[0] == readings[1]:
        return None
    read.moves.pop()
    return Doubt(move.line, _("It can be read in more than one way."), tuple(map(reader.option, readings)))


def _is_polite(text: str, is_first: bool) -> bool:
    """Whether a line only greets, thanks or points below, or has no words."""
    if is_greeting(text) or is_thanks(text) or not any(character.isalnum() for character in text):
        return True
    return _POINTING.fullmatch(text.lower()) is not None or (is_first and _CALLED.fullmatch(folded(text)) is not None)


def _is_in_address(texts: Sequence[str], at: int) -> bool:
    """Whether the line above or below is one of an address."""
    beside = " ".join(texts[max(0, at - 1) : at + 2])
    return not ADDRESS.isdisjoint(re.findall(r"[^\W\d_]+", beside.lower()))
