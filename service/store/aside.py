"""Items of loops that have no rows of their own, such as the matches of a sweep: each has a row
while it is at work, and as long as it is set aside.

Until its ``not_before`` nobody takes it; one that is ``kept`` waits for the operator.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import Connection, delete, func, select, update

from service.store.conflicts import insert_into
from service.store.leasing import ERROR_LENGTH, Charged
from service.store.tables import set_aside as rows

_FAILED: Final = (rows.c.attempts > 1) | (rows.c.error != "") | rows.c.kept


@dataclass(frozen=True, slots=True)
class Aside:
    """An item: ``attempts`` have begun, ``crashes`` is the number of the latest in a row that ended
    or stopped a process.
    """

    loop: str
    item: str
    attempts: int
    crashes: int
    not_before: datetime
    error: str
    kept: bool


def charge(connection: Connection, loop: str, items: Collection[str], until: datetime) -> tuple[Charged, ...]:
    """Counts an attempt of each item, which nobody else takes before ``until``."""
    new = [
        {"loop": loop, "item": item, "attempts": 1, "crashes": 1, "not_before": until, "error": "", "kept": False}
        for item in sorted(items)
    ]
    counted = {"attempts": rows.c.attempts + 1, "crashes": rows.c.crashes + 1, "not_before": until}
    added = insert_into(connection, rows).values(new)
    key = [rows.c.loop, rows.c.item]
    connection.execute(added.on_conflict_do_update(index_elements=key, set_=counted))
    found = select(rows.c.item, rows.c.attempts, rows.c.crashes).where(rows.c.loop == loop, rows.c.item.in_(items))
    charged = {row.item: Charged(row.item, row.attempts, row.crashes) for row in connection.execute(found)}
    return tuple(charged[item] for item in items)


def clear(connection: Connection, loop: str, items: Collection[str]) -> None:
    """Forgets items that are done."""
    if items:
        connection.execute(delete(rows).where(rows.c.loop == loop, rows.c.item.in_(items)))


def forget(connection: Connection, loop: str, before: datetime) -> None:
    """Forgets the items of a loop that were to be tried again before a time."""
    connection.execute(delete(rows).where(rows.c.loop == loop, rows.c.not_before < before))


def postpone(connection: Connection, failed: Aside) -> None:
    """Records that an item has failed."""
    values = {name: getattr(failed, name) for name in Aside.__dataclass_fields__}
    values["error"] = failed.error[:ERROR_LENGTH]
    added = insert_into(connection, rows).values(values)
    connection.execute(added.on_conflict_do_update(index_elements=[rows.c.loop, rows.c.item], set_=values))


def items(connection: Connection, loop: str) -> frozenset[str]:
    """The items of a loop that are at work or set aside."""
    return frozenset(connection.execute(select(rows.c.item).where(rows.c.loop == loop)).scalars())


def next_due(connection: Connection, loop: str, now: datetime) -> str | None:
    """An item of a loop that is due again: of those that ended the fewest processes the one that
    has been due for longest.
    """
    due = select(rows.c.item).where(rows.c.loop == loop, ~rows.c.kept, rows.c.not_before <= now)
    return connection.execute(due.order_by(rows.c.crashes, rows.c.not_before, rows.c.item).limit(1)).scalar()


def listed(connection: Connection) -> tuple[Aside, ...]:
    """All items that have failed, by loop and item."""
    wanted = select(rows).where(_FAILED).order_by(rows.c.loop, rows.c.item)
    return tuple(Aside(**row._asdict()) for row in connection.execute(wanted))


def down(connection: Connection, loop: str, now: datetime) -> tuple[Aside, ...]:
    """The items of a loop that wait to be tried again."""
    wanted = select(rows).where(rows.c.loop == loop, rows.c.not_before > now).order_by(rows.c.item)
    return tuple(Aside(**row._asdict()) for row in connection.execute(wanted))


def numbers(connection: Connection) -> dict[tuple[str, bool], int]:
    """How many items of each loop have failed, by loop and whether they are kept."""
    # Both values of ``kept`` are named so that the index is searched.
    failed = select(rows.c.loop, rows.c.kept, func.count()).where(_FAILED, rows.c.kept.in_((False, True)))
    return {(row[0], row[1]): row[2] for row in connection.execute(failed.group_by(rows.c.kept, rows.c.loop))}


def retry(connection: Connection, loop: str, item: str, now: datetime) -> bool:
    """Makes an item due again, with no attempts. Returns whether there is one."""
    again = {"attempts": 0, "crashes": 0, "not_before": now, "kept": False}
    wanted = update(rows).where(rows.c.loop == loop, rows.c.item == item).values(again)
    return connection.execute(wanted).rowcount == 1
