"""A mail server for soak and tests: it records the notices it receives, and can be made to fail.

The protocol is aiosmtpd's. Added are a listener that closes and reopens at the same port
(``unreachable``), and a connection that is accepted and never answered (``silent``).
"""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict, deque
from email import policy
from email.parser import BytesParser
from typing import Any, Final, Literal, TypeAlias

from aiosmtpd.smtp import SMTP, Envelope, Session

from tools.loops import LoopThread

MailFault: TypeAlias = Literal["none", "unreachable", "deferring", "rejecting", "silent", "dropping", "slow"]
"""``unreachable``: connections are refused. ``deferring``: every mail is answered by 451.

``rejecting``: by 554. ``silent``: connections are accepted and never answered. ``dropping``: the
mail is received and the connection closed instead of an answer. ``slow``: the answer takes
`SLOW_SECONDS`.
"""
SLOW_SECONDS: Final = 1.5
KEPT_TEXTS: Final = 3
"""The number of texts kept per address, enough for a player who signs up."""


class MailServer:
    """A mail server on a free port of ``host``, listening from its construction until ``close``.

    ``received`` has the notice id of each mail, repeats included; ``times`` when it came, by the
    monotonic clock.
    """

    def __init__(self, host: str = "127.0.0.1") -> None:
        self.host, self.port = host, 0
        self.received: list[str] = []
        self.times: list[float] = []
        self._fault: MailFault = "none"
        self._texts: defaultdict[str, deque[str]] = defaultdict(lambda: deque(maxlen=KEPT_TEXTS))
        self._connections: set[asyncio.BaseTransport] = set()
        self._listener: asyncio.Server | None = None
        self._thread = LoopThread("mail server")
        self._thread.run(self._listen())

    @property
    def url(self) -> str:
        """The value for OVERLAND_MAIL_URL."""
        return f"smtp://{self.host}:{self.port}"

    def set_fault(self, fault: MailFault) -> None:
        """Sets the present fault. Connections held up by the previous one are aborted."""
        self._thread.run(self._set_fault(fault))

    def texts(self, address: str) -> list[str]:
        """The latest texts that were mailed to this address."""
        return list(self._texts[address])

    def close(self) -> None:
        """Ends every connection and stops listening."""
        self.set_fault("unreachable")
        self._thread.close()

    async def handle_MAIL(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Called by aiosmtpd: gives the answer to MAIL."""
        if self._fault == "deferring":
            return "451 Come back later"
        if self._fault == "rejecting":
            return "554 Nothing is accepted here"
        envelope.mail_from = address
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        """Called by aiosmtpd: records a mail, and gives the answer."""
        if self._fault == "slow":
            await asyncio.sleep(SLOW_SECONDS)
        assert isinstance(envelope.content, bytes)
        mail = BytesParser(policy=policy.default).parsebytes(envelope.content)
        body = mail.get_body(("plain",))
        if body is not None:
            for address in envelope.rcpt_tos:
                self._texts[address].append(body.get_content())
        self.times.append(time.monotonic())
        self.received.append(str(mail["X-Overland-Notice"]))
        if self._fault == "dropping" and server.transport is not None:
            server.transport.close()
        return "250 OK"

    async def _set_fault(self, fault: MailFault) -> None:
        before, self._fault = self._fault, fault
        if fault == "unreachable" or before in ("silent", "slow"):
            for transport in self._connections:
                assert isinstance(transport, asyncio.Transport)
                transport.abort()
        if fault == "unreachable" and self._listener is not None:
            self._listener.close()
            self._listener = None
        elif fault != "unreachable" and self._listener is None:
            await self._listen()

    async def _listen(self) -> None:
        self._listener = await self._thread.loop.create_server(self._connected, self.host, self.port)
        self.port = self._listener.sockets[0].getsockname()[1]

    def _connected(self) -> asyncio.BaseProtocol:
        if self._fault == "silent":
            return _Silent(self._connections)
        return _Conversation(self._connections, self, hostname="localhost", loop=self._thread.loop)


class _Silent(asyncio.Protocol):
    """A connection that is never answered."""

    def __init__(self, connections: set[asyncio.BaseTransport]) -> None:
        self._connections = connections

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport
        self._connections.add(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        self._connections.discard(self._transport)


class _Conversation(SMTP):
    """aiosmtpd's protocol, recorded in ``connections`` while it is connected."""

    def __init__(self, connections: set[asyncio.BaseTransport], *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._connections = connections

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._connections.add(transport)
        self._listed = transport

    def connection_lost(self, error: Exception | None) -> None:
        self._connections.discard(self._listed)
        super().connection_lost(error)
