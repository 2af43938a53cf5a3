"""Adds preferences, chat, notes and blocks, and an index of the mails of a player."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Creates the tables and the index."""
    op.create_index("ix_outbox_player_id_created_at_id", "outbox", ["player_id", "created_at", "id"])
    op.create_table(
        "match_preferences",
        sa.Column("player_id", sa.Text, nullable=False),
        sa.Column("match_id", sa.Text, nullable=False),
        sa.Column("document", sa.JSON, nullable=False),
        _time("changed_at"),
        _of_player("match_preferences"),
        _of_match("match_preferences"),
        sa.PrimaryKeyConstraint("player_id", "match_id", name="pk_match_preferences"),
    )
    op.create_table(
        "stops",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("player_id", sa.Text, nullable=False),
        _time("at"),
        sa.Column("scope", sa.Text, nullable=False),
        sa.Column("match_id", sa.Text),
        sa.Column("kind", sa.Text),
        sa.Column("one_click", sa.Boolean, nullable=False),
        _of_player("stops"),
        _of_match("stops"),
        sa.PrimaryKeyConstraint("id", name="pk_stops"),
    )
    op.create_index("ix_stops_player_id_at", "stops", ["player_id", "at"])
    op.create_table(
        "chat_lines",
        sa.Column("match_id", sa.Text, nullable=False),
        sa.Column("number", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("player_id", sa.Text, nullable=False),
        _time("at"),
        sa.Column("text", sa.Text, nullable=False),
        _of_match("chat_lines"),
        _of_player("chat_lines"),
        sa.PrimaryKeyConstraint("match_id", "number", name="pk_chat_lines"),
    )
    op.create_table(
        "chat_told",
        sa.Column("match_id", sa.Text, nullable=False),
        sa.Column("player_id", sa.Text, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("notice_id", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("match_id", "player_id", name="pk_chat_told"),
    )
    op.create_table(
        "notes",
        sa.Column("match_id", sa.Text, nullable=False),
        sa.Column("player_id", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        _time("changed_at"),
        _of_match("notes"),
        _of_player("notes"),
        sa.PrimaryKeyConstraint("match_id", "player_id", name="pk_notes"),
    )
    op.create_table(
        "blocks",
        sa.Column("player_id", sa.Text, nullable=False),
        sa.Column("blocked_id", sa.Text, nullable=False),
        _time("at"),
        _of_player("blocks"),
        _of_player("blocks", "blocked_id"),
        sa.PrimaryKeyConstraint("player_id", "blocked_id", name="pk_blocks"),
    )


def downgrade() -> None:
    """Drops the tables and the index."""
    for table in ("blocks", "notes", "chat_told", "chat_lines", "stops", "match_preferences"):
        op.drop_table(table)
    op.drop_index("ix_outbox_player_id_created_at_id", "outbox")


def _time(name: str) -> sa.Column[object]:
    return sa.Column(name, sa.DateTime(timezone=True), nullable=False)


def _of_player(table: str, column: str = "player_id") -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], ["players.id"], name=f"fk_{table}_{column}")


def _of_match(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=f"fk_{table}_match_id")
