"""The figures of the bench as a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.table import Table


def print_figures(figures: Mapping[str, Any]) -> None:
    """Prints the figures as a table, with notes."""
    console = Console(highlight=False)
    title = f"{figures['game']} on {figures['database']}, {figures['matches']} matches at once"
    table = Table(title=title, title_justify="left")
    for column in ("", "turns", "bare echo"):
        table.add_column(column, justify="left" if not column else "right")
    echo = figures["echo"]
    table.add_row("a second", f"{figures['turns_per_second']:,}", f"{echo['answers_per_second']:,}")
    for name, value in figures["milliseconds"].items():
        table.add_row(f"{name}, ms", f"{value:,}", f"{echo['milliseconds'][name]:,}")
    for kind, value in figures["processor_milliseconds_each"].items():
        table.add_row(f"processor, {kind}, ms each", f"{value:.3f}", _also(echo, kind))
    for kind, value in figures["memory_megabytes"].items():
        table.add_row(f"memory, {kind}, MB", f"{value:,}", "")
    console.print(table)
    console.print(f"Bare durable commits of the same database: {figures['commits_per_second']:,} a second.")
    console.print(
        f"{figures['api_processes']} API processes ({figures['api_threads']} threads),"
        f" {figures['turn_workers']} turn workers, log level {figures['log_level']}; notices: {figures['notices']}."
        f" {figures['counted']:,} turns in {figures['seconds']} s."
    )
    for name, milliseconds in figures["stages"].items():
        console.print(f"{milliseconds:7.3f} ms  {name}")
    if figures["ran_dry"]:
        console.print("The prepared matches ran out before the time: fewer seconds were counted than asked for.")
    for fault in figures["faults"]:
        console.print(f"A fault: {fault}", markup=False)


def _also(echo: Mapping[str, Any], kind: str) -> str:
    value = echo["processor_milliseconds_each"].get("echo" if kind == "api" else kind)
    return "" if value is None else f"{value:.3f}"
