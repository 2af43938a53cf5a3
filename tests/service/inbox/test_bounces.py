"""Bounces mark the notice and the address that they are about, and forged ones nobody's."""

from __future__ import annotations

import random

import pytest

from service.context import Context
from service.inbox.bounces import Bounce, Hardness, read_bounce, take_bounce
from service.players import accounts
from service.store import addresses, players
from service.store.addresses import MOST_SOFT, PlayerAddress
from service.store.players import Player
from service.store.tables import outbox as table
from tests.service.fakes import Clock, add_notice, later, person, sent_token
from tests.service.inbox.test_handling import arrived, found


def report(action: str, status: str, said: str = "550 no such user", final: str = "ada@example.org") -> bytes:
    return f"""From: MAILER-DAEMON@mx.example.net
Subject: Undelivered Mail Returned to Sender
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="b"

--b
Content-Type: text/plain

I'm sorry to have to inform you that your message could not be delivered.

--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.net
X-Postfix-Queue-ID: 3F2

Final-Recipient: rfc822; {final}
Action: {action}
Status: {status}
Diagnostic-Code: smtp; {said}

--b
Content-Type: message/rfc822

From: overland@example.org
Subject: Your turn

17

--b--
""".encode()


QMAIL = b"""From: MAILER-DAEMON@old.example
Subject: failure notice

Hi. This is the qmail-send program at old.example.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.

<ada@example.org>:
Sorry, no mailbox here by that name. (#5.1.1)

--- Below this line is a copy of the message.

Subject: Your turn
"""
VACATION = b"From: ada@example.org\nSubject: Out of office\nAuto-Submitted: auto-replied\n\nI am away until Monday.\n"


@pytest.mark.parametrize(
    ("action", "status", "hardness"),
    [
        ("failed", "5.1.1", "hard"),
        ("failed", "5.1.10", "hard"),
        ("failed", "5.0.0", "hard"),
        ("Failed", "5.2.1 (mailbox disabled)", "hard"),
        ("failed", "5.2.2", "soft"),
        ("failed", "5.3.4", "soft"),
        ("failed", "5.7.1", "soft"),
        ("failed", "4.4.1", "soft"),
        ("failed", "nonsense", "soft"),
        ("delayed", "4.4.1", "delayed"),
        ("delivered", "2.0.0", "none"),
        ("relayed", "2.0.0", "none"),
    ],
)
def test_hard_and_soft_bounces_are_told_apart(action: str, status: str, hardness: Hardness) -> None:
    read = read_bounce(report(action, status))
    assert read.hardness == hardness
    assert read == read_bounce(report(action, status).replace(b"\n", b"\r\n"))


def test_the_words_of_the_mail_server_are_the_reason() -> None:
    read = read_bounce(report("failed", "5.1.1", "550 5.1.1 <ada@example.org>:\n \x1b no such user"))
    assert read == Bounce("hard", "550 5.1.1 <ada@example.org>: no such user", ("ada@example.org",))


def test_what_servers_wrote_before_the_standard_is_read() -> None:
    assert (read_bounce(QMAIL).hardness, read_bounce(QMAIL).named) == ("hard", ("ada@example.org",))


@pytest.mark.parametrize("charset", ["utf-8", "koi8-r"])
def test_a_bounce_whose_header_is_not_in_ascii_is_read(charset: str) -> None:
    raw = QMAIL.replace(b"From: ", "From: Почта ".encode(charset)).replace(b"failure", "Ошибка".encode(charset))
    assert read_bounce(raw) == read_bounce(QMAIL)


def test_the_report_on_an_address_that_is_not_in_ascii_is_read() -> None:
    raw = report("failed", "5.1.1", "550 José? ¡No!", "josé@example.org").replace(b"rfc822;", b"utf-8;")
    raw = raw.replace(b"message/delivery-status", b"message/global-delivery-status")
    assert read_bounce(raw) == Bounce("hard", "550 José? ¡No!", ("josé@example.org",))


@pytest.mark.parametrize("raw", [VACATION, b"", b"\0", b"Content-Type: multipart/report\n\nx", b"From: x\n\n5.1.1"])
def test_other_mails_are_no_bounces(raw: bytes) -> None:
    assert read_bounce(raw).hardness == "none"


def test_no_damaged_bounce_raises() -> None:
    luck = random.Random(10)
    for raw in (report("failed", "5.1.1"), QMAIL):
        for _ in range(150):
            damaged = bytearray(raw)
            for _ in range(luck.randint(1, 8)):
                damaged[luck.randrange(len(damaged))] = luck.randrange(256)
            read_bounce(bytes(damaged[: luck.randint(1, len(damaged))]))


def notice_to(context: Context, player: Player) -> str:
    with context.database.write() as connection:
        return add_notice(connection, "your_turn", player.id, None, {}, context.clock())


def bounce(context: Context, notice_id: str, raw: bytes) -> str:
    return take_bounce(context, found(context, arrived(context, raw)), notice_id).did


def address_of(context: Context, player: Player) -> PlayerAddress:
    with context.database.read() as connection:
        stored = players.find(connection, player.id)
        assert stored is not None
        return addresses.of_player(connection, stored)[0]


def bounced_of(context: Context, notice_id: str) -> tuple[object, object]:
    with context.database.read() as connection:
        row = connection.execute(table.select().where(table.c.id == notice_id)).one()
    return row.bounced_at, row.bounce_reason


def test_a_hard_bounce_marks_notice_and_address(context: Context) -> None:
    ada, bela = person(context, "Ada"), person(context, "Bela")
    notice_id = notice_to(context, ada)
    assert bounce(context, notice_id, report("failed", "5.1.1")) == "bounced, hard"
    assert bounced_of(context, notice_id) == (context.clock(), "550 no such user")
    assert address_of(context, ada).bounced_at == context.clock()
    assert address_of(context, ada).bounce_reason == "550 no such user"
    assert address_of(context, bela).bounced_at is None
    with context.database.read() as connection:
        assert [each.player_id for each in addresses.bounced(connection, 10)] == [ada.id]


def test_a_bounce_that_comes_twice_counts_once(context: Context) -> None:
    ada = person(context, "Ada")
    notice_id = notice_to(context, ada)
    for _ in range(3):
        bounce(context, notice_id, report("failed", "4.4.1"))
    assert address_of(context, ada).soft_bounces == 1


def test_an_address_bounces_for_good_after_many_soft_bounces_in_a_row(context: Context) -> None:
    ada = person(context, "Ada")
    for number in range(MOST_SOFT):
        assert address_of(context, ada).bounced_at is None, number
        bounce(context, notice_to(context, ada), report("failed", "5.2.2", "552 mailbox full"))
    assert address_of(context, ada).bounce_reason == "552 mailbox full"


def test_soft_bounces_far_apart_are_not_in_a_row(context: Context) -> None:
    ada, clock = person(context, "Ada"), context.clock
    assert isinstance(clock, Clock)
    for _ in range(2 * MOST_SOFT):
        clock.advance(days=15)
        bounce(context, notice_to(context, ada), report("failed", "4.4.1"))
    assert (address_of(context, ada).bounced_at, address_of(context, ada).soft_bounces) == (None, 1)


@pytest.mark.parametrize("raw", [report("delayed", "4.4.1"), VACATION])
def test_a_delay_or_an_automatic_reply_marks_nothing(context: Context, raw: bytes) -> None:
    ada = person(context, "Ada")
    notice_id = notice_to(context, ada)
    bounce(context, notice_id, raw)
    assert bounced_of(context, notice_id) == (None, None)
    assert address_of(context, ada).last_bounce_at is None


def test_a_bounce_names_no_address_of_somebody_else(context: Context) -> None:
    ada, bela = person(context, "Ada"), person(context, "Bela")
    bounce(context, notice_to(context, ada), report("failed", "5.1.1", final="bela@example.org"))
    assert address_of(context, bela).bounced_at is None
    assert address_of(context, ada).bounced_at is not None


def test_the_bounce_of_a_pruned_notice_changes_nothing(context: Context) -> None:
    assert bounce(context, "0" * 32, report("failed", "5.1.1")) == "bounced before, or pruned"


def test_an_address_that_is_confirmed_again_bounces_no_more(context: Context) -> None:
    ada = person(context, "Ada")
    bounce(context, notice_to(context, ada), report("failed", "5.1.1"))
    later(context, days=1)
    accounts.sign_up(context, "Ada", "ada@example.org")
    accounts.confirm(context, sent_token(context, "ada@example.org"))
    assert address_of(context, ada).bounced_at is None
