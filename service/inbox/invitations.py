"""Answers to an invitation by whoever reads the mails of the invited address, with an account or
without.
"""

from __future__ import annotations

from service.context import Context
from service.errors import Conflict
from service.matches import lobby
from service.matches.fairness import check_nonce
from service.matches.types import Match
from service.players import accounts
from service.players.names import name_from
from service.players.types import Player
from service.store.matches import StoredMatch
from service.texts import gettext as _


def accept(context: Context, match: StoredMatch, seat: int, display_name: str = "", nonce: str | None = None) -> Player:
    """Takes the seat for the player with the invited address, who is signed up where there is none:
    by ``display_name``, or a name made of the address. ``nonce`` is what they add to the draws.

    Accepting again changes nothing. Returns the player. Raises ``Conflict``, ``Forbidden`` or
    ``Invalid``.
    """
    check_nonce(nonce)
    player = accounts.sign_up_proven(context, name_from(display_name, _address(match, seat)), _address(match, seat))
    lobby.join(context, player, match.id, seat, nonce)
    return player


def decline(context: Context, match: StoredMatch, seat: int) -> Match:
    """Declines the invitation to a seat, which is free for anybody then. Raises ``Conflict``."""
    return lobby.decline(context, match.id, seat, _address(match, seat))


def _address(match: StoredMatch, seat: int) -> str:
    """The address that is invited to a seat. Raises ``Conflict`` where nobody is."""
    address = match.seats[seat].invited_email
    if address is None:
        raise Conflict(_("Nobody is invited to this seat any more."), "not_invited")
    return address
