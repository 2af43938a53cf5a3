"""Builds the message: headers that thread the mails of one match and player, text, HTML and
pictures.

Everything in it follows from the letter, dates and boundaries included, so that a mail sent twice
is identical byte by byte.

Every mail to a seat of a match refers to the same root, which no mail has, so that the thread
depends on none of them. A further conversation has a root of its own and refers to the one before
it; its subject has its number, because Gmail begins a conversation only where the subject is
another.
"""

from __future__ import annotations

import base64
import hashlib
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email import message_from_string
from email.message import EmailMessage
from email.policy import EmailPolicy, default
from email.utils import format_datetime, parseaddr
from functools import lru_cache
from typing import Final

from service.notices.mail.errors import CannotCompose

NAME_LENGTH: Final = 40
"""The most characters of a player\'s name in a mail."""
SUBJECT_LENGTH: Final = 200
QUOTED_LENGTH: Final = 60
LINE_LENGTH: Final = 76
WORD_BYTES: Final = 39
"""Bytes of text per encoded word, so that it fits on a line after ``Subject:``."""
FOLD: Final = "\r\n "
ADDRESS: Final = re.compile(r"[^\x00- \x7f-\xa0<>,;:\"()\[\]\\@]+@[^\x00- \x7f-\xa0<>,;:\"()\[\]\\@]+")
ATOMS: Final = re.compile(r"[A-Za-z0-9!#$%&'*+/^_`{|}~ -]+")
"""A display name that needs no quotes (RFC 5322, section 3.2.3). Names with ``=`` are encoded."""
PLAIN: Final = re.compile(r"[ -<>-~]*")
"""Printable ASCII without ``=``."""
MOST_REFERENCES: Final = 10
_ID: Final = re.compile(r"[!-;=?-~]{1,200}@[!-;=?-~]{1,200}")


class _AsWritten(EmailPolicy):
    """Keeps headers as they are built here: Python's ``email`` would alter some names and titles,
    as it decodes what it is given, and breaks encoded words where it folds. What a header was
    parsed as is remembered: the library asks for it some ten times, which took half of the time of
    a mail.
    """

    def header_fetch_parse(self, name: str, value: str) -> str:
        return _parsed(name, value)


AS_WRITTEN: Final[EmailPolicy[EmailMessage]] = _AsWritten(utf8=True, linesep="\r\n", refold_source="none")  # type: ignore[assignment]


@lru_cache(maxsize=128)
def _parsed(name: str, value: str) -> str:
    header: str = default.header_fetch_parse(name, value)
    return header


@dataclass(frozen=True, slots=True)
class Picture:
    """A PNG inside the HTML, which refers to it as ``cid:`` + ``name``."""

    name: str
    png: bytes


@dataclass(frozen=True, slots=True)
class Letter:
    """The content of a mail, before it has headers; what is empty is not in the mail.

    ``message_name`` stands before the @ in its Message-ID. ``sender`` is the setting
    OVERLAND_MAIL_FROM; ``html`` refers to the ``pictures``. ``envelope_sender`` is where it comes
    back to, ``unsubscribe`` the addresses of pages and mailboxes that stop such mails.
    ``in_reply_to`` is the Message-ID of the mail that this one answers, ``references`` those that
    it referred to.
    """

    notice_id: str
    message_name: str
    kind: str
    sender: str
    to_name: str
    to_address: str
    written_at: datetime
    subject: str
    text: str
    html: str
    pictures: tuple[Picture, ...] = ()
    thread: Thread | None = None
    envelope_sender: str = ""
    reply_to: str = ""
    unsubscribe: tuple[str, ...] = ()
    in_reply_to: str = ""
    references: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Draft:
    """A mail whose picture is still to be drawn: that of ``svg``, where it is not empty."""

    letter: Letter
    svg: str


def build(letter: Letter) -> EmailMessage:
    """The message, ready to send. Raises ``CannotCompose`` where an address is not valid."""
    sender, thread = parseaddr(letter.sender), letter.thread
    domain = sender[1].rpartition("@")[2]
    answered = readable([letter.in_reply_to])
    own = [] if thread is None else roots(thread, domain)
    references = (*own, *readable(letter.references), *answered) if answered or own else ()
    listed = "" if thread is None else f"{phrase(thread.title)}{FOLD}<{token(thread.match_id).lower()}.match.{domain}>"
    every = {
        "Return-Path": f"<{address('', letter.envelope_sender)}>" if letter.envelope_sender else "",
        "Date": format_datetime(letter.written_at.astimezone(UTC)),
        "From": address(*sender),
        "To": address(letter.to_name, letter.to_address),
        "Reply-To": address("", letter.reply_to) if letter.reply_to else "",
        "Subject": unstructured("Subject", header_text(letter.subject, SUBJECT_LENGTH)),
        "Message-ID": f"<{letter.message_name}@{domain}>",
        "In-Reply-To": (answered or own or [""])[-1],
        "References": FOLD.join(dict.fromkeys(references)),
        "List-Id": listed,
        "List-Unsubscribe": f",{FOLD}".join(f"<{each}>" for each in letter.unsubscribe),
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" if letter.unsubscribe else "",
        "Auto-Submitted": "auto-replied" if answered else "auto-generated",
        "X-Auto-Response-Suppress": "All",
        "X-Overland-Notice": token(letter.notice_id),
        "X-Overland-Kind": token(letter.kind),
    }
    fields = {name: value for name, value in every.items() if value}
    message = message_from_string("".join(f"{name}: {value}\r\n" for name, value in fields.items()), policy=AS_WRITTEN)
    if message.keys() != list(fields):
        raise CannotCompose(f"The headers of the mail would be {', '.join(message.keys())}.")
    _fill(message, letter)
    return message


def address(name: str, addr: str) -> str:
    """An address for a header, with any display name. Raises ``CannotCompose``."""
    if not ADDRESS.fullmatch(addr) or "=?" in addr:
        raise CannotCompose(f"{addr!r} is not a mail address of the form name@host.")
    phrase = header_text(name, NAME_LENGTH)
    if not phrase:
        return addr
    shown = phrase if ATOMS.fullmatch(phrase) else encoded(phrase)
    return f"{shown}{' ' if len(f'From: {shown} <{addr}>') <= LINE_LENGTH else FOLD}<{addr}>"


def unstructured(name: str, text: str) -> str:
    """The text as the value of the header ``name``, unchanged where it is short and plain."""
    return text if PLAIN.fullmatch(text) and len(f"{name}: {text}") <= LINE_LENGTH else encoded(text)


def encoded(text: str) -> str:
    """The text as encoded words in base64 (RFC 2047, section 4.1), each on a line of its own."""
    words, word = [], b""
    for character in text:
        coded = character.encode()
        if len(word + coded) > WORD_BYTES:
            words.append(word)
            word = b""
        word += coded
    return FOLD.join(f"=?utf-8?b?{base64.b64encode(each).decode()}?=" for each in (*words, word))


def header_text(text: str, length: int) -> str:
    """A text chosen by a person, made safe for a header: on one line, cut to ``length`` characters.
    ``=?`` becomes ``= ?``: a program that decodes encoded words (RFC 2047) and writes the header
    again may produce line breaks (CVE-2024-6923).
    """
    return shortened(one_line(text), length).replace("=?", "= ?")


def one_line(text: str) -> str:
    """The text without line breaks, control characters and bidirectional controls."""
    kept = "".join(
        " " if character.isspace() else character for character in text if character.isspace() or _printable(character)
    )
    return " ".join(kept.split())


def shortened(text: str, length: int) -> str:
    """The text, cut to ``length`` characters with an ellipsis where it is longer."""
    return text if len(text) <= length else text[: length - 1].rstrip() + "…"


def _printable(character: str) -> bool:
    return unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Co", "Cn") or character == "\N{ZERO WIDTH JOINER}"


def phrase(text: str) -> str:
    """The text as a phrase (RFC 5322, section 3.2.5), encoded unless it is ASCII, so that no two
    titles become the same.
    """
    shown = header_text(one_line(text)[:QUOTED_LENGTH], QUOTED_LENGTH)
    if not PLAIN.fullmatch(shown):
        return encoded(shown)
    return '"' + shown.replace("\\", "").replace('"', "'") + '"'


def _fill(message: EmailMessage, letter: Letter) -> None:
    """Adds the text, then the HTML with its pictures: mail programs show the last form that they
    support (RFC 2046, section 5.1.4).
    """
    message.set_content(letter.text, cte="quoted-printable")
    if not letter.html:
        return
    message.add_alternative(letter.html, subtype="html", cte="quoted-printable")
    html = message.get_payload(1)
    assert isinstance(html, EmailMessage)
    for picture in letter.pictures:
        html.add_related(
            picture.png, "image", "png", cid=f"<{picture.name}>", filename=f"{picture.name}.png", disposition="inline"
        )
    for number, part in enumerate(part for part in message.walk() if part.is_multipart()):
        part.set_boundary(f"={number}={hashlib.sha256(letter.notice_id.encode()).hexdigest()[:32]}")


@dataclass(frozen=True, slots=True)
class Thread:
    """The mails to one seat of a match, whose conversations follow one another, from 1."""

    match_id: str
    seat: str
    title: str
    number: int = 1


def roots(thread: Thread, domain: str) -> list[str]:
    """The Message-IDs that a conversation refers to: that of the one before it, and its own."""
    name = f"match-{token(thread.match_id)}-{token(thread.seat)}"
    numbers = range(max(1, thread.number - 1), thread.number + 1)
    return [f"<{name}{'' if number == 1 else f'-{number}'}@{domain}>" for number in numbers]


def numbered(subject: str, thread: Thread) -> str:
    """The subject of a mail in the conversation of that number."""
    return subject if thread.number == 1 else f"{subject} ({thread.number})"


def continued(subject: str, thread: Thread) -> str:
    """The subject of the conversation before that one; empty where it is the first."""
    return numbered(subject, replace(thread, number=thread.number - 1)) if thread.number > 1 else ""


def readable(ids: Iterable[str]) -> list[str]:
    """Those of somebody's Message-IDs that can stand in a header, in brackets; of many the last."""
    bare = [each.strip("<> ") for each in ids]
    return [f"<{each}>" for each in bare if _ID.fullmatch(each) and "=?" not in each][-MOST_REFERENCES:]


def token(text: str) -> str:
    """An id made safe for a header: every other character becomes a hyphen."""
    return re.sub(r"[^A-Za-z0-9_-]", "-", text)
