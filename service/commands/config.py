"""`overland config`: shows the settings in force, with secrets hidden, and their sources."""

import os

import click

from service.commands.settings import settings_or_end
from service.config import VARIABLES, masked, sources


@click.command()
def config() -> None:
    """Show the settings in force, with secrets hidden, and where each comes from."""
    settings = settings_or_end()
    origins = sources(os.environ)
    width = max(len(variable.name) for variable in VARIABLES)
    for variable in VARIABLES:
        value = masked(variable, getattr(settings, variable.attribute))
        click.echo(f"{variable.name:<{width}}  {origins[variable.name]:<11}  {value}")
