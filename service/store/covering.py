"""Covers notices in the database: what they would have told is told otherwise, or is not wanted.

The reason is stored as text in ``covered_by``. A notice that a later one of the same kind replaces
has ``superseded_by``, the id of that one, instead. A notice that a process holds is left to that
process.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import Final, TypeAlias

from sqlalchemy import ColumnElement, Connection, bindparam, or_, update

from service.kinds import FIRST, where
from service.store.tables import outbox

_PENDING: Final = outbox.c.status == "pending"
_UNLEASED: Final = outbox.c.leased_by.is_(None)
_FREE: Final = {"leased_by": None, "leased_until": None, "last_error": None}
_ANSWERED: Final = (
    update(outbox)
    .where(
        _PENDING,
        outbox.c.player_id == bindparam("of_player"),
        outbox.c.match_id == bindparam("of_match"),
        or_(*(outbox.c.kind == kind for kind in where(covered_when="answered"))),  # IN cannot be run for many rows
        outbox.c.lane != FIRST,
        outbox.c.payload["turn_id"].as_string() == bindparam("of_turn"),
        or_(_UNLEASED, outbox.c.leased_until <= bindparam("now", type_=outbox.c.leased_until.type)),
    )
    .values(status="covered", covered_by=bindparam("reason"), **_FREE)
)


@dataclass(frozen=True, slots=True)
class ByAnswer:
    """The verdict on that turn was written to its player, as the answer to a request."""

    turn_id: str


@dataclass(frozen=True, slots=True)
class ByNotice:
    """The notice with that id tells it, such as a digest."""

    notice_id: str


class Because(Enum):
    """Why nobody has to be told."""

    NEVER = "preference:never"
    """The owner of the address, who is no player, wants no mail from here."""
    OFF = "preference:off"
    """The player wants no mails."""
    WITHOUT = "preference:without"
    """The player wants no mails of this kind."""
    CHAT = "preference:chat"
    """The player wants to be mailed nothing of what is said."""
    NOBODY = "nobody"
    """The player has no mailbox: it is a bot, or has left for good."""
    BLOCKED = "preference:block"
    """The player has blocked who caused it."""
    HANDED_OVER = "handed_over"
    """The player has handed over the seat, or left it."""
    LIMITED = "limited"
    """The player who caused it has caused as much as one may in a day, and for the next day."""
    SETTLED = "settled"
    """The offer that it tells of was settled, or withdrawn, before."""
    PLAYED = "played"
    """The turn that it tells of was played."""
    SUSPENDED = "suspended"
    """The player was suspended."""
    SWITCHED_OFF = "webhook:off"
    """The webhook was removed or switched off, or its player sits in the match no more."""


Reason: TypeAlias = ByAnswer | ByNotice | Because


def format_reason(reason: Reason) -> str:
    match reason:
        case ByAnswer(turn_id):
            return f"answer:{turn_id}"
        case ByNotice(notice_id):
            return f"notice:{notice_id}"
        case Because():
            return reason.value


def parse_reason(text: str) -> Reason:
    """The reason that was stored as that text. Raises ``ValueError`` where there is none."""
    kind, _colon, name = text.partition(":")
    if name and kind == "answer":
        return ByAnswer(name)
    return ByNotice(name) if name and kind == "notice" else Because(text)


@dataclass(frozen=True, slots=True)
class AnsweredVerdict:
    player_id: str
    match_id: str
    turn_id: str


def cover_answered(connection: Connection, answered: Sequence[AnsweredVerdict], now: datetime) -> None:
    """Covers the notices of these verdicts that wait, except answers to mails (lane ``FIRST``)."""
    if answered:
        rows = [
            {"of_player": each.player_id, "of_match": each.match_id, "of_turn": each.turn_id}
            | {"now": now, "reason": format_reason(ByAnswer(each.turn_id))}
            for each in answered
        ]
        connection.execute(_ANSWERED, rows)


def cover(connection: Connection, ids: Collection[str], reason: Reason) -> int:
    """Covers pending notices. Returns their number."""
    return _cover(connection, outbox.c.id.in_(ids), covered_by=format_reason(reason))


def supersede(connection: Connection, ids: Collection[str], by: str) -> int:
    """Covers notices that the later one with the id ``by`` replaces. Returns their number."""
    return _cover(connection, outbox.c.id.in_(ids), superseded_by=by)


def cover_handed(connection: Connection, player_id: str, match_id: str, now: datetime) -> None:
    """Covers what a player who has handed over the seat of a match was still to be told of it."""
    theirs = (outbox.c.player_id == player_id) & (outbox.c.match_id == match_id)
    free = or_(_UNLEASED, outbox.c.leased_until <= now)
    _cover(connection, theirs, free, covered_by=format_reason(Because.HANDED_OVER))


def cover_blocked(connection: Connection, player_id: str, sender_id: str) -> None:
    """Covers what somebody whom a player has blocked has caused to them, and nobody holds; of what
    was said only theirs is left out, when it is told.
    """
    caused = (outbox.c.player_id == player_id) & (outbox.c.sender_id == sender_id)
    told = outbox.c.kind.not_in(where(covered_when="said"))
    _cover(connection, _UNLEASED, caused, told, covered_by=format_reason(Because.BLOCKED))


def cover_offer(connection: Connection, match_id: str, offer_id: str) -> None:
    """Covers what still tells that an offer is open, which it is no longer."""
    telling = (outbox.c.match_id == match_id) & outbox.c.kind.in_(where(covered_when="settled"))
    its = outbox.c.payload["id"].as_string() == offer_id
    _cover(connection, _UNLEASED, telling, its, covered_by=format_reason(Because.SETTLED))


def cover_invitations(connection: Connection, match_id: str, seat: int) -> int:
    """Covers the invitations to a seat that wait, as it is not kept so any more. Returns their
    number.
    """
    inviting = (outbox.c.match_id == match_id) & (outbox.c.kind == "invitation")
    of_seat = outbox.c.payload["seat"].as_integer() == seat
    return _cover(connection, _UNLEASED, inviting, of_seat, covered_by=format_reason(Because.SETTLED))


def _cover(connection: Connection, *which: ColumnElement[bool], **how: str) -> int:
    wanted = update(outbox).where(_PENDING, *which)
    return connection.execute(wanted.values(status="covered", **how, **_FREE)).rowcount
