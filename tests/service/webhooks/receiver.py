"""A receiver of webhooks in this process, and a network in which names lead to it."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from service.webhooks.targets import WebhookNetwork

PUBLIC = "93.184.215.14"
LOOK_SECONDS = 0.01
"""From one look whether it is to end to the next."""


@dataclass(frozen=True, slots=True)
class Received:
    """A request that arrived."""

    path: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def document(self) -> Any:
        return json.loads(self.body)


@dataclass
class Receiver:
    """Keeps what arrives, and answers with ``status`` and ``headers``."""

    port: int = 0
    status: int = 204
    headers: dict[str, str] = field(default_factory=dict)
    received: list[Received] = field(default_factory=list)
    connected: list[tuple[str, int]] = field(default_factory=list)
    resolved: list[str] = field(default_factory=list)
    names: dict[str, Sequence[str]] = field(default_factory=dict)
    """What names resolve to; any other to one public address."""

    @property
    def network(self) -> WebhookNetwork:
        return WebhookNetwork(self.resolve, self.connect)

    def resolve(self, host: str, port: int) -> Sequence[str]:
        self.resolved.append(host)
        return self.names.get(host, (PUBLIC,))

    def connect(self, address: tuple[str, int], seconds: float) -> socket.socket:
        """Every address is this receiver's."""
        self.connected.append(address)
        return socket.create_connection(("127.0.0.1", self.port), seconds)


@contextmanager
def receiving() -> Iterator[Receiver]:
    """A receiver that runs until the block ends."""
    receiver = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            receiver.received.append(Received(self.path, dict(self.headers), body))
            self.send_response(receiver.status)
            for name, value in receiver.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    receiver.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, args=(LOOK_SECONDS,), daemon=True)
    thread.start()
    try:
        yield receiver
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
