"""Offers that players of a match make each other, and the pauses that they agree on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, Literal, TypeAlias

from sqlalchemy import Connection, Row, Select, func, insert, or_, select, update

from service.store import covering
from service.store.tables import offers, pauses

OfferKind: TypeAlias = Literal["pause", "extend", "end", "draw", "call_off", "hand_over"]
AFTER_TURNS: Final[tuple[OfferKind, ...]] = ("end", "draw", "call_off", "hand_over")
"""What is not done before a turn that waits is judged."""
OfferStatus: TypeAlias = Literal["open", "accepted", "declined", "withdrawn", "lapsed"]


@dataclass(frozen=True, slots=True)
class StoredOffer:
    """A row of offers: what ``seat`` has offered, and what others have answered, by seat. The
    offers of a match are numbered from 1.

    ``days`` are those of a pause, or those by which the time of ``for_seat`` is extended in its
    turn number ``for_turn``. Whoever has the ``address`` is to have the seat, if it is to be handed
    over; ``taker_id`` is the player who has agreed to.
    """

    id: str
    match_id: str
    number: int
    kind: OfferKind
    seat: int
    days: int
    for_seat: int | None
    for_turn: int | None
    made_at: datetime
    status: OfferStatus = "open"
    settled_at: datetime | None = None
    answers: Mapping[int, bool] = field(default_factory=dict)
    address: str | None = None
    taker_id: str | None = None

    @property
    def waits_for_taker(self) -> bool:
        """Whether it is not known yet who is to have the seat."""
        return self.kind == "hand_over" and self.taker_id is None


@dataclass(frozen=True, slots=True)
class StoredPause:
    """A row of pauses."""

    id: str
    match_id: str
    start_at: datetime
    end_at: datetime


def add(connection: Connection, offer: StoredOffer) -> None:
    """Adds an offer to a locked match. Raises ``IntegrityError`` where one of its kind is open."""
    connection.execute(insert(offers).values(_values(offer)))


def write(connection: Connection, offer: StoredOffer) -> None:
    """Changes an offer of a locked match. One that is open no longer is not told of any more."""
    connection.execute(update(offers).where(offers.c.id == offer.id).values(_values(offer)))
    if offer.status != "open":
        covering.cover_offer(connection, offer.match_id, offer.id)


def find(connection: Connection, offer_id: str) -> StoredOffer | None:
    """The offer with that id."""
    row = connection.execute(select(offers).where(offers.c.id == offer_id)).one_or_none()
    return None if row is None else _offer(row)


def open_ones(connection: Connection, match_id: str) -> tuple[StoredOffer, ...]:
    """The open offers of a match, the oldest first."""
    wanted = select(offers).where(offers.c.match_id == match_id, offers.c.status == "open")
    return _offers(connection, wanted.order_by(offers.c.number))


def latest(connection: Connection, match_id: str, limit: int) -> tuple[StoredOffer, ...]:
    """At most ``limit`` offers of a match, the newest first."""
    wanted = select(offers).where(offers.c.match_id == match_id)
    return _offers(connection, wanted.order_by(offers.c.number.desc()).limit(limit))


def last_number(connection: Connection, match_id: str) -> int:
    """The number of the newest offer of a locked match; 0 where there is none."""
    return connection.execute(select(func.max(offers.c.number)).where(offers.c.match_id == match_id)).scalar() or 0


def matches_with_older(connection: Connection, made_before: datetime) -> tuple[str, ...]:
    """The matches with open offers made until then, the oldest first; with them those with offers
    that may wait for a turn to be judged, however new these are.
    """
    old = or_(offers.c.made_at <= made_before, offers.c.kind.in_(AFTER_TURNS))
    wanted = select(offers.c.match_id).where(offers.c.status == "open", old).order_by(offers.c.made_at, offers.c.id)
    return tuple(dict.fromkeys(connection.execute(wanted).scalars()))


def add_pause(connection: Connection, pause: StoredPause) -> None:
    """Adds a pause to a locked match."""
    connection.execute(
        insert(pauses).values(id=pause.id, match_id=pause.match_id, start_at=pause.start_at, end_at=pause.end_at)
    )


def pause_at(connection: Connection, match_id: str, now: datetime) -> StoredPause | None:
    """The pause of a match that goes on at ``now``."""
    wanted = select(pauses).where(pauses.c.match_id == match_id, pauses.c.start_at <= now, pauses.c.end_at > now)
    row = connection.execute(wanted.order_by(pauses.c.end_at.desc()).limit(1)).one_or_none()
    return None if row is None else StoredPause(row.id, row.match_id, row.start_at, row.end_at)


def shorten_pause(connection: Connection, pause: StoredPause, end_at: datetime) -> None:
    """Ends a pause of a locked match earlier."""
    connection.execute(update(pauses).where(pauses.c.id == pause.id).values(end_at=end_at))


def _values(offer: StoredOffer) -> dict[str, Any]:
    values = {name: getattr(offer, name) for name in StoredOffer.__slots__}
    return values | {"answers": {str(seat): answer for seat, answer in offer.answers.items()}}


def _offers(connection: Connection, wanted: Select[Any]) -> tuple[StoredOffer, ...]:
    return tuple(_offer(row) for row in connection.execute(wanted))


def _offer(row: Row[Any]) -> StoredOffer:
    values = {name: row._mapping[name] for name in StoredOffer.__slots__}
    return StoredOffer(**values | {"answers": {int(seat): answer for seat, answer in row.answers.items()}})
