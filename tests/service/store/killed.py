"""Databases as a killed process leaves them."""

from __future__ import annotations

import shutil
from pathlib import Path

from service.store import players
from service.store.database import Database
from service.store.schema import migrate
from tests.service.store.test_database import somebody


def left_by_a_kill(folder: Path, *names: str) -> Path:
    """A database in ``folder`` with these players, all commits still in its write-ahead log."""
    running = folder.parent / "running"
    database = Database(f"sqlite:///{running}/overland.sqlite")
    migrate(database)
    for name in names:
        add(database, name)
    shutil.copytree(running, folder)
    database.dispose()
    return folder / "overland.sqlite"


def add(database: Database, name: str) -> None:
    with database.write() as connection:
        players.add(connection, somebody(f"{name}@example.org"))
