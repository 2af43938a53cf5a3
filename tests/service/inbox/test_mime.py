"""Opening mails, whoever wrote them."""

from __future__ import annotations

import pytest

from service.inbox.mime import open_message
from tests.service.inbox.corpus.cases import mail, nested, part, parts


def test_a_mail_is_opened() -> None:
    opened = open_message(mail("4\n", Message_ID="<a@b>", Subject="=?utf-8?q?caf=C3=A9?=", References="<x@y> <z@y>"))
    assert opened.message_id == "a@b"
    assert opened.from_address == "anna@players.example"
    assert opened.subject == "café"
    assert opened.references == ("x@y", "z@y", "n1.m-mailed@play.example")
    assert opened.texts == ("4\n",)
    assert not any((opened.auto_submitted, opened.is_list, opened.is_report))
    assert opened.notes == frozenset()


@pytest.mark.parametrize(
    ("value", "address"),
    [
        ("anna@players.example", "anna@players.example"),
        ("Anna <Anna@Players.example>", "Anna@Players.example"),
        ('"anna@players.example" <eve@evil.example>', "eve@evil.example"),
        ("Anna (anna@players.example) <eve@evil.example>", "eve@evil.example"),
        ("jörg@päckchen.example", "jörg@päckchen.example"),
        ("=?utf-8?q?J=C3=B6rg?= <joerg@players.example>", "joerg@players.example"),
        ("anna@players.example, eve@evil.example", None),
        ("<anna@players.example> <eve@evil.example>", None),
        ("anna@players.example <anna@players.example>", "anna@players.example"),
        ("anna@players.example <eve@evil.example>", None),
        ("anna@players.example)eve@evil.example", None),
        ("anna@players.example eve@evil.example", None),
        ("undisclosed", None),
    ],
)
def test_the_author_is_one_address_or_nobody(value: str, address: str | None) -> None:
    assert open_message(mail("4\n", From=value)).from_address == address


@pytest.mark.parametrize("around", ["{} ", "{}\t", "\n {}", "{};", '"{}"', "{} (as ever)", "{}"])
@pytest.mark.parametrize("encoding", ["base64", "Quoted-Printable"])
def test_an_encoding_is_undone_whatever_stands_beside_its_name(encoding: str, around: str) -> None:
    raw = mail("4 Gr\u00fc\u00dfe\n", encoding=encoding.lower())
    opened = open_message(raw.replace(encoding.lower().encode(), around.format(encoding).encode(), 1))
    assert [text.strip() for text in opened.texts] == ["4 Gr\u00fc\u00dfe"]


def test_two_from_headers_name_nobody() -> None:
    raw = mail("4\n").replace(b"From:", b"From: eve@evil.example\nFrom:", 1)
    assert open_message(raw).from_address is None


@pytest.mark.parametrize(
    ("header", "value"),
    [
        ("Auto_Submitted", "auto-generated"),
        ("Auto_Submitted", "auto-replied (vacation)"),
        ("Precedence", "junk"),
        ("X_Autorespond", "x"),
        ("Return_Path", "<>"),
        ("Subject", "Out of office: x"),
        ("From", "MAILER-DAEMON@mx.example"),
        ("From", "no-reply@shop.example"),
    ],
)
def test_programs_are_told_from_people(header: str, value: str) -> None:
    assert open_message(mail("4\n", **{header: value})).auto_submitted


@pytest.mark.parametrize(
    ("header", "value"), [("Auto_Submitted", "no"), ("Precedence", "first-class"), ("Subject", "Re: Out on the trail")]
)
def test_people_are_no_programs(header: str, value: str) -> None:
    assert not open_message(mail("4\n", **{header: value})).auto_submitted


def test_soft_breaks_are_undone() -> None:
    raw = mail("farmer bison \nwagon C7\n> quoted \n> line\n> \n -- \n-- \nAnna", "text/plain; format=flowed")
    assert open_message(raw).texts == ("farmer bison wagon C7\n> quoted line\n> \n-- \n-- \nAnna",)


def test_soft_breaks_with_delsp_lose_their_space() -> None:
    assert open_message(mail("far \nmer", "text/plain; format=flowed; delsp=yes")).texts == ("farmer",)


def test_the_text_of_related_parts_is_their_root_wherever_it_stands() -> None:
    picture = part(b"x", "image/png", "base64", extra="Content-ID: <a>\n")
    note = part("5\n", "text/plain", extra="Content-ID: <b>\n")
    typed = part("4\n", "text/plain", extra="Content-ID: <c>\n")
    both = nested("multipart/alternative", "=_x", typed, part("<p>4</p>", "text/html"))
    for kind, content in (
        ("multipart/related", (picture, typed)),
        ("multipart/related", (picture, both, note)),
        ("multipart/related", (typed, note, picture)),
        ('multipart/related; start="<c>"', (note, picture, typed)),
        ('multipart/related; start="<z>"', (picture, typed, note)),
    ):
        assert [text.strip() for text in open_message(parts(kind, *content)).texts] == ["4"]


@pytest.mark.parametrize("subject", ["開封済み: x", "已读: x", "已讀: x", "읽음: x", "Okundu: x", "未開封: x"])
def test_a_receipt_is_automatic_by_its_subject(subject: str) -> None:
    assert open_message(mail("4\n", Subject=subject)).auto_submitted


@pytest.mark.parametrize(
    "text",
    [
        "Anna Rossi hat auf Ihre Nachricht reagiert:",
        "Anna Rossi a r\xe9agi \xe0 votre message :",
        "Anna Rossi ha reagito al tuo messaggio:",
        "Anna Rossi ha reaccionado a tu mensaje:",
        "Anna Rossi reagiu \xe0 sua mensagem:",
        "Anna Rossi heeft gereageerd op uw bericht:",
    ],
)
def test_a_reaction_to_a_mail_is_automatic(text: str) -> None:
    assert open_message(mail(f"\U0001f44d {text}\n")).auto_submitted
    assert not open_message(mail(f"4\n\n> {text}\n")).auto_submitted
