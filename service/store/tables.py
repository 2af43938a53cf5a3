"""The tables. A test checks that the migrations lead to the same."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

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
from sqlalchemy.schema import SchemaItem

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


def partial_index(columns: str | tuple[str, ...], where: str, unique: bool = False) -> Index:
    """An index over the rows that fulfil a condition."""
    named = (columns,) if isinstance(columns, str) else columns
    return Index(None, *named, unique=unique, sqlite_where=text(where), postgresql_where=text(where))


def keys(kind: Any, *names: str) -> Iterator[Column[Any]]:
    """Columns that are the key, together."""
    return (Column(name, kind, primary_key=True) for name in names)


def required(kind: Any, *names: str) -> Iterator[Column[Any]]:
    """Columns that are never NULL."""
    return (Column(name, kind, nullable=False) for name in names)


def optional(kind: Any, *names: str) -> Iterator[Column[Any]]:
    """Columns that may be NULL."""
    return (Column(name, kind) for name in names)


DOCUMENT = JSON(none_as_null=True)
"""Where ``None`` is stored as NULL, not as the JSON null."""
FLAG = Boolean(create_constraint=False)
metadata = MetaData(naming_convention=NAMING)


def _table(name: str, *parts: SchemaItem) -> Table:
    return Table(name, metadata, *parts)


players = _table(
    "players",
    *keys(Text, "id"),
    *required(Text, "name"),
    Column("name_key", Text, unique=True),
    Column("email", Text, nullable=False, unique=True),
    *optional(UtcDateTime, "confirmed_at"),
    *required(UtcDateTime, "created_at"),
    Column("owner_id", Text, ForeignKey("players.id"), index=True),
    *optional(UtcDateTime, "left_at", "guest_until"),
    Column("guest_key", Text, unique=True),
    *required(DOCUMENT, "preferences"),
    Column("events", Integer, nullable=False, server_default=text("0")),
    *optional(UtcDateTime, "suspended_at"),
    *optional(Text, "suspended_for"),
)

confirmations = _table(
    "confirmations",
    *keys(Text, "token_hash"),
    Column("player_id", Text, ForeignKey("players.id"), nullable=False, index=True),
    *required(UtcDateTime, "expires_at"),
    *optional(UtcDateTime, "used_at"),
    *optional(Text, "join_secret"),
    Column("guest_id", Text, ForeignKey("players.id"), index=True),
)

tokens = _table(
    "tokens",
    *keys(Text, "id"),
    Column("player_id", Text, ForeignKey("players.id"), nullable=False, index=True),
    Column("token_hash", Text, nullable=False, unique=True),
    *required(Text, "label"),
    *required(DOCUMENT, "scopes"),
    *required(UtcDateTime, "created_at"),
    *optional(UtcDateTime, "proven_at", "revoked_at", "expires_at", "used_at"),
)

keyed_requests = _table(
    "keyed_requests",
    Column("player_id", Text, ForeignKey("players.id"), primary_key=True),
    *keys(Text, "key"),
    *required(Text, "fingerprint"),
    Column("at", UtcDateTime, nullable=False, index=True),
    *optional(Integer, "status"),
    *optional(Text, "location"),
    *optional(LargeBinary, "body"),
)

component_sets = _table(
    "component_sets",
    *keys(Text, "digest"),
    *required(UtcDateTime, "added_at"),
    *required(DOCUMENT, "document"),
)

pruned_notices = _table("pruned_notices", *keys(Text, "subject", "kind"), *required(Integer, "number"))

prunings = _table("prunings", *keys(Text, "what"), *required(UtcDateTime, "until"))

matches = _table(
    "matches",
    *keys(Text, "id"),
    *required(Text, "game"),
    *required(Integer, "rules_version"),
    *required(Text, "components_name", "components_digest"),
    *required(DOCUMENT, "options"),
    *required(Text, "title", "status"),
    Column("created_by", Text, ForeignKey("players.id"), nullable=False, index=True),
    *required(UtcDateTime, "created_at"),
    *optional(UtcDateTime, "started_at", "finished_at"),
    *required(Integer, "ply"),
    *required(LargeBinary, "secret"),
    *required(Text, "commitment"),
    *optional(DOCUMENT, "outcome"),
    *optional(UtcDateTime, "unreadable_at"),
    *optional(Text, "unreadable_reason"),
    Column("events", Integer, nullable=False, server_default=text("0")),
    *optional(DOCUMENT, "clock", "early_end", "handed_over"),
    Column("unlisted", FLAG, nullable=False, server_default=text("false")),
    Column("join_secret", Text, unique=True),
    *optional(UtcDateTime, "visited_at", "archive_due_at"),
    Column("archive_mails", Integer, nullable=False, server_default=text("0")),
    partial_index("archive_due_at", "archive_due_at IS NOT NULL"),
    Index(None, "status", "created_at"),
    partial_index("unreadable_at", "unreadable_at IS NOT NULL"),
)

seats = _table(
    "seats",
    Column("match_id", Text, ForeignKey("matches.id"), primary_key=True),
    *keys(Integer, "seat"),
    Column("player_id", Text, ForeignKey("players.id")),
    Column("invited_email", Text, index=True),
    *optional(UtcDateTime, "invited_at"),
    *optional(Text, "nonce"),
    *optional(UtcDateTime, "joined_at", "resigned_at"),
    *optional(Integer, "resigned_ply"),
    *required(FLAG, "to_act"),
    *optional(UtcDateTime, "held_at"),
    *required(FLAG, "replaced"),
    UniqueConstraint("match_id", "player_id"),
    Index(None, "player_id", "to_act"),
)

turns = _table(
    "turns",
    *keys(Text, "id"),
    *required(Text, "match_id"),
    *required(Integer, "seat"),
    Column("player_id", Text, ForeignKey("players.id"), nullable=False),
    *required(Integer, "ply"),
    *required(DOCUMENT, "document"),
    *optional(Text, "idempotency_key"),
    *required(Text, "fingerprint", "status"),
    *optional(DOCUMENT, "verdict"),
    *required(UtcDateTime, "submitted_at"),
    *optional(UtcDateTime, "judged_at"),
    *required(Integer, "attempts"),
    *optional(Text, "slot", "in_reply_to"),
    *required(Text, "kind"),
    *optional(Text, "awaited_by"),
    ForeignKeyConstraint(["match_id", "seat"], ["seats.match_id", "seats.seat"]),
    UniqueConstraint("player_id", "idempotency_key"),
    Index(None, "status", "submitted_at"),
    partial_index("judged_at", "judged_at IS NOT NULL"),
    partial_index("attempts", "attempts > 0"),
    partial_index("slot", "slot IS NOT NULL", unique=True),
    Index(None, "match_id", "player_id", "submitted_at"),
)

entries = _table(
    "entries",
    Column("match_id", Text, ForeignKey("matches.id"), primary_key=True),
    Column("ply", Integer, primary_key=True, autoincrement=False),
    *required(Integer, "seat"),
    *required(DOCUMENT, "action"),
    Column("turn_id", Text, ForeignKey("turns.id")),
    *required(UtcDateTime, "at"),
)

# The clocks: of each seat at present, and the steps that led to them.

seat_clocks = _table(
    "seat_clocks",
    Column("match_id", Text, ForeignKey("matches.id"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    *required(DOCUMENT, "document"),
    *optional(UtcDateTime, "due_at", "remind_at"),
    partial_index("remind_at", "remind_at IS NOT NULL"),
    partial_index(("due_at", "match_id", "seat"), "due_at IS NOT NULL"),
)

clock_steps = _table(
    "clock_steps",
    Column("match_id", Text, ForeignKey("matches.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    *required(Text, "kind"),
    *optional(Integer, "seat"),
    *required(Integer, "ply"),
    *required(UtcDateTime, "counts_at", "at"),
    *required(Integer, "seconds"),
    *optional(DOCUMENT, "stops"),
    *optional(UtcDateTime, "not_before"),
    *required(DOCUMENT, "marks"),
    *optional(Text, "player_id"),
    Index(None, "player_id", "kind"),
)

days_off = _table(
    "days_off",
    *keys(Text, "id"),
    Column("player_id", Text, ForeignKey("players.id"), nullable=False),
    *required(UtcDateTime, "declared_at", "start_at", "end_at"),
    *required(Integer, "days"),
    *required(FLAG, "automatic"),
    Index(None, "player_id", "end_at"),
)

pauses = _table(
    "pauses",
    *keys(Text, "id"),
    Column("match_id", Text, ForeignKey("matches.id"), nullable=False),
    *required(UtcDateTime, "start_at", "end_at"),
    Column("kind", Text, nullable=False, server_default="pause"),
    Index(None, "match_id", "end_at"),
)

questions = _table(
    "questions",
    *keys(Text, "id"),
    *required(Text, "match_id"),
    *required(Integer, "number"),
    *required(Text, "kind"),
    *required(Integer, "seat"),
    *required(UtcDateTime, "made_at"),
    *required(Text, "status"),
    *optional(UtcDateTime, "settled_at"),
    *required(DOCUMENT, "about"),
    ForeignKeyConstraint(["match_id", "seat"], ["seats.match_id", "seats.seat"]),
    partial_index("match_id", "status = 'open'"),
    partial_index("made_at", "status = 'open'"),
    UniqueConstraint("match_id", "number"),
)

heartbeats = _table("heartbeats", *keys(Text, "part"), *required(UtcDateTime, "at"))

# Items of loops that have no rows of their own: while they are at work, and as long as they failed.
set_aside = _table(
    "set_aside",
    *keys(Text, "loop", "item"),
    *required(Integer, "attempts", "crashes"),
    *required(UtcDateTime, "not_before"),
    *required(Text, "error"),
    *required(FLAG, "kept"),
    Index(None, "kept", "loop"),
)

# The counts for monitoring, of all processes together.
counts = _table("counts", *keys(Text, "what", "result"), *required(BigInteger, "number"))

# How far the folders of a mailbox have been looked through, by the UIDs of their mails; and who
# moves mails from them now.
mailbox_folders = _table(
    "mailbox_folders",
    *keys(Text, "mailbox", "folder"),
    *required(BigInteger, "uidvalidity", "next_uid"),
    *optional(UtcDateTime, "leased_until"),
    *optional(Text, "leased_by"),
)

outages = _table(
    "outages",
    *keys(Text, "part"),
    *keys(UtcDateTime, "start_at"),
    *required(UtcDateTime, "end_at"),
    Index(None, "end_at"),
)

calendars = _table(
    "calendars",
    Column("player_id", Text, ForeignKey("players.id"), primary_key=True),
    Column("secret_hash", Text, nullable=False, unique=True),
)

calendar_entries = _table(
    "calendar_entries",
    Column("player_id", Text, ForeignKey("players.id"), primary_key=True),
    *keys(Text, "uid"),
    *required(Text, "match_id", "summary"),
    *required(UtcDateTime, "due_at"),
    *required(Integer, "sequence"),
    *required(UtcDateTime, "changed_at"),
    *required(FLAG, "is_gone"),
)

outbox = _table(
    "outbox",
    *keys(Text, "id"),
    Column("match_id", Text, ForeignKey("matches.id")),
    Column("player_id", Text, ForeignKey("players.id")),
    *optional(Text, "address"),
    Column("sender_id", Text, ForeignKey("players.id")),
    *optional(Text, "recipient"),
    *required(Text, "kind"),
    *required(DOCUMENT, "payload"),
    *required(UtcDateTime, "created_at"),
    *optional(UtcDateTime, "held_until"),
    *required(Text, "status"),
    *required(Integer, "attempts"),
    Column("crashes", Integer, nullable=False, server_default=text("0")),
    *required(UtcDateTime, "next_attempt_at"),
    *optional(UtcDateTime, "sent_at"),
    *optional(Text, "last_error"),
    *optional(UtcDateTime, "leased_until"),
    *optional(Text, "leased_by"),
    *required(Integer, "lane"),
    *optional(UtcDateTime, "not_before"),
    Column("channel", Text, nullable=False, server_default=text("'mail'")),
    *optional(Text, "superseded_by", "covered_by", "event_id"),
    *optional(UtcDateTime, "bounced_at"),
    *optional(Text, "bounce_reason", "conversation"),
    Index(None, "status", "next_attempt_at"),
    partial_index(("lane", "next_attempt_at", "id"), "status = 'pending'"),
    partial_index(("player_id", "match_id"), "status = 'pending'"),
    partial_index(("recipient", "created_at"), "sender_id IS NOT NULL"),
    Index(None, "player_id", "created_at", "id"),
)

events = _table(
    "events",
    Column("match_id", Text, ForeignKey("matches.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    *required(Text, "kind", "audience"),
    Column("player_id", Text, ForeignKey("players.id")),
    *optional(Integer, "seat", "ply"),
    *optional(Text, "turn_id"),
    *optional(DOCUMENT, "payload"),
    *required(UtcDateTime, "at"),
)

# The events that each player may know of, numbered in the order of commits.
player_events = _table(
    "player_events",
    Column("player_id", Text, ForeignKey("players.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    *required(Text, "match_id"),
    *required(Integer, "event"),
    Column("at", UtcDateTime, nullable=False, index=True),
)

# Addresses to which events are told by HTTP: a player's own, and those entered for a match.
webhooks = _table(
    "webhooks",
    *keys(Text, "id"),
    Column("player_id", Text, ForeignKey("players.id"), nullable=False, index=True),
    Column("match_id", Text, ForeignKey("matches.id")),
    *required(Text, "format"),
    Column("url", Text, nullable=False, index=True),
    *required(Text, "secret"),
    *optional(Text, "secret_before"),
    *optional(UtcDateTime, "renewed_at"),
    *required(UtcDateTime, "created_at"),
    *optional(UtcDateTime, "told_at", "failing_since"),
    *optional(Text, "last_error"),
    *optional(UtcDateTime, "last_error_at", "off_at"),
    partial_index("match_id", "match_id IS NOT NULL"),
)

quotas = _table(
    "quotas",
    *keys(Text, "what", "subject"),
    Column("day", Text, primary_key=True, index=True),
    *required(Integer, "number"),
)

never_again = _table(
    "never_again",
    *keys(Text, "address"),
    *required(UtcDateTime, "at"),
)

signing_keys = _table(
    "signing_keys",
    Column("number", Integer, primary_key=True, autoincrement=False),
    *required(LargeBinary, "secret"),
    *required(UtcDateTime, "signs_from"),
    *optional(UtcDateTime, "retired_at"),
)

address_undos = _table(
    "address_undos",
    *keys(Text, "token_hash"),
    Column("player_id", Text, ForeignKey("players.id"), nullable=False, index=True),
    *required(Text, "address"),
    *required(FLAG, "as_primary"),
    *optional(Text, "disputed"),
    *required(UtcDateTime, "since", "made_at"),
    *optional(UtcDateTime, "used_at"),
)
player_addresses = _table(
    "player_addresses",
    *keys(Text, "id"),
    Column("player_id", Text, ForeignKey("players.id"), nullable=False),
    *required(Text, "address", "folded"),
    *required(FLAG, "is_primary"),
    *required(UtcDateTime, "added_at"),
    *optional(UtcDateTime, "confirmed_at"),
    Column("soft_bounces", Integer, nullable=False, server_default=text("0")),
    *optional(UtcDateTime, "last_bounce_at", "bounced_at"),
    *optional(Text, "bounce_reason"),
    UniqueConstraint("player_id", "folded"),
    partial_index("folded", "confirmed_at IS NOT NULL", unique=True),
    partial_index("player_id", "is_primary", unique=True),
    partial_index("bounced_at", "bounced_at IS NOT NULL"),
)

address_confirmations = _table(
    "address_confirmations",
    *keys(Text, "token_hash"),
    Column("address_id", Text, ForeignKey("player_addresses.id", ondelete="CASCADE"), nullable=False, index=True),
    *required(UtcDateTime, "expires_at"),
    *optional(UtcDateTime, "used_at"),
    Column("as_primary", FLAG, nullable=False, server_default=text("false")),
)

conversations = _table(
    "conversations",
    Column("match_id", Text, ForeignKey("matches.id"), primary_key=True),
    *keys(Text, "thread"),
    *required(Integer, "number", "mails"),
)

sent_texts = _table(
    "sent_texts",
    *keys(Text, "notice_id"),
    *optional(Text, "match_id"),
    *required(Text, "recipient"),
    *required(LargeBinary, "texts"),
    *required(UtcDateTime, "sent_at"),
    Index(None, "recipient", "match_id", "sent_at"),
    Index(None, "sent_at"),
)

maintenance = _table(
    "maintenance",
    Column("id", Integer, CheckConstraint("id = 1", name="one_row"), primary_key=True, autoincrement=False),
    *required(UtcDateTime, "since"),
    *optional(UtcDateTime, "expected_end"),
    *required(Text, "sentence"),
)

# What players want to be mailed, and what they say and note.

match_preferences = _table(
    "match_preferences",
    Column("player_id", Text, ForeignKey("players.id"), primary_key=True),
    Column("match_id", Text, ForeignKey("matches.id"), primary_key=True),
    *required(DOCUMENT, "document"),
    *required(UtcDateTime, "changed_at"),
)

stops = _table(
    "stops",
    *keys(Text, "id"),
    Column("player_id", Text, ForeignKey("players.id"), nullable=False),
    *required(UtcDateTime, "at"),
    *required(Text, "scope"),
    Column("match_id", Text, ForeignKey("matches.id")),
    *optional(Text, "kind"),
    *required(FLAG, "one_click"),
    Index(None, "player_id", "at"),
)

chat_lines = _table(
    "chat_lines",
    Column("match_id", Text, ForeignKey("matches.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    *required(Integer, "seat"),
    Column("player_id", Text, ForeignKey("players.id"), nullable=False),
    *required(UtcDateTime, "at"),
    *required(Text, "text"),
)

# Written while notices are leased, so it has no foreign keys, which would lock matches.
chat_told = _table(
    "chat_told",
    *keys(Text, "match_id", "player_id"),
    *required(Integer, "number"),
    *required(Text, "notice_id"),
)

notes = _table(
    "notes",
    Column("match_id", Text, ForeignKey("matches.id"), primary_key=True),
    Column("player_id", Text, ForeignKey("players.id"), primary_key=True),
    *required(Text, "text"),
    *required(UtcDateTime, "changed_at"),
)

blocks = _table(
    "blocks",
    Column("player_id", Text, ForeignKey("players.id"), primary_key=True),
    Column("blocked_id", Text, ForeignKey("players.id"), primary_key=True),
    *required(UtcDateTime, "at"),
)

# What the handling of incoming mails remembers.

answered_mails = _table(
    "answered_mails",
    *keys(Text, "key"),
    *required(Text, "sender"),
    *required(UtcDateTime, "at"),
    *required(Text, "did"),
    *optional(Text, "notice_id"),
    partial_index(("sender", "at"), "notice_id IS NOT NULL"),
)

browsers = _table(
    "browsers",
    *keys(Text, "secret_hash"),
    Column("player_id", Text, ForeignKey("players.id"), nullable=False, index=True),
    *required(UtcDateTime, "signed_in_at"),
    Column("expires_at", UtcDateTime, nullable=False, index=True),
    *optional(UtcDateTime, "proven_at"),
)

messages = _table(
    "messages",
    *keys(Text, "id"),
    *required(UtcDateTime, "received_at"),
    *required(Text, "peer", "envelope_from", "recipient"),
    *required(Integer, "size"),
    *optional(LargeBinary, "raw"),
    *required(Text, "message_id"),
    Column("digest", Text, nullable=False, index=True),
    *required(Text, "author", "status"),
    Column("reason", Text, nullable=False, server_default=text("''")),
    Column("attempts", Integer, nullable=False, server_default=text("0")),
    Column("crashes", Integer, nullable=False, server_default=text("0")),
    *required(UtcDateTime, "next_attempt_at"),
    *optional(UtcDateTime, "settled_at", "leased_until"),
    *optional(Text, "leased_by"),
    Index(None, "status", "next_attempt_at"),
    partial_index("author", "leased_until IS NOT NULL"),
    partial_index("settled_at", "raw IS NOT NULL AND settled_at IS NOT NULL"),
)

# What players report, and what the operator does about players.

reports = _table(
    "reports",
    *keys(Text, "id"),
    Column("reporter_id", Text, ForeignKey("players.id"), nullable=False),
    Column("about_id", Text, ForeignKey("players.id"), nullable=False, index=True),
    *required(Text, "kind", "thing"),
    Column("match_id", Text, ForeignKey("matches.id")),
    *optional(Integer, "number"),
    *required(Text, "read", "words"),
    *required(UtcDateTime, "at"),
    *required(Text, "status"),
    *optional(UtcDateTime, "settled_at"),
    UniqueConstraint("reporter_id", "thing"),
    partial_index("at", "status = 'open'"),
)

audit = _table(
    "audit",
    *keys(Text, "id"),
    Column("at", UtcDateTime, nullable=False, index=True),
    *required(Text, "by", "act"),
    Column("player_id", Text, index=True),
    *required(Text, "subject", "reason"),
)
