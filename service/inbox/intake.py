"""Stores a mail before it is acknowledged."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from service.context import Clock
from service.queue import Queue
from service.store import messages
from service.store.batched import Batcher
from service.store.database import Database
from service.store.messages import NewMessage

LONGEST_ADDRESS: Final = 512


@dataclass(frozen=True, slots=True)
class Mail:
    """A mail as it came in: the address of the host that handed it over, the envelope sender,
    empty for a bounce, the recipients, and its bytes.
    """

    peer: str
    sender: str
    recipients: tuple[str, ...]
    raw: bytes


class Intake:
    """Stores the mails of a listener, those that come at the same time in one transaction."""

    def __init__(self, database: Database, queue: Queue, clock: Clock) -> None:
        self._database, self._queue, self._clock = database, queue, clock
        self._batches: Batcher[Mail, None] = Batcher()

    def store(self, mail: Mail) -> None:
        """Stores a mail, a row for each recipient; it is committed when this returns. Raises
        SQLAlchemy's errors.
        """
        self._batches.call(self._store, mail)

    def _store(self, mails: Sequence[Mail]) -> Sequence[None]:
        rows = [row for mail in mails for row in _rows(mail)]
        with self._database.write() as connection:
            messages.add_all(connection, rows, self._clock())
        self._queue.wake_messages()
        return [None] * len(mails)


def _rows(mail: Mail) -> Sequence[NewMessage]:
    """A row for each recipient; one that is named twice gets one."""
    key = key_of(mail.raw)
    recipients = {recipient.casefold(): recipient for recipient in map(storable, mail.recipients)}
    return [
        NewMessage(mail.peer, storable(mail.sender), recipient, mail.raw, key.message_id, key.digest, key.author)
        for recipient in recipients.values()
    ]


def storable(address: str) -> str:
    """An address as any database stores it: without NUL, and where its bytes were no UTF-8, with
    replacement characters.
    """
    text = address.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return text.replace("\0", "\ufffd")[:LONGEST_ADDRESS]


LONGEST_ID: Final = 998
"""Characters of a line, RFC 5322, section 2.1.1."""
LONGEST_AUTHOR: Final = 320
INSTEAD: Final = (b"from", b"date", b"subject", b"in-reply-to")
"""Header fields that stand for a Message-ID where there is none: the same words written on another
day are another mail.
"""
_FIELD: Final = re.compile(rb"^([!-9;-~]+)[ \t]*:(.*(?:\n[ \t].*)*)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Key:
    """``message_id`` with its angle brackets, empty where there is none; ``digest``: the SHA-256 of
    the body, 64 hexadecimal digits; ``author``: the last address in From in lower case, empty where
    there is none.
    """

    message_id: str
    digest: str
    author: str


def key_of(raw: bytes) -> Key:
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
    return Key(message_id, digest.hexdigest(), author.replace("\0", "").casefold()[:LONGEST_AUTHOR])
