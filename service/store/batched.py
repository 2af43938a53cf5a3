"""Batches calls that are made at the same time: a process queries the database once for what the
tasks of its loop ask for at once. Their calls are gathered until no task can go on; then a helper
thread runs the batch. Threads, which do what is rarer, ask for themselves.

Mails of verdicts that were answered to requests are covered in the background, for all answers of
about a second at once: they are due much later. What is not recorded, because the process is killed
or the database is away, is mailed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from math import inf
from typing import Any, Final, Generic, TypeAlias, TypeVar

import structlog
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from service.store import covering, maintenance, matches, tokens, turns
from service.store.covering import AnsweredVerdict
from service.store.database import Database
from service.store.failures import MOST_LOCKED, is_locked, is_outage
from service.store.maintenance import Maintenance
from service.store.matches import StoredMatch
from service.store.players import Player
from service.store.tokens import Token
from service.store.turns import StoredTurn, VerdictRow
from service.waits import Tasks, current, signal

REMEMBERED_SECONDS: Final = 1.0
"""For how long a process relies on what it has read of a maintenance."""
Shown = TypeVar("Shown")
ShowVerdict: TypeAlias = Callable[[Connection, VerdictRow | None], Any]
"""Makes of the row of a turn what is asked for; it may read more."""


@dataclass(frozen=True, slots=True)
class Opening:
    """The unrevoked token of a request, with its player, and the match that it is about."""

    holder: tuple[Token, Player] | None
    match: StoredMatch | None


class BatchedStore:
    """The batches of a process, one object for all its requests."""

    def __init__(self) -> None:
        self.answers = Answers()
        self._openings: Batcher[tuple[str, str | None], Opening] = Batcher()
        self._matches: Batcher[str, StoredMatch | None] = Batcher()
        self._earlier: Batcher[tuple[str, str], StoredTurn | None] = Batcher()
        self._wakings: Batcher[None, None] = Batcher()
        self._submissions: Batcher[StoredTurn, bool] = Batcher()
        self._verdicts: Batcher[tuple[str, ShowVerdict], Any] = Batcher()
        self._reads: Batcher[Callable[[Connection], Any], Any] = Batcher()
        self._maintenances: Batcher[None, Maintenance | None] = Batcher()
        self._maintenance: tuple[float, Maintenance | None] = -inf, None

    def read(self, database: Database, read: Callable[[Connection], Shown]) -> Shown:
        """What ``read`` reads, in one snapshot with what others read at the same time."""
        found: Shown = self._reads.call(lambda asked: _read(database, asked), read)
        return found

    def opening(self, database: Database, token_hash: str, match_id: str | None) -> Opening:
        """The token whose secret has that hash, and the match with that id, where one is named."""
        return self._openings.call(lambda asked: _opened(database, asked), (token_hash, match_id))

    def match(self, database: Database, match_id: str) -> StoredMatch | None:
        return self._matches.call(lambda ids: _found(database, ids), match_id)

    def earlier(self, database: Database, player_id: str, idempotency_key: str) -> StoredTurn | None:
        """The turn that the player submitted with that key."""
        return self._earlier.call(lambda asked: _by_keys(database, asked), (player_id, idempotency_key))

    def maintenance(self, database: Database, timer: Callable[[], float]) -> Maintenance | None:
        """The present maintenance, or ``None``: read at most once in ``REMEMBERED_SECONDS``."""

        def is_fresh() -> bool:
            return timer() - self._maintenance[0] < REMEMBERED_SECONDS

        def read(asked: Sequence[None]) -> Sequence[Maintenance | None]:
            if not is_fresh():
                asked_at = timer()
                with database.look() as connection:
                    self._maintenance = asked_at, maintenance.find(connection)
            return [self._maintenance[1]] * len(asked)

        return self._maintenance[1] if is_fresh() else self._maintenances.call(read, None)

    def wake(self, wake: Callable[[], object]) -> None:
        """Calls ``wake`` once for all that ask for it at the same time."""
        self._wakings.call(lambda asked: _woken(wake, asked), None)

    def add(self, database: Database, turn: StoredTurn, committed: Callable[[], object]) -> bool:
        """Adds a turn, committed when this returns ``True``; ``committed`` is called once for all
        turns of the transaction. Returns ``False`` where the player has used the idempotency key
        before, or the seat has a waiting turn.
        """
        return self._submissions.call(lambda submitted: _add(database, submitted, committed), turn)

    def verdict(
        self, database: Database, turn_id: str, show: Callable[[Connection, VerdictRow | None], Shown]
    ) -> Shown:
        """What ``show`` makes of the status and verdict of the turn with that id."""
        shown: Shown = self._verdicts.call(lambda asked: _shown(database, asked), (turn_id, show))
        return shown


def _by_keys(database: Database, asked: Sequence[tuple[str, str]]) -> Sequence[StoredTurn | None]:
    with database.look() as connection:
        return [turns.by_key(connection, player_id, key) for player_id, key in asked]


def _woken(wake: Callable[[], object], asked: Sequence[None]) -> Sequence[None]:
    wake()
    return asked


def _add(database: Database, submitted: Sequence[StoredTurn], committed: Callable[[], object]) -> Sequence[bool]:
    with database.write() as connection:
        refused = turns.add_all(connection, submitted)
    if len(refused) < len(submitted):
        committed()
    return [turn.id not in refused for turn in submitted]


def _opened(database: Database, asked: Sequence[tuple[str, str | None]]) -> Sequence[Opening]:
    hashes, ids = [token_hash for token_hash, _ in asked], [match_id for _, match_id in asked if match_id is not None]
    with database.look() as connection:
        holders = tokens.by_hashes(connection, hashes)
        found = matches.find_all(connection, ids) if ids else {}
    return [Opening(holders.get(token_hash), found.get(match_id or "")) for token_hash, match_id in asked]


def _found(database: Database, match_ids: Sequence[str]) -> Sequence[StoredMatch | None]:
    with database.look() as connection:
        found = matches.find_all(connection, match_ids)
    return [found.get(match_id) for match_id in match_ids]


def _shown(database: Database, asked: Sequence[tuple[str, ShowVerdict]]) -> Sequence[Any]:
    with database.look() as connection:
        found = turns.verdicts(connection, [turn_id for turn_id, _ in asked])
        return [_outcome(show, connection, found.get(turn_id)) for turn_id, show in asked]


def _read(database: Database, asked: Sequence[Callable[[Connection], Any]]) -> Sequence[Any]:
    with database.read() as connection:
        return [_outcome(read, connection) for read in asked]


def _outcome(show: Callable[..., Any], *arguments: Any) -> Any:
    try:
        return show(*arguments)
    except Exception as error:  # raised in the caller
        return error


Request = TypeVar("Request")
Result = TypeVar("Result")

MAX_BATCH: Final = 64


class _Call(Generic[Request, Result]):
    """The call of a task or thread: its request, and its result or error once that is there."""

    __slots__ = ("done", "request", "result")

    def __init__(self, request: Request) -> None:
        self.request = request
        self.result: Result | BaseException | None = None
        self.done = signal()


class Batcher(Generic[Request, Result]):
    """Runs a function of many requests for the tasks of one loop; a thread runs it for its own
    request.
    """

    def __init__(self) -> None:
        self._gathered: list[_Call[Request, Result]] = []
        self._busy = False

    def call(self, work: Callable[[Sequence[Request]], Sequence[Result | Exception]], request: Request) -> Result:
        """The result of ``work`` for this request.

        ``work`` is given all requests that wait, at most ``MAX_BATCH``, and gives as many results
        in the same order, or raises and has done nothing. An exception among the results is raised
        in the caller whose request it answers, and so is one of which a request is the cause; one
        of an outage is raised in every caller of the batch.
        """
        own: _Call[Request, Result] = _Call(request)
        task = current()
        if task is None:
            _answer(work, [own])
        else:
            self._gathered.append(own)
            if not self._busy:
                self._busy = True
                self._begin_soon(task.tasks, work)
            own.done.wait()
        if isinstance(own.result, BaseException):
            raise own.result
        return own.result  # type: ignore[return-value]

    def _begin_soon(self, tasks: Tasks, work: Callable[[Sequence[Request]], Sequence[Result | Exception]]) -> None:
        """Has a helper thread run a batch as soon as no task can go on, and the next after it."""

        def begin() -> None:
            batch, self._gathered = self._gathered[:MAX_BATCH], self._gathered[MAX_BATCH:]
            tasks.help(lambda: _answer(work, batch), lambda: end(batch))

        def end(batch: Sequence[_Call[Request, Result]]) -> None:
            self._busy = bool(self._gathered)
            if self._busy:
                tasks.when_quiet(begin)
            for call in batch:
                call.done.set()

        tasks.when_quiet(begin)


def _answer(
    work: Callable[[Sequence[Request]], Sequence[Result | Exception]], batch: Sequence[_Call[Request, Result]]
) -> None:
    """Runs a batch, and gives each of its calls the result or the error. Where one of the requests
    may be the cause of an error, each is done alone.
    """
    try:
        results: Sequence[Any] = work([call.request for call in batch])
        if len(results) != len(batch):
            raise AssertionError(f"{len(batch)} requests, but {len(results)} results")
    except BaseException as error:
        if len(batch) > 1 and isinstance(error, DBAPIError | ValueError) and not is_outage(error):
            locked = 1
            for call in batch:
                if locked < MOST_LOCKED:
                    _answer(work, [call])
                    if is_locked(call.result):
                        locked += 1
                else:
                    call.result = error
            return
        results = [error] * len(batch)
    for call, result in zip(batch, results, strict=True):
        call.result = result


SECONDS: Final = 1.0
"""For how long answers are gathered."""

log = structlog.get_logger("service.store")


class Answers:
    """The answers of a process that are to be recorded; one object for all its requests."""

    def __init__(self) -> None:
        self._gathered: list[AnsweredVerdict] = []

    def add(self, tasks: Tasks, database: Database, clock: Callable[[], datetime], answered: AnsweredVerdict) -> None:
        """Records an answer that was written, soon; called by the loop of these tasks."""
        self._gathered.append(answered)
        if len(self._gathered) == 1:
            tasks.loop.call_later(SECONDS, lambda: tasks.help(partial(_record, database, clock, self._taken())))

    def record(self, database: Database, clock: Callable[[], datetime]) -> None:
        """Records what is gathered at once."""
        _record(database, clock, self._taken())

    def _taken(self) -> Sequence[AnsweredVerdict]:
        gathered, self._gathered = self._gathered, []
        return gathered


def _record(database: Database, clock: Callable[[], datetime], gathered: Sequence[AnsweredVerdict]) -> None:
    """Covers the mails of these answers. An error is logged: these verdicts are mailed."""
    if not gathered:
        return
    try:
        with database.write() as connection:
            covering.cover_answered(connection, gathered, clock())
    except Exception as error:
        log.warning("answers.not_recorded", answers=len(gathered), error=type(error).__name__)
