"""What notices tell, by their kinds: each payload is a small type, written and read here alone.

A payload is stored as a JSON document. Whoever delivers a notice marks in the same document what
the mail tells besides (``MARKS``), which is no part of the payload.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias, TypeVar

from engine.documents import from_document, to_document
from engine.record import StepKind
from engine.types import Seat, VerdictStatus
from service.statuses import HostAct, OfferKind, OrderKind

AGAIN: Final = "again"
"""The mark that says how often the player asked to be sent it again."""
ADDED: Final = "added"
"""The mark of what the mail tells besides, and in which form."""
TOLD_SINCE: Final = "told_since"
"""The mark of a notice that tells what others would have told: the ply to tell from."""
TURNS: Final = "turns"
"""The mark of such a notice: the ids of the earlier turns whose verdicts it tells, too."""
KINDS: Final = "kinds"
"""The mark of what a webhook is told: the kinds of earlier notices that are told with it."""
MARKS: Final = frozenset((AGAIN, ADDED, TOLD_SINCE, TURNS, KINDS))
NAMED: Final = ("maker", "to")
"""The members of payloads that are ids of players. They become names only where a mail is made, as
some may have been renamed, or have left, meanwhile.
"""


@dataclass(frozen=True, slots=True)
class OneTimeToken:
    """A token that works once; it is not kept once the mail is sent. One that ``joins`` leads back
    to the join link that its reader has followed.
    """

    token: str = ""
    expires_at: str = ""
    joins: bool = False


AddressChange: TypeAlias = Literal["added", "primary", "removed", "undone"]


@dataclass(frozen=True, slots=True)
class AddressChanged:
    """What was done with the address ``changed``; the ``token`` undoes it, if there is one."""

    change: AddressChange
    changed: str
    token: str = ""


Show: TypeAlias = Literal["moves", "board", "help"]


@dataclass(frozen=True, slots=True)
class MailAnswered:
    """What the answer to a mail says (``service.inbox.answers``); about a match with a ``ply``. It
    asks the question of that number.
    """

    headline: str
    says: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    shows: tuple[Show, ...] = ()
    since: int | None = None
    rules: str | None = None
    question: int | None = None
    seat: Seat | None = None
    ply: int | None = None
    in_reply_to: str = ""
    references: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class OrderHeld:
    """What an unproven mail has asked for."""

    order: str
    what: OrderKind
    seat: Seat
    ply: int | None = None
    lines: tuple[str, ...] = ()
    question: int | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """A match at a ply."""

    match: str
    ply: int


@dataclass(frozen=True, slots=True)
class Gathered:
    """The matches that a digest tells of."""

    matches: tuple[Place, ...]


OF_THE_SEAT: Final = 0
"""The question whether one has a seat, before the start; those of a match count from 1."""


@dataclass(frozen=True, slots=True)
class AboutSeat:
    """The seat that somebody has."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Invited:
    """The seat that somebody is invited to."""

    seat: Seat
    question: int = OF_THE_SEAT


@dataclass(frozen=True, slots=True)
class AtPly:
    """The seat and the ply of the match."""

    seat: Seat
    ply: int


@dataclass(frozen=True, slots=True)
class TurnJudged:
    """A verdict: the plies before and after; ``in_reply_to`` is the mail that it answers."""

    seat: Seat
    ply: int
    since: int
    turn_id: str
    status: VerdictStatus
    in_reply_to: str = ""


@dataclass(frozen=True, slots=True)
class TimeUp:
    """What followed from time that was up at ``due_at``."""

    seat: Seat
    ply: int
    since: int
    step: StepKind
    due_at: int


@dataclass(frozen=True, slots=True)
class DaysOffBegan:
    """Days off that began by themselves; so many are ``left``."""

    seat: Seat
    ply: int
    since: int
    due_at: int
    until: int
    left: int


@dataclass(frozen=True, slots=True)
class AlsoDue:
    """Another match that waits for the player."""

    match: str
    title: str
    until: int


@dataclass(frozen=True, slots=True)
class Reminded:
    """What waits for a player."""

    seat: Seat
    ply: int
    also: tuple[AlsoDue, ...] = ()


@dataclass(frozen=True, slots=True)
class OfferMade:
    """What the seat ``by`` offers; ``to``: who is to have the seat. ``asked`` are the seats whose
    word it needs, but not those that are ``away`` from a match that is to end as abandoned, at
    ``ends_at`` at the earliest; ``warned``: they are told for the second time.
    """

    seat: Seat
    ply: int
    id: str
    offer: OfferKind
    days: int
    for_seat: Seat | None
    by: Seat
    question: int
    asked: tuple[Seat, ...]
    lapses_at: int
    to: str = ""
    away: tuple[Seat, ...] = ()
    ends_at: int | None = None
    warned: bool = False


@dataclass(frozen=True, slots=True)
class OfferSettled:
    """What became of an offer, by the word of the seat ``by``; ``maker`` had offered it, and was
    replaced by ``to``. It was ``accepted`` by those seats, and has passed over others.
    """

    seat: Seat
    ply: int
    offer: OfferKind
    for_seat: Seat | None
    by: Seat | None
    result: Literal["accepted", "declined", "resumed"]
    until: int | None = None
    maker: str = ""
    to: str = ""
    accepted: tuple[Seat, ...] = ()
    passed: tuple[Seat, ...] = ()


@dataclass(frozen=True, slots=True)
class SeatOffered:
    """The question by which somebody is asked to take a seat."""

    seat: Seat
    question: int
    lapses_at: int


@dataclass(frozen=True, slots=True)
class SeatHanded:
    """Who has the seat now."""

    seat: Seat
    to: str


@dataclass(frozen=True, slots=True)
class SeatFreed:
    """The seat of a match before its start that nobody has any more."""

    freed: Seat


@dataclass(frozen=True, slots=True)
class CalledOff:
    """How many seats were free of a match that has not started; ``maker`` is the host who has left
    it, by id, empty where it has waited for too long.
    """

    free: int
    maker: str = ""


@dataclass(frozen=True, slots=True)
class Shelved:
    """What becomes of a match that nobody visits; the seat ``by`` has reopened it."""

    seat: Seat
    ply: int
    step: Literal["soon", "archived", "reopened"]
    by: Seat | None = None
    until: int | None = None


@dataclass(frozen=True, slots=True)
class AtWebhook:
    """What is told to a webhook: the seat that it is about, if any, and the ply of the match."""

    seat: Seat | None
    ply: int


@dataclass(frozen=True, slots=True)
class AboutWebhook:
    """A webhook, as it was when it was switched off: where it was, and why."""

    webhook: str
    place: str = ""
    error: str = ""


@dataclass(frozen=True, slots=True)
class HostActed:
    """What the host of the service has done, about what, as it read, and why."""

    act: HostAct
    reason: str
    about: str = ""


Payload: TypeAlias = (
    OneTimeToken
    | AddressChanged
    | MailAnswered
    | OrderHeld
    | Gathered
    | AboutSeat
    | Invited
    | AtPly
    | TurnJudged
    | TimeUp
    | DaysOffBegan
    | Reminded
    | OfferMade
    | OfferSettled
    | SeatOffered
    | SeatHanded
    | SeatFreed
    | CalledOff
    | Shelved
    | AboutWebhook
    | HostActed
)


@dataclass(frozen=True, slots=True)
class TurnPlayed:
    """The ply since which a seat has played, or before it resigned."""

    since: int


@dataclass(frozen=True, slots=True)
class LineSaid:
    """The number of what was said."""

    number: int


EventPayload: TypeAlias = TurnPlayed | LineSaid | TimeUp | DaysOffBegan | OfferMade | OfferSettled | Shelved
T = TypeVar("T")


def written(payload: Payload | AtWebhook | EventPayload) -> dict[str, Any]:
    """The payload as a JSON document."""
    document: dict[str, Any] = to_document(payload)
    return document


def read_as(wanted: type[T], document: Mapping[str, Any]) -> T:
    """The payload that is of that type. Raises ``DocumentError``."""
    return from_document(wanted, {name: value for name, value in document.items() if name not in MARKS})
