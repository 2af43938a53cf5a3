"""Handing mails to a mail server: SMTP in three kinds of dress, or LMTP."""

from __future__ import annotations

import smtplib
import ssl
from collections.abc import Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, field
from email.message import EmailMessage
from types import MappingProxyType
from typing import Final

from service.notices.mail.errors import TransportError

MODES: Final[Mapping[str, int]] = MappingProxyType({"smtp": 25, "smtps": 465, "smtp+starttls": 587, "lmtp": 24})
"""The schemes and their ports."""

TIMEOUT_SECONDS: Final = 30.0


@dataclass(frozen=True, slots=True)
class Credentials:
    """A login; the password is never shown."""

    user: str
    password: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class SmtpTransport:
    """Sends each message over a connection of its own. ``host`` is a path for LMTP over a local socket."""

    mode: str
    host: str
    port: int
    credentials: Credentials | None
    timeout: float = TIMEOUT_SECONDS
    tls: ssl.SSLContext | None = None

    def send(self, message: EmailMessage) -> None:
        """Returns once the server has said that it has the message. Raises ``TransportError``."""
        try:
            with closing(self._connect()) as server:
                if self.mode == "smtp+starttls":
                    server.starttls(context=self._context())
                if self.credentials is not None:
                    server.login(self.credentials.user, self.credentials.password)
                server.send_message(message)
                with suppress(smtplib.SMTPException, OSError):  # The server has the message already: an unfriendly goodbye must not send it twice.
                    server.quit()
        except smtplib.SMTPRecipientsRefused as error:
            code, reason = next(iter(error.recipients.values()))
            raise TransportError(f"{self._name()} refused the recipient: {code} {_words(reason)}") from error
        except smtplib.SMTPResponseException as error:
            raise TransportError(f"{self._name()} refused: {error.smtp_code} {_words(error.smtp_error)}") from error
        except (smtplib.SMTPException, OSError) as error:
            raise TransportError(f"{self._name()} could not be used: {type(error).__name__}: {error}") from error

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


def _words(reason: bytes | str) -> str:
    text = reason.decode("utf-8", "replace") if isinstance(reason, bytes) else reason
    return " ".join(text.split())
