"""What a case of the corpus is, and the pieces that the mails of all programs are made of."""

from __future__ import annotations

import base64
import quopri
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from html import escape

from tests.service.inbox.sent_mails import Sent

PLAYER = "Anna Rossi <anna@players.example>"
SERVICE = "overland+r-mmailed-0-60-abcdefgh@play.example"
SENT_ID = "<n1.m-mailed@play.example>"
Build = Callable[[Sent], bytes]


@dataclass(frozen=True)
class Case:
    """A mail of a group of mail programs, what is particular about its shape, and what it must
    do.
    """

    group: str
    shape: str
    does: str
    build: Build
    game: str = "oregon"


def mail(
    body: str | bytes,
    kind: str = "text/plain; charset=UTF-8",
    encoding: str = "8bit",
    charset: str = "utf-8",
    **headers: str,
) -> bytes:
    """A reply of one part. Keywords are further headers, with ``_`` for ``-``."""
    content = body if isinstance(body, bytes) else body.encode(charset)
    return head(f"Content-Type: {kind}\nContent-Transfer-Encoding: {encoding}", **headers) + encoded(content, encoding)


def parts(kind: str, *content: bytes, **headers: str) -> bytes:
    """A reply of several parts."""
    return head(f'Content-Type: {kind}; boundary="=_b1"', **headers) + joined("=_b1", *content)


def nested(kind: str, boundary: str, *content: bytes) -> bytes:
    """Several parts as one part of a mail."""
    return f'Content-Type: {kind}; boundary="{boundary}"\n\n'.encode() + joined(boundary, *content)


def part(body: str | bytes, kind: str, encoding: str = "8bit", charset: str = "utf-8", extra: str = "") -> bytes:
    """One part of a mail."""
    content = body if isinstance(body, bytes) else body.encode(charset)
    return f"Content-Type: {kind}\nContent-Transfer-Encoding: {encoding}\n{extra}\n".encode() + encoded(
        content, encoding
    )


def alternative(text: str, html: str, encoding: str = "quoted-printable", **headers: str) -> bytes:
    """A reply as text and as HTML."""
    return parts(
        "multipart/alternative",
        part(text, "text/plain; charset=UTF-8", encoding),
        part(html, "text/html; charset=UTF-8", encoding),
        **headers,
    )


def head(kind: str, **headers: str) -> bytes:
    """The header of a reply to our mail."""
    values = {
        "From": PLAYER,
        "To": SERVICE,
        "Subject": "Re: [Oregon #m-mailed] On the trail",
        "Date": "Sat, 21 Nov 2026 12:34:56 +0100",
        "Message-ID": "<reply-1@players.example>",
        "In-Reply-To": SENT_ID,
        "References": SENT_ID,
        "MIME-Version": "1.0",
    } | {name.replace("_", "-"): value for name, value in headers.items()}
    lines = [f"{name}: {value}" for name, value in values.items() if value]
    return ("\n".join((*lines, kind)) + "\n\n").encode()


def joined(boundary: str, *content: bytes) -> bytes:
    """Parts between boundaries."""
    fence = f"--{boundary}".encode()
    return b"".join(fence + b"\n" + each + b"\n" for each in content) + fence + b"--\n"


def encoded(content: bytes, encoding: str) -> bytes:
    """A body in its transfer encoding."""
    match encoding:
        case "base64":
            return base64.encodebytes(content)
        case "quoted-printable":
            return quopri.encodestring(content)
        case _:
            return content


def marked(text: str, width: int | None = None, mark: str = "> ") -> str:
    """The text quoted line by line, broken before at a width."""
    lines = text.split("\n") if width is None else wrapped(text, width).split("\n")
    return "\n".join(f"{mark}{line}".rstrip() for line in lines)


def wrapped(text: str, width: int) -> str:
    """The text with every line broken at a width."""
    return "\n".join(
        piece for line in text.split("\n") for piece in (textwrap.wrap(line, width, break_long_words=False) or [""])
    )


def page(text: str) -> str:
    """A text as HTML."""
    return escape(text).replace("\n", "<br>\n")


def body_of(html: str) -> str:
    """What is between the body tags of a document."""
    inner = html.partition("<body")[2].partition(">")[2].rpartition("</body>")[0]
    return inner or html
