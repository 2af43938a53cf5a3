"""Rules on turns, in child processes: a turn that hangs or kills its judge ends a child and nothing
else. A child is sent a batch of turns with their matches, and answers with verdicts and rows to
write. It believes the states that its rulings lead to once it is told that they are committed.

A child that is slow is left alone with the turn that it is at, until its deadline, and a second one
goes on with the others. The more are slow, the sooner another one counts as slow; where there are
too many, the one that has taken longest gives way and is tried alone later. Only time of its own
counts (``service.guard``).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import structlog

from service.children import Child, ForkServer, Role
from service.guard import STEP_SECONDS, Answered, Batch, Bounds, ChildOutcome, Died, OutOfTime, Raised, facts
from service.store.turns import StoredTurn
from service.turns.judge import Case, RulingResult

SLOW_SECONDS: Final = 0.4
"""After this time with one turn another child goes on; half of it where one is slow, and so on."""
BATCH_SECONDS: Final = 0.8
"""After this time a child begins no further turn of its batch."""
MOST_SLOW: Final = 8
"""How many children may be slow at the same time."""

log = structlog.get_logger(__name__)


class Rulings(Protocol):
    """Rules on turns: in children, or in this process (``OwnRulings``)."""

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
    """Rules on turns in children, each within ``deadline`` seconds. Not thread-safe."""

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
