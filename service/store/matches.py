"""Matches: their seats, their logs, and the steps that go on with them, written for many matches
with a few statements. What is read here contains secrets and must not leave the use cases.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, bindparam, func, insert, select, update

from engine.bots import Level
from engine.record import Handover, names_at
from engine.types import CHANCE
from engine.wording import seat_name
from service.house import bot_level
from service.statuses import MatchStatus
from service.store import component_sets
from service.store.statements import Changes, Prepared
from service.store.tables import component_sets as sets
from service.store.tables import entries, matches, players, seats

_ELSEWHERE = ("events", "visited_at", "archive_due_at", "archive_mails")
_HEAD = [column for column in matches.c if column.name not in _ELSEWHERE]
"""The columns of a match but those that ``events`` and ``match_lists`` alone use."""


@dataclass(frozen=True, slots=True)
class StoredSeat:
    """A row of seats, with the name of the player."""

    seat: int
    player_id: str | None
    player_name: str | None
    invited_email: str | None
    invited_at: datetime | None
    nonce: str | None
    joined_at: datetime | None
    resigned_at: datetime | None
    resigned_ply: int | None
    to_act: bool
    held_at: datetime | None = None
    """Since when a bot plays it, as its player's time was up; ``None`` where none does."""
    replaced: bool = False
    """Whether that bot has it for good, rather than until its player comes back."""
    owner_id: str | None = None
    """The player whose bot has it; ``None`` where a person has it, or a bot of the house."""
    suspended_at: datetime | None = None
    """Since when its player has been suspended; ``None`` for anybody else."""

    @property
    def away_since(self) -> datetime | None:
        """Since when a bot holds it, or its player has been suspended."""
        return min((at for at in (self.held_at, self.suspended_at) if at is not None), default=None)

    @property
    def by_bot(self) -> bool:
        """Whether a bot plays it since its player's time was up."""
        return self.held_at is not None

    @property
    def is_owned(self) -> bool:
        """Whether a person has it, also one who is away, and has neither resigned nor lost it."""
        return self.player_id is not None and self.bot is None and self.resigned_at is None and not self.replaced

    @property
    def bot(self) -> Level | None:
        """The level of the bot that has the seat; ``None`` where a person has it, or nobody."""
        return bot_level(self.player_id)

    def is_kept_for(self, addresses: Collection[str]) -> bool:
        """Whether it is free, and one of these folded addresses is invited to it."""
        return self.player_id is None and self.invited_email in addresses


@dataclass(frozen=True, slots=True)
class StoredMatch:
    """A row of matches with its seats, without the component set. It contains the secret."""

    id: str
    game: str
    rules_version: int
    components_name: str
    components_digest: str
    options: Mapping[str, Any]
    title: str
    status: MatchStatus
    created_by: str
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    ply: int
    secret: bytes
    commitment: str
    outcome: Mapping[str, Any] | None
    seats: tuple[StoredSeat, ...]
    unreadable_at: datetime | None = None
    unreadable_reason: str | None = None
    """A code where the log cannot be read; otherwise when it was last mended, if ever."""
    clock: Mapping[str, Any] | None = None
    """The rule of its clocks as a document; ``None`` where it has none."""
    early_end: Mapping[str, Any] | None = None
    """How, and by which seats, it was agreed to end the match; ``None`` where it was not."""
    handed_over: Sequence[Mapping[str, Any]] | None = None
    """The seats that were handed to other players, as documents, with the players before."""
    unlisted: bool = False
    """Whether it is shown to those alone who sit, are invited, or have the join link."""
    join_secret: str | None = None
    """What leads to it as the join link; ``None`` where nothing does."""

    @property
    def handovers(self) -> tuple[Handover, ...]:
        """The seats that were handed to other players, in order."""
        found = ({name: each[name] for name in Handover.__slots__} for each in self.handed_over or ())
        return tuple(Handover(**document) for document in found)

    def holders(self, seat: int) -> frozenset[str | None]:
        """All players who have had a seat."""
        before = (each["player_id"] for each in self.handed_over or () if each["seat"] == seat)
        return frozenset((self.seats[seat].player_id, *before))

    def names_at(self, ply: int) -> tuple[str, ...]:
        """The players' names by seat when the entry at ``ply`` was made."""
        return names_at(self.names, self.handovers, ply) if self.handed_over else self.names

    @property
    def is_on(self) -> bool:
        """Whether it can be played: it runs, or is archived, which a turn ends."""
        return self.status in ("running", "archived")

    @property
    def is_over(self) -> bool:
        """Whether it was played and has ended, so that nothing of it is hidden any more."""
        return self.started_at is not None and self.finished_at is not None

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names by seat; an empty seat is named by its number."""
        return tuple(seat.player_name or seat_name(seat.seat) for seat in self.seats)

    @property
    def resigned(self) -> tuple[StoredSeat, ...]:
        """The seats that have resigned, first to last."""
        gone = (seat for seat in self.seats if seat.resigned_at is not None)
        return tuple(sorted(gone, key=lambda seat: (seat.resigned_ply or 0, seat.resigned_at or self.created_at)))

    @property
    def played_by_bots(self) -> frozenset[int]:
        """The seats for which a bot acts within the steps of others: those that have resigned, and
        those that a bot holds until their player comes back.
        """
        return frozenset(seat.seat for seat in self.seats if seat.resigned_at is not None or seat.by_bot)

    @property
    def without_clock(self) -> frozenset[int]:
        """The seats whose clock never runs."""
        return self.played_by_bots | self.bots

    @property
    def bots(self) -> frozenset[int]:
        """The seats that bots have."""
        return frozenset(seat.seat for seat in self.seats if seat.bot is not None)

    def seat_of(self, player_id: str | None) -> int | None:
        """The player's seat; ``None`` for a spectator."""
        return next((seat.seat for seat in self.seats if player_id is not None and seat.player_id == player_id), None)


@dataclass(frozen=True, slots=True)
class StoredEntry:
    ply: int
    seat: int
    action: Mapping[str, Any]
    at: datetime


_HEAD_NAMES: Final = tuple(column.name for column in _HEAD)
_OF_PLAYER: Final = {"player_name": "name", "owner_id": "owner_id", "suspended_at": "suspended_at"}
"""The fields of a seat that are those of its player, by the column."""
_SEAT: Final = [
    players.c[_OF_PLAYER[name]].label(name) if name in _OF_PLAYER else seats.c[name].label(f"seat_{name}")
    for name in StoredSeat.__dataclass_fields__
]
_WITH_SEATS: Final = Prepared(
    select(*_HEAD, *_SEAT)
    .join(seats, seats.c.match_id == matches.c.id)
    .join(players, players.c.id == seats.c.player_id, isouter=True)
    .where(matches.c.id.in_(bindparam("of_matches", expanding=True)))
    .order_by(matches.c.id, seats.c.seat),
    "of_matches",
)
_LOG: Final = Prepared(
    select(entries.c.ply, entries.c.seat, entries.c.action, entries.c.at)
    .where(entries.c.match_id == bindparam("match_id"))
    .where(entries.c.ply >= bindparam("start"), entries.c.ply < bindparam("stop"))
    .order_by(entries.c.ply)
)
_LOCK: Final = Prepared(
    select(matches.c.id)
    .where(matches.c.id.in_(bindparam("of_matches", expanding=True)))
    .order_by(matches.c.id)
    .with_for_update(),
    "of_matches",
)
_POSITIONS: Final = Prepared(
    select(*matches.c["id", "ply", "status"], *seats.c["player_id", "resigned_at", "to_act", "held_at"])
    .join(seats, seats.c.match_id == matches.c.id)
    .where(matches.c.id.in_(bindparam("of_matches", expanding=True)))
    .order_by(matches.c.id, seats.c.seat),
    "of_matches",
)


def add(connection: Connection, match: StoredMatch, components: Mapping[str, Any]) -> None:
    """Adds a match with its seats, and its component set if no match had it before."""
    component_sets.add(connection, match.components_digest, components, match.created_at)
    connection.execute(insert(matches).values({column.name: getattr(match, column.name) for column in _HEAD}))
    connection.execute(insert(seats), [_seat_values(match.id, seat) for seat in match.seats])


def find(connection: Connection, match_id: str) -> StoredMatch | None:
    return find_all(connection, [match_id]).get(match_id)


def find_all(connection: Connection, match_ids: Sequence[str]) -> dict[str, StoredMatch]:
    sitting: dict[str, list[Any]] = {}
    for row in _WITH_SEATS.all(connection, {"of_matches": match_ids}):
        sitting.setdefault(row.id, []).append(row)
    return {match_id: _match(rows) for match_id, rows in sitting.items()}


def lock(connection: Connection, match_id: str) -> StoredMatch | None:
    """The match with that id, locked until the end of the transaction."""
    return lock_all(connection, [match_id]).get(match_id)


def lock_all(connection: Connection, match_ids: Collection[str]) -> dict[str, StoredMatch]:
    """The matches by id, locked in one order, so that two transactions cannot deadlock."""
    _lock(connection, list(match_ids))
    return find_all(connection, list(match_ids))


@dataclass(frozen=True, slots=True)
class Position:
    """What of a match decides whether a ruling on one of its turns still holds."""

    ply: int
    status: MatchStatus
    seats: tuple[tuple[str | None, bool, bool, bool], ...]
    """For each seat its player, whether it has resigned, whether it is awaited, and whether a bot
    plays it.
    """


def position(match: StoredMatch) -> Position:
    seats = ((seat.player_id, seat.resigned_at is not None, seat.to_act, seat.by_bot) for seat in match.seats)
    return Position(match.ply, match.status, tuple(seats))


def lock_positions(connection: Connection, match_ids: Sequence[str]) -> dict[str, Position]:
    """The present positions of matches by id, locked in the same order."""
    _lock(connection, match_ids)
    rows = _POSITIONS.all(connection, {"of_matches": match_ids})
    seated: dict[str, list[tuple[str | None, bool, bool, bool]]] = {row.id: [] for row in rows}
    for row in rows:
        seated[row.id].append((row.player_id, row.resigned_at is not None, row.to_act, row.held_at is not None))
    return {row.id: Position(row.ply, row.status, tuple(seated[row.id])) for row in rows}


def _lock(connection: Connection, match_ids: Sequence[str]) -> None:
    """By a statement of its own: one that waits for the lock sees the seats as they were before."""
    if connection.dialect.name == "postgresql":
        _LOCK.all(connection, {"of_matches": match_ids})


def find_by_link(connection: Connection, secret: str) -> StoredMatch | None:
    """The match to which the join link with that secret leads."""
    match_id = connection.scalar(select(matches.c.id).where(matches.c.join_secret == secret))
    return None if match_id is None else find(connection, match_id)


def set_join_secret(connection: Connection, match_id: str, secret: str) -> None:
    """Gives a locked match another join link; the one before leads nowhere."""
    connection.execute(update(matches).where(matches.c.id == match_id).values(join_secret=secret))


def set_unreadable(connection: Connection, match_id: str, reason: str, now: datetime) -> None:
    _mark(connection, match_id, now, reason)


def set_mended(connection: Connection, match_id: str, now: datetime) -> None:
    """Marks a match as readable again, and since when: whoever read it before knows by that."""
    _mark(connection, match_id, None, f"mended {now.isoformat()}")


def _mark(connection: Connection, match_id: str, at: datetime | None, reason: str) -> None:
    mark = {"unreadable_at": at, "unreadable_reason": reason}
    connection.execute(update(matches).where(matches.c.id == match_id).values(mark))


def components(connection: Connection, match_id: str) -> Mapping[str, Any]:
    """The component set of a match; empty where it is not stored, which no game can read."""
    own = select(sets.c.document).join(matches, matches.c.components_digest == sets.c.digest)
    return connection.scalar(own.where(matches.c.id == match_id)) or {}


def take_seat(connection: Connection, match_id: str, seat: int, player_id: str, nonce: str, now: datetime) -> None:
    """Gives a seat of a locked match to a player."""
    connection.execute(update(seats).where(_is(match_id, seat)).values(player_id=player_id, nonce=nonce, joined_at=now))


def free_seat(connection: Connection, match_id: str, seat: int) -> None:
    """Frees a seat of a locked match; anybody may take it then."""
    nobody = dict.fromkeys(("player_id", "nonce", "joined_at", "invited_email", "invited_at"))
    connection.execute(update(seats).where(_is(match_id, seat)).values(nobody))


def keep_seat(connection: Connection, match_id: str, seat: int, email: str | None, now: datetime) -> None:
    """Keeps a free seat of a locked match for that address, folded; with ``None`` for nobody."""
    invited = {"invited_email": email, "invited_at": None if email is None else now}
    connection.execute(update(seats).where(_is(match_id, seat)).values(invited))


def resign(connection: Connection, match_id: str, seat: int, ply: int, now: datetime) -> None:
    """Records that a seat of a locked match resigned when the log had ``ply`` entries: after those
    that have, whatever the clock says, as records have the order.
    """
    latest = func.max(seats.c.resigned_at, type_=seats.c.resigned_at.type)
    last = connection.scalar(select(latest).where(seats.c.match_id == match_id))
    at = now if last is None else max(now, last + timedelta(microseconds=1))
    connection.execute(update(seats).where(_is(match_id, seat)).values(resigned_at=at, resigned_ply=ply))


def hold_seat(connection: Connection, match_id: str, seat: int, held_at: datetime | None, for_good: bool) -> None:
    """Records since when a bot holds a seat of a locked match; with ``None`` none does."""
    connection.execute(update(seats).where(_is(match_id, seat)).values(held_at=held_at, replaced=for_good))


def hand_over(connection: Connection, match: StoredMatch, handover: Handover, player_id: str, now: datetime) -> None:
    """Gives a seat of a locked match to another player."""
    taken = {"player_id": player_id, "joined_at": now, "invited_email": None, "invited_at": None}
    connection.execute(update(seats).where(_is(match.id, handover.seat)).values(taken))
    document = {name: getattr(handover, name) for name in Handover.__slots__}
    before = {"player_id": match.seats[handover.seat].player_id}
    known = [*(match.handed_over or ()), document | before]
    connection.execute(update(matches).where(matches.c.id == match.id).values(handed_over=known))


def set_status(connection: Connection, match_id: str, status: MatchStatus, now: datetime) -> None:
    """Sets the status of a match, and with it the time of its start or end."""
    moments = {"running": "started_at", "finished": "finished_at", "cancelled": "finished_at"}
    times = {moments[status]: now} if status in moments else {}
    connection.execute(update(matches).where(matches.c.id == match_id).values({"status": status} | times))


def log(connection: Connection, match_id: str, start: int, stop: int) -> tuple[StoredEntry, ...]:
    """The entries from ply ``start`` to before ply ``stop``."""
    found = _LOG.all(connection, {"match_id": match_id, "start": start, "stop": stop})
    return tuple(StoredEntry(row.ply, row.seat, row.action, row.at) for row in found)


def last_entry_of(connection: Connection, match_id: str, seat: int, stop: int) -> int | None:
    """The ply of the last entry of a seat before ply ``stop``; ``None`` where there is none."""
    own = (entries.c.match_id == match_id) & (entries.c.seat == seat) & (entries.c.ply < stop)
    return connection.scalar(select(entries.c.ply).where(own).order_by(entries.c.ply.desc()).limit(1))


def next_entry_of_a_seat(connection: Connection, match_id: str, start: int, stop: int) -> int:
    """The ply of the first entry of a seat, not chance's, from ply ``start`` on; ``stop`` where
    there is none before that.
    """
    wanted = (entries.c.match_id == match_id) & (entries.c.ply >= start) & (entries.c.ply < stop)
    first = select(entries.c.ply).where(wanted, entries.c.seat != CHANCE).order_by(entries.c.ply).limit(1)
    found = connection.scalar(first)
    return stop if found is None else found


def _match(rows: Sequence[Any]) -> StoredMatch:
    """A match from the rows of its seats, each of which has the columns of the match too."""
    seated = tuple(StoredSeat(*row[len(_HEAD) :]) for row in rows)
    return StoredMatch(seats=seated, **dict(zip(_HEAD_NAMES, rows[0], strict=False)))


def _is(match_id: str, seat: int) -> ColumnElement[bool]:
    return (seats.c.match_id == match_id) & (seats.c.seat == seat)


def _seat_values(match_id: str, seat: StoredSeat) -> dict[str, Any]:
    return {"match_id": match_id} | {
        name: getattr(seat, name) for name in StoredSeat.__dataclass_fields__ if name not in _OF_PLAYER
    }


_APPEND: Final = Prepared(insert(entries))
_SET_PLY: Final = Changes(matches, "ply")
_AWAIT: Final = Changes(seats, "to_act")
_REOPEN: Final = Changes(matches, "visited_at", "archive_due_at", status="running", archive_mails=0)
_FINISH: Final = Changes(matches, "status", "finished_at", "outcome", "early_end")


@dataclass(frozen=True, slots=True)
class StoredStep:
    """The rows of one step: (seat, action) pairs to append after the ``ply`` existing entries, the
    seats that become awaited or cease to be, and the outcome where the match is over. With an
    ``early_end`` and no outcome it is called off. A step ``reopens`` a match that was archived.
    """

    match_id: str
    ply: int
    entries: tuple[tuple[int, Mapping[str, Any]], ...]
    turn_id: str | None
    awaits: Mapping[int, bool]
    outcome: Mapping[str, Any] | None
    early_end: Mapping[str, Any] | None = None
    reopens: bool = False


def write_steps(connection: Connection, steps: Sequence[StoredStep], now: datetime) -> None:
    """Writes the steps of locked matches, at most one per match. Raises ``IntegrityError`` where
    one of the plies has an entry already: the last guard against judging twice.
    """
    log = [
        {"match_id": step.match_id, "ply": ply, "seat": seat, "action": action, "turn_id": step.turn_id, "at": now}
        for step in steps
        for ply, (seat, action) in enumerate(step.entries, step.ply)
    ]
    awaits = [
        {"match_id": step.match_id, "seat": seat, "to_act": awaited}
        for step in steps
        for seat, awaited in step.awaits.items()
    ]
    reopened = [{"id": step.match_id, "visited_at": now, "archive_due_at": now} for step in steps if step.reopens]
    over = [
        {"id": step.match_id, "status": "cancelled" if step.outcome is None else "finished", "finished_at": now}
        | {"outcome": step.outcome, "early_end": step.early_end}
        for step in steps
        if step.outcome is not None or step.early_end is not None
    ]
    if log:
        _APPEND.many(connection, log)
    _SET_PLY.make(
        connection, [{"id": step.match_id, "ply": step.ply + len(step.entries)} for step in steps if step.entries]
    )
    _AWAIT.make(connection, awaits)
    _REOPEN.make(connection, reopened)
    _FINISH.make(connection, over)
