"""The rows of a mail that came in, with the key by which one that arrives twice is recognised."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from service.store.messages import NewMessage

LONGEST_ADDRESS: Final = 512
LONGEST_ID: Final = 998
"""Characters of a line, RFC 5322, section 2.1.1."""
LONGEST_AUTHOR: Final = 320
INSTEAD: Final = (b"from", b"date", b"subject", b"in-reply-to")
"""Header fields that stand for a Message-ID where there is none: the same words written on another
day are another mail.
"""
_FIELD: Final = re.compile(rb"^([!-9;-~]+)[ \t]*:(.*(?:\n[ \t].*)*)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class MailKey:
    """``message_id`` with its angle brackets, empty where there is none; ``digest``: the SHA-256 of
    the body, 64 hexadecimal digits; ``author``: the last address in From in lower case, empty where
    there is none. A Message-ID may be missing, or used for several mails: it is not enough alone.
    """

    message_id: str
    digest: str
    author: str


def rows_of(peer: str, sender: str, recipients: Sequence[str], raw: bytes) -> Sequence[NewMessage]:
    """A row for each recipient; one that is named twice gets one. ``peer`` is the address of the
    host that handed the mail over, ``sender`` the envelope sender, empty for a bounce.
    """
    key, named = key_of(raw), {recipient.casefold(): recipient for recipient in map(storable, recipients)}
    return [
        NewMessage(peer, storable(sender), recipient, raw, key.message_id, key.digest, key.author)
        for recipient in named.values()
    ]


def storable(address: str) -> str:
    """An address as any database stores it: without NUL, and where its bytes were no UTF-8, with
    replacement characters.
    """
    text = address.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return text.replace("\0", "\ufffd")[:LONGEST_ADDRESS]


def key_of(raw: bytes) -> MailKey:
    """The key of a mail, whose lines may end in CRLF, LF or CR. Never raises.

    Without a Message-ID the digest includes the header fields of ``INSTEAD``.
    """
    head, _, body = raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n").partition(b"\n\n")
    first: dict[bytes, bytes] = {}
    for name, value in _FIELD.findall(head):
        first.setdefault(name.lower(), b" ".join(value.split()))
    message_id = first.get(b"message-id", b"").decode("utf-8", "replace").replace("\0", "")[:LONGEST_ID]
    digest = sha256(body.rstrip())
    if not message_id:
        digest.update(b"\0".join(first.get(name, b"") for name in INSTEAD))
    words = re.split(rb"[\s<>,;:()\"]+", first.get(b"from", b""))
    author = next((word for word in reversed(words) if b"@" in word), b"").decode("utf-8", "replace")
    return MailKey(message_id, digest.hexdigest(), author.replace("\0", "").casefold()[:LONGEST_AUTHOR])
