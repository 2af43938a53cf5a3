"""Stores each component set once, by its digest, instead of in every match; adds the records of
what was pruned.

The copies in the matches stay for an hour, for processes of the version before; the sweeper empties
them then.
"""

from __future__ import annotations

import hashlib
import json

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

AT_ONCE = 100
_matches = sa.table(
    "matches", sa.column("id", sa.Text), sa.column("components", sa.JSON), sa.column("components_digest", sa.Text)
)
_sets = sa.table(
    "component_sets",
    sa.column("digest", sa.Text),
    sa.column("document", sa.JSON),
    sa.column("added_at", sa.DateTime(timezone=True)),
)


def upgrade() -> None:
    """Creates the tables and stores the sets. Memory is bounded by the size of ``AT_ONCE`` sets."""
    op.create_table(
        "component_sets",
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("added_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("document", sa.JSON, nullable=False),
        sa.PrimaryKeyConstraint("digest", name="pk_component_sets"),
    )
    op.create_table(
        "pruned_notices",
        sa.Column("subject", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("subject", "kind", name="pk_pruned_notices"),
    )
    op.create_table(
        "prunings",
        sa.Column("what", sa.Text, nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("what", name="pk_prunings"),
    )
    op.create_index(
        "ix_matches_copied_components",
        "matches",
        ["id"],
        sqlite_where=sa.text("components <> '{}'"),
        postgresql_where=sa.text("components::text <> '{}'"),
    )
    first = sa.select(sa.func.min(_matches.c.id)).group_by(_matches.c.components_digest)
    found = sa.select(_matches.c.components_digest, _matches.c.components, sa.func.now())
    connection = op.get_bind()
    connection.execute(
        sa.insert(_sets).from_select(["digest", "document", "added_at"], found.where(_matches.c.id.in_(first)))
    )
    _remove_mismatched(connection)


def _remove_mismatched(connection: sa.Connection) -> None:
    """Removes what does not have its digest: the match keeps its copy, and the ledger names it."""
    last = ""
    while True:
        page = sa.select(_sets).where(_sets.c.digest > last).order_by(_sets.c.digest).limit(AT_ONCE)
        rows = connection.execute(page).all()
        if not rows:
            return
        for row in rows:
            canonical = json.dumps(row.document, sort_keys=True, separators=(",", ":"))
            if hashlib.sha256(canonical.encode()).hexdigest() != row.digest:
                connection.execute(sa.delete(_sets).where(_sets.c.digest == row.digest))
        last = rows[-1].digest


def downgrade() -> None:
    """Copies the sets back into their matches."""
    empty = sa.cast(_matches.c.components, sa.Text) == "{}"
    own = sa.select(_sets.c.document).where(_sets.c.digest == _matches.c.components_digest).scalar_subquery()
    op.get_bind().execute(sa.update(_matches).where(empty).values(components=own))
    op.drop_index("ix_matches_copied_components", "matches")
    for table in ("component_sets", "pruned_notices", "prunings"):
        op.drop_table(table)
