"""`overland bench-ratios`: measures how the cost of a turn grows with the length of its match, and
the cost of everyday work with the number of stored matches. Neither should.

Everything runs in this process, on temporary databases. What is compared is measured alternately,
so that other work of the machine affects both alike.
"""

from __future__ import annotations

import json
import random
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from statistics import median
from typing import Any, Final

import click

from engine import registry
from engine.game import AnyGame
from service.config import load
from service.context import Context
from service.matches import lobby
from service.queue import MemoryQueue
from service.store import outbox, steps, survey
from service.store.database import migrate
from service.store.steps import StoredStep
from service.turns import batch
from service.turns.submit import submit
from service.wiring import wire
from tools.bench.scripts import Script, SeatedPlayer, add_match, add_players, write_script
from tools.bench.stored import store_matches
from tools.games import fewest_seats, game_option

LONG: Final = 1000
FEW: Final = 100
MATCHES: Final = 12
REPEATS: Final = 60
PATIENCE: Final = timedelta(seconds=3)


@click.command("bench-ratios")
@click.option(
    "--stored",
    default=100_000,
    show_default=True,
    type=click.IntRange(FEW, 10_000_000),
    help="How many stored matches are compared with 100.",
)
@game_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead of sentences.")
def bench_ratios(stored: int, game: str, as_json: bool) -> None:
    """Measure how turns slow down with long matches and many stored ones."""
    with tempfile.TemporaryDirectory(prefix="overland-bench-") as folder:
        ply = long_matches(Path(folder) / "ply", registry.game(game))
        work = many_matches(Path(folder) / "stored", registry.game(game), stored)
    if as_json:
        click.echo(json.dumps({"ply": ply, "stored": work}, indent=2))
        return
    click.echo(
        f"A turn after 0 entries: {ply['short']:.2f} ms, after {LONG:,}: {ply['long']:.2f} ms, ratio"
        f" {ply['ratio']:.2f}."
    )
    for name, measured in work.items():
        click.echo(
            f"{name} with {FEW} stored matches: {measured['few']:.2f} ms, with {stored:,}: {measured['many']:.2f} ms,"
            f" ratio {measured['ratio']:.2f}."
        )


def long_matches(folder: Path, game: AnyGame) -> dict[str, float]:
    """Milliseconds of a turn, from submitting to the verdict, at the beginning of a log and after a
    thousand entries.

    These entries are not valid actions and could not be replayed: a turn that replayed them would
    fail.
    """
    context = _service(folder)
    short, long = _begun(context, game, "s", 0), _begun(context, game, "l", LONG)
    took = _played_alternately([(context, *match) for match in short], [(context, *match) for match in long])
    context.close()
    return {"short": took[0], "long": took[1], "ratio": took[1] / took[0]}


def many_matches(folder: Path, game: AnyGame, stored: int) -> dict[str, dict[str, float]]:
    """Milliseconds of listing a player's matches, of a turn and of a sweep, with few and with many
    stored matches.
    """
    few, many = _service(folder / "few"), _service(folder / "many")
    playing = []
    for context, count in ((few, FEW), (many, stored)):
        store_matches(context, game, count)
        playing.append([(context, *match) for match in _begun(context, game, "t", 0)])
    turn = _played_alternately(*playing)
    listing = _alternately(
        lambda: lobby.mine(few, playing[0][0][2][0].player), lambda: lobby.mine(many, playing[1][0][2][0].player)
    )
    sweeping = _alternately(lambda: _sweep(few), lambda: _sweep(many))
    few.close()
    many.close()
    measured = {"Listing mine": listing, "Submitting and judging": turn, "Sweeping": sweeping}
    return {name: {"few": took[0], "many": took[1], "ratio": took[1] / took[0]} for name, took in measured.items()}


def _service(folder: Path) -> Context:
    folder.mkdir(parents=True)
    context = replace(wire(load({"OVERLAND_DATA_DIR": str(folder)})), queue=MemoryQueue())
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
                steps.write(connection, [StoredStep(script.match_id, len(script.opening), filler, None, {}, None)], now)
            context.states.remember(script.match_id, len(script.opening) + before, script.begun)
            made.append((script, seated))
    return made


def _played_alternately(*sides: list[tuple[Context, Script, tuple[SeatedPlayer, ...]]]) -> tuple[float, ...]:
    """The median milliseconds of a turn on each side, measured alternately."""
    took: list[list[float]] = [[] for _ in sides]
    for number in range(max(len(script.turns) for side in sides for _, script, _ in side)):
        for matches in zip(*sides, strict=True):
            for measured, (context, script, seated) in zip(took, matches, strict=True):
                if number < len(script.turns):
                    measured.append(_turn(context, script, seated, number))
    return tuple(median(measured) * 1000 for measured in took)


def _turn(context: Context, script: Script, seated: tuple[SeatedPlayer, ...], number: int) -> float:
    turn = script.turns[number]
    began = time.perf_counter()
    submitted = submit(context, seated[turn.seat].player, script.match_id, turn.seat, turn.ply, actions=turn.actions)
    judged = batch.judge_batch(context, 1)
    took = time.perf_counter() - began
    if judged.turns != (submitted.id,):
        raise RuntimeError(f"turn {submitted.id} was not judged: {judged}")
    return took


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
        outbox.due(connection, now, 1)
