"""Every mail transport, against real servers."""

from __future__ import annotations

import re
import socket
import ssl
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

import pytest

from service.notices.mail.errors import PermanentlyRefused, TransportDown, TransportError
from service.notices.mail.message import build
from service.notices.mail.transport import FolderTransport, MailUrlError, SmtpTransport, transport_of
from tests.service.notices.letters import letter
from tests.service.notices.postbox import CERTIFICATE, Postbox

Start = Callable[..., Postbox]
TRUSTING = ssl.create_default_context(cafile=str(CERTIFICATE))


def smtp(url: str, **changes: object) -> SmtpTransport:
    transport = transport_of(url, Path("unused"))
    assert isinstance(transport, SmtpTransport)
    return replace(transport, timeout=10.0, tls=TRUSTING, **changes)  # type: ignore[arg-type]


def received(postbox: Postbox) -> EmailMessage:
    assert len(postbox.envelopes) == 1
    content = postbox.envelopes[0].content
    assert isinstance(content, bytes)
    message = message_from_bytes(content, policy=policy.default)
    assert isinstance(message, EmailMessage)
    return message


@pytest.mark.parametrize("mode", ["smtp", "smtps", "smtp+starttls", "lmtp"])
def test_a_mail_arrives_as_it_was_sent(mail_server: Start, mode: str) -> None:
    postbox = mail_server(mode)
    smtp(f"{mode}://localhost:{postbox.port}").send(build(letter(to_name="Zoë", text="│ Your turn │\n")))
    message = received(postbox)
    assert message["Message-ID"] == "<notice-n1@games.example>"
    body = message.get_body(("plain",))
    assert body is not None
    assert body.get_content().strip() == "│ Your turn │"
    assert (postbox.envelopes[0].mail_from, postbox.envelopes[0].rcpt_tos) == (
        "overland@games.example",
        ["anna@players.example"],
    )


@pytest.mark.parametrize("mode", ["smtp", "lmtp"])
def test_a_mail_comes_back_to_its_envelope_sender_which_is_in_no_header(mail_server: Start, mode: str) -> None:
    postbox, mail = mail_server(mode), build(letter(envelope_sender="overland+b-n1@games.example"))
    for _ in range(2):
        smtp(f"{mode}://localhost:{postbox.port}").send(mail)
    assert [envelope.mail_from for envelope in postbox.envelopes] == ["overland+b-n1@games.example"] * 2
    assert [b"Return-Path" in (envelope.content or b"") for envelope in postbox.envelopes] == [False, False]
    assert mail["Return-Path"] == "<overland+b-n1@games.example>"


@pytest.mark.parametrize("mode", ["smtp", "lmtp"])
def test_smtputf8_is_asked_for_only_where_the_local_part_needs_it(mail_server: Start, mode: str) -> None:
    postbox = mail_server(mode)
    for address in ("anna@xn--bcher-kva.example", "jürgen@xn--bcher-kva.example"):
        smtp(f"{mode}://localhost:{postbox.port}").send(build(letter(to_address=address)))
    assert [envelope.smtp_utf8 for envelope in postbox.envelopes] == [False, True]
    assert [envelope.rcpt_tos for envelope in postbox.envelopes] == [
        ["anna@xn--bcher-kva.example"],
        ["jürgen@xn--bcher-kva.example"],
    ]


@pytest.mark.parametrize(("mode", "encrypted"), [("smtp", False), ("smtps", True), ("smtp+starttls", True)])
def test_the_url_says_whether_the_connection_is_encrypted(mail_server: Start, mode: str, encrypted: bool) -> None:
    postbox = mail_server(mode)
    smtp(f"{mode}://localhost:{postbox.port}").send(build(letter()))
    assert postbox.encrypted == [encrypted]


def test_lmtp_speaks_to_a_local_socket(mail_server: Start, tmp_path: Path) -> None:
    postbox = mail_server("lmtp", path=tmp_path / "lmtp.sock")
    smtp(f"lmtp://{tmp_path}/lmtp.sock").send(build(letter()))
    assert received(postbox)["X-Overland-Notice"] == "n1"


def test_user_and_password_are_percent_decoded(mail_server: Start) -> None:
    postbox = mail_server()
    smtp(f"smtp://an%40na:s3cret%40%2F%3A@localhost:{postbox.port}").send(build(letter()))
    assert postbox.logins == [("an@na", "s3cret@/:")]
    assert len(postbox.envelopes) == 1


def test_user_and_password_may_have_any_letters(mail_server: Start) -> None:
    postbox = mail_server()
    smtp(f"smtp://zo%C3%AB:s3cret%40%2F%3A@localhost:{postbox.port}").send(build(letter()))
    assert postbox.logins == [("zo\xeb", "s3cret@/:")]
    assert len(postbox.envelopes) == 1
    with pytest.raises(TransportDown, match="535") as caught:
        smtp(f"smtp://anna:gu%C3%B655@localhost:{postbox.port}").check()
    assert postbox.logins[-1] == ("anna", "gu\xf655")
    assert "\xf6" not in str(caught.value)


@pytest.mark.parametrize("mode", ["smtp", "lmtp"])
@pytest.mark.parametrize("said", [b"2", b"220-There is more\r\n"], ids=["byte by byte", "line by line"])
def test_a_server_that_never_ends_its_reply_is_down(mode: str, said: bytes) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        gone = threading.Event()

        def drip() -> None:
            with server.accept()[0] as accepted, suppress(OSError):
                while not gone.wait(0.02):
                    accepted.sendall(said)

        thread = threading.Thread(target=drip)
        thread.start()
        ending = threading.Timer(60, gone.set)  # else nothing would end a client that waits
        ending.start()
        with pytest.raises(TransportDown, match="timed out"):
            replace(smtp(f"{mode}://127.0.0.1:{server.getsockname()[1]}"), timeout=0.3).check()
        ending.cancel()
        gone.set()
        thread.join()


@pytest.mark.parametrize("mode", ["smtp", "smtp+starttls", "lmtp"])
def test_a_server_of_something_else_is_told_as_such(mode: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:

        def greet() -> None:
            with server.accept()[0] as accepted:
                accepted.sendall(b"* OK IMAP4rev1 is ready\r\n")
                accepted.recv(1000)

        thread = threading.Thread(target=greet)
        thread.start()
        with pytest.raises(TransportDown, match=r"does not speak SMTP: .*IMAP4rev1 is ready$"):
            smtp(f"{mode}://127.0.0.1:{server.getsockname()[1]}").check()
        thread.join()


@pytest.mark.parametrize("host", ["mail..example.org", "x" * 70 + ".example.org"])
def test_a_name_that_no_host_can_have_is_told_as_a_server_that_is_down(host: str) -> None:
    server, said = smtp(f"smtp://{host}"), re.escape(f"The mail server {host}:25 could not be used")
    with pytest.raises(TransportDown, match=said):
        server.check()
    with pytest.raises(TransportDown, match=said):
        server.send(build(letter()))


def test_a_wrong_password_sends_nothing_and_is_not_told(mail_server: Start) -> None:
    postbox = mail_server()
    with pytest.raises(TransportError, match="535") as caught:
        smtp(f"smtp://anna:gue55@localhost:{postbox.port}").send(build(letter()))
    assert postbox.envelopes == []
    assert "gue55" not in str(caught.value)


def test_starttls_does_not_fall_back_to_an_unencrypted_connection(mail_server: Start) -> None:
    postbox = mail_server("smtp")
    with pytest.raises(TransportError, match="STARTTLS"):
        smtp(f"smtp+starttls://localhost:{postbox.port}").send(build(letter()))
    assert postbox.envelopes == []


@pytest.mark.parametrize("mode", ["smtps", "smtp+starttls"])
def test_an_untrusted_certificate_stops_the_mail(mail_server: Start, mode: str) -> None:
    postbox = mail_server(mode)
    with pytest.raises(TransportError, match=r"(?i)certificate"):
        replace(smtp(f"{mode}://localhost:{postbox.port}"), tls=None).send(build(letter()))
    assert postbox.envelopes == []


@pytest.mark.parametrize("mode", ["smtp", "lmtp"])
@pytest.mark.parametrize("answer", ["450 4.2.1 Mailbox busy", "550 5.1.1 No such player"])
def test_a_refused_recipient_is_told_with_the_servers_words(mail_server: Start, mode: str, answer: str) -> None:
    postbox = mail_server(mode, refuse_recipient=answer)
    with pytest.raises(TransportError, match=answer):
        smtp(f"{mode}://localhost:{postbox.port}").send(build(letter()))


@pytest.mark.parametrize(
    ("answer", "for_good"),
    [("199 A", False), ("300 A", False), ("499 A", False), ("500 A", True), ("599 A", True), ("600 A", False)],
)
def test_a_recipient_is_refused_for_good_by_a_reply_of_5xx_alone(
    mail_server: Start, answer: str, for_good: bool
) -> None:
    postbox = mail_server(refuse_recipient=answer)
    with pytest.raises(TransportError) as refused:
        smtp(f"smtp://localhost:{postbox.port}").send(build(letter()))
    assert str(refused.value) == f"The mail server localhost:{postbox.port} refused: {answer}"
    assert isinstance(refused.value, PermanentlyRefused) == for_good
    assert not isinstance(refused.value, TransportDown)
    assert postbox.envelopes == []


@pytest.mark.parametrize("answer", ["199 A", "300 A", "450 4.1.8 Later", "550 5.1.0 Unknown sender"])
def test_a_server_that_refuses_the_sender_is_down_as_the_settings_are_wrong(mail_server: Start, answer: str) -> None:
    postbox = mail_server(refuse_sender=answer)
    with pytest.raises(TransportDown) as refused:
        smtp(f"smtp://localhost:{postbox.port}").send(build(letter()))
    assert str(refused.value) == f"The mail server localhost:{postbox.port} refused the sender: {answer}"


@pytest.mark.parametrize("answer", ["200 A", "250 A", "299 A"])
def test_a_mail_is_taken_by_any_reply_of_2xx(mail_server: Start, answer: str) -> None:
    postbox = mail_server(refuse_message=answer)
    assert smtp(f"smtp://localhost:{postbox.port}").send(build(letter())) == answer


def test_an_address_that_the_server_cannot_write_to_is_refused_for_good(mail_server: Start) -> None:
    able, unable = mail_server(smtputf8=True), mail_server(smtputf8=False)
    mail = build(letter(to_address="josé@players.example"))
    smtp(f"smtp://localhost:{able.port}").send(mail)
    assert [envelope.rcpt_tos for envelope in able.envelopes] == [["josé@players.example"]]
    with pytest.raises(PermanentlyRefused, match=r"to josé@players\.example: it does not support SMTPUTF8"):
        smtp(f"smtp://localhost:{unable.port}").send(mail)
    assert unable.envelopes == []


@pytest.mark.parametrize("mode", ["smtp", "lmtp"])
def test_a_refused_message_is_told_with_the_servers_words(mail_server: Start, mode: str) -> None:
    postbox = mail_server(mode, refuse_message="554 5.7.1 Looks like spam")
    with pytest.raises(TransportError, match=r"554 5\.7\.1 Looks like spam"):
        smtp(f"{mode}://localhost:{postbox.port}").send(build(letter()))


def test_an_abrupt_disconnect_after_the_mail_was_accepted_is_no_failure(mail_server: Start) -> None:
    postbox = mail_server(goodbye="421 Too busy to say goodbye")
    smtp(f"smtp://localhost:{postbox.port}").send(build(letter()))
    assert len(postbox.envelopes) == 1


def test_an_unreachable_server_is_a_transport_error(tmp_path: Path) -> None:
    with pytest.raises(TransportError, match="could not be used"):
        smtp(f"lmtp://{tmp_path}/nobody-listens").send(build(letter()))


def test_the_folder_holds_one_file_for_each_message(tmp_path: Path) -> None:
    transport = transport_of(f"folder:{tmp_path}/mail", Path("unused"))
    for notice in ("n1", "n2", "n1"):
        transport.send(build(letter(message_name=f"notice-{notice}")))
    assert sorted(path.name for path in (tmp_path / "mail").iterdir()) == [
        "20261121T103000Z-notice-n1.eml",
        "20261121T103000Z-notice-n2.eml",
    ]


def test_a_file_in_the_folder_is_the_whole_message(tmp_path: Path) -> None:
    FolderTransport(tmp_path).send(build(letter()))
    assert next(tmp_path.iterdir()).read_bytes() == build(letter()).as_bytes()


def test_a_folder_that_cannot_be_made_is_a_transport_error(tmp_path: Path) -> None:
    (tmp_path / "mail").write_text("a file is in the way")
    with pytest.raises(TransportError, match="cannot be written"):
        FolderTransport(tmp_path / "mail").send(build(letter()))


def test_folder_without_a_path_means_the_default_folder(tmp_path: Path) -> None:
    transport = transport_of("folder:", tmp_path)
    assert isinstance(transport, FolderTransport)
    assert transport.folder == tmp_path


@pytest.mark.parametrize(
    ("url", "mode", "host", "port"),
    [
        ("smtp://mail.example", "smtp", "mail.example", 25),
        ("smtps://mail.example", "smtps", "mail.example", 465),
        ("smtp+starttls://mail.example", "smtp+starttls", "mail.example", 587),
        ("lmtp://[::1]:2424", "lmtp", "::1", 2424),
        ("lmtp:///run/lmtp.sock", "lmtp", "/run/lmtp.sock", 0),
    ],
)
def test_a_url_names_mode_host_and_port(url: str, mode: str, host: str, port: int) -> None:
    transport = smtp(url)
    assert (transport.mode, transport.host, transport.port) == (mode, host, port)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "mail.example",
        "http://mail.example",
        "smtp://",
        "smtp://mail.example:many",
        "smtp://u:p/w@mail.example",
        "smtp://h/path?x=1",
    ],
)
def test_a_bad_url_is_refused_with_a_sentence(url: str) -> None:
    with pytest.raises(MailUrlError, match=r"^The mail URL .*\.$|is not a mail URL.*\.$"):
        transport_of(url, Path("unused"))


def test_a_refusal_never_shows_the_password() -> None:
    with pytest.raises(MailUrlError) as caught:
        transport_of("imap://anna:gue55@mail.example", Path("unused"))
    assert "gue55" not in str(caught.value)
    assert "gue55" not in repr(smtp("smtp://anna:gue55@mail.example"))


@pytest.mark.parametrize(("mode", "port"), [("smtp", 25), ("smtps", 465), ("smtp+starttls", 587), ("lmtp", 24)])
def test_without_a_port_the_usual_one_is_taken(mode: str, port: int) -> None:
    assert smtp(f"{mode}://mail.example.org").port == port
