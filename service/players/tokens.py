"""API tokens: issued, looked up, revoked.

The secret is shown once. Its plain SHA-256 is stored, which is enough for 32 random bytes.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable

from sqlalchemy import Connection

from service.context import Batched, Issuing, Stored
from service.errors import Invalid, NotFound
from service.players.addresses import check_line
from service.players.types import Player, Token
from service.store import tokens as rows

PREFIX = "ovl_"
SCOPES = ("play", "read", "account")
"""``read`` reads matches, ``play`` acts in them, ``account`` manages tokens."""
FIRST_LABEL = "signed in by mail"
SECRET_BYTES = 32
TOKEN_ID_LENGTH = 12
LONGEST_LABEL = 60
LONGEST_SECRET = 200


def issue(context: Issuing, player: Player, label: str, scopes: Iterable[str]) -> tuple[Token, str]:
    """Gives a new token of the player and its secret, which is not stored. Raises ``Invalid``."""
    with context.database.write() as connection:
        return add(connection, context, player, label, scopes)


def add(
    connection: Connection, context: Issuing, player: Player, label: str, scopes: Iterable[str]
) -> tuple[Token, str]:
    """``issue`` within the caller's transaction. Raises ``Invalid``."""
    read_label, read_scopes = label.strip(), tuple(dict.fromkeys(scopes))
    problems = check_line("/label", "A label", read_label, LONGEST_LABEL)
    unknown = [scope for scope in read_scopes if scope not in SCOPES]
    if unknown or not read_scopes:
        problems.append(
            (
                "/scopes",
                f"{', '.join(unknown) or 'An empty list'} is not among the scopes; they are {', '.join(SCOPES)}.",
            )
        )
    if problems:
        raise Invalid(tuple(problems))
    secret = PREFIX + base64.urlsafe_b64encode(context.entropy.random_bytes(SECRET_BYTES)).rstrip(b"=").decode()
    token = Token(context.entropy.token(TOKEN_ID_LENGTH), player.id, read_label, read_scopes, context.clock())
    rows.add(connection, token, hash_of(secret))
    return token, secret


def recognise(context: Batched, secret: str) -> tuple[Player, Token] | None:
    """Gives the player and the token, with its scopes, that a secret belongs to; ``None`` where it
    is unknown or revoked, or the player's address is not confirmed.
    """
    if not secret.startswith(PREFIX) or len(secret) > LONGEST_SECRET:
        return None
    found = context.batched.holder(context.database, hash_of(secret))
    if found is None or found[1].confirmed_at is None:
        return None
    token, player = found
    return player, token


def revoke(context: Issuing, player: Player, token_id: str) -> None:
    """Revokes a token of the player; revoking it again changes nothing. Raises ``NotFound``."""
    with context.database.write() as connection:
        if not rows.revoke(connection, player.id, token_id, context.clock()):
            raise NotFound(f"You have no token {token_id}.", "token_not_found")


def of_player(context: Stored, player: Player) -> tuple[Token, ...]:
    """Gives the player's tokens, oldest first, including revoked ones."""
    with context.database.read() as connection:
        return rows.of_player(connection, player.id)


def hash_of(secret: str) -> str:
    """The hexadecimal SHA-256 of a secret, as it is stored."""
    return hashlib.sha256(secret.encode()).hexdigest()
