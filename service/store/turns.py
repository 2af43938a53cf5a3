"""Submitted turns in the database."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, Literal

from sqlalchemy import Connection, and_, bindparam, delete, or_, select, update
from sqlalchemy.dialects import postgresql, sqlite

from service.errors import UnknownCursor
from service.statuses import TurnStatus
from service.store.matches import StoredEntry
from service.store.statements import Changes, Prepared, Rows, any_row
from service.store.tables import entries, match_preferences, players, seats, turns


@dataclass(frozen=True, slots=True)
class StoredTurn:
    """A submitted turn. ``document`` has ``actions`` and, where they were parsed from notation,
    ``notation``; ``attempts`` is how often a process died or ran out of time while it judged the
    turn; ``in_reply_to`` is the Message-ID of the mail that carried it; ``awaited_by`` is the
    address to which its verdict is announced (``service.announcements``), until there is one.
    """

    id: str
    match_id: str
    seat: int
    player_id: str
    ply: int
    document: Mapping[str, Any]
    submitted_at: datetime
    idempotency_key: str | None = None
    fingerprint: str = ""
    status: TurnStatus = "queued"
    verdict: Mapping[str, Any] | None = None
    judged_at: datetime | None = None
    attempts: int = 0
    in_reply_to: str | None = None
    kind: Literal["turn", "clock", "early_end"] = "turn"
    """``clock``: what follows from time that was up; ``early_end``: the end of the match. No
    player has submitted these.
    """
    awaited_by: str | None = field(default=None, repr=False)


class TurnsUnreadable(Exception):
    """The rows of the turns with these ``ids`` cannot be read."""

    def __init__(self, ids: Sequence[str]) -> None:
        super().__init__(", ".join(ids))
        self.ids = ids


MOST_TRIED: Final = 3
"""After so many attempts that failed a queued turn is taken no more."""
STORED: Final = tuple(StoredTurn.__dataclass_fields__)
QUEUED: Final = "queued"
HELD: Final = "held"
"""The status in the database of a queued turn whose match cannot be read at present: no worker
takes it.
"""


def shown_status(status: str) -> TurnStatus:
    """The status of a turn, for which being held is a matter of the database."""
    return "queued" if status == HELD else status  # type: ignore[return-value]


TURNS: Final = Rows(StoredTurn, turns, read={"status": shown_status})
find: Final = TURNS.by(turns.c.id)
by_key: Final = TURNS.by(turns.c.player_id, turns.c.idempotency_key)
PENDING: Final = turns.c.status.in_([QUEUED, HELD])
_ADD: Final = Prepared(
    {
        "sqlite": sqlite.insert(turns).on_conflict_do_nothing(),
        "postgresql": postgresql.insert(turns).on_conflict_do_nothing(),
    }
)
_VERDICTS: Final = Prepared(
    select(turns.c.id, turns.c.status, turns.c.verdict, turns.c.judged_at, seats.c.to_act)
    .join(seats, (seats.c.match_id == turns.c.match_id) & (seats.c.seat == turns.c.seat))
    .where(turns.c.id.in_(bindparam("ids", expanding=True))),
    "ids",
)
ENTRIES_AT_ONCE: Final = 16
"""The most entries that are read with a verdict."""
_ENTRIES_SINCE: Final = Prepared(
    select(turns.c.id, entries.c.ply, entries.c.seat, entries.c.action, entries.c.at)
    .join(
        entries,
        (entries.c.match_id == turns.c.match_id)
        & (entries.c.ply >= turns.c.ply)
        & (entries.c.ply < turns.c.ply + ENTRIES_AT_ONCE),
    )
    .where(turns.c.id.in_(bindparam("ids", expanding=True)))
    .order_by(turns.c.id, entries.c.ply),
    "ids",
)
_OLDEST: Final = Prepared(
    TURNS.wanted.where(turns.c.status == QUEUED, turns.c.attempts == 0)
    .order_by(turns.c.submitted_at, turns.c.id)
    .limit(bindparam("most"))
)
_TRIED: Final = Prepared(
    TURNS.wanted.where(turns.c.status == QUEUED, turns.c.attempts > 0, turns.c.attempts <= MOST_TRIED)
    .order_by(turns.c.attempts, turns.c.submitted_at, turns.c.id)
    .limit(bindparam("most"))
)
# By the key alone: with the status PostgreSQL may read the index of all waiting turns.
_LOCK: Final = Prepared(
    select(turns.c.id, turns.c.status)
    .where(turns.c.id.in_(bindparam("ids", expanding=True)))
    .order_by(turns.c.id)
    .with_for_update(),
    "ids",
)
_CONFIRM: Final = Prepared(
    select(match_preferences.c.document, players.c.preferences)
    .select_from(
        players.outerjoin(
            match_preferences,
            (match_preferences.c.player_id == players.c.id) & (match_preferences.c.match_id == bindparam("of_match")),
        )
    )
    .where(players.c.id == bindparam("of_player"))
)
_JUDGED: Final = ("status", "verdict", "judged_at", "attempts")
_SET_VERDICT: Final = Changes(turns, *_JUDGED, slot=None, awaited_by=None)


@dataclass(frozen=True, slots=True)
class VerdictRow:
    """The verdict of a turn; ``awaited``: whether the match awaits its seat at present;
    ``entries``: the first of the match since the ply that the turn answers.
    """

    status: TurnStatus
    verdict: Mapping[str, Any] | None
    judged_at: datetime | None
    awaited: bool
    entries: tuple[StoredEntry, ...]


def confirm_of(connection: Connection, player_id: str, match_id: str) -> str:
    """Which of their turns in the match a player wants to confirm: their preference ``confirm``."""
    for row in _CONFIRM.all(connection, {"of_player": player_id, "of_match": match_id}):
        for chosen in row:
            if chosen and "confirm" in chosen:
                return str(chosen["confirm"])
    return "never"


def add_all(connection: Connection, submitted: Sequence[StoredTurn]) -> frozenset[str]:
    """Adds turns. Returns the ids of those that were not added, because their player has used the
    idempotency key before or their seat has a waiting turn.
    """
    # In the order of their slots, so that two transactions for the same seats cannot deadlock. They
    # still can where a player uses one key for two seats; then each is added alone (``Batcher``).
    ordered = sorted(submitted, key=_slot)
    rows = [{name: getattr(turn, name) for name in STORED} | {"slot": _slot(turn)} for turn in ordered]
    added = _ADD.many(connection, rows)
    if added == len(rows):
        return frozenset()
    ids = [turn.id for turn in ordered]
    return frozenset(ids).difference(connection.scalars(select(turns.c.id).where(turns.c.id.in_(ids))))


def verdicts(connection: Connection, turn_ids: Sequence[str]) -> dict[str, VerdictRow]:
    """The statuses and verdicts of these turns, by id."""
    found = _VERDICTS.all(connection, {"ids": turn_ids})
    since: dict[str, list[StoredEntry]] = {row.id: [] for row in found}
    for row in _ENTRIES_SINCE.all(connection, {"ids": turn_ids}):
        since[row.id].append(StoredEntry(row.ply, row.seat, row.action, row.at))
    return {
        row.id: VerdictRow(shown_status(row.status), row.verdict, row.judged_at, row.to_act, tuple(since[row.id]))
        for row in found
    }


def of_player(
    connection: Connection, match_id: str, player_id: str, limit: int, after: str | None
) -> tuple[StoredTurn, ...]:
    """At most ``limit`` turns of the player in a match, oldest first, after turn ``after``. Raises
    ``UnknownCursor``.
    """
    mine = (turns.c.player_id == player_id) & (turns.c.kind == "turn")
    wanted = TURNS.wanted.where(turns.c.match_id == match_id, mine)
    if after is not None:
        place = select(turns.c.submitted_at, turns.c.id).where(turns.c.match_id == match_id, mine, turns.c.id == after)
        last = connection.execute(place).one_or_none()
        if last is None:
            raise UnknownCursor(after)
        same = turns.c.submitted_at == last.submitted_at
        wanted = wanted.where(or_(turns.c.submitted_at > last.submitted_at, and_(same, turns.c.id > after)))
    return TURNS.every(connection, wanted.order_by(turns.c.submitted_at, turns.c.id).limit(limit))


def oldest(connection: Connection, limit: int) -> tuple[StoredTurn, ...]:
    """At most ``limit`` queued turns that were not tried before, the oldest first. Raises
    ``TurnsUnreadable``.
    """
    return _rows(connection, _OLDEST, limit)


def tried(connection: Connection, limit: int) -> tuple[StoredTurn, ...]:
    """At most ``limit`` queued turns at which judging failed, a process died or ran out of time, up
    to ``MOST_TRIED`` times, those with the fewest attempts first. Raises ``TurnsUnreadable``.
    """
    return _rows(connection, _TRIED, limit)


def lock_queued(connection: Connection, turn_ids: Collection[str]) -> frozenset[str]:
    """Those of these turns that are still queued, locked until the end of the transaction."""
    return frozenset(row.id for row in _LOCK.all(connection, {"ids": list(turn_ids)}) if row.status == QUEUED)


def set_verdicts(connection: Connection, judged: Sequence[StoredTurn]) -> None:
    _SET_VERDICT.make(connection, [{name: getattr(turn, name) for name in ("id", *_JUDGED)} for turn in judged])


def count_attempts(connection: Connection, turn_ids: Collection[str], by: int = 1) -> None:
    """Counts an attempt to judge each of these turns, where they are queued, or takes one back."""
    if queued := lock_queued(connection, turn_ids):
        connection.execute(update(turns).where(turns.c.id.in_(queued)).values(attempts=turns.c.attempts + by))


def withdraw(connection: Connection, turn_ids: Collection[str]) -> None:
    """Deletes locked rows of the kind ``clock``, from which nothing has followed."""
    if turn_ids:
        connection.execute(delete(turns).where(turns.c.id.in_(turn_ids), turns.c.kind == "clock"))


def ends_early(connection: Connection, match_id: str) -> bool:
    """Whether the early end of a match waits to be judged."""
    ends = (turns.c.match_id == match_id) & (turns.c.kind == "early_end")
    return any_row(connection, turns.c.id, ends, turns.c.judged_at.is_(None))


def waiting(connection: Connection, match_ids: Collection[str]) -> frozenset[tuple[str, int]]:
    """The seats of these matches that have a turn without a verdict, as (match, seat)."""
    wanted = select(turns.c.match_id, turns.c.seat).where(turns.c.match_id.in_(match_ids), turns.c.slot.is_not(None))
    return frozenset((row.match_id, row.seat) for row in connection.execute(wanted))


def forget_attempts(connection: Connection, turn_id: str) -> None:
    """Takes a turn off the list of those at which judging failed."""
    connection.execute(update(turns).where(turns.c.id == turn_id).values(attempts=0))


def hold(connection: Connection, match_id: str) -> None:
    """Keeps the queued turns of a match from being taken."""
    _move(connection, match_id, QUEUED, HELD)


def release(connection: Connection, match_id: str) -> None:
    """Lets the turns of a match be taken again."""
    _move(connection, match_id, HELD, QUEUED)


def with_attempts(connection: Connection, limit: int) -> tuple[StoredTurn, ...]:
    """At most ``limit`` turns with attempts that failed, judged or not, the newest first."""
    order = (turns.c.submitted_at.desc(), turns.c.id)
    return TURNS.all(connection, turns.c.attempts > 0, order=order, limit=limit)


def _move(connection: Connection, match_id: str, before: str, after: str) -> None:
    wanted = (turns.c.match_id == match_id) & (turns.c.status == before)
    connection.execute(update(turns).where(wanted).values(status=after))


def _slot(turn: StoredTurn) -> str:
    """The place of the one waiting turn that a seat may have."""
    return f"{turn.match_id}:{turn.seat}"


def _rows(connection: Connection, query: Prepared, limit: int) -> tuple[StoredTurn, ...]:
    try:
        return tuple(StoredTurn(*row) for row in query.all(connection, {"most": limit}))
    except ValueError as error:  # what a column says is not of its type
        ids = connection.scalars(query.statement.with_only_columns(turns.c.id), {"most": limit}).all()
        raise TurnsUnreadable([turn_id for turn_id in ids if not _is_readable(connection, turn_id)]) from error


def _is_readable(connection: Connection, turn_id: str) -> bool:
    try:
        return find(connection, turn_id) is not None
    except ValueError:
        return False
