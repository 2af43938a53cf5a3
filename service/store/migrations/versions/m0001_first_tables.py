"""The first tables, as ``service.store.tables`` declares them; the names of indexes and constraints
come from there.
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Creates the tables, those first that others refer to."""
    op.create_table(
        "players",
        _text("id", primary_key=True),
        _text("name"),
        _text("email", unique=True),
        _moment("confirmed_at", nullable=True),
        _moment("created_at"),
        _json("preferences"),
        _number("events", server_default=sa.text("0")),
    )
    op.create_table(
        "confirmations",
        _text("token_hash", primary_key=True),
        _text("player_id", sa.ForeignKey("players.id"), index=True),
        _moment("expires_at"),
        _moment("used_at", nullable=True),
    )
    op.create_table(
        "tokens",
        _text("id", primary_key=True),
        _text("player_id", sa.ForeignKey("players.id"), index=True),
        _text("token_hash", unique=True),
        _text("label"),
        _json("scopes"),
        _moment("created_at"),
        _moment("proven_at", nullable=True),
        _moment("revoked_at", nullable=True),
    )
    op.create_table(
        "component_sets",
        _text("digest", primary_key=True),
        _moment("added_at"),
        _json("document"),
    )
    op.create_table(
        "pruned_notices",
        _text("subject", primary_key=True),
        _text("kind", primary_key=True),
        _number("number"),
    )
    op.create_table(
        "prunings",
        _text("what", primary_key=True),
        _moment("until"),
    )
    op.create_table(
        "matches",
        _text("id", primary_key=True),
        _text("game"),
        _number("rules_version"),
        _text("components_name"),
        _text("components_digest"),
        _json("options"),
        _text("title"),
        _text("status"),
        _text("created_by", sa.ForeignKey("players.id"), index=True),
        _moment("created_at"),
        _moment("started_at", nullable=True),
        _moment("finished_at", nullable=True),
        _number("ply"),
        _bytes("secret"),
        _text("commitment"),
        _json("outcome", nullable=True),
        _moment("unreadable_at", nullable=True),
        _text("unreadable_reason", nullable=True),
        _number("events", server_default=sa.text("0")),
        _json("clock", nullable=True),
        _json("early_end", nullable=True),
        _json("handed_over", nullable=True),
        _moment("visited_at", nullable=True),
        _moment("archive_due_at", nullable=True),
        _number("archive_mails", server_default=sa.text("0")),
        _partial("archive_due_at IS NOT NULL", "archive_due_at"),
        sa.Index(None, "status", "created_at"),
        _partial("unreadable_at IS NOT NULL", "unreadable_at"),
    )
    op.create_table(
        "seats",
        _text("match_id", sa.ForeignKey("matches.id"), primary_key=True),
        _number("seat", primary_key=True),
        _text("player_id", sa.ForeignKey("players.id"), nullable=True),
        _text("invited_email", nullable=True, index=True),
        _moment("invited_at", nullable=True),
        _text("nonce", nullable=True),
        _moment("joined_at", nullable=True),
        _moment("resigned_at", nullable=True),
        _number("resigned_ply", nullable=True),
        _flag("to_act"),
        _moment("held_at", nullable=True),
        _flag("replaced"),
        sa.UniqueConstraint("match_id", "player_id"),
        sa.Index(None, "player_id", "to_act"),
    )
    op.create_table(
        "turns",
        _text("id", primary_key=True),
        _text("match_id"),
        _number("seat"),
        _text("player_id", sa.ForeignKey("players.id")),
        _number("ply"),
        _json("document"),
        _text("idempotency_key", nullable=True),
        _text("fingerprint"),
        _text("status"),
        _json("verdict", nullable=True),
        _moment("submitted_at"),
        _moment("judged_at", nullable=True),
        _number("attempts"),
        _text("slot", nullable=True),
        _text("in_reply_to", nullable=True),
        _text("kind"),
        _text("awaited_by", nullable=True),
        sa.ForeignKeyConstraint(["match_id", "seat"], ["seats.match_id", "seats.seat"]),
        sa.UniqueConstraint("player_id", "idempotency_key"),
        _partial("attempts > 0", "attempts"),
        _partial("judged_at IS NOT NULL", "judged_at"),
        sa.Index(None, "match_id", "player_id", "submitted_at"),
        _partial("slot IS NOT NULL", "slot", unique=True),
        sa.Index(None, "status", "submitted_at"),
    )
    op.create_table(
        "entries",
        _text("match_id", sa.ForeignKey("matches.id"), primary_key=True),
        _number("ply", primary_key=True, autoincrement=False),
        _number("seat"),
        _json("action"),
        _text("turn_id", sa.ForeignKey("turns.id"), nullable=True),
        _moment("at"),
    )
    op.create_table(
        "seat_clocks",
        _text("match_id", sa.ForeignKey("matches.id"), primary_key=True),
        _number("seat", primary_key=True, autoincrement=False),
        _json("document"),
        _moment("due_at", nullable=True),
        _moment("remind_at", nullable=True),
        _partial("due_at IS NOT NULL", "due_at", "match_id", "seat"),
        _partial("remind_at IS NOT NULL", "remind_at"),
    )
    op.create_table(
        "clock_steps",
        _text("match_id", sa.ForeignKey("matches.id"), primary_key=True),
        _number("number", primary_key=True, autoincrement=False),
        _text("kind"),
        _number("seat", nullable=True),
        _number("ply"),
        _moment("counts_at"),
        _moment("at"),
        _number("seconds"),
        _json("stops", nullable=True),
        _moment("not_before", nullable=True),
        _json("marks"),
        _text("player_id", nullable=True),
        sa.Index(None, "player_id", "kind"),
    )
    op.create_table(
        "days_off",
        _text("id", primary_key=True),
        _text("player_id", sa.ForeignKey("players.id")),
        _moment("declared_at"),
        _moment("start_at"),
        _moment("end_at"),
        _number("days"),
        _flag("automatic"),
        sa.Index(None, "player_id", "end_at"),
    )
    op.create_table(
        "pauses",
        _text("id", primary_key=True),
        _text("match_id", sa.ForeignKey("matches.id")),
        _moment("start_at"),
        _moment("end_at"),
        sa.Index(None, "match_id", "end_at"),
    )
    op.create_table(
        "questions",
        _text("id", primary_key=True),
        _text("match_id"),
        _number("number"),
        _text("kind"),
        _number("seat"),
        _moment("made_at"),
        _text("status"),
        _moment("settled_at", nullable=True),
        _json("about"),
        sa.ForeignKeyConstraint(["match_id", "seat"], ["seats.match_id", "seats.seat"]),
        sa.UniqueConstraint("match_id", "number"),
        _partial("status = 'open'", "match_id"),
        _partial("status = 'open'", "made_at"),
    )
    op.create_table(
        "heartbeats",
        _text("part", primary_key=True),
        _moment("at"),
    )
    op.create_table(
        "set_aside",
        _text("loop", primary_key=True),
        _text("item", primary_key=True),
        _number("attempts"),
        _number("crashes"),
        _moment("not_before"),
        _text("error"),
        _flag("kept"),
        sa.Index(None, "kept", "loop"),
    )
    op.create_table(
        "outages",
        _text("part", primary_key=True),
        _moment("start_at", primary_key=True),
        _moment("end_at"),
        sa.Index(None, "end_at"),
    )
    op.create_table(
        "calendars",
        _text("player_id", sa.ForeignKey("players.id"), primary_key=True),
        _text("secret_hash", unique=True),
    )
    op.create_table(
        "calendar_entries",
        _text("player_id", sa.ForeignKey("players.id"), primary_key=True),
        _text("uid", primary_key=True),
        _text("match_id"),
        _text("summary"),
        _moment("due_at"),
        _number("sequence"),
        _moment("changed_at"),
        _flag("is_gone"),
    )
    op.create_table(
        "outbox",
        _text("id", primary_key=True),
        _text("match_id", sa.ForeignKey("matches.id"), nullable=True),
        _text("player_id", sa.ForeignKey("players.id"), nullable=True),
        _text("address", nullable=True),
        _text("sender_id", sa.ForeignKey("players.id"), nullable=True),
        _text("recipient", nullable=True),
        _text("kind"),
        _json("payload"),
        _moment("created_at"),
        _moment("held_until", nullable=True),
        _text("status"),
        _number("attempts"),
        _number("crashes", server_default=sa.text("0")),
        _moment("next_attempt_at"),
        _moment("sent_at", nullable=True),
        _text("last_error", nullable=True),
        _moment("leased_until", nullable=True),
        _text("leased_by", nullable=True),
        _number("lane"),
        _moment("not_before", nullable=True),
        _text("channel", server_default=sa.text("'mail'")),
        _text("superseded_by", nullable=True),
        _text("covered_by", nullable=True),
        _text("event_id", nullable=True),
        _moment("bounced_at", nullable=True),
        _text("bounce_reason", nullable=True),
        _text("conversation", nullable=True),
        _partial("status = 'pending'", "lane", "next_attempt_at", "id"),
        sa.Index(None, "player_id", "created_at", "id"),
        _partial("status = 'pending'", "player_id", "match_id"),
        _partial("sender_id IS NOT NULL", "recipient", "created_at"),
        sa.Index(None, "status", "next_attempt_at"),
    )
    op.create_table(
        "events",
        _text("match_id", sa.ForeignKey("matches.id"), primary_key=True),
        _number("number", primary_key=True, autoincrement=False),
        _text("kind"),
        _text("audience"),
        _text("player_id", sa.ForeignKey("players.id"), nullable=True),
        _number("player_number", nullable=True),
        _number("seat", nullable=True),
        _number("ply", nullable=True),
        _text("turn_id", nullable=True),
        _json("payload", nullable=True),
        _moment("at"),
        _partial("player_id IS NOT NULL", "player_id", "player_number", unique=True),
    )
    op.create_table(
        "quotas",
        _text("what", primary_key=True),
        _text("subject", primary_key=True),
        _text("day", primary_key=True, index=True),
        _number("number"),
    )
    op.create_table(
        "never_again",
        _text("address", primary_key=True),
        _moment("at"),
    )
    op.create_table(
        "signing_keys",
        _number("number", primary_key=True, autoincrement=False),
        _bytes("secret"),
        _moment("signs_from"),
    )
    op.create_table(
        "address_undos",
        _text("token_hash", primary_key=True),
        _text("player_id", sa.ForeignKey("players.id"), index=True),
        _text("address"),
        _flag("as_primary"),
        _text("disputed", nullable=True),
        _moment("since"),
        _moment("made_at"),
        _moment("used_at", nullable=True),
    )
    op.create_table(
        "player_addresses",
        _text("id", primary_key=True),
        _text("player_id", sa.ForeignKey("players.id")),
        _text("address"),
        _text("folded"),
        _flag("is_primary"),
        _moment("added_at"),
        _moment("confirmed_at", nullable=True),
        _number("soft_bounces", server_default=sa.text("0")),
        _moment("last_bounce_at", nullable=True),
        _moment("bounced_at", nullable=True),
        _text("bounce_reason", nullable=True),
        sa.UniqueConstraint("player_id", "folded"),
        _partial("bounced_at IS NOT NULL", "bounced_at"),
        _partial("confirmed_at IS NOT NULL", "folded", unique=True),
        _partial("is_primary", "player_id", unique=True),
    )
    op.create_table(
        "address_confirmations",
        _text("token_hash", primary_key=True),
        _text("address_id", sa.ForeignKey("player_addresses.id", ondelete="CASCADE"), index=True),
        _moment("expires_at"),
        _moment("used_at", nullable=True),
    )
    op.create_table(
        "conversations",
        _text("match_id", sa.ForeignKey("matches.id"), primary_key=True),
        _text("thread", primary_key=True),
        _number("number"),
        _number("mails"),
    )
    op.create_table(
        "sent_texts",
        _text("notice_id", primary_key=True),
        _text("match_id", nullable=True),
        _text("recipient"),
        _bytes("texts"),
        _moment("sent_at"),
        sa.Index(None, "recipient", "match_id", "sent_at"),
        sa.Index(None, "sent_at"),
    )
    op.create_table(
        "maintenance",
        _number("id", sa.CheckConstraint("id = 1", name="one_row"), primary_key=True, autoincrement=False),
        _moment("since"),
        _moment("expected_end", nullable=True),
        _text("sentence"),
    )
    op.create_table(
        "match_preferences",
        _text("player_id", sa.ForeignKey("players.id"), primary_key=True),
        _text("match_id", sa.ForeignKey("matches.id"), primary_key=True),
        _json("document"),
        _moment("changed_at"),
    )
    op.create_table(
        "stops",
        _text("id", primary_key=True),
        _text("player_id", sa.ForeignKey("players.id")),
        _moment("at"),
        _text("scope"),
        _text("match_id", sa.ForeignKey("matches.id"), nullable=True),
        _text("kind", nullable=True),
        _flag("one_click"),
        sa.Index(None, "player_id", "at"),
    )
    op.create_table(
        "chat_lines",
        _text("match_id", sa.ForeignKey("matches.id"), primary_key=True),
        _number("number", primary_key=True, autoincrement=False),
        _number("seat"),
        _text("player_id", sa.ForeignKey("players.id")),
        _moment("at"),
        _text("text"),
    )
    op.create_table(
        "chat_told",
        _text("match_id", primary_key=True),
        _text("player_id", primary_key=True),
        _number("number"),
        _text("notice_id"),
    )
    op.create_table(
        "notes",
        _text("match_id", sa.ForeignKey("matches.id"), primary_key=True),
        _text("player_id", sa.ForeignKey("players.id"), primary_key=True),
        _text("text"),
        _moment("changed_at"),
    )
    op.create_table(
        "blocks",
        _text("player_id", sa.ForeignKey("players.id"), primary_key=True),
        _text("blocked_id", sa.ForeignKey("players.id"), primary_key=True),
        _moment("at"),
    )
    op.create_table(
        "answered_mails",
        _text("key", primary_key=True),
        _text("sender"),
        _moment("at"),
        _text("did"),
        _text("notice_id", nullable=True),
        _partial("notice_id IS NOT NULL", "sender", "at"),
    )
    op.create_table(
        "browsers",
        _text("secret_hash", primary_key=True),
        _text("player_id", sa.ForeignKey("players.id"), index=True),
        _moment("signed_in_at"),
        _moment("expires_at", index=True),
    )
    op.create_table(
        "messages",
        _text("id", primary_key=True),
        _moment("received_at"),
        _text("peer"),
        _text("envelope_from"),
        _text("recipient"),
        _number("size"),
        _bytes("raw", nullable=True),
        _text("message_id"),
        _text("digest"),
        _text("author"),
        _text("status"),
        _text("reason", server_default=sa.text("''")),
        _number("attempts", server_default=sa.text("0")),
        _number("crashes", server_default=sa.text("0")),
        _moment("next_attempt_at"),
        _moment("settled_at", nullable=True),
        _moment("leased_until", nullable=True),
        _text("leased_by", nullable=True),
        _partial("leased_until IS NOT NULL", "author"),
        _partial("raw IS NOT NULL AND settled_at IS NOT NULL", "settled_at"),
        sa.Index(None, "status", "next_attempt_at"),
    )


def _text(name: str, *more: Any, nullable: bool = False, **options: Any) -> sa.Column[Any]:
    return sa.Column(name, sa.Text, *more, nullable=nullable, **options)


def _number(name: str, *more: Any, nullable: bool = False, **options: Any) -> sa.Column[Any]:
    return sa.Column(name, sa.Integer, *more, nullable=nullable, **options)


def _flag(name: str, *more: Any, nullable: bool = False, **options: Any) -> sa.Column[Any]:
    return sa.Column(name, sa.Boolean(create_constraint=False), *more, nullable=nullable, **options)


def _json(name: str, *more: Any, nullable: bool = False, **options: Any) -> sa.Column[Any]:
    return sa.Column(name, sa.JSON, *more, nullable=nullable, **options)


def _bytes(name: str, *more: Any, nullable: bool = False, **options: Any) -> sa.Column[Any]:
    return sa.Column(name, sa.LargeBinary, *more, nullable=nullable, **options)


def _moment(name: str, *more: Any, nullable: bool = False, **options: Any) -> sa.Column[Any]:
    return sa.Column(name, sa.DateTime(timezone=True), *more, nullable=nullable, **options)


def _partial(where: str, *columns: str, unique: bool = False) -> sa.Index:
    return sa.Index(None, *columns, unique=unique, sqlite_where=sa.text(where), postgresql_where=sa.text(where))
