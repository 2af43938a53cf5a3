"""`overland check`: checks the settings, what the service needs and stands on, and that every
installed game can be offered; `overland config`: shows the settings in force.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final

import click

from engine import registry
from service.commands.databases import context_or_end, end, explained, settings_or_end, sqlite_file, tell
from service.config import VARIABLES, Settings, masked, sources

if TYPE_CHECKING:
    from service.commands.surroundings import Remark

LONGEST_SOURCE: Final = 64 * 1024 * 1024
"""Bytes that are read of the source of a mail."""


@click.command()
@click.option("--mail", "address", metavar="ADDRESS", help="Send a test mail there, and say what becomes of it.")
@click.option(
    "--wait", type=click.IntRange(0, 24 * 3600), default=600, show_default=True, help="For how many seconds, of --mail."
)
@click.option(
    "--received",
    type=click.File("rb"),
    metavar="FILE",
    help="Say what a receiver found out about a mail of ours, by its source in a file; - reads what is pasted.",
)
def check(address: str | None, wait: int, received: BinaryIO | None) -> None:
    """Check the settings, and all that the service needs, as `/readyz` does; say what is
    answered.
    """
    settings = settings_or_end()
    if address is not None:
        raise SystemExit(_tell(_of_test_mail(settings, address, wait)))
    if received is not None:
        from service.commands.mail_check import of_received

        if received.isatty():
            click.echo("Paste the source of the mail, and press Ctrl-D on a line of its own.", err=True)
        raise SystemExit(_tell(of_received(settings.mail_from, received.read(LONGEST_SOURCE).lstrip())))
    click.echo("The settings are valid.")
    tell(*cautions(settings), *readable_by_others(settings), err=True)
    file = sqlite_file(settings)
    fresh = file is not None and not file.exists()
    problems = [
        f"The game {each.name} of the package {each.origin} is not offered. {each.reason}"
        for each in registry.refused()
    ]
    for remark in _looked_at(settings, fresh):
        if remark.gravity == "problem":
            problems.append(remark.sentence)
        else:
            _say(remark)
    if not (fresh or problems):
        tell(*set_aside(settings), err=True)
    tell(*problems, err=True)
    if problems:
        raise SystemExit(1)
    tell("There is no database yet: `overland run` makes it, or `overland migrate`." if fresh else "All is well.")


def _tell(remarks: Iterator[Remark]) -> int:
    """Prints each as it comes. Returns the status of the command: 1 where one is a problem."""
    status = 0
    try:
        for remark in remarks:
            _say(remark)
            status |= remark.gravity == "problem"
    except KeyboardInterrupt:
        click.echo("Not waited for any longer.", err=True)
    return status


def _say(remark: Remark) -> None:
    tell(f"{'Caution: ' if remark.gravity == 'caution' else ''}{remark.sentence}", err=remark.gravity != "good")


def _of_test_mail(settings: Settings, address: str, seconds: int) -> Iterator[Remark]:
    from service.addresses import read_email
    from service.commands.mail_check import send_and_watch
    from service.errors import Invalid

    try:
        to = read_email(address)
    except Invalid as invalid:
        end(str(invalid))
    with context_or_end(settings) as context:
        yield from send_and_watch(context, to, seconds, time.sleep)


def _looked_at(settings: Settings, fresh: bool) -> Iterator[Remark]:
    """What is answered, and what `/readyz` would name; of a database that is not made yet, and of
    the bundled Valkey, nothing.
    """
    from sqlalchemy.exc import SQLAlchemyError

    from service.commands.surroundings import MAIL_IN, good, problem, remarks, wrongs
    from service.readiness import Check, State, findings
    from service.store.files import require_all_commits
    from service.wiring import QUEUE_SECONDS, link_of, wire

    skipped = set() if settings.redis_url else {Check.QUEUE}
    if fresh:
        skipped.update((Check.DATABASE, Check.MIGRATIONS, Check.PARTS, Check.MAILBOX))
        try:
            require_all_commits(Path(str(sqlite_file(settings))))
        except SQLAlchemyError as lost:
            yield problem(explained(lost))
    context, mailbox_told = wire(settings), False
    try:
        found = findings(context, skipped)
        amiss = {each.check for each in found if each.state is not State.GOOD}
        link = link_of(settings, context.database, QUEUE_SECONDS)
        for remark in remarks(context, link, {*skipped, *amiss}):
            mailbox_told |= remark.gravity == "problem" and remark.sentence.startswith(MAIL_IN)
            yield remark
    finally:
        context.database.dispose()
    if not settings.redis_url:
        yield good("Redis: the bundled Valkey, which `overland run` starts.")
    for wrong in wrongs([each for each in found if each.check is not Check.MAILBOX or not mailbox_told]):
        what_to_do = "" if wrong.run == "overland check" or wrong.run in wrong.sentence else f" Run: {wrong.run}"
        yield problem(f"{wrong.sentence}{what_to_do}")


def set_aside(settings: Settings) -> Iterator[str]:
    """A caution where something failed that has no list of its own."""
    from sqlalchemy.exc import SQLAlchemyError

    from service.store import leasing
    from service.store.database import database_of

    database = database_of(settings)
    try:
        with database.read() as connection:
            numbers = leasing.item_numbers(connection)
    except SQLAlchemyError as error:
        yield f"Caution: {explained(error)}"
        return
    finally:
        database.dispose()
    failed, kept = sum(numbers.values()), sum(number for (_, is_kept), number in numbers.items() if is_kept)
    if failed:
        yield f"Caution: {failed} items are set aside, {kept} of them are kept: overland aside"


def cautions(settings: Settings) -> tuple[str, ...]:
    """Warnings about settings that work but are hardly intended in production."""
    if not settings.in_production:
        return ()
    sentences = []
    if settings.mail_url.startswith("folder:"):
        sentences.append("Caution: OVERLAND_MAIL_URL is a folder, so no mail is sent.")
    if "127.0.0.1" in settings.base_url or "localhost" in settings.base_url:
        sentences.append(f"Caution: OVERLAND_BASE_URL is {settings.base_url}, so the links in mails lead nowhere.")
    if settings.mail_from.endswith("@localhost>"):
        sentences.append("Caution: OVERLAND_MAIL_FROM is an address at localhost, which few mail servers accept.")
    return tuple(sentences)


def readable_by_others(settings: Settings) -> Iterator[str]:
    """Warnings about files with secrets that other users of this machine can reach. They stay as
    they are: somebody may have given these rights on purpose.
    """
    database = sqlite_file(settings)
    files = [] if database is None else [database, *sorted(database.parent.glob(f"{database.name}-*"))]
    if settings.mail_url.startswith("folder:"):
        folder = settings.mail_url.removeprefix("folder:")
        files.append(Path(folder) if folder else settings.data_dir / "mail")
    for file in (*files, settings.data_dir / "valkey"):
        if file.exists() and _open_to_others(file) and _open_to_others(file.parent):
            mode = stat.S_IMODE(file.stat().st_mode)
            yield f"Caution: other users of this machine can reach {file} (mode {mode:o}): chmod -R go-rwx {file}"


def _open_to_others(path: Path) -> bool:
    return bool(path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO))


@click.command()
def config() -> None:
    """Show the settings in force, with secrets hidden, and where each comes from."""
    settings = settings_or_end()
    origins = sources(os.environ)
    width = max(len(variable.name) for variable in VARIABLES)
    for variable in VARIABLES:
        value = masked(variable, getattr(settings, variable.attribute))
        tell(f"{variable.name:<{width}}  {origins[variable.name]:<11}  {value}")
