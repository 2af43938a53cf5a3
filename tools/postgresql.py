"""Databases on a PostgreSQL server, for the time of a measurement or a test."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import create_engine

from service.store.database import normalised


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
