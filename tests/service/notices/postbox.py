"""What a real mail server on the loopback interface receives, and answers as a test tells it to."""

from __future__ import annotations

import ssl
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

CERTIFICATE = Path(__file__).with_name("localhost.pem")
"""Self-signed for localhost, with its key: it protects nothing and is used by tests alone."""


@dataclass
class Postbox:
    """What a server received, and what it is told to answer."""

    port: int = 0
    envelopes: list[Envelope] = field(default_factory=list)
    logins: list[tuple[str, str]] = field(default_factory=list)
    encrypted: list[bool] = field(default_factory=list)
    refuse_sender: str | None = None
    refuse_recipient: str | None = None
    refuse_message: str | None = None
    goodbye: str | None = None
    smtputf8: bool = True

    async def handle_MAIL(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if self.refuse_sender:
            return self.refuse_sender
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return "250 OK"

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if self.refuse_recipient:
            return self.refuse_recipient
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        if self.refuse_message:
            return self.refuse_message
        self.envelopes.append(envelope)
        assert server.transport is not None
        self.encrypted.append(session.ssl is not None or server.transport.get_extra_info("sslcontext") is not None)
        return "250 Taken"

    async def handle_QUIT(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        return self.goodbye or "221 Bye"

    def authenticate(
        self, server: SMTP, session: Session, envelope: Envelope, mechanism: str, given: Any
    ) -> AuthResult:
        assert isinstance(given, LoginPassword)
        self.logins.append((given.login.decode(), given.password.decode()))
        return AuthResult(success=given.password == b"s3cret@/:", handled=False)


def certificate() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE)
    return context
