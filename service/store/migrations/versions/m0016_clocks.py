"""Adds the clocks of matches: rules, clocks of seats, steps, absences, pauses, heartbeats, outages.

Old matches have no clock.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Adds the columns and the tables."""
    op.add_column("matches", sa.Column("clock", sa.JSON))
    op.add_column("seats", sa.Column("by_bot", sa.Boolean, nullable=False, server_default=sa.text("false")))
    op.add_column("turns", sa.Column("kind", sa.Text, nullable=False, server_default=sa.text("'turn'")))
    op.create_table(
        "seat_clocks",
        sa.Column("match_id", sa.Text, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("document", sa.JSON, nullable=False),
        _time("due_at", nullable=True),
        _time("remind_at", nullable=True),
        _of_match("seat_clocks"),
        sa.PrimaryKeyConstraint("match_id", "seat", name="pk_seat_clocks"),
    )
    op.create_index(
        "ix_seat_clocks_due_at_match_id_seat",
        "seat_clocks",
        ["due_at", "match_id", "seat"],
        sqlite_where=sa.text("due_at IS NOT NULL"),
        postgresql_where=sa.text("due_at IS NOT NULL"),
    )
    op.create_index(
        "ix_seat_clocks_remind_at",
        "seat_clocks",
        ["remind_at"],
        sqlite_where=sa.text("remind_at IS NOT NULL"),
        postgresql_where=sa.text("remind_at IS NOT NULL"),
    )
    op.create_table(
        "clock_steps",
        sa.Column("match_id", sa.Text, nullable=False),
        sa.Column("number", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("seat", sa.Integer),
        sa.Column("ply", sa.Integer, nullable=False),
        _time("counts_at"),
        _time("at"),
        sa.Column("seconds", sa.Integer, nullable=False),
        sa.Column("stops", sa.JSON),
        _of_match("clock_steps"),
        sa.PrimaryKeyConstraint("match_id", "number", name="pk_clock_steps"),
    )
    op.create_table(
        "absences",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("player_id", sa.Text, nullable=False),
        _time("declared_at"),
        _time("start_at"),
        _time("end_at"),
        sa.Column("days", sa.Integer, nullable=False),
        sa.Column("automatic", sa.Boolean, nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_absences_player_id"),
        sa.PrimaryKeyConstraint("id", name="pk_absences"),
    )
    op.create_index("ix_absences_player_id_end_at", "absences", ["player_id", "end_at"])
    op.create_table(
        "pauses",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("match_id", sa.Text, nullable=False),
        _time("start_at"),
        _time("end_at"),
        _of_match("pauses"),
        sa.PrimaryKeyConstraint("id", name="pk_pauses"),
    )
    op.create_index("ix_pauses_match_id_end_at", "pauses", ["match_id", "end_at"])
    op.create_table(
        "heartbeats",
        sa.Column("part", sa.Text, nullable=False),
        _time("at"),
        sa.PrimaryKeyConstraint("part", name="pk_heartbeats"),
    )
    op.create_table(
        "outages",
        sa.Column("part", sa.Text, nullable=False),
        _time("start_at"),
        _time("end_at"),
        sa.PrimaryKeyConstraint("part", "start_at", name="pk_outages"),
    )
    op.create_index("ix_outages_end_at", "outages", ["end_at"])


def downgrade() -> None:
    """Drops the tables and the columns: no match has a clock then."""
    for table in ("outages", "heartbeats", "pauses", "absences", "clock_steps", "seat_clocks"):
        op.drop_table(table)
    for table, column in (("turns", "kind"), ("seats", "by_bot"), ("matches", "clock")):
        op.drop_column(table, column)


def _time(name: str, nullable: bool = False) -> sa.Column[object]:
    return sa.Column(name, sa.DateTime(timezone=True), nullable=nullable)


def _of_match(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=f"fk_{table}_match_id")
