"""`overland check`: checks the settings, that database and queue answer, and that every installed
game can be offered.
"""

import stat
from collections.abc import Iterator
from pathlib import Path

import click

from engine import registry
from service.commands.databases import explained, sqlite_file
from service.commands.settings import settings_or_end
from service.commands.valkey import answers
from service.config import Settings


@click.command()
def check() -> None:
    """Check the settings, and that database and queue answer."""
    settings = settings_or_end()
    click.echo("The settings are valid.")
    problems = [sentence for sentence in (_database(settings), _queue(settings), *_games()) if sentence]
    for sentence in (*cautions(settings), *readable_by_others(settings), *_migrations(settings, problems), *problems):
        click.echo(sentence, err=True)
    if problems:
        raise SystemExit(1)
    file = sqlite_file(settings)
    if file is not None and not file.exists():
        click.echo("There is no database yet: `overland run` makes it, or `overland migrate`.")
        return
    click.echo(
        "The database and the queue answer."
        if settings.redis_url
        else "The database answers; the queue is the bundled Valkey."
    )


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
    """Warnings about files that other users of this machine can reach, although they hold secrets.

    They are not changed: somebody may have given these rights on purpose.
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


def _database(settings: Settings) -> str | None:
    from sqlalchemy.exc import SQLAlchemyError

    from service.store.database import Database
    from service.store.files import require_all_commits
    from service.store.versions import newer

    database = Database(settings.database_url)
    try:
        if database.file is not None and not database.file.exists():
            require_all_commits(database.file)
            return None
        database.check()
        return newer(database)
    except SQLAlchemyError as problem:
        return explained(problem)
    finally:
        database.dispose()


def _migrations(settings: Settings, problems: list[str]) -> tuple[str, ...]:
    """A caution where the database is older than this code; nothing where it cannot be used, or is
    not made yet.
    """
    from service.store.database import Database
    from service.store.versions import unusable

    database = Database(settings.database_url)
    absent = database.file is not None and not database.file.exists()
    try:
        sentence = None if problems or absent else unusable(database)
    finally:
        database.dispose()
    return () if sentence is None else (f"Caution: {sentence}",)


def _games() -> tuple[str, ...]:
    return tuple(
        f"The game {each.name} of the package {each.origin} is not offered. {each.reason}"
        for each in registry.refused()
    )


def _queue(settings: Settings) -> str | None:
    return (
        "No queue answers at the address in OVERLAND_REDIS_URL."
        if settings.redis_url and not answers(settings.redis_url)
        else None
    )
