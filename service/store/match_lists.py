"""Lists of matches: of a player, of those that anybody may join, that cannot be read, that nobody
visits; and the bots that matches await.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, Select, and_, exists, func, or_, select, union, update

from service.errors import UnknownCursor
from service.house import HOUSE
from service.store.matches import StoredMatch, find_all
from service.store.statements import Rows, count
from service.store.tables import blocks, entries, matches, seats, turns


def of_player(
    connection: Connection,
    player_id: str,
    known: Collection[str],
    statuses: Collection[str],
    to_act: bool,
    limit: int,
    after: str | None,
) -> tuple[StoredMatch, ...]:
    """The matches that the player sits in, created or is invited to by one of the ``known``
    addresses, unless by somebody whom they have blocked, or with ``to_act`` those that await the
    player; of these statuses, of any where none is given; newest first, after match ``after``.
    """
    if to_act:
        ids: Any = select(seats.c.match_id.label("id")).where(seats.c.player_id == player_id, seats.c.to_act)
    else:
        sitting = select(seats.c.match_id).where(seats.c.player_id == player_id)
        blocked = select(blocks.c.blocked_id).where(blocks.c.player_id == player_id)
        invited = (
            select(seats.c.match_id)
            .join(matches, matches.c.id == seats.c.match_id)
            .where(seats.c.invited_email.in_(known), seats.c.player_id.is_(None), matches.c.created_by.not_in(blocked))
        )
        ids = union(select(matches.c.id).where(matches.c.created_by == player_id), sitting, invited)
    mine = ids.subquery()
    # Each match is looked up by its key: given a join PostgreSQL may scan all matches.
    dated = select(mine.c.id, _of(mine.c.id, matches.c.created_at).label("created_at"))
    if statuses:
        dated = dated.where(_of(mine.c.id, matches.c.status).in_(statuses))
    found = dated.subquery()
    return _page(connection, select(found.c.id), found.c.created_at, found.c.id, limit, after)


def with_open_seat(connection: Connection, limit: int, after: str | None) -> tuple[StoredMatch, ...]:
    """The open matches that anybody may join, newest first, after match ``after``, a listed one."""
    free = exists().where(
        seats.c.match_id == matches.c.id, seats.c.player_id.is_(None), seats.c.invited_email.is_(None)
    )
    listed = matches.c.unlisted.is_(False)
    ids = select(matches.c.id).where(matches.c.status == "open", listed, free)
    return _page(connection, ids, matches.c.created_at, matches.c.id, limit, after, listed)


def kept_for(connection: Connection, known: Collection[str]) -> tuple[tuple[str, int, str], ...]:
    """The free seats of open matches kept for one of these addresses: match, seat and address."""
    free = (matches.c.status == "open") & seats.c.player_id.is_(None) & seats.c.invited_email.in_(known)
    wanted = select(seats.c.match_id, seats.c.seat, seats.c.invited_email).join(matches).where(free)
    found = connection.execute(wanted.order_by(seats.c.match_id, seats.c.seat))
    return tuple((row.match_id, row.seat, row.invited_email) for row in found)


def open_since(connection: Connection, before: datetime) -> tuple[str, ...]:
    """The matches that were created by then, and have not started, the oldest first, by id."""
    wanted = select(matches.c.id).where(matches.c.status == "open", matches.c.created_at <= before)
    return tuple(connection.scalars(wanted.order_by(matches.c.created_at)))


def count_open(connection: Connection, player_id: str) -> int:
    """How many matches that the player has created wait for players."""
    return count(connection, matches, matches.c.created_by == player_id, matches.c.status == "open")


def count_awaiting(connection: Connection, player_id: str) -> int:
    """How many running matches await the player."""
    theirs = select(seats.c.match_id).where(seats.c.player_id == player_id, seats.c.to_act)
    # Each match is looked up by its key: given a join PostgreSQL may scan all matches.
    running = theirs.where(_of(seats.c.match_id, matches.c.status) == "running")
    return count(connection, running.subquery())


def unreadable(connection: Connection, limit: int) -> tuple[StoredMatch, ...]:
    """At most ``limit`` matches whose log cannot be read, the longest known first."""
    return _in_order(connection, _UNREADABLE.limit(limit))


def unreadable_for(connection: Connection, reason: str) -> tuple[str, ...]:
    """The matches whose log cannot be read for that reason, the longest known first, by id."""
    return tuple(connection.scalars(_UNREADABLE.where(matches.c.unreadable_reason == reason)))


_UNREADABLE: Final = select(matches.c.id).where(matches.c.unreadable_at.is_not(None)).order_by(matches.c.unreadable_at)


def _of(match_id: ColumnElement[Any], column: ColumnElement[Any]) -> Any:
    """A column of the match with that id."""
    return select(column).where(matches.c.id == match_id).scalar_subquery()


def _page(
    connection: Connection,
    ids: Select[Any],
    made: ColumnElement[Any],
    key: ColumnElement[Any],
    limit: int,
    after: str | None,
    *among: ColumnElement[bool],
) -> tuple[StoredMatch, ...]:
    """At most ``limit`` of the matches with these ids, newest first by ``made`` and ``key``, after
    match ``after``, which is ``among`` those.
    """
    if after is not None:
        last = connection.scalar(select(matches.c.created_at).where(matches.c.id == after, *among))
        if last is None:
            raise UnknownCursor(after)
        ids = ids.where(or_(made < last, and_(made == last, key < after)))
    return _in_order(connection, ids.order_by(made.desc(), key.desc()).limit(limit))


def _in_order(connection: Connection, ids: Select[Any]) -> tuple[StoredMatch, ...]:
    """The matches with the ids that are found, in that order."""
    wanted = connection.scalars(ids).all()
    found = find_all(connection, wanted) if wanted else {}
    return tuple(found[match_id] for match_id in wanted if match_id in found)


@dataclass(frozen=True, slots=True)
class AwaitedBot:
    """A bot that a match awaits, none of whose turns waits for a verdict; ``ply``: the match's."""

    match_id: str
    seat: int
    player_id: str
    ply: int


_BOTS: Final = Rows(AwaitedBot, seats, {"ply": matches.c.ply})
_AWAITED: Final = _BOTS.wanted.join(matches, matches.c.id == seats.c.match_id).where(
    seats.c.player_id.in_(sorted(HOUSE)),
    seats.c.to_act,
    seats.c.resigned_at.is_(None),
    matches.c.status == "running",
    matches.c.unreadable_at.is_(None),
    ~exists().where(
        turns.c.match_id == seats.c.match_id,
        turns.c.player_id == seats.c.player_id,
        turns.c.seat == seats.c.seat,
        turns.c.judged_at.is_(None),
    ),
)
_LAST: Final = (entries.c.match_id == matches.c.id) & (entries.c.ply == matches.c.ply - 1)
_WITH_SINCE: Final = _AWAITED.outerjoin(entries, _LAST)
_SINCE: Final = func.coalesce(entries.c.at, matches.c.started_at)


def count_awaited_bots(connection: Connection) -> int:
    return count(connection, _AWAITED.subquery())


def oldest_awaited_bot(connection: Connection) -> datetime | None:
    """Since when the bot is awaited that is so for longest: since the last entry of its match."""
    since: datetime | None = connection.scalar(_WITH_SINCE.with_only_columns(func.min(_SINCE)))
    return since


def awaited_bots(connection: Connection, limit: int | None = None) -> tuple[AwaitedBot, ...]:
    """At most ``limit``, those first that are awaited for longest."""
    return _BOTS.every(connection, _WITH_SINCE.order_by(_SINCE, seats.c.match_id, seats.c.seat).limit(limit))


def awaited_bot(connection: Connection, match_id: str, seat: int) -> AwaitedBot | None:
    at_seat = _AWAITED.where(seats.c.match_id == match_id, seats.c.seat == seat)
    return next(iter(_BOTS.every(connection, at_seat)), None)


@dataclass(frozen=True, slots=True)
class Shelf:
    """The columns of a match about its archive: when a player of it last visited it, when it is
    looked at next, and how many mails have said that it will be archived.
    """

    visited_at: datetime
    due_at: datetime | None
    mails: int = 0


_SHELVES: Final = Rows(Shelf, matches, {"due_at": matches.c.archive_due_at, "mails": matches.c.archive_mails})


def shelf_of(connection: Connection, match_id: str) -> Shelf | None:
    """What is known of a match; ``None`` where it is never archived."""
    return _SHELVES.find(connection, matches.c.id == match_id, matches.c.visited_at.is_not(None))


def write_shelf(connection: Connection, match_id: str, shelf: Shelf) -> None:
    values = {"visited_at": shelf.visited_at, "archive_due_at": shelf.due_at, "archive_mails": shelf.mails}
    connection.execute(update(matches).where(matches.c.id == match_id).values(values))


def due_for_archive(connection: Connection, now: datetime) -> tuple[str, ...]:
    """The matches that are to be looked at, the longest due first."""
    wanted = select(matches.c.id).where(matches.c.archive_due_at <= now)
    return tuple(connection.scalars(wanted.order_by(matches.c.archive_due_at)))


def is_stale(connection: Connection, match_id: str, player_id: str, before: datetime) -> bool:
    """Whether a running match of the player, also an archived one, was last visited before then."""
    mine = (seats.c.match_id == matches.c.id) & (seats.c.player_id == player_id)
    wanted = select(matches.c.id).join(seats, mine).where(matches.c.id == match_id, matches.c.visited_at < before)
    return connection.scalar(wanted.where(matches.c.status == "running")) is not None


def last_turn(connection: Connection, match_id: str) -> datetime | None:
    """When the last turn of a person was received."""
    people = turns.c.player_id.not_in(sorted(HOUSE))
    wanted = select(func.max(turns.c.submitted_at, type_=turns.c.submitted_at.type))
    found: datetime | None = connection.scalar(wanted.where(turns.c.match_id == match_id, people))
    return found
