"""`overland api`: replaces this process by gunicorn, with the settings of the service."""

import os
import sys

import click

from service.commands.databases import end_unless_usable
from service.commands.settings import settings_or_end


@click.command()
def api() -> None:
    """Serve the API alone, without workers; `overland run` starts everything."""
    end_unless_usable(settings_or_end())
    os.execv(
        sys.executable,
        [sys.executable, "-m", "gunicorn", "--config", "python:service.commands.gunicorn", "service.wsgi:app"],
    )
