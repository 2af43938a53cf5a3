"""The outbox: notices to players, written in the transaction that caused them.

A notice is pending until a process that holds a lease on it marks it as sent or dead, or until it
is covered: a later notice supersedes it, or what it tells is told otherwise.

Times are of the wall clock, which may be changed: the time of the next attempt or the end of a
lease further ahead than any possible one counts as past. ``not_before`` is honoured: no attempt
begins earlier.

Mail programs split conversations of more than a hundred mails (Gmail), or become slow, so the mails
about a match begin a new one every 90. Its thread is that of a seat, from the invitation on. A
notice is placed when its first attempt begins, so that a mail that is sent again is the same.
"""

from __future__ import annotations

import hashlib
import json
import re
import uuid
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, Text, and_, case, cast, func, insert, or_, select, update

from engine.types import Seat
from service.addresses import folded
from service.kinds import FIRST, MAILINGS, REST, Lane, NoticeKind
from service.names import FORMER
from service.payloads import AtWebhook, Payload, written
from service.statuses import Channel, NoticeStatus
from service.store.covering import Because, Reason, cover, format_reason, parse_reason
from service.store.leasing import ERROR_LENGTH, FREE, Leasing
from service.store.statements import Prepared, Rows, Timed, any_row, count, insert_into
from service.store.tables import conversations, outbox, seats

QUICK_ATTEMPTS: Final = 6
LONGEST_QUICK_PAUSE: Final = timedelta(seconds=10)
"""After at most ``QUICK_ATTEMPTS`` attempts, the longest time until the next is due."""
LONGEST_PAUSE: Final = timedelta(minutes=40)
"""After any number of attempts, the longest time until the next is due."""
LONGEST_WAIT: Final = timedelta(days=100)
"""The longest time that a notice waits for its ``not_before``."""
PENDING = outbox.c.status == "pending"
MAILED: Final = PENDING & (outbox.c.channel == "mail")
CALLED: Final = PENDING & (outbox.c.channel == "webhook")
"""The pending notices that are sent as mails, and those that are told to webhooks."""
_IN_TURN: Final = (outbox.c.lane, outbox.c.next_attempt_at, outbox.c.id)
_ADD: Final = Prepared(insert(outbox))
_OF_PLAY: Final = frozenset(("seat", "ply", "since", "turn_id", "question", "status"))
"""The members of payloads that are kept of a player who has left: what the ledger compares."""
TEXTS: Final = frozenset(("headline", "says", "lines", "about", "reason"))
"""The members of payloads in which others than the recipient may be named, by a word."""
NAMING: Final = ("answer", "from_host")
"""The kinds that have such; the lines of ``unproven_turn`` are what its recipient has written."""
UNTRIED: Final = {"status": "pending", "attempts": 0, "crashes": 0, "not_before": None} | FREE
"""The columns of a notice that is pending, with no attempt."""


@dataclass(frozen=True, slots=True)
class Notice:
    """A row of the outbox, to ``player_id``, or to ``address`` where the recipient is no player.

    ``attempts`` have begun, the latest ``crashes`` of them ended or stopped a process, with the
    present one while it lasts. A covered one has either ``superseded_by``, the id of the notice
    that tells what it would have told, or ``covered_by``, the reason. ``event_id`` is the event
    that it tells of, ``conversation`` the one of its match that its mail belongs to, once an
    attempt has begun. ``sender_id`` is the player who caused it, where another did; then it may be
    ``held_until`` a later day. ``bounced_at`` is when its mail came back.
    """

    id: str
    kind: NoticeKind
    player_id: str | None
    address: str | None
    match_id: str | None
    payload: Mapping[str, Any]
    created_at: datetime
    status: NoticeStatus
    attempts: int
    crashes: int
    next_attempt_at: datetime
    sent_at: datetime | None
    last_error: str | None
    leased_until: datetime | None
    leased_by: str | None
    lane: Lane = REST
    not_before: datetime | None = None
    channel: Channel = "mail"
    superseded_by: str | None = None
    covered_by: Reason | None = None
    event_id: str | None = None
    conversation: str | None = None
    sender_id: str | None = None
    held_until: datetime | None = None
    bounced_at: datetime | None = None
    bounce_reason: str | None = None

    @property
    def seat(self) -> Seat | None:
        """The seat that its payload names."""
        seat: Seat | None = self.payload.get("seat")
        return seat

    @property
    def question(self) -> int | None:
        """The number of the question that its payload asks."""
        question: int | None = self.payload.get("question")
        return question

    @property
    def ply(self) -> int | None:
        """The ply that its payload names."""
        ply: int | None = self.payload.get("ply")
        return ply


def reason_of(covered_by: str | None) -> Reason | None:
    return None if covered_by is None else parse_reason(covered_by)


NOTICES: Final = Rows(Notice, outbox, read={"covered_by": reason_of})


@dataclass(frozen=True, slots=True)
class NewNotice:
    """A notice to be written. Without a ``lane`` it has that of its kind. ``sender_id`` is the
    player who causes it, where its kind has one; ``typed`` is the address as that player typed it,
    by which a refusal names the recipient.
    """

    kind: NoticeKind
    player_id: str | None
    match_id: str | None
    payload: Payload | AtWebhook
    address: str | None = None
    lane: Lane | None = None
    not_before: datetime | None = None
    event_id: str | None = None
    sender_id: str | None = None
    typed: str = ""
    channel: Channel = "mail"


@dataclass(frozen=True, slots=True)
class Passed:
    """A notice that has passed the gate (``service.events.gate``), which alone makes these: it is
    told at once, after ``held_until``, or not at all, where ``covered_by`` says why. ``recipient``
    is the player or the folded address, where another player caused it.
    """

    notice: NewNotice
    recipient: str | None = None
    held_until: datetime | None = None
    covered_by: Reason | None = None


def add_all(connection: Connection, passed: Sequence[Passed], now: datetime) -> tuple[str, ...]:
    """Adds notices that are due at once, at their ``not_before`` or when they are held no longer.
    Returns their ids, in the same order, which are unguessable and never change.
    """
    ids = tuple(uuid.uuid4().hex for _ in passed)
    if passed:
        _ADD.many(connection, [_row(*each, now) for each in zip(ids, passed, strict=True)])
    return ids


def _row(notice_id: str, passed: Passed, now: datetime) -> dict[str, Any]:
    new = passed.notice
    named = ("kind", "player_id", "match_id", "address", "sender_id", "not_before", "event_id", "channel")
    return {name: getattr(new, name) for name in named} | {
        "id": notice_id,
        "payload": written(new.payload),
        "recipient": passed.recipient,
        "lane": MAILINGS[new.kind].lane if new.lane is None else new.lane,
        "created_at": now,
        "held_until": passed.held_until,
        "status": "pending" if passed.covered_by is None else "covered",
        "covered_by": None if passed.covered_by is None else format_reason(passed.covered_by),
        "attempts": 0,
        "next_attempt_at": max(now, new.not_before or now, passed.held_until or now),
    }


@dataclass(frozen=True, slots=True)
class Caused:
    """A notice that a player has caused: what the limits of a day count. ``at`` is when it may be
    told; ``told``: it was, or still will be.
    """

    recipient: str
    sender_id: str
    kind: NoticeKind
    match_id: str | None
    at: datetime
    told: bool


def is_untold(connection: Connection, match_id: str, offer_id: str) -> bool:
    """Whether a mail about an offer waits to be sent."""
    about = (outbox.c.match_id == match_id) & (outbox.c.kind == "offer_made")
    return any_row(connection, outbox.c.id, about, PENDING, outbox.c.payload["id"].as_string() == offer_id)


def sent_between(connection: Connection, since: datetime, until: datetime) -> int:
    """How many mails that were written in that time were sent, and are still known."""
    then = (outbox.c.created_at >= since) & (outbox.c.created_at < until)
    return count(connection, outbox, then, outbox.c.status == "sent", outbox.c.channel == "mail")


def caused_since(connection: Connection, recipients: Collection[str], since: datetime) -> tuple[Caused, ...]:
    """What players have caused to these recipients since a time, or for later."""
    at = func.coalesce(outbox.c.held_until, outbox.c.created_at).label("at")
    wanted = select(outbox.c.recipient, outbox.c.sender_id, outbox.c.kind, outbox.c.match_id, outbox.c.status, at)
    # What is held until the day after is written on the day before it.
    known = outbox.c.recipient.in_(recipients) & (outbox.c.created_at >= since - timedelta(days=1))
    rows = connection.execute(wanted.where(outbox.c.sender_id.is_not(None), known, at >= since))
    return tuple(
        Caused(row.recipient, row.sender_id, row.kind, row.match_id, row.at, row.status in ("pending", "sent"))
        for row in rows
    )


def first_waits(connection: Connection, now: datetime) -> bool:
    """Whether a notice of the lane ``FIRST`` is due and not leased."""
    return bool(_FIRST_WAITING.all(connection, now))


def sort(
    connection: Connection,
    holder: str,
    ids: Collection[str],
    until: datetime,
    sort_out: Callable[[Sequence[Notice]], Sequence[Notice]] = lambda found: found,
) -> tuple[Notice, ...]:
    """Has notices that ``holder`` has leased sorted out: those that are not sent are not leased any
    more, and their attempts not counted. The attempt of the first begins.

    ``sort_out`` returns those that are to be sent, or others in their place; in place of those that
    it leaves out it may have added others, such as a digest.
    """
    mine = connection.scalars(select(outbox.c.id).where(outbox.c.id.in_(ids), LEASING.held_by(holder))).all()
    LEASING.charge(connection, holder, mine, -1)
    LEASING.release(connection, holder, mine)
    wanted = NOTICES.wanted.where(outbox.c.id.in_(mine)).order_by(*_IN_TURN)
    kept = sort_out(NOTICES.every(connection, wanted.with_for_update()))
    if not kept:
        return ()
    leased = {"leased_by": holder, "leased_until": until}
    connection.execute(update(outbox).where(outbox.c.id.in_([notice.id for notice in kept])).values(leased))
    first, *others = (replace(notice, leased_by=holder, leased_until=until) for notice in kept)
    return (begin(connection, holder, first), *others)


def untried(
    connection: Connection, kinds: Collection[NoticeKind], pairs: Collection[tuple[str, str]], now: datetime
) -> tuple[Notice, ...]:
    """The notices of these kinds, to these pairs of a player and a match, that no attempt was made
    for and nobody holds, due or not; locked, those that others have locked left out.
    """
    whose = or_(
        *((outbox.c.player_id == player_id) & (outbox.c.match_id == match_id) for player_id, match_id in sorted(pairs))
    )
    free = LEASING.free(now)
    wanted = NOTICES.wanted.where(PENDING, whose, outbox.c.kind.in_(kinds), outbox.c.attempts == 0, free)
    return NOTICES.every(connection, wanted.with_for_update(skip_locked=True))


def hasten(connection: Connection, notice: Notice, now: datetime) -> None:
    """Makes an untried notice due now, with another payload."""
    due_now = {"payload": dict(notice.payload), "next_attempt_at": now, "not_before": None}
    connection.execute(update(outbox).where(outbox.c.id == notice.id, PENDING).values(due_now))


def wait(connection: Connection, notice_id: str, until: datetime) -> None:
    """Keeps a pending notice from being sent before ``until``."""
    waiting = {"next_attempt_at": until, "not_before": until}
    connection.execute(update(outbox).where(outbox.c.id == notice_id, PENDING).values(waiting))


def begin(connection: Connection, holder: str, notice: Notice) -> Notice:
    """Counts an attempt that begins: durable before anything is tried, so that the notice at which
    a process died is known. Returns the notice with that attempt.
    """
    conversation = notice.conversation
    if conversation is None and notice.match_id is not None:
        conversation = conversation_of_mail(connection, notice.match_id, notice.player_id, notice.address, notice.seat)
    LEASING.charge(connection, holder, [notice.id])
    placed = update(outbox).where(outbox.c.id == notice.id, LEASING.held_by(holder))
    connection.execute(placed.values(conversation=conversation))
    return replace(notice, attempts=notice.attempts + 1, crashes=notice.crashes + 1, conversation=conversation)


def set_payload(connection: Connection, notice_id: str, payload: Mapping[str, Any]) -> None:
    """Replaces the payload of a notice that this transaction leases."""
    connection.execute(update(outbox).where(outbox.c.id == notice_id).values(payload=dict(payload)))


def mark_sent(
    connection: Connection, holder: str, notice: Notice, now: datetime, leasing: Leasing | None = None
) -> bool:
    """Marks a notice as sent and deletes the one-time token from its payload. Returns ``False``
    where the holder has lost the lease.
    """
    payload = {name: value for name, value in notice.payload.items() if name != "token"}
    values = {"status": "sent", "sent_at": now, "last_error": None, "payload": payload, "crashes": 0}
    return (leasing or LEASING).settle(connection, holder, notice.id, **values)


def give_up(connection: Connection, holder: str, notice_id: str, error: str, leasing: Leasing | None = None) -> bool:
    """Marks a notice as dead. Returns ``False`` where the holder has lost the lease."""
    return (leasing or LEASING).settle(connection, holder, notice_id, status="dead", last_error=error[:ERROR_LENGTH])


def revive(connection: Connection, ids: Collection[str] | None, now: datetime) -> tuple[str, ...]:
    """Makes dead notices due again as if untried: those of ``ids``, or all where that is ``None``.
    Returns their ids.
    """
    dead = outbox.c.status == "dead" if ids is None else (outbox.c.status == "dead") & outbox.c.id.in_(ids)
    wanted = select(outbox.c.id).where(dead).order_by(outbox.c.created_at, outbox.c.id).with_for_update()
    revived = tuple(connection.scalars(wanted))
    connection.execute(update(outbox).where(dead).values(UNTRIED | {"next_attempt_at": now}))
    return revived


def listed(connection: Connection, status: NoticeStatus, limit: int) -> tuple[Notice, ...]:
    """Up to ``limit`` notices of that status: pending ones by due time, others newest first."""
    at = outbox.c.next_attempt_at if status == "pending" else outbox.c.next_attempt_at.desc()
    return NOTICES.all(connection, outbox.c.status == status, order=[at, outbox.c.id], limit=limit)


def _due(now: Any) -> ColumnElement[bool]:
    """Also one whose next attempt is so far ahead that the clock must have been set back since,
    unless it waits for its ``not_before``.
    """
    at, earliest = outbox.c.next_attempt_at, outbox.c.not_before
    set_back = or_(and_(outbox.c.attempts <= QUICK_ATTEMPTS, at > now + LONGEST_QUICK_PAUSE), at > now + LONGEST_PAUSE)
    awaited = or_(earliest.is_(None), earliest <= now, earliest > now + LONGEST_WAIT)
    return or_(at <= now, and_(set_back, awaited))


LEASING: Final = Leasing(outbox, "last_error", MAILED, _due, _IN_TURN)
"""Notices are leased by their lane, then most overdue first."""
_FIRST_WAITING: Final = Timed(
    lambda now: select(outbox.c.id).where(PENDING, outbox.c.lane == FIRST, _due(now), LEASING.free(now)).limit(1)
)
CALLING: Final = Leasing(
    outbox, "last_error", CALLED, _due, (outbox.c.attempts, outbox.c.next_attempt_at, outbox.c.id), outbox.c.recipient
)
"""Those to webhooks: what was tried least goes first, and one at a time of those of a player."""


def to_webhook(
    connection: Connection, url: str, match_id: str | None, holder: str, now: datetime
) -> tuple[Notice, ...]:
    """The pending notices about a match to a webhook that nobody but ``holder`` holds, in the order
    of their events, its end last.
    """
    free = or_(CALLING.free(now), outbox.c.leased_by == holder)
    mine = CALLED, free, outbox.c.address == url, outbox.c.match_id == match_id, outbox.c.kind != "webhook"
    return tuple(sorted(NOTICES.all(connection, *mine, order=()), key=_order))


def held_by(connection: Connection, leasing: Leasing, holder: str, notice_id: str) -> Notice | None:
    """A notice that ``holder`` has leased."""
    return NOTICES.find(connection, outbox.c.id == notice_id, leasing.held_by(holder), lock=True)


def make_due(connection: Connection, notice_id: str, now: datetime) -> None:
    """Makes a notice due now that no attempt was made for and that waits for others."""
    untried = outbox.c.id == notice_id, CALLED, outbox.c.attempts == 0
    connection.execute(update(outbox).where(*untried).values(next_attempt_at=now, not_before=None))


def untold(connection: Connection, url: str) -> tuple[str, ...]:
    """The ids of all pending notices to a webhook."""
    return tuple(connection.scalars(select(outbox.c.id).where(CALLED, outbox.c.address == url)))


def forget(connection: Connection, player_id: str, name: str, known: Collection[str], urls: Collection[str]) -> None:
    """Takes a player who has left from the notices: what was to be told to them, to the ``known``
    addresses that were theirs, folded, or to the ``urls`` that nobody else has entered; and name
    and addresses from what others were answered, or told by the host.
    """
    to_nobody = outbox.c.player_id.is_(None) & (outbox.c.channel == "mail") & outbox.c.address.is_not(None)
    typed = connection.scalars(select(outbox.c.address).where(to_nobody).distinct())
    invited = to_nobody & outbox.c.address.in_([each for each in typed if folded(each) in known])
    theirs = or_(outbox.c.player_id == player_id, invited)
    cover(connection, connection.scalars(select(outbox.c.id).where(PENDING, theirs)).all(), Because.NOBODY)
    _rewrite(connection, theirs, lambda told: {name: told[name] for name in _OF_PLAY & told.keys()})
    emptied = {"address": None, "last_error": None, "bounce_reason": None}
    connection.execute(update(outbox).where(theirs).values(emptied))
    connection.execute(update(outbox).where(outbox.c.recipient.in_(known)).values(recipient=player_id))
    for url in urls:
        cover(connection, untold(connection, url), Because.SWITCHED_OFF)
    connection.execute(update(outbox).where(outbox.c.address.in_(urls)).values(address=None, last_error=None))
    words, payload = (name, *known), cast(outbox.c.payload, Text)
    saying = or_(*(payload.contains(json.dumps(word)[1:-1], autoescape=True) for word in words))
    _rewrite(connection, outbox.c.kind.in_(NAMING) & saying, lambda told: _without(told, words))


def unnamed(text: str, words: Collection[str]) -> str:
    """The text, in which somebody who has left is called so, instead of by any of these words."""
    names = "|".join(re.escape(word) for word in words)
    return re.sub(rf"(?<!\w)(?:{names})(?!\w)", FORMER, text)


def _rewrite(connection: Connection, which: ColumnElement[bool], written_as: Callable[[Any], Any]) -> None:
    """Replaces the payloads of these notices."""
    for row in connection.execute(select(outbox.c.id, outbox.c.payload).where(which)).all():
        set_payload(connection, row.id, written_as(row.payload))


def _without(told: Any, words: Collection[str]) -> Any:
    """The payload of an answer, whose texts name somebody who has left otherwise."""
    match told:
        case str():
            return unnamed(told, words)
        case list():
            return [_without(each, words) for each in told]
        case dict():
            return told | {name: _without(told[name], words) for name in TEXTS & told.keys()}
        case _:
            return told


def _order(notice: Notice) -> tuple[bool, int]:
    number = (notice.event_id or "").rpartition(".")[2]
    return notice.kind == "match_over", int(number) if number else 0


MOST_MAILS: Final = 90


def conversation_of_mail(
    connection: Connection, match_id: str, player_id: str | None, address: str | None, seat: Seat | None
) -> str:
    """Counts one more mail about a match. Returns its thread, and after a dot its conversation."""
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
    return f"{thread}.{connection.scalar(counted)}"


def _thread(
    connection: Connection, match_id: str, player_id: str | None, address: str | None, seat: Seat | None
) -> str:
    """The seat that the mail concerns; for whoever has none, what is made of their id."""
    if seat is not None:
        return str(seat)
    if player_id is not None:
        own = select(seats.c.seat).where(seats.c.match_id == match_id, seats.c.player_id == player_id)
        held = connection.scalar(own)
        if held is not None:
            return str(held)
    return "x" + hashlib.sha256((player_id or address or "").encode()).hexdigest()[:12]
