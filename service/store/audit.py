"""The audit log: what operators have done about players and the service. Of somebody who leaves for
good nothing is left in it but the id.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import Connection, update

from service.statuses import AuditedAct
from service.store.statements import Rows
from service.store.tables import audit


@dataclass(frozen=True, slots=True)
class Audited:
    """Who did what, by the operating system, about whom, and to what ``subject``, as people read
    it.
    """

    id: str
    at: datetime
    by: str
    act: AuditedAct
    player_id: str | None
    subject: str
    reason: str


@dataclass(frozen=True, slots=True)
class Operator:
    """Who runs a command, by the name that the operating system has for them, and why."""

    name: str
    reason: str


_AUDIT: Final = Rows(Audited, audit)


def note(
    connection: Connection,
    by: Operator,
    act: AuditedAct,
    now: datetime,
    player_id: str | None = None,
    subject: str = "",
) -> None:
    """Adds a row, in the transaction that does what it says."""
    _AUDIT.add(connection, Audited(uuid.uuid4().hex, now, by.name, act, player_id, subject, by.reason))


def listed(connection: Connection, player_id: str | None, limit: int) -> tuple[Audited, ...]:
    """The latest rows, newest first, about one player where one is named."""
    about = () if player_id is None else (audit.c.player_id == player_id,)
    return _AUDIT.all(connection, *about, order=(audit.c.at.desc(), audit.c.id), limit=limit)


def forget(connection: Connection, player_id: str) -> None:
    connection.execute(update(audit).where(audit.c.player_id == player_id).values(subject="", reason=""))
