"""A service under a small load, to be broken on purpose, judged afterwards by the ledger and by
what its clients and its mail server saw.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal

from sqlalchemy import ColumnElement, Table, func, select

from service.ledger.findings import Findings
from service.store.database import Database
from service.store.tables import turns
from tests.workers.valkey import Valkey
from tools.soak.book import NEVER
from tools.soak.mail import MailServer
from tools.soak.players import Club
from tools.soak.service import SoakedService, await_
from tools.soak.settling import settle

PROMISE_SECONDS = 15.0
SLACK = 4.0
"""The promise is for a machine that does nothing else; tests share theirs, so they insist on four
times as much and write down what it was.
"""
TABLES = 2
PACE = 0.7

Watched = Literal["verdicts", "deliveries"]
Settle = Callable[[], Findings]


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the fault table."""

    fault: str
    where: str
    turns: int
    lost: int
    double: int
    seconds: float


@dataclass(slots=True)
class Trial:
    """What is on trial, and where its rows go. The club plays only while a fault is tried."""

    where: str
    service: SoakedService
    mail: MailServer
    club: Club
    database: Database
    rows: Path
    valkey: Valkey | None = None
    look: Settle | None = None

    def suffer(
        self, fault: str, broken: AbstractContextManager[object], watched: Watched = "verdicts", count: int = 4
    ) -> Row:
        """Play; break something for as long as ``broken`` lasts; wait until it goes on, and then
        until nothing waits; look at the ledger.
        """
        book, before = self.club.book, self.club.book.turns
        self.club.resume()
        await_(lambda: book.turns >= before + count, 90, "The first turns before the fault")
        with broken:
            pass
        returned = time.monotonic()
        await_(
            lambda: self.recovered(returned, watched) < NEVER, PROMISE_SECONDS * SLACK, f"The recovery from {fault!r}"
        )
        seconds = self.recovered(returned, watched)
        self.club.pause()
        row = self.row(fault, book.turns - before, seconds)
        assert seconds <= PROMISE_SECONDS * SLACK
        return row

    def recovered(self, since: float, watched: Watched) -> float:
        """The seconds until it went on at every table, or until the first mail came."""
        if watched == "verdicts":
            return self.club.book.recovered(since)
        return min((at for at in self.mail.times if at >= since), default=NEVER) - since

    def row(self, fault: str, played: int, seconds: float) -> Row:
        """The verdict of the ledger on what has happened, which fails the test unless it is
        clean.
        """
        findings = (
            self.look() if self.look is not None else settle(self.database, self.club.book.seen, self.mail.received)
        )
        lost, double = findings.lost, findings.double
        row = Row(fault, self.where, played, lost, double, round(seconds, 2))
        (self.rows / f"{time.monotonic_ns()}.json").write_text(json.dumps(asdict(row)))
        print(f"\n{fault} ({self.where}): {played} turns, {lost} lost, {double} double, went on after {seconds:.2f} s")
        assert not findings.breaches, findings.breaches[:5]
        assert findings.settled
        assert findings.submitted == sum(count for status, count in findings.turns.items() if status != "queued")
        assert not self.club.book.surprises, self.club.book.surprises[:5]
        assert not self.club.failures, self.club.failures
        return row

    def queued(self) -> int:
        """How many turns wait for their verdict."""
        return self.count(turns, turns.c.status == "queued")

    def newest(self) -> datetime:
        """When the turn that was written last was submitted, by the clock of the service; turns are
        known to their clients in their order.
        """
        with self.database.read() as connection:
            newest = self.club.book.seen[-1].turn_id
            moment: datetime = connection.execute(select(turns.c.submitted_at).where(turns.c.id == newest)).scalar_one()
            return moment

    def count(self, table: Table, *wanted: ColumnElement[bool]) -> int:
        """How many rows are like that."""
        with self.database.read() as connection:
            return int(connection.execute(select(func.count()).select_from(table).where(*wanted)).scalar_one())

    def more_turns(self, number: int) -> None:
        """Returns when so many turns more were taken."""
        before = self.club.book.turns
        await_(lambda: self.club.book.turns >= before + number, 90, f"{number} more turns")

    def moment(self, seconds: float) -> None:
        """How long a fault lasts; nothing is waited for by this."""
        time.sleep(seconds)

    def valkey_of(self) -> Valkey:
        """The Valkey of the test's own."""
        assert self.valkey is not None
        return self.valkey

    def revive(self) -> None:
        """What an operator does when the mail server is well again: what was given up is tried anew
        (`overland outbox retry`).
        """
        command = [*self.service.prefix, sys.executable, "-m", "service.cli", "outbox", "retry", "--all-dead"]
        done = subprocess.run(
            command, env=self.service.environ, capture_output=True, text=True, timeout=120, check=False
        )
        assert done.returncode == 0, done.stderr

    def close(self) -> None:
        """Ends everything that was started for it."""
        try:
            self.club.close()
        finally:
            self.service.stop()
            self.mail.close()
            self.database.dispose()
            if self.valkey is not None:
                self.valkey.stop()


def begin(
    folder: Path,
    rows: Path,
    where: str,
    *,
    prefix: tuple[str, ...] = (),
    own_valkey: bool = True,
    tables: int = TABLES,
    **environ: str,
) -> Trial:
    """A service in ``folder`` with two processes of each kind, a mail server, a Valkey of the
    test's own, and a club that has sat down and rests.
    """
    folder.mkdir(parents=True, exist_ok=True)
    rows.mkdir(parents=True, exist_ok=True)
    mail = MailServer()
    valkey = None
    given = {
        "OVERLAND_MAIL_URL": mail.url,
        "OVERLAND_API_PROCESSES": "2",
        "OVERLAND_TURN_WORKERS": "2",
        "OVERLAND_NOTICE_WORKERS": "2",
        **environ,
    }
    if own_valkey:
        (folder / "queue").mkdir()
        valkey = Valkey(folder / "queue")
        valkey.start()
        given["OVERLAND_REDIS_URL"] = valkey.url
    service = SoakedService(folder, given, prefix)
    club = Club((service.url,), mail, tables, where, PACE)
    trial = Trial(where, service, mail, club, Database(service.database_url), rows, valkey)
    try:
        service.start()
        club.open()
        club.pause()
    except BaseException:
        print(service.said()[-4000:])
        trial.close()
        raise
    return trial
