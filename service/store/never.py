"""The addresses whose owners want no more mail from here, as they are compared (folded)."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, delete, select

from service.store.rows import insert_new
from service.store.tables import never_again


def forbid(connection: Connection, address: str, now: datetime) -> None:
    """Records that nobody is to have mails sent to this address; again changes nothing."""
    connection.execute(insert_new(connection, never_again), [{"address": address, "at": now}])


def is_forbidden(connection: Connection, address: str) -> bool:
    """Whether the owner of the address wants no mail."""
    return connection.execute(select(never_again.c.at).where(never_again.c.address == address)).first() is not None


def allow(connection: Connection, address: str) -> None:
    """Forgets it: the address itself has asked for mail."""
    connection.execute(delete(never_again).where(never_again.c.address == address))
