"""Adds the log of events, and lanes, due times and coverings of notices; the counts of quotas, the
addresses that want no mail, and the mails that carried turns.

Events are not made for what happened before. New columns have defaults, as processes of the version
before do not know them.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

_FIRST = ("confirm_address", "sign_in")
_TURNS = ("match_started", "your_turn")
_outbox = sa.table("outbox", sa.column("kind", sa.Text), sa.column("lane", sa.Integer))
_ADDED = ("lane", "not_before", "channel", "superseded_by", "covered_by", "event_id")


def upgrade() -> None:
    """Creates the tables and adds the columns; the notices that are there get the lanes of their
    kinds.
    """
    op.create_table(
        "events",
        sa.Column("match_id", sa.Text, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("audience", sa.Text, nullable=False),
        sa.Column("player_id", sa.Text),
        sa.Column("player_number", sa.Integer),
        sa.Column("seat", sa.Integer),
        sa.Column("ply", sa.Integer),
        sa.Column("turn_id", sa.Text),
        sa.Column("payload", sa.JSON),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("match_id", "number", name="pk_events"),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_events_match_id_matches"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_events_player_id_players"),
    )
    op.create_index(
        "ix_events_player_id_player_number",
        "events",
        ["player_id", "player_number"],
        unique=True,
        sqlite_where=sa.text("player_id IS NOT NULL"),
        postgresql_where=sa.text("player_id IS NOT NULL"),
    )
    op.create_table(
        "quotas",
        sa.Column("what", sa.Text, nullable=False),
        sa.Column("subject", sa.Text, nullable=False),
        sa.Column("day", sa.Text, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("what", "subject", "day", name="pk_quotas"),
    )
    op.create_index("ix_quotas_day", "quotas", ["day"])
    op.create_table(
        "never_again",
        sa.Column("address", sa.Text, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("address", name="pk_never_again"),
    )
    for table in ("matches", "players"):
        op.add_column(table, sa.Column("events", sa.Integer, nullable=False, server_default=sa.text("0")))
    op.add_column("turns", sa.Column("in_reply_to", sa.Text))
    op.add_column("outbox", sa.Column("lane", sa.Integer, nullable=False, server_default=sa.text("2")))
    op.add_column("outbox", sa.Column("not_before", sa.DateTime(timezone=True)))
    op.add_column("outbox", sa.Column("channel", sa.Text, nullable=False, server_default=sa.text("'mail'")))
    for name in ("superseded_by", "covered_by", "event_id"):
        op.add_column("outbox", sa.Column(name, sa.Text))
    for lane, kinds in enumerate((_FIRST, _TURNS)):
        op.execute(sa.update(_outbox).where(_outbox.c.kind.in_(kinds)).values(lane=lane))
    for name, columns in (
        ("ix_outbox_lane_next_attempt_at_id", ["lane", "next_attempt_at", "id"]),
        ("ix_outbox_player_id_match_id", ["player_id", "match_id"]),
    ):
        where = sa.text("status = 'pending'")
        op.create_index(name, "outbox", columns, sqlite_where=where, postgresql_where=where)


def downgrade() -> None:
    """Drops all of it. Notices that are told otherwise count as sent then, as the version before
    knows nothing else that is settled.
    """
    op.drop_index("ix_outbox_player_id_match_id", "outbox")
    op.drop_index("ix_outbox_lane_next_attempt_at_id", "outbox")
    op.execute("UPDATE outbox SET status = 'sent', sent_at = next_attempt_at WHERE status = 'covered'")
    for name in reversed(_ADDED):
        op.drop_column("outbox", name)
    op.drop_column("turns", "in_reply_to")
    for table in ("players", "matches"):
        op.drop_column(table, "events")
    for table in ("never_again", "quotas", "events"):
        op.drop_table(table)
