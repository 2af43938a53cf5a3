"""A child process that is started when it is needed, and replaced when it has died."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol

import structlog

from service.children import Child, ChildEnded, ChildWaited, Failed, ForkServer, ForkServerDied
from service.watch import LONGEST_WAIT_SECONDS, ask

START_SECONDS: Final = 60.0
"""How long a child may take to start: on an overloaded machine an interpreter takes long."""
_log = structlog.get_logger("service.children")


class Answerer(Protocol):
    """A process that answers requests. It is started when it is first asked, and again after it has
    died.
    """

    def ask(self, requests: Sequence[Any], seconds: float) -> Sequence[Any]:
        """The answers to the requests, in order, ``Failed`` where the function raised.

        Raises ``ChildDied``, ``ChildTimedOut`` where one takes more than ``seconds`` of the child's
        own, and ``ChildWaited`` (``service.watch.ask``); and ``ForkServerDied`` where no child
        could be started.
        """
        ...

    def close(self) -> None:
        """Ends the process."""
        ...


def answer_of(child: Answerer, request: Any, seconds: float) -> Any:
    """The answer to one request, ``Failed`` where there is none. Raises ``ChildWaited``, for which
    the request is not to blame.
    """
    try:
        return child.ask([request], seconds)[0]
    except ChildWaited:
        raise
    except Exception as error:
        return Failed(f"{type(error).__name__}: {error}", "")


class KeptChild:
    """One child at a time, of a fork server that ``start`` makes, again where it has died;
    ``first`` is one that is there already. Not thread-safe.

    The function of the child answers ``None`` by ``None``, which shows that it has started.
    """

    def __init__(
        self, start: Callable[[], ForkServer], timer: Callable[[], float], first: ForkServer | None = None
    ) -> None:
        self._start, self._timer = start, timer
        self._server = first
        self._child: Child | None = None

    def ask(self, requests: Sequence[Any], seconds: float) -> Sequence[Any]:
        """The answers. Raises as ``Answerer.ask``."""
        if self._child is None:
            self._child = self._started()
            self._answers(self._child, [None], START_SECONDS, START_SECONDS)
        return self._answers(self._child, requests, seconds, LONGEST_WAIT_SECONDS)

    def close(self) -> None:
        """Ends the child and its fork server."""
        if self._server is not None:
            self._server.close()
        self._server = self._child = None

    def _started(self) -> Child:
        if self._server is not None:
            try:
                return self._server.child()
            except ForkServerDied:
                self.close()
        self._server = self._start()
        return self._server.child()

    def _answers(self, child: Child, requests: Sequence[Any], seconds: float, longest_wait: float) -> Sequence[Any]:
        try:
            return ask(child, requests, seconds, self._timer, longest_wait)
        except BaseException as error:
            self._child = None
            if isinstance(error, ChildEnded):
                _log.warning("child.ended", request=error.request, reason=str(error))
            raise
