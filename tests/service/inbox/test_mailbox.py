"""Mails come in from an ordinary mailbox: those for us are stored and then moved, all others are
left as they are, and nothing is taken twice.
"""

from __future__ import annotations

import socket
import sqlite3
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import cast

import pytest
import structlog
from imapclient import IMAPClient
from imapclient.exceptions import IMAPClientError

from service import parts
from service.context import Context
from service.inbox import imap
from service.inbox import mailbox as inbox_mailbox
from service.inbox.bounds import MOST_BYTES
from service.inbox.imap import MailboxFault
from service.inbox.mailbox import envelope_sender, take_until, tried
from service.readiness import Check, State, findings
from service.rowless import records_of_parts
from tests.service.fakes import Timer, later, wired
from tests.service.inbox.mailboxes import ADA, OPENED, OWN, Ends, Mailbox, mailbox, scripted
from tools.dovecot import EVERYTHING, IDLE, MOVE, PASSWORD, SPECIAL_USE, UIDPLUS, Dovecot
from tools.waiting import until


@pytest.fixture
def box(context: Context, monkeypatch: pytest.MonkeyPatch) -> Iterator[Mailbox]:
    """A mailbox whose server has everything but IDLE, so that nothing waits."""
    with mailbox(context, monkeypatch, capabilities=EVERYTHING - {IDLE}) as made:
        yield made


def test_a_mail_for_us_is_stored_and_moved_and_others_are_left_alone(box: Mailbox) -> None:
    box.dovecot.put(OWN, box.foreign(2))
    address = box.reply()
    box.take()
    (row,) = box.rows()
    assert row.recipient.casefold() == address.casefold()
    assert (row.envelope_from, row.author, row.status) == (ADA, ADA, "queued")
    assert row.raw.endswith(b"\r\n\r\n1\r\n")
    with box.seen() as client:
        client.select_folder("INBOX", readonly=True)
        flags = client.get_flags(client.search())
        assert len(flags) == 2
        assert {flag for each in flags.values() for flag in each} <= {b"\\Recent"}
    assert len(box.folder("Overland")) == 1


def test_what_was_looked_at_once_is_not_looked_at_again(box: Mailbox, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[int]] = []
    fetched = imap.headers_of

    def counted(client: IMAPClient, uids: Sequence[int], fields: Collection[str]) -> Mapping[int, bytes]:
        asked.append(list(uids))
        return fetched(client, uids, fields)

    monkeypatch.setattr(imap, "headers_of", counted)
    box.dovecot.put(OWN, box.foreign(3))
    box.take()
    box.dovecot.put(OWN, box.foreign())
    box.reply()
    box.take()
    box.take()
    assert asked == [[1, 2, 3], [4, 5], [1]]  # the last one in the folder to which it was moved
    assert len(box.stored()) == 1


def test_the_same_mail_is_stored_once_however_often_it_is_seen(box: Mailbox) -> None:
    flagging = box.at(box.context.settings.mail_in, done="flag")
    address = box.signed()
    mail = box.mail(address)
    box.dovecot.put(OWN, [mail, *box.foreign(2), mail])
    flagging.take()
    assert box.stored() == [address.lower()]
    assert [flags for flags in box.folder().values() if b"Overland" in flags] != []
    box.dovecot.renumber(OWN, 4711)
    flagging.take()
    assert box.stored() == [address.lower()]
    assert sum(b"Overland" in flags for flags in box.folder().values()) == 2
    assert len(box.folder()) == 4


def test_after_another_uidvalidity_all_is_looked_at_anew(box: Mailbox) -> None:
    box.reply()
    box.take()
    box.dovecot.renumber(OWN, 4711)
    box.reply()
    box.take()
    assert len(box.stored()) == 2
    assert (len(box.folder()), len(box.folder("Overland"))) == (0, 2)


@pytest.mark.parametrize(
    ("capabilities", "left"),
    [((), [b"\\Deleted"]), ((UIDPLUS,), []), ((MOVE,), [])],
    ids=["neither", "by copy and expunge", "by move"],
)
def test_mails_are_moved_by_what_the_server_can_and_nobodys_deleted_mails_vanish(
    context: Context, monkeypatch: pytest.MonkeyPatch, capabilities: tuple[str, ...], left: list[bytes]
) -> None:
    with mailbox(context, monkeypatch, capabilities=capabilities) as box:
        box.dovecot.put(OWN, box.foreign())
        with box.seen() as client:
            client.select_folder("INBOX")
            client.add_flags([1], [b"\\Deleted"])
        box.reply()
        box.take()
        box.take()
        flags = box.folder()
        assert b"\\Deleted" in flags.pop(1)
        assert [flag for each in flags.values() for flag in each if flag != b"\\Recent"] == left
        assert (len(box.stored()), len(box.folder("Overland"))) == (1, 1)


@pytest.mark.parametrize(
    "options", [{"junk": "Unwanted"}, {"capabilities": (UIDPLUS,), "junk": "Junk", "prefix": "INBOX."}]
)
def test_signed_addresses_are_found_among_junk_and_nothing_else(
    context: Context, monkeypatch: pytest.MonkeyPatch, options: dict[str, object]
) -> None:
    with mailbox(context, monkeypatch, **{"capabilities": (MOVE, SPECIAL_USE), **options}) as box:
        junk = f"{box.dovecot.prefix}{box.dovecot.junk}"
        address = box.signed()
        with box.seen() as client:
            client.append(junk, box.mail(address))
            client.append(junk, box.mail("overland+join@example.org"))
            client.append(junk, box.foreign()[0])
        box.take()
        assert box.stored() == [address.lower()]
        assert (len(box.folder(junk)), len(box.folder(f"{box.dovecot.prefix}Overland"))) == (2, 1)


def test_after_a_backup_was_restored_mails_that_came_since_are_taken_again(box: Mailbox, tmp_path: Path) -> None:
    before, since = box.reply().lower(), box.signed()
    box.take()
    box.take()  # when the folder is there
    with (
        closing(sqlite3.connect(str(box.context.database.file))) as database,
        closing(sqlite3.connect(tmp_path / "restored.sqlite")) as backup,
    ):
        database.backup(backup)
    box.dovecot.put(OWN, [box.mail(since), *box.foreign()])
    box.take()
    restored = wired(tmp_path, f"sqlite:///{tmp_path}/restored.sqlite")
    again = replace(box, context=replace(restored, settings=box.context.settings, clock=box.context.clock))
    assert again.stored() == [before]
    again.take()
    assert again.stored() == sorted((before, since.lower()))
    assert (len(box.folder()), len(box.folder("Overland"))) == (1, 2)
    restored.close()


def test_a_mail_counts_from_when_the_provider_had_it(box: Mailbox) -> None:
    box.reply()
    with box.seen() as client:
        client.select_folder("INBOX")
        ((arrived,),) = ((each[b"INTERNALDATE"],) for each in client.fetch([1], ["INTERNALDATE"]).values())
    at = arrived.timestamp()
    later(box.context, days=30)
    box.take()
    assert box.rows()[0].received_at.timestamp() == at


def test_a_mail_that_is_too_large_is_taken_as_such(box: Mailbox) -> None:
    address = box.signed()
    box.dovecot.put(OWN, [box.mail(address, "1\r\n" + "x" * 70 + "\r\n" * (MOST_BYTES // 2))])
    box.take()
    assert [len(row.raw) for row in box.rows()] == [MOST_BYTES + 1]
    assert len(box.folder("Overland")) == 1


def test_mails_that_nobody_can_read_keep_no_other_from_being_taken(box: Mailbox) -> None:
    hostile = (
        b"",
        b"\r\n\r\n",
        b"no header at all",
        b"To: " + b"(" * 60_000 + b"\r\n\r\n1",
        b"Subject: \x00\xff\xfe\r\nTo: \x80\r\n\r\n1",
        b'Delivered-To: "\\"\r\nDelivered-To: {9}\r\n hello\r\n\r\n1',
        b"References: " + b" ".join(b"<%d.r-a@example.org>" % each for each in range(20_000)) + b"\r\n\r\n1",
        b"Content-Type: multipart/report\r\nTo: overland@example.org\r\n\r\n" + b"b-" * 200_000,
    )
    addresses = sorted(box.signed().lower() for _ in hostile)
    for raw, address in zip(hostile, addresses, strict=True):
        box.dovecot.put(OWN, [raw, box.mail(address)])
    with structlog.testing.capture_logs() as logged:
        box.take()
    assert box.stored() == addresses
    assert len(box.folder()) == len(hostile)
    assert [each for each in logged if each["log_level"] in ("warning", "error")] == []


def hurried(box: Mailbox, wanted: Callable[[], object]) -> None:
    """Takes mails until ``wanted``; what is waited for has passed at once."""
    timer = Timer()

    def waited(seconds: float) -> bool:
        timer.advance(seconds)
        return bool(wanted())

    take_until(replace(box.context, timer=timer), waited)


@pytest.mark.parametrize("suffix", [",S=100", ",S=5000"], ids=["not even its header", "not its text"])
def test_a_mail_that_is_not_handed_out_costs_no_other_and_is_passed_over_in_the_end(
    box: Mailbox, monkeypatch: pytest.MonkeyPatch, suffix: str
) -> None:
    """Dovecot ends the connection at each of the two."""
    monkeypatch.setattr(inbox_mailbox, "MOST_TRIES", 3)
    for mails, named in ((2, ""), (1, suffix), (2, ""), (1, suffix), (2, "")):
        box.dovecot.put(OWN, [box.mail(box.signed()) for _ in range(mails)], named)
    with structlog.testing.capture_logs() as logged:

        def passed_over() -> list[int]:
            return [each["uid"] for each in logged if each["event"] == "mailbox.mail_not_read"]

        def is_over() -> bool:
            assert not box.looked() or len(passed_over()) == 2, "until then all clocks stand still"
            return box.looked() or len(logged) > 100

        hurried(box, is_over)
    events = [each["event"] for each in logged]
    assert "mail.taken" not in events[events.index("mailbox.mail_not_read") :]
    assert sorted(passed_over()) == [3, 6]
    assert "does not hand out mail 3 of INBOX: it says: " in str(logged)
    box.reply()
    box.take()
    assert (len(box.stored()), len(box.folder()), len(box.folder("Overland"))) == (7, 2, 7)


def test_while_a_server_hands_out_nothing_no_mail_is_passed_over(box: Mailbox, monkeypatch: pytest.MonkeyPatch) -> None:
    """As one does that limits how much is fetched, for a time."""
    tries = count()
    for _ in range(3):
        box.reply()

    def refuse(client: IMAPClient, *_: object) -> None:
        raise IMAPClientError(f"[LIMIT] FETCH Rate limit hit, try again after 00:00:{next(tries):02}.")

    with monkeypatch.context() as limited, structlog.testing.capture_logs() as logged:
        limited.setattr(IMAPClient, "fetch", refuse)
        hurried(box, lambda: next(tries) > 50)
        assert not box.looked()
    assert [each["event"] for each in logged].count("mailbox.troubled") == 1
    assert "it says: [LIMIT] FETCH Rate limit hit, try again after 00:00:" in str(logged)
    box.take()
    assert (len(box.stored()), len(box.folder()), len(box.folder("Overland"))) == (3, 0, 3)


def test_a_server_that_says_nothing_is_not_waited_for_without_end(
    box: Mailbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(imap, "CONNECT_SECONDS", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        for scheme in ("imaps", "imap+starttls"):
            assert "does not answer" in refusal(box.at(f"{scheme}://me:secret@localhost:{port}"))


def test_while_the_database_does_not_answer_all_mails_stay(box: Mailbox, tmp_path: Path) -> None:
    box.reply()
    file = tmp_path / "overland.sqlite"
    file.rename(tmp_path / "away")
    file.mkdir()
    box.context.database.dispose()
    ends = Ends(lambda: ends.waited)
    take_until(box.context, ends)
    assert len(box.folder()) == 1
    file.rmdir()
    (tmp_path / "away").rename(file)
    box.take()
    assert (len(box.stored()), len(box.folder("Overland"))) == (1, 1)


def test_a_wrong_password_is_said_once_and_not_sent_again_and_again(box: Mailbox) -> None:
    wrong = box.at(box.dovecot.url(OWN, password="another"))
    parts.tell(records_of_parts(box.context))
    timer = Timer()
    hasty = replace(wrong, context=replace(wrong.context, timer=timer))

    def waited(seconds: float) -> bool:
        timer.advance(seconds)
        return timer.seconds > 4 * 3600

    try:
        with structlog.testing.capture_logs() as logged:
            take_until(hasty.context, waited)
        assert [each["event"] for each in logged] == ["mailbox.started", "mailbox.troubled", "mailbox.stopped"]
        # After 1, 2, 4, 8, 16 and 32 minutes, then every hour.
        until(lambda: box.dovecot.log.count("Password mismatch") == 9, "all attempts are logged")
        (finding,) = (each for each in findings(box.context) if each.check is Check.MAILBOX)
        assert (finding.state, finding.outcome) == (State.DEGRADED, "refuses the log-in")
        assert f"localhost refuses the log-in of {OWN} and says: [AUTHENTICATIONFAILED]" in finding.said
        assert "another " not in finding.said
        assert [each.outcome for each in findings(box.context) if each.check is Check.PARTS] == ["ok"]
        box.take()
        assert [each.outcome for each in findings(box.context) if each.check is Check.MAILBOX] == ["ok"]
    finally:
        parts.tell(None)


def refusal(box: Mailbox) -> str:
    with pytest.raises(MailboxFault) as caught:
        tried(box.context.settings)
    assert PASSWORD not in str(caught.value)
    return str(caught.value)


def test_whoever_tries_the_mailbox_is_told_what_is_wrong(box: Mailbox, monkeypatch: pytest.MonkeyPatch) -> None:
    dovecot = box.dovecot
    assert "says: [AUTHENTICATIONFAILED]" in refusal(box.at(dovecot.url(OWN, password="another")))
    assert "says: select failed: " in refusal(box.at(dovecot.url(OWN, folder="Nowhere")))
    dovecot.mechanisms = ("xoauth2", "oauthbearer")
    dovecot.kill()
    dovecot.start()
    assert "by OAuth alone, which Overland does not support" in refusal(box)
    dovecot.kill()
    assert "cannot be reached: Connection refused" in refusal(box)
    dovecot.mechanisms = ("plain",)
    dovecot.start()
    monkeypatch.delenv("SSL_CERT_FILE")
    assert "The certificate of localhost is not trusted: self-signed certificate" in refusal(box)
    assert "is not trusted" in refusal(box.at(dovecot.url(OWN, starttls=True)))


def test_whoever_tries_the_mailbox_is_told_how_it_is_and_nothing_in_it_changes(box: Mailbox) -> None:
    box.dovecot.put(OWN, box.foreign(2))
    for url in (box.dovecot.url(OWN), box.dovecot.url(OWN, starttls=True)):
        assert tried(box.at(url).context.settings) == (
            f"localhost lets {OWN} in; INBOX has 2 mails. It is asked for new mails every 30 s. Junk is in Spam."
        )
    assert {flag for flags in box.folder().values() for flag in flags} <= {b"\\Recent"}


@pytest.mark.parametrize(
    ("header", "sender"),
    [
        ("Return-Path: <ada+b@x.example>\r\nReturn-Path: <forged@x.example>", "ada+b@x.example"),
        ("Return-Path: <>\r\nReturn-Path: <forged@x.example>", ""),
        ("Subject: 1", ADA),
    ],
    ids=["as the provider wrote it", "a bounce", "not written"],
)
def test_the_envelope_sender_is_the_providers_word(header: str, sender: str) -> None:
    assert envelope_sender(f"{header}\r\nFrom: Ada <{ADA}>\r\n\r\n1".encode()) == sender


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        ({}, "INBOX has 1 mails"),
        ({"LOGOUT": b""}, "INBOX has 1 mails"),
        ({"LIST": b'* LIST () "/" "Bills & more"\r\n'}, "no folder for junk that is known as such"),
        ({"EXAMINE": b"* 1 EXISTS\r\n"}, "gives an answer that cannot be read: KeyError: b'UIDVALIDITY'"),
        ({"EXAMINE": b"* OK [UIDVALIDITY five] Valid\r\n"}, "gives an answer that cannot be read: ValueError"),
        ({"CAPABILITY": b"* CAPABILITY IMAP4rev1 \xff\r\n"}, "gives an answer that cannot be read: UnicodeDecodeError"),
        ({"LIST": b"* LIST (((\r\n"}, "says: Tuple incomplete"),
        ({"": b"220 Here is SMTP\r\n"}, "says: unexpected response"),
    ],
)
def test_whatever_a_server_answers_is_told_in_a_sentence(
    context: Context, monkeypatch: pytest.MonkeyPatch, answers: Mapping[str, bytes], said: str
) -> None:
    with scripted(context, monkeypatch, answers) as (box, _):
        assert said in (tried(box.context.settings) if said.startswith(("INBOX", "no folder")) else refusal(box))


def test_user_and_password_may_have_any_letters(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    with scripted(context, monkeypatch, {}) as (box, given):
        place = box.context.settings.mail_in.replace("secret", "p%C3%A4ss")
        assert "lets overland in" in tried(box.at(place).context.settings)
        assert ("AUTHENTICATE" in given, "LOGIN" in given) == (True, False)


@pytest.mark.parametrize("date", ["NIL", '"yesterday"', '"31-Dec-9999 23:59:59 -1200"'])
def test_a_mail_of_which_nobody_knows_when_it_came_comes_now(
    context: Context, monkeypatch: pytest.MonkeyPatch, date: str
) -> None:
    box = Mailbox(cast(Dovecot, None), context)
    raw = box.mail(to := box.signed())
    fetched = f"* 1 FETCH (UID 1 INTERNALDATE {date} BODY[] {{{len(raw)}}}\r\n".encode() + raw + b")\r\n"
    with scripted(context, monkeypatch, {"FETCH": fetched}) as (there, given):
        there.take()
        assert (box.stored(), given.count("MOVE")) == ([to.lower()], 1)
        assert [row.received_at for row in box.rows()] == [context.clock()]


def test_no_mail_is_moved_by_the_number_that_another_had(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    box = Mailbox(cast(Dovecot, None), context)
    raw = box.mail(box.signed())
    answers = {
        "FETCH": b'* 1 FETCH (UID 1 INTERNALDATE "29-Nov-2026 12:00:00 +0000" BODY[] {%d}\r\n' % len(raw)
        + raw
        + b")\r\n",
        "SELECT": OPENED.replace(b"UIDVALIDITY 5", b"UIDVALIDITY 6"),
    }
    with scripted(context, monkeypatch, answers) as (there, given):
        there.take()
    assert len(box.rows()) == 1
    assert "SELECT" in given
    assert not {"MOVE", "COPY", "STORE", "EXPUNGE"} & set(given)
