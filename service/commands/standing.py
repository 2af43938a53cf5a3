"""How the service is, for `overland status`: what is wrong, with the command to run, and the
figures around it. What does not answer is left out; nothing is changed.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from importlib.metadata import version
from pathlib import Path
from typing import Final

from sqlalchemy.exc import SQLAlchemyError

from service.commands.surroundings import Wrong, wrongs
from service.context import Context
from service.readiness import Check, State, findings
from service.redis_link import RedisAway
from service.store import heartbeats, leasing, maintenance, match_lists, messages, quotas, reports, survey
from service.store.database import reason_of
from service.store.heartbeats import OUTAGE_AFTER
from service.store.maintenance import Maintenance
from service.store.survey import Due, Numbers
from service.vitals import LISTENERS

TURN_SECONDS: Final = 15
MAIL_SECONDS: Final = 120
BOT_SECONDS: Final = 300
"""What has waited for so long is late, as for the alarms (docs/overland.rules.yml)."""
MEMORY: Final = Path("/proc/meminfo")
LEAST_MEMORY: Final = 0.05
"""With a smaller part of it left, a machine begins to swap, or ends processes."""


@dataclass(frozen=True, slots=True)
class Room:
    """Bytes that are free, and all that there are."""

    free: int
    total: int


@dataclass(frozen=True, slots=True)
class StoredStanding:
    """What the database has: when each part gave a sign last, what is due, by its kind."""

    hearts: Mapping[str, datetime]
    due: Mapping[str, Due]
    numbers: Numbers
    maintenance: Maintenance | None


@dataclass(frozen=True, slots=True)
class Standing:
    """How the service is at a moment. ``None`` is not known, as what would tell it does not answer.

    ``processes`` that gave a sign in the last minute, by part; ``folder``: that of the data.
    """

    at: datetime
    troubles: tuple[Wrong, ...]
    rows: StoredStanding | None
    processes: Mapping[str, int] | None
    folder: Path
    disk: Room
    memory: Room | None
    version: str = field(default_factory=lambda: version("overland"))


def standing_of(context: Context) -> Standing:
    """How the service is now. Raises nothing where something does not answer."""
    folder = context.settings.data_dir
    skipped = () if context.settings.redis_url else (Check.QUEUE,)
    found = findings(context, skipped)
    out = {each.check for each in found if each.state is not State.GOOD}
    troubles = list(wrongs(found))
    rows, processes, memory = None, None, _memory()
    if not out & {Check.DATABASE, Check.MIGRATIONS}:
        try:
            rows, of_rows = _rows(context)
            troubles += of_rows
        except SQLAlchemyError as error:
            troubles.append(Wrong(f"The database does not answer: {reason_of(error)}.", "overland check"))
    if Check.QUEUE not in {*skipped, *out}:
        try:
            processes = context.vitals.activity().alive
        except RedisAway as away:
            troubles.append(Wrong(f"Redis does not answer: {away}.", "overland check"))
    runs = rows is not None and _runs(rows.hearts, context.clock())
    if runs and context.settings.mail_in and processes is not None and processes.get(LISTENERS) == 0:
        troubles.append(Wrong("No mail is taken in: the listener gives no sign.", "python -m workers listener"))
    if memory is not None and memory.free < LEAST_MEMORY * memory.total:
        troubles.append(Wrong("The memory of this machine is nearly used up.", "ps aux --sort=-rss | head"))
    usage = shutil.disk_usage(folder)
    return Standing(context.clock(), tuple(troubles), rows, processes, folder, Room(usage.free, usage.total), memory)


_LATE: Final = {
    "turns": (TURN_SECONDS, "A turn has waited {} for its verdict", "overland check"),
    "mails out": (MAIL_SECONDS, "A mail has waited {} to be sent", "overland check"),
    "mails in": (MAIL_SECONDS, "A mail that came in has waited {}", "overland inbox list --status queued"),
    "bots": (BOT_SECONDS, "A bot has been awaited for {}", "overland aside"),
}
_GIVEN_UP: Final = (
    ("match that cannot be read", "matches that cannot be read", "overland matches check"),
    ("turn that could not be judged", "turns that could not be judged", "overland turns"),
    (
        "mail that the mail server refuses again and again",
        "mails that the mail server refuses again and again",
        "overland outbox list --status pending",
    ),
    ("mail that was given up", "mails that were given up", "overland outbox"),
    ("mail that came in and could not be handled", "mails that came in and could not be handled", "overland inbox"),
    ("thing that failed again and again", "things that failed again and again", "overland aside"),
    ("report of a player that waits for you", "reports of players that wait for you", "overland reports"),
)


def _rows(context: Context) -> tuple[StoredStanding, list[Wrong]]:
    now = context.clock()
    with context.database.read() as connection:
        hearts, present = heartbeats.every(connection), maintenance.find(connection)
        backlog, numbers = survey.backlog(connection, now), survey.numbers(connection, quotas.day_begin(now))
        queued, kept, since = messages.numbers(connection)
        due = {
            "turns": Due(backlog.turns, backlog.oldest_turn_seconds),
            "mails out": survey.notices_due(connection, "mail", now),
            "mails in": _due(queued, since, now),
            "webhooks": survey.notices_due(connection, "webhook", now),
            "bots": _due(match_lists.count_awaited_bots(connection), match_lists.oldest_awaited_bot(connection), now),
            "reports": _due(*reports.open_number(connection), now),
        }
        aside = sum(number for (_, is_kept), number in leasing.item_numbers(connection).items() if is_kept)
    troubles = [
        *_of_hearts(hearts, present, now),
        *(
            Wrong(f"{sentence.format(span(due[kind].oldest_seconds))}.", run)
            for kind, (seconds, sentence, run) in _LATE.items()
            if due[kind].oldest_seconds > seconds
        ),
        *(
            Wrong(f"There {f'is 1 {one}' if number == 1 else f'are {number} {several}'}.", run)
            for number, (one, several, run) in zip(
                (
                    backlog.unreadable,
                    backlog.quarantined,
                    backlog.refused,
                    backlog.dead,
                    kept,
                    aside,
                    due["reports"].number,
                ),
                _GIVEN_UP,
                strict=True,
            )
            if number
        ),
    ]
    return StoredStanding(hearts, due, numbers, present), troubles


def _due(number: int, since: datetime | None, now: datetime) -> Due:
    return Due(number, 0.0 if since is None else max(0.0, (now - since).total_seconds()))


def _of_hearts(hearts: Mapping[str, datetime], present: Maintenance | None, now: datetime) -> Iterator[Wrong]:
    """Where no part gives a sign, the service does not run; that a single one does not is found by
    ``service.readiness``.
    """
    if present is not None:
        expected = "" if present.expected_end is None else f", expected until {present.expected_end:%Y-%m-%d %H:%M} UTC"
        yield Wrong(
            f"In maintenance since {present.since:%Y-%m-%d %H:%M} UTC{expected}: nothing is accepted.",
            "overland maintenance off",
        )
    elif not hearts:
        yield Wrong("The service has not run yet.", "overland run")
    elif not _runs(hearts, now):
        yield Wrong(
            f"The service does not run; its last sign was {ago(now, max(hearts.values()))} ago.", "overland run"
        )


def _runs(hearts: Mapping[str, datetime], now: datetime) -> bool:
    """Whether any part gives signs."""
    return any(now - at < OUTAGE_AFTER for at in hearts.values())


def _memory() -> Room | None:
    """That of the machine; ``None`` where it does not tell, as outside of Linux."""
    try:
        told = dict(line.split(":", 1) for line in MEMORY.read_text().splitlines() if ":" in line)
        free, total = (int(told[name].split()[0]) * 1024 for name in ("MemAvailable", "MemTotal"))
    except (OSError, KeyError, ValueError, IndexError):
        return None
    return Room(free, total)


def ago(now: datetime, then: datetime) -> str:
    """How long ago a moment was."""
    return span(max(0.0, (now - then).total_seconds()))


def span(seconds: float) -> str:
    """A time in its largest unit, such as 3 min."""
    for unit, length in (("days", 86400), ("h", 3600), ("min", 60)):
        if seconds >= 2 * length:
            return f"{seconds / length:.0f} {unit}"
    return f"{seconds:.0f} s"
