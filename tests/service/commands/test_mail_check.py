"""`overland check --mail` and `--received`: what becomes of a test mail, as a host reads it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest
from click.testing import CliRunner

from service.cli import main
from service.commands.mail_check import of_received, send_and_watch
from service.commands.surroundings import Gravity, Remark
from service.context import Context
from service.inbox.act import dispatch
from service.inbox.conversation import refusal, rows_of
from service.links import service_address
from service.notices.mail.errors import PermanentlyRefused
from service.notices.mail.transport import transport_of
from service.signing import keys_of
from service.store import heartbeats, messages
from service.wiring import utc_now
from tests import missing
from tests.service.fakes import Clock, Postbag, Timer, notices
from tests.service.inbox.listening import listening
from tests.service.inbox.mailboxes import OWN, mailbox
from tests.service.notices.postbox import Postbox
from tools.dovecot import EVERYTHING, IDLE
from tools.postfix import Postfix, Routes, why_missing

OURS = "games@club.example"
ANNA = "anna@elsewhere.example"
Arrives = Callable[[EmailMessage], tuple[str, bytes]]
"""Of the test mail: the envelope sender and the text of a mail that comes to where it came from."""


@pytest.fixture
def host(context: Context) -> Context:
    """A service that runs, and takes mails in."""
    with context.database.write() as connection:
        heartbeats.beat(connection, "api", context.clock())
    settings = replace(context.settings, mail_from=f"Games <{OURS}>", mail_in="smtp://127.0.0.1:2525")
    return replace(context, settings=settings)


def told(host: Context, arrives: Arrives | None = None, seconds: float = 60, behind: float = 0) -> list[Remark]:
    """What is said while a mail comes in at the second look; it is handled as every mail is. The
    clock by which it came is so many seconds behind.
    """
    looks = []

    def sleep(pause: float) -> None:
        assert isinstance(host.clock, Clock)
        assert isinstance(host.timer, Timer)
        assert isinstance(host.transport, Postbag)
        host.clock.advance(seconds=pause)
        host.timer.seconds += pause
        looks.append(pause)
        if arrives is not None and len(looks) == 2:
            sent = host.transport.messages[-1]
            back = str(sent["Return-Path"]).strip("<>")
            assert back == str(sent["Reply-To"])
            assert refusal(keys_of(host), service_address(OURS), back) is None, "the listener takes it"
            sender, raw = arrives(sent)
            came = host.clock() - timedelta(seconds=behind)
            with host.database.write() as connection:
                (number,) = messages.add_all(connection, rows_of("127.0.0.1", sender, [back], raw), came)
            with host.database.read() as connection:
                message = messages.find(connection, number)
            assert message is not None
            assert dispatch(host, message).status == "ignored"

    said = list(send_and_watch(host, ANNA, seconds, sleep))
    assert notices(host) == [], "nobody is answered"
    return said


def by(said: list[Remark], gravity: Gravity) -> str:
    return "\n".join(each.sentence for each in said if each.gravity == gravity)


def replied(*results: str, author: str = ANNA) -> Arrives:
    """A reply, with the results that the provider of the service wrote on top."""

    def reply(sent: EmailMessage) -> tuple[str, bytes]:
        fields = [f"Authentication-Results: {each}" for each in results]
        lines = [*fields, "Received: from elsewhere.example by mx.club.example", f"From: Anna <{author}>"]
        lines += [f"To: {sent['Reply-To']}", "Subject: Re: test", f"In-Reply-To: {sent['Message-ID']}", "", "ok", ""]
        return author, "\r\n".join(lines).encode()

    return reply


def bounced(action: str, status: str, words: str) -> Arrives:
    def bounce(sent: EmailMessage) -> tuple[str, bytes]:
        text = (
            "MIME-Version: 1.0\nFrom: MAILER-DAEMON@club.example\nSubject: Undelivered\n"
            'Content-Type: multipart/report; report-type=delivery-status; boundary="x"\n\n'
            "--x\nContent-Type: text/plain\n\nSorry.\n"
            "--x\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx.club.example\n\n"
            f"Final-Recipient: rfc822; {ANNA}\nAction: {action}\nStatus: {status}\n"
            f"Diagnostic-Code: smtp; {words}\n\n--x--\n"
        )
        return "", text.replace("\n", "\r\n").encode()

    return bounce


def test_a_reply_is_seen_though_the_clock_of_the_mailbox_is_behind(host: Context) -> None:
    assert "A reply came in after 0 s" in by(told(host, replied(), behind=120), "good")


def test_the_mail_server_is_quoted_and_the_person_is_told_what_to_do(host: Context) -> None:
    said = told(host)
    assert said[0].sentence == f'Sent to {ANNA}. The mail server answered "250 It is in the bag": it took the mail.'
    assert "do what the mail says" in said[1].sentence
    assert said[-1] == Remark(
        "caution", "No bounce and no reply came in within 60 seconds: it is either there, or still on its way."
    )
    assert isinstance(host.transport, Postbag)
    (mail,) = host.transport.messages
    assert "overland check --received FILE" in mail.get_content()
    assert (mail["To"], mail["From"]) == (ANNA, f"Games <{OURS}>")


def test_a_mail_that_is_not_taken_is_quoted(host: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(message: object) -> str:
        raise PermanentlyRefused("The mail server mail.example refused: 550 5.7.1 Sender not owned")

    monkeypatch.setattr(host.transport, "send", refuse)
    (only,) = told(host)
    assert only.gravity == "problem"
    assert "550 5.7.1 Sender not owned" in only.sentence
    assert "OVERLAND_MAIL_FROM has to be an address from which" in only.sentence


def test_a_bounce_ends_it_with_the_words_of_the_mail_server(host: Context) -> None:
    said = told(host, bounced("failed", "5.1.1", "550 5.1.1 No such user"))
    assert said[-1].gravity == "problem"
    assert said[-1].sentence.startswith("It came back after 4 s: 550 5.1.1 No such user")


def test_a_mail_that_is_delayed_is_waited_for(host: Context) -> None:
    said = told(host, bounced("delayed", "4.4.1", "connection timed out"))
    assert [each.gravity for each in said[2:]] == ["caution", "caution"]
    assert "delayed, says a mail server after 4 s: connection timed out" in said[2].sentence
    assert "No bounce and no reply" in said[3].sentence


def test_a_reply_shows_that_mails_come_in_and_proposes_the_topmost_name(host: Context) -> None:
    said = told(
        host, replied("mx.club.example; spf=pass smtp.mailfrom=anna@elsewhere.example", "evil.example; dkim=pass")
    )
    assert "A reply came in after 4 s: mails reach the service." in by(said, "good")
    assert '"Authentication-Results: mx.club.example" with spf=pass' in by(said, "caution")
    assert "set OVERLAND_TRUSTED_RELAY=mx.club.example, and start the service again" in by(said, "caution")


@pytest.mark.parametrize(
    ("results", "gravity", "sentence"),
    [
        ("spf=pass smtp.mailfrom=anna@elsewhere.example", "good", "what is sent from there plays at once"),
        ("spf=fail smtp.mailfrom=anna@elsewhere.example", "caution", "once its sender has pressed a button"),
    ],
)
def test_with_the_name_that_is_set_a_reply_says_whether_its_sender_is_proven(
    host: Context, results: str, gravity: Gravity, sentence: str
) -> None:
    trusting = replace(host, settings=replace(host.settings, trusted_relay="mx.club.example"))
    said = told(trusting, replied(f"mx.club.example; {results}"))
    assert sentence in by(said, gravity)
    assert "OVERLAND_TRUSTED_RELAY" not in "".join(each.sentence for each in said)


def test_a_provider_that_writes_nothing_is_told(host: Context) -> None:
    assert "every player confirms on a page" in by(told(host, replied()), "caution")


def test_where_no_mail_comes_in_nothing_is_waited_for(host: Context) -> None:
    off = replace(host, settings=replace(host.settings, mail_in=""))
    assert by(told(off, replied()), "caution").startswith("No mail comes in here (OVERLAND_MAIL_IN is off)")
    assert isinstance(host.clock, Clock)
    host.clock.advance(minutes=4)
    assert by(told(host, replied()), "caution").startswith("The service does not run")


def test_a_mail_that_arrives_in_the_mailbox_of_the_service_is_read_at_once(host: Context) -> None:
    def itself(sent: EmailMessage) -> tuple[str, bytes]:
        head = b"Authentication-Results: mx.club.example; spf=pass smtp.mailfrom=games@club.example\r\n"
        return str(sent["Return-Path"]).strip("<>"), head + sent.as_bytes()

    said = told(host, itself)
    assert "in the mailbox of the service itself" in by(said, "good")
    assert "SPF: pass, for club.example." in by(said, "good")


def test_what_comes_back_to_an_ordinary_mailbox_is_seen(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    with mailbox(context, monkeypatch, capabilities=EVERYTHING - {IDLE}) as box:
        box = replace(box, context=replace(box.context, settings=replace(box.context.settings, mail_from=OWN)))
        beat = [box.context.clock()]

        def sleep(pause: float) -> None:
            postbag, timer = box.context.transport, box.context.timer
            assert isinstance(postbag, Postbag)
            assert isinstance(timer, Timer)
            timer.seconds += pause
            sent = postbag.messages[-1]
            if len(beat) == 1:
                box.dovecot.deliver(str(sent["Reply-To"]), bounced("failed", "5.1.1", "550 Gone")(sent)[1], sender="")
            beat.append(box.context.clock())
            box.take()

        with context.database.write() as connection:
            heartbeats.beat(connection, "api", context.clock())
        said = list(send_and_watch(box.context, ANNA, 60, sleep))
    assert "550 Gone" in by(said, "problem")


@pytest.mark.parametrize(("folder", "gravity"), [("INBOX", "good"), ("Spam", "caution"), ("", "caution")])
def test_the_mailbox_of_the_service_is_looked_into_without_a_trace(
    context: Context, monkeypatch: pytest.MonkeyPatch, folder: str, gravity: Gravity
) -> None:
    with mailbox(context, monkeypatch) as box:
        live = replace(box.context, settings=replace(box.context.settings, mail_from=OWN))

        def sleep(pause: float) -> None:
            assert isinstance(live.transport, Postbag)
            assert isinstance(live.timer, Timer)
            live.timer.seconds += pause
            (sent,) = live.transport.messages
            results = b"Authentication-Results: mx.example.org; spf=pass smtp.mailfrom=overland@example.org\r\n"
            with box.seen() as client:
                if folder and not client.folder_exists(folder):
                    client.create_folder(folder)
                if folder and live.timer.seconds > 4:
                    client.append(folder, results + sent.as_bytes())

        said = list(send_and_watch(live, OWN, 6, sleep))
        if folder:
            assert not any(flags - {b"\\Recent"} for flags in map(set, box.folder(folder).values()))
            assert f"in the folder {folder}" in by(said, gravity)
            assert "SPF: pass, for example.org." in by(said, "good")
        else:
            assert said[-1].sentence == "It has not arrived in the mailbox of the service within 6 seconds."


@pytest.mark.deep
def test_a_bounce_comes_back_through_a_real_mail_server(
    host: Context, mail_server: Callable[..., Postbox], tmp_path: Path
) -> None:
    if reason := why_missing():
        missing.skip(reason)
    world = mail_server("smtp", refuse_recipient="550 5.1.1 No such user here")
    live = replace(host, clock=utc_now, timer=time.monotonic)
    with host.database.write() as connection:
        heartbeats.beat(connection, "judge", utc_now())
    with listening(live, "lmtp") as running:
        relay = Postfix(Routes("club.example", f"lmtp:inet:127.0.0.1:{running.open.port}", world.port))
        try:
            sending = replace(live, transport=transport_of(relay.url, tmp_path))
            said = list(send_and_watch(sending, ANNA, 300, time.sleep))
        finally:
            relay.close()
    assert "queued as" in said[0].sentence
    assert said[-1].gravity == "problem"
    assert "550 5.1.1 No such user here" in said[-1].sentence


# The source of a mail as it was received.


def source(*fields: str, sender: str = OURS) -> bytes:
    date = "Fri, 27 Nov 2026 12:00:00 +0000"
    return "\r\n".join([*fields, f"From: Games <{sender}>", f"Date: {date}", "Subject: Test", "", "text", ""]).encode()


GOOD = (
    "Authentication-Results: mx.receiver.example; spf=pass smtp.mailfrom=games+b-1@club.example;"
    " dkim=pass header.d=list.example; dkim=pass header.d=club.example; dmarc=pass header.from=club.example"
)


def test_what_passes_is_said_in_a_line_each() -> None:
    said = list(of_received(f"Games <{OURS}>", source(GOOD)))
    assert [each.gravity for each in said] == ["good"] * 4
    assert said[0].sentence == "What mx.receiver.example found out:"
    assert [each.sentence for each in said[1:]] == [
        f"{method}: pass, for club.example." for method in ("SPF", "DKIM", "DMARC")
    ]


SPF = (
    " Name the mail server that sends in the TXT record of club.example that begins with v=spf1: the help of your mail"
    " provider says how."
)
DKIM = (
    " The mail is not signed. Switch on DKIM at your mail provider, or in your mail server, and publish its key in the"
    " DNS of club.example."
)
DMARC = (
    " Without it large providers take mails for spam. Once SPF or DKIM passes for club.example, have a TXT record of"
    " _dmarc.club.example say v=DMARC1; p=none."
)
BROKEN = (
    " The signature does not fit: the mail was changed on its way, or the DNS of club.example has another key than the"
    " one that signs. Publish the key again."
)


@pytest.mark.parametrize(
    ("results", "gravity", "sentence"),
    [
        ("spf=softfail smtp.mailfrom=games@club.example", "caution", f"SPF: softfail, for club.example.{SPF}"),
        ("spf=fail smtp.mailfrom=games@club.example", "problem", f"SPF: fail, for club.example.{SPF}"),
        ("spf=permerror smtp.mailfrom=games@club.example", "problem", f"SPF: permerror, for club.example.{SPF}"),
        ("spf=none", "caution", f"SPF: none.{SPF}"),
        (
            "spf=pass smtp.mailfrom=b@mailer.example",
            "caution",
            "SPF: pass, for mailer.example. That proves mailer.example, not club.example, from which the mails are:"
            " DKIM has to prove that.",
        ),
        ("dkim=none", "caution", f"DKIM: none.{DKIM}"),
        ("dkim=fail header.d=club.example", "problem", f"DKIM: fail, for club.example.{BROKEN}"),
        ("dkim=neutral header.d=club.example", "caution", f"DKIM: neutral, for club.example.{BROKEN}"),
        (
            "dkim=pass header.d=mailer.example",
            "caution",
            "DKIM: pass, for mailer.example. It is signed for mailer.example, not for club.example: have your mail"
            " provider sign for club.example.",
        ),
        ("dmarc=fail header.from=club.example", "problem", f"DMARC: fail, for club.example.{DMARC}"),
        ("dmarc=none", "caution", f"DMARC: none.{DMARC}"),
        (
            "dmarc=pass header.from=mailer.example",
            "caution",
            "DMARC: pass, for mailer.example. That is about mailer.example, not about club.example, from which the"
            " mails are.",
        ),
    ],
)
def test_what_does_not_pass_is_said_with_what_to_do(results: str, gravity: Gravity, sentence: str) -> None:
    said = list(of_received(OURS, source(f"Authentication-Results: mx.receiver.example; {results}")))
    method = sentence.partition(":")[0]
    assert [each for each in said if each.sentence.startswith(f"{method}:")] == [Remark(gravity, sentence)]


def test_results_without_a_name_are_read_as_exchange_writes_them() -> None:
    said = list(of_received(OURS, source("Authentication-Results: spf=pass (sender IP) smtp.mailfrom=club.example")))
    assert said[0].sentence == "What the receiver found out:"
    assert "SPF: pass, for club.example." in by(said, "good")


def test_results_below_those_of_the_receiver_are_not_its_own() -> None:
    said = list(of_received(OURS, source(GOOD, "Received: by mx", "Authentication-Results: x.example; spf=fail")))
    assert "fail" not in by(said, "problem")


@pytest.mark.parametrize("raw", [b"", b"\r\n\r\n", b"\xff\x00:", source(GOOD, sender="bob@elsewhere.example")])
def test_what_is_no_mail_of_ours_is_refused_with_what_to_do(raw: bytes) -> None:
    (only,) = of_received(OURS, raw)
    assert only.gravity == "problem"
    assert "This is not the source of a mail from games@club.example" in only.sentence


@pytest.mark.parametrize(
    ("stamp", "said"),
    [
        ("11:58:00 +0000", "120 seconds ahead of that of the mail server:"),
        ("12:20:00 +0000", "1200 seconds behind that of the mail server, or the mail waited so long:"),
        ("12:00:30 +0000", ""),
        ("14:00:30 +0200", ""),
        ("04:00:30 -0800 (PST)", ""),
        ("12:00:30 GMT", ""),
        ("12:00:30 -0000", ""),
        ("13:58:00 +0200", "120 seconds ahead of that of the mail server:"),
    ],
)
def test_a_clock_that_is_apart_from_the_mail_servers_is_told(stamp: str, said: str) -> None:
    received = f"Received: from here by mail.club.example; Fri, 27 Nov 2026 {stamp}"
    found = by(list(of_received(OURS, source(GOOD, received))), "caution")
    assert (said in found) if said else found == ""


def test_the_command_reads_a_file_or_what_is_pasted(tmp_path: Path) -> None:
    environ = {"OVERLAND_DATA_DIR": str(tmp_path), "OVERLAND_MAIL_FROM": OURS}
    (tmp_path / "mail.eml").write_bytes(source(GOOD))
    saved = CliRunner().invoke(main, ["check", "--received", str(tmp_path / "mail.eml")], env=environ)
    pasted = CliRunner().invoke(main, ["check", "--received", "-"], env=environ, input=b"\n\n" + source(GOOD))
    assert saved.output == pasted.output
    assert (saved.exit_code, saved.stderr) == (0, "")
    failed = source("Authentication-Results: mx.receiver.example; spf=fail smtp.mailfrom=club.example")
    assert CliRunner().invoke(main, ["check", "--received", "-"], env=environ, input=failed).exit_code == 1


def test_the_command_sends_nothing_to_what_is_no_address(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["check", "--mail", "anna"], env={"OVERLAND_DATA_DIR": str(tmp_path)})
    assert result.exit_code == 2
    assert "anna" in result.stderr


def test_the_test_mail_is_a_file_where_mails_are_written_to_a_folder(tmp_path: Path, sqlite_template: Path) -> None:
    (tmp_path / "overland.sqlite").write_bytes(sqlite_template.read_bytes())
    result = CliRunner().invoke(main, ["check", "--mail", ANNA], env={"OVERLAND_DATA_DIR": str(tmp_path)})
    assert result.exit_code == 0
    assert result.stderr.startswith("Caution: Nothing was sent: OVERLAND_MAIL_URL is a folder.")
    (file,) = (tmp_path / "mail").glob("*.eml")
    assert str(file) in result.stderr
