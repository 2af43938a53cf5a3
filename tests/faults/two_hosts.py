"""Two API hosts and two worker hosts against one PostgreSQL and one Valkey; one of each is cut off
while it works, and comes back.

Run as ``python -m tests.faults.two_hosts FOLDER ROWS namespaces|processes``, with ``namespaces`` in
a network namespace of its own, and by a test. The exit status says whether the ledger is clean.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from redis import Redis
from redis.exceptions import RedisError

from service.commands.valkey import free_port, server_binary
from service.store.database import Database, migrate
from tests.faults.hosts import CENTRE, Host, Network
from tests.faults.postgres import postgres_or_skip
from tests.faults.trial import PACE, PROMISE_SECONDS, SLACK, TABLES
from tools.soak.book import NEVER
from tools.soak.mail import MailServer
from tools.soak.players import Club
from tools.soak.service import await_
from tools.soak.settling import settle

API = ("gunicorn", "--config", "python:service.commands.gunicorn", "service.wsgi:app")
WORKERS = (("workers", "turns"), ("workers", "notices"), ("workers", "sweeper"))
PATIENCE = 6.0
"""How long a client waits for an answer before it asks the other API host."""
BOUND = PROMISE_SECONDS * SLACK


def main(folder: Path, rows: Path, separated: bool) -> None:
    """Plays, cuts, heals and checks. Raises where anything is amiss."""
    centre = CENTRE if separated else "127.0.0.1"
    with ExitStack() as stack:
        network = Network() if separated else None
        if network is not None:
            stack.callback(network.close)
        postgres = stack.enter_context(postgres_or_skip(centre))
        redis_url = stack.enter_context(valkey(folder, centre))
        mail = MailServer(centre)
        stack.callback(mail.close)
        database = Database(postgres.url)
        stack.callback(database.dispose)
        migrate(database)
        shared = {
            "OVERLAND_DATABASE_URL": postgres.url,
            "OVERLAND_REDIS_URL": redis_url,
            "OVERLAND_MAIL_URL": mail.url,
            "OVERLAND_API_PROCESSES": "1",
        }
        shared["OVERLAND_SWEEP_SECONDS"] = "1"
        hosts = {name: _host(name, folder, network) for name in ("api1", "api2", "work1", "work2")}
        urls = []
        for name, host in hosts.items():
            stack.callback(_end, host)
            if name.startswith("api"):
                port = str(free_port())
                host.start({**shared, "OVERLAND_HOST": host.address, "OVERLAND_PORT": port}, API)
                urls.append(f"http://{host.address}:{port}")
            else:
                host.start(shared, *WORKERS)
        club = Club(urls, mail, TABLES, "hosts", PACE, PATIENCE)
        stack.callback(club.close, 30.0)
        club.open()
        for name in ("work1", "api1"):
            _cut(hosts[name], club)
        club.pause()
        club.close()
        findings = settle(database, club.book.seen, mail.received)
        assert not findings.breaches, findings.breaches
        assert not club.book.surprises, club.book.surprises
        assert not club.failures, club.failures
        how = "PostgreSQL, hosts in network namespaces" if separated else "PostgreSQL, hosts as processes"
        worst = max(RECOVERIES)
        row = {
            "fault": "one of two worker hosts, then one of two API hosts cut off for 6 s",
            "where": how,
            "turns": findings.submitted,
        }
        row |= {"lost": findings.lost, "double": findings.double, "seconds": round(worst, 2)}
        (rows / f"{time.monotonic_ns()}.json").write_text(json.dumps(row))
        print(
            f"{findings.submitted} turns, nothing lost or double, {findings.repeated_deliveries} mails twice, at worst"
            f" {worst:.2f} s until play went on"
        )


RECOVERIES: list[float] = []


def _cut(host: Host, club: Club) -> None:
    """Play has to go on without the host, and with it again."""
    before = club.book.turns
    await_(lambda: club.book.turns >= before + 2, 90, "Two turns before the cut")
    cut = time.monotonic()
    with host.cut_off():
        await_(lambda: club.book.recovered(cut) < NEVER, BOUND, f"Play without {host.name}")
        without = club.book.recovered(cut)
        time.sleep(max(0.0, 6.0 - (time.monotonic() - cut)))
    healed = time.monotonic()
    await_(lambda: club.book.recovered(healed) < NEVER, BOUND, f"Play after {host.name} came back")
    again = club.book.recovered(healed)
    RECOVERIES.extend((without, again))
    print(f"{host.name} cut off: play went on after {without:.2f} s, and {again:.2f} s after it came back", flush=True)


def _host(name: str, folder: Path, network: Network | None) -> Host:
    return network.host(name, folder / name) if network is not None else Host(name, folder / name, "127.0.0.1")


def _end(host: Host) -> None:
    host.stop()
    if sys.exc_info()[0] is not None:
        print(f"--- {host.name}\n{host.said()[-3000:]}")


@contextmanager
def valkey(folder: Path, address: str) -> Iterator[str]:
    """A Valkey that hosts can reach: the address of it."""
    port = free_port()
    options = ["--port", str(port), "--bind", address, "--protected-mode", "no", "--dir", str(folder), "--save", ""]
    server = subprocess.Popen([str(server_binary()), *options], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    url = f"redis://{address}:{port}/0"
    try:
        await_(lambda: _answers(url), 60, "Valkey")
        yield url
    finally:
        server.kill()
        server.wait(10)


def _answers(url: str) -> bool:
    try:
        return bool(Redis.from_url(url).ping())
    except RedisError:
        return False


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3] == "namespaces")
