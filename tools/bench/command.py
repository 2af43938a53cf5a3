"""`overland bench`: measures turns from the POST to the verdict on this machine, load generator
included (``run``).
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import click

from service import logs
from service.config import load
from tools.bench.run import figures_of
from tools.bench.table import print_figures
from tools.games import game_option
from tools.launch import NotRunning, Service
from tools.postgresql import answering


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
@click.option(
    "--postgres",
    "database_url",
    metavar="URL",
    callback=answering,
    help="A PostgreSQL database, empty, instead of SQLite.",
)
@click.option("--api-processes", default=2, show_default=True, type=click.IntRange(1, 64))
@click.option("--api-threads", type=click.IntRange(1, 512), help="By default that of the setting.")
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
    api_threads: int | None,
    turn_workers: int,
    log_level: str,
    profile: bool,
    as_json: bool,
) -> None:
    """Measure turns a second from POST to verdict, next to a bare echo and bare commits."""
    logs.configure("json", "ERROR")  # the output is the figures only
    asked = {
        "api_processes": api_processes,
        "api_threads": api_threads or "",
        "turn_workers": turn_workers,
    }
    environ = {f"OVERLAND_{name.upper()}": str(value) for name, value in asked.items()}
    environ |= {"OVERLAND_LOG_FORMAT": "json", "OVERLAND_LOG_LEVEL": log_level}
    if database_url:
        environ["OVERLAND_DATABASE_URL"] = database_url
    with tempfile.TemporaryDirectory(prefix="overland-bench-") as folder:
        try:
            service = Service(Path(folder), environ)
            settings = load(service.environ)
            setup = {name: getattr(settings, name) for name in asked}
            figures = figures_of(service, setup, game, matches, seconds, profile)
        except NotRunning as reason:
            click.echo(str(reason), err=True)
            raise SystemExit(1) from None
    figures["log_level"] = log_level
    click.echo(json.dumps(figures, indent=2)) if as_json else print_figures(figures)
    if figures["faults"]:
        raise SystemExit(1)
