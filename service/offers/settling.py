"""Settles the questions of matches, and does what was agreed on. With the match locked.

An offer is settled with the answer that decides it; the sweeper settles those whose answers need
not be waited for any more, and those whose ground is gone. The end of a match is judged in order
with its turns, and a seat is handed over when no turn of the match waits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Final, Literal

from sqlalchemy import Connection

from engine.documents import to_document
from engine.record import EarlyEnd, Handover
from engine.types import Ending, Seat
from service.clocks.seat import SeatClock
from service.clocks.spans import DAY, instant, moment, written
from service.context import Context
from service.events import gate as events
from service.matches import timekeeping
from service.matches.access import existing
from service.matches.progress import news_for, notice_for
from service.offers import consent
from service.payloads import AtPly, OfferMade, OfferSettled, SeatHanded
from service.statuses import OfferKind
from service.store import clocks as clock_rows
from service.store import covering, outbox, players
from service.store import matches as match_rows
from service.store import questions as rows
from service.store import turns as turn_rows
from service.store.clocks import StoredPause
from service.store.events import News
from service.store.matches import StoredMatch
from service.store.questions import Question, StoredOffer
from service.store.turns import StoredTurn

ENDINGS: Final[dict[OfferKind, Ending]] = {
    "end": "standing",
    "draw": "draw",
    "call_off": "called_off",
    "abandon": "called_off",
}
"""How a match ends by an offer of that kind that all have accepted."""


def due(context: Context) -> tuple[str, ...]:
    """The matches with questions that may be settled, or have lapsed, the oldest question first.
    Any offer may be: whom it waits for may have resigned, or a turn was judged that it waits for.
    """
    with context.database.look() as connection:
        return rows.matches_with_offers(connection, context.clock() - consent.ORDER_OPEN_FOR)


def settle_match(context: Context, match_id: str) -> int:
    """Settles what can be settled of a match; returns how many questions."""
    with context.database.write() as connection:
        number = settle_all(connection, existing(match_rows.lock(connection, match_id), match_id), context.clock())
    if number:
        context.queue.wake_turns()
        context.queue.wake_notices()
    return number


def settle_all(connection: Connection, match: StoredMatch, now: datetime) -> int:
    """The same for a locked match."""
    number = 0
    for each in rows.open_ones(connection, match.id):
        number += settle(connection, match, each, now)
        match = existing(match_rows.find(connection, match.id), match.id)  # a seat may have been handed over
    return number


def settle(
    connection: Connection, match: StoredMatch, question: Question, now: datetime, by: Seat | None = None
) -> bool:
    """Settles an open question, which ``by`` has decided, if it is to be, and does what was agreed
    on; warns, in time, who is away from a match that is to be abandoned. Returns whether it did
    anything.
    """
    if not consent.has_ground(match, clocks_of(connection, match), question, now) or _cannot_sit(connection, question):
        close(connection, match, question, "lapsed", now)
        return True
    if not isinstance(question, StoredOffer):
        return False
    status = consent.settled(match, question, _away_since(connection, match, now), now)
    if status == "open" and question.kind == "abandon" and consent.abandoning(match, question, now) == "warn":
        question = replace(question, warned_at=instant(now))
        rows.write(connection, question)
        tell(connection, match, made(match, question), now, only=consent.away_from(match, question))
        return True
    done = _done(connection, match, question, now) if status == "accepted" else {}
    if status == "open" or done is None:
        return False
    rows.write(connection, replace(question, status=status, settled_at=now))
    if status == "declined" or question.kind not in ENDINGS:
        told = existing(match_rows.find(connection, match.id), match.id)
        tell(connection, told, replace(became(match, question, by, status), **done), now)
    return True


def close(
    connection: Connection,
    match: StoredMatch,
    question: Question,
    status: Literal["lapsed", "withdrawn"],
    now: datetime,
) -> None:
    """Settles a question without an answer: who waits for events is told of an offer, and nobody
    by mail.
    """
    rows.write(connection, replace(question, status=status, settled_at=now))
    if isinstance(question, StoredOffer):
        events.tell(connection, [News(match.id, "offer_settled", "all", seat=question.seat, ply=match.ply)], now)


def _cannot_sit(connection: Connection, question: Question) -> bool:
    """Whether who is to have a seat has left for good or is suspended; if not, neither happens
    until the transaction ends.
    """
    taker_id = question.taker_id if isinstance(question, StoredOffer) else None
    if taker_id is None:
        return False
    here = players.lock_here(connection, [taker_id])
    taker = players.find(connection, taker_id)
    return not here or taker is None or taker.suspended_at is not None


def waiting_for(connection: Connection, match: StoredMatch, seat: Seat, now: datetime) -> tuple[Question, ...]:
    """The questions that wait for the word of a seat, the oldest first."""
    found = rows.open_ones(connection, match.id)
    if not found:  # as for most mails
        return ()
    clocks = clocks_of(connection, match)
    return tuple(each for each in found if seat in consent.waits_for(match, clocks, each, now))


def clocks_of(connection: Connection, match: StoredMatch) -> tuple[SeatClock, ...]:
    """The clocks of a match; none where it has none."""
    return tuple(own.clock for own in clock_rows.of_matches(connection, [match.id]).get(match.id, ()))


def _done(connection: Connection, match: StoredMatch, offer: StoredOffer, now: datetime) -> dict[str, Any] | None:
    """Does what was agreed on. Returns what is told of it; ``None`` where a turn has to be judged
    before, or who is away from a match has not been mailed yet.
    """
    match offer.kind:
        case "extend":
            assert offer.for_seat is not None
            timekeeping.step_alone(connection, match, "extended", offer.for_seat, now, offer.days * DAY)
            return {}
        case "pause":
            start = moment(instant(now))
            pause = StoredPause(offer.id, match.id, start, start + timedelta(days=offer.days))
            clock_rows.add_pause(connection, pause)
            timekeeping.reschedule(connection, [match], now)
            return {"until": instant(pause.end_at)}
        case "hand_over":
            return _handed_over(connection, match, offer, now)
        case "end" | "draw" | "call_off" | "abandon":
            end = _early_end(match, offer)
            if end.how == "abandoned" and outbox.is_untold(connection, match.id, offer.id):
                return None
            return None if turn_rows.add_all(connection, [_ending(match, offer, end, now)]) else {}


def _early_end(match: StoredMatch, offer: StoredOffer) -> EarlyEnd:
    """How a match ends by an offer that was accepted, or that passes over who is away."""
    asked = consent.asked_of(match, offer)
    said_yes = [seat for seat in asked if offer.answers.get(seat)]
    silent = [seat for seat in asked if seat not in said_yes]
    how: Ending = "abandoned" if silent else ENDINGS[offer.kind]
    absent = tuple(seat for seat in silent if match.seats[seat].suspended_at is not None)
    return EarlyEnd(how, tuple(sorted([offer.seat, *said_yes])), absent)


def _ending(match: StoredMatch, offer: StoredOffer, end: EarlyEnd, now: datetime) -> StoredTurn:
    """The row by which the judge ends the match."""
    maker = match.seats[offer.seat].player_id
    assert maker is not None
    return StoredTurn(
        id=f"{match.id}.offer.{offer.number}",
        match_id=match.id,
        seat=offer.seat,
        player_id=maker,
        ply=match.ply,
        document={"actions": [], "early_end": to_document(end)},
        submitted_at=now,
        kind="early_end",
    )


def _handed_over(
    connection: Connection, match: StoredMatch, offer: StoredOffer, now: datetime
) -> dict[str, str] | None:
    """Gives the seat to whoever has agreed to have it. Its clock goes on with the time that is
    left, what it had offered or answered is gone, and its new owner is asked what it was asked.
    Time that is up is judged first.
    """
    if turn_rows.waiting(connection, [match.id]) or timekeeping.is_up(connection, match, offer.seat, now):
        return None
    taker = players.find(connection, offer.taker_id or "")
    assert taker is not None
    handover = Handover(offer.seat, match.ply, written(moment(instant(now))), match.names[offer.seat], taker.name)
    if match.clock is not None:
        timekeeping.step_alone(connection, match, "handed", offer.seat, now)
    match_rows.hand_over(connection, match, handover, taker.id, now)
    for other in rows.open_ones(connection, match.id):
        if other.seat == offer.seat and other.id != offer.id:
            close(connection, match, other, "lapsed", now)
        elif isinstance(other, StoredOffer) and offer.seat in other.answers:
            kept = {seat: accepts for seat, accepts in other.answers.items() if seat != offer.seat}
            rows.write(connection, replace(other, answers=kept))
    new = existing(match_rows.find(connection, match.id), match.id)
    timekeeping.reschedule(connection, [new], now, anew=offer.seat)
    before = match.seats[offer.seat].player_id
    assert before is not None
    covering.cover_handed(connection, before, match.id, now)
    gone = notice_for(match, offer.seat, "seat_handed", SeatHanded(offer.seat, taker.id))
    news = [News(match.id, "seat_handed", "player", before, offer.seat, match.ply, notices=(gone,))]
    if new.seats[offer.seat].to_act:
        notice = notice_for(new, offer.seat, "your_turn", AtPly(offer.seat, new.ply))
        news.append(news_for(new, offer.seat, "turn_awaited", new.ply, notice))
    events.tell(connection, news, now)
    for other in waiting_for(connection, new, offer.seat, now):
        if isinstance(other, StoredOffer):
            tell(connection, new, made(new, other), now, only=[offer.seat])
    return {"to": taker.id}


def _away_since(connection: Connection, match: StoredMatch, now: datetime) -> dict[Seat, datetime]:
    """Since when players have days off or are suspended, or a bot holds their seat."""
    since = {seat.seat: seat.away_since for seat in match.seats if seat.away_since is not None}
    seated = {seat.player_id: seat.seat for seat in match.seats if seat.player_id is not None}
    known, at = clock_rows.days_off_of(connection, list(seated), now), instant(now)
    for player, stops in known.items():
        for stop in stops:
            if stop.start <= at < stop.end:
                began, seat = moment(stop.start), seated[player]
                since[seat] = min(began, since.get(seat, began))
    return since


def tell(
    connection: Connection,
    match: StoredMatch,
    told: OfferMade | OfferSettled,
    now: datetime,
    taker_id: str | None = None,
    only: Sequence[Seat] | None = None,
) -> None:
    """Tells everybody who has a seat, or the seats ``only``, of an offer, but who did it: the seat
    ``told.by``, or somebody without a seat. No player is kept, by a block, from knowing what was
    agreed on, or may end the match without their word: it is part of the play.
    """
    agreed = isinstance(told, OfferSettled) and told.result == "accepted"
    sender = taker_id if told.by is None else match.seats[told.by].player_id
    sender = None if agreed or told.offer == "abandon" else sender
    kind: Literal["offer_made", "offer_settled"] = "offer_made" if isinstance(told, OfferMade) else "offer_settled"
    notices = tuple(
        notice_for(match, seat.seat, kind, replace(told, seat=seat.seat), sender)
        for seat in match.seats
        if seat.is_owned and seat.seat != told.by and (only is None or seat.seat in only)
    )
    news = News(match.id, kind, "all", seat=told.seat, ply=match.ply, payload=told, notices=notices)
    events.tell(connection, [news], now)


def made(match: StoredMatch, offer: StoredOffer) -> OfferMade:
    """What is told of an offer that waits for answers."""
    away = consent.away_from(match, offer) if offer.kind == "abandon" else ()
    return OfferMade(
        seat=offer.seat,
        ply=match.ply,
        id=offer.id,
        offer=offer.kind,
        days=offer.days,
        for_seat=offer.for_seat,
        by=offer.seat,
        question=offer.number,
        asked=consent.asked_of(match, offer),
        lapses_at=instant(consent.lapses_at(offer)),
        to=offer.taker_id or "",
        away=away,
        ends_at=instant(consent.abandoned_at(match, offer)) if away else None,
        warned=offer.warned_at is not None,
    )


def became(
    match: StoredMatch, offer: StoredOffer, by: Seat | None, result: Literal["accepted", "declined"]
) -> OfferSettled:
    """What is told of an offer that was answered."""
    asked, maker = consent.asked_of(match, offer), match.seats[offer.seat].player_id or ""
    yes = tuple(seat for seat in asked if offer.answers.get(seat))
    passed = tuple(seat for seat in asked if seat not in yes) if result == "accepted" else ()
    return OfferSettled(
        offer.seat, match.ply, offer.kind, offer.for_seat, by, result, maker=maker, accepted=yes, passed=passed
    )
