"""Settles offers, and does what was agreed on. With the match locked.

An offer is settled with the answer that decides it; the sweeper settles those that nobody has to
answer any more (``service.offers.consent``), and those whose ground is gone: the match is over, the
turn whose time was to be extended is, or whoever offered it plays no more. The end of a match is
judged in order with its turns, and a seat is handed over when none of its turns waits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Final, Literal, TypeAlias

from sqlalchemy import Connection

from engine.documents import to_document
from engine.record import Agreement, Handover
from engine.types import Ending, Seat
from service.clocks.history import ClockStep
from service.clocks.instants import instant, moment
from service.clocks.seat import SeatClock
from service.context import Judging
from service.events import tell as events
from service.events.tell import News
from service.matches import timekeeping
from service.matches.access import existing
from service.matches.progress import news_for, notice_for
from service.offers.consent import ABSENT_FOR, asked_of, lapsed, settled
from service.payloads import AtPly, OfferMade, OfferSettled, SeatHanded
from service.store import clocks as clock_rows
from service.store import covering, held, players
from service.store import matches as match_rows
from service.store import offers as rows
from service.store import turns as turn_rows
from service.store.matches import StoredMatch
from service.store.offers import OfferKind, OfferStatus, StoredOffer, StoredPause
from service.store.turns import StoredTurn

DAY: Final = 86_400
ENDINGS: Final[dict[OfferKind, Ending]] = {"end": "standing", "draw": "draw", "call_off": "called_off"}
"""How a match ends by an offer of that kind."""
OfferNews: TypeAlias = Literal["offer_made", "offer_settled"]


def due(context: Judging) -> tuple[str, ...]:
    """The matches with offers that may be settled, or have lapsed, the oldest offer first."""
    with context.database.look() as connection:
        return rows.matches_with_older(connection, context.clock() - ABSENT_FOR)


def settle_match(context: Judging, match_id: str) -> int:
    """Settles the offers of a match that nobody has to answer any more, and those that have lapsed.
    Returns their number.
    """
    with context.database.write() as connection:
        number = settle_all(connection, existing(match_rows.lock(connection, match_id), match_id), context.clock())
    if number:
        context.queue.wake_turns()
        context.queue.wake_notices()
    return number


def settle_all(connection: Connection, match: StoredMatch, now: datetime) -> int:
    """Settles what can be settled of a locked match. Gives how many offers."""
    number = 0
    for each in rows.open_ones(connection, match.id):
        number += settle(connection, match, each, now)
        match = existing(match_rows.find(connection, match.id), match.id)  # a seat may have been handed over
    return number


def settle(
    connection: Connection, match: StoredMatch, offer: StoredOffer, now: datetime, by: Seat | None = None
) -> bool:
    """Settles an open offer, if it is to be, and does what was agreed on; ``by`` has decided it."""
    status: OfferStatus = "lapsed"
    if has_ground(match, clocks_of(connection, match), offer):
        status = lapsed(offer.made_at, now)
        if not offer.waits_for_taker:
            absent = _absent(connection, match, now)
            status = settled(asked_of(match, offer), offer.answers, absent, offer.made_at, now)
    done = _done(connection, match, offer, now) if status == "accepted" else {}
    if status == "open" or done is None:
        return False
    rows.write(connection, replace(offer, status=status, settled_at=now))
    if status in ("accepted", "declined") and not (status == "accepted" and offer.kind in ENDINGS):
        told = existing(match_rows.find(connection, match.id), match.id)
        tell(connection, told, replace(became(told, offer, by, status), **done), now)
    return True


def has_ground(match: StoredMatch, clocks: Sequence[SeatClock], offer: StoredOffer) -> bool:
    """Whether an offer can still be accepted."""
    maker = match.seats[offer.seat]
    if match.status != "running" or maker.resigned_at is not None or maker.by_bot:
        return False
    if offer.kind == "hand_over":
        return match.seat_of(offer.taker_id) is None
    if offer.for_seat is None:
        return True
    clock = clocks[offer.for_seat]
    return clock.since is not None and clock.turns == offer.for_turn


def clocks_of(connection: Connection, match: StoredMatch) -> tuple[SeatClock, ...]:
    """The clocks of a match; none where it has none."""
    return tuple(own.clock for own in clock_rows.of_matches(connection, [match.id]).get(match.id, ()))


def _done(connection: Connection, match: StoredMatch, offer: StoredOffer, now: datetime) -> dict[str, Any] | None:
    """Does what was agreed on. Gives what is told of it; ``None`` where a turn has to be judged
    first.
    """
    match offer.kind:
        case "extend":
            step = ClockStep("extended", offer.for_seat, match.ply, -1, -1, seconds=offer.days * DAY)
            timekeeping.step_alone(connection, match, step, now)
            return {}
        case "pause":
            start = moment(instant(now))
            pause = StoredPause(offer.id, match.id, start, start + timedelta(days=offer.days))
            rows.add_pause(connection, pause)
            timekeeping.reschedule(connection, [match], now)
            return {"until": instant(pause.end_at)}
        case "hand_over":
            return _handed_over(connection, match, offer, now)
        case "end" | "draw" | "call_off":
            return None if turn_rows.add_all(connection, [_end(match, offer, now)]) else {}


def _end(match: StoredMatch, offer: StoredOffer, now: datetime) -> StoredTurn:
    """The row by which the judge ends the match."""
    maker = match.seats[offer.seat].player_id
    assert maker is not None
    agreed = {offer.seat} | {seat for seat, accepts in offer.answers.items() if accepts}
    playing = agreed & {offer.seat, *asked_of(match, offer)}
    return StoredTurn(
        id=f"{match.id}.offer.{offer.number}",
        match_id=match.id,
        seat=offer.seat,
        player_id=maker,
        ply=match.ply,
        document={"actions": [], "agreement": to_document(Agreement(ENDINGS[offer.kind], tuple(sorted(playing))))},
        idempotency_key=None,
        fingerprint="",
        status="queued",
        verdict=None,
        submitted_at=now,
        judged_at=None,
        kind="agreed",
    )


def _handed_over(
    connection: Connection, match: StoredMatch, offer: StoredOffer, now: datetime
) -> dict[str, str] | None:
    """Gives the seat to whoever has agreed to have it. Its clock goes on with the time that is
    left, and what it had offered, or was asked, is gone. Time that is up is judged first.
    """
    if (match.id, offer.seat) in turn_rows.waiting(connection, [match.id]):
        return None
    if timekeeping.is_up(connection, match, offer.seat, now):
        return None
    taker = players.find(connection, offer.taker_id or "")
    assert taker is not None
    handover = Handover(offer.seat, match.ply, instant_text(now), match.names[offer.seat], taker.name)
    if match.clock is not None:
        timekeeping.step_alone(connection, match, ClockStep("handed", offer.seat, match.ply, -1, -1), now)
    match_rows.hand_over(connection, match, handover, taker.id, now)
    held.drop(connection, match.id, offer.seat, now)
    for other in rows.open_ones(connection, match.id):
        if other.seat == offer.seat and other.id != offer.id:
            rows.write(connection, replace(other, status="lapsed", settled_at=now))
        elif offer.seat in other.answers:
            kept = {seat: accepts for seat, accepts in other.answers.items() if seat != offer.seat}
            rows.write(connection, replace(other, answers=kept))
    new = existing(match_rows.find(connection, match.id), match.id)
    timekeeping.reschedule(connection, [new], now, anew=offer.seat)
    before = match.seats[offer.seat].player_id
    assert before is not None
    covering.cover_handed(connection, before, match.id, now)
    gone = notice_for(match, offer.seat, "seat_handed", SeatHanded(offer.seat, handover.to))
    news = [News(match.id, "seat_handed", "player", before, offer.seat, match.ply, notices=(gone,))]
    if new.seats[offer.seat].to_act:
        notice = notice_for(new, offer.seat, "your_turn", AtPly(offer.seat, new.ply))
        news.append(news_for(new, offer.seat, "turn_awaited", new.ply, notice))
    events.tell(connection, news, now)
    return {"name": handover.by, "to": handover.to}


def instant_text(now: datetime) -> str:
    """A moment as records write it."""
    return moment(instant(now)).isoformat()


def _absent(connection: Connection, match: StoredMatch, now: datetime) -> set[Seat]:
    """The seats of players who have declared that they are absent now."""
    seated = {seat.player_id: seat.seat for seat in match.seats if seat.player_id is not None}
    known, at = clock_rows.days_off_of(connection, list(seated), now), instant(now)
    return {seated[player] for player, stops in known.items() if any(stop.start <= at < stop.end for stop in stops)}


def tell(
    connection: Connection,
    match: StoredMatch,
    told: OfferMade | OfferSettled,
    now: datetime,
    taker_id: str | None = None,
) -> None:
    """Tells everybody who plays of an offer but who did it: the seat ``told.by``, or somebody
    without a seat. What was agreed on is part of the play: no player is kept from knowing it.
    """
    agreed = isinstance(told, OfferSettled) and told.result == "accepted"
    sender = None if agreed else taker_id if told.by is None else match.seats[told.by].player_id
    kind: OfferNews = "offer_made" if isinstance(told, OfferMade) else "offer_settled"
    notices = tuple(
        replace(notice_for(match, seat.seat, kind, replace(told, seat=seat.seat)), sender_id=sender)
        for seat in match.seats
        if seat.player_id is not None and seat.resigned_at is None and seat.seat != told.by
    )
    news = News(match.id, kind, "all", seat=told.seat, ply=match.ply, payload=told, notices=notices)
    events.tell(connection, [news], now)


def made(match: StoredMatch, offer: StoredOffer, to: str = "") -> OfferMade:
    """What is told of an offer that waits for answers."""
    return OfferMade(offer.seat, match.ply, offer.id, offer.kind, offer.days, offer.for_seat, offer.seat, to)


def became(
    match: StoredMatch, offer: StoredOffer, by: Seat | None, result: Literal["accepted", "declined"]
) -> OfferSettled:
    """What is told of an offer that was answered."""
    return OfferSettled(offer.seat, match.ply, offer.kind, offer.for_seat, by, result)
