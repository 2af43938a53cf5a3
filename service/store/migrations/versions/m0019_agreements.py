"""Adds what players agree on beside time: the end of a match, and another player for a seat."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Adds the columns, and says of the steps of clocks whose they were."""
    op.add_column("matches", sa.Column("agreement", sa.JSON(none_as_null=True), nullable=True))
    op.add_column("matches", sa.Column("handed_over", sa.JSON(none_as_null=True), nullable=True))
    op.add_column("offers", sa.Column("address", sa.Text, nullable=True))
    op.add_column("offers", sa.Column("taker_id", sa.Text, nullable=True))
    op.add_column("clock_steps", sa.Column("player_id", sa.Text, nullable=True))
    op.create_index("ix_clock_steps_player_id_kind", "clock_steps", ["player_id", "kind"])
    op.execute(
        "UPDATE clock_steps SET player_id = (SELECT seats.player_id FROM seats"
        " WHERE seats.match_id = clock_steps.match_id AND seats.seat = clock_steps.seat)"
    )


def downgrade() -> None:
    """Drops the columns."""
    op.drop_index("ix_clock_steps_player_id_kind", "clock_steps")
    op.drop_column("clock_steps", "player_id")
    op.drop_column("offers", "taker_id")
    op.drop_column("offers", "address")
    op.drop_column("matches", "handed_over")
    op.drop_column("matches", "agreement")
