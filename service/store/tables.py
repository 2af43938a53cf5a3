"""The tables. A test checks that the migrations lead to the same."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any, Final

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

UNSTORABLE: Final = re.compile("[\0\ud800-\udfff]")
"""What no text of PostgreSQL can hold: NUL, and half of a surrogate pair."""
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


class Quoted(TypeDecorator[str]):
    """A text in which others may be quoted, such as a server that was called, without what is
    ``UNSTORABLE``.
    """

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        return None if value is None else UNSTORABLE.sub("\ufffd", value)


def partial_index(columns: str | tuple[str, ...], where: str, unique: bool = False) -> Index:
    """An index over the rows that fulfil a condition."""
    named = (columns,) if isinstance(columns, str) else columns
    return Index(None, *named, unique=unique, sqlite_where=text(where), postgresql_where=text(where))


def keys(**kinds: Any) -> list[Column[Any]]:
    """The columns that are the key together, as ``required`` makes them."""
    return [_column(name, kind, primary_key=True, autoincrement=False) for name, kind in kinds.items()]


def required(**kinds: Any) -> list[Column[Any]]:
    """Columns that are never NULL, by name: each of a type, or a key of the table that it names."""
    return [_column(name, kind, nullable=False) for name, kind in kinds.items()]


def optional(**kinds: Any) -> list[Column[Any]]:
    """Columns that may be NULL, as ``required`` makes them."""
    return [_column(name, kind) for name, kind in kinds.items()]


def _column(name: str, kind: Any, **options: Any) -> Column[Any]:
    return Column(name, Text, ForeignKey(kind), **options) if isinstance(kind, str) else Column(name, kind, **options)


DOCUMENT = JSON(none_as_null=True)
"""Where ``None`` is stored as NULL, not as the JSON null."""
FLAG = Boolean(create_constraint=False)
metadata = MetaData(naming_convention=NAMING)


def _table(name: str, *parts: SchemaItem) -> Table:
    return Table(name, metadata, *parts)


players = _table(
    "players",
    *keys(id=Text),
    *required(name=Text),
    Column("name_key", Text, unique=True),
    Column("email", Text, nullable=False, unique=True),
    *optional(confirmed_at=UtcDateTime),
    *required(created_at=UtcDateTime),
    Column("owner_id", Text, ForeignKey("players.id"), index=True),
    *optional(left_at=UtcDateTime, guest_until=UtcDateTime),
    Column("guest_key", Text, unique=True),
    *required(preferences=DOCUMENT),
    Column("events", Integer, nullable=False, server_default=text("0")),
    *optional(suspended_at=UtcDateTime, suspended_for=Text),
)

confirmations = _table(
    "confirmations",
    *keys(token_hash=Text),
    Column("player_id", Text, ForeignKey("players.id"), nullable=False, index=True),
    *required(expires_at=UtcDateTime),
    *optional(used_at=UtcDateTime, join_secret=Text, address=Text),
    Column("guest_id", Text, ForeignKey("players.id"), index=True),
)

tokens = _table(
    "tokens",
    *keys(id=Text),
    Column("player_id", Text, ForeignKey("players.id"), nullable=False, index=True),
    Column("token_hash", Text, nullable=False, unique=True),
    *required(label=Text, scopes=DOCUMENT, created_at=UtcDateTime),
    *optional(proven_at=UtcDateTime, revoked_at=UtcDateTime, expires_at=UtcDateTime, used_at=UtcDateTime),
)

keyed_requests = _table(
    "keyed_requests",
    *keys(player_id="players.id", key=Text),
    *required(fingerprint=Text),
    Column("at", UtcDateTime, nullable=False, index=True),
    *optional(status=Integer, location=Text, body=LargeBinary),
)

component_sets = _table(
    "component_sets",
    *keys(digest=Text),
    *required(added_at=UtcDateTime, document=DOCUMENT),
)

pruned_notices = _table("pruned_notices", *keys(subject=Text, kind=Text), *required(number=Integer))

prunings = _table("prunings", *keys(what=Text), *required(until=UtcDateTime))

matches = _table(
    "matches",
    *keys(id=Text),
    *required(game=Text, rules_version=Integer, components_name=Text, components_digest=Text, options=DOCUMENT),
    *required(title=Text, status=Text),
    Column("created_by", Text, ForeignKey("players.id"), nullable=False, index=True),
    *required(created_at=UtcDateTime),
    *optional(started_at=UtcDateTime, finished_at=UtcDateTime),
    *required(ply=Integer, secret=LargeBinary, commitment=Text),
    *optional(outcome=DOCUMENT, unreadable_at=UtcDateTime, unreadable_reason=Quoted),
    Column("events", Integer, nullable=False, server_default=text("0")),
    *optional(clock=DOCUMENT, early_end=DOCUMENT, handed_over=DOCUMENT),
    Column("unlisted", FLAG, nullable=False, server_default=text("false")),
    Column("join_secret", Text, unique=True),
    *optional(visited_at=UtcDateTime, archive_due_at=UtcDateTime),
    Column("archive_mails", Integer, nullable=False, server_default=text("0")),
    partial_index("archive_due_at", "archive_due_at IS NOT NULL"),
    Index(None, "status", "created_at"),
    partial_index("unreadable_at", "unreadable_at IS NOT NULL"),
)

seats = _table(
    "seats",
    *keys(match_id="matches.id", seat=Integer),
    *optional(player_id="players.id"),
    Column("invited_email", Text, index=True),
    *optional(invited_at=UtcDateTime, nonce=Text, joined_at=UtcDateTime, resigned_at=UtcDateTime),
    *optional(resigned_ply=Integer),
    *required(to_act=FLAG),
    *optional(held_at=UtcDateTime),
    *required(replaced=FLAG),
    UniqueConstraint("match_id", "player_id"),
    Index(None, "player_id", "to_act"),
)

turns = _table(
    "turns",
    *keys(id=Text),
    *required(match_id=Text, seat=Integer, player_id="players.id", ply=Integer, document=DOCUMENT),
    *optional(idempotency_key=Text),
    *required(fingerprint=Text, status=Text),
    *optional(verdict=DOCUMENT),
    *required(submitted_at=UtcDateTime),
    *optional(judged_at=UtcDateTime),
    *required(attempts=Integer),
    *optional(slot=Text, in_reply_to=Text),
    *required(kind=Text),
    *optional(awaited_by=Text),
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
    *keys(match_id="matches.id", ply=Integer),
    *required(seat=Integer, action=DOCUMENT),
    *optional(turn_id="turns.id"),
    *required(at=UtcDateTime),
)

# The clocks: of each seat at present, and the steps that led to them.

seat_clocks = _table(
    "seat_clocks",
    *keys(match_id="matches.id", seat=Integer),
    *required(document=DOCUMENT),
    *optional(due_at=UtcDateTime, remind_at=UtcDateTime),
    partial_index("remind_at", "remind_at IS NOT NULL"),
    partial_index(("due_at", "match_id", "seat"), "due_at IS NOT NULL"),
)

clock_steps = _table(
    "clock_steps",
    *keys(match_id="matches.id", number=Integer),
    *required(kind=Text),
    *optional(seat=Integer),
    *required(ply=Integer, counts_at=UtcDateTime, at=UtcDateTime, seconds=Integer),
    *optional(stops=DOCUMENT, not_before=UtcDateTime),
    *required(marks=DOCUMENT),
    *optional(player_id=Text),
    Index(None, "player_id", "kind"),
)

days_off = _table(
    "days_off",
    *keys(id=Text),
    *required(player_id="players.id", declared_at=UtcDateTime, start_at=UtcDateTime, end_at=UtcDateTime),
    *required(days=Integer, automatic=FLAG),
    Index(None, "player_id", "end_at"),
)

pauses = _table(
    "pauses",
    *keys(id=Text),
    *required(match_id="matches.id", start_at=UtcDateTime, end_at=UtcDateTime),
    Column("kind", Text, nullable=False, server_default="pause"),
    Index(None, "match_id", "end_at"),
)

questions = _table(
    "questions",
    *keys(id=Text),
    *required(match_id=Text, number=Integer, kind=Text, seat=Integer, made_at=UtcDateTime, status=Text),
    *optional(settled_at=UtcDateTime),
    *required(about=DOCUMENT),
    ForeignKeyConstraint(["match_id", "seat"], ["seats.match_id", "seats.seat"]),
    partial_index("match_id", "status = 'open'"),
    partial_index("made_at", "status = 'open'"),
    UniqueConstraint("match_id", "number"),
)

heartbeats = _table("heartbeats", *keys(part=Text), *required(at=UtcDateTime))

# Items of loops that have no rows of their own: while they are at work, and as long as they failed.
set_aside = _table(
    "set_aside",
    *keys(loop=Text, item=Text),
    *required(attempts=Integer, crashes=Integer, not_before=UtcDateTime, error=Quoted, kept=FLAG),
    Index(None, "kept", "loop"),
)

# The counts for monitoring, of all processes together.
counts = _table("counts", *keys(what=Text, result=Text), *required(number=BigInteger))

# How far the folders of a mailbox have been looked through, by the UIDs of their mails; and who
# moves mails from them now.
mailbox_folders = _table(
    "mailbox_folders",
    *keys(mailbox=Text, folder=Text),
    *required(uidvalidity=BigInteger, next_uid=BigInteger),
    *optional(leased_until=UtcDateTime, leased_by=Text),
)

outages = _table(
    "outages",
    *keys(part=Text, start_at=UtcDateTime),
    *required(end_at=UtcDateTime),
    Index(None, "end_at"),
)

calendars = _table(
    "calendars",
    *keys(player_id="players.id"),
    Column("secret_hash", Text, nullable=False, unique=True),
)

calendar_entries = _table(
    "calendar_entries",
    *keys(player_id="players.id", uid=Text),
    *required(match_id=Text, summary=Text, due_at=UtcDateTime, sequence=Integer, changed_at=UtcDateTime),
    *required(is_gone=FLAG),
)

outbox = _table(
    "outbox",
    *keys(id=Text),
    *optional(match_id="matches.id", player_id="players.id", address=Text, sender_id="players.id"),
    *optional(recipient=Text),
    *required(kind=Text, payload=DOCUMENT, created_at=UtcDateTime),
    *optional(held_until=UtcDateTime),
    *required(status=Text, attempts=Integer),
    Column("crashes", Integer, nullable=False, server_default=text("0")),
    *required(next_attempt_at=UtcDateTime),
    *optional(sent_at=UtcDateTime, last_error=Quoted, leased_until=UtcDateTime, leased_by=Text),
    *required(lane=Integer),
    *optional(not_before=UtcDateTime),
    Column("channel", Text, nullable=False, server_default=text("'mail'")),
    *optional(superseded_by=Text, covered_by=Text, event_id=Text, bounced_at=UtcDateTime, bounce_reason=Quoted),
    *optional(conversation=Text),
    Index(None, "status", "next_attempt_at"),
    partial_index(("lane", "next_attempt_at", "id"), "status = 'pending'"),
    partial_index(("player_id", "match_id"), "status = 'pending'"),
    partial_index(("recipient", "created_at"), "sender_id IS NOT NULL"),
    Index(None, "player_id", "created_at", "id"),
)

events = _table(
    "events",
    *keys(match_id="matches.id", number=Integer),
    *required(kind=Text, audience=Text),
    *optional(player_id="players.id", seat=Integer, ply=Integer, turn_id=Text, payload=DOCUMENT),
    *required(at=UtcDateTime),
)

# The events that each player may know of, numbered in the order of commits.
player_events = _table(
    "player_events",
    *keys(player_id="players.id", number=Integer),
    *required(match_id=Text, event=Integer),
    Column("at", UtcDateTime, nullable=False, index=True),
)

# Addresses to which events are told by HTTP: a player's own, and those entered for a match.
webhooks = _table(
    "webhooks",
    *keys(id=Text),
    Column("player_id", Text, ForeignKey("players.id"), nullable=False, index=True),
    *optional(match_id="matches.id"),
    *required(format=Text),
    Column("url", Text, nullable=False, index=True),
    *required(secret=Text),
    *optional(secret_before=Text, renewed_at=UtcDateTime),
    *required(created_at=UtcDateTime),
    *optional(told_at=UtcDateTime, failing_since=UtcDateTime, last_error=Quoted, last_error_at=UtcDateTime),
    *optional(off_at=UtcDateTime),
    partial_index("match_id", "match_id IS NOT NULL"),
)

quotas = _table(
    "quotas",
    *keys(what=Text, subject=Text),
    Column("day", Text, primary_key=True, index=True),
    *required(number=Integer),
)

never_again = _table("never_again", *keys(address=Text), *required(at=UtcDateTime))

signing_keys = _table(
    "signing_keys",
    *keys(number=Integer),
    *required(secret=LargeBinary, signs_from=UtcDateTime),
    *optional(retired_at=UtcDateTime),
)

address_undos = _table(
    "address_undos",
    *keys(token_hash=Text),
    Column("player_id", Text, ForeignKey("players.id"), nullable=False, index=True),
    *required(address=Text, as_primary=FLAG),
    *optional(disputed=Text),
    *required(since=UtcDateTime, made_at=UtcDateTime),
    *optional(used_at=UtcDateTime),
)

player_addresses = _table(
    "player_addresses",
    *keys(id=Text),
    *required(player_id="players.id", address=Text, folded=Text, is_primary=FLAG, added_at=UtcDateTime),
    *optional(confirmed_at=UtcDateTime),
    Column("soft_bounces", Integer, nullable=False, server_default=text("0")),
    *optional(last_bounce_at=UtcDateTime, bounced_at=UtcDateTime, bounce_reason=Quoted),
    UniqueConstraint("player_id", "folded"),
    partial_index("folded", "confirmed_at IS NOT NULL", unique=True),
    partial_index("player_id", "is_primary", unique=True),
    partial_index("bounced_at", "bounced_at IS NOT NULL"),
)

address_confirmations = _table(
    "address_confirmations",
    *keys(token_hash=Text),
    Column("address_id", Text, ForeignKey("player_addresses.id", ondelete="CASCADE"), nullable=False, index=True),
    *required(expires_at=UtcDateTime),
    *optional(used_at=UtcDateTime),
    Column("as_primary", FLAG, nullable=False, server_default=text("false")),
)

conversations = _table(
    "conversations",
    *keys(match_id="matches.id", thread=Text),
    *required(number=Integer, mails=Integer),
)

sent_texts = _table(
    "sent_texts",
    *keys(notice_id=Text),
    *optional(match_id=Text),
    *required(recipient=Text, texts=LargeBinary, sent_at=UtcDateTime),
    Index(None, "recipient", "match_id", "sent_at"),
    Index(None, "sent_at"),
)

maintenance = _table(
    "maintenance",
    Column("id", Integer, CheckConstraint("id = 1", name="one_row"), primary_key=True, autoincrement=False),
    *required(since=UtcDateTime),
    *optional(expected_end=UtcDateTime),
    *required(sentence=Text),
)

# What players want to be mailed, and what they say and note.

match_preferences = _table(
    "match_preferences",
    *keys(player_id="players.id", match_id="matches.id"),
    *required(document=DOCUMENT, changed_at=UtcDateTime),
)

stops = _table(
    "stops",
    *keys(id=Text),
    *required(player_id="players.id", at=UtcDateTime, scope=Text),
    *optional(match_id="matches.id", kind=Text),
    *required(one_click=FLAG),
    Index(None, "player_id", "at"),
)

chat_lines = _table(
    "chat_lines",
    *keys(match_id="matches.id", number=Integer),
    *required(seat=Integer, player_id="players.id", at=UtcDateTime, text=Text),
)

# Written while notices are leased, so it has no foreign keys, which would lock matches.
chat_told = _table("chat_told", *keys(match_id=Text, player_id=Text), *required(number=Integer, notice_id=Text))

notes = _table(
    "notes",
    *keys(match_id="matches.id", player_id="players.id"),
    *required(text=Text, changed_at=UtcDateTime),
)

blocks = _table("blocks", *keys(player_id="players.id", blocked_id="players.id"), *required(at=UtcDateTime))

# What the handling of incoming mails remembers.

answered_mails = _table(
    "answered_mails",
    *keys(key=Text),
    *required(sender=Text, at=UtcDateTime, did=Text),
    *optional(notice_id=Text),
    partial_index(("sender", "at"), "notice_id IS NOT NULL"),
)

browsers = _table(
    "browsers",
    *keys(secret_hash=Text),
    Column("player_id", Text, ForeignKey("players.id"), nullable=False, index=True),
    *required(signed_in_at=UtcDateTime),
    Column("expires_at", UtcDateTime, nullable=False, index=True),
    *optional(proven_at=UtcDateTime),
)

messages = _table(
    "messages",
    *keys(id=Text),
    *required(received_at=UtcDateTime, peer=Text, envelope_from=Text, recipient=Text, size=Integer),
    *optional(raw=LargeBinary),
    *required(message_id=Text),
    Column("digest", Text, nullable=False, index=True),
    *required(author=Text, status=Text),
    Column("reason", Quoted, nullable=False, server_default=text("''")),
    Column("attempts", Integer, nullable=False, server_default=text("0")),
    Column("crashes", Integer, nullable=False, server_default=text("0")),
    *required(next_attempt_at=UtcDateTime),
    *optional(settled_at=UtcDateTime, leased_until=UtcDateTime, leased_by=Text),
    Index(None, "status", "next_attempt_at"),
    partial_index("author", "leased_until IS NOT NULL"),
    partial_index("settled_at", "raw IS NOT NULL AND settled_at IS NOT NULL"),
)

# What players report, and what the operator does about players.

reports = _table(
    "reports",
    *keys(id=Text),
    *required(reporter_id="players.id"),
    Column("about_id", Text, ForeignKey("players.id"), nullable=False, index=True),
    *required(kind=Text, thing=Text),
    *optional(match_id="matches.id", number=Integer),
    *required(read=Text, words=Text, at=UtcDateTime, status=Text),
    *optional(settled_at=UtcDateTime),
    UniqueConstraint("reporter_id", "thing"),
    partial_index("at", "status = 'open'"),
)

audit = _table(
    "audit",
    *keys(id=Text),
    Column("at", UtcDateTime, nullable=False, index=True),
    *required(by=Text, act=Text),
    Column("player_id", Text, index=True),
    *required(subject=Text, reason=Text),
)
