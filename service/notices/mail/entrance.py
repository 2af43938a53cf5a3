"""The mails to whoever is to come in: ``confirm_address``, ``sign_in`` and ``invitation``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from service.matches.types import CUSTOM
from service.notices.mail.errors import CannotCompose
from service.notices.material import MatchMaterial, Recipient


def one_time_token(payload: Mapping[str, Any], base_url: str) -> dict[str, Any]:
    """The values of the mails with a code that works once. Raises ``CannotCompose``."""
    if not payload.get("token"):
        raise CannotCompose("The notice carries no one-time token.")
    token = payload["token"]
    return {
        "token": token,
        "expires": minute(payload.get("expires_at")),
        "confirm_page": f"{base_url.rstrip('/')}/confirm?token={quote(token)}",
    }


def invitation(reader: Recipient, material: MatchMaterial) -> dict[str, Any]:
    """The values of an invitation; ``signed_up`` says whether the reader is a player."""
    return {
        "host": material.creator,
        "signed_up": reader.player_id is not None,
        "commitment": material.commitment,
        "own_components": material.components == CUSTOM,
    }


def minute(at: str | None) -> str:
    """An ISO time in UTC, to the minute, for readers; empty where there is none."""
    return f"{at[:10]} {at[11:16]} UTC" if at else ""
