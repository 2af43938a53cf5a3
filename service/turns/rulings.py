"""Rules on turns, in child processes: a turn that hangs or kills its judge ends a child and nothing
else. No transaction is open and no lock is held meanwhile.

A child is sent a batch of turns with their matches, and answers with verdicts and rows to write. It
remembers the states that its rulings lead to, and believes them when the parent says that they are
committed.

A child that is slow is left alone with the turn that it is at, until its deadline, and a second one
goes on with the other turns. The more are slow, the sooner another one counts as slow; where there
are too many, the one that has taken longest gives way and is tried alone later. Only time of its
own counts (``service.guard``).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeAlias

import structlog
from sqlalchemy.exc import SQLAlchemyError

from engine.play import Replayed
from service.announcements import Telling
from service.children import Child, ForkServer, Role
from service.errors import Conflict
from service.guard import (
    STEP_SECONDS,
    Answered,
    Batch,
    Bounds,
    ChildOutcome,
    Died,
    Failure,
    OutOfTime,
    Raised,
    Waited,
    facts,
)
from service.loop import failure_of
from service.matches import progress, replays
from service.matches.progress import ProgressRows
from service.states import States
from service.store.database import Database
from service.store.matches import StoredMatch
from service.store.turns import StoredTurn
from service.turns.judge import Judged, closed, judge
from service.turns.verdicts import StoredVerdict, telling

SLOW_SECONDS: Final = 0.4
"""After this time with one turn another child goes on with the others; half of it where one is slow
already, a third where two are, and so on.
"""
BATCH_SECONDS: Final = 0.8
"""After this time a child begins no further turn of its batch."""
MOST_SLOW: Final = 8
"""How many children may be slow at the same time."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Case:
    """A turn to rule on, and its match as it was read."""

    match: StoredMatch
    turn: StoredTurn


@dataclass(frozen=True, slots=True)
class Ruling:
    """The verdict on a turn, the rows to write if any of its actions are accepted, and the verdict
    as it is told to its submitter, where a request waits for that.
    """

    verdict: StoredVerdict
    rows: ProgressRows | None
    told: Telling | None = None


@dataclass(frozen=True, slots=True)
class Unreadable:
    """The log of the match cannot be replayed: a code, and for the host what was raised."""

    reason: str
    error: str


RulingResult: TypeAlias = Ruling | Unreadable | Failure
"""A turn whose ruling has ``Waited`` is ruled on another time."""


class Rulings(Protocol):
    """Rules on turns."""

    def rule(self, cases: Sequence[Case]) -> list[tuple[Case, RulingResult]]:
        """Rules on turns of different matches. Returns the results that are there soon, in any
        order; turns without one have to be sent again, unless they are in ``slow``.
        """
        ...

    def collect(self, seconds: float = 0) -> list[tuple[Case, RulingResult]]:
        """The results since then of turns that were slow, after waiting at most ``seconds``."""
        ...

    def slow(self) -> frozenset[str]:
        """The ids of the turns that take longer."""
        ...

    def committed(self, turn_ids: Collection[str]) -> None:
        """Says that the rows of these rulings are committed."""


class OwnRulings:
    """Rules on turns in this process, from the states that it remembers."""

    def __init__(self, database: Database, states: States) -> None:
        self.database, self.states = database, states
        self._provisional: dict[str, tuple[str, int, Any]] = {}

    def rule(self, cases: Sequence[Case]) -> list[tuple[Case, RulingResult]]:
        return [(case, self._tried(case)) for case in cases]

    def collect(self, seconds: float = 0) -> list[tuple[Case, RulingResult]]:
        return []

    def slow(self) -> frozenset[str]:
        return frozenset()

    def committed(self, turn_ids: Collection[str]) -> None:
        """Remembers the states of these rulings, and forgets those of all others."""
        for turn_id in turn_ids:
            if turn_id in self._provisional:
                self.states.remember(*self._provisional[turn_id])
        self._provisional.clear()

    def _tried(self, case: Case) -> RulingResult:
        try:
            return self.ruling(case)
        except Exception as error:
            log.exception("turn.not_ruled", turn=case.turn.id, match=case.match.id)
            return failure_of(error)

    def ruling(self, case: Case) -> RulingResult:
        """Rules on one turn."""
        match, turn = case.match, case.turn
        try:
            refused = closed(match, turn)
            judged, since = self._judged(match, turn) if refused is None else (refused, ())
        except Conflict as error:
            return Unreadable(error.code, str(error))
        except replays.MatchUnreadable as error:
            return Unreadable(error.code, error.reason or str(error))
        except SQLAlchemyError as error:
            return Waited(f"the database could not be read: {type(error).__name__}")
        made, told = judged.progress, None
        if turn.awaited_by is not None and not turn.attempts:  # tried again, it is told by whoever waits
            told = telling(match, turn, judged.verdict, since if made is None else progress.replayed(made))
        if made is None:
            return Ruling(judged.verdict, None, told)
        self._provisional[turn.id] = match.id, made.ply, made.step.state
        return Ruling(judged.verdict, progress.rows_of(made), told)

    def _judged(self, match: StoredMatch, turn: StoredTurn) -> tuple[Judged, Sequence[Replayed]]:
        """The judgement, and the entries since the ply that the turn answers."""
        state = replays.remembered(self, match)
        if state is not None and turn.ply >= match.ply:
            return judge(match, turn, state, ()), ()
        with self.database.read() as connection:
            since = tuple(replays.walk(connection, self, match, turn.ply))
            state = since[-1].after if since else replays.load(connection, self, match)
        return judge(match, turn, state, since), since


def in_child(rulings: OwnRulings) -> Callable[[tuple[Case, Collection[str] | None]], RulingResult]:
    """What a child does with a request: a case, and with the first of a batch the turns that were
    committed before.
    """

    def handle(request: tuple[Case, Collection[str] | None]) -> RulingResult:
        case, committed = request
        if committed is not None:
            rulings.committed(committed)
        return rulings.ruling(case)

    return handle


@dataclass(slots=True)
class _Slow:
    """A child that is slow with turn number ``at`` of its batch."""

    cases: Sequence[Case]
    at: int
    batch: Batch

    @property
    def turn(self) -> StoredTurn:
        return self.cases[self.at].turn


class ChildRulings:
    """Rules on turns in children of a fork server; ``deadline`` is in seconds, for one turn.

    Not thread-safe.
    """

    def __init__(self, server: ForkServer, timer: Callable[[], float], deadline: float) -> None:
        self._server, self._timer, self._bounds = server, timer, Bounds(deadline)
        self._child: Child | None = None
        self._slow: list[_Slow] = []
        self._committed: list[str] = []

    def rule(self, cases: Sequence[Case]) -> list[tuple[Case, RulingResult]]:
        if not cases:
            return []
        given_way = list[tuple[Case, RulingResult]]()
        if len(self._slow) >= MOST_SLOW:
            given_way = self._give_way()
            if not given_way:
                return []
        return given_way + self._ruled(cases)

    def collect(self, seconds: float = 0) -> list[tuple[Case, RulingResult]]:
        results = list[tuple[Case, RulingResult]]()
        for number, slow in enumerate(tuple(self._slow)):
            outcomes = slow.batch.poll(0 if number else seconds)
            if outcomes is not None:
                self._slow.remove(slow)
                results += _paired(slow.cases, outcomes, slow.at)
                if not slow.batch.ended:
                    self._child = slow.batch.child  # it remembers more states than the one that took over
        return results

    def slow(self) -> frozenset[str]:
        return frozenset(slow.turn.id for slow in self._slow)

    def committed(self, turn_ids: Collection[str]) -> None:
        self._committed.extend(turn_ids)

    def _ruled(self, cases: Sequence[Case]) -> list[tuple[Case, RulingResult]]:
        """The results of a batch; none where the child is slow, which then goes on by itself."""
        child, self._child = self._child or self._server.child(Role.RULING), None
        committed, self._committed = self._committed, []
        requests = [(case, None if number else committed) for number, case in enumerate(cases)]
        batch, began = Batch(child, requests, self._bounds, self._timer), self._timer()
        longest = SLOW_SECONDS / (1 + len(self._slow))
        while (outcomes := batch.poll(min(STEP_SECONDS, longest))) is None:
            if self._timer() - began > BATCH_SECONDS:
                batch.stop_after_this()
            if batch.own > longest:
                batch.stop_after_this()
                self._slow.append(_Slow(cases, batch.at, batch))
                return []
        if not batch.ended:
            self._child = child
        return _paired(cases, outcomes)

    def _give_way(self) -> list[tuple[Case, RulingResult]]:
        """Ends the slow child that has taken longest with a turn that was not tried before."""
        untried = [slow for slow in self._slow if slow.batch.own and not slow.turn.attempts]
        if not untried:
            return []
        slow = max(untried, key=lambda each: each.batch.own)
        self._slow.remove(slow)
        slow.batch.kill()
        failure = OutOfTime(f"gave way to other turns after {slow.batch.own:.2f} s")
        return _paired(slow.cases, {slow.at: failure})


def _paired(
    cases: Sequence[Case], outcomes: Mapping[int, ChildOutcome[RulingResult]], first: int = 0
) -> list[tuple[Case, RulingResult]]:
    """The results by their cases, from the ``first`` on."""
    results = list[tuple[Case, RulingResult]]()
    for number, outcome in outcomes.items():
        if number >= first:
            case, result = cases[number], outcome.answer if isinstance(outcome, Answered) else outcome
            if isinstance(outcome, Raised | Died | OutOfTime):
                log.error("turn.not_ruled", turn=case.turn.id, match=case.match.id, **facts(outcome))
            results.append((case, result))
    return results
