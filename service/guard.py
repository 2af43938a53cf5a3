"""The guard of child processes: code that may hang, crash or use up its memory is run by a child,
within bounds, and comes to one of five outcomes, whatever it does.

Of the time of a child only its own counts: not that in which it starts or waits for the database
(``note_waiting``), and of that in which other processes keep it from the processor, a quarter. So a
bound condemns no innocent request on an overloaded machine, and still comes: by the clock after
``1 / STARVED_SHARE`` times its seconds, without the time that the child waits. The kernel bounds
processor time, and memory (``service.children.MOST_BYTES``).
"""

from __future__ import annotations

import queue
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import inf
from typing import Any, Final, Generic, TypeAlias, TypeVar

import structlog

from service.children import NOT_BEGUN, OUT_OF_PROCESSOR_TIME, Child, ChildDied, ForkServer, ForkServerDied, Role
from service.children import Raised as Raised

STEP_SECONDS: Final = 0.1  # how often a child that works is looked at
STARVED_SHARE: Final = 0.25  # how much of the time that a child has to wait for a processor counts as its own
LONGEST_WAIT_SECONDS: Final = 20.0  # how long a child may wait for the database
START_SECONDS: Final = 60.0  # how long a child may take to start: on an overloaded machine an interpreter takes long

Answer = TypeVar("Answer", covariant=True)
_log = structlog.get_logger("service.guard")


@dataclass(frozen=True, slots=True)
class Bounds:
    """The seconds that a child may take for one request of its own time, and of the processor; and
    those by the clock after which it is ended in any case, which is no fault of the request.
    """

    seconds: float
    processor_seconds: float | None = None
    in_all: float = inf


@dataclass(frozen=True, slots=True)
class Answered(Generic[Answer]):
    """The child has answered."""

    answer: Answer


@dataclass(frozen=True, slots=True)
class Died:
    """The child has ended at the request; ``error`` is a clause, such as ``killed by SIGSEGV``."""

    error: str


@dataclass(frozen=True, slots=True)
class OutOfTime:
    """The child took longer than it may, and was ended; ``error`` is a clause."""

    error: str


@dataclass(frozen=True, slots=True)
class Waited:
    """The child did not start, or waited too long for the database: no fault of the request.
    ``error`` is a clause.
    """

    error: str


Failure: TypeAlias = Raised | Died | OutOfTime | Waited
ChildOutcome: TypeAlias = Answered[Answer] | Failure


def facts(failure: Failure) -> dict[str, str]:
    """What a log says of a failure."""
    said = {"outcome": type(failure).__name__, "reason": failure.error}
    return said | ({"trace": failure.trace} if isinstance(failure, Raised) else {})


def sentence(failure: Failure) -> str:
    """What the operator reads of a failure."""
    match failure:
        case Raised(error):
            return error
        case Died(error):
            return f"The process that was at it ended: {error}."
        case OutOfTime(error):
            return f"It {error}."
        case Waited(error):
            return f"It could not be tried: {error}."


class Guard:
    """One child at a time of a fork server, of one role. It is forked when it is asked first, and
    again where it has ended, which it also does when it is not asked for a while. Not thread-safe.
    """

    def __init__(self, server: ForkServer, role: Role, timer: Callable[[], float]) -> None:
        self._server, self._role, self._timer = server, role, timer
        self._child: Child | None = None

    def ask(self, request: Any, bounds: Bounds) -> ChildOutcome[Any]:
        """The outcome of one request."""
        if self._child is not None:
            outcome, begun = self._asked(self._child, request, bounds)
            if begun:
                return outcome
        try:
            child = self._server.child(self._role)
        except (ForkServerDied, OSError) as error:
            _log.error("child.not_started", role=self._role.value, error=str(error))
            return Waited(f"no process could be started: {error}")
        return self._asked(child, request, bounds)[0]

    def close(self) -> None:
        """Ends the child."""
        if self._child is not None:
            self._child.kill()
        self._child = None

    def _asked(self, child: Child, request: Any, bounds: Bounds) -> tuple[ChildOutcome[Any], bool]:
        """The outcome of one request, and whether the child has begun it."""
        self._child, batch = None, Batch(child, [request], bounds, self._timer)
        while (outcomes := batch.poll(min(STEP_SECONDS, bounds.seconds))) is None:
            pass
        self._child = None if batch.ended else child
        return outcomes[0], not batch.ended or batch.at != NOT_BEGUN


class GuardPool:
    """Guards of several threads; that which was used last is given, so the others may end."""

    def __init__(self, guards: Sequence[Guard]) -> None:
        self.guards = tuple(guards)
        self._free: queue.LifoQueue[Guard] = queue.LifoQueue()
        for guard in self.guards:
            self._free.put(guard)

    @contextmanager
    def one(self, patience: float | None = None) -> Iterator[Guard | None]:
        """A guard for the block alone; ``None`` where none was free for ``patience`` seconds."""
        try:
            guard = self._free.get(timeout=patience)
        except queue.Empty:
            yield None
            return
        try:
            yield guard
        finally:
            self._free.put(guard)

    def close(self) -> None:
        """Ends the processes, after the requests that are under way."""
        for _ in self.guards:
            self._free.get().close()


class Batch:
    """Requests that a child works on one after the other, each within the bounds.

    ``at`` is the 0-based index of the present request, or ``NOT_BEGUN``; ``own`` are the seconds of
    its own that the child has been at it, ``waited`` those in which it started or waited for the
    database. ``ended``: so has the child.
    """

    def __init__(self, child: Child, requests: Sequence[Any], bounds: Bounds, timer: Callable[[], float]) -> None:
        self.child, self.at, self.ended = child, NOT_BEGUN, False
        self.own = self.waited = 0.0
        self._bounds, self._timer = bounds, timer
        self._began = self._seen = timer()
        self._starved = 0.0
        self._lost: ChildDied | None = None
        try:
            child.send(requests, bounds.processor_seconds)
        except ChildDied as error:
            self._lost = error
        except BaseException:
            child.kill()
            raise

    def poll(self, seconds: float) -> Mapping[int, ChildOutcome[Any]] | None:
        """The outcomes by the index of their requests, after waiting at most ``seconds``; ``None``
        where they are not there yet.

        There is none of requests that the child has not begun. Where the child has ended, as after
        any exception, there is only that of the request at which it was.
        """
        try:
            if self._lost is not None:
                raise self._lost
            answers = self.child.wait(seconds)
            if answers is None:
                return self._looked()
        except ChildDied as died:
            return self._end(died.request, self._how(died))
        except BaseException:
            self.child.kill()  # its late answers would be taken for those to the next batch
            raise
        return {
            number: answer if isinstance(answer, Raised | Waited) else Answered(answer)
            for number, answer in enumerate(answers)
        }

    def stop_after_this(self) -> None:
        """Lets the child finish its present request, or the first, and answer without the rest."""
        self.child.stop_after_this()

    def kill(self) -> None:
        """Ends the child at once."""
        self.child.kill()
        self.ended = True

    def _looked(self) -> Mapping[int, ChildOutcome[Any]] | None:
        """Brings the figures up to date, and ends the child where a bound is passed."""
        now, at, starved = self._timer(), self.child.at, self.child.starved()
        passed = now - self._seen
        if at != self.at:
            self.at, self.own, self.waited = at, 0.0, 0.0
        elif at == NOT_BEGUN or self.child.waits:
            self.waited += passed
        else:
            without = min(passed, max(0.0, starved - self._starved))
            self.own += passed - without * (1 - STARVED_SHARE)
        self._seen, self._starved = now, starved
        longest = START_SECONDS if at == NOT_BEGUN else LONGEST_WAIT_SECONDS
        if self.own > self._bounds.seconds:
            return self._ended_by_us(OutOfTime(f"took longer than {self._bounds.seconds:g} s"))
        if self.waited > longest:
            return self._ended_by_us(Waited(f"it was kept waiting for longer than {longest:g} s"))
        if now - self._began > self._bounds.in_all:
            return self._ended_by_us(Waited(f"it took longer than {self._bounds.in_all:g} s by the clock"))
        return None

    def _ended_by_us(self, failure: Failure) -> Mapping[int, ChildOutcome[Any]]:
        self.child.kill()
        return self._end(self.at, failure)

    def _end(self, at: int, failure: Failure) -> Mapping[int, ChildOutcome[Any]]:
        self.at, self.ended = at, True
        (_log.debug if at == NOT_BEGUN else _log.warning)("child.ended", request=at, **facts(failure))
        return {max(0, at): failure}

    def _how(self, died: ChildDied) -> Failure:
        if died.request == NOT_BEGUN:
            return Waited(f"its process ended before it began: {died}")
        if died.signal == OUT_OF_PROCESSOR_TIME:
            return OutOfTime("used more processor time than it may")
        return Died(str(died))
