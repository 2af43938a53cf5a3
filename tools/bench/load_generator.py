"""The load of the bench: connections that post prepared turns, each as soon as the verdict on the
previous one has arrived.

It does not use `tools.client`, because it must cost little beside the service that it measures:
requests are prepared as bytes, an answer is read up to its length and searched for the verdict.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

HEADER_END: Final = b"\r\n\r\n"
LENGTH: Final = b"content-length:"
MOST_FAULTS: Final = 5

Requests = Sequence[bytes]
"""The requests that one connection posts in order: the turns of a match."""


@dataclass(slots=True)
class Load:
    """(Time of the answer, seconds it took) for every request, and the wrong answers."""

    answers: list[tuple[float, float]] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    dry: bool = False
    """Whether the prepared requests ran out early."""

    def within(self, begin: float, end: float) -> list[float]:
        """The seconds of the answers between two times, sorted."""
        return sorted(took for at, took in self.answers if begin <= at < end)


def request(path: str, token: str, body: bytes, wait: int | None = 10) -> bytes:
    """The bytes of a POST."""
    head = [
        f"POST {path} HTTP/1.1",
        "Host: bench",
        f"Authorization: Bearer {token}",
        "Content-Type: application/json",
        f"Content-Length: {len(body)}",
    ]
    if wait is not None:
        head.append(f"Prefer: wait={wait}")
    return "\r\n".join(head).encode() + HEADER_END + body


def drive(
    address: tuple[str, int],
    scripts: Iterator[Requests],
    connections: int,
    seconds: float,
    proof: bytes,
    at: Callable[[], object] | None = None,
) -> Load:
    """Posts from many connections at once for ``seconds``.

    An answer is right if it is a 200 that contains ``proof``. ``at`` is called every half second.
    """
    return asyncio.run(_drive(address, scripts, connections, seconds, proof, at))


async def _drive(
    address: tuple[str, int],
    scripts: Iterator[Requests],
    connections: int,
    seconds: float,
    proof: bytes,
    at: Callable[[], object] | None,
) -> Load:
    load, loop = Load(), asyncio.get_running_loop()
    clients = []
    for _ in range(connections):
        _, client = await loop.create_connection(lambda: _Client(load, scripts, proof), *address)
        clients.append(client)
    for client in clients:
        client.begin()
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline and not load.dry and len(load.faults) < MOST_FAULTS:
        await asyncio.sleep(min(0.5, max(0.0, deadline - time.monotonic())))
        if at is not None:
            at()
    for client in clients:
        client.end()
    return load


class _Client(asyncio.Protocol):
    """One connection."""

    def __init__(self, load: Load, scripts: Iterator[Requests], proof: bytes) -> None:
        self._load, self._scripts, self._proof = load, scripts, proof
        self._left: Iterator[bytes] = iter(())
        self._transport: asyncio.Transport | None = None
        self._received = b""
        self._needed = 0
        self._posted = 0.0
        self._ending = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def connection_lost(self, exc: Exception | None) -> None:
        if not self._ending:
            self._load.faults.append(f"the connection was closed: {exc}")

    def data_received(self, data: bytes) -> None:
        self._received += data
        if not self._needed:
            end = self._received.find(HEADER_END)
            if end < 0:
                return
            head = self._received[:end].lower()
            start = head.find(LENGTH) + len(LENGTH)
            self._needed = end + len(HEADER_END) + int(head[start : (head + b"\r").find(b"\r", start)])
        if len(self._received) >= self._needed:
            now = time.monotonic()
            self._load.answers.append((now, now - self._posted))
            if self._received[9:12] != b"200" or self._proof not in self._received:
                self._load.faults.append(self._received.decode(errors="replace"))
                self._left = iter(())
            self._received, self._needed = b"", 0
            self.begin()

    def begin(self) -> None:
        """Posts the next turn of this match, or the first of the next match."""
        assert self._transport is not None
        if self._ending:
            return
        body = next(self._left, None)
        while body is None:
            following = next(self._scripts, None)
            if following is None:
                self._load.dry = True
                return
            self._left = iter(following)
            body = next(self._left, None)
        self._posted = time.monotonic()
        self._transport.write(body)

    def end(self) -> None:
        """Closes the connection."""
        self._ending = True
        if self._transport is not None:
            self._transport.close()
