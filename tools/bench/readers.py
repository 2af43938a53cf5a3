"""`overland bench-readers`: measures turns beside requests that wait for events and streams of
events, on this machine, load generator and readers included.

Rounds without and with readers alternate in one run of one service, each pair in the other order
than the one before; what is told is the median of the ratios of these pairs. The readers are
players without matches: what they cost is that they wait.
"""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from statistics import median
from typing import Any, Final

import click

from engine import registry
from service import logs
from service.api.auth import SIGNED_IN
from service.config import load
from service.following import MOST_OF_ONE
from service.players import tokens
from service.store.database import Database
from service.store.schema import migrate
from service.wiring import wire
from tools.bench.load_generator import HEADER_END
from tools.bench.measure import WARM_UP, Measured, PreparedMatches, prepare, turns_under_load
from tools.bench.run import FASTEST
from tools.bench.scripts import add_players
from tools.games import game_option
from tools.launch import NotRunning, Service
from tools.loops import LoopThread
from tools.waiting import until

WAIT: Final = 30
"""Seconds that a request waits; then the next one does."""


@dataclass(frozen=True, slots=True)
class EventReader:
    """Who waits for events: by requests with a token, or by a stream with that of a browser."""

    secret: str
    streams: bool


@dataclass(slots=True)
class EventReaders:
    """How many readers have begun to wait, and what went wrong with others."""

    waiting: int = 0
    faults: list[str] = field(default_factory=list)


@click.command("bench-readers")
@click.option("--waiting", default=500, show_default=True, type=click.IntRange(0, 5000), help="Requests that wait.")
@click.option("--streams", default=100, show_default=True, type=click.IntRange(0, 5000), help="Open streams of events.")
@click.option("--rounds", default=5, show_default=True, type=click.IntRange(1, 50), help="Pairs with and without them.")
@click.option("--matches", default=50, show_default=True, type=click.IntRange(1, 1000), help="Matches played at once.")
@click.option(
    "--seconds", default=10.0, show_default=True, type=click.FloatRange(0.5, 200), help="Seconds counted, each time."
)
@game_option
def bench_readers(waiting: int, streams: int, rounds: int, matches: int, seconds: float, game: str) -> None:
    """Measure turns beside requests and streams that wait for events."""
    logs.configure("json", "ERROR")  # the output is the figures only
    with tempfile.TemporaryDirectory(prefix="overland-bench-") as folder:
        try:
            service = Service(Path(folder), {"OVERLAND_LOG_FORMAT": "json"})
            figures = figures_of(service, game, (waiting, streams), rounds, matches, seconds)
        except NotRunning as reason:
            click.echo(str(reason), err=True)
            raise SystemExit(1) from None
    click.echo(json.dumps(figures, indent=2))
    if figures["faults"]:
        raise SystemExit(1)


def figures_of(
    service: Service, game: str, numbers: tuple[int, int], rounds: int, matches: int, seconds: float
) -> dict[str, Any]:
    """The figures of so many requests that wait and streams, as a JSON document. Raises
    ``NotRunning``.
    """
    database, faults = Database(service.database_url), list[str]()
    migrate(database)
    try:
        service.start_valkey()
        each = int((WARM_UP + seconds) * min(FASTEST, matches * 200))
        prepared = prepare(database, registry.game(game), 2 * rounds * matches, 2 * rounds * each)
        people = _readers(service, database, *numbers)
        service.start_parts("api", "turns", "sweeper")
        service.wait(service.ready, "the service is ready")
        share, pairs = len(prepared.requests) // (2 * rounds), list[tuple[Measured, Measured]]()

        def measured(number: int) -> Measured:
            some = prepared.requests[number * share : (number + 1) * share]
            found = turns_under_load(service, database, PreparedMatches(some, prepared.sample), matches, seconds)
            faults.extend(found.faults)
            return found

        def measured_beside(number: int) -> Measured:
            with reading((service.host, service.port), people) as readers:
                found = measured(number)
                faults.extend(readers.faults)
            return found

        for number in range(rounds):
            order = (measured, measured_beside) if number % 2 else (measured_beside, measured)
            first, second = order[0](2 * number), order[1](2 * number + 1)
            pairs.append((first, second) if number % 2 else (second, first))
    finally:
        service.stop()
        database.dispose()
    return {
        "waiting": numbers[0],
        "streams": numbers[1],
        "rounds": rounds,
        "turns_per_second": _compared(pairs, lambda found: found.rate),
        "median_milliseconds": _compared(pairs, lambda found: found.percentiles["p50"]),
        "api_megabytes": _compared(pairs, lambda found: found.memory["api"] / 2**20),
        "all_megabytes": _compared(pairs, lambda found: sum(found.memory.values()) / 2**20),
        "faults": faults,
    }


def _compared(pairs: Sequence[tuple[Measured, Measured]], of: Callable[[Measured], float]) -> dict[str, float]:
    """The medians of a figure without and with readers, and of the ratios of the pairs."""
    values = [(of(alone), of(beside)) for alone, beside in pairs]
    return {
        "without": round(median(alone for alone, _ in values), 1),
        "with": round(median(beside for _, beside in values), 1),
        "ratio": round(median(beside / alone if alone else 0.0 for alone, beside in values), 3),
    }


def _readers(service: Service, database: Database, waiting: int, streams: int) -> tuple[EventReader, ...]:
    """Adds players who wait for events, each so seldom that the requests of the round before, which
    are given up only when their time is over, leave room.
    """
    share = MOST_OF_ONE // 4
    context = wire(load(service.environ))
    with database.write() as connection:
        people = add_players(connection, max(1, -(-max(waiting, streams) // share)), context.clock(), "reader")
    browsers = [tokens.sign_in(context, each.player) for each in people] if streams else []
    context.close()
    asking = (EventReader(each.token, streams=False) for each, _ in zip(cycle(people), range(waiting), strict=False))
    streaming = (EventReader(secret, streams=True) for secret, _ in zip(cycle(browsers), range(streams), strict=False))
    return (*asking, *streaming)


@contextmanager
def reading(address: tuple[str, int], people: Sequence[EventReader]) -> Iterator[EventReaders]:
    """EventReaders wait, all of them once the block begins, until it ends."""
    readers, thread = EventReaders(), LoopThread("readers")
    for each in people:
        thread.begin(_read(address, each, readers))
    try:
        until(lambda: readers.faults or readers.waiting == len(people), "all readers wait")
        yield readers
    finally:
        thread.close()


async def _read(address: tuple[str, int], reader: EventReader, readers: EventReaders) -> None:
    """Waits for events over one connection, for ever."""
    source, sink = await asyncio.open_connection(*address)
    try:
        if reader.streams:
            sink.write(_get("/events/stream", f"Cookie: {SIGNED_IN}={reader.secret}"))
            head = await source.readuntil(HEADER_END)
            readers.waiting += 1
            while head[9:12] == b"200" and await source.read(4096):
                pass
            readers.faults.append(f"a stream ended: {head[:60]!r}")
            return
        proof, path = f"Authorization: Bearer {reader.secret}", "/v1/events"
        while True:
            sink.write(_get(path, proof))
            head = await source.readuntil(HEADER_END)
            fields = dict(line.lower().split(b": ", 1) for line in head.split(b"\r\n")[1:-2])
            body = await source.readexactly(int(fields[b"content-length"]))
            if head[9:12] != b"200":
                readers.faults.append(body.decode(errors="replace"))
                return
            readers.waiting += path == "/v1/events"
            path = f"/v1/events?after={json.loads(body)['cursor']}&wait={WAIT}"
    except (OSError, EOFError) as error:
        readers.faults.append(f"a reader was cut off: {error}")
    finally:
        sink.close()


def _get(path: str, proof: str) -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: bench\r\n{proof}\r\n\r\n".encode()
