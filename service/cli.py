"""The `overland` command: a list of its subcommands, each imported only when it is asked for."""

import importlib

import click

COMMANDS = {
    "run": "Start the whole service on this machine, until Ctrl-C.",
    "demo": "Play a whole match against a running service, over HTTP only.",
    "first-turn": "Time a fresh start up to the first accepted turn.",
    "verify": "Check a finished record offline.",
    "simulate": "Play random matches and measure them.",
    "bench": "Measure turns a second from POST to verdict.",
    "bench-ratios": "Measure what long matches and many stored ones cost.",
    "components": "Check the printed components of your own box, or print ours to start from.",
    "soak": "Keep killing parts of a service of its own under load, and prove that nothing was lost.",
    "ledger": "Prove from the database that nothing was lost and nothing happened twice.",
    "check": "Say whether the settings are good and what they lead to answers.",
    "config": "Show the settings in force, and where each comes from.",
    "matches": "Check stored matches against the code at hand.",
    "outbox": "See what players are owed, and retry what was given up.",
    "backup": "Copy the SQLite database into a file, also while the service runs.",
    "restore": "Make a backup the SQLite database, while the service is stopped.",
    "migrate": "Bring the database to the newest version.",
    "api": "Serve the API alone, without workers.",
    "openapi": "Write the description of the API from the code.",
}


class _Lazy(click.Group):
    """A group whose commands live in `service/commands`, one module each with a click command of
    that name.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        name = cmd_name.replace("-", "_")
        command = getattr(importlib.import_module(f"service.commands.{name}"), name)
        if not isinstance(command, click.Command):
            raise TypeError(f"service.commands.{name}.{name} is not a click command")
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.command(cls=_Lazy, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="overland", message="%(prog)s %(version)s")
def main() -> None:
    """A play-by-email and REST turn service for long-running board games."""


if __name__ == "__main__":
    main()
