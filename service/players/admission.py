"""Whom a match is shown to: everybody or, where it is unlisted, those who sit in it or have created
it, who are invited, to whom a seat is offered, and who have its join link; for all others there is
none. Every way to a match, by API, page or mail, is through ``admitted``.
"""

from __future__ import annotations

import hmac

from sqlalchemy import Connection

from service.errors import NotFound
from service.store import addresses, questions
from service.store.matches import StoredMatch
from service.store.players import Player


def admitted(
    connection: Connection, match: StoredMatch | None, match_id: str, player: Player | None, link: str | None = None
) -> StoredMatch:
    """The match that was read by that id, for a player or, with ``None``, a spectator; ``link`` is
    the secret of a join link that they followed. Raises ``NotFound`` where there is none for them.
    """
    if match is None or (match.unlisted and not _knows(connection, match, player, link)):
        raise NotFound(f"There is no match {match_id}.", "match_not_found")
    return match


def has_link(match: StoredMatch, link: str) -> bool:
    """Whether that is the secret of the join link of the match."""
    return match.join_secret is not None and hmac.compare_digest(match.join_secret.encode(), link.encode())


def _knows(connection: Connection, match: StoredMatch, player: Player | None, link: str | None) -> bool:
    if link is not None and has_link(match, link):
        return True
    if player is None:
        return False
    if player.id == match.created_by or match.seat_of(player.id) is not None:
        return True
    known = addresses.confirmed(connection, player)
    if any(seat.is_kept_for(known) for seat in match.seats):
        return True
    return any(offer.address in known for offer in questions.open_offers(connection, match.id))
