"""The gunicorn worker: `worker_class = "service.serving.worker.LoopWorker"`.

Arbiter, signals and reloading are gunicorn's, as are its loop and its parser of HTTP. A connection
has deadlines for its header and its answers, and what is no HTTP is answered by a problem.
"""

from __future__ import annotations

import asyncio
import os
from asyncio import TimerHandle, Transport
from collections.abc import Iterable, Mapping
from contextlib import suppress
from http import HTTPStatus
from typing import Any, Final

from gunicorn.asgi.protocol import ASGIProtocol  # type: ignore[import-untyped]
from gunicorn.workers import gasgi  # type: ignore[import-untyped]

from service.api.problems import FALLBACK
from service.serving.bridge import IS_LOST, Bridge, Receive, problem

HEARTBEAT_SECONDS: Final = 1.0
STOP_STEP_SECONDS: Final = 0.05
HEADER_SECONDS: Final = 10.0  # from the beginning of a connection to the end of its first header
WRITE_SECONDS: Final = 30.0  # how long a client may take to read an answer that exceeds the buffers of the system
BUFFERED_BYTES: Final = 64 * 1024  # of a body that nobody reads yet
REST_SECONDS: Final = 2.0  # in which a client that is still sending its body may notice the answer
TOO_LARGE: Final = {
    414: "The address is longer than 4 kB, which is the maximum.",
    431: "The header is too large: it may have 100 lines, each of at most 8 kB.",
}
"""By status: gunicorn's own words name no limit."""
UNREADABLE: Final = (
    "This is not a request that can be answered ({}). Write the method in capital letters, and the address in ASCII,"
    " with all other characters percent-encoded."
)


class LoopWorker(gasgi.ASGIWorker):  # type: ignore[misc]  # gunicorn has no types
    """Answers requests to a WSGI application from one loop; gunicorn's setting ``threads`` is the
    number of threads for requests that are no posts of turns.
    """

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        # A request whose client is gone ends at once: until then it counts for its caller.
        self.cfg.set("asgi_disconnect_grace_period", 0)
        self.connections: set[Connection] = set()
        self._told_to_stop = asyncio.Event()

    @classmethod
    def check_config(cls, cfg: Any, log: Any) -> None:
        """Nothing to warn of: this worker has threads."""

    def load_wsgi(self) -> None:
        """Loads the WSGI application, and puts the bridge in front of it."""
        self.asgi: Any = Bridge(self.app.wsgi(), self.loop, self.cfg.threads)

    async def _serve(self) -> None:
        self.servers = [
            await self.loop.create_server(lambda: Connection(self), sock=socket.sock) for socket in self.sockets
        ]
        while self.alive and self.ppid == os.getppid():
            self.notify()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._told_to_stop.wait(), HEARTBEAT_SECONDS)
        await self._shutdown()

    def handle_exit_signal(self) -> None:
        """Stops without waiting for the next heartbeat."""
        super().handle_exit_signal()
        self._told_to_stop.set()

    def handle_quit_signal(self) -> None:
        """The same, and waits for no answer."""
        super().handle_quit_signal()
        self._told_to_stop.set()

    async def _shutdown(self) -> None:
        """Ends waits, streams and idle connections, others after their answer or
        ``graceful_timeout``.
        """
        self.alive = False
        for server in self.servers:
            server.close()
        self.asgi.end_waits()
        deadline = self.loop.time() + self.cfg.graceful_timeout
        while self.connections and self.loop.time() < deadline and not self._quick_shutdown:
            for connection in tuple(self.connections):
                connection.close_if_idle()
            await asyncio.sleep(STOP_STEP_SECONDS)
        for connection in tuple(self.connections):
            connection.abort()
        self.asgi.close()


def _refusal(code: str, sentence: str, retry_after: int | None = None, status: int | None = None) -> bytes:
    """The answer to a request of which nothing is known; the connection ends with it."""
    answer = problem(code, sentence, retry_after=retry_after, status=status)
    headers = dict(answer.headers) | {b"connection": b"close"}
    lines = (
        f"HTTP/1.1 {answer.status} {HTTPStatus(answer.status).phrase}".encode(),
        *(name + b": " + value for name, value in headers.items()),
    )
    return b"\r\n".join((*lines, b"", answer.body))


class Connection(ASGIProtocol):  # type: ignore[misc]  # gunicorn has no types
    """One connection."""

    def __init__(self, worker: Any) -> None:
        super().__init__(worker)
        self.busy = False
        self._max_buffer_size = BUFFERED_BYTES
        self._heard = False
        self._lost = False
        self._is_cut = False
        self._header_timer: TimerHandle | None = None
        self._write_timer: TimerHandle | None = None
        self.app = self._answer

    def connection_made(self, transport: Transport) -> None:
        self.worker.connections.add(self)
        super().connection_made(transport)
        # Without a tolerated rest, writing is paused as long as anything is unsent.
        transport.set_write_buffer_limits(high=0)
        if len(self.worker.connections) > self.worker.worker_connections:
            transport.write(_refusal("overloaded", "There are too many connections. Try again in 5 seconds.", 5))
            transport.close()
            return
        self._header_timer = self.worker.loop.call_later(HEADER_SECONDS, self._too_slow)

    def connection_lost(self, exc: Exception | None) -> None:
        self._lost = True
        self.worker.connections.discard(self)
        _stop(self._header_timer)
        _stop(self._write_timer)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self._heard = True
        try:
            super().data_received(data)
        except ValueError:  # what the parser takes for numbers without looking at their length
            self._send_error_response(400, "A number in the header is too long")
            self.transport.close()

    def pause_writing(self) -> None:
        super().pause_writing()
        _stop(self._write_timer)
        self._write_timer = self.worker.loop.call_later(WRITE_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        _stop(self._write_timer)
        super().resume_writing()

    def close_if_idle(self) -> None:
        """Closes the connection unless a request is being answered."""
        if not self.busy and self.transport is not None:
            self.transport.close()

    def abort(self) -> None:
        """Closes the connection without waiting for anything."""
        if self.transport is not None:
            self.transport.abort()

    async def _answer(self, scope: Any, receive: Any, send: Any) -> None:
        _stop(self._header_timer)
        self.busy = self._is_cut = True

        async def received() -> Mapping[str, Any]:
            message: Mapping[str, Any] = await receive()
            self._is_cut = message.get("more_body", False)
            return message

        try:
            await self.worker.asgi({**scope, IS_LOST: lambda: self._lost}, received, send)
            if self._is_cut:
                await _pass_over(receive)
        finally:
            self.busy = False

    def _will_close(self, request: Any, response_requires_close: bool) -> bool:
        """Also behind the answer to a request of which not all of the body was read, and to one of
        HTTP/1.0, which may ask for another end, but is not told that it is granted.
        """
        return self._is_cut or request.version < (1, 1) or super()._will_close(request, response_requires_close)

    def _send_error_response(self, status: int, message: str, extra_headers: Iterable[tuple[str, str]] = ()) -> None:
        """Answers what gunicorn cannot read, or could not have answered; ``message`` is its own."""
        said = TOO_LARGE.get(status, UNREADABLE.format(message[:200]))
        self._safe_write(_refusal(FALLBACK.get(status, "bad_request"), said, status=status))

    def _too_slow(self) -> None:
        """Closes a connection whose first header is not complete in time."""
        if self._heard:
            sentence = f"The header was not complete within {HEADER_SECONDS:.0f} seconds."
            self.transport.write(_refusal("request_timeout", sentence))
        self.transport.close()


async def _pass_over(receive: Receive) -> None:
    """Reads what still comes of a body: a connection that is closed before is reset, which may take
    the answer away from the client (RFC 9112, section 9.6).
    """
    with suppress(TimeoutError):
        async with asyncio.timeout(REST_SECONDS):
            while (await receive()).get("more_body", False):
                pass


def _stop(timer: TimerHandle | None) -> None:
    if timer is not None:
        timer.cancel()
