"""What the listener takes and refuses, over real connections of SMTP and LMTP."""

from __future__ import annotations

import random
import socket
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from ipaddress import ip_network
from smtplib import LMTP, SMTP, SMTPDataError, SMTPServerDisconnected
from typing import Any

import pytest
from sqlalchemy import Connection, select
from sqlalchemy.exc import OperationalError

from service.context import Context
from service.inbox import bounds, conversation
from service.inbox.conversation import AWAY, FULL, MAINTENANCE, storable
from service.inbox.listener import LONGEST_LINE, Gate
from service.links import ReplyTo, bounce_address, reply_address, service_address
from service.signing import keys_of
from service.store import maintenance, messages
from service.store.maintenance import Maintenance
from service.store.messages import Message
from service.store.tables import messages as table
from tests.service.fakes import Timer, limited
from tests.service.inbox.listening import Listening, listening
from tools.memory_queue import MemoryQueue


@pytest.fixture(params=["lmtp", "smtp"])
def listener(context: Context, request: pytest.FixtureRequest) -> Iterator[Listening]:
    """A listener of each protocol."""
    with listening(context, request.param) as running:
        yield running


SERVICE = "overland@example.org"
MAIL = b"From: ada@example.org\r\nMessage-ID: <one@example.org>\r\n\r\n17\r\n.dots and caf\xc3\xa9\r\n"


def stored(context: Context) -> list[Message]:
    with context.database.read() as connection:
        rows = connection.execute(select(table.c.id).order_by(table.c.recipient)).scalars().all()
        return [message for row in rows if (message := messages.find(connection, row)) is not None]


def send(client: SMTP, *recipients: str, raw: bytes = MAIL, sender: str = "ada@example.org") -> tuple[int, str]:
    """The code and text of the answer to the mail, or of the first refusal."""
    for code, text in [client.mail(sender), *(client.rcpt(recipient) for recipient in recipients)]:
        if code != 250:
            client.rset()
            return code, text.decode()
    try:
        code, text = client.data(raw)
    except SMTPDataError as error:
        return error.smtp_code, str(error.smtp_error)
    for _ in recipients[1:] if isinstance(client, LMTP) else ():
        assert client.getreply()[0] == code
    return code, text.decode()


def reply_to(context: Context) -> str:
    return reply_address(keys_of(context), service_address(context.settings.mail_from), ReplyTo("m4tch", 1, 17))


def test_a_mail_is_stored_as_it_came(context: Context, listener: Listening) -> None:
    with listener.client() as client:
        assert send(client, SERVICE) == (250, "2.0.0 The mail is stored")
    (message,) = stored(context)
    assert message.raw == MAIL
    assert (message.envelope_from, message.recipient, message.peer) == ("ada@example.org", SERVICE, "127.0.0.1")
    assert (message.message_id, message.status, message.size) == ("<one@example.org>", "queued", len(MAIL))
    assert isinstance(context.queue, MemoryQueue)
    assert context.queue.messages == 1


def test_each_recipient_has_a_row_and_in_lmtp_an_answer(context: Context, listener: Listening) -> None:
    with listener.client() as client:
        assert send(client, SERVICE, reply_to(context), SERVICE.upper())[0] == 250
        assert client.noop()[0] == 250  # no answer is left over
    assert sorted(message.recipient for message in stored(context)) == sorted([reply_to(context), SERVICE.upper()])


def test_the_service_knows_its_addresses(context: Context, listener: Listening) -> None:
    ours = service_address(context.settings.mail_from)
    bounces = bounce_address(keys_of(context), ours, "0123456789abcdef0123456789abcdef")
    with listener.client() as client:
        for address in (SERVICE, "Overland@EXAMPLE.org", "join@example.org", "overland+JOIN@example.org"):
            assert send(client, address)[0] == 250, address
        for address in (reply_to(context), reply_to(context).upper(), bounces):
            assert send(client, address)[0] == 250, address


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("ada@example.org", "no such address"),
        ("overland@example.com", "no such address"),
        ("overland+moves@example.org", "no such address"),
        ("overland+r-m4tch-1-17-aaaaaaaaaaaaaaaab@example.org", "a character is missing or wrong"),
        ("overland+b-aaaaaaaaaaaaaaaaaaaaaaaaaa-aaaaaaaaaaaaaaaab@example.org", "a character is missing or wrong"),
        ("overland+r-@example.org", "a character is missing or wrong"),
        ("postmaster@example.com", "no such address"),
    ],
)
def test_other_addresses_are_refused_with_a_sentence(
    context: Context, listener: Listening, address: str, said: str
) -> None:
    with listener.client() as client:
        code, text = send(client, address)
    assert (code, said in text) == (550, True)
    assert stored(context) == []


def test_an_address_of_another_seat_is_refused(context: Context, listener: Listening) -> None:
    with listener.client() as client:
        assert send(client, reply_to(context).replace("-1-17-", "-0-17-"))[0] == 550


def test_refused_and_taken_recipients_of_one_mail_are_told_apart(context: Context, listener: Listening) -> None:
    with listener.client() as client:
        client.mail("ada@example.org")
        assert [client.rcpt(address)[0] for address in ("x@example.org", SERVICE)] == [550, 250]
        assert client.data(MAIL)[0] == 250
    assert len(stored(context)) == 1


def test_bounces_come_from_nobody(context: Context, listener: Listening) -> None:
    with listener.client() as client:
        assert send(client, SERVICE, sender="")[0] == 250
    assert stored(context)[0].envelope_from == ""


def test_non_ascii_senders_are_taken(context: Context, listener: Listening) -> None:
    with listener.client() as client:
        assert client.has_extn("smtputf8")
        client.command_encoding = "utf-8"
        client.docmd("MAIL", "FROM:<jürgen@bücher.example> SMTPUTF8")
        client.rcpt(SERVICE)
        assert client.data(MAIL)[0] == 250
    assert stored(context)[0].envelope_from == "jürgen@bücher.example"


def test_a_mail_that_is_too_large_is_refused_and_the_conversation_goes_on(
    context: Context, listener: Listening
) -> None:
    large = b"Subject: x\r\n\r\n" + (b"x" * 998 + b"\r\n") * (bounds.MOST_BYTES // 1000 + 1)
    with listener.client() as client:
        assert client.has_extn("size")
        assert client.docmd("MAIL", f"FROM:<ada@example.org> SIZE={bounds.MOST_BYTES + 1}")[0] == 552
        assert send(client, SERVICE, reply_to(context), raw=large)[0] == 552
        assert send(client, SERVICE)[0] == 250
    assert len(stored(context)) == 1


def test_a_line_that_is_too_long_is_refused_and_the_conversation_goes_on(context: Context, listener: Listening) -> None:
    with listener.client() as client:
        assert send(client, SERVICE, reply_to(context), raw=b"x" * (LONGEST_LINE + 10))[0] == 500
        assert send(client, SERVICE, raw=b"Subject: x\r\n\r\n" + b"x" * 5000)[0] == 250


def test_further_recipients_are_sent_again(context: Context, listener: Listening) -> None:
    with listener.client() as client:
        client.mail("ada@example.org")
        addresses = [
            reply_address(keys_of(context), service_address(SERVICE), ReplyTo("m", 0, ply))
            for ply in range(conversation.MOST_RECIPIENTS + 1)
        ]
        assert [client.rcpt(address)[0] for address in addresses] == [250] * conversation.MOST_RECIPIENTS + [452]


def test_who_tries_addresses_is_disconnected(context: Context, listener: Listening) -> None:
    with listener.client() as client:
        client.mail("ada@example.org")
        codes = [client.rcpt("x@example.org")[0] for _ in range(conversation.MOST_REFUSED)]
        assert client.docmd("RCPT", "TO:<x@example.org>")[0] == 421
        with pytest.raises((SMTPServerDisconnected, ConnectionError)):
            client.noop()
    assert codes == [550] * conversation.MOST_REFUSED


def test_one_sender_is_limited_where_limits_are_on(context: Context) -> None:
    strict = limited(context)
    with listening(strict) as running, running.client() as client:
        for _ in range(conversation.FROM_ONE_SENDER.most):
            assert client.mail("ada@example.org")[0] == 250
            client.rset()
        assert client.mail("ADA@example.org")[0] == 451
        assert client.mail("bela@example.org")[0] == 250
        client.rset()
        assert client.mail("")[0] == 250


class Broken:
    """A database whose transactions fail by ``error`` where they write."""

    def __init__(self, context: Context, error: Exception, reading: bool = False) -> None:
        self._database, self.error, self._reading = context.database, error, reading

    def __getattr__(self, name: str) -> Any:
        return getattr(self._database, name)

    @contextmanager
    def write(self) -> Iterator[Connection]:
        raise self.error
        yield

    @contextmanager
    def read(self) -> Iterator[Connection]:
        if self._reading:
            raise self.error
        with self._database.read() as connection:
            yield connection


LOCKED = OperationalError("INSERT", {}, sqlite3.OperationalError("database is locked"))
NO_SPACE = OperationalError("INSERT", {}, sqlite3.OperationalError("database or disk is full"))


@pytest.mark.parametrize(("error", "answer"), [(LOCKED, AWAY), (NO_SPACE, FULL)])
@pytest.mark.parametrize("scheme", ["lmtp", "smtp"])
def test_a_mail_that_cannot_be_stored_stays_with_the_server_in_front(
    context: Context, error: Exception, answer: str, scheme: str
) -> None:
    keys_of(context)
    broken = Broken(context, error)
    with listening(replace(context, database=broken), scheme) as running, running.client() as client:  # type: ignore[arg-type]
        assert send(client, SERVICE, reply_to(context)) == (int(answer[:3]), answer[4:])
        assert client.noop()[0] == 250
    assert stored(context) == []


class Full(Broken):
    """A database of SQLite on a disk that has no room for a page more."""

    @contextmanager
    def write(self) -> Iterator[Connection]:
        with self._database.write() as connection:
            pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
            connection.exec_driver_sql(f"PRAGMA max_page_count={pages}")
            try:
                yield connection
            finally:
                connection.exec_driver_sql("PRAGMA max_page_count=1073741823")


def test_on_a_full_disk_mails_stay_with_the_server_in_front(context: Context) -> None:
    keys_of(context)
    large = MAIL + (b"x" * 70 + b"\r\n") * 10_000
    with listening(replace(context, database=Full(context, LOCKED))) as running, running.client() as client:  # type: ignore[arg-type]
        assert send(client, SERVICE, raw=large) == (452, FULL[4:])
    assert stored(context) == []
    with listening(context) as running, running.client() as client:
        assert send(client, SERVICE, raw=large)[0] == 250


def test_without_the_database_no_address_is_called_unknown(context: Context) -> None:
    broken = Broken(context, LOCKED, reading=True)
    with listening(replace(context, database=broken)) as running, running.client() as client:  # type: ignore[arg-type]
        assert send(client, "x@example.org")[0] == 451


def test_during_a_maintenance_mails_wait_with_the_server_in_front(context: Context, listener: Listening) -> None:
    with context.database.write() as connection:
        maintenance.begin(connection, Maintenance(context.clock(), None, "We move."))
    with listener.client() as client:
        assert send(client, SERVICE) == (451, MAINTENANCE[4:])
    with context.database.write() as connection:
        maintenance.end(connection)
    assert isinstance(context.timer, Timer)
    context.timer.advance(60)
    with listener.client() as client:
        assert send(client, SERVICE)[0] == 250


def test_only_the_own_mail_server_may_connect(context: Context) -> None:
    elsewhere = replace(context, settings=replace(context.settings, mail_peers=("192.0.2.0/24",)))
    with listening(elsewhere) as running, pytest.raises(Exception, match=r"554|5\.7\.1|closed"), running.client():
        pass


@pytest.mark.parametrize(
    ("host", "trusted"),
    [("127.0.0.1", True), ("::ffff:127.0.0.1", True), ("::1", True), ("10.1.2.3", False), ("local", False)],
)
def test_networks_are_compared_by_address(host: str, trusted: bool) -> None:
    assert Gate((ip_network("127.0.0.0/8"), ip_network("::1/128"))).trusts(host) == trusted


def test_connections_are_counted(context: Context) -> None:
    with listening(context, "smtp") as running:
        running.open.gate.most = 1
        with running.client(), pytest.raises(Exception, match="421"), running.client():
            pass
        with running.client() as client:
            assert client.noop()[0] == 250


def test_any_address_can_be_stored() -> None:
    assert storable("a\udcff\0b@example.org") == "a\ufffd\ufffdb@example.org"
    assert len(storable("x" * 10_000)) == 512


@pytest.mark.parametrize("end", [b"\n.\n", b"\r.\r", b"\n.\r\n", b"\r\n.\n", b"\r\n.\r", b"\0\r\n.\0\r\n"])
def test_only_a_dot_between_whole_line_ends_ends_a_mail(context: Context, listener: Listening, end: bytes) -> None:
    inner = b"MAIL FROM:<eve@evil.example>\r\nRCPT TO:<" + SERVICE.encode() + b">\r\nDATA\r\nSubject: y\r\n\r\n18\r\n"
    text = b"From: ada@example.org\r\n\r\n17" + end + inner
    with listener.client() as client:
        client.mail("ada@example.org")
        client.rcpt(SERVICE)
        client.docmd("DATA")
        client.send(text + b".\r\n")
        assert client.getreply()[0] == 250
        assert client.noop()[0] == 250
    assert [message.envelope_from for message in stored(context)] == ["ada@example.org"]


def test_no_bytes_stop_the_listener(context: Context, listener: Listening) -> None:
    luck = random.Random(10)
    words = [
        b"MAIL FROM:<",
        b"RCPT TO:<",
        b"DATA",
        b"LHLO x",
        b"EHLO x",
        b"\r\n",
        b"\n",
        b"\0",
        b"\xff",
        b">",
        b"BDAT 9",
        b"A" * 9000,
    ]
    for _ in range(30):
        with socket.create_connection(("127.0.0.1", listener.open.port), timeout=30) as connection:
            connection.sendall(b"".join(luck.choice(words) for _ in range(luck.randint(1, 40))))
    with listener.client() as client:
        assert send(client, SERVICE)[0] == 250
