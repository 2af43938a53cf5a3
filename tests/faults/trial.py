"""A service under a small load, to be broken on purpose, and judged by the ledger and by what its
clients and its mail server saw.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path

from sqlalchemy import ColumnElement, Table, func, select

from service.ledger.findings import Findings
from service.store.database import Database
from service.store.tables import turns
from tests.workers.valkey import Valkey
from tools.launch import Service, overland
from tools.soak.faults import Watched
from tools.soak.journal import NEVER
from tools.soak.mail import MailServer
from tools.soak.players import Players
from tools.soak.settling import settle
from tools.waiting import until

PROMISE_SECONDS = 15.0
SLACK = 4.0
"""The promise is for a machine that does nothing else; tests share theirs, so they insist on four
times as much and write down what it was.
"""
GAME = "oregon"
MATCHES = 2
PACE = 0.7


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
    """The service on trial, and where its rows go. The players play only while a fault is tried.

    ``look`` makes the findings, where the database cannot be read from here.
    """

    where: str
    service: Service
    mail: MailServer
    players: Players
    database: Database
    rows: Path
    valkey: Valkey
    look: Callable[[], Findings] | None = None

    def suffer(
        self, fault: str, broken: AbstractContextManager[object], watched: Watched = "verdicts", count: int = 4
    ) -> None:
        """Plays; inflicts a fault for as long as ``broken`` lasts; waits until the service has
        recovered, and then until nothing is pending; checks the ledger.
        """
        before = self.players.journal.turns
        self.players.resume()
        try:
            self.more_turns(count)
            with broken:
                pass
            over = time.monotonic()
            until(
                lambda: self.recovered(over, watched) < NEVER, f"the recovery from {fault!r}", PROMISE_SECONDS * SLACK
            )
            seconds = self.recovered(over, watched)
        finally:
            self.players.pause()
        self.check(fault, before, seconds)

    def recovered(self, since: float, watched: Watched) -> float:
        """The seconds until every match went on, or until the first mail came."""
        if watched == "verdicts":
            return self.players.journal.recovered(since)
        return min((at for at in self.mail.times if at >= since), default=NEVER) - since

    def check(self, fault: str, before: int, seconds: float) -> None:
        """Writes the row, and fails the test unless the ledger is clean."""
        journal = self.players.journal
        findings = self.look() if self.look is not None else settle(self.database, journal.seen, self.mail.received)
        row = Row(fault, self.where, journal.turns - before, findings.lost, findings.double, round(seconds, 2))
        (self.rows / f"{time.monotonic_ns()}.json").write_text(json.dumps(asdict(row)))
        print(f"\n{row}")
        assert not findings.breaches, findings.breaches[:5]
        assert findings.settled
        assert findings.submitted == sum(count for status, count in findings.turns.items() if status != "queued")
        assert not journal.errors, journal.errors[:5]
        assert not self.players.failures, self.players.failures

    def queued(self) -> int:
        """How many turns wait for their verdict."""
        return self.count(turns, turns.c.status == "queued")

    def newest(self) -> datetime:
        """When the newest turn was submitted, by the clock of the service; turns are known to their
        clients in their order.
        """
        with self.database.read() as connection:
            newest = self.players.journal.seen[-1].turn_id
            moment: datetime = connection.execute(select(turns.c.submitted_at).where(turns.c.id == newest)).scalar_one()
            return moment

    def count(self, table: Table, *wanted: ColumnElement[bool]) -> int:
        """How many rows are like that."""
        with self.database.read() as connection:
            return int(connection.execute(select(func.count()).select_from(table).where(*wanted)).scalar_one())

    def more_turns(self, number: int) -> None:
        """Returns when so many turns more were taken."""
        before = self.players.journal.turns
        until(lambda: self.players.journal.turns >= before + number, f"{number} more turns")

    def last(self, seconds: float) -> None:
        """How long a fault lasts; nothing is waited for by this."""
        time.sleep(seconds)

    def retry_dead(self) -> None:
        """What an operator does when the mail server is well again: `overland outbox retry`."""
        done = overland("outbox", "retry", "--all-dead", environ=self.service.environ, prefix=self.service.prefix)
        assert done.returncode == 0, done.stderr


@contextmanager
def trial(
    folder: Path,
    rows: Path,
    where: str,
    environ: dict[str, str] | None = None,
    *,
    prefix: tuple[str, ...] = (),
    matches: int = MATCHES,
    reader: bool = False,
) -> Iterator[Trial]:
    """A service in ``folder`` with two processes of each kind, a mail server, a Valkey of the
    test's own, and players who have started their matches and pause.

    With a ``reader`` its output goes through one, which can be stopped.
    """
    folder.mkdir(parents=True, exist_ok=True)
    rows.mkdir(parents=True, exist_ok=True)
    (folder / "queue").mkdir()
    mail, valkey = MailServer(), Valkey(folder / "queue")
    valkey.start()
    two_each = {f"OVERLAND_{name}": "2" for name in ("API_PROCESSES", "TURN_WORKERS", "NOTICE_WORKERS")}
    given = {
        "OVERLAND_LOG_FORMAT": "json",
        "OVERLAND_VERDICT_MAIL_SECONDS": "1",
        "OVERLAND_MAIL_URL": mail.url,
        "OVERLAND_REDIS_URL": valkey.url,
        **two_each,
        **(environ or {}),
    }
    service = Service(folder, given, prefix=prefix, reader=reader)
    players = Players([service.url], mail, GAME, matches, where, PACE)
    database = Database(service.database_url)
    try:
        service.start()
        players.start()
        players.pause()
        yield Trial(where, service, mail, players, database, rows, valkey)
    finally:
        players.close()
        print(service.output()[-6000:])
        service.stop()
        mail.close()
        database.dispose()
        valkey.stop()
