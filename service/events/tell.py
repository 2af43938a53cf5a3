"""Writes events, and the notices that tell of them, in the transaction that causes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy import Connection

from service.events import gate
from service.house import bot_level
from service.kinds import Audience, EventKind
from service.payloads import EventPayload, written
from service.store import events
from service.store.events import NewEvent
from service.store.outbox import NewNotice


@dataclass(frozen=True, slots=True)
class News:
    """An event to be written, with the notices that tell of it: plain data, also for another
    process.

    ``player_id`` is set where the audience is that player. ``seat`` is whom it is about, ``ply``
    that of the match after it; ``turn_id`` is set only where that player submitted the turn.
    """

    match_id: str
    kind: EventKind
    audience: Audience
    player_id: str | None = None
    seat: int | None = None
    ply: int | None = None
    turn_id: str | None = None
    payload: EventPayload | None = None
    notices: tuple[NewNotice, ...] = ()


def tell(connection: Connection, news: Sequence[News], now: datetime) -> tuple[str, ...]:
    """Writes events and their notices, except those for bots, to whom nothing is told. Returns the
    ids of the events. Raises as ``gate.write``.

    Call it once in a transaction, with the matches locked, as rows of players are locked by it.
    """
    news = [new for new in news if bot_level(new.player_id) is None]
    ids = events.add_all(
        connection,
        [
            NewEvent(
                new.match_id,
                new.kind,
                new.audience,
                new.player_id,
                new.seat,
                new.ply,
                new.turn_id,
                None if new.payload is None else written(new.payload),
            )
            for new in news
        ],
        now,
    )
    told = [
        replace(notice, event_id=event_id) for new, event_id in zip(news, ids, strict=True) for notice in new.notices
    ]
    gate.write(connection, told, now)
    return ids
