"""Orders that wait for somebody's word, in the database: turns of mails whose sender was not
proven, turns and resignations that their player is asked to confirm.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, TypeAlias

from sqlalchemy import Connection, Row, func, insert, select, update

from service.store.tables import held_orders

HeldKind: TypeAlias = Literal["turn", "resign", "accept", "decline"]
HeldReason: TypeAlias = Literal["unproven", "confirm"]
"""``unproven``: nobody knows who wrote the mail; ``confirm``: the player is asked back."""


@dataclass(frozen=True, slots=True)
class HeldOrder:
    """An order that waits. ``document`` has the actions of a turn that answers ``ply``; it is empty
    for the other kinds.

    ``player_id`` is the player of the seat, ``None`` for somebody who is invited;
    ``in_reply_to`` is the Message-ID of the mail that carried the order.
    """

    id: str
    kind: HeldKind
    reason: HeldReason
    match_id: str
    seat: int
    player_id: str | None
    ply: int
    document: Mapping[str, Any]
    in_reply_to: str | None
    created_at: datetime
    used_at: datetime | None = None


def add(connection: Connection, order: HeldOrder) -> None:
    """Adds an order."""
    values = {name: getattr(order, name) for name in HeldOrder.__dataclass_fields__}
    connection.execute(insert(held_orders).values(values | {"document": dict(order.document)}))


def find(connection: Connection, order_id: str) -> HeldOrder | None:
    """The order of that id."""
    return _order(connection.execute(select(held_orders).where(held_orders.c.id == order_id)).one_or_none())


def latest(connection: Connection, match_id: str, seat: int, reason: HeldReason) -> HeldOrder | None:
    """The newest order of a seat that waits for that reason and was not used."""
    mine = (held_orders.c.match_id == match_id) & (held_orders.c.seat == seat)
    waiting = select(held_orders).where(mine, held_orders.c.reason == reason, held_orders.c.used_at.is_(None))
    newest = waiting.order_by(held_orders.c.created_at.desc(), held_orders.c.id).limit(1)
    return _order(connection.execute(newest).one_or_none())


def count_since(connection: Connection, match_id: str, seat: int, reason: HeldReason, since: datetime) -> int:
    """How many orders of a seat were held for that reason after ``since``."""
    mine = (held_orders.c.match_id == match_id) & (held_orders.c.seat == seat)
    counted = select(func.count()).where(mine, held_orders.c.reason == reason, held_orders.c.created_at > since)
    return int(connection.execute(counted.select_from(held_orders)).scalar_one())


def use(connection: Connection, order_id: str, now: datetime) -> bool:
    """Marks an order as used. Gives ``False`` where it was used before."""
    unused = (held_orders.c.id == order_id) & held_orders.c.used_at.is_(None)
    return connection.execute(update(held_orders).where(unused).values(used_at=now)).rowcount == 1


def drop(connection: Connection, match_id: str, seat: int, now: datetime) -> None:
    """Marks all orders of a seat as used: its player has changed."""
    mine = (held_orders.c.match_id == match_id) & (held_orders.c.seat == seat) & held_orders.c.used_at.is_(None)
    connection.execute(update(held_orders).where(mine).values(used_at=now))


def _order(row: Row[Any] | None) -> HeldOrder | None:
    return None if row is None else HeldOrder(**{name: getattr(row, name) for name in HeldOrder.__dataclass_fields__})
