"""Which conversation a mail about a match belongs to: mail programs split those of more than a
hundred mails at places of their own (Gmail), or become slow, so a new one begins every 90 mails.

The thread of a match is that of a seat, from the invitation on. A notice is placed once, when its
first attempt begins, so that a mail that is sent again is the same.
"""

from __future__ import annotations

import hashlib
from typing import Final

from sqlalchemy import Connection, case, select

from engine.types import Seat
from service.store.conflicts import insert_into
from service.store.tables import conversations, seats

MOST_MAILS: Final = 90


def place(connection: Connection, match_id: str, player_id: str | None, address: str | None, seat: Seat | None) -> str:
    """Counts one more mail about a match to a player or an address. Returns the thread, and the
    number of the conversation after a dot.
    """
    thread = _thread(connection, match_id, player_id, address, seat)
    is_full = conversations.c.mails >= MOST_MAILS
    row = insert_into(connection, conversations).values(match_id=match_id, thread=thread, number=1, mails=1)
    counted = row.on_conflict_do_update(
        index_elements=["match_id", "thread"],
        set_={
            "number": conversations.c.number + case((is_full, 1), else_=0),
            "mails": case((is_full, 1), else_=conversations.c.mails + 1),
        },
    ).returning(conversations.c.number)
    return f"{thread}.{connection.execute(counted).scalar_one()}"


def _thread(
    connection: Connection, match_id: str, player_id: str | None, address: str | None, seat: Seat | None
) -> str:
    """The seat that the mail concerns; for whoever has none, what is made of their id."""
    if seat is not None:
        return str(seat)
    if player_id is not None:
        own = select(seats.c.seat).where(seats.c.match_id == match_id, seats.c.player_id == player_id)
        held = connection.execute(own).scalar_one_or_none()
        if held is not None:
            return str(held)
    return "x" + hashlib.sha256((player_id or address or "").encode()).hexdigest()[:12]
