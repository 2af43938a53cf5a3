"""The measurements of the bench: turns under load, the echo of a bare server, the bare commits of
the database.
"""

from __future__ import annotations

import random
import socket
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path
from typing import Final

import psycopg
from sqlalchemy import text
from sqlalchemy.engine import URL

from engine.game import AnyGame
from service.store.database import Database
from service.wiring import utc_now
from tools.bench.costs import memory_bytes, processor_seconds
from tools.bench.load_generator import Load, Requests, drive, request
from tools.bench.scripts import Script, add_match, add_players, write_script
from tools.games import fewest_seats
from tools.launch import PYTHON, Service
from workers.valkey import free_port

WARM_UP: Final = 2.0
"""Seconds of load before counting: until states are remembered and statements prepared."""
COMMIT_SECONDS: Final = 1.5
ACCEPTED: Final = b'"accepted"'
LOAD: Final = "load"


@dataclass(frozen=True, slots=True)
class Measured:
    """The figures of a load over ``seconds``: number of answers, milliseconds by percentile,
    processor seconds and bytes of memory by name of process.
    """

    seconds: float
    answered: int
    faults: tuple[str, ...]
    dry: bool
    percentiles: Mapping[str, float]
    processor: Mapping[str, float]
    memory: Mapping[str, int]

    @property
    def rate(self) -> float:
        return self.answered / self.seconds

    @property
    def processor_per_answer(self) -> float:
        """Processor seconds per answer, of all processes, load generator included."""
        return sum(self.processor.values()) / max(1, self.answered)


@dataclass(frozen=True, slots=True)
class PreparedMatches:
    """Running matches: ``requests`` by match, in order; ``sample`` is the body of one."""

    requests: tuple[Requests, ...]
    sample: bytes


def prepare(database: Database, game: AnyGame, matches: int, turns: int) -> PreparedMatches:
    """Writes at least ``matches`` matches with at least ``turns`` turns in all, played beforehand.
    The first ``matches`` have different players, later ones reuse them.
    """
    luck, now, seats = random.Random("bench"), utc_now(), fewest_seats(game.info.seats)
    scripts: list[Script] = []
    count = 0
    while len(scripts) < matches or count < turns:
        scripts.append(write_script(game, f"bench{len(scripts):05d}", luck))
        count += len(scripts[-1].turns)
    requests = []
    with database.write() as connection:
        players = add_players(connection, matches * seats, now)
        for number, script in enumerate(scripts):
            first = number * seats % len(players)
            seated = players[first : first + seats]
            add_match(connection, game, script, [each.player for each in seated], now)
            path = f"/v1/matches/{script.match_id}/turns"
            requests.append([request(path, seated[turn.seat].token, turn.body) for turn in script.turns])
    return PreparedMatches(tuple(requests), scripts[0].turns[-1].body)


def turns_under_load(
    service: Service, database: Database, prepared: PreparedMatches, connections: int, seconds: float
) -> Measured:
    """Every connection plays one match after the other, posting each turn as soon as the verdict on
    the previous one has arrived.
    """

    def pids() -> Mapping[str, tuple[int, ...]]:
        return service.pids() | _pids_of(database)

    address = (service.host, service.port)
    return _measured(address, iter(prepared.requests), connections, seconds, ACCEPTED, pids)


def echo(service: Service, body: bytes, connections: int, seconds: float) -> Measured:
    """The same load on a bare Flask application under the same server. Raises ``NotRunning``."""
    address = (service.host, free_port())
    service.spawn("echo", *PYTHON, "tools.bench.echo", OVERLAND_PORT=str(address[1]))
    service.wait(lambda: _listens(address), "the echo listens")
    forever: Iterator[Requests] = repeat([request("/echo", "none", body, None)])
    measured = _measured(address, forever, connections, seconds, b'"ply"', lambda: {"echo": service.pids()["echo"]})
    service.stop("echo")
    return measured


def commits(database: Database, folder: Path) -> float:
    """Durable commits per second, one row each, on one connection of the bare driver; for SQLite in
    a new file in ``folder``.
    """
    url = database.url
    on_postgresql = url.get_backend_name() == "postgresql"
    commit = _postgresql_commit(url) if on_postgresql else _sqlite_commit(folder / "commits.sqlite")
    done, began = 0, time.monotonic()
    while (took := time.monotonic() - began) < COMMIT_SECONDS:
        commit()
        done += 1
    return done / took


def percentile(ordered: Sequence[float], share: float) -> float:
    """The value that this share of the ordered values does not exceed; 0 for no values."""
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else 0.0


def _measured(
    address: tuple[str, int],
    scripts: Iterator[Requests],
    connections: int,
    seconds: float,
    proof: bytes,
    pids: Callable[[], Mapping[str, tuple[int, ...]]],
) -> Measured:
    began = time.monotonic()
    counted: list[tuple[float, Mapping[str, float]]] = []

    def look() -> None:
        if not counted and time.monotonic() - began >= WARM_UP:
            counted.append((time.monotonic(), _processor(pids())))

    load: Load = drive(address, scripts, connections, WARM_UP + seconds, proof, look)
    start, before = counted[0] if counted else (began, {})
    end, living = time.monotonic(), pids()
    after = _processor(living)
    taken = load.within(start, end)
    return Measured(
        seconds=end - start,
        answered=len(taken),
        faults=tuple(load.faults),
        dry=load.dry,
        percentiles={f"p{share}": percentile(taken, share / 100) * 1000 for share in (50, 95, 99)},
        processor={kind: used - before.get(kind, 0.0) for kind, used in after.items()},
        memory={kind: memory_bytes(members) for kind, members in living.items()},
    )


def _processor(pids: Mapping[str, tuple[int, ...]]) -> dict[str, float]:
    return {kind: processor_seconds(members) for kind, members in pids.items()} | {LOAD: time.process_time()}


def _pids_of(database: Database) -> dict[str, tuple[int, ...]]:
    """The processes of a PostgreSQL on this machine."""
    if database.url.get_backend_name() != "postgresql":
        return {}
    with database.read() as connection:
        return {"database": tuple(connection.execute(text("SELECT pid FROM pg_stat_activity")).scalars())}


def _listens(address: tuple[str, int]) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(address) == 0


def _sqlite_commit(file: Path) -> Callable[[], object]:
    connection = sqlite3.connect(file, isolation_level=None)
    for setting in ("journal_mode=WAL", "synchronous=FULL"):
        connection.execute(f"PRAGMA {setting}")
    connection.execute("CREATE TABLE commits (id INTEGER PRIMARY KEY, text TEXT NOT NULL)")
    return lambda: connection.execute("INSERT INTO commits (text) VALUES ('a row of no importance')")


def _postgresql_commit(url: URL) -> Callable[[], object]:
    connection = psycopg.connect(
        url.set(drivername="postgresql").render_as_string(hide_password=False), autocommit=True
    )
    connection.execute("CREATE TABLE IF NOT EXISTS bench_commits (id BIGSERIAL PRIMARY KEY, text TEXT NOT NULL)")
    return lambda: connection.execute("INSERT INTO bench_commits (text) VALUES ('a row of no importance')")
