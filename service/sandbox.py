"""Tries what players chose to do in child processes, so that rules that hang, crash or use up the
memory at it end a child, and nothing else. The child gives what the caller answers or writes, never
a state.

Trials wait for a child for ``QUEUE_SECONDS``, at most ``most_callers`` at the same time. Whoever
comes beyond that, has waited for longer, or has been tried for ``LONGEST_SECONDS``, is told to come
again. A trial has ``seconds`` of its child's own (``service.guard``). A player whose trial ends a
child, or fails, can try nothing for ``RETRY_SECONDS``: so the children are free for all others.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeAlias, TypeVar

import structlog
from sqlalchemy.exc import SQLAlchemyError

from engine.types import Layout, Seat
from service.children import Handler
from service.errors import Overloaded, ServiceError, Unavailable
from service.guard import Answered, Bounds, GuardPool, Waited, facts
from service.store.matches import StoredMatch

QUEUE_SECONDS: Final = 10.0
LONGEST_SECONDS: Final = 20.0  # in all, a request waits no longer for a trial than it may wait for a verdict
RETRY_SECONDS: Final = 10
BUSY_SECONDS: Final = 2
_FAILED: Final = (
    "What this leads to could not be worked out: the service failed at it, or took too long. It is logged, and"
    " nothing was changed."
)
_PAUSED: Final = (
    "This was not tried: what you tried before could not be worked out, in this match or another. Until {seconds}"
    " seconds have passed, nothing else is tried for you; nothing was changed."
)

GivenActions: TypeAlias = Sequence[Mapping[str, Any]] | None
GivenNotation: TypeAlias = str | Sequence[str] | None
Result = TypeVar("Result")
C = TypeVar("C")
"""The context of the service, which has a sandbox."""
_log = structlog.get_logger("service.sandbox")


@dataclass(frozen=True, slots=True)
class Trial:
    """What is tried: actions of a seat, as documents or as notation; neither to resign. ``ply`` is
    where they begin, by default where the match is; ``layout`` that of a picture, if one is wanted.
    """

    match: StoredMatch
    seat: Seat
    actions: GivenActions = None
    notation: GivenNotation = None
    ply: int | None = None
    layout: Layout | None = None


Function: TypeAlias = Callable[[C, Trial], Result]
"""Tries actions."""


class TrialFailed(Unavailable):
    """Trying the actions ended its process, took too long, or raised an exception."""

    code = "trial_failed"


class Sandbox(Protocol):
    """Where actions are tried."""

    def run(self, context: C, function: Function[C, Result], trial: Trial) -> Result:
        """The result of the function. Raises what it raises, ``TrialFailed`` and ``Overloaded``."""
        ...

    def close(self) -> None:
        """Ends the processes."""
        ...


class InProcess:
    """Tries actions in this process."""

    def run(self, context: C, function: Function[C, Result], trial: Trial) -> Result:
        return function(context, trial)

    def close(self) -> None:
        """Ends nothing."""


class ChildSandbox:
    """Tries actions in child processes, each within ``seconds`` of the child's own."""

    def __init__(self, children: GuardPool, seconds: float, most_callers: int, timer: Callable[[], float]) -> None:
        self._children, self._bounds, self._timer = children, Bounds(seconds, in_all=LONGEST_SECONDS), timer
        self._lock = threading.Lock()
        self._callers, self._most_callers = 0, most_callers
        self._failed: dict[str | None, float] = {}

    def run(self, context: C, function: Function[C, Result], trial: Trial) -> Result:
        with self._lock:
            if self._callers >= self._most_callers:
                raise Overloaded(BUSY_SECONDS)
            self._callers += 1
        try:
            result = self._tried(function.__name__, trial)
        finally:
            with self._lock:
                self._callers -= 1
        if isinstance(result, Exception):
            raise result
        return result  # type: ignore[no-any-return]

    def close(self) -> None:
        """Ends the processes, after the trials that are under way."""
        self._children.close()

    def _tried(self, function: str, trial: Trial) -> Any:
        """The result of the function, or the error of the service that it raised."""
        player = trial.match.seats[trial.seat].player_id
        with self._children.one(QUEUE_SECONDS) as child:
            if child is None:
                raise Overloaded(BUSY_SECONDS)
            now = self._timer()
            with self._lock:
                if (until := self._failed.get(player, now)) > now:
                    raise TrialFailed(_PAUSED.format(seconds=(left := math.ceil(until - now))), left)
            outcome = child.ask((function, trial), self._bounds)
            if not isinstance(outcome, Answered | Waited):  # before the child is free for whoever waits
                _log.error("trial.failed", match=trial.match.id, player=player, function=function, **facts(outcome))
                now = self._timer()
                with self._lock:
                    self._failed = {each: until for each, until in self._failed.items() if until > now}
                    self._failed[player] = now + RETRY_SECONDS
        match outcome:
            case Answered(answer):
                return answer
            case Waited():
                raise Overloaded(BUSY_SECONDS)
        raise TrialFailed(_FAILED, RETRY_SECONDS)


def in_child(context: C, functions: Sequence[Function[C, Any]]) -> Handler:
    """Makes what a child does that tries actions by these functions."""
    by_name: Mapping[str, Function[C, Any]] = {function.__name__: function for function in functions}

    def answer(request: tuple[str, Trial]) -> Any:
        function, trial = request
        try:
            return by_name[function](context, trial)
        except (ServiceError, SQLAlchemyError) as error:
            return error

    return answer
