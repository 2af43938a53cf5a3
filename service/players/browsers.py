"""Signing in and out in a browser: a secret in a cookie stands for the player.

A browser stays signed in for 60 days. Its secret is for the pages only: it is no API token.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from service.context import Context
from service.players.tokens import hash_of
from service.players.types import Player
from service.store import tokens as rows

SECRET_LENGTH: Final = 40
"""Characters of 5 random bits each."""
SIGNED_IN_FOR: Final = timedelta(days=60)


def sign_in(context: Context, player: Player) -> str:
    """Signs the player in; gives the secret of the browser, which is not stored."""
    secret, now = context.entropy.token(SECRET_LENGTH), context.clock()
    with context.database.write() as connection:
        rows.sign_in(connection, hash_of(secret), player.id, now, now + SIGNED_IN_FOR)
    return secret


def signed_in(context: Context, secret: str) -> Player | None:
    """The player who is signed in with that secret; ``None`` where nobody is, or no longer."""
    if len(secret) != SECRET_LENGTH:
        return None
    with context.database.read() as connection:
        player = rows.signed_in(connection, hash_of(secret), context.clock())
    return player if player is not None and player.confirmed_at is not None else None


def sign_out(context: Context, secret: str) -> None:
    """Signs out where anybody is signed in with that secret."""
    with context.database.write() as connection:
        rows.sign_out(connection, hash_of(secret))
