"""Players and the confirmations of their addresses, in the database."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, Select, insert, select, update

from service.house import HousePlayer
from service.store.rows import insert_new
from service.store.tables import confirmations, player_addresses, players


@dataclass(frozen=True, slots=True)
class Player:
    """A person.

    ``email`` is the primary address, folded, and never shown to others; ``confirmed_at`` is
    ``None`` until it is confirmed.
    """

    id: str
    name: str
    email: str
    confirmed_at: datetime | None
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Confirmation:
    """A one-time token that was sent to a player's address, stored as its hash."""

    token_hash: str
    player_id: str
    expires_at: datetime
    used_at: datetime | None


def add(connection: Connection, player: Player) -> None:
    """Adds a player. Raises ``IntegrityError`` where the address exists already."""
    connection.execute(
        insert(players).values(
            id=player.id,
            name=player.name,
            email=player.email,
            confirmed_at=player.confirmed_at,
            created_at=player.created_at,
            preferences={},
        )
    )


def add_house(connection: Connection, players_of_house: Iterable[HousePlayer], now: datetime) -> None:
    """Adds bots of the house that are not there yet. What stands for their address is none."""
    rows = [
        {"id": bot.id, "name": bot.name, "email": bot.id, "confirmed_at": now, "created_at": now, "preferences": {}}
        for bot in players_of_house
    ]
    if rows:
        connection.execute(insert_new(connection, players), rows)


def find(connection: Connection, player_id: str) -> Player | None:
    """The player with that id."""
    return _player(connection.execute(select(players).where(players.c.id == player_id)).one_or_none())


def by_email(connection: Connection, email: str) -> Player | None:
    """The player whose primary address that is, folded."""
    return _player(connection.execute(select(players).where(players.c.email == email)).one_or_none())


def names(connection: Connection, player_ids: Collection[str]) -> dict[str, str]:
    """The names of these players, by id."""
    if not player_ids:
        return {}
    found = connection.execute(select(players.c.id, players.c.name).where(players.c.id.in_(player_ids)))
    return {row.id: row.name for row in found}


def by_address(connection: Connection, folded: str) -> Player | None:
    """The player who has confirmed that address, the primary one or another; otherwise the one who
    signed up with it, whose ``confirmed_at`` is ``None``.
    """
    theirs = player_addresses.c.folded == folded, player_addresses.c.confirmed_at.is_not(None)
    holder = select(players).join(player_addresses, player_addresses.c.player_id == players.c.id).where(*theirs)
    return _player(connection.execute(holder).one_or_none()) or by_email(connection, folded)


def rename(connection: Connection, player_id: str, name: str) -> None:
    """Changes a player's name."""
    connection.execute(update(players).where(players.c.id == player_id).values(name=name))


def confirm(connection: Connection, player_id: str, now: datetime) -> None:
    """Marks the address as confirmed, unless it is already."""
    connection.execute(
        update(players).where(players.c.id == player_id, players.c.confirmed_at.is_(None)).values(confirmed_at=now)
    )


def add_confirmation(connection: Connection, confirmation: Confirmation) -> None:
    """Adds a one-time token."""
    connection.execute(
        insert(confirmations).values(
            token_hash=confirmation.token_hash,
            player_id=confirmation.player_id,
            expires_at=confirmation.expires_at,
            used_at=confirmation.used_at,
        )
    )


def find_confirmation(connection: Connection, token_hash: str) -> Confirmation | None:
    """The one-time token with that hash."""
    return _confirmation(connection, select(confirmations).where(confirmations.c.token_hash == token_hash))


def lock_confirmation(connection: Connection, token_hash: str) -> Confirmation | None:
    """The one-time token with that hash, locked until the end of the transaction."""
    known = select(confirmations).where(confirmations.c.token_hash == token_hash)
    return _confirmation(connection, known.with_for_update())


def use_confirmation(connection: Connection, token_hash: str, now: datetime) -> None:
    """Marks a one-time token as used."""
    connection.execute(update(confirmations).where(confirmations.c.token_hash == token_hash).values(used_at=now))


def use_confirmations(connection: Connection, player_id: str, now: datetime) -> None:
    """Marks all one-time tokens of a player as used that were not."""
    unused = (confirmations.c.player_id == player_id) & confirmations.c.used_at.is_(None)
    connection.execute(update(confirmations).where(unused).values(used_at=now))


def _confirmation(connection: Connection, query: Select[Any]) -> Confirmation | None:
    row = connection.execute(query).one_or_none()
    return None if row is None else Confirmation(row.token_hash, row.player_id, row.expires_at, row.used_at)


def _player(row: Row[Any] | None) -> Player | None:
    return None if row is None else Player(row.id, row.name, row.email, row.confirmed_at, row.created_at)
