"""`overland bench-ratios`: measures how the cost of a turn grows with the length of its match, and
the cost of everyday work with the number of stored matches. Neither should.

Everything runs in this process, on temporary databases. What is compared is measured alternately,
so that other work of the machine affects both alike.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from dataclasses import replace
from datetime import timedelta
from itertools import count
from pathlib import Path
from statistics import median
from typing import Any, Final

import click

from engine import registry
from engine.game import AnyGame
from engine.play import longest
from service.clocks.history import clock_document
from service.clocks.rule import PRESETS
from service.clocks.seat import SeatClock
from service.clocks.spans import instant
from service.config import load
from service.context import Context
from service.loop import Loop
from service.matches import lobby
from service.store import matches, outbox, survey
from service.store import turns as turn_rows
from service.store.matches import StoredStep
from service.store.schema import migrate
from service.store.tables import seat_clocks
from service.sweeps import SweepResult, sweep_items
from service.turns import batch
from service.turns.judge import OwnRulings
from service.turns.submit import submit
from service.wiring import wire
from tools.bench.scripts import Script, SeatedPlayer, add_match, add_players, write_script
from tools.bench.stored import store_matches
from tools.games import fewest_seats, game_option
from tools.memory_queue import MemoryQueue
from tools.postgresql import answering, new_database

FEW: Final = 100
MATCHES: Final = 12
REPEATS: Final = 60
TAKEN: Final = 64
TOLD_EVERY: Final = 100_000
PATIENCE: Final = timedelta(seconds=3)
CLOCK: Final = PRESETS["relaxed"]


@click.command("bench-ratios")
@click.option(
    "--stored",
    default=100_000,
    show_default=True,
    type=click.IntRange(FEW, 10_000_000),
    help="How many stored matches are compared with 100.",
)
@game_option
@click.option(
    "--postgres",
    "server",
    metavar="URL",
    callback=answering,
    help="A PostgreSQL server on which databases may be made, for the stored matches, instead of SQLite.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead of sentences.")
def bench_ratios(stored: int, game: str, server: str | None, as_json: bool) -> None:
    """Measure how turns slow down with long matches and many stored ones."""
    with tempfile.TemporaryDirectory(prefix="overland-bench-") as folder, _two_databases(server) as urls:
        ply = long_matches(Path(folder) / "ply", registry.game(game))
        work = many_matches(Path(folder) / "stored", registry.game(game), stored, urls)
    with (
        tempfile.TemporaryDirectory(prefix="overland-bench-") as folder,
        _two_databases(server) as urls,
        redirect_stdout(sys.stderr),  # the output is the figures only
    ):
        work |= many_clocks(Path(folder), registry.game(game), stored, urls)
    if as_json:
        click.echo(json.dumps({"ply": ply, "stored": work}, indent=2))
        return
    click.echo(
        f"A turn after 0 entries: {ply['short']:.2f} ms, after {ply['entries']:,.0f}: {ply['long']:.2f} ms, ratio"
        f" {ply['ratio']:.2f}."
    )
    for name, measured in work.items():
        click.echo(
            f"{name} with {FEW} stored matches: {measured['few']:.2f} ms, with {stored:,}: {measured['many']:.2f} ms,"
            f" ratio {measured['ratio']:.2f}."
        )


def long_matches(folder: Path, game: AnyGame) -> dict[str, float]:
    """Milliseconds of a turn, from submitting to the verdict, at the beginning of a log and after
    half as many ``entries`` as a match may have.

    These entries are not valid actions and could not be replayed: a turn that replayed them would
    fail.
    """
    context, entries = _service(folder), longest(game, write_script(game, "l", random.Random("l")).begun) // 2
    short, long = _begun(context, game, "s", 0), _begun(context, game, "l", entries)
    took = _played_alternately([(context, *match) for match in short], [(context, *match) for match in long])
    context.close()
    return {"entries": entries, "short": took[0], "long": took[1], "ratio": took[1] / took[0]}


def many_matches(
    folder: Path, game: AnyGame, stored: int, urls: tuple[str | None, str | None] = (None, None)
) -> dict[str, dict[str, float]]:
    """Milliseconds of listing a player's matches, of the parts of a turn and of a sweep, with few
    and with many stored matches.
    """
    few, many = _service(folder / "few", urls[0]), _service(folder / "many", urls[1])
    playing = []
    for context, number in ((few, FEW), (many, stored)):
        store_matches(context, game, number, _progress(number))
        playing.append([(context, *match) for match in _begun(context, game, "t", 0)])
    measured = _parts_of_turns(*playing)
    measured["Listing mine"] = _alternately(
        lambda: lobby.mine(few, playing[0][0][2][0].player), lambda: lobby.mine(many, playing[1][0][2][0].player)
    )
    measured["Sweeping"] = _alternately(lambda: _sweep(few), lambda: _sweep(many))
    few.close()
    many.close()
    return {name: {"few": took[0], "many": took[1], "ratio": took[1] / took[0]} for name, took in measured.items()}


def many_clocks(
    folder: Path, game: AnyGame, running: int, urls: tuple[str | None, str | None] = (None, None)
) -> dict[str, dict[str, float]]:
    """Milliseconds of a sweep of clocks that finds nothing due, and of one that acts on a seat
    whose time is up, with few and with many running matches.
    """
    few, many = _service(folder / "few", urls[0]), _service(folder / "many", urls[1])
    for context, number in ((few, FEW), (many, running)):
        store_matches(context, game, number, _progress(number), CLOCK)
    measured = {
        "Sweeping clocks": _alternately(lambda: _clocks(few), lambda: _clocks(many)),
        "Acting on time that is up": _alternately(_expiring(few), _expiring(many)),
    }
    few.close()
    many.close()
    return {name: {"few": took[0], "many": took[1], "ratio": took[1] / took[0]} for name, took in measured.items()}


def _clocks(context: Context) -> Counter[SweepResult]:
    return sweep_items(context, Loop.CLOCKS)


def _expiring(context: Context) -> Callable[[], None]:
    """Lets the time of a seat run out, of another match each time, and has a sweep act on it."""
    numbers = count()

    def act() -> None:
        clock = replace(SeatClock(CLOCK.base), turns=1)
        ended = context.clock() - timedelta(minutes=1)
        clock = replace(clock, since=instant(ended) - clock.budget)
        is_awaited = seat_clocks.c.due_at.is_not(None)
        with context.database.write() as connection:
            its = (seat_clocks.c.match_id == f"stored{next(numbers)}") & is_awaited
            connection.execute(seat_clocks.update().where(its).values(document=clock_document(clock), due_at=ended))
        if _clocks(context)["done"] != 1:
            raise RuntimeError("nobody acted on time that was up")

    return act


@contextmanager
def _two_databases(server: str | None) -> Iterator[tuple[str | None, str | None]]:
    """The URLs of two new databases on that server, dropped afterwards; ``None`` without one."""
    if server is None:
        yield None, None
        return
    with new_database(server, "bench_few") as few, new_database(server, "bench_many") as many:
        yield few, many


def _progress(count: int) -> Callable[[int], None]:
    """Writes to standard error how many of many matches are stored."""
    began = time.perf_counter()

    def told(stored: int) -> None:
        if count > FEW and (stored % TOLD_EVERY == 0 or stored == count):
            click.echo(f"{stored:,} of {count:,} stored after {time.perf_counter() - began:.0f} s", err=True)

    return told


def _service(folder: Path, url: str | None = None) -> Context:
    folder.mkdir(parents=True)
    environ = {"OVERLAND_DATA_DIR": str(folder)} | ({"OVERLAND_DATABASE_URL": url} if url else {})
    context = replace(wire(load(environ)), queue=MemoryQueue())
    migrate(context.database)
    return context


def _begun(context: Context, game: AnyGame, name: str, before: int) -> list[tuple[Script, tuple[SeatedPlayer, ...]]]:
    """Running matches with ``before`` entries, their states remembered, with their players."""
    luck, now = random.Random(name), context.clock()
    made = []
    with context.database.write() as connection:
        for number in range(MATCHES):
            script = write_script(game, f"{name}{number}", luck, before)
            seated = add_players(connection, fewest_seats(game.info.seats), now, first=f"{name}{number}")
            add_match(connection, game, script, [each.player for each in seated], now)
            if before:
                filler = tuple((0, {"type": "nothing"}) for _ in range(before))
                matches.write_steps(
                    connection, [StoredStep(script.match_id, len(script.opening), filler, None, {}, None)], now
                )
            context.states.remember(script.match_id, len(script.opening) + before, script.begun)
            made.append((script, seated))
    return made


def _played_alternately(*sides: list[tuple[Context, Script, tuple[SeatedPlayer, ...]]]) -> tuple[float, ...]:
    """The median milliseconds of a turn on each side, measured alternately."""
    took: list[list[float]] = [[] for _ in sides]
    for number in range(max(len(script.turns) for side in sides for _, script, _ in side)):
        for together in zip(*sides, strict=True):
            for measured, (context, script, seated) in zip(took, together, strict=True):
                if number < len(script.turns):
                    measured.append(_turn(context, script, seated, number))
    return tuple(median(measured) * 1000 for measured in took)


def _turn(context: Context, script: Script, seated: tuple[SeatedPlayer, ...], number: int) -> float:
    turn = script.turns[number]
    began = time.perf_counter()
    submitted = submit(context, seated[turn.seat].player, script.match_id, turn.seat, turn.ply, actions=turn.actions)
    judged = batch.judge_oldest(context, OwnRulings(context.database, context.states), 1)
    took = time.perf_counter() - began
    if judged.judged != (submitted.id,):
        raise RuntimeError(f"turn {submitted.id} was not judged: {judged}")
    return took


def _parts_of_turns(*sides: list[tuple[Context, Script, tuple[SeatedPlayer, ...]]]) -> dict[str, tuple[float, ...]]:
    """The median milliseconds of the parts of a turn on each side, measured alternately."""
    parts = ("Submitting", "Taking", "Judging")
    took: dict[str, list[list[float]]] = {part: [[] for _ in sides] for part in parts}
    for number in range(max(len(script.turns) for side in sides for _, script, _ in side)):
        for together in zip(*sides, strict=True):
            for side, (context, script, seated) in enumerate(together):
                if number < len(script.turns):
                    for part, seconds in zip(parts, _timed_turn(context, script, seated, number), strict=True):
                        took[part][side].append(seconds)
    return {part: tuple(median(measured) * 1000 for measured in each) for part, each in took.items()}


def _timed_turn(
    context: Context, script: Script, seated: tuple[SeatedPlayer, ...], number: int
) -> tuple[float, float, float]:
    """Seconds of submitting a turn, of taking it alone, and of judging it, which takes it again."""
    turn, times = script.turns[number], [time.perf_counter()]
    submit(context, seated[turn.seat].player, script.match_id, turn.seat, turn.ply, actions=turn.actions)
    times.append(time.perf_counter())
    with context.database.write() as connection:
        turn_rows.oldest(connection, TAKEN)
    times.append(time.perf_counter())
    if len(batch.judge_oldest(context, OwnRulings(context.database, context.states), 1).judged) != 1:
        raise RuntimeError(f"a turn of {script.match_id} was not judged")
    times.append(time.perf_counter())
    return times[1] - times[0], times[2] - times[1], times[3] - times[2]


def _alternately(*sides: Callable[[], Any]) -> tuple[float, ...]:
    took: list[list[float]] = [[] for _ in sides]
    for _ in range(REPEATS):
        for measured, do in zip(took, sides, strict=True):
            began = time.perf_counter()
            do()
            measured.append(time.perf_counter() - began)
    return tuple(median(measured) * 1000 for measured in took)


def _sweep(context: Context) -> None:
    """The queries of the sweeper."""
    now = context.clock()
    with context.database.read() as connection:
        survey.turns_wait(connection, now, PATIENCE)
        outbox.LEASING.any_due(connection, now)
