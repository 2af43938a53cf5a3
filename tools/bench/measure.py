"""The measurements of the bench, one function each: turns under load, the echo of a bare server,
the bare commits of the database.
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
from sqlalchemy.engine import URL

from engine import registry
from service.commands.valkey import free_port
from service.wiring import utc_now
from tools.bench.costs import memory_bytes, processor_seconds
from tools.bench.load import Load, Requests, drive, request
from tools.bench.scripts import SEATS, Script, Seated, add_match, add_players, write_script
from tools.bench.service import GUNICORN, House

WARM_UP: Final = 2.0
"""Seconds of load before anything is counted: states are remembered, statements prepared."""
TURNS_OF_A_MATCH: Final = 26
COMMIT_SECONDS: Final = 1.5
ACCEPTED: Final = b'"accepted"'
LOAD: Final = "load"


@dataclass(frozen=True, slots=True)
class Measured:
    """What came of a load that was counted for ``seconds``: answers a second, milliseconds by
    percentile, processor seconds and memory by kind of process.
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
        """Processor seconds of all processes for one answer, load generator included."""
        return sum(self.processor.values()) / max(1, self.answered)


@dataclass(frozen=True, slots=True)
class Stage:
    """Players and matches that wait to be played; ``requests`` are the turns of each match, ready
    to be posted.
    """

    seated: tuple[Seated, ...]
    scripts: tuple[Script, ...]
    requests: tuple[Requests, ...]


def prepare(opened: House, game_name: str, matches: int, count: int) -> Stage:
    """So many matches between the players of ``matches`` tables, played beforehand and written as
    rows that have begun.
    """
    game, luck, now = registry.game(game_name), random.Random("bench"), utc_now()
    scripts = tuple(write_script(game, f"bench{number:05d}", luck) for number in range(count))
    with opened.database.write() as connection:
        seated = add_players(connection, matches * SEATS, now)
        for number, script in enumerate(scripts):
            add_match(connection, game, script, [each.player for each in _table(seated, number)], now)
    requests = tuple(
        [
            request(f"/v1/matches/{script.match_id}/turns", _table(seated, number)[turn.seat].token, turn.body)
            for turn in script.turns
        ]
        for number, script in enumerate(scripts)
    )
    return Stage(seated, scripts, requests)


def turns_under_load(opened: House, stage: Stage, connections: int, seconds: float) -> Measured:
    """Every connection plays a match, then the next, each turn posted as soon as the verdict on the
    one before is there.
    """
    return _measured(opened.address, iter(stage.requests), connections, seconds, ACCEPTED, opened.pids)


def echo(opened: House, body: bytes, connections: int, seconds: float) -> Measured:
    """The same load on a bare Flask application under the same server."""
    port = free_port()
    opened.start("echo", (*GUNICORN, "tools.bench.echo:app()"), OVERLAND_PORT=str(port))
    address = (opened.settings.host, port)
    opened.await_(lambda: _listens(address), "The echo")
    forever: Iterator[Requests] = repeat([request("/echo", "none", body, None)])
    measured = _measured(address, forever, connections, seconds, b'"ply"', lambda: {"echo": opened.pids()["echo"]})
    opened.stop("echo")
    return measured


def commits(opened: House) -> float:
    """Durable commits a second: one row in one transaction after the other, on one connection,
    through the bare driver.
    """
    url = opened.database.url
    commit = (
        _postgresql_commit(url)
        if url.get_backend_name() == "postgresql"
        else _sqlite_commit(opened.settings.data_dir / "commits.sqlite")
    )
    done, began = 0, time.monotonic()
    while (took := time.monotonic() - began) < COMMIT_SECONDS:
        commit()
        done += 1
    return done / took


def percentile(ordered: Sequence[float], share: float) -> float:
    """The value that so large a share of the ordered values do not exceed."""
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
    end, family = time.monotonic(), pids()
    after = _processor(family)
    taken = load.within(start, end)
    return Measured(
        seconds=end - start,
        answered=len(taken),
        faults=tuple(load.faults),
        dry=load.dry,
        percentiles={f"p{share}": percentile(taken, share / 100) * 1000 for share in (50, 95, 99)},
        processor={kind: used - before.get(kind, 0.0) for kind, used in after.items()},
        memory={kind: memory_bytes(members) for kind, members in family.items()},
    )


def _processor(pids: Mapping[str, tuple[int, ...]]) -> dict[str, float]:
    return {kind: processor_seconds(members) for kind, members in pids.items()} | {LOAD: time.process_time()}


def _table(seated: Sequence[Seated], number: int) -> Sequence[Seated]:
    first = number * SEATS % len(seated)
    return seated[first : first + SEATS]


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
