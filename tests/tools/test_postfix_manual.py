"""The Postfix of docs/postfix.md, with a listener behind it: mails reach the service, and what is
not for it is refused while the sender still waits.
"""

from __future__ import annotations

import re
import smtplib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from service.context import Context
from service.inbox.authenticate import sender_proof
from service.links import ReplyTo, bounce_address, reply_address, service_address
from service.signing import keys_of
from tests import missing
from tests.service.inbox.listening import Listening, listening
from tests.service.inbox.test_listener import stored
from tools.postfix import Postfix, Routes, why_missing
from tools.waiting import until

pytestmark = pytest.mark.deep

MANUAL = (Path(__file__).parent.parent.parent / "docs" / "postfix.md").read_text()
DOMAIN = "overland.example"
RELAY = "mx.overland.example"


def file_of_manual(name: str) -> str:
    found = re.search(rf"^```{re.escape(name)}\n(.*?)^```$", MANUAL, re.MULTILINE | re.DOTALL)
    assert found is not None, name
    return found[1]


def configure(relay: Postfix, port: int) -> None:
    """Adds the manual's files to those of a Postfix, at its folder and the listener's port."""
    relay.stop()
    for name in ("overland_recipients", "overland_headers"):
        (relay.folder / name).write_text(file_of_manual(name))
    added = file_of_manual("main.cf").replace("/etc/postfix", str(relay.folder)).replace("8025", str(port))
    names = set(re.findall(r"^(\w+) =", added, re.MULTILINE))
    main = (relay.folder / "main.cf").read_text()
    kept = [line for line in main.splitlines() if line.partition(" ")[0] not in names]
    (relay.folder / "main.cf").write_text("\n".join([*kept, added]))
    relay.start()


@pytest.fixture
def service(context: Context) -> Context:
    """A service at the domain of the manual."""
    return replace(context, settings=replace(context.settings, mail_from=f"Overland <overland@{DOMAIN}>"))


@pytest.fixture
def relay(service: Context) -> Iterator[tuple[Postfix, Listening]]:
    if reason := why_missing():
        missing.skip(reason)
    with listening(service, "lmtp") as running:
        postfix = Postfix(Routes(DOMAIN, f"lmtp:inet:127.0.0.1:{running.open.port}", running.open.port))
        try:
            configure(postfix, running.open.port)
            yield postfix, running
        finally:
            postfix.close()


def mail(postfix: Postfix, recipient: str, sender: str = "ada@example.org", *fields: str) -> int:
    """The code of the answer to a mail."""
    text = "\r\n".join([*fields, f"From: {sender}", f"Message-ID: <{recipient}>", "", "17", ""])
    with smtplib.SMTP("127.0.0.1", postfix.port, timeout=60) as client:
        try:
            client.sendmail(sender, [recipient], text.encode())
        except smtplib.SMTPRecipientsRefused as error:
            return next(iter(error.recipients.values()))[0]
    return 250


def test_mails_for_the_service_reach_it_and_others_are_refused(
    service: Context, relay: tuple[Postfix, Listening]
) -> None:
    postfix, _ = relay
    ours, keys = service_address(service.settings.mail_from), keys_of(service)
    reply = reply_address(keys, ours, ReplyTo("m4tch", 1, 17))
    wanted = {reply, str(ours), f"join@{DOMAIN}", bounce_address(keys, ours, "ab" * 16)}
    forged = f"Authentication-Results: {RELAY}; dkim=pass header.d=example.org"
    other = "Authentication-Results: mx.example.com; dkim=pass header.d=example.org"
    for address in wanted:
        assert mail(postfix, address, "ada@example.org", forged, f"  {forged}".strip().upper(), other) == 250
    for address in (f"ada@{DOMAIN}", f"overland+moves@{DOMAIN}", f"overland+r-1@sub.{DOMAIN}"):
        assert mail(postfix, address) in (550, 554), address
    until(lambda: len(stored(service)) == len(wanted), "the mails are stored", 60)
    messages = stored(service)
    assert {message.recipient for message in messages} == wanted
    for message in messages:
        assert message.raw is not None
        assert f"authentication-results: {RELAY}" not in message.raw.decode().lower()
        assert b"Authentication-Results: mx.example.com" in message.raw
        assert sender_proof(message.raw, RELAY) == "none"
    until(lambda: postfix.queued() == 0, "nothing is left in the queue", 60)


def test_mails_wait_in_it_while_the_listener_or_itself_is_away(
    service: Context, relay: tuple[Postfix, Listening]
) -> None:
    postfix, running = relay
    running.open.gate.most = 0  # every connection is told 421
    for number in range(3):
        assert mail(postfix, f"overland@{DOMAIN}", f"ada{number}@example.org") == 250
    until(lambda: "421" in postfix.log, "the listener puts a mail off", 60)
    assert (stored(service), postfix.queued()) == ([], 3)
    postfix.kill()
    postfix.start()
    running.open.gate.most = 10
    until(lambda: postfix.queued() == 0 and len(stored(service)) >= 3, "the queue is empty", 60)
    # A relay that is killed may hand a mail over again; its key is the same.
    senders = {message.envelope_from for message in stored(service)}
    assert senders == {"ada0@example.org", "ada1@example.org", "ada2@example.org"}
