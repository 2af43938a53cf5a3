"""API tokens: issued, looked up, revoked; and the secrets in cookies by which browsers are signed
in, which are for the pages only. Of a secret only its plain SHA-256 is stored, which is enough for
25 to 32 random bytes.

Whoever signs in by a mail has shown that they read the player's mail. Without such a proof no token
changes what else gives access to the account, so a stolen one does not become the account.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final, TypeGuard

import structlog
from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from service.addresses import check_line
from service.context import Context
from service.errors import Conflict, Forbidden, Invalid, MissingScope, NotFound
from service.players import guests
from service.store import tokens as rows
from service.store.matches import StoredMatch
from service.store.players import Player
from service.store.tokens import Token
from service.texts import gettext as _

PREFIX = "ovl_"
SCOPES = ("play", "read", "account")
"""``read`` reads matches, ``play`` acts in them, ``account`` does what is not about a match alone:
tokens, preferences, blocks, addresses, bots.
"""
FIRST_LABEL = "signed in by mail"
SECRET_BYTES = 32
TOKEN_ID_LENGTH = 12
LONGEST_LABEL = 60
LONGEST_SECRET = 200
MOST_TOKENS = 100
"""With so many valid tokens a player can issue no more; signing in gives one all the same."""
PROOF_LASTS: Final = timedelta(minutes=15)
COOKIE_LENGTH: Final = 40
"""Characters of 5 random bits each."""
SIGNED_IN_FOR: Final = timedelta(days=60)
USED_AGAIN: Final = timedelta(hours=1)
"""The use of a token is noted once in so long."""
LONGEST_DAYS: Final = 366

log = structlog.get_logger("service.tokens")


def issue(
    context: Context,
    player: Player,
    by: Token,
    label: str,
    scopes: Iterable[str] | None = None,
    days: int | None = None,
) -> tuple[Token, str]:
    """Returns a new token of the player and its secret, which is not stored. It has the scopes of
    ``by``, the token that asks for it, or some of them, and may expire after so many ``days``.

    Raises ``Invalid``, ``MissingScope``, ``Forbidden`` for the scope ``account`` without a proof of
    the mailbox, and ``Conflict`` (``too_many_tokens``).
    """
    guests.check_account(player)
    wanted = by.scopes if scopes is None else tuple(scopes)
    for scope in wanted:
        if scope in SCOPES and scope not in by.scopes:
            raise MissingScope(
                f"Your token has {', '.join(by.scopes)} and can issue no token with the scope {scope}. Sign in again"
                " to get one that can.",
                scope,
            )
    if "account" in wanted:
        check_proof(context, by)
    with context.database.write() as connection:
        check_number(connection, player, context.clock())
        return add(connection, context, player, label, wanted, days=days)


def check_number(connection: Connection, player: Player, now: datetime) -> None:
    """Raises ``Conflict`` (``too_many_tokens``) where the player can have no further token."""
    if rows.valid_count(connection, player.id, now) >= MOST_TOKENS:
        sentence = f"You have {MOST_TOKENS} tokens, which is the maximum. Revoke one first."
        raise Conflict(sentence, "too_many_tokens")


def add(
    connection: Connection,
    context: Context,
    player: Player,
    label: str,
    scopes: Iterable[str],
    *,
    proven: bool = False,
    days: int | None = None,
) -> tuple[Token, str]:
    """Adds a token with any scopes within the caller's transaction; returns it and its secret.
    ``proven``: the player gets it for reading a mail. Raises ``Invalid``.
    """
    read_label, read_scopes = label.strip(), tuple(dict.fromkeys(scopes))
    problems = check_line("/label", "A label", read_label, LONGEST_LABEL)
    unknown = [scope for scope in read_scopes if scope not in SCOPES]
    if unknown or not read_scopes:
        which = ", ".join(unknown) or "An empty list"
        problems.append(("/scopes", f"{which} is not among the scopes; they are {', '.join(SCOPES)}."))
    if problems:
        raise Invalid(tuple(problems))
    secret = PREFIX + base64.urlsafe_b64encode(context.entropy.random_bytes(SECRET_BYTES)).rstrip(b"=").decode()
    now, token_id = context.clock(), context.entropy.token(TOKEN_ID_LENGTH)
    expires_at = None if days is None else now + timedelta(days=days)
    token = Token(token_id, player.id, read_label, read_scopes, now, now if proven else None, None, expires_at)
    rows.add(connection, token, hash_of(secret))
    return token, secret


def recognise_at(
    context: Context, secret: str, match_id: str | None
) -> tuple[tuple[Player, Token] | None, StoredMatch | None]:
    """The player and the token that a secret belongs to, ``None`` where it is unknown, revoked or
    expired, or the player's address is not confirmed; and the match that the request is about: read
    together they cost less.
    """
    if not secret.startswith(PREFIX) or len(secret) > LONGEST_SECRET:
        return None, None
    opening, now = context.batched.opening(context.database, hash_of(secret), match_id), context.clock()
    if not _is_valid(opening.holder, now):
        return None, None
    token, player = opening.holder
    if token.used_at is None or now - token.used_at >= USED_AGAIN:
        _note_use(context, token, now)
    return (player, token), opening.match


def holder_with(connection: Connection, context: Context, secret: str) -> Player | None:
    """The player whom a secret lets in now, by a connection that reads; ``None`` for nobody."""
    holder = rows.by_hashes(connection, [hash_of(secret)]).get(hash_of(secret))
    return holder[1] if _is_valid(holder, context.clock()) else None


def _is_valid(holder: tuple[Token, Player] | None, now: datetime) -> TypeGuard[tuple[Token, Player]]:
    """Whether an unrevoked token has not expired, and its player's address is confirmed."""
    if holder is None or holder[1].confirmed_at is None:
        return False
    return holder[0].expires_at is None or now < holder[0].expires_at


def _note_use(context: Context, token: Token, now: datetime) -> None:
    """Notes a use, but not during a maintenance, in which nothing is written. A use that the
    database does not let be noted is one all the same.
    """
    try:
        if context.maintenance() is None:
            with context.database.write() as connection:
                rows.mark_used(connection, token.id, now)
    except SQLAlchemyError as error:
        log.warning("token.use_not_noted", token=token.id, error=type(error).__name__)


def revoke(context: Context, player: Player, token_id: str) -> None:
    """Revokes a token of the player; revoking it again changes nothing. Raises ``NotFound``."""
    with context.database.write() as connection:
        if not rows.revoke(connection, player.id, token_id, context.clock()):
            raise NotFound(f"You have no token {token_id}.", "token_not_found")


def sign_out_everywhere(context: Context, player: Player) -> None:
    """Signs the player out of every browser. Tokens stay as they are."""
    with context.database.write() as connection:
        rows.sign_out_since(connection, player.id, player.created_at)


def of_player(context: Context, player: Player) -> tuple[Token, ...]:
    """Returns the player's tokens, oldest first, including revoked ones."""
    with context.database.read() as connection:
        return rows.of_player(connection, player.id)


def hash_of(secret: str) -> str:
    """The hexadecimal SHA-256 of a secret, as it is stored."""
    return hashlib.sha256(secret.encode()).hexdigest()


def check_proof(context: Context, by: Token) -> None:
    """Raises ``Forbidden`` unless ``by`` was given for reading a mail within ``PROOF_LASTS``."""
    if by.proven_at is None or context.clock() - by.proven_at > PROOF_LASTS:
        sentence = _(
            "This needs a proof that you read your mail, at most {minutes} minutes old: sign in by mail again, and use"
            " the token that you get."
        )
        raise Forbidden(sentence.format(minutes=int(PROOF_LASTS.total_seconds() // 60)), "proof_needed")


def sign_in(context: Context, player: Player) -> str:
    """Signs the player in; returns the secret of the browser, which is not stored."""
    with context.database.write() as connection:
        return add_browser(connection, context, player)


def add_browser(connection: Connection, context: Context, player: Player, *, proven: bool = False) -> str:
    """The same within the caller's transaction. ``proven``: for reading a mail just now."""
    secret, now = context.entropy.token(COOKIE_LENGTH), context.clock()
    rows.sign_in(connection, hash_of(secret), player.id, now, now + SIGNED_IN_FOR, now if proven else None)
    return secret


def signed_in(context: Context, secret: str) -> Player | None:
    """The player who is signed in in the browser with that secret; ``None`` where nobody is."""
    with context.database.read() as connection:
        return visitor_with(connection, context, secret)


def proven_in(context: Context, secret: str) -> datetime | None:
    """When the mail was read that signed in the browser with that secret; ``None`` without one."""
    with context.database.read() as connection:
        return rows.browser_proven_at(connection, hash_of(secret))


def visitor_with(connection: Connection, context: Context, secret: str) -> Player | None:
    """The same, by a connection that reads."""
    player = rows.signed_in(connection, hash_of(secret), context.clock()) if len(secret) == COOKIE_LENGTH else None
    if player is None:
        return None
    is_here = player.confirmed_at is not None if player.guest_until is None else context.clock() < player.guest_until
    return player if is_here else None


def sign_out(context: Context, secret: str) -> None:
    """Signs out the browser with that secret, if anybody is signed in there."""
    with context.database.write() as connection:
        rows.sign_out(connection, hash_of(secret))
