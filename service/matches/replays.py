"""Replays the log of a match from the nearest remembered state, and its draws (``engine.draws``).

It does so by the rules that the match began with. What these hand back is checked before anything
else goes by it (``checked``): whoever wrote a game may have erred. A value of a wrong type raises
``TypeError``, where every user of a game is prepared for what it raises, and not later, where it is
written. Texts lose what no mail, page or database can hold, and what is longer than anybody reads.

A state is only ever the result of replaying a log. Those that are remembered here come from
committed entries that were checked one by one; that of a step is remembered after its commit
(``progress.publish``, ``OwnRulings.committed``).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from functools import cache
from typing import Any, Final

import structlog
from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from engine import play, registry
from engine.documents import from_document
from engine.draws import digest, drawing, nonces_digest
from engine.errors import UnknownGame
from engine.game import AnyGame
from engine.play import Draw, Replayed, read_action
from engine.sentences import filled_in
from engine.types import Entry, Problem, Seat, Sentence, Setup, Statement
from engine.wording import LONGEST_LINE, UNSEEN
from service.context import Replaying
from service.errors import Conflict, ServiceError, Unavailable
from service.store import matches as rows
from service.store.matches import StoredEntry, StoredMatch

RETRY_SECONDS: Final = 60
LONGEST_TEXT: Final = 50_000
LONGEST_PICTURE: Final = 5_000_000
"""Characters of a board as text, and of a picture."""
NOT_EXPLAINED: Final = "The rules do not allow this, and fail at saying why (code {code}, rule {rule})."
SLOW_SECONDS: Final = 5.0
_SHOWN: Final = "\ufffd"
_busy: Final = set[tuple[str, int, float]]()
"""The matches whose rules are asked for something, the threads that do so, and since when."""
_log = structlog.get_logger(__name__)


class MatchUnreadable(Unavailable):
    """The log of a match cannot be replayed.

    ``reason`` is what was raised, for the host only; empty where the match was marked before.
    ``mended`` is the ``unreadable_reason`` of the match as it was read.
    """

    code = "match_unreadable"
    sentence = (
        "The log of match {} cannot be read at present. Nothing is lost: the match goes on when the host has mended it."
    )

    def __init__(self, match_id: str, reason: str = "", mended: str | None = None) -> None:
        super().__init__(self.sentence.format(match_id), RETRY_SECONDS)
        self.match_id, self.reason, self.mended = match_id, reason, mended


class RulesFail(MatchUnreadable):
    """The rules of a match fail at beginning or showing it, which is logged. It is not marked: its
    log, if it has one, can be replayed.
    """

    sentence = "The rules of match {} fail at this. Nothing is lost, and the log of the service says why."


def remembered(context: Replaying, match: StoredMatch) -> Any | None:
    """The state of a match at ``match.ply``, where this process remembers it."""
    known = context.states.nearest(match.id, match.ply)
    return known[1] if known is not None and known[0] == match.ply and match.unreadable_at is None else None


def load(connection: Connection, context: Replaying, match: StoredMatch, ply: int | None = None) -> Any:
    """The state of a match at ``ply``, by default ``match.ply``. Call it before the transaction
    appends anything. Raises ``MatchUnreadable`` where the log does not fit the rules.
    """
    at = match.ply if ply is None else ply
    known, state = _nearest(connection, context, match, at)
    for step in _onward(connection, context, match, known, state, at):
        state = step.after
    return state


def walk(
    connection: Connection,
    context: Replaying,
    match: StoredMatch,
    start: int,
    stop: int | None = None,
    read: Sequence[StoredEntry] = (),
) -> Iterator[Replayed]:
    """The entries of a match from ply ``start`` to before ply ``stop``, by default its end, each
    with the states before and after it. ``read`` are entries that were read before. The database is
    read before this returns; the entries are replayed lazily. Called, and raises, as ``load``.
    """
    until = match.ply if stop is None else stop
    if start >= until:
        return iter(())
    known, state = _nearest(connection, context, match, start)
    steps = _onward(connection, context, match, known, state, until, read)
    return (step for step in steps if step.ply >= start)


def _nearest(connection: Connection, context: Replaying, match: StoredMatch, ply: int) -> tuple[int, Any]:
    """The latest ply up to ``ply`` whose state is remembered, or 0, with that state."""
    if match.unreadable_at is not None:
        raise MatchUnreadable(match.id)
    known = context.states.nearest(match.id, ply)
    if known is not None:
        return known
    game = game_of(match)
    with _readable(match):
        begun = game.setup(_setup(connection, context, match))
    context.states.remember(match.id, 0, begun)
    return 0, begun


def _onward(
    connection: Connection,
    context: Replaying,
    match: StoredMatch,
    ply: int,
    state: Any,
    stop: int,
    read: Sequence[StoredEntry] = (),
) -> Iterator[Replayed]:
    """The entries from ``ply`` to before ``stop``; the state after each is remembered."""
    game = game_of(match)
    with _readable(match):
        entries = entries_of(connection, game, match, ply, stop, read) if ply < stop else ()
        if len(entries) != max(0, stop - ply):
            raise LookupError(f"The log has {len(entries)} entries from ply {ply} to {stop}.")
    return _remembered(context, match, play.walk(game, state, ply, entries))


def _remembered(context: Replaying, match: StoredMatch, steps: Iterator[Replayed]) -> Iterator[Replayed]:
    while True:
        with _readable(match):
            step = next(steps, None)
        if step is None:
            return
        context.states.remember(match.id, step.ply + 1, step.after)
        yield step


@contextmanager
def _raised_as(unreadable: Callable[[Exception], MatchUnreadable]) -> Iterator[None]:
    """Turns whatever a damaged log or a fault in the rules raises into what is made of it."""
    try:
        yield
    except (ServiceError, SQLAlchemyError, MemoryError):
        raise
    except Exception as error:
        raise unreadable(error) from error


@contextmanager
def ruled(match_id: str) -> Iterator[None]:
    """Turns whatever the rules of a match raise into ``RulesFail``, and logs it. Raises it at once
    while they keep another thread for longer than ``SLOW_SECONDS``, lest they keep all of them.
    """
    me, now = threading.get_ident(), time.monotonic()

    def failed(error: Exception) -> RulesFail:
        _log.error("match.rules_failed", match=match_id, exc_info=error)
        return RulesFail(match_id)

    if any(match == match_id and thread != me and now - since > SLOW_SECONDS for match, thread, since in tuple(_busy)):
        _log.error("match.rules_slow", match=match_id)
        raise RulesFail(match_id)
    _busy.add(mine := (match_id, me, now))
    try:
        with _raised_as(failed):
            yield
    finally:
        _busy.discard(mine)


def _readable(match: StoredMatch) -> AbstractContextManager[None]:
    return _raised_as(
        lambda error: MatchUnreadable(match.id, f"{type(error).__name__}: {error}", match.unreadable_reason)
    )


def rebuilt(connection: Connection, match: StoredMatch) -> Any:
    """The state at ``match.ply``, replayed from the database alone. Raises ``IllegalAction``."""
    game = game_of(match)
    return play.replay(game, setup_of(connection, match), entries_of(connection, game, match))


def game_of(match: StoredMatch) -> AnyGame:
    """The game, checked, by the rules that the match began with. Raises ``Conflict`` without."""
    try:
        return checked(registry.game(match.game, match.rules_version))
    except UnknownGame as error:
        sentence = (
            f"This match is played by version {match.rules_version} of the rules of {match.game}, which is"
            " not installed here. Nothing is lost: the match can be played again once it is."
        )
        raise Conflict(sentence, "rules_version_missing") from error


def game_at_hand(match: StoredMatch) -> AnyGame | None:
    """The game of a match; ``None`` where the version of its rules is no longer installed."""
    try:
        return game_of(match)
    except Conflict:
        return None


def at_hand(match: StoredMatch) -> bool:
    """Whether the version of the rules that a match began with is installed."""
    return game_at_hand(match) is not None


def longest_of(connection: Connection, context: Replaying, match: StoredMatch) -> int | None:
    """The most plies of a match, which its game names from components and seats; ``None`` once it
    is over, and where the game is not installed. Raises ``MatchUnreadable``.
    """
    if match.finished_at is not None or not at_hand(match):
        return None
    with _readable(match):
        game = game_of(match)
        return play.longest(game, game.setup(_setup(connection, context, match)))


def setup_of(connection: Connection, match: StoredMatch) -> Setup:
    """The setup of a match: number of seats, options, components; all of it as it is stored."""
    game = game_of(match)
    return Setup(
        len(match.seats),
        from_document(game.options, match.options),
        game.load_components(rows.components(connection, match.id)),
    )


def _setup(connection: Connection, context: Replaying, match: StoredMatch) -> Setup:
    """The same; a component set that another match had is not read and parsed again."""
    game, key = game_of(match), (match.game, match.rules_version, match.components_digest)
    components = context.states.component_set(key)
    if components is None:
        document = rows.components(connection, match.id)
        components = game.load_components(document)
        if digest(document) == match.components_digest:
            context.states.remember_component_set(key, components)
    return Setup(len(match.seats), from_document(game.options, match.options), components)


def entries_of(
    connection: Connection,
    game: AnyGame,
    match: StoredMatch,
    start: int = 0,
    stop: int | None = None,
    read: Sequence[StoredEntry] = (),
) -> tuple[Entry[Any], ...]:
    """The entries of a match from ply ``start`` to before ply ``stop``, its end by default, as
    actions of the game; the database is asked unless they are all among those ``read`` before.
    """
    until = match.ply if stop is None else stop
    found: Sequence[StoredEntry] = [entry for entry in read if start <= entry.ply < until]
    if len(found) < until - start:
        found = rows.log(connection, match.id, start, until)
    return tuple(Entry(row.seat, read_action(game, row.seat, row.action)) for row in found)


def digest_of(match: StoredMatch) -> str | None:
    """The digest of all nonces; ``None`` before the start, and where the match is damaged."""
    nonces = _nonces(match)
    if match.started_at is None or len(nonces) != len(match.seats):
        return None
    return nonces_digest(match.id, match.commitment, nonces)


def draw_of(match: StoredMatch) -> Draw:
    """The draws of a match. Raises ``ValueError`` where a seat has no nonce."""
    nonces = _nonces(match)
    if len(nonces) != len(match.seats):
        raise ValueError(f"match {match.id} has a seat without a nonce")
    return drawing(match.secret, match.id, match.commitment, nonces)


def _nonces(match: StoredMatch) -> list[str]:
    return [seat.nonce for seat in match.seats if seat.nonce is not None]


@cache
def checked(game: AnyGame) -> AnyGame:
    """The game, all of whose functions hand back what they are to."""
    return replace(
        game,
        to_act=_seats(game.to_act),
        prompt=_statement("prompt", game.prompt),
        own_prompt=None if game.own_prompt is None else _statement("own_prompt", game.own_prompt),
        prompts=_sentences("prompts", game.prompts),
        endings=_sentences("endings", game.endings),
        explain=_explains(game.explain),
        format=_says("format", game.format, _line),
        narrate=_says("narrate", game.narrate, _line),
        text=_says("text", game.text, lambda text: _clean(text)[:LONGEST_TEXT]),
        svg=_says("svg", game.svg, _picture),
    )


def _line(text: str) -> str:
    """The text as one line, without what nobody can see."""
    if len(text) <= LONGEST_LINE and text.isprintable():
        return text  # as nearly all are
    clean = _clean(text[: LONGEST_LINE + 1])
    shown = " ".join(clean.split()) if "\n" in clean or "\t" in clean else clean
    return shown if len(shown) <= LONGEST_LINE else f"{shown[: LONGEST_LINE - 1]}…"


def _clean(text: str) -> str:
    return UNSEEN.sub(_SHOWN, text.replace("\r\n", "\n")) if UNSEEN.search(text) else text


def _picture(picture: str) -> str:
    """The picture; raises ``ValueError`` for one that is far too large."""
    if len(picture) > LONGEST_PICTURE:
        raise ValueError(f"svg gave {len(picture)} characters, more than {LONGEST_PICTURE}")
    return _clean(picture)


def _says(name: str, function: Callable[..., Any], cleaned: Callable[[str], str]) -> Callable[..., str]:
    def said(*args: Any) -> str:
        text = function(*args)
        if not isinstance(text, str):
            raise TypeError(f"{name} gave a {type(text).__name__}, which is no text")
        return cleaned(text)

    return said


def _explains(explain: Callable[[Problem], Any]) -> Callable[[Problem], str]:
    """What explains problems; one that the game fails at has a sentence, too, as it was refused."""
    said = _says("explain", explain, _line)

    def explained(problem: Problem) -> str:
        try:
            return said(problem)
        except Exception:
            _log.exception("rules.not_explained", problem=problem.code, rule=problem.rule)
            return NOT_EXPLAINED.format(code=problem.code, rule=problem.rule)

    return explained


def _sentences(name: str, sentences: Mapping[str, Sentence]) -> Mapping[str, Sentence]:
    def sentence(code: str) -> Sentence:
        return _says(f"{name}[{code!r}]", lambda values: filled_in(sentences, Statement(code, values)), _line)

    return {code: sentence(code) for code in sentences}


def _statement(name: str, function: Callable[[Any, Seat], Any]) -> Callable[[Any, Seat], Statement]:
    def told(state: Any, seat: Seat) -> Statement:
        statement = function(state, seat)
        if not isinstance(statement, Statement):
            raise TypeError(f"{name} gave a {type(statement).__name__}, which is no Statement")
        for key, value in statement.values.items():
            if not isinstance(value, str | int | tuple | list | None):
                raise TypeError(f"{name} gave {key} as a {type(value).__name__}, which cannot be stored")
        return statement

    return told


def _seats(to_act: Callable[[Any], Any]) -> Callable[[Any], tuple[Seat, ...]]:
    """Each awaited seat once; raises ``TypeError`` where something is no seat."""

    def awaited(state: Any) -> tuple[Seat, ...]:
        seats = to_act(state)
        if type(seats) is tuple and (not seats or (len(seats) == 1 and type(seats[0]) is int)):
            return seats  # as nearly all are
        if not isinstance(seats, tuple | list) or not all(type(seat) is int for seat in seats):
            raise TypeError(f"to_act gave {seats!r}, which is no tuple of seats")
        return tuple(dict.fromkeys(seats))

    return awaited
