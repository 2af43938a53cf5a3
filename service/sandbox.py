"""Tries actions that players chose in child processes, so that rules that hang, crash or use up the
memory at one of them end a child, and nothing else.

1. A trial is the name of a function of ``service.turns.trials``, with a match as it was read, a
   seat and the actions. The child reads the log and gives what the caller answers, never a state.
2. Trials wait for a child for ``QUEUE_SECONDS``, at most ``most_callers`` at the same time. Whoever
   comes beyond that, or has waited for longer, is told to come again.
3. Whoever's trial ends a child, or fails, can try nothing for ``RETRY_SECONDS``: so the children
   are free for all others.
"""

from __future__ import annotations

import math
import queue
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias, TypeVar

import structlog
from sqlalchemy.exc import SQLAlchemyError

from service.children import ChildEnded, Failed, ForkServerDied, Handler
from service.errors import Overloaded, ServiceError, Unavailable
from service.store.matches import StoredMatch

if TYPE_CHECKING:
    from service.context import Readable

QUEUE_SECONDS: Final = 10.0
RETRY_SECONDS: Final = 10
BUSY_SECONDS: Final = 2
_FAILED: Final = (
    "What these actions lead to could not be worked out: the service failed at it, or took too long. It is logged, and"
    " nothing was changed."
)

Result = TypeVar("Result")
Function: TypeAlias = Callable[["Readable", StoredMatch, int, Any, Any], Result]
"""Tries actions of a seat, given as documents or as notation."""
_log = structlog.get_logger("service.sandbox")


class TrialFailed(Unavailable):
    """Trying the actions ended its process, took too long, or raised an exception."""

    code = "trial_failed"


class Sandbox(Protocol):
    """Where actions are tried."""

    def run(
        self,
        context: Readable,
        function: Function[Result],
        match: StoredMatch,
        seat: int,
        actions: Any,
        notation: Any,
    ) -> Result:
        """The result of the function. Raises what it raises, ``TrialFailed`` and ``Overloaded``."""
        ...

    def close(self) -> None:
        """Ends the processes."""
        ...


class InProcess:
    """Tries actions in this process."""

    def run(
        self,
        context: Readable,
        function: Function[Result],
        match: StoredMatch,
        seat: int,
        actions: Any,
        notation: Any,
    ) -> Result:
        return function(context, match, seat, actions, notation)

    def close(self) -> None:
        """Ends nothing."""


class TryingChild(Protocol):
    """A process that tries actions. It is started when it is first asked, and again after it has
    died.
    """

    def ask(self, requests: Sequence[Any], seconds: float) -> Sequence[Any]:
        """The answers, ``Failed`` for a request that failed. Raises ``ChildEnded`` and
        ``ForkServerDied``.
        """
        ...

    def close(self) -> None:
        """Ends the process."""
        ...


@dataclass(frozen=True, slots=True)
class Trial:
    """A request to a child: the name of a function, and its arguments."""

    function: str
    match: StoredMatch
    seat: int
    actions: Any
    notation: Any


class ChildSandbox:
    """Tries actions in child processes, each within ``seconds``."""

    def __init__(
        self, children: Sequence[TryingChild], seconds: float, most_callers: int, timer: Callable[[], float]
    ) -> None:
        self._children, self._seconds, self._timer = children, seconds, timer
        self._idle: queue.LifoQueue[TryingChild] = queue.LifoQueue()
        for child in children:
            self._idle.put(child)
        # The kernel ends a child with the thread that started it: threads of requests may end.
        self._threads = ThreadPoolExecutor(len(children), "sandbox")
        self._lock = threading.Lock()
        self._callers, self._most_callers = 0, most_callers
        self._failed: dict[str | None, float] = {}

    def run(
        self,
        context: Readable,
        function: Function[Result],
        match: StoredMatch,
        seat: int,
        actions: Any,
        notation: Any,
    ) -> Result:
        trial = Trial(function.__name__, match, seat, actions, notation)
        with self._place():
            answer = self._threads.submit(self._tried, trial)
            try:
                result: Any = answer.result(QUEUE_SECONDS + self._seconds)
            except TimeoutError:
                answer.cancel()
                raise Overloaded(BUSY_SECONDS) from None
        if isinstance(result, Exception):
            raise result
        return result  # type: ignore[no-any-return]

    def close(self) -> None:
        """Ends the processes, after the trials that are under way."""
        self._threads.shutdown(cancel_futures=True)
        for child in self._children:
            child.close()

    @contextmanager
    def _place(self) -> Iterator[None]:
        with self._lock:
            if self._callers >= self._most_callers:
                raise Overloaded(BUSY_SECONDS)
            self._callers += 1
        try:
            yield
        finally:
            with self._lock:
                self._callers -= 1

    def _tried(self, trial: Trial) -> Any:
        """The result of the function, or the error of the service that it raised."""
        player = trial.match.seats[trial.seat].player_id
        now = self._timer()
        with self._lock:
            if (until := self._failed.get(player, now)) > now:
                raise TrialFailed(_FAILED, math.ceil(until - now))
        child = self._idle.get()
        try:
            answer = child.ask([trial], self._seconds)[0]
        except (ChildEnded, ForkServerDied) as error:
            answer = Failed(f"{type(error).__name__}: {error}", "")
        finally:
            self._idle.put(child)
        if not isinstance(answer, Failed):
            return answer
        _log.error(
            "trial.failed",
            match=trial.match.id,
            player=player,
            function=trial.function,
            reason=answer.error,
            trace=answer.trace,
        )
        now = self._timer()
        with self._lock:
            self._failed = {each: until for each, until in self._failed.items() if until > now}
            self._failed[player] = now + RETRY_SECONDS
        raise TrialFailed(_FAILED, RETRY_SECONDS)


def in_child(context: Readable, functions: Sequence[Function[Any]]) -> Handler:
    """Makes what a child does that tries actions by these functions. It answers ``None`` by
    ``None``, which shows that it is there.
    """
    by_name: Mapping[str, Function[Any]] = {function.__name__: function for function in functions}

    def answer(request: Trial | None) -> Any:
        if request is None:
            return None
        try:
            return by_name[request.function](context, request.match, request.seat, request.actions, request.notation)
        except (ServiceError, SQLAlchemyError) as error:
            return error

    return answer
