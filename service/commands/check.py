"""`overland check`: checks the settings, that database and queue answer, and that every installed
game can be offered.
"""

import click

from engine import registry
from service.commands.settings import settings_or_end
from service.commands.valkey import answers
from service.config import Settings


@click.command()
def check() -> None:
    """Check the settings, and that database and queue answer."""
    settings = settings_or_end()
    click.echo("The settings are valid.")
    problems = [sentence for sentence in (_database(settings), _queue(settings), *_games()) if sentence]
    for sentence in (*cautions(settings), *problems):
        click.echo(sentence, err=True)
    if problems:
        raise SystemExit(1)
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


def _database(settings: Settings) -> str | None:
    from sqlalchemy import text
    from sqlalchemy.exc import SQLAlchemyError

    from service.store.database import Database

    database = Database(settings.database_url)
    try:
        with database.read() as connection:
            connection.execute(text("SELECT 1"))
    except SQLAlchemyError as problem:
        return f"The database does not answer: {str(getattr(problem, 'orig', None) or problem).strip().splitlines()[0]}"
    finally:
        database.dispose()
    return None


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
