"""Invitations that are accepted in a browser, by a link that is signed for a match, a seat, and
whoever was mailed: following it proves that one reads that mailbox, as a reply does.

The link of a mail to a player is that player's. The link of a mail to an address is for whoever has
the address now, and does not name it: a seat that is kept for another address is another text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from sqlalchemy import Connection

from service import links, signing
from service.context import Context
from service.links import Invitee
from service.matches import lobby
from service.players import accounts
from service.players.suspending import check_not_suspended
from service.store import addresses, matches, players
from service.store.matches import StoredMatch, StoredSeat
from service.store.players import Player


@dataclass(frozen=True, slots=True)
class Invitation:
    """An invitation that stands, or led to its seat: the folded address that it is for, and the
    player who has it, whom the mail named where ``names_player``. With one that is not fresh nobody
    is signed in any more: it is old, or an address was taken from the player since.
    """

    match: StoredMatch
    seat: int
    address: str
    player: Player | None
    names_player: bool
    is_fresh: bool

    @property
    def is_free(self) -> bool:
        """Whether the seat can be taken."""
        return self.match.status == "open" and self.match.seats[self.seat].player_id is None

    @property
    def is_theirs(self) -> bool:
        """Whether whoever was invited has the seat."""
        return self.player is not None and self.match.seats[self.seat].player_id == self.player.id


def find(context: Context, match_id: str, seat: str, player_id: str, until: str, signature: str) -> Invitation | None:
    """The invitation that the fields of a link name; ``player_id`` is empty where an address was
    mailed. ``None`` where this service has not signed it, or it does not stand any more.
    """
    keys = signing.keys_of(context)
    with context.database.read() as connection:
        match = matches.find(connection, match_id)
        if match is None or not re.fullmatch(r"\d{1,2}", seat, re.ASCII) or int(seat) >= len(match.seats):
            return None
        kept = match.seats[int(seat)]
        player = _invited(connection, kept, player_id)
        if (player is None and player_id) or (kept.invited_email is None and not player_id):
            return None
        who = player_id or kept.invited_email or ""
        read = links.read_invitation(keys, Invitee(match.id, int(seat), who), until, signature, context.clock())
        if read is None or not _stands(connection, kept, player):
            return None
        made_at, is_fresh = read
        taken_at = None if player is None else addresses.last_taken(connection, player.id)
    address = kept.invited_email or ("" if player is None else player.email)
    is_fresh = is_fresh and (taken_at is None or taken_at < made_at)
    return Invitation(match, int(seat), address, player, bool(player_id), is_fresh)


def accept(context: Context, found: Invitation, name: str, guest: Player | None) -> Player:
    """Takes the seat for whoever was invited, and returns them, signed up by that name if need be,
    with what the ``guest`` of their browser has played. Doing it again changes nothing. Raises
    ``Invalid``, ``Forbidden`` for who is suspended, and as ``lobby.join``.
    """
    player = found.player
    if player is not None:
        check_not_suspended(player)
    if player is None:
        player = accounts.sign_up_proven(context, name, found.address, guest)
    elif guest is not None:
        player = accounts.sign_up_proven(context, player.name, player.email, guest)
    if not found.is_theirs:
        lobby.join(context, player, found.match.id, found.seat)
    return player


def _invited(connection: Connection, kept: StoredSeat, player_id: str) -> Player | None:
    """The player with that id or, without one, with the address that the seat is kept for."""
    if player_id:
        player = players.find(connection, player_id)
    else:
        player = None if kept.invited_email is None else players.by_address(connection, kept.invited_email)
    return None if player is None or player.confirmed_at is None or player.left_at is not None else player


def _stands(connection: Connection, kept: StoredSeat, player: Player | None) -> bool:
    """Whether the seat is kept for the player, or theirs; ``None`` is for nobody's address."""
    if kept.player_id is not None:
        return player is not None and kept.player_id == player.id
    return player is None or kept.invited_email in addresses.confirmed(connection, player)
