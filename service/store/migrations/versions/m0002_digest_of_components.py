"""Adds the digest of a match's component set."""

from __future__ import annotations

import hashlib
import json

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Adds the column and computes it for existing matches."""
    op.add_column("matches", sa.Column("components_digest", sa.Text, nullable=False, server_default=sa.text("''")))
    matches = sa.table(
        "matches", sa.column("id", sa.Text), sa.column("components", sa.JSON), sa.column("components_digest", sa.Text)
    )
    connection = op.get_bind()
    for row in connection.execute(sa.select(matches.c.id, matches.c.components)).all():
        canonical = json.dumps(row.components, sort_keys=True, separators=(",", ":"))
        digest = hashlib.sha256(canonical.encode()).hexdigest()
        connection.execute(sa.update(matches).where(matches.c.id == row.id).values(components_digest=digest))


def downgrade() -> None:
    """Drops it."""
    op.drop_column("matches", "components_digest")
