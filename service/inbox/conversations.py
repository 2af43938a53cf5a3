"""The texts of the mails that we sent in a conversation: what a reply to one of them may quote."""

from __future__ import annotations

from typing import Final

from service.addresses import folded
from service.context import Context
from service.store import mails

MOST_MAILS: Final = 30
"""So many of our latest mails are known when a reply is read."""
MOST_DIGESTS: Final = 10
"""So many of those about no match are known, too, when a reply about one is read."""


def sent_texts(context: Context, player_id: str | None, address: str | None, match_id: str | None) -> tuple[str, ...]:
    """The texts of our latest mails to a player, also before they had an account, or to an address
    that is nobody's: about that match, or about none. A digest is about none, and is answered at
    the address of one of its matches: it may be quoted in either.
    """
    with context.database.read() as connection:
        to_player = () if player_id is None else mails.texts_of(connection, match_id, player_id, MOST_MAILS)
        if player_id is not None and match_id is not None:
            to_player += mails.texts_of(connection, None, player_id, MOST_DIGESTS)
        to_address = () if not address else mails.texts_to(connection, match_id, folded(address), MOST_MAILS)
    return (*to_player, *to_address)
