"""A mail that came in: what is in it, who wrote it, and what became of it.

The address in From says nothing by itself: anybody can write it. It counts where the trusted relay
says that the mail comes from its domain (``service.inbox.authenticate``), and is somebody's where
they have confirmed it (docs/decisions/0027-who-wrote-a-mail.md).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Literal, TypeAlias

from sqlalchemy import Connection

from service.addresses import folded, read_email
from service.errors import Invalid
from service.inbox import headers
from service.inbox.authenticate import Proof
from service.inbox.mime import Opened
from service.store import players
from service.store.players import Player

Status: TypeAlias = Literal["handled", "ignored", "kept", "later"]
"""``handled``: it was acted on or answered, now or before; ``ignored``: nothing is owed to whoever
sent it; ``kept``: it could not be read, and the operator should look at it; ``later``: it cannot be
acted on yet, and has to be tried again.
"""


@dataclass(frozen=True, slots=True)
class Sender:
    """The author of a mail, as it says: the address as written and ``folded`` as addresses are
    compared, both empty where there is not exactly one; ``player`` is whoever has confirmed that
    address.
    """

    address: str
    folded: str
    proof: Proof
    player: Player | None = None

    @property
    def is_proven(self) -> bool:
        """Whether the mail is from that address."""
        return self.proof == "aligned" and bool(self.folded)

    def is_player(self, player: Player) -> bool:
        """Whether that player wrote the mail."""
        return self.is_proven and self.player is not None and self.player.id == player.id


@dataclass(frozen=True, slots=True)
class Mail:
    """A mail to act on. ``digest`` is that of its body (``service.inbox.conversation``), ``name``
    what its author calls themself; ``received_at`` is when the service had it.
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
        """The same for the same mail by the same author ``about`` the same thing, to however many
        addresses it was sent: 64 hexadecimal digits. The author and the proof are in it, so that
        nobody who forges a mail uses up the key of another's.
        """
        sender = self.sender
        parts = (self.opened.message_id or "", self.digest, sender.folded, sender.proof, about)
        return sha256("\n".join(parts).encode("utf-8", "replace")).hexdigest()


@dataclass(frozen=True, slots=True)
class Result:
    """What became of a mail: ``did`` is one word for logs and for the operator, ``detail`` a
    sentence where one is needed. ``retry_seconds`` is when to try again (``later`` only).
    """

    status: Status
    did: str
    detail: str = ""
    retry_seconds: int = 0


def handled(did: str) -> Result:
    """The mail was acted on or answered."""
    return Result("handled", did)


def ignored(why: str, detail: str = "") -> Result:
    """Nothing is owed to whoever sent the mail."""
    return Result("ignored", why, detail)


def sender_of(connection: Connection, opened: Opened, proof: Proof) -> Sender:
    """The author of a mail of which the relay gives that proof."""
    try:
        address = read_email(opened.from_address or "")
    except Invalid:
        return Sender("", "", "none")
    known = players.by_address(connection, folded(address))
    confirmed = known is not None and known.confirmed_at is not None
    return Sender(opened.from_address or "", folded(address), proof, known if confirmed else None)


def display_name(raw: bytes) -> str:
    """What the author of a mail calls themself; empty where the mail does not say it."""
    value = headers.text_value(headers.header_of(raw), "From")
    return value.partition("<")[0].strip().strip('"') if "<" in value else ""
