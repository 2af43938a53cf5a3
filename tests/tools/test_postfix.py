"""The relay of tests and tools: mail goes both ways through it, with the results of its checks on
top.
"""

from __future__ import annotations

import os
import smtplib
import ssl
from collections.abc import Iterator
from contextlib import closing
from email import message_from_bytes
from typing import Any

import pytest
from aiosmtpd.smtp import SMTP, Envelope, Session

from tests import missing
from tools import dovecot
from tools.dovecot import PASSWORD, Dovecot
from tools.loops import LoopThread
from tools.postfix import AUTHSERV, FORGED, UNPROVEN, Postfix, Routes, Submission, why_missing
from tools.waiting import until

pytestmark = pytest.mark.deep


class Sink:
    """A mail server that keeps what it receives, as (sender, recipient, headers)."""

    def __init__(self) -> None:
        self.received: list[tuple[str, str, Any]] = []
        self._thread = LoopThread("sink")
        loop = self._thread.loop
        listen = loop.create_server(lambda: SMTP(self, hostname="sink.example", loop=loop), "127.0.0.1", 0)
        self.port: int = self._thread.serve(listen).sockets[0].getsockname()[1]

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        content = envelope.content
        assert isinstance(content, bytes)
        self.received.append((envelope.mail_from or "", envelope.rcpt_tos[0], message_from_bytes(content)))
        return "250 OK"

    def close(self) -> None:
        self._thread.close()


@pytest.fixture
def sinks() -> Iterator[tuple[Sink, Sink]]:
    """The service, and the mailboxes of the world."""
    with closing(Sink()) as service, closing(Sink()) as world:
        yield service, world


@pytest.fixture
def postfix(sinks: tuple[Sink, Sink]) -> Iterator[Postfix]:
    if reason := why_missing():
        missing.skip(reason)
    before = os.umask(0o077)  # as the commands of overland have it
    try:
        relay = Postfix(Routes("overland.example", f"smtp:[127.0.0.1]:{sinks[0].port}", sinks[1].port))
        yield relay
        relay.close()
    finally:
        os.umask(before)


def send(port: int, sender: str, recipient: str) -> None:
    with smtplib.SMTP("127.0.0.1", port) as connection:
        forged = f"Authentication-Results: {AUTHSERV}; spf=pass smtp.mailfrom=ada@example.org"
        connection.sendmail(sender, [recipient], f"From: {sender}\r\n{forged}\r\nSubject: x\r\n\r\nhi\r\n")


def test_mail_goes_both_ways_with_the_results_of_its_checks_on_top(postfix: Postfix, sinks: tuple[Sink, Sink]) -> None:
    service, world = sinks
    for domain in ("example.org", FORGED, UNPROVEN):
        send(postfix.world_port, f"ada@{domain}", "overland+r-1@overland.example")
    send(postfix.port, "overland+b-1@overland.example", "ada@example.org")
    until(lambda: len(service.received) == 3 and len(world.received) == 1, "the mails arrive", 60)
    results = {sender: message.get_all("Authentication-Results")[0] for sender, _, message in service.received}
    assert all(result.startswith(f"{AUTHSERV};") for result in results.values())
    assert "spf=pass smtp.mailfrom=ada@example.org" in results["ada@example.org"]
    assert "dmarc=fail" in results[f"ada@{FORGED}"]
    assert results[f"ada@{UNPROVEN}"].endswith("; none")
    assert {recipient for _, recipient, _ in service.received} == {"overland+r-1@overland.example"}
    assert [each[:2] for each in world.received] == [("overland+b-1@overland.example", "ada@example.org")]


def test_mail_waits_in_it_while_the_service_is_away_and_while_it_is_stopped_itself(
    postfix: Postfix, sinks: tuple[Sink, Sink]
) -> None:
    service, _ = sinks
    service.close()
    send(postfix.world_port, "ada@example.org", "overland@overland.example")
    until(lambda: "deferred" in postfix.log or "refused" in postfix.log, "the delivery fails", 60)
    assert postfix.queued() == 1
    postfix.kill()
    postfix.start()
    assert postfix.queued() == 1
    postfix.close()
    assert not postfix.folder.exists()


@pytest.mark.parametrize("has_plus", [True, False])
def test_a_customer_sends_logged_in_and_from_no_address_but_their_own(has_plus: bool) -> None:
    if reason := why_missing() or dovecot.why_missing():
        missing.skip(reason)
    own = "overland@mail.example"
    with closing(Dovecot([own, "ada@mail.example"])) as provider:
        submission = Submission(provider.auth_port, provider.certificate, provider.key, has_plus)
        with closing(Postfix(Routes("mail.example", provider.route, provider.lmtp_port), submission)) as relay:
            trusted = ssl.create_default_context(cafile=str(provider.certificate))
            with smtplib.SMTP("localhost", relay.submission_port) as connection:
                assert connection.mail(own)[0] == 530, "without TLS nothing is taken"
                connection.starttls(context=trusted)
                with pytest.raises(smtplib.SMTPAuthenticationError):
                    connection.login(own, "wrong")
                connection.mail(own)
                assert connection.rcpt("ada@mail.example")[0] == 553, "nor without a login"
                connection.rset()
                connection.login(own, PASSWORD)
                for sender, is_own in (
                    (own, True),
                    ("overland+b-1@mail.example", has_plus),
                    ("ada@mail.example", False),
                ):
                    connection.mail(sender)
                    assert (connection.rcpt("ada@mail.example")[0] == 250) == is_own, sender
                    connection.rset()
