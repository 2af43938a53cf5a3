"""Plays a match at one keyboard: shows what happened and the board to the awaited seat, reads a
command, a number or notation, judges it as the service does, and passes on to the next seat.

Input lines come from an iterator, output goes to a function: a pipe or a test can replace both.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from engine import play
from engine.bots import substitute
from engine.documents import to_document
from engine.draws import drawing
from engine.errors import NotationError
from engine.game import AnyGame
from engine.play import Draw, adjudicate, begin, legal_actions, prompt, walk
from engine.record import LoggedAction, Record, opened_record, write_record
from engine.sentences import outcome_told, prompt_told
from engine.slips import playable
from engine.types import CHANCE, SPECTATOR, Entry, Outcome, Seat, Setup, Viewer, Violation

HELP = """\
?            list what is legal, numbered      ? WORD   only what has the word in it
3            do number 3 of that list          LINE     do what the line of notation says
board        show the board again              log      what happened so far
undo         take back, up to the last draw    save FILE  write the record
help         this text and the notation        quit     leave"""


@dataclass(frozen=True, slots=True)
class LocalMatch:
    """The parameters of a match: ``names`` are those of the seats, ``bots`` the seats that a bot
    plays, ``components`` is the document of the component set, ``match`` the id of the match,
    ``secret`` (32 bytes) determines all draws.
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
        """A nonce for each seat; constant, since all players use this machine."""
        return tuple(f"hotseat-{seat}" for seat in range(self.setup.seats))

    @property
    def opened(self) -> Record:
        """The record of the match before its first entry."""
        game, nonces = self.game, self.nonces
        return opened_record(game, self.match, self.setup, self.components, self.names, self.secret, nonces)

    @property
    def draw(self) -> Draw:
        """The draws of the match, as ``engine.play`` takes them."""
        return drawing(self.secret, self.match, self.opened.commitment, self.nonces)


@dataclass(slots=True)
class _Progress:
    """The progress of the match: ``states[n]`` is the state at ply n; ``told`` the ply up to which
    each seat has been shown the log; ``undo_limit`` the ply before which ``undo`` cannot go back.
    """

    states: list[Any]
    log: list[Entry[Any]]
    told: dict[Seat, int] = field(default_factory=dict)
    undo_limit: int = 0

    @property
    def state(self) -> Any:
        return self.states[-1]

    def extend(self, game: AnyGame, entries: Sequence[Entry[Any]]) -> None:
        self.states.extend(step.after for step in walk(game, self.state, len(self.log), entries, None))
        self.log.extend(entries)
        if any(entry.seat == CHANCE for entry in entries):
            self.undo_limit = len(self.log)

    def back(self) -> bool:
        """Removes the last entry; ``False`` if chance or another seat has acted since."""
        if len(self.log) <= self.undo_limit:
            return False
        self.states.pop()
        self.log.pop()
        return True


def run(local: LocalMatch, lines: Iterator[str], say: Callable[[str], None], pass_to: Callable[[str], None]) -> None:
    """Plays until the end of the match, ``quit`` or the last line: ``say(text)`` prints,
    ``pass_to(name)`` waits until that player is at the screen.
    """
    game = local.game
    _, entries = begin(game, local.setup, local.draw)
    progress = _Progress([game.setup(local.setup)], [])
    progress.extend(game, entries)
    shown: Seat | None = None
    while (awaited := game.to_act(progress.state)) and _outcome(game, progress.states) is None:
        seat = next((seat for seat in awaited if seat in local.bots), awaited[0])
        if seat in local.bots:
            _act(local, progress, seat, (substitute(game, progress.state, seat),))
            continue
        if seat != shown and shown is not None:
            pass_to(local.names[seat])
        if seat != shown or progress.told[seat] < len(progress.log):
            shown = seat
            progress.undo_limit = len(progress.log)
            _show(local, progress, seat, say)
        asked = prompt_told(game, prompt(game, progress.state, seat, seat)).sentence
        say(f"{local.names[seat]}: {asked} (? lists what is legal, help explains)")
        line = next(lines, None)
        if line is None or line.strip().lower() in ("quit", "exit"):
            say("The match is left unfinished.")
            return
        _answer(local, progress, seat, line.strip(), say)
    _show_end(local, progress, say)
    for line in lines:
        if line.strip().lower() in ("quit", "exit"):
            return
        _after_the_end(local, progress, line.strip(), say)


def _answer(local: LocalMatch, progress: _Progress, seat: Seat, line: str, say: Callable[[str], None]) -> None:
    word, _, rest = line.partition(" ")
    match word.lower():
        case "":
            pass
        case "?":
            _list(local, progress.state, seat, rest.strip().lower(), say)
        case "help":
            say(f"{HELP}\n\n{local.game.info.notation}")
        case "board":
            say(_board(local, progress.state, seat))
        case "log":
            say(_told(local, progress, seat, 0))
        case "undo":
            nothing = "There is nothing to take back: a draw or another seat came in between."
            say(_board(local, progress.state, seat) if progress.back() else nothing)
        case "save":
            _save(local, progress, rest.strip(), say)
        case _:
            _submit(local, progress, seat, line, say)


def _after_the_end(local: LocalMatch, progress: _Progress, line: str, say: Callable[[str], None]) -> None:
    word, _, rest = line.partition(" ")
    match word.lower():
        case "":
            pass
        case "log":
            say(_told(local, progress, SPECTATOR, 0))
        case "save":
            _save(local, progress, rest.strip(), say)
        case _:
            say("The match is over: log, save FILE or quit.")


def _list(local: LocalMatch, state: Any, seat: Seat, wanted: str, say: Callable[[str], None]) -> None:
    lines = [local.game.format(action) for action in legal_actions(local.game, state, seat)]
    found = [f"{number:4}  {line}" for number, line in enumerate(lines, 1) if wanted in line.lower()]
    say("\n".join(found) if found else f'No legal action has "{wanted}" in it; legal actions in all: {len(lines)}.')


def _submit(local: LocalMatch, progress: _Progress, seat: Seat, line: str, say: Callable[[str], None]) -> None:
    game = local.game
    if line.isdecimal():
        legal = legal_actions(game, progress.state, seat)
        if not 1 <= int(line) <= len(legal):
            say(f"There is no number {line}: the legal actions are numbered from 1 to {len(legal)}.")
            return
        actions: tuple[Any, ...] = (legal[int(line) - 1],)
    else:
        try:
            actions = game.parse(line)
        except NotationError as error:
            said = playable(game, progress.state, seat, error).message
            say(f"  {error.line}\n  {' ' * error.column}^\n{said}")
            return
    before = len(progress.log)
    violation = _act(local, progress, seat, actions)
    if len(progress.log) > before:
        say(_told(local, progress, seat, before))
        if seat in game.to_act(progress.state):
            say(_board(local, progress.state, seat))
    if violation is not None:
        say(f"{f'[{violation.rule}] ' if violation.rule else ''}{violation.message}")


def _act(local: LocalMatch, progress: _Progress, seat: Seat, actions: Sequence[Any]) -> Violation | None:
    judgement = adjudicate(local.game, progress.state, len(progress.log), seat, actions, local.draw)
    progress.extend(local.game, judgement.entries)
    return judgement.violation


def _show(local: LocalMatch, progress: _Progress, seat: Seat, say: Callable[[str], None]) -> None:
    news = _told(local, progress, seat, progress.told.get(seat, 0))
    say(f"\n=== {local.names[seat]} ===" + (f"\n{news}" if news else ""))
    say(_board(local, progress.state, seat))


def _show_end(local: LocalMatch, progress: _Progress, say: Callable[[str], None]) -> None:
    say(f"\n{_board(local, progress.state, SPECTATOR)}")
    outcome = _outcome(local.game, progress.states)
    assert outcome is not None
    say(outcome_told(local.game, outcome).ended.sentence)
    for seat in sorted(range(local.setup.seats), key=lambda seat: outcome.ranks[seat]):
        say(f"{outcome.ranks[seat]}. {local.names[seat]}: {outcome.scores[seat]}")


def _board(local: LocalMatch, state: Any, viewer: Viewer) -> str:
    return local.game.text(local.game.observe(state, viewer), local.names)


def _told(local: LocalMatch, progress: _Progress, viewer: Viewer, start: int) -> str:
    """The narration from ply ``start`` on for the viewer, one sentence or more for each entry."""
    sentences = []
    for ply, entry in enumerate(progress.log[start:], start):
        before, after = progress.states[ply], progress.states[ply + 1]
        sentences.append(local.game.narrate(before, entry.seat, entry.action, after, viewer, local.names))
    if viewer is not None:
        progress.told[viewer] = len(progress.log)
    return "\n".join(sentence for sentence in sentences if sentence)


def _save(local: LocalMatch, progress: _Progress, file: str, say: Callable[[str], None]) -> None:
    if not file:
        say("Name the file: save oregon.json")
        return
    document = write_record(record_of(local, progress.states, progress.log))
    try:
        Path(file).write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        say(f"{file} cannot be written: {error.strerror}.")
        return
    say(f"The record is in {file}.")


def _outcome(game: AnyGame, states: Sequence[Any]) -> Outcome | None:
    """The outcome of the match with these states, the first at ply 0."""
    return play.outcome(game, states[-1], len(states) - 1)


def record_of(local: LocalMatch, states: Sequence[Any], log: Sequence[Entry[Any]]) -> Record:
    """The record so far; while the match runs without what spectators may not see."""
    outcome = _outcome(local.game, states)
    logged = []
    for state, entry in zip(states, log, strict=False):
        action = entry.action if outcome else local.game.seen(state, entry.seat, entry.action, SPECTATOR)
        logged.append(LoggedAction(entry.seat, None if action is None else to_document(action)))
    secret = local.secret.hex() if outcome else None
    return replace(local.opened, log=tuple(logged), secret=secret, outcome=outcome)
