"""Two API hosts and two worker hosts against one PostgreSQL and one Valkey; one of each is cut off
while it works, and comes back.

Run as ``python -m tests.faults.two_hosts FOLDER ROWS namespaces|processes``, with ``namespaces`` in
a network namespace of its own, and by a test. The exit status says whether the ledger is clean.
"""

from __future__ import annotations

import json
import sys
import time
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path

from service.store.database import Database, migrate
from tests.faults.hosts import CENTRE, Host, Network
from tests.faults.trial import GAME, MATCHES, PACE, PROMISE_SECONDS, SLACK, Row
from tests.postgres import postgres_or_skip
from tests.workers.valkey import Valkey
from tools.launch import TAIL
from tools.soak.journal import NEVER
from tools.soak.mail import MailServer
from tools.soak.players import Players
from tools.soak.settling import settle
from tools.waiting import until

REQUEST_SECONDS = 6.0
"""How long a client waits for an answer before it asks the other API host."""
CUT_SECONDS = 6.0
BOUND = PROMISE_SECONDS * SLACK


def main(folder: Path, rows: Path, separated: bool) -> None:
    """Plays, cuts, heals and checks. Raises where anything is wrong."""
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
        }
        shared |= {"OVERLAND_LOG_FORMAT": "json"}
        hosts: dict[str, Host] = {}
        for name in ("api1", "api2", "work1", "work2"):
            home = folder / name
            hosts[name] = network.host(name, home, shared) if network else Host(name, home, centre, shared)
            stack.callback(_end, hosts[name])
            parts = ("api",) if name.startswith("api") else ("turns", "notices", "sweeper")
            hosts[name].service.start_parts(*parts)
        urls = [hosts[name].service.url for name in ("api1", "api2")]
        for name in ("api1", "api2"):
            hosts[name].service.wait(hosts[name].service.ready, f"{name} is ready")
        players = Players(urls, mail, GAME, MATCHES, "hosts", PACE, REQUEST_SECONDS)
        stack.callback(players.close)
        players.start()
        worst = max(_cut(hosts[name], players) for name in ("work1", "api1"))
        players.pause()
        players.close()
        findings = settle(database, players.journal.seen, mail.received)
        assert not findings.breaches, findings.breaches
        assert not players.journal.errors, players.journal.errors
        assert not players.failures, players.failures
        fault = "one of two worker hosts, then one of two API hosts cut off for 6 s"
        where = "PostgreSQL, hosts " + ("in network namespaces" if separated else "as processes")
        row = Row(fault, where, findings.submitted, findings.lost, findings.double, round(worst, 2))
        (rows / f"{time.monotonic_ns()}.json").write_text(json.dumps(asdict(row)))
        print(f"nothing lost or double: {row}, {findings.repeated_deliveries} mails twice")


def _cut(host: Host, players: Players) -> float:
    """Play has to go on without the host, and with it again: the longer of the two recoveries."""
    journal = players.journal
    before = journal.turns
    until(lambda: journal.turns >= before + 2, "two turns before the cut")
    cut = time.monotonic()
    with host.cut_off():
        until(lambda: journal.recovered(cut) < NEVER, f"play without {host.name}", BOUND)
        without = journal.recovered(cut)
        time.sleep(max(0.0, CUT_SECONDS - (time.monotonic() - cut)))
    healed = time.monotonic()
    until(lambda: journal.recovered(healed) < NEVER, f"play after {host.name} came back", BOUND)
    again = journal.recovered(healed)
    print(f"{host.name} cut off: play went on after {without:.2f} s, and {again:.2f} s after it came back", flush=True)
    return max(without, again)


def _end(host: Host) -> None:
    host.service.stop()
    if sys.exc_info()[0] is not None:
        print(f"--- {host.name}\n{host.service.output()[-TAIL:]}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3] == "namespaces")
