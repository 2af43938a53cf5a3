"""Keeps strangers from being flooded with invitations, in the transaction that writes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import Connection

from service.errors import Conflict, TooMany
from service.store import never, quotas
from service.store import players as player_rows
from service.texts import gettext as _

INVITATIONS_TO_AN_ADDRESS: Final = 3
INVITATIONS_BY_A_PLAYER: Final = 10


@dataclass(frozen=True, slots=True)
class Invited:
    """Somebody to be invited: the address as it is compared, and as it was typed."""

    folded: str
    typed: str


def check_invitations(connection: Connection, sender_id: str, invited: Sequence[Invited], now: datetime) -> None:
    """Counts invitations by the sender, and to each address from all senders together, of today
    (UTC).

    Raises ``TooMany`` (``too_many_invitations``), or ``Conflict`` (``mail_unwanted``) where the
    owner of an address, who is no player, wants no mail from here. Then the transaction has to be
    rolled back.
    """
    for each in invited:
        if never.is_forbidden(connection, each.folded) and not _is_player(connection, each.folded):
            sentence = _("The owner of {address} wants no mail from here. Leave that seat open, or invite others.")
            raise Conflict(sentence.format(address=each.typed), "mail_unwanted")
    for each in sorted(invited, key=lambda each: each.folded):
        if not quotas.take(connection, "invited", each.folded, INVITATIONS_TO_AN_ADDRESS, now):
            sentence = _(
                "{address} has been sent {most} invitations today, which is the most for one address. Leave that seat"
                " open, or invite them again tomorrow (UTC)."
            )
            raise _too_many(sentence.format(address=each.typed, most=INVITATIONS_TO_AN_ADDRESS), now)
    if invited and not quotas.take(connection, "inviting", sender_id, INVITATIONS_BY_A_PLAYER, now, len(invited)):
        sentence = _(
            "You may send {most} invitations a day, and these would be more. Leave the seats open, and tell your"
            " friends where they are; or invite them tomorrow (UTC)."
        )
        raise _too_many(sentence.format(most=INVITATIONS_BY_A_PLAYER), now)


def _is_player(connection: Connection, folded: str) -> bool:
    player = player_rows.by_address(connection, folded)
    return player is not None and player.confirmed_at is not None


def _too_many(sentence: str, now: datetime) -> TooMany:
    return TooMany(sentence, quotas.seconds_left(now), "too_many_invitations")
