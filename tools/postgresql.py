"""Databases on a PostgreSQL server, for the time of a measurement or a test."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager

import click
from sqlalchemy import create_engine
from sqlalchemy.exc import SQLAlchemyError

from service.setting_values import database_url
from service.store.database import normalised, reason_of


def answering(ctx: click.Context, param: click.Parameter, url: str | None) -> str | None:
    """An option's URL of a PostgreSQL, which has to answer. Raises ``click.BadParameter``."""
    try:
        if url is not None:
            engine = create_engine(normalised(database_url(url)))
            if engine.dialect.name != "postgresql":
                raise ValueError("must begin with postgresql:.")
            engine.connect().close()
            engine.dispose()
    except ValueError as problem:
        raise click.BadParameter(str(problem)) from None
    except SQLAlchemyError as problem:
        raise click.BadParameter(f"does not answer: {reason_of(problem)}") from None
    return url


@contextmanager
def new_database(server: str, purpose: str, encoding: str = "UTF8") -> Iterator[str]:
    """Returns the URL of a new, empty database on that server, which is dropped afterwards;
    ``purpose`` is a part of its name.
    """
    name = f"overland_{purpose}_{secrets.token_hex(5)}"
    admin = create_engine(normalised(server), isolation_level="AUTOCOMMIT")
    with admin.connect() as connection:
        connection.exec_driver_sql(f"CREATE DATABASE {name} ENCODING {encoding} LOCALE 'C' TEMPLATE template0")
    try:
        yield normalised(server).set(drivername="postgresql", database=name).render_as_string(hide_password=False)
    finally:
        with admin.connect() as connection:
            connection.exec_driver_sql(f"DROP DATABASE {name} WITH (FORCE)")
        admin.dispose()
