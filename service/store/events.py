"""The log of events: what players and watchers of matches are to know.

The events of a match are numbered from 1, and for each player those that they may know of: whatever
concerns them alone, and what happens in a match while they have a seat in it. The counters are in
the rows of the match and of the player, which the transaction locks: numbers are taken in the order
of commits, so whoever has read up to one has missed nothing before it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal, TypeAlias

from sqlalchemy import Connection, Table, bindparam, insert, or_, select, update

from service.house import bot_level
from service.kinds import Audience, EventKind
from service.payloads import EventPayload, written
from service.store.outbox import NewNotice
from service.store.statements import Old, Prepared, Rows
from service.store.tables import events, matches, player_events, players, seats

EventsOwner: TypeAlias = tuple[Literal["match", "player"], str]
"""Whose events are numbered: a match, or a player, by id."""
_COUNTERS: Final[Mapping[str, Table]] = {"match": matches, "player": players}
_NUMBERED: Final = {"match": (events.c.match_id, events.c), "player": (player_events.c.player_id, player_events.c)}
OLD_PLAYER_EVENTS: Final = Old(player_events.c.at)
"""The numbers that events have for players; the events of matches are kept."""


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
_ADD_FOR_PLAYERS: Final = Prepared(insert(player_events))
_SEATED: Final = Prepared(
    select(seats.c.match_id, seats.c.player_id).where(
        seats.c.match_id.in_(bindparam("ids", expanding=True)), seats.c.player_id.is_not(None)
    ),
    "ids",
)
# Players are locked after matches, and in one order, so that two transactions cannot deadlock.
_MATCHES: Final = _locking(matches)
_PLAYERS: Final = _locking(players)
_COUNT_MATCHES: Final = _counting(matches)
_COUNT_PLAYERS: Final = _counting(players)


@dataclass(frozen=True, slots=True)
class News:
    """An event to be written, with the notices that tell of it: plain data, also for another
    process. ``player_id`` is set where the audience is that player, ``turn_id`` where that player
    submitted the turn; ``seat`` is whom it is about, ``ply`` that of the match after it.
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
    match_id: str
    number: int
    kind: EventKind
    audience: Audience
    player_id: str | None
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
    """Adds events, in this order, and counts them. Returns their ids. Call it once in a
    transaction, with the matches locked: players are locked here.
    """
    if not new:
        return ()
    of_matches = _counted(connection, _MATCHES, _COUNT_MATCHES, Counter(event.match_id for event in new))
    seated = _seated(connection, {event.match_id for event in new if event.audience in ("all", "seats")})
    readers = [_readers(event, seated) for event in new]
    of_players = _counted(connection, _PLAYERS, _COUNT_PLAYERS, Counter(each for found in readers for each in found))
    added, for_players = list[Event](), list[dict[str, Any]]()
    for event, reading in zip(new, readers, strict=True):
        number = of_matches[event.match_id] = of_matches[event.match_id] + 1
        payload = None if event.payload is None else written(event.payload)
        about = (event.player_id, event.seat, event.ply, event.turn_id, payload)
        added.append(Event(event.match_id, number, event.kind, event.audience, *about, now))
        for player_id in reading:
            own = of_players[player_id] = of_players[player_id] + 1
            for_players.append(
                {"player_id": player_id, "number": own, "match_id": event.match_id, "event": number, "at": now}
            )
    _ADD.many(connection, [{name: getattr(event, name) for name in Event.__slots__} for event in added])
    if for_players:
        _ADD_FOR_PLAYERS.many(connection, for_players)
    return tuple(event.id for event in added)


def of_match(
    connection: Connection, match_id: str, viewer: str | None, after: int = 0, limit: int = 100
) -> tuple[Event, ...]:
    """At most ``limit`` events of a match after the number ``after``, in order, that the player
    ``viewer``, or a spectator (``None``), may know of.
    """
    may_know = [events.c.audience == "all"]
    if viewer is not None:
        sitting = _sits(connection, match_id, viewer)
        may_know += [events.c.player_id == viewer] + ([events.c.audience == "seats"] if sitting else [])
    of_it = (events.c.match_id == match_id) & (events.c.number > after)
    return _EVENTS.all(connection, of_it, or_(*may_know), order=[events.c.number], limit=limit)


def of_player(
    connection: Connection, player_id: str, after: int = 0, limit: int = 100
) -> tuple[tuple[int, Event], ...]:
    """At most ``limit`` events that this player may know of after the number ``after``, in order,
    each with its number for the player.
    """
    own = player_events.c.number
    told = (player_events.c.match_id == events.c.match_id) & (player_events.c.event == events.c.number)
    wanted = _EVENTS.wanted.add_columns(own.label("own")).join(player_events, told)
    mine = wanted.where(player_events.c.player_id == player_id, own > after).order_by(own).limit(limit)
    return tuple((row.own, _EVENTS.of(row)) for row in connection.execute(mine))


def last_numbers(connection: Connection, subjects: Collection[EventsOwner]) -> dict[EventsOwner, int]:
    """The numbers of the latest events of matches and players, for those that exist."""
    found: dict[EventsOwner, int] = {}
    for kind, table in _COUNTERS.items():
        ids = [name for its, name in subjects if its == kind]
        if ids:
            rows = connection.execute(select(table.c.id, table.c.events).where(table.c.id.in_(ids)))
            found |= {(kind, row.id): row.events for row in rows}  # type: ignore[misc]
    return found


def written_at(connection: Connection, subject: EventsOwner, number: int) -> datetime | None:
    """When the event of that number was written; ``None`` where it is not, or no longer, there."""
    owner, its = _NUMBERED[subject[0]]
    at: datetime | None = connection.scalar(select(its.at).where(owner == subject[1], its.number == number))
    return at


def _seated(connection: Connection, match_ids: Collection[str]) -> dict[str, list[str]]:
    """The people who have a seat, by match."""
    found: dict[str, list[str]] = {}
    if match_ids:
        for row in _SEATED.all(connection, {"ids": sorted(match_ids)}):
            if bot_level(row.player_id) is None:
                found.setdefault(row.match_id, []).append(row.player_id)
    return found


def _readers(event: News, seated: Mapping[str, Sequence[str]]) -> Sequence[str]:
    """The players for whom an event is numbered."""
    if event.audience in ("all", "seats"):
        return seated.get(event.match_id, ())
    return () if event.player_id is None else (event.player_id,)


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
