"""Rules on turns, in child processes: a turn that hangs or kills its judge ends a child and nothing
else. No transaction is open and no lock is held meanwhile.

A child is sent a batch of turns with their matches, and answers with verdicts and rows to write. It
remembers the states that its rulings lead to, and believes them when the parent says that they are
committed.

A child that is slow is left alone with the turn that it is at, until its deadline, and a second one
goes on with the other turns. The more are slow, the sooner another one counts as slow; where there
are too many, the one that has taken longest gives way and is tried alone later. Only time of its
own counts (``service.watch``).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeAlias

import structlog
from sqlalchemy.exc import SQLAlchemyError

from service.children import NOT_BEGUN, Child, ChildDied, Failed, ForkServer
from service.errors import Conflict
from service.matches import progress, replays
from service.matches.progress import ProgressRows
from service.states import States
from service.store.database import Database
from service.store.matches import StoredMatch
from service.store.turns import StoredTurn
from service.turns.judge import Judged, closed, judge
from service.turns.verdicts import StoredVerdict
from service.watch import LONGEST_WAIT_SECONDS, STEP_SECONDS, Watch

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
    """The verdict on a turn, and the rows to write if any of its actions are accepted."""

    verdict: StoredVerdict
    rows: ProgressRows | None


@dataclass(frozen=True, slots=True)
class Unreadable:
    """The log of the match cannot be replayed: a code, and for the host what was raised."""

    reason: str
    error: str


@dataclass(frozen=True, slots=True)
class NotRuled:
    """The turn ended its child, or ran out of time."""

    reason: str


@dataclass(frozen=True, slots=True)
class NotRead:
    """The database could not be read, or no child started; the turn is ruled on another time."""

    reason: str


Result: TypeAlias = Ruling | Unreadable | NotRuled | NotRead


class Rulings(Protocol):
    """Rules on turns."""

    def rule(self, cases: Sequence[Case]) -> list[tuple[Case, Result]]:
        """Rules on turns of different matches. Gives the results that are there soon, in any order;
        turns without one have to be sent again, unless they are in ``slow``.
        """
        ...

    def collect(self, seconds: float = 0) -> list[tuple[Case, Result]]:
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

    def rule(self, cases: Sequence[Case]) -> list[tuple[Case, Result]]:
        return [(case, self.ruling(case)) for case in cases]

    def collect(self, seconds: float = 0) -> list[tuple[Case, Result]]:
        return []

    def slow(self) -> frozenset[str]:
        return frozenset()

    def committed(self, turn_ids: Collection[str]) -> None:
        """Remembers the states of these rulings, and forgets those of all others."""
        for turn_id in turn_ids:
            if turn_id in self._provisional:
                self.states.remember(*self._provisional[turn_id])
        self._provisional.clear()

    def ruling(self, case: Case) -> Result:
        """Rules on one turn."""
        match, turn = case.match, case.turn
        try:
            judged = closed(match, turn) or self._judged(match, turn)
        except Conflict as error:
            return Unreadable(error.code, str(error))
        except replays.MatchUnreadable as error:
            return Unreadable(error.code, error.reason or str(error))
        except SQLAlchemyError as error:
            return NotRead(type(error).__name__)
        if judged.progress is None:
            return Ruling(judged.verdict, None)
        made = judged.progress
        self._provisional[turn.id] = match.id, made.ply, made.step.state
        return Ruling(judged.verdict, progress.rows_of(made))

    def _judged(self, match: StoredMatch, turn: StoredTurn) -> Judged:
        state = replays.remembered(self, match)
        if state is not None and turn.ply >= match.ply:
            return judge(match, turn, state, ())
        with self.database.read() as connection:
            since = tuple(replays.walk(connection, self, match, turn.ply))
            state = since[-1].after if since else replays.load(connection, self, match)
        return judge(match, turn, state, since)


def in_child(rulings: OwnRulings) -> Callable[[tuple[Case, Collection[str] | None]], Result]:
    """What a child does with a request: a case, and with the first of a batch the turns that were
    committed before.
    """

    def handle(request: tuple[Case, Collection[str] | None]) -> Result:
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
    watch: Watch

    @property
    def child(self) -> Child:
        return self.watch.child


class ChildRulings:
    """Rules on turns in children of a fork server; ``deadline`` is in seconds, for one turn.

    Not thread-safe.
    """

    def __init__(self, server: ForkServer, timer: Callable[[], float], deadline: float) -> None:
        self._server, self._timer, self._deadline = server, timer, deadline
        self._child: Child | None = None
        self._slow: list[_Slow] = []
        self._committed: list[str] = []

    def rule(self, cases: Sequence[Case]) -> list[tuple[Case, Result]]:
        if not cases:
            return []
        given_way = list[tuple[Case, Result]]()
        if len(self._slow) >= MOST_SLOW:
            given_way = self._give_way()
            if not given_way:
                return []
        return given_way + self._ruled(cases)

    def _ruled(self, cases: Sequence[Case]) -> list[tuple[Case, Result]]:
        child = self._child = self._child or self._server.child()
        committed, self._committed = self._committed, []
        try:
            child.send([(case, None if number else committed) for number, case in enumerate(cases)])
            return self._waited(child, cases)
        except ChildDied as died:
            self._child = None
            return _of_the_dead(cases, died)
        except BaseException:
            self._child = None
            child.kill()  # its late answers would be taken for those to the next batch
            raise

    def collect(self, seconds: float = 0) -> list[tuple[Case, Result]]:
        results = list[tuple[Case, Result]]()
        for number, slow in enumerate(tuple(self._slow)):
            try:
                answers = slow.child.wait(0 if number else seconds)
            except ChildDied as died:
                self._slow.remove(slow)
                results += _of_the_dead(slow.cases, died)
                continue
            slow.watch.look()
            if answers is not None:
                self._slow.remove(slow)
                results += _paired(slow.cases, answers)[slow.at :]
                self._child = slow.child  # it remembers more states than the one that took over
            elif slow.watch.own > self._deadline or slow.watch.waited > LONGEST_WAIT_SECONDS:
                self._slow.remove(slow)
                slow.child.kill()
                results.append(self._too_long(slow.cases, slow.watch))
        return results

    def slow(self) -> frozenset[str]:
        return frozenset(slow.cases[slow.at].turn.id for slow in self._slow)

    def committed(self, turn_ids: Collection[str]) -> None:
        self._committed.extend(turn_ids)

    def _waited(self, child: Child, cases: Sequence[Case]) -> list[tuple[Case, Result]]:
        """The results of a batch; none where the child is slow, which then goes on by itself."""
        watch, began = Watch(child, self._timer), self._timer()
        longest = SLOW_SECONDS / (1 + len(self._slow))
        while (answers := child.wait(min(STEP_SECONDS, longest))) is None:
            watch.look()
            if self._timer() - began > BATCH_SECONDS:
                child.stop_after_this()
            if watch.own > longest:
                child.stop_after_this()
                self._slow.append(_Slow(cases, watch.at, watch))
                self._child = None
                return []
            if watch.waited > LONGEST_WAIT_SECONDS:
                self._child = None
                child.kill()
                return [self._too_long(cases, watch)]
        return _paired(cases, answers)

    def _give_way(self) -> list[tuple[Case, Result]]:
        """Ends the slow child that has taken longest with a turn that was not tried before."""
        untried = [slow for slow in self._slow if slow.watch.own and not slow.cases[slow.watch.at].turn.attempts]
        if not untried:
            return []
        slow = max(untried, key=lambda each: each.watch.own)
        self._slow.remove(slow)
        slow.child.kill()
        case = slow.cases[slow.watch.at]
        return [(case, _not_ruled(case, f"gave way to other turns after {slow.watch.own:.2f} s"))]

    def _too_long(self, cases: Sequence[Case], watch: Watch) -> tuple[Case, NotRuled | NotRead]:
        case = cases[max(0, watch.at)]
        if watch.own > self._deadline:
            return case, _not_ruled(case, f"took longer than {self._deadline:g} s")
        return case, NotRead(f"The child has waited for {LONGEST_WAIT_SECONDS:g} s.")


def _of_the_dead(cases: Sequence[Case], died: ChildDied) -> list[tuple[Case, Result]]:
    """The result of the turn at which a child died; of none where it had not begun."""
    if died.request == NOT_BEGUN:
        return [(cases[0], NotRead(f"The child has ended before it began: {died}."))]
    return [(cases[died.request], _not_ruled(cases[died.request], str(died)))]


def _paired(cases: Sequence[Case], answers: Sequence[Any]) -> list[tuple[Case, Result]]:
    return [
        (case, _not_ruled(case, answer.error, answer.trace) if isinstance(answer, Failed) else answer)
        for case, answer in zip(cases, answers, strict=False)
    ]


def _not_ruled(case: Case, reason: str, trace: str = "") -> NotRuled:
    log.error("turn.not_ruled", turn=case.turn.id, match=case.match.id, reason=reason, trace=trace)
    return NotRuled(reason)
