"""What shows who asks: API tokens, and the browsers in which players are signed in, by the SHA-256
of their secrets; and the keys that sign reply addresses and links.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Final

from sqlalchemy import Connection, bindparam, delete, insert, or_, select, update

from engine.documents import About
from service.ids import ID_PATTERN
from service.store.players import PLAYERS, Player, with_bots
from service.store.statements import Old, Prepared, Rows, any_row, count
from service.store.tables import browsers, players, signing_keys, tokens


@dataclass(frozen=True, slots=True)
class Token:
    """An API token, without its secret."""

    id: Annotated[str, About("The id of the token; not the token itself.", pattern=ID_PATTERN)]
    player_id: str
    label: Annotated[str, About("What it is called.")]
    scopes: Annotated[tuple[str, ...], About("What it allows.")]
    created_at: Annotated[datetime, About("When it was issued.")]
    proven_at: Annotated[
        datetime | None, About("When its player got it for reading a mail; `null` for one that another token issued.")
    ] = None
    revoked_at: Annotated[datetime | None, About("When it was revoked; `null` while it is valid.")] = None
    expires_at: Annotated[datetime | None, About("Until when it is valid; `null` for one that does not expire.")] = None
    used_at: Annotated[datetime | None, About("When it was used last, to the hour; `null` for one that never was.")] = (
        None
    )


@dataclass(frozen=True, slots=True)
class SigningKey:
    """A key, numbered from 1. It signs what is written from ``signs_from`` on, until the next one
    does, and verifies until it is retired, if ever.
    """

    number: int
    secret: bytes = field(repr=False)
    signs_from: datetime
    retired_at: datetime | None = None


_TOKENS: Final = Rows(Token, tokens, read={"scopes": tuple})
_KEYS: Final = Rows(SigningKey, signing_keys)
add_signing_key: Final = _KEYS.add
_BY_HASHES: Final = Prepared(
    select(tokens.c.token_hash, *PLAYERS.labelled("player"), *_TOKENS.labelled("token"))
    .join(players, players.c.id == tokens.c.player_id)
    .where(tokens.c.token_hash.in_(bindparam("hashes", expanding=True)), tokens.c.revoked_at.is_(None))
    .where(players.c.left_at.is_(None)),
    "hashes",
)


def add(connection: Connection, token: Token, token_hash: str) -> None:
    _TOKENS.add(connection, token, token_hash=token_hash)


def by_hashes(connection: Connection, hashes: Sequence[str]) -> dict[str, tuple[Token, Player]]:
    """The unrevoked tokens with these hashes, by hash, and their players, who have not left."""
    rest = 1 + len(PLAYERS.columns)
    return {
        row[0]: (_TOKENS.of(row[rest:]), PLAYERS.of(row[1:])) for row in _BY_HASHES.all(connection, {"hashes": hashes})
    }


def of_player(connection: Connection, player_id: str) -> tuple[Token, ...]:
    """All tokens of a player, oldest first, including revoked ones."""
    return _TOKENS.all(connection, tokens.c.player_id == player_id, order=(tokens.c.created_at, tokens.c.id))


def mark_used(connection: Connection, token_id: str, now: datetime) -> None:
    connection.execute(update(tokens).where(tokens.c.id == token_id).values(used_at=now))


def valid_count(connection: Connection, player_id: str, now: datetime) -> int:
    """How many tokens of a player are neither revoked nor expired."""
    lasts = or_(tokens.c.expires_at.is_(None), tokens.c.expires_at > now)
    return count(connection, tokens, tokens.c.player_id == player_id, tokens.c.revoked_at.is_(None), lasts)


def revoke(connection: Connection, player_id: str, token_id: str, now: datetime) -> bool:
    """Revokes a token of that player, or of one of their bots. Returns whether there is one."""
    mine = (tokens.c.id == token_id) & tokens.c.player_id.in_(select(players.c.id).where(with_bots(player_id)))
    connection.execute(update(tokens).where(mine, tokens.c.revoked_at.is_(None)).values(revoked_at=now))
    return any_row(connection, tokens.c.id, mine)


def revoke_since(connection: Connection, player_id: str, since: datetime, now: datetime) -> None:
    """Revokes all tokens of that player, and of their bots, that were issued from ``since`` on."""
    theirs = select(players.c.id).where(with_bots(player_id))
    mine = tokens.c.player_id.in_(theirs) & (tokens.c.created_at >= since)
    connection.execute(update(tokens).where(mine, tokens.c.revoked_at.is_(None)).values(revoked_at=now))


EXPIRED_BROWSERS: Final = Old(browsers.c.expires_at)


def sign_in(
    connection: Connection,
    secret_hash: str,
    player_id: str,
    now: datetime,
    expires_at: datetime,
    proven_at: datetime | None = None,
) -> None:
    """Adds a browser; ``proven_at``: when the player read the mail that signed them in there."""
    row = {"secret_hash": secret_hash, "player_id": player_id, "signed_in_at": now, "expires_at": expires_at}
    connection.execute(insert(browsers).values(row | {"proven_at": proven_at}))


def browser_proven_at(connection: Connection, secret_hash: str) -> datetime | None:
    """When the player of a browser read the mail that signed them in there, if it was one."""
    return connection.scalar(select(browsers.c.proven_at).where(browsers.c.secret_hash == secret_hash))


def signed_in(connection: Connection, secret_hash: str, now: datetime) -> Player | None:
    """The player who is signed in there at that time; ``None`` for who has left for good."""
    there = select(browsers.c.player_id).where(browsers.c.secret_hash == secret_hash, browsers.c.expires_at > now)
    return PLAYERS.find(connection, players.c.id == there.scalar_subquery(), players.c.left_at.is_(None))


def browsers_of(connection: Connection, player_id: str, now: datetime) -> tuple[datetime, ...]:
    """Since when the player has been signed in in each browser, the latest first."""
    here = (browsers.c.player_id == player_id) & (browsers.c.expires_at > now)
    wanted = select(browsers.c.signed_in_at).where(here).order_by(browsers.c.signed_in_at.desc())
    return tuple(connection.scalars(wanted))


def sign_out(connection: Connection, secret_hash: str) -> None:
    connection.execute(delete(browsers).where(browsers.c.secret_hash == secret_hash))


def sign_out_since(connection: Connection, player_id: str, since: datetime) -> None:
    """Removes the browsers in which the player was signed in from ``since`` on."""
    connection.execute(delete(browsers).where(browsers.c.player_id == player_id, browsers.c.signed_in_at >= since))


def every_signing_key(connection: Connection) -> tuple[SigningKey, ...]:
    return _KEYS.all(connection, order=(signing_keys.c.number,))


def retire_signing_key(connection: Connection, number: int, now: datetime) -> None:
    """Has a key verify nothing from now on."""
    connection.execute(update(signing_keys).where(signing_keys.c.number == number).values(retired_at=now))
