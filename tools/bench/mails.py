"""`overland bench-mails`: mails a second, and the processor time and bytes of a mail.

Players play a match in this process, so many turns; after each the mails that it causes are
composed, drawn and written to a folder, as a worker does. Processor times depend on the machine, so
they are also told as a ratio to that of a turn, from its submission to its verdict, of the same
run.
"""

from __future__ import annotations

import json
import os
import random
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import timedelta
from functools import partial
from pathlib import Path
from statistics import median
from typing import Final

import click
import psutil

from engine import registry
from engine.game import AnyGame
from service.config import load
from service.context import Context
from service.logs import configure
from service.notices import delivery
from service.store.schema import migrate
from service.turns import batch
from service.turns.judge import OwnRulings
from service.turns.submit import submit
from service.wiring import fork_server, wire, with_mail_processes
from tools.bench.costs import processor_seconds
from tools.bench.scripts import Posted, add_match, add_players, write_script
from tools.games import fewest_seats, game_option
from tools.memory_queue import MemoryQueue

LATER: Final = timedelta(hours=1)
"""How much later the mails of a turn are sent than it is played, so that all are due."""


@dataclass(frozen=True, slots=True)
class Figures:
    """What mails cost: ``turn_ms`` and ``mail_ms`` are milliseconds of processor time, ``ratio`` is
    the second by the first; ``all_ms`` is for a turn with its mails; ``median_bytes`` and
    ``largest_bytes`` are those of whole mails.
    """

    game: str
    turns: int
    mails: int
    mails_a_second: float
    turn_ms: float
    mail_ms: float
    ratio: float
    all_ms: float
    median_bytes: int
    largest_bytes: int


@click.command()
@game_option
@click.option("--plies", type=click.IntRange(1), default=60, show_default=True, help="How many turns are played.")
@click.option("--seats", type=int, help="Of how many players, as few as may be unless it is said.")
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
def bench_mails(game: str, plies: int, seats: int | None, as_json: bool) -> None:
    """Measure the mails of a match: a second, processor time, bytes."""
    if seats is not None and seats not in registry.game(game).info.seats:
        raise click.BadParameter(f"{game} is not played by {seats}.", param_hint="--seats")
    configure("console", "WARNING")  # the output is the figures only
    with tempfile.TemporaryDirectory(prefix="overland-") as folder:
        figures = mails_of(Path(folder), registry.game(game), plies, seats)
    if as_json:
        click.echo(json.dumps(asdict(figures)))
        return
    click.echo(
        f"{figures.mails} mails of {figures.turns} turns of {figures.game}: {figures.mails_a_second:.1f} a second."
    )
    click.echo(
        f"Processor time: {figures.mail_ms:.1f} ms a mail, {figures.turn_ms:.1f} ms a turn, {figures.ratio:.1f} times;"
        f" {figures.all_ms:.1f} ms a turn with its mails."
    )
    click.echo(
        f"Size: {figures.median_bytes / 1000:.0f} kB at the median, {figures.largest_bytes / 1000:.0f} kB at most."
    )


def mails_of(folder: Path, game: AnyGame, plies: int, seats: int | None = None) -> Figures:
    """Plays a match of the game in the folder, at most ``plies`` turns, and sends its mails."""
    with _service(folder) as context:
        later = replace(context, clock=lambda: context.clock() + LATER)
        spent, turns, mails, playing, sending, seconds = _spent(), 0, 0, 0.0, 0.0, 0.0
        for turn in _turns(context, game, plies, seats):
            turn()
            played, began = _spent(), time.perf_counter()
            mails += _delivered(later)
            before, spent = spent, _spent()
            playing, sending = playing + played - before, sending + spent - played
            seconds += time.perf_counter() - began
            turns += 1
    sizes = [file.stat().st_size for file in (folder / "mail").glob("*.eml")]
    turn_ms, mail_ms = playing / turns * 1000, sending / max(1, mails) * 1000
    return Figures(
        game=game.info.name,
        turns=turns,
        mails=mails,
        mails_a_second=round(mails / seconds, 1),
        turn_ms=round(turn_ms, 2),
        mail_ms=round(mail_ms, 1),
        ratio=round(mail_ms / turn_ms, 1),
        all_ms=round((playing + sending) / turns * 1000, 1),
        median_bytes=int(median(sizes)) if sizes else 0,
        largest_bytes=max(sizes, default=0),
    )


@contextmanager
def _service(folder: Path) -> Iterator[Context]:
    """A service in this process, with a process that draws, as a worker of notices has."""
    settings = load({"OVERLAND_DATA_DIR": str(folder)})
    server = fork_server("bench", settings)
    context = replace(with_mail_processes(wire(settings), server), queue=MemoryQueue(), composer=None)
    migrate(context.database)
    try:
        yield context
    finally:
        context.close()
        server.close()


def _turns(context: Context, game: AnyGame, plies: int, seats: int | None) -> Iterator[Callable[[], None]]:
    """What plays the turns of a match, at most ``plies``, one action each."""
    number = seats or fewest_seats(game.info.seats)
    script, now = write_script(game, "mails", random.Random("mails"), number=number), context.clock()
    with context.database.write() as connection:
        seated = add_players(connection, number, now)
        add_match(connection, game, script, [each.player for each in seated], now)

    def play(turn: Posted) -> None:
        player = seated[turn.seat].player
        submit(context, player, script.match_id, turn.seat, turn.ply, actions=turn.actions)
        batch.judge_oldest(context, OwnRulings(context.database, context.states), 1)

    return (partial(play, turn) for turn in script.turns[:plies])


def _delivered(context: Context) -> int:
    """Delivers everything that is due; gives how many mails were sent."""
    sent = 0
    while found := delivery.deliver_due(context):
        sent += found["sent"]
    return sent


def _spent() -> float:
    """The processor seconds of this process and of its children."""
    children = psutil.Process().children(recursive=True)
    return processor_seconds([os.getpid(), *(child.pid for child in children)])
