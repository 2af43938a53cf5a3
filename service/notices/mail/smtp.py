"""Sends mails to a mail server: by SMTP, plain, over TLS or with STARTTLS, or by LMTP.

Errors are distinguished by where they happen (RFC 5321, section 4.2.1):

- before the recipient is named, or without an answer: the server is down for all mails
  (``TransportDown``);
- the server refuses this recipient or this mail, with 4xx temporarily (``TransportError``), with
  5xx permanently (``PermanentlyRefused``);
- the connection breaks during the transfer of the mail: the server is down, or this mail is the
  cause (``TransportDown.during_transfer``).
"""

from __future__ import annotations

import copy
import smtplib
import ssl
from collections.abc import Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, field
from email.message import EmailMessage
from types import MappingProxyType
from typing import Final

from service.notices.mail.errors import PermanentlyRefused, TransportDown, TransportError
from service.notices.mail.wire import addresses_of, to_wire

MODES: Final[Mapping[str, int]] = MappingProxyType({"smtp": 25, "smtps": 465, "smtp+starttls": 587, "lmtp": 24})
"""The schemes and their ports."""

TIMEOUT_SECONDS: Final = 8.0
"""The longest time for any reply except the last."""
PATIENCE_SECONDS: Final = 20.0
"""The longest time for the server to accept the message; a job's time limit covers two of these."""
REFUSES_CLIENT: Final = frozenset((421, 530, 534, 535, 538))
"""Replies that refuse the client, not the mail (RFC 5321, RFC 4954)."""


@dataclass(frozen=True, slots=True)
class Credentials:
    """A login; the password is not in the ``repr``."""

    user: str
    password: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class SmtpTransport:
    """Sends each message over a new connection.

    ``host`` is a path for LMTP over a local socket. ``timeout`` and ``patience`` are in seconds.
    """

    mode: str
    host: str
    port: int
    credentials: Credentials | None
    timeout: float = TIMEOUT_SECONDS
    patience: float = PATIENCE_SECONDS
    tls: ssl.SSLContext | None = None

    def send(self, message: EmailMessage) -> None:
        """Sends the message, and returns once the server has accepted it.

        Raises ``TransportError``, ``TransportDown`` or ``PermanentlyRefused``; ``CannotCompose``
        for a message that cannot be serialised.
        """
        envelope, during_transfer = _envelope(message), False
        try:
            with closing(self._connect()) as server:
                self._log_in(server)
                if "SMTPUTF8" in envelope.options and not server.has_extn("smtputf8"):
                    sentence = f"{self._name()} cannot write to {envelope.recipient}: it does not support SMTPUTF8."
                    raise PermanentlyRefused(sentence)
                self._expect(*server.mail(envelope.sender, envelope.options), sender=True)
                during_transfer = True
                self._expect(*server.rcpt(envelope.recipient))
                if server.sock is not None:
                    server.sock.settimeout(self.patience)
                self._expect(*server.data(envelope.content))
                with suppress(
                    smtplib.SMTPException, OSError
                ):  # The server has accepted the message: an error of QUIT must not cause a retry.
                    server.quit()
        except smtplib.SMTPDataError as error:
            self._expect(error.smtp_code, error.smtp_error)
            raise TransportDown(
                f"{self._name()} does not speak SMTP: it answered DATA with {error.smtp_code}."
            ) from error
        except smtplib.SMTPResponseException as error:
            raise TransportDown(f"{self._name()} refused: {error.smtp_code} {_words(error.smtp_error)}") from error
        except (smtplib.SMTPException, OSError) as error:
            raise TransportDown(
                f"{self._name()} could not be used: {type(error).__name__}: {error}", during_transfer
            ) from error

    def check(self) -> None:
        """Logs in, and hangs up. Raises ``TransportDown``."""
        try:
            with closing(self._connect()) as server:
                self._log_in(server)
                with suppress(smtplib.SMTPException, OSError):
                    server.quit()
        except (smtplib.SMTPException, OSError) as error:
            raise TransportDown(f"{self._name()} could not be used: {type(error).__name__}: {error}") from error

    def _log_in(self, server: smtplib.SMTP) -> None:
        if self.mode == "smtp+starttls":
            server.starttls(context=self._context())
        if self.credentials is not None:
            server.login(self.credentials.user, self.credentials.password)
        server.ehlo_or_helo_if_needed()

    def _expect(self, code: int, reason: bytes | str, sender: bool = False) -> None:
        """Raises the error for a reply that is not 2xx.

        A refused sender is a fault of the settings, therefore ``TransportDown``.
        """
        if 200 <= code < 300:
            return
        words = _words(reason)
        sentence = f"{self._name()} refused{' the sender' if sender else ''}: {code} {words}"
        if sender or code in REFUSES_CLIENT or "relay" in words.lower():
            raise TransportDown(sentence)
        raise PermanentlyRefused(sentence) if 500 <= code < 600 else TransportError(sentence)

    def _connect(self) -> smtplib.SMTP:
        if self.mode == "lmtp":
            return smtplib.LMTP(self.host, self.port, timeout=self.timeout)
        if self.mode == "smtps":
            return smtplib.SMTP_SSL(self.host, self.port, timeout=self.timeout, context=self._context())
        return smtplib.SMTP(self.host, self.port, timeout=self.timeout)

    def _context(self) -> ssl.SSLContext:
        return self.tls or ssl.create_default_context()

    def _name(self) -> str:
        return f"The mail server {self.host}" + (f":{self.port}" if self.port else "")


@dataclass(frozen=True, slots=True)
class _Envelope:
    sender: str
    recipient: str
    options: tuple[str, ...]
    content: bytes


def _envelope(message: EmailMessage) -> _Envelope:
    """The envelope of a message, from its headers: mails that cannot be delivered go back to its
    ``Return-Path``. Raises ``CannotCompose``.
    """
    sender, recipient = addresses_of(message)
    back = message["Return-Path"]
    if back is not None:  # written by the server that delivers it (RFC 5321, section 4.4)
        sender = str(back).strip("<> ")
        message = copy.copy(message)
        del message["Return-Path"]
    content = to_wire(message)
    options = () if (sender + recipient).isascii() else ("SMTPUTF8", "BODY=8BITMIME")
    return _Envelope(sender, recipient, options, content)


def _words(reason: bytes | str) -> str:
    text = reason.decode("utf-8", "replace") if isinstance(reason, bytes) else reason
    return " ".join(text.split())
