"""From ASGI to WSGI: reads the body of a request, has the application answer it, and sends the
answer.

Posts of turns, requests that wait for events, and `/healthz`, which waits for nothing, are run as
tasks of the loop; all others in threads, readiness and metrics in threads of their own. A request
that would have to wait too long is refused at once. A stream of events is begun in a thread, and
goes on as a task.
"""

from __future__ import annotations

import asyncio
import io
import json
import math
import re
import sys
import uuid
from collections.abc import Awaitable, Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Final, TypeAlias
from urllib.parse import quote, unquote_to_bytes

import structlog

from service.api.problems import KINDS
from service.api.requests import ANY_ORIGIN, is_for_any_origin, without_secret
from service.api.turns import WRITTEN
from service.errors import Overloaded
from service.waits import Signal, Tasks, signal

AsgiScope: TypeAlias = Mapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Mapping[str, Any]]]
AsgiSend: TypeAlias = Callable[[Mapping[str, Any]], Awaitable[None]]
Wsgi: TypeAlias = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]

IS_LOST: Final = "overland.is_lost"
"""In the scope of a request: says whether its connection is lost. Writing to one raises nothing."""
ABSOLUTE: Final = re.compile(rb"https?://([^/]*)(/.*)?", re.IGNORECASE | re.DOTALL)
"""A target in the absolute form: its host and its path, as bytes."""
HOST: Final = re.compile(rb"[\w.~%!$&'()*+;=:\[\]-]*")
TURN_POST: Final = re.compile(r"/v1/matches/[^/]+/turns/?")
EVENTS_GET: Final = re.compile(r"/v1/(?:matches/[^/]+/)?events/?")
STREAM: Final = "text/event-stream"  # the content type of an answer that is sent part by part, as each is made
HEALTH_PATH: Final = "/healthz"
RESERVED_PATHS: Final = ("/readyz", "/metrics")
RESERVED_THREADS: Final = 3
HELPERS: Final = 8  # threads for what tasks have gathered: one alone costs more (decision 0014)
AT_ONCE: Final = 32  # tasks of a kind that are always admitted
PART_SECONDS: Final = 60.0  # for a part of a stream to be sent: a client that reads nothing is cut off before
MOST_TASKS: Final = 4000
MOST_QUEUED: Final = 1000
BODY_SECONDS: Final = 20.0  # from the end of the header to the end of the body
BODY_BYTES: Final = 256 * 1024  # more is not read: the application refuses it
ALL_BODIES_BYTES: Final = 64 * 1024 * 1024  # of all bodies that are being read
LONGEST_SECONDS: Final = 5.0  # a request that would have to wait longer is refused at once
FIRST_PACE: Final = 0.002  # seconds a request, before any was measured
WEIGHT: Final = 0.1  # how much the newest measurement changes the pace

PAGE: Final = (
    '<!doctype html><title>{title}</title><h1>{title}</h1><p>{sentence}</p><p><a href="/">To the start page</a></p>'
)
"""What a browser is shown without the application; its texts are ours."""

log = structlog.get_logger("overland.api")


@dataclass(frozen=True, slots=True)
class WsgiAnswer:
    """An answer of the application; after the body follow the parts of a ``stream``."""

    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes
    written: tuple[Callable[[Tasks], None], ...] = ()
    """What is called once all of it is written."""
    stream: Iterable[bytes] | None = None


class Declined(Exception):
    """A request that does not reach the application; ``answer`` is sent instead."""

    def __init__(self, answer: WsgiAnswer) -> None:
        self.answer = answer


class Admission:
    """Counts the requests in a queue, ``most`` at most, and estimates how long a new one would
    wait: by their number beyond those that are served ``at_once``, and the time between two that
    left, or since the last one did. Not thread-safe.
    """

    def __init__(self, timer: Callable[[], float], at_once: int, most: int) -> None:
        self._timer, self._at_once, self._most = timer, at_once, most
        self._inside = 0
        self._pace = FIRST_PACE
        self._last = 0.0

    def enter(self) -> None:
        """Admits a request. Raises ``Overloaded``."""
        more = max(0, self._inside - self._at_once)
        seconds = more * self._pace
        if more:  # where none leaves, all of them wait for something that does not answer
            seconds = max(seconds, self._timer() - self._last)
        if seconds > LONGEST_SECONDS or self._inside >= self._most:
            raise Overloaded(math.ceil(max(1.0, min(seconds, 60.0))))
        if not self._inside:
            self._last = self._timer()
        self._inside += 1

    def leave(self) -> None:
        """Notes that a request was served."""
        now = self._timer()
        self._inside -= 1
        self._pace += WEIGHT * (now - self._last - self._pace)
        self._last = now


class AdmittedPool:
    """Threads with a queue that admits no more than can be served in time."""

    def __init__(self, loop: asyncio.AbstractEventLoop, threads: int, name: str) -> None:
        self._loop = loop
        self._threads = ThreadPoolExecutor(threads, name)
        self._admission = Admission(loop.time, threads, MOST_QUEUED)

    def submit(self, work: Callable[[], object]) -> None:
        """Runs the work in a thread. Raises ``Overloaded``."""
        self._admission.enter()

        def run() -> None:
            try:
                work()
            finally:
                self._loop.call_soon_threadsafe(self._admission.leave)

        self._threads.submit(run)

    def close(self) -> None:
        """Lets the threads end; what waits is not begun any more."""
        self._threads.shutdown(wait=False, cancel_futures=True)


class Bridge:
    """The ASGI application that answers by a WSGI application. Made in the thread of the loop."""

    def __init__(self, wsgi: Wsgi, loop: asyncio.AbstractEventLoop, threads: int) -> None:
        self._wsgi, self._loop = wsgi, loop
        self._helpers = ThreadPoolExecutor(HELPERS, "batch")
        self._pool = AdmittedPool(loop, threads, "request")
        self._reserved = AdmittedPool(loop, RESERVED_THREADS, "health")
        self._tasks = Tasks(loop, self._helpers, self._pool.submit)
        self._turns = Admission(loop.time, AT_ONCE, MOST_TASKS)
        self._events = Admission(loop.time, AT_ONCE, MOST_TASKS)
        self._alive = Admission(loop.time, AT_ONCE, MOST_TASKS)
        self._held = 0

    async def __call__(self, scope: AsgiScope, receive: Receive, send: AsgiSend) -> None:
        if scope["type"] != "http":
            await send({"type": "websocket.close"})
            return
        try:
            scope = _routed(scope)
            body = await self._body(scope, receive)
            if body is None:
                return
            answer = await self._answer(scope, body)
        except Declined as refused:
            answer = refused.answer
        except Overloaded as error:
            log.warning(
                "request.refused", method=scope["method"], path=_told(scope["path"]), retry_after=error.retry_after
            )
            answer = _problem(scope, "overloaded", str(error), error.retry_after)
        start = {"type": "http.response.start", "status": answer.status, "headers": answer.headers}
        if answer.stream is not None:
            await self._send_parts(start, answer.stream, scope, send)
            return
        await send(start)
        await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else answer.body})
        if scope["method"] != "HEAD" and answer.body and not scope[IS_LOST]():
            for note in answer.written:
                note(self._tasks)

    def end_waits(self) -> None:
        """Has requests that wait for events or verdicts answered now, and completes streams."""
        self._tasks.end_waits()

    def close(self) -> None:
        """Lets the threads end."""
        self._pool.close()
        self._reserved.close()
        self._helpers.shutdown(wait=False, cancel_futures=True)

    async def _body(self, scope: AsgiScope, receive: Receive) -> bytes | None:
        """The body, of one that is too long its beginning; ``None`` where the client is gone.
        Raises ``Declined`` and ``Overloaded``.
        """
        declared = next((value for name, value in scope["headers"] if name == b"content-length"), None)
        if declared is not None and int(declared) > BODY_BYTES:
            return b""
        message = await self._received(scope, receive, self._loop.time() + BODY_SECONDS)
        if message["type"] != "http.request":
            return None
        if not message.get("more_body", False):
            return message.get("body", b"")  # type: ignore[no-any-return]
        return await self._long_body(scope, receive, message.get("body", b""))

    async def _long_body(self, scope: AsgiScope, receive: Receive, begun: bytes) -> bytes | None:
        deadline, parts, size = self._loop.time() + BODY_SECONDS, [begun], len(begun)
        self._held += size
        try:
            while size <= BODY_BYTES:
                message = await self._received(scope, receive, deadline)
                if message["type"] != "http.request":
                    return None
                part = message.get("body", b"")
                parts.append(part)
                size += len(part)
                self._held += len(part)
                if self._held > ALL_BODIES_BYTES:
                    raise Overloaded(1)
                if not message.get("more_body", False):
                    break
            return b"".join(parts)
        finally:
            self._held -= size

    async def _received(self, scope: AsgiScope, receive: Receive, deadline: float) -> Mapping[str, Any]:
        try:
            async with asyncio.timeout_at(deadline):
                return await receive()
        except TimeoutError:
            raise Declined(_problem(scope, "request_timeout", "Your request did not arrive in time.")) from None

    async def _answer(self, scope: AsgiScope, body: bytes) -> WsgiAnswer:
        environ = _environ(scope, body)
        if scope["method"] == "POST" and TURN_POST.fullmatch(scope["path"]):
            return await self._in_task(environ, self._turns)
        if scope["method"] in ("GET", "HEAD") and EVENTS_GET.fullmatch(scope["path"]):
            return await self._in_task(environ, self._events)
        if scope["path"] == HEALTH_PATH:
            return await self._in_task(environ, self._alive)
        pool = self._reserved if scope["path"] in RESERVED_PATHS else self._pool
        return await self._in_thread(pool, environ)

    async def _send_parts(
        self, start: Mapping[str, Any], parts: Iterable[bytes], scope: AsgiScope, send: AsgiSend
    ) -> None:
        """Sends each part of a stream as soon as a task has made it, until the client is gone."""
        made: asyncio.Queue[tuple[bytes, Signal] | None] = asyncio.Queue()

        def make() -> None:
            try:
                for part in parts if scope["method"] != "HEAD" else ():
                    sent = signal()
                    made.put_nowait((part, sent))
                    sent.wait(PART_SECONDS)
            finally:
                _close(parts)

        task, outcome = self._tasks.start(make)
        outcome.add_done_callback(lambda done: made.put_nowait(None))
        try:
            await send(start)
            while (one := await made.get()) is not None and not scope[IS_LOST]():
                part, sent = one
                await send({"type": "http.response.body", "body": part, "more_body": True})
                sent.set()
            await send({"type": "http.response.body", "body": b""})
        finally:
            self._tasks.abandon(task)
            if not outcome.cancelled() and outcome.done() and (error := outcome.exception()) is not None:
                log.error("stream.failed", path=_told(scope["path"]), exc_info=error)

    async def _in_task(self, environ: dict[str, Any], admission: Admission) -> WsgiAnswer:
        admission.enter()
        entered = True

        def parked() -> None:
            nonlocal entered
            if entered:
                entered = False
                admission.leave()

        task, outcome = self._tasks.start(lambda: _run(self._wsgi, environ), parked)
        outcome.add_done_callback(lambda done: parked())
        try:
            return await outcome
        except asyncio.CancelledError:
            self._tasks.abandon(task)
            log.info("request.abandoned", method=environ["REQUEST_METHOD"], path=_told(environ["PATH_INFO"]))
            raise

    async def _in_thread(self, pool: AdmittedPool, environ: dict[str, Any]) -> WsgiAnswer:
        outcome: asyncio.Future[WsgiAnswer] = self._loop.create_future()

        def run() -> None:
            try:
                answer = _run(self._wsgi, environ)
            except BaseException as error:
                self._loop.call_soon_threadsafe(_fail, outcome, error)
            else:
                self._loop.call_soon_threadsafe(_settle, outcome, answer)

        pool.submit(run)
        try:
            return await outcome
        except asyncio.CancelledError:
            if not outcome.cancelled() and outcome.exception() is None:
                _drop(outcome.result())
            raise


def _settle(outcome: asyncio.Future[WsgiAnswer], answer: WsgiAnswer) -> None:
    if outcome.done():
        _drop(answer)
    else:
        outcome.set_result(answer)


def _drop(answer: WsgiAnswer) -> None:
    """Ends an answer whose client is gone before it was begun."""
    if answer.stream is not None:
        _close(answer.stream)


def _fail(outcome: asyncio.Future[WsgiAnswer], error: BaseException) -> None:
    if not outcome.done():
        outcome.set_exception(error)


def _run(wsgi: Wsgi, environ: dict[str, Any]) -> WsgiAnswer:
    """Has the application answer. Except that of a stream, the whole answer is kept."""
    started: list[Any] = []

    def start_response(status: str, headers: list[tuple[str, str]], exc_info: object = None) -> Callable[..., None]:
        started[:] = [int(status[:3]), headers]
        return lambda data: None

    written: list[Callable[[Tasks], None]] = []
    try:
        parts = wsgi(environ | {WRITTEN: written}, start_response)
    except SystemExit as end:  # as the code of a game may raise it: the process goes on
        raise RuntimeError(f"The request was to end the process, with {end.code}.") from end
    if started and any(name == "Content-Type" and text.startswith(STREAM) for name, text in started[1]):
        return WsgiAnswer(started[0], _encoded(started[1]), b"", (), parts)
    try:
        body = b"".join(parts)
    finally:
        _close(parts)
    status, headers = started
    return WsgiAnswer(status, _encoded(headers), body, tuple(written))


def _encoded(headers: Iterable[tuple[str, str]]) -> list[tuple[bytes, bytes]]:
    return [(name.lower().encode("latin-1"), text.encode("latin-1")) for name, text in headers]


def _close(parts: Iterable[bytes]) -> None:
    close = getattr(parts, "close", None)
    if close is not None:
        close()


def _environ(scope: AsgiScope, body: bytes) -> dict[str, Any]:
    """The WSGI environment of a request (PEP 3333)."""
    host, port = scope["server"] or ("", 0)
    client = scope["client"] or ("", 0)
    environ: dict[str, Any] = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(scope["raw_path"]).decode("latin-1"),  # every byte as a character
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": host,
        "SERVER_PORT": str(port or 0),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": client[0],
        "REMOTE_PORT": str(client[1]),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": io.BytesIO(body),
        "wsgi.input_terminated": True,
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    for raw_name, raw_value in scope["headers"]:
        name, value = raw_name.decode("latin-1").upper().replace("-", "_"), raw_value.decode("latin-1")
        key = name if name in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{name}"
        known = environ.get(key)
        if known is not None:
            value = f"{known}{'; ' if name == 'COOKIE' else ','}{value}"
        environ[key] = value
    if environ.pop("HTTP_TRANSFER_ENCODING", None) is not None:
        # It has been put together. Of a body without a length as much would be read as may be, and
        # that would count as all of it.
        environ["CONTENT_LENGTH"] = str(len(body))
    return environ


def _routed(scope: AsgiScope) -> AsgiScope:
    """The request with its target in the origin form: of the absolute form the host is that of the
    request, whatever the header says (RFC 9112, section 3.2.2). Raises ``Declined`` without a host.
    """
    hosts = [value for name, value in scope["headers"] if name == b"host"]
    absolute = ABSOLUTE.fullmatch(scope["raw_path"])
    if not hosts and scope["http_version"] == "1.1":
        raise Declined(_problem(scope, "bad_request", "A request of HTTP/1.1 has a Host header."))
    if len(hosts) > 1 or not all(HOST.fullmatch(host) for host in [*hosts, *([absolute[1]] if absolute else [])]):
        raise Declined(_problem(scope, "bad_request", "The Host header names one host, and a port at most."))
    if absolute is None:
        return scope
    raw_path = absolute[2] or b"/"
    others = [(name, value) for name, value in scope["headers"] if name != b"host"]
    path = unquote_to_bytes(raw_path).decode("utf-8", "replace")
    return {**scope, "raw_path": raw_path, "path": path, "headers": [*others, (b"host", absolute[1])]}


def _problem(scope: AsgiScope, code: str, sentence: str, retry_after: int | None = None) -> WsgiAnswer:
    accepted = next((value for name, value in scope["headers"] if name == b"accept"), b"")
    return problem(
        code,
        sentence,
        scope["path"],
        retry_after,
        as_page=accepted.startswith(b"text/html") and not scope["path"].startswith("/v1/"),
        any_origin=is_for_any_origin(scope["path"]),
    )


def problem(
    code: str,
    sentence: str,
    path: str = "/",
    retry_after: int | None = None,
    *,
    status: int | None = None,
    as_page: bool = False,
    any_origin: bool = True,
) -> WsgiAnswer:
    """A problem (RFC 9457) that is answered without the application; ``status`` is that of its kind
    where it is left out. Where nothing is known of the request, pages of any origin may read it.
    """
    request_id, kind = uuid.uuid4().hex, KINDS[code]
    status = status or kind.status
    document = kind.document(sentence, f"{quote(_told(path))}#{request_id}", retry_after) | {"status": status}
    body = (PAGE.format(title=kind.title, sentence=sentence) if as_page else json.dumps(document)).encode()
    return WsgiAnswer(
        status,
        [
            (b"content-type", b"text/html; charset=utf-8" if as_page else b"application/problem+json"),
            (b"content-length", str(len(body)).encode()),
            (b"x-request-id", request_id.encode()),
            (b"cache-control", b"no-store"),
            (b"x-content-type-options", b"nosniff"),
            *((name.lower().encode(), value.encode()) for name, value in (ANY_ORIGIN.items() if any_origin else ())),
            *([] if retry_after is None else [(b"retry-after", str(retry_after).encode())]),
        ],
        body,
    )


def _told(path: str) -> str:
    """The beginning of a path, as logs and problems may have it."""
    return without_secret(path)[:200]
