"""An ordinary provider of mailboxes: IMAP by Dovecot, submission with STARTTLS and a password, and
the mails of the world, of which it says who wrote them.
"""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import make_msgid
from pathlib import Path
from queue import Queue
from typing import Any, cast

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from tools.dovecot import PASSWORD, Dovecot
from tools.waiting import LIMIT_SECONDS
from workers.valkey import free_port

RELAY = "mx.mail.example"
"""The name under which it writes `Authentication-Results`."""


@dataclass(frozen=True)
class Provider:
    """A provider with one mailbox of a service, ``address``. What the service sends to others is in
    ``sent``. It has no slots: aiosmtpd reads all of its members, and in some versions of Python
    that of ``__weakref__`` cannot be read.
    """

    address: str
    dovecot: Dovecot
    sent: Queue[EmailMessage]
    submission: int

    @property
    def certificate(self) -> Path:
        """The file of its certificate."""
        return self.dovecot.certificate

    def write(self, sender: str, recipient: str, text: str, answered: EmailMessage | None = None) -> None:
        """Takes a mail of somebody whose own provider has signed it."""
        domain = sender.partition("@")[2]
        message = EmailMessage(policy=policy.SMTP)
        message["Authentication-Results"] = f"{RELAY}; dkim=pass header.d={domain}"
        message["From"], message["To"] = sender, recipient
        message["Message-ID"] = make_msgid(domain=domain)
        if answered is not None:
            message["Subject"] = f"Re: {answered['Subject']}"
            message["In-Reply-To"] = answered["Message-ID"]
        message.set_content(text)
        self.dovecot.deliver(recipient, message.as_bytes(), sender)

    def next(self) -> EmailMessage:
        """The next mail that the service sends."""
        return self.sent.get(timeout=LIMIT_SECONDS)

    def answer(self, mail: EmailMessage, text: str) -> None:
        """Takes a reply to a mail of the service."""
        to = mail["Reply-To"] or mail["From"]
        self.write(mail["To"].addresses[0].addr_spec, to.addresses[0].addr_spec, text, mail)

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        """Called by aiosmtpd: keeps a mail of the service."""
        self.sent.put(message_from_bytes(cast(bytes, envelope.content), policy=policy.default))
        return "250 OK"

    def authenticate(
        self, server: SMTP, session: Session, envelope: Envelope, mechanism: str, given: Any
    ) -> AuthResult:
        """Called by aiosmtpd: lets in who has the mailbox and its password."""
        assert isinstance(given, LoginPassword)
        known = (given.login.decode(), given.password.decode()) == (self.address, PASSWORD)
        return AuthResult(success=known, handled=False)


def text_of(mail: EmailMessage) -> str:
    """The text part of a mail."""
    body = mail.get_body(("plain",))
    return "" if body is None else str(body.get_content())


@contextmanager
def provider(address: str) -> Iterator[Provider]:
    """A provider with one mailbox of a service. Raises ``NoDovecot``."""
    dovecot = Dovecot([address])
    try:
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(dovecot.certificate, dovecot.folder / "key.pem")
        running = Provider(address, dovecot, Queue(), free_port())
        controller = Controller(
            running,
            hostname="127.0.0.1",
            port=running.submission,
            tls_context=tls,
            require_starttls=True,
            auth_required=True,
            authenticator=running.authenticate,
        )
        controller.start()
        try:
            yield running
        finally:
            controller.stop()
    finally:
        dovecot.close()
