"""The counts of all processes together, which only grow (``service.counts``)."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import Connection, select

from service.store.statements import insert_into
from service.store.tables import counts


def add(connection: Connection, numbers: Mapping[tuple[str, str], int]) -> None:
    """Adds numbers, by what was counted and its result; in one order, so that two processes at once
    do not lock each other out.
    """
    new = insert_into(connection, counts)
    more = new.on_conflict_do_update(
        index_elements=list(counts.primary_key), set_={"number": counts.c.number + new.excluded.number}
    )
    connection.execute(
        more, [{"what": what, "result": result, "number": numbers[what, result]} for what, result in sorted(numbers)]
    )


def every(connection: Connection) -> Mapping[str, Mapping[str, int]]:
    """All counts, by what was counted and by result."""
    found: dict[str, dict[str, int]] = {}
    for what, result, number in connection.execute(select(counts.c.what, counts.c.result, counts.c.number)):
        found.setdefault(what, {})[result] = number
    return found
