"""`overland status`: how the service is, on one screen: what is wrong first, with what to run, and
the figures around it. What does not answer is left out; nothing is changed.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import asdict, dataclass, field
from datetime import datetime
from importlib.metadata import version
from pathlib import Path
from typing import Final

import click
from sqlalchemy.exc import SQLAlchemyError

from service.commands.databases import explained, printable, settings_or_end, sqlite_file, tell, with_json
from service.commands.surroundings import Wrong, wrongs
from service.context import Context
from service.readiness import Check, State, findings
from service.redis_link import RedisAway
from service.setting_values import nearest
from service.store import heartbeats, leasing, maintenance, match_lists, messages, quotas, reports, survey
from service.store.database import reason_of
from service.store.failures import is_locked
from service.store.files import require_all_commits
from service.store.heartbeats import OUTAGE_AFTER
from service.store.maintenance import Maintenance
from service.store.survey import Due, Numbers
from service.vitals import CALLERS, LISTENERS, SWEEPERS
from service.wiring import utc_now, wire

TURN_SECONDS: Final = 15
MAIL_SECONDS: Final = 120
BOT_SECONDS: Final = 300
"""What has waited for so long is late, as for the alarms (docs/overland.rules.yml)."""
LOCKS: Final = 'psql -c "SELECT pid, usename, state, query FROM pg_stat_activity ORDER BY xact_start"'
GIGABYTE: Final = 1024**3
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


@click.command()
@with_json
def status(as_json: bool) -> None:
    """Say how the service is, what is wrong first; ends with status 1 where something is."""
    settings = settings_or_end()
    file = sqlite_file(settings)
    if file is not None and not file.exists():
        sentence = _without(file)
        if not as_json:
            tell(sentence, err=True)
            raise SystemExit(1)
        folder, troubles = settings.data_dir, (Wrong(sentence, "overland check"),)
        standing = Standing(utc_now(), troubles, None, None, folder, _disk(folder), _memory())
    else:
        with closing(wire(settings)) as context:
            standing = standing_of(context)
    if as_json:
        tell(json.dumps(asdict(standing), default=str))
    else:
        click.echo("\n".join(_lines(standing)))  # which takes colours out where it is no terminal
    if standing.troubles:
        raise SystemExit(1)


def _without(file: Path) -> str:
    """A sentence that says whether the database was lost, or was never made."""
    try:
        require_all_commits(file)
    except SQLAlchemyError as loss:
        return explained(loss)
    return "There is no database yet: `overland run` makes it, or `overland migrate`."


def _lines(standing: Standing) -> Iterator[str]:
    head = f"Overland {standing.version}, {standing.at:%Y-%m-%d %H:%M} UTC: "
    if standing.troubles:
        yield head + click.style("something is wrong.", fg="red", bold=True)
        for trouble in standing.troubles:
            yield f"  {click.style('!', fg='red', bold=True)} {printable(trouble.sentence)}"
            yield f"    {click.style(printable(trouble.run), bold=True)}"
    else:
        yield head + click.style("all is well.", fg="green")
    yield ""
    if standing.rows is None:
        yield _line("Database", "not read: see above")
    else:
        yield from _of_rows(standing, standing.rows)
    if standing.processes is not None:
        processes = ", ".join(f"{name} {number}" for name, number in standing.processes.items())
        yield _line("Processes", processes)
    yield _line("Disk", f"{_of(standing.disk)} at {standing.folder}")
    if standing.memory is not None:
        yield _line("Memory", _of(standing.memory))


def _of_rows(standing: Standing, rows: StoredStanding) -> Iterator[str]:
    hearts = ", ".join(f"{part} {ago(standing.at, at)} ago" for part, at in sorted(rows.hearts.items()))
    yield _line("Last signs", hearts or "none yet")
    waiting = [
        f"{kind} {due.number}{f' (oldest {span(due.oldest_seconds)})' if due.number and due.oldest_seconds else ''}"
        for kind, due in rows.due.items()
    ]
    yield _line("Waiting", ", ".join(waiting))
    numbers = rows.numbers
    yield _line("Today", f"{numbers.mails_out} mails out, {numbers.mails_in} mails in, since 0:00 UTC")
    yield _line("Matches", f"{numbers.running} running, {numbers.open} open, {numbers.archived} archived")
    yield _line("Players", f"{numbers.active} in running matches, {numbers.players} in all")


def _line(what: str, said: str) -> str:
    return f"{what:<12}{said}"


def _of(space: Room) -> str:
    return f"{space.free / GIGABYTE:.1f} of {space.total / GIGABYTE:.1f} GB free"


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
            if is_locked(error):
                troubles.append(
                    Wrong("Another program keeps a table of the database locked, for which all wait.", LOCKS)
                )
            else:
                troubles.append(Wrong(f"The database does not answer: {reason_of(error)}.", "overland check"))
    if not {Check.DATABASE, Check.QUEUE} & {*skipped, *out}:  # the keys in Redis are named in the database
        try:
            processes = context.vitals.activity().alive
        except RedisAway as away:
            troubles.append(Wrong(f"Redis does not answer: {away}.", "overland check"))
    if rows is not None and processes is not None and _runs(rows.hearts, context.clock()):
        if context.settings.mail_in and processes.get(LISTENERS) == 0:
            troubles.append(Wrong("No mail is taken in: the listener gives no sign.", "python -m workers listener"))
        if processes.get(SWEEPERS) == 0 and SWEEPERS not in rows.hearts:  # otherwise ``service.readiness`` finds it
            troubles.append(Wrong("No deadline is acted on: no sweeper has run.", "python -m workers sweeper"))
        if processes.get(CALLERS) == 0:
            troubles.append(Wrong("No webhook is called: no process does so.", "python -m workers webhooks"))
    if memory is not None and memory.free < LEAST_MEMORY * memory.total:
        troubles.append(Wrong("The memory of this machine is nearly used up.", "ps aux --sort=-rss | head"))
    return Standing(context.clock(), tuple(troubles), rows, processes, folder, _disk(folder), memory)


_LATE: Final = {
    "turns": (TURN_SECONDS, "A turn has waited {} for its verdict", "python -m workers turns"),
    "mails out": (MAIL_SECONDS, "A mail has waited {} to be sent", "overland outbox list --status pending"),
    "mails in": (MAIL_SECONDS, "A mail that came in has waited {}", "overland inbox list --status queued"),
    "bots": (BOT_SECONDS, "A bot has been awaited for {}", "overland aside"),
}


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
    troubles = list(_of_hearts(hearts, present, now))
    for kind, (seconds, sentence, run) in _LATE.items():
        if due[kind].oldest_seconds > seconds:
            troubles.append(Wrong(f"{sentence.format(span(due[kind].oldest_seconds))}.", run))
    for number, one, several, what, run in (
        (backlog.unreadable, "match", "matches", "that cannot be read", "overland matches check"),
        (backlog.quarantined, "turn", "turns", "that could not be judged", "overland turns"),
        (
            backlog.refused,
            "mail",
            "mails",
            "whose sending fails again and again",
            "overland outbox list --status pending",
        ),
        (
            backlog.dead,
            "mail or webhook call that was",
            "mails or webhook calls that were",
            "given up",
            "overland outbox",
        ),
        (kept, "mail", "mails", "that came in and could not be handled", "overland inbox"),
        (aside, "thing", "things", "that failed again and again", "overland aside"),
        (
            due["reports"].number,
            "report of a player that waits",
            "reports of players that wait",
            "for you",
            "overland reports",
        ),
    ):
        if number:
            troubles.append(Wrong(f"There {f'is 1 {one}' if number == 1 else f'are {number} {several}'} {what}.", run))
    return StoredStanding(hearts, due, numbers, present), troubles


def _due(number: int, since: datetime | None, now: datetime) -> Due:
    return Due(number, 0.0 if since is None else max(0.0, (now - since).total_seconds()))


def _of_hearts(hearts: Mapping[str, datetime], present: Maintenance | None, now: datetime) -> Iterator[Wrong]:
    """Where no part gives a sign; that a single one does not ``service.readiness`` finds."""
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
    return any(now - at < OUTAGE_AFTER for at in hearts.values())


def _disk(folder: Path) -> Room:
    """That on which a folder is, or will be made."""
    usage = shutil.disk_usage(nearest(folder))
    return Room(usage.free, usage.total)


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
