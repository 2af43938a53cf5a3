"""Reads headers of mails that came in, also broken ones, and tells by them mails of people from
those of programs, lists and mail servers (RFC 3834, section 2).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from email import message_from_bytes
from email.header import decode_header
from email.message import Message
from email.policy import compat32
from typing import Final

import idna

from service.inbox.mail_programs import PATTERNS, is_greeting
from service.inbox.plain_text import decoded, lines_of, plain
from service.inbox.words import read_word

LONGEST_HEADER: Final = 16 * 1024
LONGEST_TEXT: Final = 2_000
"""Characters that are read of a header that people write: its encoded words take quadratic time."""
_IN_ANGLES: Final = re.compile(r"<([^<>]*)>")
_ADDRESS: Final = re.compile(r"[^\s<>@,;:\"()\[\]\\]+@[^\s<>@,;:\"()\[\]\\]+")
PLAIN_NAME: Final = r"[^\"<>@;:()\\=]+"
"""A name of plain words, between which some programs write commas without the quotes that they need
(RFC 5322, section 3.4): no other address can be before that in angle brackets behind it.
"""
_NAMED_PLAINLY: Final = re.compile(rf"{PLAIN_NAME}<[^<>]*>\s*")
_MESSAGE_ID: Final = re.compile(r"<([^<>\s]+)>")


def header_of(raw: bytes) -> Message:
    """The header of a mail, without its body, which is not parsed."""
    head = raw.replace(b"\r\n", b"\n").partition(b"\n\n")[0]
    return message_from_bytes(head + b"\n\n", policy=compat32)


def raw_values(message: Message, name: str) -> tuple[str, ...]:
    """The values of all headers of that name, unfolded; of other bytes than ASCII, ``decoded``."""
    found = [value for header, value in message.raw_items() if header.lower() == name.lower()]
    return tuple(_unfolded(str(value)) for value in found)


def raw_value(message: Message, name: str) -> str:
    """The value of the first header of that name; empty if there is none."""
    values = raw_values(message, name)
    return values[0] if values else ""


def text_value(message: Message, name: str) -> str:
    """The value of the first header of that name with its encoded words read (RFC 2047)."""
    return plain(_read_words(raw_value(message, name)[:LONGEST_TEXT])).strip()


def sender(message: Message) -> str | None:
    """The address of the author, as it was written; ``None`` unless there is exactly one From
    header with exactly one address (RFC 5322, section 3.6.2): who else wrote it is not to be
    guessed.
    """
    values = raw_values(message, "From")
    if len(values) != 1:
        return None
    bare = _bare(values[0])
    in_angles = _IN_ANGLES.findall(bare)
    if len(in_angles) > 1:
        return None
    if in_angles:
        before, _, after = bare.partition("<")
        outside = before + after.partition(">")[2]
        is_name = outside.strip() == in_angles[0].strip()  # programs write an address twice where they know no name
        is_listed = "," in outside and _NAMED_PLAINLY.fullmatch(values[0]) is None
        if is_listed or "<" in outside or ">" in outside or ("@" in outside and not is_name):
            return None
    candidate = (in_angles[0] if in_angles else bare).strip()
    return candidate if _ADDRESS.fullmatch(candidate) else None


def message_ids(message: Message, name: str) -> tuple[str, ...]:
    """The message identifiers in the headers of that name, without their angle brackets; also those
    that programs such as Python write as encoded words, which they must not be.
    """
    values = (_read_words(value[:LONGEST_TEXT]) if "=?" in value else value for value in raw_values(message, name))
    return tuple(found for value in values for found in _MESSAGE_ID.findall(value))


def addresses(message: Message, name: str) -> tuple[str, ...]:
    """What may be addresses in the headers of that name, in quotes and comments, too."""
    words = re.split(r"[\s<>,;:\"()\[\]\\]+", ",".join(raw_values(message, name)))
    return tuple(word for word in words if "@" in word)


def folded_domain(domain: str) -> str:
    """A domain in ASCII (RFC 5891) and lower case; empty where it cannot be written so."""
    name = domain.strip().rstrip(".").lower()
    if not name or name.isascii():
        return name
    try:
        return idna.encode(name, uts46=True).decode()
    except (idna.IDNAError, UnicodeError):
        return ""


def _bare(value: str) -> str:
    """Addresses without quoted strings and comments (RFC 5322, section 3.2), also unended ones."""
    kept: list[str] = []
    depth, quoted, escaped = 0, False, False
    for character in value:
        if escaped or character == "\\":
            escaped = not escaped
        elif character == '"' and not depth:
            quoted = not quoted
        elif quoted:
            continue
        elif character == "(":
            depth += 1
        elif character == ")" and depth:
            depth -= 1
        elif not depth:
            kept.append(character)
            continue
        kept.append(" ")
    return "".join(kept)


def _unfolded(value: str) -> str:
    joined = re.sub(r"[\r\n]+", "", value)[:LONGEST_HEADER]
    if not joined.isascii() and all(each.isascii() or 0xDC80 <= ord(each) <= 0xDCFF for each in joined):  # bytes
        joined = decoded(joined.encode("ascii", "surrogateescape"), None)[0]
    return joined.strip()


def _read_words(value: str) -> str:
    if "=?" not in value:
        return value
    try:
        parts = decode_header(value)
    except (ValueError, LookupError):  # email.errors.HeaderParseError is a ValueError too
        return value
    return "".join(part if isinstance(part, str) else decoded(part, charset or "utf-8")[0] for part, charset in parts)


_MARKS: Final = (
    "X-Autoreply X-Auto-Reply X-Autorespond X-Autoresponder X-AutoReply-From "
    "X-Autogenerated X-Mail-Autoreply X-MS-Exchange-Generated-Message-Source X-MS-Exchange-Inbox-Rules-Loop "
    "X-FC-MachineGenerated X-Vacation"
).split()
"""Headers that only programs write."""
_LISTS: Final = "List-Id List-Post List-Unsubscribe Mailing-List X-Mailing-List X-BeenThere".split()
_SUBJECT: Final = re.compile(
    rf"\W*(?:(?:{PATTERNS['automatic subject']})(?!\w)|(?:{PATTERNS['answering subject']})\s?:"
    rf"|(?:\[[^][#]*\]\s*)*[^][:#]{{1,60}}\b(?:{PATTERNS['subject behind a name']})(?!\w))",
    re.IGNORECASE,
)
"""Nothing but tags stands before a name: behind ``Re:``, or the number of a match, stands what
people call it.
"""
_FIRST_LINE: Final = re.compile(rf"\W*(?:{PATTERNS['automatic first line']})(?!\w)", re.IGNORECASE)
_FIRST_CHARACTERS: Final = 500
_ROBOTS: Final = re.compile(
    r"(?:no-?reply|do-?not-?reply|bounces?|autoreply|autoresponder|microsoftexchange[0-9a-f]{32})(?:[+-].*)?@.*",
    re.IGNORECASE,
)
_MAIL_SERVERS: Final = re.compile(r"(?:mailer-daemon|postmaster|mail-daemon)(?:[+-].*)?@.*", re.IGNORECASE)


def is_automatic(message: Message, texts: Sequence[str] = ()) -> bool:
    """Whether a program wrote the mail: it says so, has no sender to answer to, is named as such
    mails are, begins as they do, or answers to a calendar (RFC 5546).
    """
    submitted = raw_value(message, "Auto-Submitted").partition(";")[0].strip().lower()
    precedence = raw_value(message, "Precedence").strip().lower()
    subject = text_value(message, "Subject")
    lines = (line for text in texts for line in lines_of(text[:_FIRST_CHARACTERS]) if line.strip())
    first = next((line for line in lines if not is_greeting(line)), "")
    return (
        submitted not in ("", "no")
        or precedence in ("bulk", "junk", "auto_reply")
        or any(name in message for name in _MARKS)
        or raw_value(message, "X-POST-MessageClass").lower().endswith("autoresponder")
        or is_from_mail_server(message)
        or (read_word(subject) is None and _SUBJECT.match(subject) is not None)
        or _ROBOTS.fullmatch(sender(message) or "") is not None
        or is_report(message)
        or _FIRST_LINE.match(first) is not None
        or any(part.get_content_type() == "text/calendar" and part.get_param("method") for part in message.walk())
    )


def is_from_list(message: Message) -> bool:
    """Whether a mailing list sent the mail on (RFC 2369, RFC 2919)."""
    return raw_value(message, "Precedence").strip().lower() == "list" or any(name in message for name in _LISTS)


def is_from_mail_server(message: Message) -> bool:
    """Whether a mail server wrote the mail, such as one about a mail that it could not deliver:
    nobody is answered by it (RFC 5321, section 4.5.5), or it is named as such.
    """
    return (
        raw_value(message, "Return-Path") == "<>"
        or "X-Failed-Recipients" in message
        or _MAIL_SERVERS.fullmatch(sender(message) or "") is not None
    )


def is_report(message: Message) -> bool:
    """Whether the mail is a delivery status (RFC 3464) or says that one was read (RFC 8098)."""
    return message.get_content_type() in ("multipart/report", "message/delivery-status")
