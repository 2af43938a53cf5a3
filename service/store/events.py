"""The log of events in the database: what players and watchers of matches are to know.

The events of a match are numbered 1, 2, 3 …, and of those that concern one player alone, the events
of that player too. Both counters are in the rows of the match and of the player, which the
transaction locks: a number is taken in the order of commits, so whoever has read up to a number has
missed nothing before it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection, Table, bindparam, insert, or_, select, update

from service.kinds import Audience, EventKind
from service.payloads import EventPayload, written
from service.store.outbox import NewNotice
from service.store.prepared import Prepared
from service.store.rows import Rows
from service.store.tables import events, matches, players, seats


def _counting(table: Table) -> Prepared:
    """Increases the counter of events in these rows, and gives it."""
    its = table.c.id.in_(bindparam("ids", expanding=True))
    more = table.c.events + bindparam("more")
    return Prepared(update(table).where(its).values(events=more).returning(table.c.id, table.c.events), "ids")


def _locking(table: Table) -> Prepared:
    """Locks these rows in one order. Other rows may still refer to them meanwhile."""
    its = table.c.id.in_(bindparam("ids", expanding=True))
    return Prepared(select(table.c.id).where(its).order_by(table.c.id).with_for_update(key_share=True), "ids")


_ADD: Final = Prepared(insert(events))
# Players are locked after matches, and in one order, so that two transactions cannot deadlock.
_MATCHES: Final = _locking(matches)
_PLAYERS: Final = _locking(players)
_COUNT_MATCHES: Final = _counting(matches)
_COUNT_PLAYERS: Final = _counting(players)


@dataclass(frozen=True, slots=True)
class News:
    """An event to be written, with the notices that tell of it: plain data, also for another
    process.

    ``player_id`` is set where the audience is that player. ``seat`` is whom it is about, ``ply``
    that of the match after it; ``turn_id`` is set only where that player submitted the turn.
    """

    match_id: str
    kind: EventKind
    audience: Audience
    player_id: str | None = None
    seat: int | None = None
    ply: int | None = None
    turn_id: str | None = None
    payload: EventPayload | None = None
    notices: tuple[NewNotice, ...] = ()


@dataclass(frozen=True, slots=True)
class Event:
    """A row of events; ``player_number`` is its number among those of ``player_id``."""

    match_id: str
    number: int
    kind: EventKind
    audience: Audience
    player_id: str | None
    player_number: int | None
    seat: int | None
    ply: int | None
    turn_id: str | None
    payload: Mapping[str, Any] | None
    at: datetime

    @property
    def id(self) -> str:
        """The id by which notices name it."""
        return f"{self.match_id}.{self.number}"


_EVENTS: Final = Rows(Event, events)


def add_all(connection: Connection, new: Sequence[News], now: datetime) -> tuple[str, ...]:
    """Adds events, in this order, and counts them. Returns their ids.

    Call it once in a transaction, with the matches locked: players are locked here.
    """
    if not new:
        return ()
    of_matches = _counted(connection, _MATCHES, _COUNT_MATCHES, Counter(event.match_id for event in new))
    of_players = _counted(
        connection, _PLAYERS, _COUNT_PLAYERS, Counter(event.player_id for event in new if event.player_id is not None)
    )
    rows, ids = [], []
    for event in new:
        number = of_matches[event.match_id] = of_matches[event.match_id] + 1
        own = None
        if event.player_id is not None:
            own = of_players[event.player_id] = of_players[event.player_id] + 1
        payload = None if event.payload is None else written(event.payload)
        about = (event.player_id, own, event.seat, event.ply, event.turn_id, payload)
        added = Event(event.match_id, number, event.kind, event.audience, *about, now)
        rows.append({name: getattr(added, name) for name in Event.__slots__})
        ids.append(added.id)
    _ADD.many(connection, rows)
    return tuple(ids)


def of_match(
    connection: Connection, match_id: str, viewer: str | None, after: int = 0, limit: int = 100
) -> tuple[Event, ...]:
    """At most ``limit`` events of a match after the number ``after`` that the player ``viewer``, or
    a spectator (``None``), may know of, in order.
    """
    may_know = [events.c.audience == "all"]
    if viewer is not None:
        sitting = _sits(connection, match_id, viewer)
        may_know += [events.c.player_id == viewer] + ([events.c.audience == "seats"] if sitting else [])
    of_it = (events.c.match_id == match_id) & (events.c.number > after)
    return _EVENTS.all(connection, of_it, or_(*may_know), order=[events.c.number], limit=limit)


def of_player(connection: Connection, player_id: str, after: int = 0, limit: int = 100) -> tuple[Event, ...]:
    """At most ``limit`` events that concern this player alone, after their number ``after``, in
    order.
    """
    own = (events.c.player_id == player_id) & (events.c.player_number > after)
    return _EVENTS.all(connection, own, order=[events.c.player_number], limit=limit)


def _counted(connection: Connection, lock: Prepared, count: Prepared, added: Counter[str]) -> dict[str, int]:
    """The counters of these rows before, by id, locked and increased by the numbers ``added``."""
    if connection.dialect.name == "postgresql" and added:
        lock.all(connection, {"ids": sorted(added)})
    before: dict[str, int] = {}
    for more in sorted(set(added.values())):
        its = [key for key, number in added.items() if number == more]
        before |= {row.id: row.events - more for row in count.all(connection, {"ids": its, "more": more})}
    return before


def _sits(connection: Connection, match_id: str, player_id: str) -> bool:
    """Whether the player has a seat in the match."""
    mine = select(seats.c.seat).where(seats.c.match_id == match_id, seats.c.player_id == player_id)
    return connection.execute(mine).first() is not None
