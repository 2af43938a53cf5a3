"""Other versions of the schema: a made-up later one, which has one migration more that computes a
column from what is stored, and those before the present one.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from service.store import schema

NEWEST: Final = schema.known_migrations()[-1]
LATER: Final = f"{int(NEWEST) + 1:04}"
_MIGRATION: Final = f"""
import sqlalchemy as sa
from alembic import op

revision, down_revision, branch_labels, depends_on = "{LATER}", "{NEWEST}", None, None


def upgrade() -> None:
    op.add_column("players", sa.Column("initial", sa.Text, nullable=True))
    op.execute("UPDATE players SET initial = substr(name, 1, 1)")
"""


@contextmanager
def later_schema(folder: Path) -> Iterator[None]:
    """Within this, the code has one migration more, in a copy of its migrations in ``folder``."""
    shutil.copytree(schema.VERSIONS, folder, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / f"m{LATER}_initials.py").write_text(_MIGRATION)
    with _versions(folder):
        yield


@contextmanager
def schema_of(number: str, folder: Path) -> Iterator[None]:
    """Within this, the code has the migrations up to that one alone, in a copy in ``folder``."""
    shutil.copytree(schema.VERSIONS, folder, ignore=shutil.ignore_patterns("__pycache__"))
    for later in (file for file in folder.glob("m*.py") if file.name[1:5] > number):
        later.unlink()
    with _versions(folder):
        yield


@contextmanager
def _versions(folder: Path) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(schema, "VERSIONS", folder)
        yield
