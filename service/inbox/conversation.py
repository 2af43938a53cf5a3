"""What the listener answers to the mail server in front, command by command (RFC 5321, RFC 2033),
and the rows of a mail, with the key by which one that arrives twice is recognised.

``250`` after a mail is written only after the commit. Anything that is no fault of the mail gets a
``4xx``: the mail server in front keeps the mail and tries again.
"""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

import structlog
from aiosmtpd.smtp import SMTP, Envelope, Session
from sqlalchemy.exc import SQLAlchemyError

from service.context import Context
from service.inbox.headers import folded_domain
from service.inbox.recipients import JOIN
from service.links import ServiceAddress, is_signed_tag, service_address
from service.rates import Limit, Use
from service.signing import Keys, keys_of
from service.store import messages
from service.store.database import reason_of
from service.store.failures import is_full
from service.store.messages import NewMessage

MOST_RECIPIENTS: Final = 20
"""Of one mail; it is sent again for further ones (RFC 5321, section 4.5.3.1.10)."""
MOST_REFUSED: Final = 20
"""Recipients that are refused in one connection before it is closed."""
FROM_ONE_SENDER: Final = Limit("mails in", 120, 3600)
"""Mails that are taken from one envelope sender."""
TAKEN: Final = "250 2.0.0 The mail is stored"
AWAY: Final = "451 4.3.0 The database does not answer; try again later"
FULL: Final = "452 4.3.1 The disk is full; try again later"
MAINTENANCE: Final = "451 4.3.2 In maintenance; try again later"
TOO_MANY_RECIPIENTS: Final = "452 4.5.3 Too many recipients; send the mail again for the others"
TOO_MANY_MAILS: Final = "451 4.7.1 Too many mails from this sender; try again later"
TOO_MANY_REFUSED: Final = "421 4.7.0 Too many unknown recipients"
SIGNED: Final = ("r-", "b-", "u-")
"""How the tags begin that the service signs."""
KEYS_SECONDS: Final = 20.0
"""Shorter than a new key waits before it signs (``service.signing.GRACE``)."""
_log = structlog.get_logger("service.inbox")


class KnownKeys:
    """The keys of the service, as they were at most ``KEYS_SECONDS`` ago."""

    def __init__(self, context: Context) -> None:
        self._context, self._lock = context, threading.Lock()
        self._read_at = 0.0
        self._keys: Keys | None = None

    def present(self) -> Keys:
        """The keys. Raises SQLAlchemy's errors where they have to be read and cannot be."""
        with self._lock:
            if self._keys is None or self._context.timer() - self._read_at >= KEYS_SECONDS:
                self._read_at = self._context.timer()
                self._keys = keys_of(self._context)
            return self._keys


class Conversation:
    """Answers the commands of one listener's connections. The methods are named as aiosmtpd calls
    them, and run in its loop; whatever asks the database runs in a thread of ``threads``.
    """

    def __init__(self, context: Context, threads: Executor) -> None:
        self._context, self._threads = context, threads
        self._service, self._keys = service_address(context.settings.mail_from), KnownKeys(context)

    async def handle_MAIL(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Answers MAIL FROM: a new mail begins."""
        sender = "" if address == "<>" else address
        if (answer := await self._in_thread(lambda: self._may_begin(sender))) is not None:
            return answer
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return "250 2.1.0 OK"

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Answers RCPT TO."""
        if len(envelope.rcpt_tos) >= MOST_RECIPIENTS:
            return TOO_MANY_RECIPIENTS
        answer = await self._in_thread(lambda: self._refusal(address))
        if answer is None:
            envelope.rcpt_tos.append(address)
            envelope.rcpt_options.extend(options)
            return "250 2.1.5 OK"
        refused = getattr(session, "refused", 0) + 1
        session.refused = refused  # type: ignore[attr-defined]
        if refused > MOST_REFUSED:
            assert server.transport is not None
            asyncio.get_running_loop().call_soon(server.transport.close)  # after the answer is written
            return TOO_MANY_REFUSED
        return answer

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        """Answers the end of a mail: it is stored now."""
        raw = envelope.content
        assert isinstance(raw, bytes)
        sender = "" if envelope.mail_from in (None, "<>") else str(envelope.mail_from)
        peer, recipients = peer_of(session.peer), tuple(envelope.rcpt_tos)
        answer = await self._in_thread(lambda: self._store(rows_of(peer, sender, recipients, raw)))
        if answer is not None:
            return answer
        _log.info("mail.taken", recipients=len(recipients), size=len(raw), peer=peer)
        return TAKEN

    async def handle_exception(self, error: Exception) -> str:
        """Answers a command at which an exception was raised."""
        _log.error("mail.failed", error=f"{type(error).__name__}: {error}", exc_info=error)
        return "451 4.3.0 Something went wrong here; try again later"

    async def _in_thread(self, ask: Callable[[], str | None]) -> str | None:
        """The answer of ``ask``, or the refusal where the database raised an error."""
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, ask)
        except SQLAlchemyError as error:
            _log.warning("mail.not_taken", error=reason_of(error))
            return FULL if is_full(error) else AWAY

    def _may_begin(self, sender: str) -> str | None:
        if self._context.maintenance() is not None:
            return MAINTENANCE
        if not self._context.settings.rate_limit or not sender:
            return None
        now = self._context.clock().timestamp()
        count = self._context.rates.count([Use(FROM_ONE_SENDER, storable(sender).casefold())], now)[0]
        return TOO_MANY_MAILS if count > FROM_ONE_SENDER.most else None

    def _refusal(self, address: str) -> str | None:
        sentence = refusal(self._keys.present(), self._service, storable(address))
        return None if sentence is None else f"550 5.1.1 {sentence}"

    def _store(self, rows: Sequence[NewMessage]) -> str | None:
        """Stores a mail; it is committed when this returns. Raises SQLAlchemy's errors."""
        if self._context.maintenance() is not None:
            return MAINTENANCE
        with self._context.database.write() as connection:
            messages.add_all(connection, rows, self._context.clock())
        self._context.queue.wake_messages()
        return None


def peer_of(peer: object) -> str:
    """The host of the other end of a connection."""
    return str(peer[0]) if isinstance(peer, tuple) and peer else "local"


def refusal(keys: Keys, service: ServiceAddress, address: str) -> str | None:
    """The sentence with which a mail to that address is refused; ``None`` where it is taken: at the
    address of OVERLAND_MAIL_FROM, ``join`` at its domain, and the plus-addresses that the service
    has signed (``service.links``).
    """
    local, _, domain = address.strip().rpartition("@")
    name, plus, tag = local.casefold().partition("+")
    if local and folded_domain(domain) == folded_domain(service.domain):
        if local.casefold() == JOIN:
            return None
        if name == service.local.casefold() and (not plus or tag == JOIN or is_signed_tag(keys, tag)):
            return None
    if name == service.local.casefold() and tag.startswith(SIGNED):
        return (
            "This address is not one that this service wrote: a character is missing or wrong."
            " Reply to its mail, or copy the address as a whole."
        )
    return f"There is no such address here. Reply to a mail of a match, or write to {service}."


LONGEST_ADDRESS: Final = 512
LONGEST_ID: Final = 998
"""Characters of a line, RFC 5322, section 2.1.1."""
LONGEST_AUTHOR: Final = 320
INSTEAD: Final = (b"from", b"date", b"subject", b"in-reply-to")
"""Stand for a Message-ID where there is none: the same words of another day are another mail."""
_FIELD: Final = re.compile(rb"^([!-9;-~]+)[ \t]*:(.*(?:\n[ \t].*)*)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class MailKey:
    """``message_id`` with its angle brackets, empty where there is none; ``digest``: the SHA-256 of
    the body, 64 hexadecimal digits; ``author``: the last address in From in lower case, empty where
    there is none. A Message-ID may be missing, or used for several mails: it is not enough alone.
    """

    message_id: str
    digest: str
    author: str


def rows_of(peer: str, sender: str, recipients: Sequence[str], raw: bytes) -> Sequence[NewMessage]:
    """A row for each recipient; one that is named twice gets one. ``peer`` is the address of the
    host that handed the mail over, ``sender`` the envelope sender, empty for a bounce.
    """
    key, named = key_of(raw), {recipient.casefold(): recipient for recipient in map(storable, recipients)}
    return [
        NewMessage(peer, storable(sender), recipient, raw, key.message_id, key.digest, key.author)
        for recipient in named.values()
    ]


def storable(address: str) -> str:
    """An address as any database stores it: NUL, and bytes that are no UTF-8, are replaced."""
    text = address.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return text.replace("\0", "\ufffd")[:LONGEST_ADDRESS]


def key_of(raw: bytes) -> MailKey:
    """The key of a mail. Never raises. Without a Message-ID the digest includes ``INSTEAD``."""
    head, _, body = raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n").partition(b"\n\n")
    first: dict[bytes, bytes] = {}
    for name, value in _FIELD.findall(head):
        first.setdefault(name.lower(), b" ".join(value.split()))
    message_id = first.get(b"message-id", b"").decode("utf-8", "replace").replace("\0", "")[:LONGEST_ID]
    digest = sha256(body.rstrip())
    if not message_id:
        digest.update(b"\0".join(first.get(name, b"") for name in INSTEAD))
    words = re.split(rb"[\s<>,;:()\"]+", first.get(b"from", b""))
    author = next((word for word in reversed(words) if b"@" in word), b"").decode("utf-8", "replace")
    return MailKey(message_id, digest.hexdigest(), author.replace("\0", "").casefold()[:LONGEST_AUTHOR])
