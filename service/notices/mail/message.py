"""The message itself: headers that sort mails into one thread for each match and player, text, HTML
and pictures.

Everything in it follows from the letter, dates and boundaries included, so a mail that is sent
twice is the same mail to the byte.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import parseaddr

from service.notices.mail.errors import CannotCompose


@dataclass(frozen=True, slots=True)
class Picture:
    """A PNG shown inside the HTML, which names it as ``cid:`` + ``name``."""

    name: str
    png: bytes


@dataclass(frozen=True, slots=True)
class Thread:
    """What keeps the mails of one player about one match together."""

    match_id: str
    player_id: str
    title: str


@dataclass(frozen=True, slots=True)
class Letter:
    """A mail before it has headers.

    ``sender`` is the setting OVERLAND_MAIL_FROM; ``pictures`` are those that ``html`` shows.
    """

    notice_id: str
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


def build(letter: Letter) -> EmailMessage:
    """The message, ready to be sent.

    Raises ``CannotCompose`` where an address cannot stand in a header.
    """
    sender = address(*parseaddr(letter.sender))
    domain = sender.domain
    message = EmailMessage(policy=SMTP)
    message["Date"] = letter.written_at.astimezone(UTC)
    message["From"] = sender
    message["To"] = address(letter.to_name, letter.to_address)
    message["Subject"] = one_line(letter.subject)
    message["Message-ID"] = f"<notice-{token(letter.notice_id)}@{domain}>"
    if letter.thread is not None:
        root = root_id(letter.thread, domain)
        message["In-Reply-To"] = root
        message["References"] = root
        message["List-Id"] = f"{quoted(letter.thread.title)} <{token(letter.thread.match_id).lower()}.match.{domain}>"
    message["Auto-Submitted"] = "auto-generated"
    message["X-Auto-Response-Suppress"] = "All"
    message["X-Overland-Notice"] = token(letter.notice_id)
    message["X-Overland-Kind"] = token(letter.kind)
    _fill(message, letter)
    return message


def root_id(thread: Thread, domain: str) -> str:
    """The Message-ID all mails of a thread refer to.

    No message bears it: a mail may be lost without taking the thread along.
    """
    return f"<match-{token(thread.match_id)}-{token(thread.player_id)}@{domain}>"


def address(name: str, addr: str) -> Address:
    """An address for a header, whatever the name holds. Raises ``CannotCompose``."""
    try:
        if not re.fullmatch(r"[^\s<>,;:\"()\[\]\\]+@[^\s<>,;:\"()\[\]\\]+", addr):
            raise ValueError("it is not of the form name@host")
        return Address(display_name=shortened(one_line(name), 40), addr_spec=addr)
    except (ValueError, IndexError) as error:
        raise CannotCompose(f"{addr!r} is not a mail address: {error}.") from error


def one_line(text: str) -> str:
    """The text without line breaks, control characters and characters that turn the reading
    direction.
    """
    kept = "".join(
        " " if character.isspace() else character for character in text if character.isspace() or _printable(character)
    )
    return " ".join(kept.split())


def shortened(text: str, length: int) -> str:
    """The text, cut with an ellipsis where it has more characters than that."""
    return text if len(text) <= length else text[: length - 1].rstrip() + "…"


def _printable(character: str) -> bool:
    return unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Co", "Cn") or character == "\N{ZERO WIDTH JOINER}"


def quoted(text: str) -> str:
    """The text as a quoted string of ASCII characters (RFC 5322, section 3.2.4)."""
    ascii_only = unicodedata.normalize("NFKD", one_line(text)).encode("ascii", "ignore").decode("ascii")
    return '"' + ascii_only.replace("\\", "").replace('"', "'").strip() + '"'


def token(text: str) -> str:
    """An id as it may stand in a header: every other character becomes a hyphen."""
    return re.sub(r"[^A-Za-z0-9_-]", "-", text)


def _fill(message: EmailMessage, letter: Letter) -> None:
    """Text first, then HTML with its pictures: readers take the last form they can show (RFC 2046,
    section 5.1.4).
    """
    message.set_content(letter.text, cte="quoted-printable")
    message.add_alternative(letter.html, subtype="html", cte="quoted-printable")
    html = message.get_payload(1)
    assert isinstance(html, EmailMessage)
    for picture in letter.pictures:
        html.add_related(
            picture.png, "image", "png", cid=f"<{picture.name}>", filename=f"{picture.name}.png", disposition="inline"
        )
    for number, part in enumerate(_multiparts(message)):
        part.set_boundary(f"={number}={hashlib.sha256(letter.notice_id.encode()).hexdigest()[:32]}")


def _multiparts(message: EmailMessage) -> Iterator[EmailMessage]:
    for part in message.walk():
        if part.is_multipart():
            yield part
