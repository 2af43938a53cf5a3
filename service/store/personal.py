"""What is stored of a player: where it is, what of it they may have, what is deleted when they
leave for good, and what becomes another's where a guest turns out to be a player. Log, steps and
seats of matches stay, so that records can be verified; they name their player by an id alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Column, Connection, Table, delete, or_, select, update

from service.names import FORMER
from service.store import audit, messages, outbox, players, questions
from service.store import tables as t

LEFT: Final = "@left.invalid"
"""The end of ``players.email`` of somebody who has left."""
HIDDEN: Final = frozenset(
    {
        *("token_hash", "secret_hash", "secret", "secret_before", "join_secret"),
        *("fingerprint", "body", "name_key", "guest_key", "leased_by", "by"),
    }
)
"""Columns that are never handed out: digests of secrets, secrets of matches and of their links, and
what the service itself needs.
"""
NUMBERS_OF_EVENTS: Final = frozenset(
    {t.matches.c.events, t.events.c.number, t.player_events.c.event, t.outbox.c.event_id}
)
"""Neither are these: gaps would tell of what else has happened (``service.views.feed``)."""


def shown(table: Table) -> list[Column[Any]]:
    """The columns of a table that are handed out."""
    return [column for column in table.c if column.name not in HIDDEN and column not in NUMBERS_OF_EVENTS]


@dataclass(frozen=True, slots=True)
class Personal:
    """A column by which rows are a player's: whether they are handed out, and each ``goes`` with
    them.
    """

    column: Column[Any]
    handed_out: bool
    goes: bool


PERSONAL: Final = (
    Personal(t.players.c.id, True, False),
    Personal(t.players.c.owner_id, True, False),
    Personal(t.player_addresses.c.player_id, True, True),
    Personal(t.address_undos.c.player_id, True, True),
    Personal(t.confirmations.c.player_id, True, False),
    Personal(t.confirmations.c.guest_id, False, False),
    Personal(t.tokens.c.player_id, True, True),
    Personal(t.browsers.c.player_id, True, True),
    Personal(t.keyed_requests.c.player_id, True, True),
    Personal(t.reports.c.reporter_id, True, True),
    Personal(t.reports.c.about_id, False, True),
    Personal(t.audit.c.player_id, True, False),
    Personal(t.blocks.c.player_id, True, True),
    Personal(t.blocks.c.blocked_id, False, True),
    Personal(t.stops.c.player_id, True, True),
    Personal(t.webhooks.c.player_id, True, True),
    Personal(t.match_preferences.c.player_id, True, True),
    Personal(t.notes.c.player_id, True, True),
    Personal(t.calendars.c.player_id, True, True),
    Personal(t.calendar_entries.c.player_id, True, True),
    Personal(t.days_off.c.player_id, True, False),
    Personal(t.matches.c.created_by, True, False),
    Personal(t.seats.c.player_id, True, False),
    Personal(t.turns.c.player_id, True, False),
    Personal(t.clock_steps.c.player_id, True, False),
    Personal(t.chat_lines.c.player_id, True, False),
    Personal(t.chat_told.c.player_id, False, False),
    Personal(t.events.c.player_id, True, False),
    Personal(t.player_events.c.player_id, True, False),
    Personal(t.outbox.c.player_id, True, False),
    Personal(t.outbox.c.sender_id, False, False),
)
"""Every column that names a player, those first whose rows others refer to. What others have
written, as whom they have blocked, is theirs.
"""


PLAYED: Final = (
    t.turns.c.player_id,  # first, as by whoever judges: the rows of turns are locked before those of matches
    t.matches.c.created_by,
    t.seats.c.player_id,
    t.clock_steps.c.player_id,
    t.chat_lines.c.player_id,
    t.events.c.player_id,
    t.outbox.c.player_id,
    t.outbox.c.sender_id,
    t.audit.c.player_id,
    t.notes.c.player_id,
    t.player_addresses.c.player_id,
    t.confirmations.c.player_id,
)
"""What somebody has done here, been told, and told others, of the columns that name a player."""


WRITTEN: Final = (t.audit.c.subject, t.audit.c.reason, t.reports.c.read, t.reports.c.words, t.players.c.suspended_for)
"""What the host, or others, have written, in which somebody who has left is not named either."""


def merge(connection: Connection, player_id: str, into: str) -> None:
    """Makes another player of a guest, or of somebody who has not confirmed an address: what was
    played is theirs; what gave access, and the row of the player, are deleted.
    """
    for column in PLAYED:
        connection.execute(update(column.table).where(column == player_id).values({column: into}))
    guests = update(t.confirmations).where(t.confirmations.c.guest_id == player_id)
    connection.execute(guests.values(guest_id=None))
    for personal in PERSONAL:
        if personal.column.table is not t.players and personal.column not in {*PLAYED, t.confirmations.c.guest_id}:
            connection.execute(delete(personal.column.table).where(personal.column == player_id))
    connection.execute(delete(t.players).where(t.players.c.id == player_id))


def handed_out(connection: Connection, player_id: str) -> dict[str, list[Mapping[str, Any]]]:
    """All rows of a player, by table, without what is hidden. A mail shows its payload only where
    it tells of a match: others carry tokens.
    """
    found: dict[str, list[Mapping[str, Any]]] = {}
    for personal in PERSONAL:
        table = personal.column.table
        if personal.handed_out:
            rows = connection.execute(
                select(*shown(table)).where(personal.column == player_id).order_by(*table.primary_key)
            )
            found.setdefault(table.name, []).extend(dict(row._mapping) for row in rows)
    about_matches = (t.outbox.c.player_id == player_id) & t.outbox.c.event_id.is_not(None)
    told = set(connection.scalars(select(t.outbox.c.id).where(about_matches)))
    found[t.outbox.name] = [row if row["id"] in told else {**row, "payload": None} for row in found[t.outbox.name]]
    return found


def forget(connection: Connection, player_id: str, now: datetime) -> None:
    """Deletes what goes with a player: addresses, tokens, settings and notes. Takes name and
    addresses from wherever they are shown, but not an address that they have never confirmed, which
    may be another's.
    """
    name = connection.scalar(select(t.players.c.name).where(t.players.c.id == player_id)) or FORMER
    theirs = t.player_addresses.c.player_id == player_id
    confirmed = theirs & t.player_addresses.c.confirmed_at.is_not(None)
    known = list(connection.scalars(select(t.player_addresses.c.folded).where(confirmed)))
    urls = set(connection.scalars(select(t.webhooks.c.url).where(t.webhooks.c.player_id == player_id)))
    ids = select(t.player_addresses.c.id).where(theirs)
    connection.execute(delete(t.address_confirmations).where(t.address_confirmations.c.address_id.in_(ids)))
    for personal in PERSONAL:
        if personal.goes:
            connection.execute(delete(personal.column.table).where(personal.column == player_id))
    connection.execute(
        update(t.players)
        .where(t.players.c.id == player_id)
        .values(name=FORMER, name_key=None, email=player_id + LEFT, left_at=now, preferences={}, guest_key=None)
        .values(suspended_at=None, suspended_for=None)
    )
    audit.forget(connection, player_id)
    urls -= set(connection.scalars(select(t.webhooks.c.url).where(t.webhooks.c.url.in_(urls))))
    outbox.forget(connection, player_id, name, known, urls)
    _unname(connection, (name, *known))
    messages.forget(connection, known, player_id + LEFT)
    questions.forget(connection, player_id, known)
    connection.execute(update(t.turns).where(t.turns.c.player_id == player_id).values(in_reply_to=None))
    connection.execute(delete(t.sent_texts).where(t.sent_texts.c.recipient.in_((player_id, *known))))
    connection.execute(update(t.seats).where(t.seats.c.invited_email.in_(known)).values(invited_email=None))
    connection.execute(update(t.confirmations).where(t.confirmations.c.player_id == player_id).values(address=None))
    players.use_confirmations(connection, player_id, now)
    _take_from_handovers(connection, player_id)


def _unname(connection: Connection, words: Sequence[str]) -> None:
    """Takes these words from what others have written."""
    for column in WRITTEN:
        key = column.table.c.id
        naming = or_(*(column.contains(word, autoescape=True) for word in words))
        for row in connection.execute(select(key, column).where(naming)).all():
            connection.execute(
                update(column.table).where(key == row[0]).values({column: outbox.unnamed(row[1], words)})
            )


def _take_from_handovers(connection: Connection, player_id: str) -> None:
    """Takes the name from the seats that the player has handed on, or was handed."""
    handed = t.matches.c.handed_over.is_not(None)
    seated = select(t.seats.c.match_id, t.seats.c.seat, t.seats.c.player_id).join(t.matches).where(handed)
    holders = {(row.match_id, row.seat): row.player_id for row in connection.execute(seated)}
    for match in connection.execute(select(t.matches.c.id, t.matches.c.handed_over).where(handed)).all():
        documents = []
        for document in reversed(match.handed_over):
            seat, before = document["seat"], document["player_id"]
            names = {"by": FORMER} if before == player_id else {}
            names |= {"to": FORMER} if holders[match.id, seat] == player_id else {}
            documents.append(document | names)
            holders[match.id, seat] = before
        if list(reversed(documents)) != list(match.handed_over):
            kept = update(t.matches).where(t.matches.c.id == match.id)
            connection.execute(kept.values(handed_over=list(reversed(documents))))
