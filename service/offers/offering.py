"""Makes, answers and settles offers, and ends pauses.

With the match locked. An offer is settled with the answer that decides it; the sweeper settles
those that nobody has to answer any more (``service.offers.consent``), and those whose ground is
gone: the match is over, the turn whose time was to be extended is, or whoever offered it plays no
more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import Connection

from engine.types import Seat
from service.clocks.history import ClockStep
from service.clocks.instants import instant, moment
from service.clocks.seat import SeatClock
from service.context import Judging, Notifying, Stored
from service.errors import Conflict, Forbidden, Invalid, NotFound
from service.events.kinds import EventKind
from service.events.tell import News, tell
from service.matches import timekeeping
from service.matches.access import existing
from service.matches.progress import notice_for
from service.offers.consent import ABSENT_FOR, asked_of, settled
from service.offers.types import Offer, Offers
from service.players.types import Player
from service.store import clocks as clock_rows
from service.store import matches as match_rows
from service.store import offers as rows
from service.store.matches import StoredMatch
from service.store.offers import OfferKind, OfferStatus, StoredOffer, StoredPause
from service.texts import gettext as _

LONGEST_PAUSE: Final = 14
"""The most days of one pause."""
NOTICE: Final = timedelta(days=1)
"""A pause goes on for so long after somebody has ended it."""
ID_LENGTH: Final = 12
MOST_SHOWN: Final = 20
AT_ONCE: Final = 50
DAY: Final = 86_400


def of_match(context: Stored, match_id: str, now: datetime) -> Offers:
    """The latest offers of a match, and its pause. Raises ``NotFound``."""
    with context.database.read() as connection:
        match = existing(match_rows.find(connection, match_id), match_id)
        return shown(connection, match, now)


def offer(
    context: Notifying,
    player: Player,
    match_id: str,
    kind: OfferKind,
    days: int = 1,
    for_seat: Seat | None = None,
    offer_id: str | None = None,
) -> Offers:
    """Offers the others a pause of so many days, or to extend the time of a seat by a day: that of
    the player if they are awaited, else that of the only seat that is. It is accepted at once where
    nobody has to be asked, or where the same was offered by somebody else.

    An ``offer_id`` that the caller has made makes one offer, however often it is used. Raises
    ``NotFound``, ``Forbidden`` (``not_seated``), ``Invalid`` and ``Conflict``
    (``match_not_running``, ``no_clock``, ``offer_open``, ``paused``, ``not_awaited``).
    """
    now = context.clock()
    with context.database.write() as connection:
        match, seat = _table(connection, player, match_id)
        if offer_id is not None and rows.find(connection, offer_id) is not None:
            return shown(connection, match, now)
        clocks = _clocks(connection, match)
        _settle_all(connection, match, clocks, now)
        if kind == "pause" and not 1 <= days <= LONGEST_PAUSE:
            raise Invalid((("/days", _("A pause has 1 to {most} days.").format(most=LONGEST_PAUSE)),))
        if kind == "pause" and rows.pause_at(connection, match.id, now) is not None:
            raise Conflict(_("The match is paused already."), "paused")
        whose = _whose(match, clocks, seat, for_seat) if kind == "extend" else None
        new = StoredOffer(
            id=offer_id or context.entropy.token(ID_LENGTH),
            match_id=match.id,
            number=rows.last_number(connection, match.id) + 1,
            kind=kind,
            seat=seat,
            days=days if kind == "pause" else 1,
            for_seat=whose,
            for_turn=None if whose is None else clocks[whose].turns,
            made_at=now,
        )
        known = next((each for each in rows.open_ones(connection, match.id) if each.kind == kind), None)
        if known is not None and known.seat != seat and _same(known, new):
            _answered(connection, match, clocks, known, seat, True, now)
        elif known is not None:
            sentence = _("There is an open offer of that kind already: answer it, or withdraw it.")
            raise Conflict(sentence, "offer_open")
        else:
            rows.add(connection, new)
            if not _settle(connection, match, clocks, new, now):
                _tell(connection, match, new, "offer_made", now)
        offers = shown(connection, match, now)
    context.queue.wake_notices()
    return offers


def asks(connection: Connection, match: StoredMatch, seat: Seat) -> bool:
    """Whether an open offer waits for the answer of a seat."""
    return any(_waits_for(match, each, seat) for each in rows.open_ones(connection, match.id))


def answer(context: Notifying, player: Player, match_id: str, offer_id: str | None, accepts: bool) -> Offers:
    """Accepts or declines an offer, without an id the oldest that waits for the player's answer.
    The same answer again changes nothing.

    Raises ``NotFound`` (``offer_not_found``), ``Forbidden`` (``not_seated``, ``not_asked``) or
    ``Conflict`` (``offer_settled``).
    """
    now = context.clock()
    with context.database.write() as connection:
        match, seat = _table(connection, player, match_id)
        clocks = _clocks(connection, match)
        _settle_all(connection, match, clocks, now)
        found = _wanted(connection, match, seat, offer_id)
        if found.seat == seat:
            raise Forbidden(_("This is your own offer; you can withdraw it."), "not_asked")
        if found.answers.get(seat) != accepts:
            if found.status != "open":
                raise Conflict(_settled_words(found.status), "offer_settled")
            if seat not in asked_of(match, found.seat):
                raise Forbidden(_("A bot plays your seat; take it back to be asked."), "not_asked")
            _answered(connection, match, clocks, found, seat, accepts, now)
        offers = shown(connection, match, now)
    context.queue.wake_notices()
    return offers


def withdraw(context: Notifying, player: Player, match_id: str, offer_id: str) -> Offers:
    """Takes back an offer of the player's own. Doing so again changes nothing.

    Raises as ``answer``.
    """
    now = context.clock()
    with context.database.write() as connection:
        match, seat = _table(connection, player, match_id)
        found = _wanted(connection, match, seat, offer_id)
        if found.seat != seat:
            raise Forbidden(_("Only who has made an offer withdraws it; you can decline it."), "not_asked")
        if found.status not in ("open", "withdrawn"):
            raise Conflict(_settled_words(found.status), "offer_settled")
        if found.status == "open":
            rows.write(connection, replace(found, status="withdrawn", settled_at=now))
        return shown(connection, match, now)


def resume(context: Notifying, player: Player, match_id: str) -> Offers:
    """Ends the pause of a match a day from now, or when it ends anyway. Doing so again changes
    nothing. Raises ``NotFound``, ``Forbidden`` (``not_seated``) or ``Conflict`` (``not_paused``).
    """
    now = context.clock()
    with context.database.write() as connection:
        match, seat = _table(connection, player, match_id)
        pause = rows.pause_at(connection, match.id, now)
        if pause is None:
            raise Conflict(_("The match is not paused."), "not_paused")
        ends = moment(instant(now)) + NOTICE
        if ends < pause.end_at:  # a second wish within the day of notice does not put it off
            rows.shorten_pause(connection, pause, ends)
            timekeeping.reschedule(connection, [match])
            payload = {"ply": match.ply, "result": "resumed", "by": seat, "until": instant(ends)}
            _news(connection, match, "offer_settled", seat, payload, now)
        offers = shown(connection, match, now)
    context.queue.wake_notices()
    return offers


def settle_due(context: Judging) -> int:
    """Settles the offers that nobody has to answer any more, and those that have lapsed. Gives
    their number.
    """
    now, after, number = context.clock(), None, 0
    while True:
        with context.database.read() as connection:
            found = rows.older(connection, now - ABSENT_FOR, AT_ONCE, after)
        if not found:
            break
        after = found[-1]
        for match_id in dict.fromkeys(each.match_id for each in found):
            with context.database.write() as connection:
                match = existing(match_rows.lock(connection, match_id), match_id)
                number += _settle_all(connection, match, _clocks(connection, match), now)
    if number:
        context.queue.wake_notices()
    return number


def _table(connection: Connection, player: Player, match_id: str) -> tuple[StoredMatch, Seat]:
    """The running match, locked, and the player's seat in it."""
    match = existing(match_rows.lock(connection, match_id), match_id)
    seat = match.seat_of(player.id)
    if seat is None:
        raise Forbidden(_("You have no seat in this match."), "not_seated")
    if match.status != "running" or match.seats[seat].resigned_at is not None:
        raise Conflict(_("Offers are made in matches that you play, and that are running."), "match_not_running")
    if match.clock is None:
        raise Conflict(_("This match has no clock: there is no time to agree on."), "no_clock")
    return match, seat


def _clocks(connection: Connection, match: StoredMatch) -> tuple[SeatClock, ...]:
    return tuple(own.clock for own in clock_rows.of_matches(connection, [match.id]).get(match.id, ()))


def _whose(match: StoredMatch, clocks: Sequence[SeatClock], seat: Seat, wanted: Seat | None) -> Seat:
    """The seat whose time is to be extended: one whose clock runs."""
    running = [each for each, clock in enumerate(clocks) if clock.since is not None]
    if wanted is None and seat in running:
        return seat
    if wanted is None and len(running) == 1:
        return running[0]
    if wanted is not None and wanted in running:
        return wanted
    if wanted is None and running:
        raise Invalid((("/seat", _("Whose time? The match waits for the seats {seats}.").format(seats=running)),))
    raise Conflict(_("Only a clock that runs is extended, and none does there."), "not_awaited")


def _wanted(connection: Connection, match: StoredMatch, seat: Seat, offer_id: str | None) -> StoredOffer:
    if offer_id is None:
        asked = [each for each in rows.open_ones(connection, match.id) if _waits_for(match, each, seat)]
        found = asked[0] if asked else None
    else:
        found = rows.find(connection, offer_id)
    if found is None or found.match_id != match.id:
        raise NotFound(_("There is no such offer in this match."), "offer_not_found")
    return found


def _waits_for(match: StoredMatch, offer: StoredOffer, seat: Seat) -> bool:
    return seat in asked_of(match, offer.seat) and seat not in offer.answers


def _same(known: StoredOffer, new: StoredOffer) -> bool:
    return (known.kind, known.days, known.for_seat) == (new.kind, new.days, new.for_seat)


def _answered(
    connection: Connection,
    match: StoredMatch,
    clocks: Sequence[SeatClock],
    offer: StoredOffer,
    seat: Seat,
    accepts: bool,
    now: datetime,
) -> None:
    offer = replace(offer, answers=dict(offer.answers) | {seat: accepts})
    rows.write(connection, offer)
    _settle(connection, match, clocks, offer, now, seat)


def _settle_all(connection: Connection, match: StoredMatch, clocks: Sequence[SeatClock], now: datetime) -> int:
    """Settles what can be settled of a locked match. Gives how many offers."""
    return sum(_settle(connection, match, clocks, each, now) for each in rows.open_ones(connection, match.id))


def _settle(
    connection: Connection,
    match: StoredMatch,
    clocks: Sequence[SeatClock],
    offer: StoredOffer,
    now: datetime,
    by: Seat | None = None,
) -> bool:
    """Settles an open offer, if it is to be, and does what was agreed on; ``by`` has decided it."""
    status: OfferStatus = "lapsed"
    if _has_ground(match, clocks, offer):
        status = settled(
            asked_of(match, offer.seat), offer.answers, _absent(connection, match, now), offer.made_at, now
        )
    if status == "open":
        return False
    rows.write(connection, replace(offer, status=status, settled_at=now))
    if status == "accepted":
        _tell(
            connection, match, offer, "offer_settled", now, result=status, by=by, **_done(connection, match, offer, now)
        )
    elif status == "declined":
        _tell(connection, match, offer, "offer_settled", now, result=status, by=by)
    return True


def _has_ground(match: StoredMatch, clocks: Sequence[SeatClock], offer: StoredOffer) -> bool:
    maker = match.seats[offer.seat]
    if match.status != "running" or maker.resigned_at is not None or maker.by_bot:
        return False
    if offer.for_seat is None:
        return True
    clock = clocks[offer.for_seat]
    return clock.since is not None and clock.turns == offer.for_turn


def _done(connection: Connection, match: StoredMatch, offer: StoredOffer, now: datetime) -> dict[str, Any]:
    """Does what was agreed on. Gives what is told of it."""
    if offer.for_seat is not None:
        step = ClockStep("extended", offer.for_seat, match.ply, -1, -1, seconds=offer.days * DAY)
        timekeeping.step_alone(connection, match, step, now)
        return {}
    start = moment(instant(now))
    pause = StoredPause(offer.id, match.id, start, start + timedelta(days=offer.days))
    rows.add_pause(connection, pause)
    timekeeping.reschedule(connection, [match])
    return {"until": instant(pause.end_at)}


def _absent(connection: Connection, match: StoredMatch, now: datetime) -> set[Seat]:
    """The seats of players who have declared that they are absent now."""
    players = {seat.player_id: seat.seat for seat in match.seats if seat.player_id is not None}
    known, at = clock_rows.absences_of(connection, list(players), now), instant(now)
    return {players[player] for player, stops in known.items() if any(stop.start <= at < stop.end for stop in stops)}


def _tell(
    connection: Connection, match: StoredMatch, offer: StoredOffer, kind: EventKind, now: datetime, **more: Any
) -> None:
    payload = {"ply": match.ply, "offer": offer.kind, "days": offer.days, "for_seat": offer.for_seat} | more
    by = more.get("by")
    _news(connection, match, kind, offer.seat, payload | {"by": offer.seat if kind == "offer_made" else by}, now)


def _news(
    connection: Connection, match: StoredMatch, kind: EventKind, about: Seat, payload: dict[str, Any], now: datetime
) -> None:
    """Tells everybody but who did it, and who plays no more."""
    told = [
        notice_for(match, seat.seat, kind, **payload)
        for seat in match.seats
        if seat.player_id is not None and seat.resigned_at is None and seat.seat != payload["by"]
    ]
    tell(
        connection, [News(match.id, kind, "all", seat=about, ply=match.ply, payload=payload, notices=tuple(told))], now
    )


def shown(connection: Connection, match: StoredMatch, now: datetime) -> Offers:
    """The latest offers of a match that was read, and its pause."""
    clocks = _clocks(connection, match)
    pause = rows.pause_at(connection, match.id, now)
    found = rows.latest(connection, match.id, MOST_SHOWN)
    return Offers(tuple(_offer(match, clocks, each) for each in found), None if pause is None else pause.end_at)


def _offer(match: StoredMatch, clocks: Sequence[SeatClock], offer: StoredOffer) -> Offer:
    status = offer.status
    if status == "open" and not _has_ground(match, clocks, offer):
        status = "lapsed"  # its row says so as soon as somebody writes to it
    asked = asked_of(match, offer.seat) if status == "open" else ()
    return Offer(
        id=offer.id,
        kind=offer.kind,
        seat=offer.seat,
        days=offer.days,
        for_seat=offer.for_seat,
        status=status,
        made_at=offer.made_at,
        settled_at=offer.settled_at,
        accepted_by=tuple(seat for seat, accepts in sorted(offer.answers.items()) if accepts),
        waits_for=tuple(seat for seat in asked if seat not in offer.answers),
    )


def _settled_words(status: OfferStatus) -> str:
    return {
        "accepted": _("This offer was accepted."),
        "declined": _("This offer was declined."),
        "withdrawn": _("This offer was withdrawn."),
        "lapsed": _("This offer has lapsed."),
        "open": "",
    }[status]
