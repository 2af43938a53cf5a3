"""The `overland` command: a list of its subcommands, each imported only when it is used."""

import importlib
import importlib.util
import sys
from contextlib import suppress
from typing import Any

import click

from service.config import is_text, keep_files_private

COMMANDS = {
    "run": "Start the whole service on this machine, until Ctrl-C.",
    "game": "List the games that can be played, or check that one keeps the contract.",
    "verify": "Check the record of a finished match offline.",
    "components": "Check a component set, or print one that comes with a game.",
    "ledger": "Check in the database that no turn or notice was lost or processed twice.",
    "check": "Check the settings, and all that the service needs: database, Redis, mail, disk, clock.",
    "status": "Say on one screen how the service is, what is wrong first.",
    "config": "Show the settings in force, and where each comes from.",
    "matches": "Check stored matches against the installed rules.",
    "turns": "List turns that could not be judged, and have them judged again.",
    "outbox": "List pending and dead notices, and retry dead ones.",
    "inbox": "List mails that came in, show one, and retry or delete kept ones.",
    "aside": "List what else failed and is tried again later, or kept, such as clocks, and retry it.",
    "players": "List and show players, suspend them, change an address, revoke, sign out, export, erase.",
    "reports": "List what players report, show it, remove it, answer, or dismiss.",
    "audit": "List what operators have done about players and the service.",
    "outage": "List the outages that stopped clocks, or add one that the service could not see.",
    "keys": "List the keys that sign reply addresses and links, add one, or retire one.",
    "maintenance": "Let the service be read, but accept and send nothing: on, off, status.",
    "accept-loss": "Go on with an SQLite database that lacks commits.",
    "prune": "Delete notices that were sent and details of judged turns that are old enough.",
    "backup": "Copy the SQLite database into a file, also while the service runs.",
    "restore": "Replace the SQLite database by a backup, while the service is stopped.",
    "move": "Copy the database into an empty one, from SQLite to PostgreSQL or back.",
    "migrate": "Bring the database to the newest version.",
    "api": "Serve the API alone, without workers.",
    "openapi": "Write the OpenAPI document from the code.",
}
MODULES = {
    "run": "workers.run",
    "config": "service.commands.check",
    "turns": "service.commands.outbox",
    "aside": "service.commands.outbox",
    "audit": "service.commands.players",
    "outage": "service.commands.maintenance",
    "restore": "service.commands.backup",
    "accept-loss": "service.commands.backup",
    "migrate": "service.commands.backup",
    "openapi": "service.commands.api",
}
"""The modules of commands that are not in one of their own name."""


TOOLS = {
    "demo": ("tools.demo", "Play a whole match against a running service, over HTTP only."),
    "first-turn": ("tools.first_turn", "Time a fresh start up to the first accepted turn."),
    "simulate": ("tools.simulate.command", "Play random matches and measure them."),
    "simulate-year": ("tools.year.command", "Play a year of matches against the clock, and check every deadline."),
    "search": ("tools.search.command", "Search many component sets for one that meets some criteria."),
    "bench": ("tools.bench.command", "Measure turns a second from POST to verdict."),
    "bench-ratios": ("tools.bench.ratios", "Measure how turns slow down with long matches and many stored ones."),
    "bench-readers": ("tools.bench.readers", "Measure turns beside requests and streams that wait for events."),
    "bench-mails": ("tools.bench.mails", "Measure the mails of a match: a second, processor time, bytes."),
    "bench-small": ("tools.bench.small", "Measure what a machine of little memory carries."),
    "by-mail": ("tools.by_mail.command", "Play a whole match by mail alone, through a Postfix and back."),
    "soak": ("tools.soak.command", "Keep killing parts of a service under load, and check that nothing is lost."),
}
"""Commands of the folder `tools`, by module: offered where it is installed beside the service."""
TOOLS_NEED = ("psutil", "requests", "rich")
"""Packages that the tools import and the service does not."""


class _LazyGroup(click.Group):
    """Imports a module, which holds a click command of that name, when the command is used."""

    def main(self, *args: Any, **extra: Any) -> Any:
        """As of any group, but what the system refuses, such as a file, ends it with a sentence."""
        try:
            return super().main(*args, **extra)
        except OSError as problem:
            named = "" if problem.filename is None else f": {problem.filename}"
            click.echo(f"The command has ended: {problem.strerror or problem}{named}.", err=True)
            try:
                sys.stdout.flush()
            except OSError:  # Python would try once more as it ends, and end otherwise
                with suppress(OSError):
                    sys.stdout.close()
            raise SystemExit(2) from None

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*COMMANDS, *_tools()]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        for arg in args:
            if not is_text(arg):
                raise click.UsageError(f"{arg!r} is not text in UTF-8.", ctx)
        return super().parse_args(ctx, args)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        name = cmd_name.replace("-", "_")
        if cmd_name in COMMANDS:
            module = MODULES.get(cmd_name, f"service.commands.{name}")
        elif cmd_name in _tools():
            module = TOOLS[cmd_name][0]
        else:
            return None
        try:
            command = getattr(importlib.import_module(module), name)
        except ModuleNotFoundError as missing:
            package = (missing.name or "").partition(".")[0]
            if package not in TOOLS_NEED:
                raise
            raise click.ClickException(
                f"overland {cmd_name} needs {package}, which is not installed: pip install 'overland[tools]'."
            ) from None
        if not isinstance(command, click.Command):
            raise TypeError(f"{module}.{name} is not a click command")
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))
        if tools := _tools():
            with formatter.section("Tools"):
                formatter.write_dl(list(tools.items()))


def _tools() -> dict[str, str]:
    """The help text of each tool; empty where the tools are not installed."""
    if importlib.util.find_spec("tools") is None:
        return {}
    return {name: text for name, (_, text) in TOOLS.items()}


@click.command(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="overland", message="%(prog)s %(version)s")
def main() -> None:
    """A play-by-email and REST turn service for long-running board games."""
    keep_files_private()


if __name__ == "__main__":
    main()
