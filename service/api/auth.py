"""Bearer authentication (RFC 6750): `Authorization: Bearer ovl_…` identifies a player."""

from __future__ import annotations

import re
from typing import TypeAlias

from flask import request

from service.api.current import context
from service.api.problems import ProblemDetails
from service.players import tokens
from service.players.types import Player

Caller: TypeAlias = Player
"""The authenticated player of a request."""


def authenticate(required: bool, scope: str | None) -> Caller | None:
    """Gives the player whose token the request carries; ``None`` for a request without a token
    where it is not ``required``.

    Raises ``ProblemDetails`` where the token is missing, malformed, unknown, or lacks the
    ``scope``. A bad token is refused even where none is required: otherwise its owner would
    silently get the answer of a spectator.
    """
    header = request.headers.get("Authorization")
    if header is None:
        if required:
            raise ProblemDetails(
                "unauthorized",
                "This needs a token: send the header Authorization: Bearer ovl_…; POST /v1/players sends you one by"
                " mail.",
            )
        return None
    read = re.fullmatch(r"Bearer +([A-Za-z0-9._~+/=-]{1,200})", header.strip(), re.IGNORECASE)
    if read is None:
        raise ProblemDetails(
            "unauthorized", "The Authorization header cannot be read; it must be: Bearer, a space, and your token."
        )
    found = tokens.recognise(context(), read.group(1))
    if found is None:
        raise ProblemDetails(
            "unknown_token",
            "This token is not known, or has been revoked. Sign up with your address again to get another one by mail.",
        )
    player, token = found
    if scope is not None and scope not in token.scopes:
        raise ProblemDetails(
            "missing_scope",
            f"This needs a token with the scope {scope}; yours has {', '.join(token.scopes)}. Issue another at POST"
            " /v1/tokens.",
            extras={"scope": scope},
            headers={"WWW-Authenticate": f'Bearer realm="overland", error="insufficient_scope", scope="{scope}"'},
        )
    return player
