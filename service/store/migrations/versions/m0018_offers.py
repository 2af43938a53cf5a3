"""Adds the offers that players of a match make each other."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Adds the table."""
    op.create_table(
        "offers",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("match_id", sa.Text, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("days", sa.Integer, nullable=False),
        sa.Column("for_seat", sa.Integer, nullable=True),
        sa.Column("for_turn", sa.Integer, nullable=True),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("settled_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("answers", sa.JSON(none_as_null=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_offers"),
        sa.UniqueConstraint("match_id", "number", name="uq_offers_match_id_number"),
        sa.ForeignKeyConstraint(["match_id", "seat"], ["seats.match_id", "seats.seat"], name="fk_offers_match_id_seat"),
    )
    open_ones = sa.text("status = 'open'")
    op.create_index(
        "ix_offers_match_id_kind",
        "offers",
        ["match_id", "kind"],
        unique=True,
        sqlite_where=open_ones,
        postgresql_where=open_ones,
    )
    op.create_index("ix_offers_made_at", "offers", ["made_at"], sqlite_where=open_ones, postgresql_where=open_ones)


def downgrade() -> None:
    """Drops the table; what was agreed stays."""
    op.drop_table("offers")
