"""The listener: the process that takes mails from the mail server in front.

Several may run, at addresses of their own. They have nothing in common but the database: a mail is
a row when it is acknowledged, and a worker handles it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

import structlog

from service.context import Context
from service.inbox.conversation import Conversation
from service.inbox.headers import folded_domain
from service.inbox.intake import Intake
from service.inbox.protocol import Gate, gate_for, protocol_of
from service.inbox.recipients import KnownKeys
from service.reply_addresses import service_address
from service.vitals import LISTENERS

THREADS: Final = 8
"""How many mails wait for the database at once; those that come meanwhile share a transaction."""
BEAT_SECONDS: Final = 10.0
LOOK_SECONDS: Final = 0.1
LEAVING_SECONDS: Final = 5.0
"""How long connections may still be busy after a request to stop."""
BACKLOG: Final = 256
_log = structlog.get_logger("service.inbox")


@dataclass(frozen=True, slots=True)
class Open:
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


async def open_listener(context: Context, url: str) -> Open:
    """Listens at ``url``, ``lmtp://host:port`` or ``smtp://host:port``, at any free port for 0.
    Raises ``OSError`` where that is not possible.
    """
    parts = urlsplit(url)
    service = service_address(context.settings.mail_from)
    gate, threads = gate_for(context.settings.mail_peers), ThreadPoolExecutor(THREADS, "mail")
    conversation = Conversation(
        context,
        service,
        KnownKeys(context, context.timer),
        Intake(context.database, context.queue, context.clock),
        threads,
        limited=context.settings.rate_limit,
    )
    hostname = folded_domain(service.domain) or "localhost"
    server = await asyncio.get_running_loop().create_server(
        lambda: protocol_of(parts.scheme, conversation, gate, hostname),
        parts.hostname,
        parts.port or 0,
        backlog=BACKLOG,
    )
    return Open(server, server.sockets[0].getsockname()[1], gate, threads)


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
        await asyncio.sleep(LOOK_SECONDS)
    await listener.close()
    _log.info("listener.stopped")
