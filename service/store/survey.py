"""Queries over many rows, for monitoring and maintenance, each of which uses an index; and the
counts of all processes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, get_args

from sqlalchemy import Connection, func, or_, select

from service.house import HOUSE
from service.statuses import Channel, MessageStatus
from service.store.database import Database
from service.store.outbox import MAILED, QUICK_ATTEMPTS
from service.store.statements import add_numbers, any_row, count
from service.store.tables import counts, matches, messages, outbox, players, seats, turns
from service.store.turns import PENDING, QUEUED

AT_ONCE: Final = 500
LONGEST_OVERDUE: Final = timedelta(days=7)
"""How long after it was due a mail of today may have been sent."""
_COUNTED: Final = ("open", "running", "archived")
_IS_PERSON: Final = players.c.owner_id.is_(None) & players.c.left_at.is_(None) & players.c.id.not_in(HOUSE)


def match_ids(database: Database, statuses: Sequence[str]) -> Iterator[str]:
    """The ids of all matches of these statuses, in arbitrary order. No transaction is open between
    two pages, so writers are not blocked.
    """
    last = ""
    while True:
        page = select(matches.c.id).where(matches.c.status.in_(statuses), matches.c.id > last)
        with database.read() as connection:
            found = connection.scalars(page.order_by(matches.c.id).limit(AT_ONCE)).all()
        if not found:
            return
        yield from found
        last = found[-1]


def match_count(database: Database, statuses: Sequence[str]) -> int:
    with database.read() as connection:
        return count(connection, matches, matches.c.status.in_(statuses))


def turns_wait(connection: Connection, now: datetime, patience: timedelta) -> bool:
    """Whether a turn without a verdict was submitted more than ``patience`` ago or, after the clock
    was set back, more than that ahead.
    """
    submitted = turns.c.submitted_at
    long = or_(submitted < now - patience, submitted > now + patience)
    return any_row(connection, turns.c.id, turns.c.status == QUEUED, long)


@dataclass(frozen=True, slots=True)
class Backlog:
    """Numbers of pending turns and notices, and the ages of the oldest turn and mail in seconds."""

    turns: int
    oldest_turn_seconds: float
    quarantined: int
    unreadable: int
    notices: int
    oldest_mail_seconds: float
    refused: int
    dead: int


def backlog(connection: Connection, now: datetime) -> Backlog:
    """Counts; a mail is ``refused`` after more than ``QUICK_ATTEMPTS`` attempts. A webhook is not:
    what does not answer is its player's, who is told.
    """
    waiting = connection.execute(select(func.count(), func.min(turns.c.submitted_at)).where(PENDING)).one()
    return Backlog(
        turns=waiting[0],
        oldest_turn_seconds=_age(waiting[1], now),
        quarantined=count(connection, turns, turns.c.attempts > 0, turns.c.judged_at.is_not(None)),
        unreadable=count(connection, matches, matches.c.unreadable_at.is_not(None)),
        notices=count(connection, outbox, outbox.c.status == "pending"),
        oldest_mail_seconds=notices_due(connection, "mail", now).oldest_seconds,
        refused=count(connection, outbox, MAILED, outbox.c.attempts > QUICK_ATTEMPTS),
        dead=count(connection, outbox, outbox.c.status == "dead"),
    )


@dataclass(frozen=True, slots=True)
class Due:
    """How many items are due, and for how many seconds the oldest has been."""

    number: int
    oldest_seconds: float = 0.0


def notices_due(connection: Connection, channel: Channel, now: datetime) -> Due:
    """The pending notices of a channel whose time has come, and that were not ``refused``."""
    since = func.coalesce(outbox.c.not_before, outbox.c.created_at)
    wanted = (outbox.c.status == "pending", outbox.c.channel == channel, outbox.c.attempts <= QUICK_ATTEMPTS)
    number, oldest = connection.execute(select(func.count(), func.min(since)).where(*wanted, since <= now)).one()
    return Due(number, _age(oldest, now))


@dataclass(frozen=True, slots=True)
class Numbers:
    """Of matches by status, of players, and of mails that were sent and received since a moment.
    ``active`` players have a seat in a running match.
    """

    running: int
    open: int
    archived: int
    players: int
    active: int
    mails_out: int
    mails_in: int


def numbers(connection: Connection, since: datetime) -> Numbers:
    by_status = select(matches.c.status, func.count()).where(matches.c.status.in_(_COUNTED)).group_by(matches.c.status)
    known = {row[0]: row[1] for row in connection.execute(by_status)}
    active = (
        select(func.count(seats.c.player_id.distinct()))
        .join_from(seats, matches, seats.c.match_id == matches.c.id)
        .join(players, seats.c.player_id == players.c.id)
        .where(matches.c.status == "running", seats.c.resigned_at.is_(None), _IS_PERSON)
    )
    # Those about ``next_attempt_at`` are there so that an index is used.
    lately = outbox.c.next_attempt_at >= since - LONGEST_OVERDUE
    sent = lately, outbox.c.status == "sent", outbox.c.channel == "mail", outbox.c.sent_at >= since
    of_any_status = messages.c.status.in_(get_args(MessageStatus))
    received = of_any_status, messages.c.next_attempt_at >= since, messages.c.received_at >= since
    return Numbers(
        running=known.get("running", 0),
        open=known.get("open", 0),
        archived=known.get("archived", 0),
        players=count(connection, players, _IS_PERSON),
        active=connection.execute(active).scalar_one(),
        mails_out=count(connection, outbox, *sent),
        mails_in=count(connection, messages, *received),
    )


def add_counts(connection: Connection, numbers: Mapping[tuple[str, str], int]) -> None:
    """Adds to the counts (``service.counts``), by what was counted and its result."""
    rows = [{"what": what, "result": result, "number": numbers[what, result]} for what, result in sorted(numbers)]
    add_numbers(connection, counts, rows)


def every_count(connection: Connection) -> Mapping[str, Mapping[str, int]]:
    """The counts of all processes together, by what was counted and by result."""
    found: dict[str, dict[str, int]] = {}
    for what, result, number in connection.execute(select(counts.c.what, counts.c.result, counts.c.number)):
        found.setdefault(what, {})[result] = number
    return found


def _age(since: datetime | None, now: datetime) -> float:
    return 0.0 if since is None else max(0.0, (now - since).total_seconds())
