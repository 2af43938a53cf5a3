"""When matches without a clock were visited, and when they are looked at to be archived."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, func, select, update

from service.house import HOUSE
from service.store.tables import matches, seats, turns


@dataclass(frozen=True, slots=True)
class Shelf:
    """The columns of a match about its archive: when one of its players last visited it, when it is
    looked at next, and how many mails have said that it will be archived.
    """

    visited_at: datetime
    due_at: datetime | None
    mails: int = 0


def of_match(connection: Connection, match_id: str) -> Shelf | None:
    """What is known of a match; ``None`` where it is never archived."""
    columns = (matches.c.visited_at, matches.c.archive_due_at, matches.c.archive_mails)
    row = connection.execute(select(*columns).where(matches.c.id == match_id)).one_or_none()
    return None if row is None or row[0] is None else Shelf(*row)


def write(connection: Connection, match_id: str, shelf: Shelf) -> None:
    """Changes it."""
    values = {"visited_at": shelf.visited_at, "archive_due_at": shelf.due_at, "archive_mails": shelf.mails}
    connection.execute(update(matches).where(matches.c.id == match_id).values(values))


def due(connection: Connection, now: datetime) -> tuple[str, ...]:
    """The matches that are to be looked at, the longest due first."""
    wanted = select(matches.c.id).where(matches.c.archive_due_at <= now)
    return tuple(connection.execute(wanted.order_by(matches.c.archive_due_at)).scalars())


def is_stale(connection: Connection, match_id: str, player_id: str, before: datetime) -> bool:
    """Whether a match that may be archived, in which the player has a seat, was last visited before
    then.
    """
    mine = (seats.c.match_id == matches.c.id) & (seats.c.player_id == player_id)
    wanted = select(matches.c.id).join(seats, mine).where(matches.c.id == match_id, matches.c.visited_at < before)
    return connection.execute(wanted.where(matches.c.status == "running")).first() is not None


def last_turn(connection: Connection, match_id: str) -> datetime | None:
    """When the last turn of a person was received."""
    people = turns.c.player_id.not_in(sorted(HOUSE))
    wanted = select(func.max(turns.c.submitted_at, type_=turns.c.submitted_at.type))
    found: datetime | None = connection.execute(wanted.where(turns.c.match_id == match_id, people)).scalar()
    return found
