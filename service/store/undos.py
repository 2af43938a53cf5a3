"""What undoes a change of a player's addresses, in the database: a one-time token that was mailed
to the address before, stored as its hash.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, delete, func, insert, select, update

from service.store.tables import address_undos


@dataclass(frozen=True, slots=True)
class Undo:
    """What gives a player back the ``address``, as it was typed, ``as_primary`` or not.

    ``disputed`` is the id of the address that was added or made primary instead; what was added,
    issued or signed in from ``since`` on goes with it.
    """

    token_hash: str
    player_id: str
    address: str
    as_primary: bool
    disputed: str | None
    since: datetime
    made_at: datetime
    used_at: datetime | None = None


def add(connection: Connection, undo: Undo) -> None:
    """Adds what undoes a change."""
    connection.execute(insert(address_undos).values({name: getattr(undo, name) for name in Undo.__dataclass_fields__}))


def find(connection: Connection, token_hash: str, *, locked: bool) -> Undo | None:
    """The undo with that hash, ``locked`` until the end of the transaction or not."""
    wanted = select(address_undos).where(address_undos.c.token_hash == token_hash)
    return _undo(connection.execute(wanted.with_for_update() if locked else wanted).one_or_none())


def use(connection: Connection, undo: Undo, now: datetime) -> None:
    """Marks an undo as used, and deletes those of changes that were made later."""
    others = (address_undos.c.player_id == undo.player_id) & (address_undos.c.token_hash != undo.token_hash)
    connection.execute(delete(address_undos).where(others, address_undos.c.made_at >= undo.made_at))
    connection.execute(update(address_undos).where(address_undos.c.token_hash == undo.token_hash).values(used_at=now))


def last_used(connection: Connection, player_id: str) -> datetime | None:
    """When a change of the player's addresses was undone last."""
    used = select(func.max(address_undos.c.used_at)).where(address_undos.c.player_id == player_id)
    found: datetime | None = connection.execute(used).scalar_one()
    return found


def forget(connection: Connection, player_id: str, before: datetime) -> None:
    """Deletes those of the player that were made before that time."""
    old = (address_undos.c.player_id == player_id) & (address_undos.c.made_at < before)
    connection.execute(delete(address_undos).where(old))


def _undo(row: Row[Any] | None) -> Undo | None:
    return None if row is None else Undo(**{name: getattr(row, name) for name in Undo.__dataclass_fields__})
