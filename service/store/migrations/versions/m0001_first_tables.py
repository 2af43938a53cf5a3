"""Players, tokens, matches with seats, entries and turns, and the outbox."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Creates the first tables."""
    _people()
    _matches()
    _turns()
    op.create_table(
        "outbox",
        _text("id"),
        _text("match_id", nullable=True),
        _text("player_id", nullable=True),
        _text("address", nullable=True),
        _text("kind"),
        _json("payload"),
        _moment("created_at"),
        _text("status"),
        sa.Column("attempts", sa.Integer, nullable=False),
        _moment("next_attempt_at"),
        _moment("sent_at", nullable=True),
        _text("last_error", nullable=True),
        _moment("leased_until", nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_outbox"),
        _foreign("outbox", "match_id", "matches.id"),
        _foreign("outbox", "player_id", "players.id"),
    )
    op.create_index("ix_outbox_status_next_attempt_at", "outbox", ["status", "next_attempt_at"])


def downgrade() -> None:
    """Drops them."""
    for table in ("outbox", "entries", "turns", "seats", "matches", "tokens", "confirmations", "players"):
        op.drop_table(table)


def _people() -> None:
    op.create_table(
        "players",
        _text("id"),
        _text("name"),
        _text("email"),
        _moment("confirmed_at", nullable=True),
        _moment("created_at"),
        _json("preferences"),
        sa.PrimaryKeyConstraint("id", name="pk_players"),
        sa.UniqueConstraint("email", name="uq_players_email"),
    )
    op.create_table(
        "confirmations",
        _text("token_hash"),
        _text("player_id"),
        _moment("expires_at"),
        _moment("used_at", nullable=True),
        sa.PrimaryKeyConstraint("token_hash", name="pk_confirmations"),
        _foreign("confirmations", "player_id", "players.id"),
    )
    op.create_index("ix_confirmations_player_id", "confirmations", ["player_id"])
    op.create_table(
        "tokens",
        _text("id"),
        _text("player_id"),
        _text("token_hash"),
        _text("label"),
        _json("scopes"),
        _moment("created_at"),
        _moment("revoked_at", nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_tokens"),
        sa.UniqueConstraint("token_hash", name="uq_tokens_token_hash"),
        _foreign("tokens", "player_id", "players.id"),
    )
    op.create_index("ix_tokens_player_id", "tokens", ["player_id"])


def _matches() -> None:
    op.create_table(
        "matches",
        _text("id"),
        _text("game"),
        sa.Column("rules_version", sa.Integer, nullable=False),
        _text("components_name"),
        _json("components"),
        _json("options"),
        _text("title"),
        _text("status"),
        _text("created_by"),
        _moment("created_at"),
        _moment("started_at", nullable=True),
        _moment("finished_at", nullable=True),
        sa.Column("ply", sa.Integer, nullable=False),
        sa.Column("secret", sa.LargeBinary, nullable=False),
        _text("commitment"),
        _json("outcome", nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_matches"),
        _foreign("matches", "created_by", "players.id"),
    )
    op.create_index("ix_matches_created_by", "matches", ["created_by"])
    op.create_index("ix_matches_status_created_at", "matches", ["status", "created_at"])
    op.create_table(
        "seats",
        _text("match_id"),
        sa.Column("seat", sa.Integer, nullable=False),
        _text("player_id", nullable=True),
        _text("invited_email", nullable=True),
        _moment("invited_at", nullable=True),
        _text("nonce", nullable=True),
        _moment("joined_at", nullable=True),
        _moment("resigned_at", nullable=True),
        sa.Column("resigned_ply", sa.Integer),
        sa.Column("to_act", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("match_id", "seat", name="pk_seats"),
        sa.UniqueConstraint("match_id", "player_id", name="uq_seats_match_id_player_id"),
        _foreign("seats", "match_id", "matches.id"),
        _foreign("seats", "player_id", "players.id"),
    )
    op.create_index("ix_seats_invited_email", "seats", ["invited_email"])
    op.create_index("ix_seats_player_id_to_act", "seats", ["player_id", "to_act"])


def _turns() -> None:
    op.create_table(
        "turns",
        _text("id"),
        _text("match_id"),
        sa.Column("seat", sa.Integer, nullable=False),
        _text("player_id"),
        sa.Column("ply", sa.Integer, nullable=False),
        _json("document"),
        _text("idempotency_key", nullable=True),
        _text("fingerprint"),
        _text("status"),
        _json("verdict", nullable=True),
        _moment("submitted_at"),
        _moment("judged_at", nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_turns"),
        sa.UniqueConstraint("player_id", "idempotency_key", name="uq_turns_player_id_idempotency_key"),
        sa.ForeignKeyConstraint(["match_id", "seat"], ["seats.match_id", "seats.seat"], name="fk_turns_match_id_seat"),
        _foreign("turns", "player_id", "players.id"),
    )
    op.create_index("ix_turns_status_submitted_at", "turns", ["status", "submitted_at"])
    op.create_index("ix_turns_match_id_player_id_submitted_at", "turns", ["match_id", "player_id", "submitted_at"])
    op.create_table(
        "entries",
        _text("match_id"),
        sa.Column("ply", sa.Integer, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        _json("action"),
        _text("turn_id", nullable=True),
        _moment("at"),
        sa.PrimaryKeyConstraint("match_id", "ply", name="pk_entries"),
        _foreign("entries", "match_id", "matches.id"),
        _foreign("entries", "turn_id", "turns.id"),
    )


def _text(name: str, nullable: bool = False) -> sa.Column[Any]:
    return sa.Column(name, sa.Text, nullable=nullable)


def _json(name: str, nullable: bool = False) -> sa.Column[Any]:
    return sa.Column(name, sa.JSON, nullable=nullable)


def _moment(name: str, nullable: bool = False) -> sa.Column[Any]:
    return sa.Column(name, sa.DateTime(timezone=True), nullable=nullable)


def _foreign(table: str, column: str, target: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], [target], name=f"fk_{table}_{column}")
