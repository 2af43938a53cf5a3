"""`overland config`: the settings in force, secrets hidden, and where each comes from."""

import os

import click
from rich.console import Console
from rich.table import Table

from service.commands.settings import settings_or_end
from service.config import VARIABLES, masked, sources


@click.command()
def config() -> None:
    """Show the settings in force, secrets hidden, and where each comes from."""
    settings = settings_or_end()
    origin = sources(os.environ)
    table = Table(box=None, pad_edge=False)
    for heading in ("variable", "value", "from"):
        table.add_column(heading, overflow="fold")
    for variable in VARIABLES:
        value = masked(variable, getattr(settings, variable.attribute))
        table.add_row(variable.name, value or f"({variable.default})", origin[variable.name])
    Console(soft_wrap=True).print(table, markup=False)
