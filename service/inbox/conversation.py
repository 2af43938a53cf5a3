"""What the listener answers to the mail server in front, command by command (RFC 5321, RFC 2033).

``250`` after a mail is written only after the commit. Anything that is no fault of the mail gets a
``4xx``: the mail server in front keeps the mail and tries again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor
from typing import Any, Final

import structlog
from aiosmtpd.smtp import SMTP, Envelope, Session
from sqlalchemy.exc import SQLAlchemyError

from service.context import Context
from service.inbox.intake import Intake, Mail, storable
from service.inbox.recipients import KnownKeys, refusal
from service.rates import Limit, Use
from service.reply_addresses import ServiceAddress

MOST_RECIPIENTS: Final = 20
"""Of one mail; the mail server in front sends the same mail again for further ones (RFC 5321,
section 4.5.3.1.10).
"""
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
_log = structlog.get_logger("service.inbox")


class Conversation:
    """Answers the commands of one listener's connections. The methods are named as aiosmtpd calls
    them, and run in its loop; whatever asks the database runs in a thread of ``threads``.
    """

    def __init__(
        self,
        context: Context,
        service: ServiceAddress,
        keys: KnownKeys,
        intake: Intake,
        threads: Executor,
        limited: bool,
    ) -> None:
        self._context, self._service, self._keys, self._intake = context, service, keys, intake
        self._threads, self._limited = threads, limited

    async def handle_MAIL(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Answers MAIL FROM: a new mail begins."""
        sender = "" if address == "<>" else address
        answer = await self._in_thread(lambda: self._may_begin(sender))
        if answer is None:
            envelope.mail_from = address
            envelope.mail_options.extend(options)
            return "250 2.1.0 OK"
        return answer

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
        mail = Mail(peer_of(session.peer), sender, tuple(envelope.rcpt_tos), raw)
        answer = await self._in_thread(lambda: self._store(mail))
        if answer is None:
            _log.info("mail.taken", recipients=len(mail.recipients), size=len(raw), peer=mail.peer)
            return TAKEN
        return answer

    async def handle_exception(self, error: Exception) -> str:
        """Answers a command at which an exception was raised."""
        _log.error("mail.failed", error=f"{type(error).__name__}: {error}", exc_info=error)
        return "451 4.3.0 Something went wrong here; try again later"

    async def _in_thread(self, ask: Callable[[], str | None]) -> str | None:
        """The answer of ``ask``, or the refusal where the database raised an error."""
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, ask)
        except SQLAlchemyError as error:
            _log.warning("mail.not_taken", error=str(getattr(error, "orig", None) or error).strip().splitlines()[0])
            return FULL if is_full(error) else AWAY

    def _may_begin(self, sender: str) -> str | None:
        if self._context.maintenance() is not None:
            return MAINTENANCE
        if not self._limited or not sender:
            return None
        now = self._context.clock().timestamp()
        count = self._context.rates.count([Use(FROM_ONE_SENDER, storable(sender).casefold())], now)[0]
        return TOO_MANY_MAILS if count > FROM_ONE_SENDER.most else None

    def _refusal(self, address: str) -> str | None:
        sentence = refusal(self._keys.present(), self._service, storable(address))
        return None if sentence is None else f"550 5.1.1 {sentence}"

    def _store(self, mail: Mail) -> str | None:
        if self._context.maintenance() is not None:
            return MAINTENANCE
        self._intake.store(mail)
        return None


def is_full(error: SQLAlchemyError) -> bool:
    """Whether the disk of the database is full: SQLite's code, or PostgreSQL's class 53."""
    cause: Any = getattr(error, "orig", None)
    state = getattr(cause, "sqlstate", None) or ""
    return "disk is full" in str(cause) or state in ("53000", "53100")


def peer_of(peer: object) -> str:
    """The host of the other end of a connection."""
    return str(peer[0]) if isinstance(peer, tuple) and peer else "local"
