"""The listener: the process that takes mails from the mail server in front. Several may run: a mail
is a row in the database when it is acknowledged, and a worker handles it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import Any, Final
from urllib.parse import urlsplit

import structlog
from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP

from service.context import Context
from service.inbox.bounds import MOST_BYTES
from service.inbox.conversation import Conversation, peer_of
from service.inbox.headers import folded_domain
from service.links import service_address
from service.vitals import LISTENERS

THREADS: Final = 8
"""How many mails wait for the database at once; those that come meanwhile share a transaction."""
BEAT_SECONDS: Final = 10.0
LOOK_SECONDS: Final = 0.1
IDLE_SECONDS: Final = 0.5
"""From one look whether it is to stop to the next."""
LEAVING_SECONDS: Final = 5.0
"""How long connections may still be busy after a request to stop."""
BACKLOG: Final = 256
LONGEST_LINE: Final = 65_536
"""Bytes. Mail programs write at most 998 (RFC 5322, section 2.1.1), and some do not."""
MOST_CONNECTIONS: Final = 200
CONNECTION_SECONDS: Final = 120.0
"""How long a command, or the transfer of a mail, may take."""
_log = structlog.get_logger("service.inbox")


@dataclass(frozen=True, slots=True)
class OpenListener:
    """A listener that listens: its port, and what counts its connections."""

    server: asyncio.Server
    port: int
    gate: Gate
    threads: ThreadPoolExecutor

    async def close(self, seconds: float = LEAVING_SECONDS) -> None:
        """Takes no more connections, and closes those that are left after ``seconds``."""
        self.server.close()
        for _ in range(int(seconds / LOOK_SECONDS)):
            if not self.gate.connected:
                break
            await asyncio.sleep(LOOK_SECONDS)
        for transport in list(self.gate.connected):
            transport.close()
        await self.server.wait_closed()
        self.threads.shutdown(wait=True)


async def open_listener(context: Context, url: str) -> OpenListener:
    """Listens at ``url``, ``lmtp://host:port`` or ``smtp://host:port``, any free port for 0. Raises
    ``OSError``.
    """
    parts = urlsplit(url)
    gate = Gate(tuple(map(ip_network, context.settings.mail_peers)))
    threads = ThreadPoolExecutor(THREADS, "mail")
    conversation, loop = Conversation(context, threads), asyncio.get_running_loop()
    hostname = folded_domain(service_address(context.settings.mail_from).domain) or "localhost"

    def protocol() -> SMTP:
        made = (LmtpProtocol if parts.scheme == "lmtp" else SmtpProtocol)(
            conversation,
            data_size_limit=MOST_BYTES,
            enable_SMTPUTF8=True,
            decode_data=False,
            hostname=hostname,
            ident="Overland",
            timeout=CONNECTION_SECONDS,
            loop=loop,
        )
        made.gate = gate
        return made

    server = await loop.create_server(protocol, parts.hostname, parts.port or 0, backlog=BACKLOG)
    return OpenListener(server, server.sockets[0].getsockname()[1], gate, threads)


async def listen_until(context: Context, stopping: Callable[[], bool]) -> None:
    """Listens at OVERLAND_MAIL_IN until the stop is requested. Raises ``OSError``."""
    url = context.settings.mail_in
    listener = await open_listener(context, url)
    _log.info("listener.started", at=url)
    beaten = -BEAT_SECONDS
    while not stopping():
        if context.timer() - beaten >= BEAT_SECONDS:
            beaten = context.timer()
            await asyncio.get_running_loop().run_in_executor(listener.threads, context.vitals.beat, LISTENERS)
        await asyncio.sleep(IDLE_SECONDS)
    await listener.close()
    _log.info("listener.stopped")


@dataclass(slots=True)
class Gate:
    """Who may connect, and how many are connected."""

    networks: tuple[IPv4Network | IPv6Network, ...]
    most: int = MOST_CONNECTIONS
    connected: set[asyncio.BaseTransport] = field(default_factory=set)

    def refusal(self, peer: str) -> bytes | None:
        """What a new connection is told before it is closed; ``None`` where it may stay."""
        if not self.trusts(peer):
            return b"554 5.7.1 This listener takes mails from its own mail server only\r\n"
        if len(self.connected) >= self.most:
            return b"421 4.3.2 Too many connections; try again later\r\n"
        return None

    def trusts(self, host: str) -> bool:
        """Whether a host may hand mails over."""
        try:
            address = ip_address(host.partition("%")[0])
        except ValueError:
            return False
        mapped = getattr(address, "ipv4_mapped", None)
        return any((mapped or address) in network for network in self.networks)


class _Limited:
    """What both protocols do more than aiosmtpd's."""

    line_length_limit = LONGEST_LINE
    gate: Gate
    _is_refused = False

    def connection_made(self, transport: Any) -> None:
        peer = peer_of(transport.get_extra_info("peername"))
        refusal = self.gate.refusal(peer)
        if refusal is not None:
            self._is_refused = True
            _log.warning("mail.connection_refused", peer=peer)
            transport.write(refusal)
            transport.close()
            return
        self.gate.connected.add(transport)
        self._kept = transport
        super().connection_made(transport)  # type: ignore[misc]

    def connection_lost(self, error: Exception | None) -> None:
        if not self._is_refused:
            self.gate.connected.discard(self._kept)
            super().connection_lost(error)  # type: ignore[misc]

    def data_received(self, data: bytes) -> None:
        if not self._is_refused:
            super().data_received(data)  # type: ignore[misc]

    def eof_received(self) -> bool | None:
        return None if self._is_refused else super().eof_received()  # type: ignore[misc]


class SmtpProtocol(_Limited, SMTP):
    """SMTP (RFC 5321)."""


class LmtpProtocol(_Limited, LMTP):
    """LMTP (RFC 2033): each recipient of a mail gets an answer, also if the mail is too large."""

    _answers = 1

    async def smtp_DATA(self, arg: str) -> None:
        """Takes a mail."""
        self._recipients = len(self.envelope.rcpt_tos) if self.envelope is not None else 0
        self._answers = 0 if self._recipients else 1
        try:
            await super().smtp_DATA(arg)
        finally:
            self._answers = 1

    async def push(self, status: Any) -> None:
        """Writes an answer, after a mail once for each recipient."""
        if self._answers == 0 and str(status).startswith("354"):
            self._answers = self._recipients
            await super().push(status)
            return
        for _ in range(max(1, self._answers)):
            await super().push(status)
