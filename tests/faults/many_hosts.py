"""Three API hosts and three worker hosts against one PostgreSQL and one Valkey. One host of each
kind is cut off while it works, and comes back; then each host is killed once, and started again.

Run as ``python -m tests.faults.many_hosts FOLDER ROWS namespaces|processes``, with ``namespaces``
in a network namespace of its own, and by a test. The exit status says whether the ledger is clean.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import asdict
from functools import partial
from pathlib import Path

from service.store.database import Database
from service.store.schema import migrate
from tests.faults.hosts import CENTRE, Host, Network
from tests.faults.trial import GAME, PROMISE_SECONDS, SLACK, Row
from tests.postgres import postgres_or_skip
from tests.workers.valkey import Valkey
from tools.launch import TAIL
from tools.soak.journal import NEVER, Journal
from tools.soak.mail import MailServer
from tools.soak.players import Players
from tools.soak.settling import settle
from tools.waiting import until

OF_EACH_KIND = 3
PACE = 1.5
"""Seconds between two turns of a match; the pictures in their mails cost the most here."""
REQUEST_SECONDS = 6.0
"""How long a client waits for an answer before it asks the next API host."""
CUT_SECONDS = 6.0
BOUND = PROMISE_SECONDS * SLACK
WORKERS = ("turns", "notices", "sweeper")


def main(folder: Path, rows: Path, separated: bool) -> None:
    """Plays, cuts, heals, kills, starts again and checks. Raises where anything is wrong."""
    centre = CENTRE if separated else "127.0.0.1"
    with ExitStack() as stack:
        network = Network() if separated else None
        if network is not None:
            stack.callback(network.close)
        postgres = stack.enter_context(postgres_or_skip(centre))
        valkey = Valkey(folder, centre)
        stack.callback(valkey.stop)
        valkey.start()
        mail = MailServer(centre)
        stack.callback(mail.close)
        database = Database(postgres.url)
        stack.callback(database.dispose)
        migrate(database)
        shared = {
            "OVERLAND_MODE": "production",  # hosts in namespaces do not listen on loopback
            "OVERLAND_RATE_LIMIT": "off",  # all players have one address
            "OVERLAND_DATABASE_URL": postgres.url,
            "OVERLAND_REDIS_URL": valkey.url,
            "OVERLAND_MAIL_URL": mail.url,
            "OVERLAND_LOG_FORMAT": "json",
            "OVERLAND_VERDICT_MAIL_SECONDS": "1",
        }
        pairs: list[tuple[Host, Host]] = []
        for number in range(1, OF_EACH_KIND + 1):
            names = f"work{number}", f"api{number}"
            work, api = (
                network.host(name, folder / name, shared) if network else Host(name, folder / name, centre, shared)
                for name in names
            )
            pairs.append((work, api))
        hosts = [host for pair in pairs for host in pair]
        for host in hosts:
            stack.callback(_end, host)
        _start(*hosts)
        urls = [api.service.url for _, api in pairs]
        players = Players(urls, mail, GAME, OF_EACH_KIND, "hosts", PACE, REQUEST_SECONDS)
        stack.callback(players.close)
        players.start()
        cut = _suffered(players, [_cut_off(*pairs[0])])
        # The players of a host that is gone go on at the next one, so the one cut off has none now.
        killed = _suffered(players, [_killed(*pair) for pair in (*pairs[1:], pairs[0])])
        players.pause()
        players.close()
        findings = settle(database, players.journal.seen, mail.received)
        assert not findings.breaches, findings.breaches
        assert not players.journal.errors, players.journal.errors
        assert not players.failures, players.failures
        where = "PostgreSQL, hosts " + ("in network namespaces" if separated else "as processes")
        for fault, (turns, worst) in (
            ("one of three worker hosts and one of three API hosts cut off for 6 s", cut),
            ("each of three worker hosts and three API hosts killed (-9), two at a time", killed),
        ):
            row = Row(fault, where, turns, findings.lost, findings.double, round(worst, 2))
            (rows / f"{time.monotonic_ns()}.json").write_text(json.dumps(asdict(row)))
            print(f"nothing lost or double: {row}")
        print(f"{findings.repeated_deliveries} mails twice")


def _suffered(players: Players, faults: Sequence[AbstractContextManager[str]]) -> tuple[int, float]:
    """Each fault has to leave a request without an answer, and every match has to go on during it,
    and after it: the number of turns, and the longest recovery in seconds.
    """
    journal = players.journal
    first, recoveries = journal.turns, [0.0]

    def recovered(what: str) -> None:
        since = time.monotonic()
        until(lambda: journal.recovered(since) < NEVER, what, BOUND)
        recoveries.append(journal.recovered(since))
        print(f"{what}: after {recoveries[-1]:.2f} s", flush=True)

    for fault in faults:
        until(partial(_more, journal, journal.turns + OF_EACH_KIND), "turns before the fault")
        unanswered = journal.unanswered
        with fault as names:
            recovered(f"play without {names}")
            until(partial(_asked, journal, unanswered), f"a client that asks {names}", BOUND)
        recovered(f"play after {names} came back")
    return journal.turns - first, max(recoveries)


@contextmanager
def _cut_off(*hosts: Host) -> Iterator[str]:
    began = time.monotonic()
    with ExitStack() as stack:
        for host in hosts:
            stack.enter_context(host.cut_off())
        yield _names(hosts)
        time.sleep(max(0.0, CUT_SECONDS - (time.monotonic() - began)))


@contextmanager
def _killed(*hosts: Host) -> Iterator[str]:
    for host in hosts:
        host.service.kill()
    yield _names(hosts)
    _start(*hosts)


def _start(*hosts: Host) -> None:
    """Starts what runs on these hosts, and waits until all of it works."""
    written = [len(host.service.output()) for host in hosts]
    for host in hosts:
        host.service.start_parts(*(WORKERS if _is_worker(host) else ("api",)))
    for host, before in zip(hosts, written, strict=True):
        host.service.wait(partial(_works, host, before), f"{host.name} works")


def _works(host: Host, written: int) -> bool:
    """Whether an API answers, or the workers have logged that they take jobs, and the sweeper that
    it sweeps, after the output that was ``written`` before.
    """
    if not _is_worker(host):
        return host.service.ready()
    output = host.service.output()[written:]
    return output.count("worker.listening") == 2 and "sweeper.started" in output


def _is_worker(host: Host) -> bool:
    return host.name.startswith("work")


def _more(journal: Journal, turns: int) -> bool:
    return journal.turns >= turns


def _asked(journal: Journal, unanswered: int) -> bool:
    return journal.unanswered > unanswered


def _names(hosts: Sequence[Host]) -> str:
    return " and ".join(host.name for host in hosts)


def _end(host: Host) -> None:
    host.service.stop()
    if sys.exc_info()[0] is not None:
        print(f"--- {host.name}\n{host.service.output()[-TAIL:]}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3] == "namespaces")
