"""`overland bench`: measures turns from the POST to the verdict on this machine, load generator
included.

1. Start a service in a temporary folder: database, Valkey, API, workers, sweeper.
2. Write running matches and play them beforehand, so that the load is nothing but posting.
3. Post from many connections at once, and count.
4. Measure two reference rates: a bare echo and bare commits.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import click

from engine import registry
from service import logs
from service.config import load
from service.store.database import Database, migrate
from service.wiring import wire
from tools.bench.measure import WARM_UP, Measured, commits, echo, prepare, turns_under_load
from tools.bench.profile import stages
from tools.bench.table import print_figures
from tools.games import game_option
from tools.launch import NotRunning, Service

FASTEST = 900
"""The most turns a second for which matches are prepared."""


@click.command()
@click.option(
    "--matches",
    default=100,
    show_default=True,
    type=click.IntRange(1, 1000),
    help="How many matches are played at once.",
)
@click.option(
    "--seconds", default=10.0, show_default=True, type=click.FloatRange(0.5, 600), help="How many seconds are counted."
)
@game_option
@click.option("--postgres", "database_url", metavar="URL", help="A PostgreSQL database, empty, instead of SQLite.")
@click.option("--api-processes", default=2, show_default=True, type=click.IntRange(1, 64))
@click.option("--api-threads", default=64, show_default=True, type=click.IntRange(1, 512))
@click.option("--turn-workers", default=1, show_default=True, type=click.IntRange(1, 32))
@click.option(
    "--log-level", default="INFO", show_default=True, type=click.Choice(["DEBUG", "INFO", "WARNING", "ERROR"])
)
@click.option(
    "--profile",
    is_flag=True,
    help="Also print the processor time of each stage, measured in a single process.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead of a table.")
def bench(
    matches: int,
    seconds: float,
    game: str,
    database_url: str | None,
    api_processes: int,
    api_threads: int,
    turn_workers: int,
    log_level: str,
    profile: bool,
    as_json: bool,
) -> None:
    """Measure turns a second from POST to verdict, next to a bare echo and bare commits."""
    logs.configure("json", "ERROR")  # the output is the figures only
    setup = {"api_processes": api_processes, "api_threads": api_threads, "turn_workers": turn_workers}
    environ = {f"OVERLAND_{name.upper()}": str(number) for name, number in setup.items()}
    environ |= {"OVERLAND_LOG_FORMAT": "json", "OVERLAND_LOG_LEVEL": log_level}
    if database_url:
        environ["OVERLAND_DATABASE_URL"] = database_url
    with tempfile.TemporaryDirectory(prefix="overland-bench-") as folder:
        try:
            figures = _figures(Service(Path(folder), environ), setup, game, matches, seconds, profile)
        except NotRunning as reason:
            click.echo(str(reason), err=True)
            raise SystemExit(1) from None
    figures["log_level"] = log_level
    click.echo(json.dumps(figures, indent=2)) if as_json else print_figures(figures)
    if figures["faults"]:
        raise SystemExit(1)


def _figures(
    service: Service, setup: dict[str, int], game: str, matches: int, seconds: float, profile: bool
) -> dict[str, Any]:
    database = Database(service.database_url)
    migrate(database)
    try:
        service.start_valkey()
        turns = int((WARM_UP + seconds) * min(FASTEST, matches * 200))
        prepared = prepare(database, registry.game(game), matches, turns)
        service.start_parts("api", *["turns"] * setup["turn_workers"], "sweeper")
        service.wait(service.ready, "the service is ready")
        measured = turns_under_load(service, database, prepared, matches, seconds)
        for name in ("api", "turns", "sweeper"):
            service.stop(name)
        echoed = echo(service, prepared.sample, matches, min(seconds, 5.0))
        return {
            "game": game,
            "database": database.url.get_backend_name(),
            "matches": matches,
            **setup,
            "notices": "written by the turns, not delivered meanwhile",
            **_document(measured, "turns"),
            "echo": _document(echoed, "answers"),
            "commits_per_second": round(commits(database, service.data_dir)),
            "stages": _stages(service, game) if profile else {},
        }
    finally:
        service.stop()
        database.dispose()


def _stages(service: Service, game: str) -> dict[str, float]:
    context = wire(load(service.environ))
    try:
        return {name: round(milliseconds, 3) for name, milliseconds in stages(context, registry.game(game)).items()}
    finally:
        context.close()


def _document(measured: Measured, what: str) -> dict[str, Any]:
    return {
        f"{what}_per_second": round(measured.rate, 1),
        "seconds": round(measured.seconds, 2),
        "counted": measured.answered,
        "milliseconds": {name: round(value, 1) for name, value in measured.percentiles.items()},
        "processor_milliseconds_each": {
            kind: round(used * 1000 / max(1, measured.answered), 3) for kind, used in measured.processor.items()
        }
        | {"all": round(measured.processor_per_answer * 1000, 3)},
        "memory_megabytes": {kind: round(size / 2**20) for kind, size in measured.memory.items()},
        "faults": list(measured.faults),
        "ran_dry": measured.dry,
    }
