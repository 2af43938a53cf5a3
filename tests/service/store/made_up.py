"""A made-up later version of the schema: one migration more, which computes a column from what is
stored.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from service.store import schema

LATER = "0002"
_MIGRATION = """
import sqlalchemy as sa
from alembic import op

revision, down_revision, branch_labels, depends_on = "0002", "0001", None, None


def upgrade() -> None:
    op.add_column("players", sa.Column("initial", sa.Text, nullable=True))
    op.execute("UPDATE players SET initial = substr(name, 1, 1)")
"""


@contextmanager
def later_schema(folder: Path) -> Iterator[None]:
    """Within this, the code has a second migration, in a copy of its migrations in ``folder``."""
    shutil.copytree(schema.VERSIONS, folder, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / f"m{LATER}_initials.py").write_text(_MIGRATION)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(schema, "VERSIONS", folder)
        yield
