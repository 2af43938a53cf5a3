"""The mails to whoever is to come in: ``confirm_address``, ``sign_in`` and ``invitation``; and
those about further addresses of players: ``confirm_another_address`` and ``address_changed``.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from service.matches.types import CUSTOM
from service.notices.mail.errors import CannotCompose
from service.notices.material import MatchMaterial, Recipient
from service.payloads import AddressChanged, OneTimeToken
from service.texts import gettext as _


def one_time_token(payload: OneTimeToken, base_url: str) -> dict[str, Any]:
    """The values of the mails with a code that works once. Raises ``CannotCompose``."""
    token = payload.token
    if not token:
        raise CannotCompose("The notice carries no one-time token.")
    return {
        "token": token,
        "expires": minute(payload.expires_at),
        "confirm_page": f"{base_url.rstrip('/')}/confirm?token={quote(token)}",
    }


def another_address(payload: OneTimeToken, base_url: str) -> dict[str, Any]:
    """The values of the mail to an address that a player added. Raises ``CannotCompose``."""
    values = one_time_token(payload, base_url)
    return values | {"confirm_page": f"{base_url.rstrip('/')}/confirm-address?token={quote(values['token'])}"}


def address_changed(payload: AddressChanged, base_url: str) -> dict[str, Any]:
    """The values of the mail that tells a player what has changed."""
    said = {
        "added": _("From now on you may write from %(address)s, too: the address was confirmed."),
        "primary": _("From now on your mails go to %(address)s, and no longer to this address."),
        "removed": _("From now on you may no longer write from %(address)s: the address was removed."),
        "undone": _("A change of your addresses was undone: %(address)s is yours again."),
    }[payload.change]
    undo = payload.undo
    return {
        "changed": said % {"address": payload.changed},
        "undo_page": f"{base_url.rstrip('/')}/undo-address?token={quote(undo)}" if undo else None,
    }


def invitation(reader: Recipient, material: MatchMaterial) -> dict[str, Any]:
    """The values of an invitation; ``signed_up`` says whether the reader is a player."""
    return {
        "host": material.creator,
        "signed_up": reader.player_id is not None,
        "commitment": material.commitment,
        "own_components": material.components == CUSTOM,
    }


def minute(at: str) -> str:
    """An ISO time in UTC, to the minute, for readers; empty where there is none."""
    return f"{at[:10]} {at[11:16]} UTC" if at else ""
