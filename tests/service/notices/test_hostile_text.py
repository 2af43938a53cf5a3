"""Names and titles chosen to break out of a header: what arrives, in a folder and through a mail
server, has the headers and parts of every other mail, on every Python that is promised.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterator
from email import message_from_bytes, policy
from email.header import decode_header, make_header
from email.message import EmailMessage, Message
from email.utils import getaddresses
from pathlib import Path
from quopri import encodestring
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from service.context import Context, Transport
from service.notices.delivery import deliver_due
from service.notices.mail import message
from service.notices.mail.errors import CannotCompose
from service.notices.mail.message import NAME_LENGTH, SUBJECT_LENGTH, Thread, build, one_line, shortened
from service.notices.mail.transport import FolderTransport, SmtpTransport, to_wire
from service.store import players
from service.store.players import Player
from tests.service.notices.fakes import NAMES, NOON, context, dealt, notice, notify, store_match
from tests.service.notices.letters import letter
from tests.service.notices.postbox import Postbox

TITLE = "=?utf-8?q?a=0D=0AContent-Type:_text/html=0D=0A=0D=0A<h1>Free_cows</h1>?="
NAME = "=?utf-8?q?x=0D=0ATo:_ben@players.example?="
HEADERS = [
    "Date",
    "From",
    "To",
    "Reply-To",
    "Subject",
    "Message-ID",
    "In-Reply-To",
    "References",
    "List-Id",
    "List-Unsubscribe",
    "List-Unsubscribe-Post",
    "Auto-Submitted",
    "X-Auto-Response-Suppress",
    "X-Overland-Notice",
    "X-Overland-Kind",
    "MIME-Version",
    "Content-Type",
]
PARTS = ["multipart/alternative", "text/plain", "multipart/related", "text/html", "image/png"]
PIECES = (
    *("=?", "?=", "= ?", "\uff1d\uff1f", "=\u200b?", "=李?", "<", ">", '"', "\\", *",;:.'()[]@_-�é😀ﷺ\u0301\u202e\xa0"),
    *("\r", "\n", "\r\n", "\r\n\r\n", "\0", "\t", "\x0b", "\x1b", "\x7f", "\x85", "\u2028", "\u2029", "\ud800", " "),
    *("Bcc: ben@players.example", "\r\nTo: ben@players.example", "a, ben@players.example", "<h1>", "utf-8", "x" * 60),
)
CODED = st.one_of(st.sampled_from(PIECES), st.text(max_size=8))


@st.composite
def encoded_words(draw: st.DrawFn) -> str:
    """An encoded word (RFC 2047), whole or with an end cut off, of text that would do harm."""
    text = "".join(draw(st.lists(CODED, max_size=5))).encode("utf-8", "replace")
    charset = draw(st.sampled_from(("utf-8", "UTF-8", "us-ascii", "iso-8859-1", "utf-8*en", "nonsense")))
    if draw(st.booleans()):
        coded = encodestring(text, quotetabs=True, header=True).replace(b"\n", b"=0A").replace(b"\r", b"=0D").decode()
        word = f"=?{charset}?{draw(st.sampled_from('qQ'))}?{coded}?="
    else:
        word = f"=?{charset}?{draw(st.sampled_from('bB'))}?{base64.b64encode(text).decode()}?="
    return word[draw(st.sampled_from((0, 0, 0, 1, 2))) : len(word) - draw(st.sampled_from((0, 0, 0, 1, 2)))]


TEXTS = st.lists(st.one_of(CODED, encoded_words(), st.integers(1, 400).map("y".__mul__)), max_size=8).map("".join)
ADDRESSES = st.sampled_from(("anna@players.example", f"{'a' * 60}@{'b' * 60}.example"))


def squeezed(text: str) -> str:
    """The text without spaces: one is put into ``=?``, and some are folded."""
    return "".join(text.split())


def check(content: bytes, address: str, name: str, subject: str) -> Message:
    """Asserts that the mail has the headers, the one addressee, the subject and the parts it should
    have, and gives it.

    The lines are taken apart here, and the values by the oldest functions of ``email``.
    """
    head = content.partition(b"\r\n\r\n")[0]
    assert not re.search(rb"[^\t\r\n -~]|\r(?!\n)|(?<!\r)\n", head)
    fields = re.sub(rb"\r\n([ \t])", rb"\1", head).split(b"\r\n")
    assert [field.partition(b":")[0].decode() for field in fields] == HEADERS
    mail = message_from_bytes(content, policy=policy.compat32)
    assert [part.get_content_type() for part in mail.walk()] == PARTS
    ((shown, reached),) = getaddresses([mail["To"]])
    assert reached == address
    assert decoded(shown) == squeezed(shortened(one_line(name), NAME_LENGTH))
    assert decoded(mail["Subject"]) == squeezed(shortened(one_line(subject), SUBJECT_LENGTH))
    named, _, listed = mail["List-Id"].replace("\r\n", "").rpartition(" ")
    assert listed == "<m1.match.games.example>"
    assert re.fullmatch(r'"[^"\\]*"|=\?utf-8\?b\?[A-Za-z0-9+/=]*\?=(?: =\?utf-8\?b\?[A-Za-z0-9+/=]+\?=)*', named)
    assert "=?" not in str(make_header(decode_header(named)))
    return mail


def decoded(value: str) -> str:
    return squeezed(str(make_header(decode_header(value))))


def folder(content: EmailMessage) -> bytes:
    """What arrives in a folder."""
    with TemporaryDirectory() as made:
        FolderTransport(Path(made)).send(content)
        (file,) = Path(made).iterdir()
        return file.read_bytes()


@pytest.fixture(params=["smtp", "lmtp"])
def post(request: pytest.FixtureRequest, mail_server: Callable[..., Postbox]) -> Callable[[EmailMessage], bytes]:
    """Sends a mail to a real server, and gives what arrives there."""
    postbox = mail_server(request.param)
    transport = SmtpTransport(request.param, "127.0.0.1", postbox.port, None, timeout=60.0, patience=60.0)

    def send(content: EmailMessage) -> bytes:
        transport.send(content)
        (envelope,) = postbox.envelopes
        postbox.envelopes.clear()
        assert envelope.rcpt_tos == [content["To"].addresses[0].addr_spec]
        assert isinstance(envelope.content, bytes)
        return envelope.content

    return send


@given(name=TEXTS, title=TEXTS, address=ADDRESSES)
@example(name=NAME, title=TITLE, address="anna@players.example")
@example(name="=李?utf-8?q?=0D=0ATo:x?=", title="=\u200b?utf-8?q?=0D=0ATo:x?=", address="anna@players.example")
@settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_whatever_names_and_titles_hold_one_mail_arrives_with_its_own_headers(
    post: Callable[[EmailMessage], bytes], name: str, title: str, address: str
) -> None:
    subject = f"Re: [Oregon #m1] {title}"
    made = build(letter(to_name=name, to_address=address, subject=subject, thread=Thread("m1", "p1", title)))
    for content in (folder(made), post(made)):
        mail = check(content, address, name, subject)
        text = mail.get_payload(0)
        assert isinstance(text, Message)
        assert text.get_payload(decode=True) == b"Your turn.\r\n"


@given(name=TEXTS, title=TEXTS)
@example(name=NAME, title=TITLE)
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_a_mail_to_an_address_of_other_letters_has_them_in_its_recipient_alone(
    post: Callable[[EmailMessage], bytes], name: str, title: str
) -> None:
    address, subject = "jürgen@players.example", f"Re: [Oregon #m1] {title}"
    made = build(letter(to_name=name, to_address=address, subject=subject, thread=Thread("m1", "p1", title)))
    for content in (folder(made), post(made)):
        head, _, rest = content.partition(b"\r\n\r\n")
        assert head.count(address.encode()) == 1
        in_ascii = head.replace(address.encode(), b"jxrgen@players.example") + b"\r\n\r\n" + rest
        check(in_ascii, "jxrgen@players.example", name, subject)


@pytest.mark.parametrize("length", [1, 39, 40, 41, 199, 200, 201, 1000])
def test_a_name_has_at_most_40_characters_and_a_subject_at_most_200(length: int) -> None:
    text = "x" * length
    mail = build(letter(to_name=text, subject=text))
    assert squeezed(mail["To"].addresses[0].display_name) == (text if length <= 40 else "x" * 39 + "…")
    assert mail["Subject"] == (text if length <= 200 else "x" * 199 + "…")


@given(address=encoded_words().map("{}@players.example".format))
@example(address="=?utf-8?q?a=0D=0ABcc=3A?=@players.example")
def test_no_mail_is_sent_to_an_address_with_an_encoded_word(address: str) -> None:
    try:
        content = folder(build(letter(to_address=address)))
    except CannotCompose:
        return
    assert "=?" not in address
    check(content, address, "Anna", "Re: [Oregon #m1] On the trail")


@pytest.mark.parametrize("header", ["Subject", "To", "X-New"])
@pytest.mark.parametrize("line_end", ["=0D=0A", "=0A", "=0D"])
@pytest.mark.parametrize("as_source", [True, False])
def test_a_header_that_was_not_neutralised_is_not_written(header: str, line_end: str, as_source: bool) -> None:
    mail, value = build(letter()), f"=?utf-8?q?a{line_end}Bcc:_ben@players.example?= <anna@players.example>"
    del mail[header]
    with pytest.raises((CannotCompose, ValueError), match=r"cannot be written safely|cannot contain CR or LF"):
        to_wire(with_header(mail, header, value, as_source))


def with_header(mail: EmailMessage, name: str, value: str, as_source: bool) -> EmailMessage:
    """The mail with another header, assigned or as if it had been read."""
    if as_source:
        mail.set_raw(name, value)
    else:
        mail[name] = value
    return mail


FOREIGN = "a line of its headers holds a character that does not belong there"


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("a\r\nBcc: ben@players.example", f"its headers would be {', '.join((*HEADERS, 'X-New', 'Bcc'))}"),
        ("a\r\n\r\n<h1>", "X-New would be read as 'a'"),
        ("a\nb", "a line of its headers is neither a header nor continues one"),
        ("a\0b", FOREIGN),
        ("zoë", FOREIGN),
        ("a" * 992, "a line of its headers has more than 998 bytes"),
    ],
)
def test_a_raw_header_of_another_shape_is_not_written_and_the_log_says_why(value: str, reason: str) -> None:
    mail = build(letter())
    mail.set_raw("X-New", value)
    with pytest.raises(CannotCompose) as refused:
        to_wire(mail)
    assert str(refused.value) == f"The mail cannot be written safely: {reason}."


def test_a_line_of_a_header_has_at_most_998_bytes() -> None:
    mail = build(letter())
    mail.set_raw("X-New", "a" * 991)
    assert b"X-New: " + b"a" * 991 + b"\r\n" in to_wire(mail)


def test_a_body_that_would_be_read_as_another_is_not_written() -> None:
    mail = build(letter())
    text = mail.get_payload(0)
    assert isinstance(text, EmailMessage)
    text.set_payload(f"Hello\r\n--{mail.get_boundary()}\r\nContent-Type: text/html\r\n\r\n<h1>")
    with pytest.raises(CannotCompose, match="cannot be written safely: it would be read as 6 parts, not 5"):
        to_wire(mail)


def test_a_header_that_occurs_twice_in_a_mail_is_not_written() -> None:
    mail = build(letter())
    mail["x-overland-kind"] = "verdict"
    with pytest.raises(CannotCompose, match="cannot be written safely: a header occurs in it twice"):
        to_wire(mail)


@pytest.fixture(params=["folder", "smtp"])
def service(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Context, Callable[[], list[bytes]]]]:
    """A service whose player and match have the names, in the database from earlier times, and what
    has arrived.
    """
    postbox: Postbox = request.getfixturevalue("mail_server")()
    server = SmtpTransport("smtp", "127.0.0.1", postbox.port, None, timeout=60.0, patience=60.0)
    transport: Transport = FolderTransport(tmp_path / "mail") if request.param == "folder" else server

    def arrived() -> list[bytes]:
        if request.param == "folder":
            return [path.read_bytes() for path in (tmp_path / "mail").glob("*.eml")]
        return [envelope.content for envelope in postbox.envelopes if isinstance(envelope.content, bytes)]

    made = context(tmp_path, transport)
    with made.database.write() as connection:
        for name in NAMES:
            player = Player(f"p-{name.lower()}", NAME, f"{name.lower()}@players.example", NOON, NOON)
            players.add(connection, player)
    store_match(made, dealt(), title=TITLE)
    yield made, arrived
    made.close()


@pytest.mark.parametrize("kind", ["match_started", "your_turn", "invitation"])
def test_stored_names_and_titles_reach_their_reader_as_words(
    service: tuple[Context, Callable[[], list[bytes]]], kind: str
) -> None:
    made, arrived = service
    notify(made, kind)
    assert deliver_due(made) == {"sent": 1}
    (content,) = arrived()
    mail = message_from_bytes(content, policy=policy.compat32)
    assert decoded(mail["To"]) == squeezed(f"{NAME[:39]}… <anna@players.example>")
    assert squeezed(TITLE) in decoded(mail["Subject"])
    assert mail.get_content_type() == "multipart/alternative"
    text = next(part for part in mail.walk() if part.get_content_type() == "text/plain").get_payload(decode=True)
    assert isinstance(text, bytes)
    assert squeezed(TITLE) in squeezed(text.decode())


def test_a_mail_whose_bytes_would_say_something_else_is_given_up_with_the_reason(
    service: tuple[Context, Callable[[], list[bytes]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    made, arrived = service
    monkeypatch.setattr(message, "header_text", lambda text, length: text)
    monkeypatch.setattr(message, "encoded", lambda text: text)
    notice_id = notify(made, "your_turn")
    assert deliver_due(made) == {"dead": 1}
    assert "cannot be written safely" in str(notice(made, notice_id).last_error)
    assert arrived() == []
