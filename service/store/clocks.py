"""The clocks of seats at present, the steps that led to them, and what stops them: the days off of
players, the pauses of matches, and outages.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final, Literal

from sqlalchemy import Connection, Select, and_, delete, func, insert, literal, select, true, update

from engine.play import Mark
from service.clocks.history import BY_BOT, ClockStep, clock_document, stops_by_seat, stops_by_seat_document
from service.clocks.seat import SeatClock, Stop, Stops
from service.clocks.spans import LocalHours, instant, moment
from service.store.statements import Changes, Rows
from service.store.tables import clock_steps, days_off, matches, outages, pauses, players, seat_clocks, seats


@dataclass(frozen=True, slots=True)
class StoredClock:
    """A clock, the quiet hours of the player when its run began, and when its time is up by all
    that was known when it was written.
    """

    match_id: str
    seat: int
    clock: SeatClock
    hours: LocalHours | None = None
    due_at: int | None = None
    remind_at: int | None = None
    reminded_at: int = 0


_SET_DUE: Final = Changes(seat_clocks, "due_at", "remind_at")
_SET: Final = Changes(seat_clocks, "due_at", "remind_at", "document")


def of_matches(connection: Connection, match_ids: Collection[str]) -> dict[str, tuple[StoredClock, ...]]:
    """The clocks of those of these matches that have any, by match, in the order of their seats."""
    found: dict[str, tuple[StoredClock, ...]] = {}
    wanted = select(seat_clocks).where(seat_clocks.c.match_id.in_(match_ids))
    for row in connection.execute(wanted.order_by(seat_clocks.c.match_id, seat_clocks.c.seat)):
        document = dict(row.document)
        hours = LocalHours(*document.pop("hours")) if "hours" in document else None
        reminded, due, remind = document.pop("reminded_at", 0), _instant(row.due_at), _instant(row.remind_at)
        clock = StoredClock(row.match_id, row.seat, SeatClock(**document), hours, due, remind, reminded)
        found[row.match_id] = (*found.get(row.match_id, ()), clock)
    return found


def add(connection: Connection, clocks: Sequence[StoredClock]) -> None:
    connection.execute(insert(seat_clocks), [_due(each) | {"document": _document(each)} for each in clocks])


def write(connection: Connection, clocks: Sequence[StoredClock]) -> None:
    """Changes clocks of locked matches."""
    _SET.make(connection, [_due(each) | {"document": _document(each)} for each in clocks])


def postpone(connection: Connection, clocks: Sequence[StoredClock]) -> None:
    """Writes when the time of these seats is up, and when they are reminded."""
    _SET_DUE.make(connection, [_due(each) for each in clocks])


def to_remind(connection: Connection, until: datetime, player_id: str | None = None) -> tuple[tuple[str, str], ...]:
    """The matches and players to be reminded by then; of one player where that is named."""
    of_seat = (seats.c.match_id == seat_clocks.c.match_id) & (seats.c.seat == seat_clocks.c.seat)
    theirs = true() if player_id is None else seats.c.player_id == player_id
    wanted = select(seats.c.match_id, seats.c.player_id).join(seat_clocks, of_seat)
    due = wanted.where(theirs, seat_clocks.c.remind_at <= until).distinct()
    found = connection.execute(due.order_by(seats.c.player_id, seats.c.match_id))
    return tuple((row.match_id, row.player_id) for row in found)


def set_reminded(connection: Connection, clock: StoredClock, at: int, following: int | None) -> None:
    """Records the reminder of that instant, and when the next one is due."""
    write(connection, [replace(clock, reminded_at=at, remind_at=following)])


def _document(clock: StoredClock) -> dict[str, object]:
    more: dict[str, object] = {} if clock.hours is None else {"hours": list(clock.hours)}
    if clock.reminded_at:
        more["reminded_at"] = clock.reminded_at
    return clock_document(clock.clock) | more


def _due(clock: StoredClock) -> dict[str, object]:
    """The columns but that of the document."""
    times = {"due_at": _moment(clock.due_at), "remind_at": _moment(clock.remind_at)}
    return {"match_id": clock.match_id, "seat": clock.seat} | times


def _moment(at: int | None) -> datetime | None:
    return None if at is None else moment(at)


def due(connection: Connection, until: datetime) -> tuple[str, ...]:
    """The matches with seats whose time is up by their rows, the earliest first."""
    wanted = select(seat_clocks.c.match_id).where(seat_clocks.c.due_at <= until)
    ordered = wanted.order_by(seat_clocks.c.due_at, seat_clocks.c.match_id)
    return tuple(dict.fromkeys(connection.scalars(ordered)))


def due_seats(connection: Connection, match_id: str, until: datetime) -> tuple[int, ...]:
    """The seats of a match whose time is up by their rows, the earliest first."""
    wanted = select(seat_clocks.c.seat).where(seat_clocks.c.match_id == match_id, seat_clocks.c.due_at <= until)
    return tuple(connection.scalars(wanted.order_by(seat_clocks.c.due_at, seat_clocks.c.seat)))


def lengths(connection: Connection, match_ids: Collection[str]) -> dict[str, tuple[int, int]]:
    """How many steps these matches have, and when the last was written; not of those without."""
    last = func.max(clock_steps.c.at, type_=clock_steps.c.at.type)
    counted = select(clock_steps.c.match_id, func.count(), last).where(clock_steps.c.match_id.in_(match_ids))
    return {row[0]: (row[1], instant(row[2])) for row in connection.execute(counted.group_by(clock_steps.c.match_id))}


@dataclass(frozen=True, slots=True)
class StoredClockStep:
    """A step of a match, numbered from 0; ``player_id`` had the seat that it is about."""

    match_id: str
    number: int
    player_id: str | None
    step: ClockStep


def _marks(document: Sequence[Any]) -> tuple[Mark, ...]:
    return tuple(Mark(tuple(awaited), turn_of) for awaited, turn_of in document)


def _instant(at: datetime | None) -> int | None:
    return None if at is None else instant(at)


_STEPS: Final = Rows(
    ClockStep,
    clock_steps,
    read={"counts_at": instant, "at": instant, "stops": stops_by_seat, "not_before": _instant, "marks": _marks},
)


def add_steps(connection: Connection, steps: Sequence[StoredClockStep]) -> None:
    rows = [
        {name: getattr(each.step, name) for name in ClockStep.__slots__}
        | {name: getattr(each, name) for name in ("match_id", "number", "player_id")}
        | {name: _moment(getattr(each.step, name)) for name in ("counts_at", "at", "not_before")}
        | {"stops": stops_by_seat_document(each.step.stops)}
        for each in steps
    ]
    if rows:
        connection.execute(insert(clock_steps), rows)


def steps_of(connection: Connection, match_id: str) -> tuple[ClockStep, ...]:
    return _STEPS.all(connection, clock_steps.c.match_id == match_id, order=[clock_steps.c.number])


def last_mark(connection: Connection, match_id: str) -> Mark:
    """Which seats are awaited since the latest entry of the log, and within whose turn."""
    marked = clock_steps.c.match_id == match_id, func.json_array_length(clock_steps.c.marks) > 0
    (latest,) = _STEPS.all(connection, *marked, order=[clock_steps.c.number.desc()], limit=1)
    return latest.marks[-1]


def late_since(connection: Connection, since: datetime) -> tuple[tuple[str, int], ...]:
    """The steps by which time was up, from then on: matches, and the numbers of the steps."""
    late = clock_steps.c.kind.in_(BY_BOT) & (clock_steps.c.at >= since)
    wanted = select(clock_steps.c.match_id, clock_steps.c.number).where(late)
    found = connection.execute(wanted.order_by(clock_steps.c.match_id, clock_steps.c.number))
    return tuple((row.match_id, row.number) for row in found)


def timed_out(connection: Connection, match_ids: Collection[str]) -> dict[tuple[str, int], int]:
    """How often the time of each seat of these matches was up while its present player had it."""
    own = and_(*(seats.c[name] == clock_steps.c[name] for name in ("match_id", "seat", "player_id")))
    late = clock_steps.c.match_id.in_(match_ids) & clock_steps.c.kind.in_(BY_BOT)
    counted = select(clock_steps.c.match_id, clock_steps.c.seat, func.count()).join(seats, own).where(late)
    rows = connection.execute(counted.group_by(clock_steps.c.match_id, clock_steps.c.seat))
    return {(row[0], row[1]): row[2] for row in rows}


def days_off_of(connection: Connection, player_ids: Collection[str], since: datetime | None) -> dict[str, Stops]:
    """The days off of players, by player; those that did not end before ``since``."""
    wanted = select(days_off.c.player_id, literal("days_off"), days_off.c.start_at, days_off.c.end_at)
    lately = true() if since is None else days_off.c.end_at > since
    return _stops(connection, wanted.where(days_off.c.player_id.in_(player_ids), lately).order_by(days_off.c.start_at))


def stops_of(connection: Connection, match_ids: Collection[str]) -> dict[str, Stops]:
    """The pauses of matches, and the outages of them alone, by match."""
    wanted = select(pauses.c.match_id, pauses.c.kind, pauses.c.start_at, pauses.c.end_at)
    return _stops(connection, wanted.where(pauses.c.match_id.in_(match_ids)).order_by(pauses.c.start_at))


def _stops(connection: Connection, wanted: Select[Any]) -> dict[str, Stops]:
    """The stops that are found, by whose they are."""
    found: dict[str, Stops] = {}
    for whose, kind, start_at, end_at in connection.execute(wanted):
        found[whose] = (*found.get(whose, ()), Stop(kind, instant(start_at), instant(end_at)))
    return found


def outages_since(connection: Connection, since: datetime) -> Stops:
    """The outages that are over and did not end before ``since``."""
    wanted = select(outages).where(outages.c.end_at > since).order_by(outages.c.start_at)
    return tuple(Stop("outage", instant(row.start_at), instant(row.end_at)) for row in connection.execute(wanted))


@dataclass(frozen=True, slots=True)
class StoredPause:
    """A row of pauses. ``outage``: it was not agreed on, but the match could not be read."""

    id: str
    match_id: str
    start_at: datetime
    end_at: datetime
    kind: Literal["pause", "outage"] = "pause"


_PAUSES: Final = Rows(StoredPause, pauses)
add_pause: Final = _PAUSES.add


def pause_at(connection: Connection, match_id: str, now: datetime) -> StoredPause | None:
    """The pause of a match that goes on at ``now``."""
    on = pauses.c.match_id == match_id, pauses.c.kind == "pause", pauses.c.start_at <= now, pauses.c.end_at > now
    return next(iter(_PAUSES.all(connection, *on, order=[pauses.c.end_at.desc()], limit=1)), None)


def shorten_pause(connection: Connection, pause: StoredPause, end_at: datetime) -> None:
    connection.execute(update(pauses).where(pauses.c.id == pause.id).values(end_at=end_at))


@dataclass(frozen=True, slots=True)
class StoredDaysOff:
    """Days off: ``days`` are those that they take, less those that were given back; ``automatic``:
    they began because the player's time would have been up.
    """

    id: str
    player_id: str
    declared_at: datetime
    start_at: datetime
    end_at: datetime
    days: int
    automatic: bool = False


_DAYS_OFF: Final = Rows(StoredDaysOff, days_off)
add_days_off: Final = _DAYS_OFF.add


def lock_days_off(connection: Connection, player_id: str) -> None:
    """Locks the days off of a player until the end of the transaction."""
    connection.execute(select(players.c.id).where(players.c.id == player_id).with_for_update(key_share=True))


def days_off_of_player(connection: Connection, player_id: str) -> tuple[StoredDaysOff, ...]:
    return _DAYS_OFF.all(connection, days_off.c.player_id == player_id, order=[days_off.c.start_at])


def shorten_days_off(connection: Connection, days_off_id: str, end_at: datetime, days: int) -> None:
    connection.execute(update(days_off).where(days_off.c.id == days_off_id).values(end_at=end_at, days=days))


def remove_days_off(connection: Connection, days_off_id: str) -> None:
    """Removes days off that have not begun."""
    connection.execute(delete(days_off).where(days_off.c.id == days_off_id))


def matches_awaiting(connection: Connection, player_id: str) -> tuple[str, ...]:
    """The running matches with a clock that await the player."""
    mine = (
        select(seats.c.match_id)
        .join(matches, matches.c.id == seats.c.match_id)
        .where(seats.c.player_id == player_id, seats.c.to_act, matches.c.status == "running")
        .where(matches.c.clock.is_not(None))
        .order_by(seats.c.match_id)
    )
    return tuple(connection.scalars(mine))
