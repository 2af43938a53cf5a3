"""The address of a mailbox: ``imaps://user:password@host/folder``, or ``imap+starttls://``."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import unquote, urlsplit

IMAPS: Final = "imaps"
STARTTLS: Final = "imap+starttls"
SCHEMES: Final = (IMAPS, STARTTLS)
PORTS: Final = {IMAPS: 993, STARTTLS: 143}
INBOX: Final = "INBOX"
EXAMPLE: Final = "imaps://me%40example.org:password@imap.example.org/INBOX"
_ENCODED: Final = "Percent-encode what is no letter or digit in user and password, such as %40 for @ and %2F for /."
_NOT_ENCODED: Final = re.compile(r"%(?![0-9A-Fa-f]{2})")


@dataclass(frozen=True, slots=True)
class MailboxPlace:
    """Where a mailbox is, who logs in with which password, and the folder in which mails arrive."""

    host: str
    port: int
    starttls: bool
    user: str
    password: str = field(repr=False)
    folder: str

    def __str__(self) -> str:
        return f"{self.user} at {self.host}"


def is_mailbox(url: str) -> bool:
    """Whether mails are to be taken from a mailbox, by the setting OVERLAND_MAIL_IN."""
    return url.partition(":")[0].lower() in SCHEMES


def mailbox_place(url: str) -> MailboxPlace:
    """Reads the address of a mailbox; without a folder the inbox is meant. Raises ``ValueError``
    with the end of a sentence, which never repeats the text: it has a password.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise ValueError(f"is not to be read; write it like {EXAMPLE}. {_ENCODED}") from None
    if not parts.hostname or not parts.username or not parts.password:
        raise ValueError(f"must name user, password and host of the mailbox: {EXAMPLE}. {_ENCODED}")
    if parts.query or parts.fragment or _NOT_ENCODED.search(url):
        raise ValueError(f"has a character that has a meaning of its own in an address (%, ?, #). {_ENCODED}")
    return MailboxPlace(
        parts.hostname,
        port or PORTS[parts.scheme],
        parts.scheme == STARTTLS,
        unquote(parts.username),
        unquote(parts.password),
        unquote(parts.path.strip("/")) or INBOX,
    )
