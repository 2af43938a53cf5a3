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

from collections.abc import Sequence
from typing import Any, Final

from engine.game import AnyGame
from engine.play import adjudicate, is_legal, legal_actions, preview
from engine.types import Seat
from service.inbox.likeness import legal_of, option_of
from service.inbox.moves import LONGEST_LINE, Doubt, Move, Table
from service.inbox.orders import Ambiguous, Empty, Option, Orders, Play, Unread, Words
from service.inbox.sorting import Read, sort_lines
from service.inbox.words import Word
from service.texts import gettext as _

MOST_LINES: Final = 200
MOST_ACTIONS: Final = 64
MOST_OPTIONS: Final = 9
_HARMLESS_WORDS: Final = frozenset(
    {"say", "board", "clock", "moves", "help", "list", "rules", "repeat", "score", "settings", "preview"}
)
"""Words that may stand beside a turn without making it doubtful."""


def read_orders(game: AnyGame, state: Any, seat: Seat, lines: Sequence[str], asked: bool = False) -> Orders:
    """What the lines ask for, in ``state``, which the mail answers, by the player of ``seat``.

    ``asked`` says that a question is open that is answered by yes or no: these words are
    then no moves. A number is the 1-based index of a legal action. Never raises for what is typed.
    """
    legal = legal_of(game, legal_actions(game, state, seat))
    table = Table(game, state, seat, legal, asked)
    if len(lines) > MOST_LINES:
        why = _("This mail has more than {most} lines of its own.").format(most=MOST_LINES)
        return Unread(lines[0][:LONGEST_LINE], why)
    return _orders(table, sort_lines(table, lines))


def _orders(table: Table, read: Read) -> Orders:
    """What the mail asks for, by what its lines are."""
    words = tuple(word for word in read.words if word.name != "say" or word.rest)
    moves = _without_end(table, read)
    other = tuple(word for word in words if word.name not in _HARMLESS_WORDS)
    if moves and (read.doubts or other):
        doubted = [option for doubt in read.doubts for option in doubt.options]
        options = (
            _turn(table, moves),
            *doubted,
            *(Option(" ".join((word.name, word.rest)).strip()) for word in other),
        )
        lines = (*(move.line for move in moves), *(doubt.line for doubt in read.doubts))
        return Ambiguous(tuple(dict.fromkeys(options)), lines, tuple(word for word in words if word not in other))
    if moves:
        return _turn_of(table, moves, words)
    if read.doubts:
        return _doubtful(table, read.doubts, words)
    return Words(words) if words else Empty(tuple(read.chat))


def _doubtful(table: Table, doubts: Sequence[Doubt], words: tuple[Word, ...]) -> Orders:
    options = tuple(dict.fromkeys(option for doubt in doubts for option in doubt.options))
    if len(doubts) > 1 and options:
        return Ambiguous(options, tuple(doubt.line for doubt in doubts), words)
    return Unread(doubts[0].line, doubts[0].why, options, words)


def _turn(table: Table, moves: Sequence[Move]) -> Option:
    return option_of(table.game, table.legal, table.actions(moves))


def _turn_of(table: Table, moves: Sequence[Move], words: tuple[Word, ...]) -> Orders:
    """The turn of these moves, unless they are rather alternatives, or a number in them could
    mean something else.
    """
    actions, lines = table.actions(moves), tuple(move.line for move in moves)
    if len(actions) == 1:
        return Play(lines, actions, words)
    if len(actions) > MOST_ACTIONS:
        why = _("A turn has at most {most} actions, not {number}.").format(most=MOST_ACTIONS, number=len(actions))
        return Unread(lines[0], why, (), words)
    alternatives = _alternatives(table, moves, actions)
    if len(alternatives) > 1:
        return Ambiguous(alternatives, lines, words)
    if len({table.actions([move]) for move in moves}) == 1 and len(moves) > 1 and not _goes(table, actions):
        return Play(lines[:1], table.actions(moves[:1]), words)
    return Play(lines, actions, words)


def _alternatives(table: Table, moves: Sequence[Move], actions: tuple[Any, ...]) -> tuple[Option, ...]:
    """The readings of several moves, if there is more than one: each by itself, if they cannot
    follow each other and could each begin the turn; a number as one of the list after the move
    before it, if that gives something else.
    """
    steps = [step for move in moves for step in move.steps]
    if not _goes(table, actions):
        single = [table.actions([Move("", (step,))]) for step in dict.fromkeys(steps)]
        if len(single) > 1 and all(is_legal(table.game, table.state, table.seat, each[0]) for each in single):
            return tuple(dict.fromkeys(option_of(table.game, table.legal, each) for each in single[:MOST_OPTIONS]))
    if any(isinstance(step, int) for step in steps[1:]):
        later = _counted_later(table, steps)
        if later is not None and later != actions:
            return (option_of(table.game, table.legal, actions), option_of(table.game, table.legal, later))
    return ()


def _goes(table: Table, actions: Sequence[Any]) -> bool:
    """Whether the actions can be legal one after the other: with one outcome of each draw,
    any.
    """
    return adjudicate(table.game, table.state, 0, table.seat, actions, lambda ply, total: 0).violation is None


def _counted_later(table: Table, steps: Sequence[int | tuple[Any, ...]]) -> tuple[Any, ...] | None:
    """The actions if each number counts what is legal after the step before; ``None`` if that
    is not known, or there is none of that number.
    """
    actions: list[Any] = []
    for step in steps:
        if not isinstance(step, int):
            actions.extend(step)
            continue
        reached = preview(table.game, table.state, table.seat, actions)
        if reached.violation is not None or reached.drawing or reached.ending:
            return None
        legal = legal_actions(table.game, reached.state, table.seat)
        if step > len(legal):
            return None
        actions.append(legal[step - 1])
    return tuple(actions)


def _without_end(table: Table, read: Read) -> list[Move]:
    """The moves; ``end`` is one of them only if it is legal after the others, or if nothing
    else was said.
    """
    if not read.moves or not read.moves[-1].is_end:
        return read.moves
    others = read.moves[:-1]
    if not others:
        actions = table.actions(read.moves)
        said = bool(read.doubts or read.words)
        return [] if said or not is_legal(table.game, table.state, table.seat, actions[0]) else read.moves
    reached = preview(table.game, table.state, table.seat, table.actions(others))
    if reached.violation is not None or reached.drawing or reached.ending:
        return others
    ends = is_legal(table.game, reached.state, table.seat, table.actions(read.moves[-1:])[0])
    return read.moves if ends else others
