"""A mail that came in, opened, with who wrote it; and the key by which it is answered once."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256

from service.inbox.identity import Sender
from service.inbox.mime import Opened


@dataclass(frozen=True, slots=True)
class Mail:
    """A mail to act on. ``digest`` is that of its body (``service.inbox.keys``), ``name`` what its
    author calls themself; ``received_at`` is when the service had it.
    """

    opened: Opened
    sender: Sender
    digest: str
    name: str = ""
    received_at: datetime | None = None

    @property
    def message_id(self) -> str | None:
        """Its Message-ID with angle brackets."""
        return f"<{self.opened.message_id}>" if self.opened.message_id else None

    def key(self, about: str) -> str:
        """The same for the same mail by the same author ``about`` the same thing, however often and
        to however many addresses it was sent: 64 hexadecimal digits.

        The author and the proof are in it, so that nobody who forges a mail uses up the key of
        another's.
        """
        sender = self.sender
        parts = (self.opened.message_id or "", self.digest, sender.folded, sender.proof, about)
        return sha256("\n".join(parts).encode("utf-8", "replace")).hexdigest()
