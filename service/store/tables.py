"""The tables. A test checks that the migrations lead to the same."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    DateTime,
    Dialect,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
    text,
)

NAMING = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
}


class UtcDateTime(TypeDecorator[datetime]):
    """A timezone-aware datetime in UTC, also on SQLite, which stores no time zones."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """The value as it is stored. Raises ``ValueError`` where it has no time zone."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"{value} has no time zone")
        moment = value.astimezone(UTC)
        return moment.replace(tzinfo=None) if dialect.name == "sqlite" else moment

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


def document(name: str, nullable: bool = False) -> Column[object]:
    """A column of JSON; ``None`` is stored as NULL, not as the JSON null."""
    return Column(name, JSON(none_as_null=True), nullable=nullable)


def partial_index(columns: str | tuple[str, ...], where: str, unique: bool = False) -> Index:
    """An index over the rows that fulfil a condition."""
    named = (columns,) if isinstance(columns, str) else columns
    return Index(None, *named, unique=unique, sqlite_where=text(where), postgresql_where=text(where))


metadata = MetaData(naming_convention=NAMING)

players = Table(
    "players",
    metadata,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("name_key", Text, unique=True),
    Column("email", Text, nullable=False, unique=True),
    Column("confirmed_at", UtcDateTime),
    Column("created_at", UtcDateTime, nullable=False),
    Column("owner_id", Text, ForeignKey("players.id"), index=True),
    Column("left_at", UtcDateTime),
    Column("guest_until", UtcDateTime),
    Column("guest_key", Text, unique=True),
    document("preferences"),
    Column("events", Integer, nullable=False, server_default=text("0")),
    Column("suspended_at", UtcDateTime),
    Column("suspended_for", Text),
)

confirmations = Table(
    "confirmations",
    metadata,
    Column("token_hash", Text, primary_key=True),
    Column("player_id", Text, ForeignKey("players.id"), nullable=False, index=True),
    Column("expires_at", UtcDateTime, nullable=False),
    Column("used_at", UtcDateTime),
    Column("join_secret", Text),
    Column("guest_id", Text, ForeignKey("players.id"), index=True),
)

tokens = Table(
    "tokens",
    metadata,
    Column("id", Text, primary_key=True),
    Column("player_id", Text, ForeignKey("players.id"), nullable=False, index=True),
    Column("token_hash", Text, nullable=False, unique=True),
    Column("label", Text, nullable=False),
    document("scopes"),
    Column("created_at", UtcDateTime, nullable=False),
    Column("proven_at", UtcDateTime),
    Column("revoked_at", UtcDateTime),
    Column("expires_at", UtcDateTime),
    Column("used_at", UtcDateTime),
)

keyed_requests = Table(
    "keyed_requests",
    metadata,
    Column("player_id", Text, ForeignKey("players.id"), primary_key=True),
    Column("key", Text, primary_key=True),
    Column("fingerprint", Text, nullable=False),
    Column("at", UtcDateTime, nullable=False, index=True),
    Column("status", Integer),
    Column("location", Text),
    Column("body", LargeBinary),
)

component_sets = Table(
    "component_sets",
    metadata,
    Column("digest", Text, primary_key=True),
    Column("added_at", UtcDateTime, nullable=False),
    document("document"),
)

pruned_notices = Table(
    "pruned_notices",
    metadata,
    Column("subject", Text, primary_key=True),
    Column("kind", Text, primary_key=True),
    Column("number", Integer, nullable=False),
)

prunings = Table(
    "prunings",
    metadata,
    Column("what", Text, primary_key=True),
    Column("until", UtcDateTime, nullable=False),
)

matches = Table(
    "matches",
    metadata,
    Column("id", Text, primary_key=True),
    Column("game", Text, nullable=False),
    Column("rules_version", Integer, nullable=False),
    Column("components_name", Text, nullable=False),
    Column("components_digest", Text, nullable=False),
    document("options"),
    Column("title", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("created_by", Text, ForeignKey("players.id"), nullable=False, index=True),
    Column("created_at", UtcDateTime, nullable=False),
    Column("started_at", UtcDateTime),
    Column("finished_at", UtcDateTime),
    Column("ply", Integer, nullable=False),
    Column("secret", LargeBinary, nullable=False),
    Column("commitment", Text, nullable=False),
    document("outcome", nullable=True),
    Column("unreadable_at", UtcDateTime),
    Column("unreadable_reason", Text),
    Column("events", Integer, nullable=False, server_default=text("0")),
    document("clock", nullable=True),
    document("early_end", nullable=True),
    document("handed_over", nullable=True),
    Column("unlisted", Boolean(create_constraint=False), nullable=False, server_default=text("false")),
    Column("join_secret", Text, unique=True),
    Column("visited_at", UtcDateTime),
    Column("archive_due_at", UtcDateTime),
    Column("archive_mails", Integer, nullable=False, server_default=text("0")),
    partial_index("archive_due_at", "archive_due_at IS NOT NULL"),
    Index(None, "status", "created_at"),
    partial_index("unreadable_at", "unreadable_at IS NOT NULL"),
)

seats = Table(
    "seats",
    metadata,
    Column("match_id", Text, ForeignKey("matches.id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("player_id", Text, ForeignKey("players.id")),
    Column("invited_email", Text, index=True),
    Column("invited_at", UtcDateTime),
    Column("nonce", Text),
    Column("joined_at", UtcDateTime),
    Column("resigned_at", UtcDateTime),
    Column("resigned_ply", Integer),
    Column("to_act", Boolean(create_constraint=False), nullable=False),
    Column("held_at", UtcDateTime),
    Column("replaced", Boolean(create_constraint=False), nullable=False),
    UniqueConstraint("match_id", "player_id"),
    Index(None, "player_id", "to_act"),
)

turns = Table(
    "turns",
    metadata,
    Column("id", Text, primary_key=True),
    Column("match_id", Text, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("player_id", Text, ForeignKey("players.id"), nullable=False),
    Column("ply", Integer, nullable=False),
    document("document"),
    Column("idempotency_key", Text),
    Column("fingerprint", Text, nullable=False),
    Column("status", Text, nullable=False),
    document("verdict", nullable=True),
    Column("submitted_at", UtcDateTime, nullable=False),
    Column("judged_at", UtcDateTime),
    Column("attempts", Integer, nullable=False),
    Column("slot", Text),
    Column("in_reply_to", Text),
    Column("kind", Text, nullable=False),
    Column("awaited_by", Text),
    ForeignKeyConstraint(["match_id", "seat"], ["seats.match_id", "seats.seat"]),
    UniqueConstraint("player_id", "idempotency_key"),
    Index(None, "status", "submitted_at"),
    partial_index("judged_at", "judged_at IS NOT NULL"),
    partial_index("attempts", "attempts > 0"),
    partial_index("slot", "slot IS NOT NULL", unique=True),
    Index(None, "match_id", "player_id", "submitted_at"),
)

entries = Table(
    "entries",
    metadata,
    Column("match_id", Text, ForeignKey("matches.id"), primary_key=True),
    Column("ply", Integer, primary_key=True, autoincrement=False),
    Column("seat", Integer, nullable=False),
    document("action"),
    Column("turn_id", Text, ForeignKey("turns.id")),
    Column("at", UtcDateTime, nullable=False),
)

# The clocks: of each seat at present, and the steps that led to them.

seat_clocks = Table(
    "seat_clocks",
    metadata,
    Column("match_id", Text, ForeignKey("matches.id"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    document("document"),
    Column("due_at", UtcDateTime),
    Column("remind_at", UtcDateTime),
    partial_index("remind_at", "remind_at IS NOT NULL"),
    partial_index(("due_at", "match_id", "seat"), "due_at IS NOT NULL"),
)

clock_steps = Table(
    "clock_steps",
    metadata,
    Column("match_id", Text, ForeignKey("matches.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("kind", Text, nullable=False),
    Column("seat", Integer),
    Column("ply", Integer, nullable=False),
    Column("counts_at", UtcDateTime, nullable=False),
    Column("at", UtcDateTime, nullable=False),
    Column("seconds", Integer, nullable=False),
    document("stops", nullable=True),
    Column("not_before", UtcDateTime),
    document("marks"),
    Column("player_id", Text),
    Index(None, "player_id", "kind"),
)

days_off = Table(
    "days_off",
    metadata,
    Column("id", Text, primary_key=True),
    Column("player_id", Text, ForeignKey("players.id"), nullable=False),
    Column("declared_at", UtcDateTime, nullable=False),
    Column("start_at", UtcDateTime, nullable=False),
    Column("end_at", UtcDateTime, nullable=False),
    Column("days", Integer, nullable=False),
    Column("automatic", Boolean(create_constraint=False), nullable=False),
    Index(None, "player_id", "end_at"),
)

pauses = Table(
    "pauses",
    metadata,
    Column("id", Text, primary_key=True),
    Column("match_id", Text, ForeignKey("matches.id"), nullable=False),
    Column("start_at", UtcDateTime, nullable=False),
    Column("end_at", UtcDateTime, nullable=False),
    Column("kind", Text, nullable=False, server_default="pause"),
    Index(None, "match_id", "end_at"),
)

questions = Table(
    "questions",
    metadata,
    Column("id", Text, primary_key=True),
    Column("match_id", Text, nullable=False),
    Column("number", Integer, nullable=False),
    Column("kind", Text, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("made_at", UtcDateTime, nullable=False),
    Column("status", Text, nullable=False),
    Column("settled_at", UtcDateTime),
    document("about"),
    ForeignKeyConstraint(["match_id", "seat"], ["seats.match_id", "seats.seat"]),
    partial_index("match_id", "status = 'open'"),
    partial_index("made_at", "status = 'open'"),
    UniqueConstraint("match_id", "number"),
)

heartbeats = Table(
    "heartbeats",
    metadata,
    Column("part", Text, primary_key=True),
    Column("at", UtcDateTime, nullable=False),
)

# Items of loops that have no rows of their own: while they are at work, and as long as they failed.
set_aside = Table(
    "set_aside",
    metadata,
    Column("loop", Text, primary_key=True),
    Column("item", Text, primary_key=True),
    Column("attempts", Integer, nullable=False),
    Column("crashes", Integer, nullable=False),
    Column("not_before", UtcDateTime, nullable=False),
    Column("error", Text, nullable=False),
    Column("kept", Boolean(create_constraint=False), nullable=False),
    Index(None, "kept", "loop"),
)

# The counts for monitoring, of all processes together.
counts = Table(
    "counts",
    metadata,
    Column("what", Text, primary_key=True),
    Column("result", Text, primary_key=True),
    Column("number", BigInteger, nullable=False),
)

# How far the folders of a mailbox have been looked through, by the UIDs of their mails; and who
# moves mails from them now.
mailbox_folders = Table(
    "mailbox_folders",
    metadata,
    Column("mailbox", Text, primary_key=True),
    Column("folder", Text, primary_key=True),
    Column("uidvalidity", BigInteger, nullable=False),
    Column("next_uid", BigInteger, nullable=False),
    Column("leased_until", UtcDateTime),
    Column("leased_by", Text),
)

outages = Table(
    "outages",
    metadata,
    Column("part", Text, primary_key=True),
    Column("start_at", UtcDateTime, primary_key=True),
    Column("end_at", UtcDateTime, nullable=False),
    Index(None, "end_at"),
)

calendars = Table(
    "calendars",
    metadata,
    Column("player_id", Text, ForeignKey("players.id"), primary_key=True),
    Column("secret_hash", Text, nullable=False, unique=True),
)

calendar_entries = Table(
    "calendar_entries",
    metadata,
    Column("player_id", Text, ForeignKey("players.id"), primary_key=True),
    Column("uid", Text, primary_key=True),
    Column("match_id", Text, nullable=False),
    Column("summary", Text, nullable=False),
    Column("due_at", UtcDateTime, nullable=False),
    Column("sequence", Integer, nullable=False),
    Column("changed_at", UtcDateTime, nullable=False),
    Column("is_gone", Boolean(create_constraint=False), nullable=False),
)

outbox = Table(
    "outbox",
    metadata,
    Column("id", Text, primary_key=True),
    Column("match_id", Text, ForeignKey("matches.id")),
    Column("player_id", Text, ForeignKey("players.id")),
    Column("address", Text),
    Column("sender_id", Text, ForeignKey("players.id")),
    Column("recipient", Text),
    Column("kind", Text, nullable=False),
    document("payload"),
    Column("created_at", UtcDateTime, nullable=False),
    Column("held_until", UtcDateTime),
    Column("status", Text, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("crashes", Integer, nullable=False, server_default=text("0")),
    Column("next_attempt_at", UtcDateTime, nullable=False),
    Column("sent_at", UtcDateTime),
    Column("last_error", Text),
    Column("leased_until", UtcDateTime),
    Column("leased_by", Text),
    Column("lane", Integer, nullable=False),
    Column("not_before", UtcDateTime),
    Column("channel", Text, nullable=False, server_default=text("'mail'")),
    Column("superseded_by", Text),
    Column("covered_by", Text),
    Column("event_id", Text),
    Column("bounced_at", UtcDateTime),
    Column("bounce_reason", Text),
    Column("conversation", Text),
    Index(None, "status", "next_attempt_at"),
    partial_index(("lane", "next_attempt_at", "id"), "status = 'pending'"),
    partial_index(("player_id", "match_id"), "status = 'pending'"),
    partial_index(("recipient", "created_at"), "sender_id IS NOT NULL"),
    Index(None, "player_id", "created_at", "id"),
)

events = Table(
    "events",
    metadata,
    Column("match_id", Text, ForeignKey("matches.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("kind", Text, nullable=False),
    Column("audience", Text, nullable=False),
    Column("player_id", Text, ForeignKey("players.id")),
    Column("seat", Integer),
    Column("ply", Integer),
    Column("turn_id", Text),
    document("payload", nullable=True),
    Column("at", UtcDateTime, nullable=False),
)

# The events that each player may know of, numbered in the order of commits.
player_events = Table(
    "player_events",
    metadata,
    Column("player_id", Text, ForeignKey("players.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("match_id", Text, nullable=False),
    Column("event", Integer, nullable=False),
    Column("at", UtcDateTime, nullable=False, index=True),
)

# Addresses to which events are told by HTTP: a player's own, and those entered for a match.
webhooks = Table(
    "webhooks",
    metadata,
    Column("id", Text, primary_key=True),
    Column("player_id", Text, ForeignKey("players.id"), nullable=False, index=True),
    Column("match_id", Text, ForeignKey("matches.id")),
    Column("format", Text, nullable=False),
    Column("url", Text, nullable=False, index=True),
    Column("secret", Text, nullable=False),
    Column("secret_before", Text),
    Column("renewed_at", UtcDateTime),
    Column("created_at", UtcDateTime, nullable=False),
    Column("told_at", UtcDateTime),
    Column("failing_since", UtcDateTime),
    Column("last_error", Text),
    Column("last_error_at", UtcDateTime),
    Column("off_at", UtcDateTime),
    partial_index("match_id", "match_id IS NOT NULL"),
)

quotas = Table(
    "quotas",
    metadata,
    Column("what", Text, primary_key=True),
    Column("subject", Text, primary_key=True),
    Column("day", Text, primary_key=True, index=True),
    Column("number", Integer, nullable=False),
)

never_again = Table(
    "never_again",
    metadata,
    Column("address", Text, primary_key=True),
    Column("at", UtcDateTime, nullable=False),
)

signing_keys = Table(
    "signing_keys",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("secret", LargeBinary, nullable=False),
    Column("signs_from", UtcDateTime, nullable=False),
    Column("retired_at", UtcDateTime),
)

address_undos = Table(
    "address_undos",
    metadata,
    Column("token_hash", Text, primary_key=True),
    Column("player_id", Text, ForeignKey("players.id"), nullable=False, index=True),
    Column("address", Text, nullable=False),
    Column("as_primary", Boolean(create_constraint=False), nullable=False),
    Column("disputed", Text),
    Column("since", UtcDateTime, nullable=False),
    Column("made_at", UtcDateTime, nullable=False),
    Column("used_at", UtcDateTime),
)
player_addresses = Table(
    "player_addresses",
    metadata,
    Column("id", Text, primary_key=True),
    Column("player_id", Text, ForeignKey("players.id"), nullable=False),
    Column("address", Text, nullable=False),
    Column("folded", Text, nullable=False),
    Column("is_primary", Boolean(create_constraint=False), nullable=False),
    Column("added_at", UtcDateTime, nullable=False),
    Column("confirmed_at", UtcDateTime),
    Column("soft_bounces", Integer, nullable=False, server_default=text("0")),
    Column("last_bounce_at", UtcDateTime),
    Column("bounced_at", UtcDateTime),
    Column("bounce_reason", Text),
    UniqueConstraint("player_id", "folded"),
    partial_index("folded", "confirmed_at IS NOT NULL", unique=True),
    partial_index("player_id", "is_primary", unique=True),
    partial_index("bounced_at", "bounced_at IS NOT NULL"),
)

address_confirmations = Table(
    "address_confirmations",
    metadata,
    Column("token_hash", Text, primary_key=True),
    Column("address_id", Text, ForeignKey("player_addresses.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("expires_at", UtcDateTime, nullable=False),
    Column("used_at", UtcDateTime),
    Column("as_primary", Boolean(create_constraint=False), nullable=False, server_default=text("false")),
)

conversations = Table(
    "conversations",
    metadata,
    Column("match_id", Text, ForeignKey("matches.id"), primary_key=True),
    Column("thread", Text, primary_key=True),
    Column("number", Integer, nullable=False),
    Column("mails", Integer, nullable=False),
)

sent_texts = Table(
    "sent_texts",
    metadata,
    Column("notice_id", Text, primary_key=True),
    Column("match_id", Text),
    Column("recipient", Text, nullable=False),
    Column("texts", LargeBinary, nullable=False),
    Column("sent_at", UtcDateTime, nullable=False),
    Index(None, "recipient", "match_id", "sent_at"),
    Index(None, "sent_at"),
)

maintenance = Table(
    "maintenance",
    metadata,
    Column("id", Integer, CheckConstraint("id = 1", name="one_row"), primary_key=True, autoincrement=False),
    Column("since", UtcDateTime, nullable=False),
    Column("expected_end", UtcDateTime),
    Column("sentence", Text, nullable=False),
)

# What players want to be mailed, and what they say and note.

match_preferences = Table(
    "match_preferences",
    metadata,
    Column("player_id", Text, ForeignKey("players.id"), primary_key=True),
    Column("match_id", Text, ForeignKey("matches.id"), primary_key=True),
    document("document"),
    Column("changed_at", UtcDateTime, nullable=False),
)

stops = Table(
    "stops",
    metadata,
    Column("id", Text, primary_key=True),
    Column("player_id", Text, ForeignKey("players.id"), nullable=False),
    Column("at", UtcDateTime, nullable=False),
    Column("scope", Text, nullable=False),
    Column("match_id", Text, ForeignKey("matches.id")),
    Column("kind", Text),
    Column("one_click", Boolean(create_constraint=False), nullable=False),
    Index(None, "player_id", "at"),
)

chat_lines = Table(
    "chat_lines",
    metadata,
    Column("match_id", Text, ForeignKey("matches.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("seat", Integer, nullable=False),
    Column("player_id", Text, ForeignKey("players.id"), nullable=False),
    Column("at", UtcDateTime, nullable=False),
    Column("text", Text, nullable=False),
)

# Written while notices are leased, so it has no foreign keys, which would lock matches.
chat_told = Table(
    "chat_told",
    metadata,
    Column("match_id", Text, primary_key=True),
    Column("player_id", Text, primary_key=True),
    Column("number", Integer, nullable=False),
    Column("notice_id", Text, nullable=False),
)

notes = Table(
    "notes",
    metadata,
    Column("match_id", Text, ForeignKey("matches.id"), primary_key=True),
    Column("player_id", Text, ForeignKey("players.id"), primary_key=True),
    Column("text", Text, nullable=False),
    Column("changed_at", UtcDateTime, nullable=False),
)

blocks = Table(
    "blocks",
    metadata,
    Column("player_id", Text, ForeignKey("players.id"), primary_key=True),
    Column("blocked_id", Text, ForeignKey("players.id"), primary_key=True),
    Column("at", UtcDateTime, nullable=False),
)

# What the handling of incoming mails remembers.

answered_mails = Table(
    "answered_mails",
    metadata,
    Column("key", Text, primary_key=True),
    Column("sender", Text, nullable=False),
    Column("at", UtcDateTime, nullable=False),
    Column("did", Text, nullable=False),
    Column("notice_id", Text),
    partial_index(("sender", "at"), "notice_id IS NOT NULL"),
)

browsers = Table(
    "browsers",
    metadata,
    Column("secret_hash", Text, primary_key=True),
    Column("player_id", Text, ForeignKey("players.id"), nullable=False, index=True),
    Column("signed_in_at", UtcDateTime, nullable=False),
    Column("expires_at", UtcDateTime, nullable=False, index=True),
    Column("proven_at", UtcDateTime),
)

messages = Table(
    "messages",
    metadata,
    Column("id", Text, primary_key=True),
    Column("received_at", UtcDateTime, nullable=False),
    Column("peer", Text, nullable=False),
    Column("envelope_from", Text, nullable=False),
    Column("recipient", Text, nullable=False),
    Column("size", Integer, nullable=False),
    Column("raw", LargeBinary),
    Column("message_id", Text, nullable=False),
    Column("digest", Text, nullable=False, index=True),
    Column("author", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("reason", Text, nullable=False, server_default=text("''")),
    Column("attempts", Integer, nullable=False, server_default=text("0")),
    Column("crashes", Integer, nullable=False, server_default=text("0")),
    Column("next_attempt_at", UtcDateTime, nullable=False),
    Column("settled_at", UtcDateTime),
    Column("leased_until", UtcDateTime),
    Column("leased_by", Text),
    Index(None, "status", "next_attempt_at"),
    partial_index("author", "leased_until IS NOT NULL"),
    partial_index("settled_at", "raw IS NOT NULL AND settled_at IS NOT NULL"),
)

# What players report, and what the operator does about players.

reports = Table(
    "reports",
    metadata,
    Column("id", Text, primary_key=True),
    Column("reporter_id", Text, ForeignKey("players.id"), nullable=False),
    Column("about_id", Text, ForeignKey("players.id"), nullable=False, index=True),
    Column("kind", Text, nullable=False),
    Column("thing", Text, nullable=False),
    Column("match_id", Text, ForeignKey("matches.id")),
    Column("number", Integer),
    Column("read", Text, nullable=False),
    Column("words", Text, nullable=False),
    Column("at", UtcDateTime, nullable=False),
    Column("status", Text, nullable=False),
    Column("settled_at", UtcDateTime),
    UniqueConstraint("reporter_id", "thing"),
    partial_index("at", "status = 'open'"),
)

audit = Table(
    "audit",
    metadata,
    Column("id", Text, primary_key=True),
    Column("at", UtcDateTime, nullable=False, index=True),
    Column("by", Text, nullable=False),
    Column("act", Text, nullable=False),
    Column("player_id", Text, index=True),
    Column("subject", Text, nullable=False),
    Column("reason", Text, nullable=False),
)
