"""Who wrote a mail.

The address in From says nothing by itself: anybody can write it. It counts where the trusted relay
says that the mail comes from its domain (``service.inbox.authenticate``), and is somebody's where
they have confirmed it (docs/decisions/0027-who-wrote-a-mail.md).
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection

from service.errors import Invalid
from service.inbox import headers
from service.inbox.authenticate import Proof
from service.inbox.mime import Opened
from service.players.addresses import folded, read_email
from service.players.types import Player
from service.store import players


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
