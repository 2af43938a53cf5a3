"""Mails that are made to keep a reader busy, of every kind that was found, and the work that they
make.
"""

from __future__ import annotations

import email.message
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from lxml import etree
from lxml import html as lxml_html

from service.inbox.authenticate import sender_proof
from service.inbox.bounces import read_bounce
from service.inbox.bounds import Beyond
from service.inbox.mail import display_name
from service.inbox.mime import Malformed, open_message
from service.inbox.quoted_mails import MOST_MAILS
from service.inbox.quoted_text import typed_in
from service.inbox.readings import read_orders
from service.inbox.recipients import may_be_bounce, recipient_of
from service.links import ServiceAddress
from service.signing import Keys
from service.store.tokens import SigningKey
from tests.service.inbox.corpus.cases import head, part, parts
from tests.service.inbox.postman import RELAY
from tests.service.inbox.sent_mails import turn_mail

KEY = SigningKey(1, b"1" * 32, datetime(2026, 11, 21, tzinfo=UTC))
KEYS = Keys((KEY,), KEY)
SERVICE = ServiceAddress("overland", "example.org")
PLAIN = "Content-Type: text/plain; charset=utf-8"


def plain(text: str, **headers: str) -> bytes:
    return head(PLAIN, **headers) + text.encode()


def html(text: str) -> bytes:
    return head("Content-Type: text/html; charset=utf-8") + text.encode()


def typed(parameters: str) -> bytes:
    return head(f"Content-Type: text/plain; {parameters}") + b"4\n"


def many(count: int, kind: str = "text/plain") -> bytes:
    return parts("multipart/mixed", *[part("4\n", kind)] * count)


BEYOND = {
    "60,000 semicolons in an open quote": typed('x="' + ";" * 60_000),
    "15,000 semicolons in an open quote": typed('x="' + ";" * 15_000),
    "semicolons in an open quote in 15 parts": many(15, 'text/plain; x="' + ";" * 15_000),
    "20,000 continuations of a parameter": typed("; ".join(f"x*{number}*=a" for number in range(20_000))),
    "190,000 parts in a digest": head("Content-Type: multipart/digest; boundary=b") + b"--b\n\nx\n" * 190_000,
    "190,000 parts between dashes": head('Content-Type: multipart/mixed; boundary="--"') + b"----\n\nx\n" * 190_000,
    "101 parts": many(101),
    "1.9 MB of Authentication-Results": plain("4\n", Authentication_Results=f"{RELAY}; " + "a=b;\n " * 300_000),
    "20,000 brackets in Authentication-Results": plain("4\n", Authentication_Results=f"{RELAY}; " + "(" * 20_000),
    "5,000 comments within each other": plain("4\n", From="(" * 5_000 + ")" * 5_000 + " <anna@players.example>"),
    "5,000 comments without an end": plain("4\n", To="(a" * 5_000),
    "100,000 fields": b"a:\n" * 100_000 + plain("4\n"),
    "237,000 paragraphs": html("<p>x" * 237_000),
    "4,900 elements within each other": html("<div>" * 4_900 + "4"),
    "500,000 blocks of a delivery status": head("Content-Type: message/delivery-status") + b"a:\n\n" * 500_000,
    "40 multiparts and 900,000 lines": head("Content-Type: multipart/mixed; boundary=b")
    + b"".join(b"--b\nContent-Type: multipart/mixed; boundary=b%d\n\n" % number for number in range(40))
    + b"\n" * 900_000,
    "mails in mails": head("") + b"Content-Type: message/rfc822\n\n" * 3_000,
    "10,000 lines": plain("the\n" * 10_000),
    "a wide cell above 4,000 lines": html("<table><tr><td>" + "x " * 450_000 + "<tr><td>" + "y<br>" * 4_000),
    "a wide cell beside 4,000 lines": html("<table><tr><td>" + "x " * 450_000 + "<td>" + "y<br>" * 4_000),
    "wide tables below each other": html(
        ("<table><tr><td>" + "x " * 20_000 + "<tr><td>" + "y<br>" * 200 + "</table>") * 20
    ),
    "2,400 rows, one of 2,400 cells": html("<table>" + "<tr>" * 2_400 + "<td>x" * 2_400),
    "2,400 margins": html('<p style="margin-top: 99999em">x' * 2_400),
}
"""Beyond a bound, and not parsed."""
WITHIN = {
    "98 comments within each other": plain("4\n", From="(" * 98 + ")" * 98 + " <anna@players.example>"),
    "escaped quotes in From": plain("4\n", From='"' + '\\"' * 5_000),
    "letters in To": plain("4\n", To="a" * 15_000),
    "encoded words without an end": plain("4\n", Subject="=?a?q?" * 2_500),
    "99 parts with full parameters": many(99, 'text/plain; x="' + "; " * 49 + "x" * 1_500),
    "100,000 attributes": html("<p " + " ".join(f"a{number}" for number in range(100_000)) + ">4</p>"),
    "comments without an end": html("<!-- <" * 100_000),
    "tags without an end": html("<a " * 300_000),
    "tags without an end, with quotes": html("<a \"'" * 180_000),
    "sections without an end": html("<![CDATA[" * 100_000),
    "declarations without an end": html("<!" * 400_000),
    "instructions without an end": html("<? " * 300_000),
    "a wide margin": html('<div style="padding-left: 99999em">' + "x<br>" * 400),
    "90 tables within each other": html("<table><tr><td>" * 30 + "x " * 450_000),
    "block quotes within each other": html("<blockquote>" * 90 + "x<br>" * 4_800),
    "4,800 cells": html("<table>" + "<tr><td>x y" * 2_400),
    "4,900 lines of words of ours": plain("the\n" * 4_900),
    "4,900 lines that begin attributions": plain("On 12 Jan 2026 at 10:10 someone <a@b.example> said he\n" * 4_900),
    "4,900 lines of fields": plain("From: x\nx\nx:\n" * 1_630),
    "4,900 lines, half of them quoted": plain("> the quick legal moves are\nthe quick\n" * 2_450),
    "4,900 lines of words of moves": plain("farmer bison wagon C7\n" * 4_900),
    "a line of 400,000 dashes": plain("-" * 399_000),
    "a line of 400,000 letters": plain("a " * 199_000),
    "1,200 paragraphs in a multipart": head("Content-Type: multipart/mixed; boundary=b") + b"--b" + b"\n\nx" * 1_200,
    "200 lines that may be moves": plain("farmer famer bisn wagn 4 5 C7 D9 church\n" * 199),
    "base64 of blanks": head("Content-Transfer-Encoding: base64") + b" " * 1_900_000,
}
"""Within all bounds, and read."""


@dataclass(slots=True)
class Work:
    """What reading a mail took: calls of functions; bytes that Python's reader of parameters went
    through; the most attributes of an element that lxml was given.
    """

    calls: int = 0
    parameters: int = 0
    attributes: int = 0


def read(raw: bytes) -> bool:
    """Reads a mail as the service does, also as one that came back. Returns whether its body was
    read.
    """
    sent = turn_mail("oregon")
    known = tuple(f"{text} {number}" for number in range(MOST_MAILS) for text in sent.texts)
    is_read = False
    recipient_of(raw, KEYS, SERVICE)
    may_be_bounce(raw, SERVICE)
    try:
        opened = open_message(raw)
        is_read = not opened.beyond
        sender_proof(raw, RELAY)
        display_name(raw)
        read_orders(sent.game, sent.state, sent.seat, typed_in("\n\n".join(opened.texts), known))
    except (Beyond, Malformed):
        pass
    with suppress(Beyond):
        read_bounce(raw)
    return is_read


@contextmanager
def counted(monkeypatch: Any) -> Iterator[Work]:
    """Counts the work within the block."""
    work = Work()
    parse: Callable[[str], list[str]] = email.message._parseparam  # type: ignore[attr-defined]

    def parse_parameters(value: str) -> list[str]:
        work.parameters += len(value) * (1 + value.count(";"))
        return parse(value)

    document: Callable[..., Any] = lxml_html.document_fromstring

    def parse_html(content: bytes, parser: Any) -> Any:
        tree = document(content, parser=parser)
        elements = (element for element in tree.iter() if isinstance(element, etree._Element))
        work.attributes = max((len(element.attrib) for element in elements), default=0)
        return tree

    def count(frame: object, event: str, arg: object) -> None:
        if event in ("call", "c_call"):
            work.calls += 1

    monkeypatch.setattr(email.message, "_parseparam", parse_parameters)
    monkeypatch.setattr(lxml_html, "document_fromstring", parse_html)
    sys.setprofile(count)
    try:
        yield work
    finally:
        sys.setprofile(None)
        monkeypatch.undo()
