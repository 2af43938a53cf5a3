"""A match at one keyboard: shows the board to the seat that acts, reads notation, passes the screen
on.

1. Show the seat what happened since it last looked, then its board and what it is asked.
2. Read a line: a command, the number of a legal action, or notation for one action or a whole turn.
3. Judge it as a submitted turn is judged; whatever stands joins the log.

Lines come from an iterator and go to a function, so a pipe or a test can sit at the keyboard.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from engine.bots import house
from engine.documents import to_document
from engine.draws import commitment, drawing, terms
from engine.errors import NotationError
from engine.game import AnyGame
from engine.play import Draw, adjudicate, begin, legal_actions, walk
from engine.record import FORMAT, LoggedAction, Record, write_record
from engine.types import CHANCE, SPECTATOR, Entry, Seat, Setup, Viewer, Violation

HELP = """\
?            list what is legal, numbered      ? WORD   only what has the word in it
3            do number 3 of that list          LINE     do what the line of notation says
board        show the board again              log      what happened so far
undo         take back, up to the last draw    save FILE  write the record
help         this text and the notation        quit     leave"""


@dataclass(frozen=True, slots=True)
class Table:
    """What is played: the names are those of the seats, ``bots`` the seats the house plays,
    ``components`` the document of the set.
    """

    game: AnyGame
    setup: Setup
    components: dict[str, Any]
    names: tuple[str, ...]
    bots: Collection[Seat]
    match: str
    secret: bytes

    @property
    def nonces(self) -> tuple[str, ...]:
        """Nobody is far away here, so nobody needs to add luck of their own."""
        return tuple(f"hotseat-{seat}" for seat in range(self.setup.seats))

    @property
    def draw(self) -> Draw:
        """The luck of the match."""
        return drawing(self.secret, self.match, self.nonces)


@dataclass(slots=True)
class _Course:
    """How far the match has come: ``states[n]`` is the state at ply n; ``told`` the ply up to which
    a seat was told; ``firm`` the ply ``undo`` stops at.
    """

    states: list[Any]
    log: list[Entry[Any]]
    told: dict[Seat, int] = field(default_factory=dict)
    firm: int = 0

    @property
    def state(self) -> Any:
        return self.states[-1]

    def extend(self, game: AnyGame, entries: Sequence[Entry[Any]]) -> None:
        self.states.extend(step.after for step in walk(game, self.state, len(self.log), entries, None))
        self.log.extend(entries)
        if any(entry.seat == CHANCE for entry in entries):
            self.firm = len(self.log)

    def back(self) -> bool:
        """Takes the last entry back unless something was uncovered behind it."""
        if len(self.log) <= self.firm:
            return False
        self.states.pop()
        self.log.pop()
        return True


def run(table: Table, lines: Iterator[str], say: Callable[[str], None], pass_to: Callable[[str], None]) -> None:
    """Plays to the end of the match, ``quit`` or the last line.

    ``pass_to(name)`` waits until that player sits at the screen.
    """
    game = table.game
    _, entries = begin(game, table.setup, table.draw)
    course = _Course([game.setup(table.setup)], [])
    course.extend(game, entries)
    shown: Seat | None = None
    while awaited := game.to_act(course.state):
        seat = next((seat for seat in awaited if seat in table.bots), awaited[0])
        if seat in table.bots:
            _act(table, course, seat, (house(game, course.state, seat),))
            continue
        if seat != shown and shown is not None:
            pass_to(table.names[seat])
        if seat != shown or course.told[seat] < len(course.log):
            shown = seat
            course.firm = len(course.log)
            _show(table, course, seat, say)
        say(f"{table.names[seat]}: {game.prompt(course.state, seat)}. (? lists what is legal, help explains)")
        line = next(lines, None)
        if line is None or line.strip().lower() in ("quit", "exit"):
            say("The match is left unfinished.")
            return
        _answer(table, course, seat, line.strip(), say)
    _show_end(table, course, say)
    for line in lines:
        if line.strip().lower() in ("quit", "exit"):
            return
        _after_the_end(table, course, line.strip(), say)


def _answer(table: Table, course: _Course, seat: Seat, line: str, say: Callable[[str], None]) -> None:
    word, _, rest = line.partition(" ")
    match word.lower():
        case "":
            pass
        case "?":
            _list(table, course.state, seat, rest.strip().lower(), say)
        case "help":
            say(f"{HELP}\n\n{table.game.info.notation}")
        case "board":
            say(_board(table, course.state, seat))
        case "log":
            say(_told(table, course, seat, 0))
        case "undo":
            say(
                _board(table, course.state, seat)
                if course.back()
                else "There is nothing to take back: a draw or another seat came in between."
            )
        case "save":
            _save(table, course, rest.strip(), say)
        case _:
            _submit(table, course, seat, line, say)


def _after_the_end(table: Table, course: _Course, line: str, say: Callable[[str], None]) -> None:
    word, _, rest = line.partition(" ")
    match word.lower():
        case "":
            pass
        case "log":
            say(_told(table, course, SPECTATOR, 0))
        case "save":
            _save(table, course, rest.strip(), say)
        case _:
            say("The match is over: log, save FILE or quit.")


def _list(table: Table, state: Any, seat: Seat, wanted: str, say: Callable[[str], None]) -> None:
    lines = [table.game.format(action) for action in legal_actions(table.game, state, seat)]
    found = [f"{number:4}  {line}" for number, line in enumerate(lines, 1) if wanted in line.lower()]
    say(
        "\n".join(found)
        if found
        else f'Nothing that is legal has "{wanted}" in it; there are {len(lines)} legal actions.'
    )


def _submit(table: Table, course: _Course, seat: Seat, line: str, say: Callable[[str], None]) -> None:
    game = table.game
    if line.isdecimal():
        legal = legal_actions(game, course.state, seat)
        if not 1 <= int(line) <= len(legal):
            say(f"There is no number {line}: the legal actions are numbered from 1 to {len(legal)}.")
            return
        actions: tuple[Any, ...] = (legal[int(line) - 1],)
    else:
        try:
            actions = game.parse(line)
        except NotationError as error:
            say(f"  {error.line}\n  {' ' * error.column}^\n{error.message}{_expected(error)}")
            return
    before = len(course.log)
    violation = _act(table, course, seat, actions)
    if len(course.log) > before:
        say(_told(table, course, seat, before))
        if seat in game.to_act(course.state):
            say(_board(table, course.state, seat))
    if violation is not None:
        say(f"{f'[{violation.rule}] ' if violation.rule else ''}{violation.message}")


def _act(table: Table, course: _Course, seat: Seat, actions: Sequence[Any]) -> Violation | None:
    judgement = adjudicate(table.game, course.state, len(course.log), seat, actions, table.draw)
    course.extend(table.game, judgement.entries)
    return judgement.violation


def _show(table: Table, course: _Course, seat: Seat, say: Callable[[str], None]) -> None:
    news = _told(table, course, seat, course.told.get(seat, 0))
    say(f"\n=== {table.names[seat]} ===" + (f"\n{news}" if news else ""))
    say(_board(table, course.state, seat))


def _show_end(table: Table, course: _Course, say: Callable[[str], None]) -> None:
    say(f"\n{_board(table, course.state, SPECTATOR)}")
    outcome = table.game.outcome(course.state)
    assert outcome is not None
    say(outcome.ended)
    for seat in sorted(range(table.setup.seats), key=lambda seat: outcome.ranks[seat]):
        say(f"{outcome.ranks[seat]}. {table.names[seat]}: {outcome.scores[seat]}")


def _board(table: Table, state: Any, viewer: Viewer) -> str:
    return table.game.text(table.game.observe(state, viewer), table.names)


def _told(table: Table, course: _Course, viewer: Viewer, start: int) -> str:
    """What happened from ply ``start`` on, as the viewer may know it."""
    sentences = []
    for ply, entry in enumerate(course.log[start:], start):
        before, after = course.states[ply], course.states[ply + 1]
        sentences.append(table.game.narrate(before, entry.seat, entry.action, after, viewer, table.names))
    if viewer is not None:
        course.told[viewer] = len(course.log)
    return "\n".join(sentence for sentence in sentences if sentence)


def _expected(error: NotationError) -> str:
    return f" Expected: {', '.join(error.expected)}." if error.expected else ""


def _save(table: Table, course: _Course, file: str, say: Callable[[str], None]) -> None:
    if not file:
        say("Name the file: save oregon.json")
        return
    try:
        Path(file).write_text(
            json.dumps(write_record(record_of(table, course.states, course.log)), indent=1) + "\n", encoding="utf-8"
        )
    except OSError as error:
        say(f"{file} cannot be written: {error.strerror}.")
        return
    say(f"The record is in {file}.")


def record_of(table: Table, states: Sequence[Any], log: Sequence[Entry[Any]]) -> Record:
    """The record of the match so far.

    While it runs, what is hidden from a spectator stays concealed and the secret is kept.
    """
    game, options = table.game, to_document(table.setup.options)
    over = not game.to_act(states[-1])
    logged = []
    for state, entry in zip(states, log, strict=False):
        action = entry.action if over else game.seen(state, entry.seat, entry.action, SPECTATOR)
        logged.append(LoggedAction(entry.seat, None if action is None else to_document(action)))
    agreed = terms(table.match, game.info.name, game.info.rules_version, table.setup.seats, options, table.components)
    return Record(
        format=FORMAT,
        match=table.match,
        game=game.info.name,
        rules_version=game.info.rules_version,
        players=table.names,
        options=options,
        components=table.components,
        commitment=commitment(table.secret, agreed),
        nonces=table.nonces,
        log=tuple(logged),
        secret=table.secret.hex() if over else None,
        outcome=game.outcome(states[-1]),
    )
