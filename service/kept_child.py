"""A child process that is started when it is needed, and replaced when it has died."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol

import structlog

from service.children import Child, ChildEnded, Failed, ForkServer, ForkServerDied

START_SECONDS: Final = 60.0
"""How long a child may take to start: on an overloaded machine an interpreter takes long."""
_log = structlog.get_logger("service.children")


class Answerer(Protocol):
    """A process that answers requests. It is started when it is first asked, and again after it has
    died.
    """

    def ask(self, requests: Sequence[Any], seconds: float) -> Sequence[Any]:
        """The answers to the requests, in order, ``Failed`` where the function raised.

        Raises ``ChildDied`` and ``ChildTimedOut``, and ``ForkServerDied`` where no child could be
        started.
        """
        ...

    def close(self) -> None:
        """Ends the process."""
        ...


def answer_of(child: Answerer, request: Any, seconds: float) -> Any:
    """The answer to one request, ``Failed`` where there is none for whatever reason."""
    try:
        return child.ask([request], seconds)[0]
    except Exception as error:
        return Failed(f"{type(error).__name__}: {error}", "")


class KeptChild:
    """One child at a time, of a fork server that ``start`` makes, again where it has died;
    ``first`` is one that is there already. Not thread-safe.

    The function of the child answers ``None`` by ``None``, which shows that it has started.
    """

    def __init__(self, start: Callable[[], ForkServer], first: ForkServer | None = None) -> None:
        self._start = start
        self._server = first
        self._child: Child | None = None

    def ask(self, requests: Sequence[Any], seconds: float) -> Sequence[Any]:
        """The answers. Raises as ``Answerer.ask``."""
        if self._child is None:
            self._child = self._started()
            self._answers(self._child, [None], START_SECONDS)
        return self._answers(self._child, requests, seconds)

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

    def _answers(self, child: Child, requests: Sequence[Any], seconds: float) -> Sequence[Any]:
        try:
            return child.ask(requests, seconds)
        except BaseException as error:
            self._child = None
            if isinstance(error, ChildEnded):
                _log.warning("child.ended", request=error.request, reason=str(error))
            raise
