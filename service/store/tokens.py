"""What shows who asks, in the database: API tokens, and the browsers in which players are signed
in, by the SHA-256 of their secrets; and the keys that sign reply addresses and links.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection, Row, bindparam, delete, func, insert, select, update

from service.store import players as player_rows
from service.store.players import Player
from service.store.prepared import Prepared
from service.store.tables import browsers, players, signing_keys, tokens

_BY_HASHES: Final = Prepared(
    select(tokens, players.c.name, players.c.email, players.c.confirmed_at, players.c.created_at.label("joined_at"))
    .join(players, players.c.id == tokens.c.player_id)
    .where(tokens.c.token_hash.in_(bindparam("hashes", expanding=True)), tokens.c.revoked_at.is_(None)),
    "hashes",
)


@dataclass(frozen=True, slots=True)
class Token:
    """An API token, without its secret. ``proven_at`` is when its player got it for reading a mail;
    ``None`` for one that another token issued.
    """

    id: str
    player_id: str
    label: str
    scopes: tuple[str, ...]
    created_at: datetime
    proven_at: datetime | None = None
    revoked_at: datetime | None = None


def add(connection: Connection, token: Token, token_hash: str) -> None:
    """Adds a token."""
    connection.execute(
        insert(tokens).values(
            id=token.id,
            player_id=token.player_id,
            token_hash=token_hash,
            label=token.label,
            scopes=list(token.scopes),
            created_at=token.created_at,
            proven_at=token.proven_at,
            revoked_at=token.revoked_at,
        )
    )


def by_hashes(connection: Connection, hashes: Sequence[str]) -> dict[str, tuple[Token, Player]]:
    """The unrevoked tokens whose secrets have these hashes, with their players, by hash."""
    found = _BY_HASHES.all(connection, {"hashes": hashes})
    return {
        row.token_hash: (_token(row), Player(row.player_id, row.name, row.email, row.confirmed_at, row.joined_at))
        for row in found
    }


def of_player(connection: Connection, player_id: str) -> tuple[Token, ...]:
    """All tokens of a player, oldest first, including revoked ones."""
    found = connection.execute(
        select(tokens).where(tokens.c.player_id == player_id).order_by(tokens.c.created_at, tokens.c.id)
    )
    return tuple(_token(row) for row in found)


def valid_count(connection: Connection, player_id: str) -> int:
    """How many tokens of a player are not revoked."""
    mine = (tokens.c.player_id == player_id) & tokens.c.revoked_at.is_(None)
    return connection.execute(select(func.count()).select_from(tokens).where(mine)).scalar_one()


def revoke(connection: Connection, player_id: str, token_id: str, now: datetime) -> bool:
    """Revokes a token of that player. Returns ``False`` where there is none."""
    mine = (tokens.c.id == token_id) & (tokens.c.player_id == player_id)
    connection.execute(update(tokens).where(mine, tokens.c.revoked_at.is_(None)).values(revoked_at=now))
    return connection.execute(select(tokens.c.id).where(mine)).one_or_none() is not None


def revoke_since(connection: Connection, player_id: str, since: datetime, now: datetime) -> None:
    """Revokes all tokens of that player that were issued from ``since`` on."""
    mine = (tokens.c.player_id == player_id) & (tokens.c.created_at >= since)
    connection.execute(update(tokens).where(mine, tokens.c.revoked_at.is_(None)).values(revoked_at=now))


def _token(row: Row[Any]) -> Token:
    return Token(row.id, row.player_id, row.label, tuple(row.scopes), row.created_at, row.proven_at, row.revoked_at)


@dataclass(frozen=True, slots=True)
class SigningKey:
    """A key of ``number``, counted from 1. It signs what is written from ``signs_from`` on, until
    the next one does, and verifies for good.
    """

    number: int
    secret: bytes = field(repr=False)
    signs_from: datetime


def every_signing_key(connection: Connection) -> tuple[SigningKey, ...]:
    """All keys, oldest first."""
    found = connection.execute(select(signing_keys).order_by(signing_keys.c.number))
    return tuple(SigningKey(row.number, row.secret, row.signs_from) for row in found)


def add_signing_key(connection: Connection, key: SigningKey) -> None:
    """Adds a key. Raises ``IntegrityError`` where its number is taken."""
    connection.execute(insert(signing_keys).values(number=key.number, secret=key.secret, signs_from=key.signs_from))


def sign_in(connection: Connection, secret_hash: str, player_id: str, now: datetime, expires_at: datetime) -> None:
    """Adds a browser, in which the player is signed in until ``expires_at``."""
    connection.execute(
        insert(browsers).values(secret_hash=secret_hash, player_id=player_id, signed_in_at=now, expires_at=expires_at)
    )


def signed_in(connection: Connection, secret_hash: str, now: datetime) -> Player | None:
    """The player who is signed in there at that time."""
    found = connection.execute(
        select(browsers.c.player_id).where(browsers.c.secret_hash == secret_hash, browsers.c.expires_at > now)
    ).one_or_none()
    return None if found is None else player_rows.find(connection, found.player_id)


def sign_out(connection: Connection, secret_hash: str) -> None:
    """Removes a browser."""
    connection.execute(delete(browsers).where(browsers.c.secret_hash == secret_hash))


def sign_out_since(connection: Connection, player_id: str, since: datetime) -> None:
    """Removes the browsers in which the player was signed in from ``since`` on."""
    connection.execute(delete(browsers).where(browsers.c.player_id == player_id, browsers.c.signed_in_at >= since))


def any_sign_in_expired(connection: Connection, now: datetime) -> bool:
    """Whether ``delete_expired`` would delete any row."""
    return (
        connection.execute(select(browsers.c.player_id).where(browsers.c.expires_at <= now).limit(1)).first()
        is not None
    )


def delete_expired_sign_ins(connection: Connection, now: datetime, limit: int) -> int:
    """Deletes up to ``limit`` browsers that have expired by that time. Returns how many."""
    old = select(browsers.c.secret_hash).where(browsers.c.expires_at <= now).limit(limit)
    return connection.execute(delete(browsers).where(browsers.c.secret_hash.in_(old))).rowcount
