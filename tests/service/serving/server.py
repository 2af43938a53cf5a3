"""The server in this process, on a socket of its own, with a WSGI application of the test's."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

from gunicorn.config import Config  # type: ignore[import-untyped]
from gunicorn.glogging import Logger  # type: ignore[import-untyped]

from service.serving.worker import LoopWorker
from tools.waiting import LIMIT_SECONDS

Wsgi = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]
TURNS = "/v1/matches/m/turns"


@dataclass(frozen=True, slots=True)
class Listening:
    """A gunicorn socket."""

    sock: socket.socket

    def close(self) -> None:
        self.sock.close()


@dataclass(frozen=True, slots=True)
class Application:
    """What gunicorn loads the application from."""

    application: Wsgi

    def wsgi(self) -> Wsgi:
        return self.application


@dataclass(frozen=True, slots=True)
class Server:
    """A server that runs in a thread."""

    address: tuple[str, int]
    worker: LoopWorker
    thread: threading.Thread

    def connect(self) -> socket.socket:
        """A connection that waits no longer than a test may."""
        return socket.create_connection(self.address, LIMIT_SECONDS)

    def says(self, sent: bytes) -> bytes:
        """Everything that is answered to these bytes until the server closes the connection."""
        with self.connect() as connection:
            connection.sendall(sent)
            connection.shutdown(socket.SHUT_WR) if not sent else None
            return read_all(connection)

    def answers(self, path: str = "/", method: str = "GET") -> bytes:
        """The answer to one request without a body."""
        return self.says(f"{method} {path} HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n".encode())

    def stop(self) -> None:
        """Stops as on SIGTERM; does not wait."""
        with suppress(RuntimeError):  # its loop is closed: it has stopped
            self.worker.loop.call_soon_threadsafe(self.worker.handle_exit_signal)


def read_all(connection: socket.socket) -> bytes:
    """What arrives until the end; a connection that is reset ends, too."""
    parts = []
    try:
        while part := connection.recv(65536):
            parts.append(part)
    except ConnectionResetError:
        pass
    return b"".join(parts)


@contextmanager
def serving(application: Wsgi, **settings: Any) -> Iterator[Server]:
    """Serves an application; ``settings`` are gunicorn's."""
    config = Config()
    for name, value in {"threads": 2, "worker_connections": 50, "graceful_timeout": 5, **settings}.items():
        config.set(name, value)
    listening = socket.create_server(("127.0.0.1", 0), backlog=512)
    listening.setblocking(False)
    worker = LoopWorker(1, os.getppid(), [Listening(listening)], Application(application), 60, config, Logger(config))
    started = threading.Event()

    def run() -> None:
        worker._setup_event_loop()
        worker.load_wsgi()
        worker.loop.call_soon(started.set)
        worker.run()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    assert started.wait(LIMIT_SECONDS)
    server = Server(listening.getsockname(), worker, thread)
    try:
        yield server
    finally:
        server.stop()
        thread.join(LIMIT_SECONDS)
        assert not thread.is_alive()


def text(start_response: Callable[..., Any], body: str, status: str = "200 OK") -> list[bytes]:
    """A short answer."""
    data = body.encode()
    start_response(status, [("Content-Type", "text/plain"), ("Content-Length", str(len(data)))])
    return [data]


def echo(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
    """Answers with the method, the path and the body."""
    read = environ["wsgi.input"].read().decode("latin-1")
    return text(start_response, f"{environ['REQUEST_METHOD']} {environ['PATH_INFO']} [{read}]")
