"""`overland soak`: plays matches on a service while it breaks parts of that service at random, and
checks the ledger at the end.

1. Start a service in a temporary folder, with the soak's own mail server.
2. Let the players play; inflict a fault, measure the time until every match continues; repeat.
3. Stop the players, wait until nothing is pending, check the ledger, report. The exit status is 1
   where anything is wrong.
"""

from __future__ import annotations

import json
import random
import secrets
import signal
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import click

from service.store.database import Database
from tools.client import ClientError
from tools.games import game_option
from tools.launch import TAIL, NotRunning, Service
from tools.mishap import NAME as MISHAP
from tools.mishap import Mishap, installed
from tools.postgresql import answering, new_database
from tools.soak.faults import FAULTS, SoakFault, Target, Watched, choose
from tools.soak.hostile import HOSTILE
from tools.soak.journal import NEVER
from tools.soak.mail import MailServer
from tools.soak.own import OwnMatch
from tools.soak.players import Players
from tools.soak.poison import POISON
from tools.soak.report import Recovery, SoakReport, document, lines
from tools.soak.settling import SETTLE_SECONDS, pending, settle
from tools.waiting import TimedOut, until

ALL: Final = (*FAULTS, *HOSTILE, *POISON)
RECOVERY_SECONDS: Final = 60.0
"""The longest recovery after which the soak gives up."""
CALM: Final = (1.0, 6.0)
"""The least and most seconds between a recovery and the next fault."""
MOST_PENDING: Final = 300
"""The players pause while more turns and notices are pending: a mail with its picture takes longer
to make than a turn to judge.
"""


@click.command()
@click.option(
    "--minutes",
    type=click.FloatRange(min=0.05, max=24 * 60),
    default=20.0,
    show_default=True,
    help="How long to inflict faults.",
)
@game_option
@click.option("--seed", default="", help="Repeats the choice of faults and turns, not their times.")
@click.option(
    "--matches", type=click.IntRange(1, 500), default=6, show_default=True, help="How many are played at once."
)
@click.option(
    "--pace",
    type=click.FloatRange(0.0, 60.0),
    default=1.0,
    show_default=True,
    help="Seconds between two turns of a match, on average.",
)
@click.option(
    "--postgres",
    "postgres_url",
    callback=answering,
    help="Use a new database on this server instead of SQLite: postgresql://user@host:port/name.",
)
@click.option(
    "--first",
    multiple=True,
    type=click.Choice([fault.name for fault in ALL]),
    help="Begin with this fault, however long it takes; may be repeated.",
)
@click.option(
    "--json",
    "json_file",
    type=click.Path(path_type=Path, dir_okay=False, writable=True),
    help="Write the report to this file, too.",
)
def soak(
    minutes: float,
    game: str,
    seed: str,
    matches: int,
    pace: float,
    postgres_url: str | None,
    first: tuple[str, ...],
    json_file: Path | None,
) -> None:
    """Play under load while parts of the service are killed at random, and check that nothing is
    lost.
    """
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda signum, frame: stop.set())
    seed = seed or secrets.token_hex(4)
    try:
        with (
            tempfile.TemporaryDirectory(prefix="overland-soak-") as folder,
            _database(postgres_url) as environ,
            installed(Path(folder) / "site") as mishap,
        ):
            report = run_soak(Path(folder), environ, mishap, minutes * 60, game, seed, matches, pace, first, stop)
    except (NotRunning, TimedOut) as problem:
        click.echo(f"The soak was given up: {problem}", err=True)
        raise SystemExit(1) from None
    if json_file is not None:
        json_file.write_text(json.dumps(report, indent=2) + "\n")
    click.echo("\n".join(lines(report)))
    if not report["sound"]:
        raise SystemExit(1)


def run_soak(
    folder: Path,
    environ: dict[str, str],
    mishap: Mishap,
    seconds: float,
    game: str,
    seed: str,
    matches: int,
    pace: float,
    first: Sequence[str],
    stop: threading.Event,
) -> dict[str, Any]:
    """Runs a soak in ``folder`` and gives its report; all started processes are ended.

    Raises ``NotRunning`` and ``TimedOut`` where the service does not start or does not recover.
    """
    mail = MailServer()
    two_each = {f"OVERLAND_{name}": "2" for name in ("API_PROCESSES", "TURN_WORKERS", "NOTICE_WORKERS")}
    quick = {"OVERLAND_LOG_FORMAT": "json", "OVERLAND_MAIL_URL": mail.url, "OVERLAND_VERDICT_MAIL_SECONDS": "1"}
    given = {**quick, **two_each, **mishap.environ(), **environ}
    service = Service(folder, given, reader=True)
    players, database = Players([service.url], mail, game, matches, seed, pace), Database(service.database_url)
    try:
        service.start()
        own, poisoned = OwnMatch(players, game), OwnMatch(players, MISHAP)
        players.start()
        record = SoakReport(game, seed, database.url.get_backend_name())
        target = Target(service, mail, players, own, mishap, poisoned, stop)
        return _Soak(target, database, record).run(seconds, first)
    except TimedOut:
        click.echo(service.output()[-TAIL:], err=True)
        raise
    finally:
        players.close(5.0)
        service.stop()
        mail.close()
        database.dispose()


class _Soak:
    """One soak, from the first fault to the report."""

    def __init__(self, target: Target, database: Database, record: SoakReport) -> None:
        self.target, self.players, self.database, self.record = target, target.players, database, record
        self.luck = random.Random(record.seed)
        self.began = time.monotonic()

    def run(self, seconds: float, first: Sequence[str]) -> dict[str, Any]:
        """Inflicts the faults of these names, and others for the rest of ``seconds``, then settles
        and reports. Raises ``TimedOut``.
        """
        end = self.began + seconds
        for fault in [fault for name in first for fault in ALL if fault.name == name]:
            if self._calm(end):
                self._inflict(fault)
        while self._calm(end) and time.monotonic() < end:
            self._inflict(choose(ALL, self.luck))
        self.record.minutes = (time.monotonic() - self.began) / 60
        self._print("the time is up; waiting until nothing is pending")
        self.players.pause()
        self.players.close()
        journal, received = self.players.journal, self.target.mail.received
        findings = settle(self.database, journal.seen, received, SETTLE_SECONDS + pending(self.database))
        return document(self.record, findings, journal, self.players.failures)

    def _calm(self, end: float) -> bool:
        """Waits some seconds without a fault, longer where too much is pending. Returns ``False``
        when the soak was told to stop.
        """
        stop, calm_until = self.target.stop, min(end, time.monotonic() + self.luck.uniform(*CALM))
        while not stop.is_set() and time.monotonic() < calm_until:
            self.record.memory.note(time.monotonic(), self.target.service.parts())
            stop.wait(0.5)
        if pending(self.database) > MOST_PENDING:
            self.players.pause()
            until(
                lambda: stop.is_set() or pending(self.database) < MOST_PENDING // 3,
                "most of what was pending is done",
                SETTLE_SECONDS + MOST_PENDING,
            )
            self.players.resume()
        return not stop.is_set()

    def _inflict(self, fault: SoakFault) -> None:
        self.record.faults[fault.name] += 1
        try:
            fault.inflict(self.target, self.luck)
        except ClientError as error:
            self.players.journal.error(f"{fault.name}: {error}")
        over = time.monotonic()
        if fault.watched == "deliveries" and not pending(self.database):
            return  # nothing to deliver, so no recovery to measure
        until(
            lambda: self.target.stop.is_set() or self._recovered(over, fault.watched) < NEVER,
            f"the service has recovered from {fault.name!r}",
            RECOVERY_SECONDS,
        )
        seconds = self._recovered(over, fault.watched)
        if seconds < NEVER:
            self.record.recoveries.append(Recovery(fault.name, seconds))
            self._print(f"{fault.name}; recovered after {seconds:.1f} s")

    def _recovered(self, since: float, watched: Watched) -> float:
        if watched == "verdicts":
            return self.players.journal.recovered(since)
        return min((at for at in self.target.mail.times[-50:] if at >= since), default=NEVER) - since

    def _print(self, what: str) -> None:
        minutes, seconds = divmod(int(time.monotonic() - self.began), 60)
        turns, mails = self.players.journal.turns, len(self.target.mail.received)
        click.echo(f"{minutes:>3}:{seconds:02}  {turns:>6} turns  {mails:>6} mails  {what}")


@contextmanager
def _database(postgres_url: str | None) -> Iterator[dict[str, str]]:
    """The settings for a new database on that server, which is dropped afterwards; none for
    SQLite.
    """
    if postgres_url is None:
        yield {}
        return
    with new_database(postgres_url, "soak") as url:
        yield {"OVERLAND_DATABASE_URL": url}
