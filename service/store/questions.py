"""What the players of a match are asked, numbered from 1: offers that they make each other, and
orders that wait for their player's word.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, Literal, TypeAlias, get_args

from sqlalchemy import Connection, Row, Select, func, insert, or_, select, update

from service.statuses import OfferKind, OrderKind
from service.store import covering
from service.store.statements import any_row
from service.store.tables import questions

HeldReason: TypeAlias = Literal["unproven", "confirm"]
"""``unproven``: nobody knows who wrote the mail; ``confirm``: the player is asked back."""
QuestionStatus: TypeAlias = Literal["open", "accepted", "declined", "withdrawn", "lapsed"]
_ORDERS: Final = get_args(OrderKind)


@dataclass(frozen=True, slots=True)
class StoredOffer:
    """What ``seat`` has offered, and what others have answered, by seat.

    ``days`` are those of a pause, or those by which the time of ``for_seat`` is extended in its
    turn number ``for_turn``. Whoever has the ``address`` is to have the seat, if it is to be handed
    over; ``taker_id`` has agreed to. ``warned_at`` is when those who are away from an abandoned
    match were mailed for the second time, in seconds since 1970.
    """

    id: str
    match_id: str
    number: int
    kind: OfferKind
    seat: int
    made_at: datetime
    status: QuestionStatus = "open"
    settled_at: datetime | None = None
    days: int = 1
    for_seat: int | None = None
    for_turn: int | None = None
    address: str | None = None
    taker_id: str | None = None
    warned_at: int | None = None
    answers: Mapping[int, bool] = field(default_factory=dict)

    @property
    def waits_for_taker(self) -> bool:
        """Whether it is not known yet who is to have the seat."""
        return self.kind == "hand_over" and self.taker_id is None


@dataclass(frozen=True, slots=True)
class HeldOrder:
    """An order of ``seat`` that was held when its match was at ``match_ply``: ``actions`` are those
    of a turn that answers ``ply``. ``player_id`` is ``None`` for somebody who is invited;
    ``in_reply_to`` is the Message-ID of the mail that carried it. Who knows the id of an unproven
    order can have it carried out: nobody but its player is told it.
    """

    id: str
    match_id: str
    number: int
    kind: OrderKind
    seat: int
    made_at: datetime
    reason: HeldReason
    player_id: str | None
    ply: int
    match_ply: int
    status: QuestionStatus = "open"
    settled_at: datetime | None = None
    actions: tuple[Mapping[str, Any], ...] = ()
    in_reply_to: str | None = None


Question: TypeAlias = StoredOffer | HeldOrder
_COLUMNS: Final = ("id", "match_id", "number", "kind", "seat", "made_at", "status", "settled_at")


def add(connection: Connection, question: Question) -> None:
    """Adds a question to a locked match. Raises ``IntegrityError`` where its number is taken."""
    connection.execute(insert(questions).values(_values(question)))


def write(connection: Connection, question: Question) -> None:
    """Changes a question of a locked match. An offer that is not open is not told of any more."""
    connection.execute(update(questions).where(questions.c.id == question.id).values(_values(question)))
    if isinstance(question, StoredOffer) and question.status != "open":
        covering.cover_offer(connection, question.match_id, question.id)


def find(connection: Connection, question_id: str) -> Question | None:
    return next(iter(_questions(connection, select(questions).where(questions.c.id == question_id))), None)


def numbered(connection: Connection, match_id: str, number: int) -> Question | None:
    wanted = select(questions).where(questions.c.match_id == match_id, questions.c.number == number)
    return next(iter(_questions(connection, wanted)), None)


def open_ones(connection: Connection, match_id: str) -> tuple[Question, ...]:
    """The open questions of a match, the oldest first."""
    wanted = select(questions).where(questions.c.match_id == match_id, questions.c.status == "open")
    return _questions(connection, wanted.order_by(questions.c.number))


def open_offers(connection: Connection, match_id: str) -> tuple[StoredOffer, ...]:
    """The open offers of a match, the oldest first."""
    return tuple(each for each in open_ones(connection, match_id) if isinstance(each, StoredOffer))


def offers_of_seats_to(connection: Connection, known: Collection[str]) -> tuple[StoredOffer, ...]:
    """The open offers by which whoever has one of these addresses is to have a seat."""
    to_one = (questions.c.kind == "hand_over") & questions.c.about["address"].as_string().in_(known)
    found = _questions(connection, select(questions).where(questions.c.status == "open", to_one))
    return tuple(each for each in found if isinstance(each, StoredOffer))


def forget(connection: Connection, player_id: str, known: Collection[str]) -> None:
    """Takes the addresses of a player who has left from the offers of seats, and from their orders
    which mails they came with.
    """
    about, wanted = questions.c.about, select(questions.c.id, questions.c.about)
    theirs = or_(about["address"].as_string().in_(known), about["player_id"].as_string() == player_id)
    for row in connection.execute(wanted.where(theirs)).all():
        kept = {name: None if name in ("address", "in_reply_to") else value for name, value in row.about.items()}
        connection.execute(update(questions).where(questions.c.id == row.id).values(about=kept))


def latest_offers(connection: Connection, match_id: str, limit: int) -> tuple[StoredOffer, ...]:
    """At most ``limit`` offers of a match, the newest first."""
    wanted = select(questions).where(questions.c.match_id == match_id, questions.c.kind.not_in(_ORDERS))
    found = _questions(connection, wanted.order_by(questions.c.number.desc()).limit(limit))
    return tuple(each for each in found if isinstance(each, StoredOffer))


def asked_since(connection: Connection, match_id: str, kind: OfferKind, since: datetime) -> bool:
    """Whether something of that kind was offered in a match after ``since``."""
    mine = (questions.c.match_id == match_id) & (questions.c.kind == kind) & (questions.c.made_at > since)
    return any_row(connection, questions.c.id, mine)


def next_number(connection: Connection, match_id: str) -> int:
    """The number of the next question of a locked match."""
    newest = select(func.max(questions.c.number)).where(questions.c.match_id == match_id)
    return 1 + (connection.scalar(newest) or 0)


def matches_with_offers(connection: Connection, held_before: datetime) -> tuple[str, ...]:
    """The matches with open offers, or with open orders that were held until then, oldest first."""
    found = or_(questions.c.made_at <= held_before, questions.c.kind.not_in(_ORDERS))
    wanted = select(questions.c.match_id).where(questions.c.status == "open", found).group_by(questions.c.match_id)
    return tuple(connection.scalars(wanted.order_by(func.min(questions.c.made_at), questions.c.match_id)))


def _values(question: Question) -> dict[str, Any]:
    fields = {name: getattr(question, name) for name in question.__slots__}
    if isinstance(question, StoredOffer):
        fields["answers"] = {str(seat): answer for seat, answer in question.answers.items()}
    return {name: fields.pop(name) for name in _COLUMNS} | {"about": fields}


def _questions(connection: Connection, wanted: Select[Any]) -> tuple[Question, ...]:
    return tuple(map(_question, connection.execute(wanted)))


def _question(row: Row[Any]) -> Question:
    fields = {name: row._mapping[name] for name in _COLUMNS} | dict(row.about)
    if row.kind in _ORDERS:
        return HeldOrder(**fields | {"actions": tuple(fields["actions"])})
    return StoredOffer(**fields | {"answers": {int(seat): answer for seat, answer in fields["answers"].items()}})
