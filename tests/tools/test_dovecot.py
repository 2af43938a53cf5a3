"""The mailboxes of tests and tools: mail comes in as a provider delivers it, and IMAP shows it."""

from __future__ import annotations

import ssl
from collections.abc import Iterator

import pytest
from imapclient import IMAPClient
from imapclient.exceptions import LoginError

from tests import missing
from tools.dovecot import HOST, IDLE, PASSWORD, Dovecot, why_missing

SERVICE = "overland@mail.example"
OTHER = "ann@mail.example"
MAIL = b"From: ann@mail.example\r\nTo: overland@mail.example\r\nSubject: A turn\r\n\r\n1\r\n"


@pytest.fixture
def dovecot() -> Iterator[Dovecot]:
    if reason := why_missing():
        missing.skip(reason)
    made = Dovecot([SERVICE, OTHER])
    yield made
    made.close()


def logged_in(dovecot: Dovecot, user: str = SERVICE, password: str = PASSWORD) -> IMAPClient:
    """A connection on which the user is logged in, with the inbox selected."""
    trusted = ssl.create_default_context(cafile=str(dovecot.certificate))
    client = IMAPClient(HOST, dovecot.port, ssl_context=trusted, timeout=60)
    client.login(user, password)
    client.select_folder("INBOX")
    return client


def test_a_mail_to_a_plus_address_is_in_the_mailbox_with_the_address_on_top(dovecot: Dovecot) -> None:
    dovecot.deliver("overland+r-Ab-1@mail.example", MAIL)
    with logged_in(dovecot) as client:
        (found,) = client.fetch(client.search(), ["BODY.PEEK[]", "FLAGS"]).values()
    head, _, body = found[b"BODY[]"].partition(b"\r\n\r\n")
    assert b"Delivered-To: overland+r-Ab-1@mail.example" in head.split(b"\r\n")
    assert body == b"1\r\n"
    assert b"\\Seen" not in found[b"FLAGS"]
    with logged_in(dovecot, OTHER) as client:
        assert client.search() == []


def test_mails_are_kept_while_it_is_killed_and_a_folder_can_be_renumbered(dovecot: Dovecot) -> None:
    dovecot.put(SERVICE, [MAIL] * 3)
    dovecot.kill()
    dovecot.start()
    dovecot.renumber(SERVICE, 4711)
    with logged_in(dovecot) as client:
        assert client.folder_status("INBOX", ["MESSAGES", "UIDVALIDITY"]) == {b"MESSAGES": 3, b"UIDVALIDITY": 4711}


def test_a_password_is_changed_for_the_next_log_in(dovecot: Dovecot) -> None:
    dovecot.set_password("another")
    with pytest.raises(LoginError):
        logged_in(dovecot)
    logged_in(dovecot, password="another").logout()


def test_it_tells_the_capabilities_and_folders_that_it_is_given(dovecot: Dovecot) -> None:
    with logged_in(dovecot) as client:
        assert client.has_capability(IDLE)
        assert [(rights, name) for rights, _, name in client.list_folders() if b"\\Junk" in rights]
    bare = Dovecot([SERVICE], capabilities=(), junk="Junk", prefix="INBOX.")
    try:
        with logged_in(bare) as client:
            assert not client.has_capability(IDLE)
            assert sorted(name for _, _, name in client.list_folders()) == ["INBOX", "INBOX.Junk"]
    finally:
        bare.close()
