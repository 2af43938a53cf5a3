"""`overland soak`: plays matches against a service of its own while it keeps breaking that service,
and holds the ledger against it at the end.

1. Start a service in a temporary folder, with a mail server of the soak's own.
2. Let the players play; break something, mend it, see how long until play goes on everywhere; and
   again.
3. Stop the players, wait until nothing waits any more, check the ledger, report. Exit status 1
   where anything is amiss.
"""

from __future__ import annotations

import json
import random
import secrets
import signal
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, Final

import click
import sqlalchemy

from service.store.database import Database, normalised
from tools.soak.book import NEVER
from tools.soak.faults import Fault, Victim, Watched, choose, faults
from tools.soak.mail import MailServer
from tools.soak.players import Club
from tools.soak.processes import PROC
from tools.soak.report import Memory, Recovery, document, lines
from tools.soak.service import NotThere, SoakedService, await_
from tools.soak.settling import QUIET_SECONDS, settle, waiting

RECOVERY_SECONDS: Final = 60.0
"""Longer than any fault may be felt; then the soak gives up."""
CALM: Final = (1.0, 6.0)
"""The seconds between a recovery and the next fault."""
MOST_WAITING: Final = 300
"""With so many turns and notices waiting the players rest: a mail has a picture, and takes longer
to draw than a turn to judge.
"""


@click.command()
@click.option(
    "--minutes",
    type=click.FloatRange(min=0.05, max=24 * 60),
    default=20.0,
    show_default=True,
    help="How long to keep breaking things.",
)
@click.option("--seed", default="", help="Repeats the choice of faults and turns; the moments are never the same.")
@click.option(
    "--matches", type=click.IntRange(1, 500), default=6, show_default=True, help="How many are played at once."
)
@click.option(
    "--pace",
    type=click.FloatRange(0.0, 60.0),
    default=1.0,
    show_default=True,
    help="Seconds that a player thinks, on average.",
)
@click.option(
    "--postgres",
    "postgres_url",
    help="Use a new database on this server instead of SQLite: postgresql://user@host:port/name.",
)
@click.option(
    "--json",
    "json_file",
    type=click.Path(path_type=Path, dir_okay=False, writable=True),
    help="Write the report to this file, too.",
)
def soak(
    minutes: float, seed: str, matches: int, pace: float, postgres_url: str | None, json_file: Path | None
) -> None:
    """Play under load while parts of the service are killed at random, and prove afterwards that
    nothing was lost.
    """
    if not PROC.joinpath("self/statm").exists():
        click.echo(
            "A soak looks at its processes in /proc, which this system does not have: run it on Linux.", err=True
        )
        raise SystemExit(2)
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda signum, frame: _ask_to_stop(stop, frame))
    seed = seed or secrets.token_hex(4)
    try:
        with tempfile.TemporaryDirectory(prefix="overland-soak-") as folder, _database(postgres_url) as environ:
            report = run_soak(Path(folder), environ, minutes * 60, seed, matches, pace, stop)
    except NotThere as problem:
        click.echo(f"The soak was given up: {problem}", err=True)
        raise SystemExit(1) from None
    if json_file is not None:
        json_file.write_text(json.dumps(report, indent=2) + "\n")
    click.echo("\n".join(lines(report)))
    if not report["sound"]:
        raise SystemExit(1)


def run_soak(
    folder: Path, environ: dict[str, str], seconds: float, seed: str, matches: int, pace: float, stop: threading.Event
) -> dict[str, Any]:
    """The report of a soak in ``folder``.

    Raises NotThere where the service does not come back; whatever was started is ended.
    """
    mail = MailServer()
    two_each = {"OVERLAND_API_PROCESSES": "2", "OVERLAND_TURN_WORKERS": "2", "OVERLAND_NOTICE_WORKERS": "2"}
    service = SoakedService(folder, {"OVERLAND_MAIL_URL": mail.url, **two_each, **environ})
    club, database = Club((service.url,), mail, matches, seed, pace), Database(service.database_url)
    try:
        service.start()
        club.open()
        return _Soak(service, mail, club, database, stop, seconds, seed).run()
    except NotThere:
        click.echo(service.said()[-6000:], err=True)
        raise
    finally:
        club.close(5.0)
        service.stop()
        mail.close()
        database.dispose()


class _Soak:
    """One soak, from the first turn to the report."""

    def __init__(
        self,
        service: SoakedService,
        mail: MailServer,
        club: Club,
        database: Database,
        stop: threading.Event,
        seconds: float,
        seed: str,
    ) -> None:
        self.service, self.mail, self.club, self.database, self.stop, self.seed = (
            service,
            mail,
            club,
            database,
            stop,
            seed,
        )
        self.began = time.monotonic()
        self.end = self.began + seconds
        self.luck = random.Random(seed)
        self.memory = Memory()
        self.counts: Counter[str] = Counter()
        self.recoveries: list[Recovery] = []
        self.troubles: list[str] = []

    def run(self) -> dict[str, Any]:
        """Breaks things until the time is up, then settles and reports."""
        known, victim = faults(), Victim(self.service, self.mail, self.stop)
        while self._calm() and time.monotonic() < self.end:
            self._break(choose(known, self.luck), victim)
        minutes = (time.monotonic() - self.began) / 60
        self._say("the time is up; waiting for everything that waits")
        self.mail.feel("well")
        self.club.pause()
        self.club.close()
        findings = settle(
            self.database, self.club.book.seen, self.mail.received, QUIET_SECONDS + waiting(self.database)
        )
        troubles = [*self.troubles, *self.club.failures]
        return document(
            minutes,
            self.seed,
            self.database.url.get_backend_name(),
            findings,
            self.club.book,
            self.counts,
            self.recoveries,
            self.memory,
            troubles,
        )

    def _calm(self) -> bool:
        """A while without a fault; the players rest where too much waits.

        False when the soak was asked to stop.
        """
        until = min(self.end, time.monotonic() + self.luck.uniform(*CALM))
        while not self.stop.is_set() and time.monotonic() < until:
            self.memory.note(time.monotonic(), self.service.parts())
            self.stop.wait(0.5)
        if waiting(self.database) > MOST_WAITING:
            self.club.pause()
            await_(
                lambda: self.stop.is_set() or waiting(self.database) < MOST_WAITING // 3,
                QUIET_SECONDS + MOST_WAITING,
                "The work on what waits",
            )
            self.club.resume()
        return not self.stop.is_set()

    def _break(self, fault: Fault, victim: Victim) -> None:
        self.counts[fault.name] += 1
        fault.inflict(victim, self.luck)
        mended = time.monotonic()
        if fault.watched == "deliveries" and not waiting(self.database):
            return  # there is nothing to deliver, so nothing to see
        await_(
            lambda: self.stop.is_set() or self._recovered(mended, fault.watched) < NEVER,
            RECOVERY_SECONDS,
            f"The recovery from {fault.name!r}",
        )
        seconds = self._recovered(mended, fault.watched)
        if seconds < NEVER:
            self.recoveries.append(Recovery(fault.name, seconds))
            self._say(f"{fault.name}; went on after {seconds:.1f} s")

    def _recovered(self, since: float, watched: Watched) -> float:
        if watched == "verdicts":
            return self.club.book.recovered(since)
        return min((at for at in self.mail.times[-50:] if at >= since), default=NEVER) - since

    def _say(self, what: str) -> None:
        minutes, seconds = divmod(int(time.monotonic() - self.began), 60)
        click.echo(
            f"{minutes:>3}:{seconds:02}  {self.club.book.turns:>6} turns  {len(self.mail.received):>6} mails  {what}"
        )


def _ask_to_stop(stop: threading.Event, frame: FrameType | None) -> None:
    stop.set()


@contextmanager
def _database(postgres_url: str | None) -> Iterator[dict[str, str]]:
    """What the service is told of its database: nothing for SQLite, else a new database on that
    server, which is dropped afterwards.
    """
    if postgres_url is None:
        yield {}
        return
    name = f"overland_soak_{secrets.token_hex(5)}"
    admin = sqlalchemy.create_engine(normalised(postgres_url), isolation_level="AUTOCOMMIT")
    with admin.connect() as connection:
        connection.exec_driver_sql(f"CREATE DATABASE {name}")
    try:
        yield {
            "OVERLAND_DATABASE_URL": normalised(postgres_url)
            .set(drivername="postgresql", database=name)
            .render_as_string(hide_password=False)
        }
    finally:
        with admin.connect() as connection:
            connection.exec_driver_sql(f"DROP DATABASE {name} WITH (FORCE)")
        admin.dispose()
