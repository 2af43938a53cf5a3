"""The mailboxes of players: an SMTP server that keeps the mails it takes, in the order in which
they came.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from dataclasses import dataclass
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser
from queue import Empty, Queue
from typing import Final, cast

from aiosmtpd.smtp import SMTP, Envelope, Session

from tools.loops import LoopThread

MOST_BYTES: Final = 32 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Received:
    """A mail in a player's mailbox: ``size`` is in bytes, ``at`` by the monotonic clock."""

    address: str
    message: EmailMessage
    size: int
    at: float

    @property
    def kind(self) -> str:
        """The kind of the notice, as the service names it."""
        return str(self.message["X-Overland-Kind"] or "other")

    @property
    def text(self) -> str:
        """The text part."""
        body = self.message.get_body(("plain",))
        return "" if body is None else str(body.get_content()).replace("\r\n", "\n")


class Mailboxes:
    """An SMTP server on a free port of the loopback, from its construction until ``close``."""

    def __init__(self) -> None:
        self.came: Queue[Received] = Queue()
        self.every: list[Received] = []
        self._thread = LoopThread("mailboxes")
        listen = self._thread.loop.create_server(self._conversation, "127.0.0.1", 0)
        self.port: int = self._thread.serve(listen).sockets[0].getsockname()[1]

    def next(self, seconds: float) -> Received | None:
        """The next mail; ``None`` where none comes within that time."""
        try:
            return self.came.get(timeout=seconds)
        except Empty:
            return None

    def sizes(self) -> dict[str, list[int]]:
        """The sizes of all mails, in bytes, by kind."""
        found: dict[str, list[int]] = {}
        for mail in list(self.every):
            found.setdefault(mail.kind, []).append(mail.size)
        return found

    def repeated(self) -> dict[str, int]:
        """The notices that came more than once to an address, with how often."""
        counts = Counter(f"{mail.message['X-Overland-Notice']} {mail.address}" for mail in list(self.every))
        return {notice: count for notice, count in counts.items() if count > 1}

    def close(self) -> None:
        """Stops listening."""
        self._thread.close()

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        """Called by aiosmtpd: keeps a mail, and gives the answer."""
        content = cast(bytes, envelope.content)
        message = BytesParser(policy=policy.default).parsebytes(content)
        for address in envelope.rcpt_tos:
            mail = Received(address.lower(), message, len(content), time.monotonic())
            self.every.append(mail)
            self.came.put(mail)
        return "250 OK"

    def _conversation(self) -> asyncio.BaseProtocol:
        return SMTP(
            self,
            hostname="mailboxes.example",
            enable_SMTPUTF8=True,
            data_size_limit=MOST_BYTES,
            loop=self._thread.loop,
        )
