"""The settings of a command: wrong ones end it with sentences instead of a traceback."""

import os

import click

from service.config import ConfigError, Settings, load


def settings_or_end() -> Settings:
    """The settings of this process; ends the command with status 2 where the environment is
    wrong.
    """
    try:
        return load(os.environ)
    except ConfigError as error:
        for problem in error.problems:
            click.echo(problem, err=True)
        raise SystemExit(2) from None
