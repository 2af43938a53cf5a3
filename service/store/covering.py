"""Covers notices in the database: what they would have told is told otherwise, or is not wanted.

The reason is one of these, as ``covered_by``:

- ``answer:<turn>``: the verdict on that turn was written to its player, as the answer to a request;
- ``notice:<id>``: the notice with that id tells it, such as a digest;
- ``channel:<name>``: the channel with that name told it;
- ``preference:<name>``: the player wants no such mail, by the preference with that name;
- ``handover:<match>``: the player has handed over the seat of that match;
- ``played:since``: the turn that it reminds of was played.

A notice that a later one of the same kind replaces has ``superseded_by``, the id of that one,
instead of a reason. A notice that a process holds is left to that process.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import Connection, bindparam, or_, update

from service.store.lanes import FIRST
from service.store.tables import outbox

REASON: Final = re.compile(r"(answer|notice|channel|preference|handover|played):([^\s:]+)")
_PENDING: Final = outbox.c.status == "pending"
_FREE: Final = {"leased_by": None, "leased_until": None, "last_error": None}
_ANSWERED: Final = (
    update(outbox)
    .where(
        _PENDING,
        outbox.c.player_id == bindparam("of_player"),
        outbox.c.match_id == bindparam("of_match"),
        outbox.c.kind == "verdict",
        outbox.c.lane != FIRST,
        outbox.c.payload["turn_id"].as_string() == bindparam("of_turn"),
        or_(outbox.c.leased_by.is_(None), outbox.c.leased_until <= bindparam("now", type_=outbox.c.leased_until.type)),
    )
    .values(status="covered", covered_by=bindparam("reason"), **_FREE)
)


@dataclass(frozen=True, slots=True)
class Answered:
    """A verdict that was written to its player as the answer to a request."""

    player_id: str
    match_id: str
    turn_id: str


def is_reason(text: str) -> bool:
    """Whether a text is a reason for covering a notice."""
    return REASON.fullmatch(text) is not None


def cover_answered(connection: Connection, answered: Sequence[Answered], now: datetime) -> None:
    """Covers the notices of these verdicts that wait, except answers to mails (lane ``FIRST``)."""
    if answered:
        rows = [
            {
                "of_player": each.player_id,
                "of_match": each.match_id,
                "of_turn": each.turn_id,
                "now": now,
                "reason": f"answer:{each.turn_id}",
            }
            for each in answered
        ]
        connection.execute(_ANSWERED, rows)


def cover(connection: Connection, ids: Collection[str], reason: str) -> int:
    """Covers pending notices. Gives their number. Raises ``ValueError`` where the reason is none of
    those above.
    """
    if not is_reason(reason):
        raise ValueError(f"{reason!r} is no reason for covering a notice.")
    return _cover(connection, ids, covered_by=reason)


def cover_handed(connection: Connection, player_id: str, match_id: str, now: datetime) -> None:
    """Covers what a player who has handed over the seat of a match was still to be told of it."""
    free = or_(outbox.c.leased_by.is_(None), outbox.c.leased_until <= now)
    wanted = update(outbox).where(_PENDING, outbox.c.player_id == player_id, outbox.c.match_id == match_id, free)
    connection.execute(wanted.values(status="covered", covered_by=f"handover:{match_id}", **_FREE))


def supersede(connection: Connection, ids: Collection[str], by: str) -> int:
    """Covers pending notices that the later notice with the id ``by`` replaces. Gives their
    number.
    """
    return _cover(connection, ids, superseded_by=by)


def _cover(connection: Connection, ids: Collection[str], **how: str) -> int:
    wanted = update(outbox).where(outbox.c.id.in_(ids), _PENDING)
    return connection.execute(wanted.values(status="covered", **how, **_FREE)).rowcount
