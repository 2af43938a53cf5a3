"""The offers that players of a match make, answer and withdraw; and the end of a pause."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Annotated, Final

from sqlalchemy import Connection

from engine.documents import About
from engine.types import Seat
from service.addresses import folded, read_email
from service.clocks.seat import SeatClock
from service.clocks.spans import instant, moment
from service.context import Context
from service.errors import Conflict, Forbidden, Invalid, NotFound
from service.events.gate import tell
from service.ids import ID_PATTERN
from service.matches import timekeeping
from service.matches.access import check_on, existing, seat_in
from service.matches.progress import news_by_address
from service.offers import consent, settling
from service.offers.settling import became, clocks_of, made, settle, settle_all
from service.payloads import OfferSettled, SeatOffered
from service.players import guests
from service.players.admission import admitted
from service.statuses import OfferKind
from service.store import addresses, clocks
from service.store import matches as match_rows
from service.store import players as player_rows
from service.store import questions as rows
from service.store.matches import StoredMatch
from service.store.players import Player
from service.store.questions import QuestionStatus, StoredOffer
from service.texts import gettext as _

LONGEST_PAUSE: Final = 14
"""The most days of one pause."""
NOTICE: Final = timedelta(days=1)
"""A pause goes on for so long after somebody has ended it."""
ID_LENGTH: Final = 12
MOST_SHOWN: Final = 20


@dataclass(frozen=True, slots=True)
class Offer:
    """An offer that a player has made to the others of a match."""

    id: Annotated[str, About("The id of the offer.", pattern=ID_PATTERN)]
    number: Annotated[int, About("By which it is named in mails: `accept 3`. The questions of a match count from 1.")]
    kind: Annotated[
        OfferKind,
        About(
            "`pause`, `extend`; `end`: the match ends with the standing; `draw`: it ends as a draw; `call_off`: it is"
            " cancelled; `abandon`: it is cancelled without the word of those who have been `away` for 14 days;"
            " `hand_over`: somebody else gets the seat."
        ),
    ]
    seat: Annotated[int, About("Who has made it.")]
    days: Annotated[int, About("The days of the pause, or those by which a time is extended.")]
    for_seat: Annotated[int | None, About("Whose time is extended; `null` for all other offers.")]
    to: Annotated[
        str | None, About("Who is to have the seat, once they have agreed to; `null` before, and for all other offers.")
    ]
    status: Annotated[
        QuestionStatus, About("`lapsed`: its ground is gone, or not all had answered after 14 days, 28 for `abandon`.")
    ]
    made_at: Annotated[datetime, About("When it was made.")]
    settled_at: Annotated[datetime | None, About("When it was settled; `null` while it is open.")]
    accepted_by: Annotated[tuple[int, ...], About("The seats that have accepted it.")]
    waits_for: Annotated[
        tuple[int, ...],
        About(
            "The seats whose answer it needs; none once it is settled, and none while it waits for whoever is to have"
            " the seat."
        ),
    ]
    lapses_at: Annotated[
        datetime | None, About("Until when it can be answered, if its ground lasts; `null` once it is settled.")
    ]
    away: Annotated[
        tuple[int, ...],
        About("The seats that a bot holds, or whose player is suspended: the match can end as abandoned without them."),
    ]
    ends_at: Annotated[datetime | None, About("When the match ends as abandoned at the earliest; otherwise `null`.")]


@dataclass(frozen=True, slots=True)
class Offers:
    """The offers of a match, the newest first, and its pause."""

    items: Annotated[tuple[Offer, ...], About("The offers.")]
    paused_until: Annotated[datetime | None, About("Until when the match is paused; `null` if it is not.")]


def of_match(context: Context, match_id: str, now: datetime, player: Player | None = None) -> Offers:
    """The latest offers and the pause, for a player or spectator. Raises ``NotFound``."""
    with context.database.read() as connection:
        match = admitted(connection, match_rows.find(connection, match_id), match_id, player)
        return shown(connection, match, now)


def offer(
    context: Context,
    player: Player,
    match_id: str,
    kind: OfferKind,
    days: int = 1,
    for_seat: Seat | None = None,
    offer_id: str | None = None,
    email: str | None = None,
) -> Offers:
    """Offers something to the others: a pause of so many days; to extend the time of a seat by a
    day, that of the player if they are awaited, else that of the only seat that is; an end of the
    match; or to hand the player's seat to whoever has the address ``email``. It is accepted at once
    where nobody has to be asked. An ``offer_id`` that the caller has made makes one offer.

    Raises ``NotFound``, ``Forbidden`` (``not_seated``), ``Invalid``, ``TooMany`` and ``Conflict``
    (``match_not_running``, ``no_clock``, ``offer_open``, ``paused``, ``not_awaited``,
    ``already_seated``, ``mail_unwanted``, ``seat_gone``, ``seat_held``, ``nobody_away``,
    ``asked_lately``).
    """
    guests.check_account(player)
    now = context.clock()
    with context.database.write() as connection:
        match, seat = _table(connection, player, match_id, now)
        if offer_id is not None and rows.find(connection, offer_id) is not None:
            return shown(connection, match, now)
        known = next((each for each in rows.open_offers(connection, match.id) if each.kind == kind), None)
        if known is not None:
            sentence = _("An offer of that kind is open already, number {number} by {name}: answer it, or withdraw it.")
            raise Conflict(sentence.format(number=known.number, name=match.names[known.seat]), "offer_open")
        whose = _checked(connection, match, seat, kind, days, for_seat, now)
        new = StoredOffer(
            id=offer_id or context.entropy.token(ID_LENGTH),
            match_id=match.id,
            number=rows.next_number(connection, match.id),
            kind=kind,
            seat=seat,
            days=days if kind == "pause" else 1,
            for_seat=whose,
            for_turn=None if whose is None else clocks_of(connection, match)[whose].turns,
            made_at=now,
            address=folded(read_email(email or "")) if kind == "hand_over" else None,
        )
        rows.add(connection, new)
        if new.address is not None:
            _named(connection, match, new, player, email or "", now)
        elif not settle(connection, match, new, now):
            settling.tell(connection, match, made(match, new), now)
        offers = shown(connection, existing(match_rows.find(connection, match.id), match.id), now)
    _wake(context)
    return offers


def answer(context: Context, player: Player, match_id: str, offer_id: str, accepts: bool) -> Offers:
    """Accepts or declines an offer, also for somebody to whom a seat is offered. The same answer
    again changes nothing. Raises ``NotFound`` (``offer_not_found``), ``Forbidden`` (``not_seated``,
    ``not_asked``) or ``Conflict`` (``offer_settled``, ``already_seated``, ``seat_gone``).
    """
    now = context.clock()
    with context.database.write() as connection:
        match = admitted(connection, match_rows.lock(connection, match_id), match_id, player)
        named = offered_to(connection, player, match, offer_id)
        seated = match.seat_of(player.id) is not None
        if named is not None and (not seated or named.waits_for_taker):
            _taken(connection, match, named, player.id, accepts, now)
        else:
            _answered_by_seat(connection, match, player, offer_id, accepts, now)
        offers = shown(connection, existing(match_rows.find(connection, match.id), match.id), now)
    _wake(context)
    return offers


def decline(context: Context, match_id: str, offer_id: str) -> None:
    """Declines a seat for whoever has the address that it is offered to, and has no account. Raises
    as ``answer``.
    """
    with context.database.write() as connection:
        match = existing(match_rows.lock(connection, match_id), match_id)
        _taken(connection, match, _wanted(connection, match, offer_id), None, False, context.clock())
    _wake(context)


def offered_to(
    connection: Connection, player: Player, match: StoredMatch, offer_id: str | None = None
) -> StoredOffer | None:
    """The offer of that id, or an open one, by which a player is to have the seat of another."""
    known = addresses.confirmed(connection, player)
    found = rows.open_offers(connection, match.id) if offer_id is None else [rows.find(connection, offer_id)]
    offers = (each for each in found if isinstance(each, StoredOffer) and each.match_id == match.id)
    return next((each for each in offers if each.address in known), None)


def withdraw(context: Context, player: Player, match_id: str, offer_id: str) -> Offers:
    """Takes back an offer of the player's own; again changes nothing. Raises as ``answer``."""
    now = context.clock()
    with context.database.write() as connection:
        match, seat = _table(connection, player, match_id, now)
        found = _wanted(connection, match, offer_id)
        if found.seat != seat:
            raise Forbidden(_("Only who has made an offer withdraws it; you can decline it."), "not_asked")
        if found.status not in ("open", "withdrawn"):
            raise Conflict(settled_words(found.status), "offer_settled")
        if found.status == "open":
            settling.close(connection, match, found, "withdrawn", now)
        offers = shown(connection, match, now)
    context.queue.wake_notices()
    return offers


def resume(context: Context, player: Player, match_id: str) -> Offers:
    """Ends the pause of a match a day from now, or when it ends anyway. Doing so again changes
    nothing. Raises ``NotFound``, ``Forbidden`` (``not_seated``) or ``Conflict`` (``seat_gone``,
    ``not_paused``).
    """
    now = context.clock()
    with context.database.write() as connection:
        match, seat = _table(connection, player, match_id, now)
        pause = clocks.pause_at(connection, match.id, now)
        if pause is None:
            raise Conflict(_("The match is not paused."), "not_paused")
        ends = moment(instant(now)) + NOTICE
        if ends < pause.end_at:  # a second wish within the day of notice does not put it off
            clocks.shorten_pause(connection, pause, ends)
            timekeeping.reschedule(connection, [match], now)
            resumed = OfferSettled(seat, match.ply, "pause", None, seat, "resumed", instant(ends))
            settling.tell(connection, match, resumed, now)
        offers = shown(connection, match, now)
    context.queue.wake_notices()
    return offers


def _table(connection: Connection, player: Player, match_id: str, now: datetime) -> tuple[StoredMatch, Seat]:
    """The running match, locked, and the seat that the player owns in it, after what could be
    settled is.
    """
    match = admitted(connection, match_rows.lock(connection, match_id), match_id, player)
    if settle_all(connection, match, now):
        match = existing(match_rows.find(connection, match_id), match_id)
    seat = seat_in(match, player)
    check_on(match, seat)
    if match.status != "running":
        raise Conflict(_("The match is archived. Resume it first."), "match_not_running")
    return match, seat


def _checked(
    connection: Connection,
    match: StoredMatch,
    seat: Seat,
    kind: OfferKind,
    days: int,
    for_seat: Seat | None,
    now: datetime,
) -> Seat | None:
    """Checks that something can be offered now. Returns the seat whose time is to be extended."""
    if kind in ("hand_over", "abandon") and match.seats[seat].by_bot:
        raise Conflict(_("A bot plays your seat: take it back first."), "seat_held")
    if kind == "abandon" and not any(other.is_owned and other.away_since for other in match.seats):
        raise Conflict(_("No bot holds the seat of another player: nobody has abandoned the match."), "nobody_away")
    if kind == "abandon" and rows.asked_since(connection, match.id, kind, now - consent.WARNED_FOR):
        sentence = _("That was asked within the last three days: whoever is away is not asked more often.")
        raise Conflict(sentence, "asked_lately")
    if kind in consent.OF_TIME and match.clock is None:
        raise Conflict(_("This match has no clock: there is no time to agree on."), "no_clock")
    if kind == "pause" and not 1 <= days <= LONGEST_PAUSE:
        raise Invalid((("/days", _("A pause has 1 to {most} days.").format(most=LONGEST_PAUSE)),))
    if kind == "pause" and clocks.pause_at(connection, match.id, now) is not None:
        raise Conflict(_("The match is paused already."), "paused")
    return _whose(match, clocks_of(connection, match), seat, for_seat) if kind == "extend" else None


def _named(
    connection: Connection, match: StoredMatch, offer: StoredOffer, player: Player, email: str, now: datetime
) -> None:
    """Asks whoever is to have a seat, by mail, whether they agree to; the others are asked then."""
    assert offer.address is not None
    named = player_rows.by_address(connection, offer.address)
    if named is not None and named.id == player.id:  # of others nobody learns whose the address is
        raise Conflict(_("This is your own address: you have the seat."), "already_seated")
    payload = SeatOffered(offer.seat, offer.number, instant(consent.lapses_at(offer)))
    news = news_by_address(match, offer.seat, "seat_offered", payload, named, email, player.id)
    tell(connection, [news], now)


def _taken(
    connection: Connection, match: StoredMatch, offer: StoredOffer, player_id: str | None, accepts: bool, now: datetime
) -> None:
    """What somebody has answered to whom a seat is offered; ``None``, that they decline."""
    if offer.status != "open":
        if accepts or offer.status != "declined":
            raise Conflict(settled_words(offer.status), "offer_settled")
    elif not consent.has_ground(match, clocks_of(connection, match), offer, now):
        settle(connection, match, offer, now)
    elif not accepts:
        rows.write(connection, replace(offer, status="declined", settled_at=now))
        settling.tell(connection, match, became(match, offer, None, "declined"), now, player_id)
    elif match.seat_of(player_id) is not None:
        raise Conflict(_("You have a seat in this match already, and nobody has two."), "already_seated")
    elif offer.taker_id is None:
        offer = replace(offer, taker_id=player_id)
        rows.write(connection, offer)
        if not settle(connection, match, offer, now):
            settling.tell(connection, match, made(match, offer), now)


def _answered_by_seat(
    connection: Connection, match: StoredMatch, player: Player, offer_id: str, accepts: bool, now: datetime
) -> None:
    match, seat = _table(connection, player, match.id, now)
    found = _wanted(connection, match, offer_id)
    if accepts and found.taker_id == player.id:
        return
    if found.seat == seat:
        raise Forbidden(_("This is your own offer; you can withdraw it."), "not_asked")
    if found.answers.get(seat) == accepts:
        return
    if found.status != "open":
        raise Conflict(settled_words(found.status), "offer_settled")
    if found.waits_for_taker:
        raise Forbidden(_("You are asked when it is known who is to have the seat."), "not_asked")
    found = replace(found, answers=dict(found.answers) | {seat: accepts})
    rows.write(connection, found)
    settle(connection, match, found, now, seat)


def _whose(match: StoredMatch, clocks: Sequence[SeatClock], seat: Seat, wanted: Seat | None) -> Seat:
    """The seat whose time is to be extended: one whose clock runs."""
    running = [each for each, clock in enumerate(clocks) if clock.since is not None]
    if wanted is None and seat in running:
        return seat
    if wanted is None and running:
        if len(running) == 1:
            return running[0]
        raise Invalid((("/seat", _("Whose time? The match waits for the seats {seats}.").format(seats=running)),))
    if wanted is not None and wanted in running:
        return wanted
    raise Conflict(_("Only a clock that runs is extended, and none does there."), "not_awaited")


def _wanted(connection: Connection, match: StoredMatch, offer_id: str) -> StoredOffer:
    found = rows.find(connection, offer_id)
    if not isinstance(found, StoredOffer) or found.match_id != match.id:
        raise NotFound(_("There is no such offer in this match."), "offer_not_found")
    return found


def _wake(context: Context) -> None:
    """Wakes who mails, and the judge, as a match may end. Call it after the commit."""
    context.queue.wake_turns()
    context.queue.wake_notices()


def shown(connection: Connection, match: StoredMatch, now: datetime) -> Offers:
    """The latest offers of a match that was read, and its pause."""
    seat_clocks = clocks_of(connection, match)
    pause = clocks.pause_at(connection, match.id, now)
    found = rows.latest_offers(connection, match.id, MOST_SHOWN)
    takers = player_rows.names(connection, {each.taker_id for each in found if each.taker_id is not None})
    items = tuple(_offer(match, seat_clocks, each, takers.get(each.taker_id or ""), now) for each in found)
    return Offers(items, None if pause is None else pause.end_at)


def _offer(match: StoredMatch, clocks: Sequence[SeatClock], offer: StoredOffer, to: str | None, now: datetime) -> Offer:
    status = offer.status
    if status == "open" and not consent.has_ground(match, clocks, offer, now):
        status = "lapsed"  # its row says so as soon as somebody writes to it
    away = consent.away_from(match, offer) if status == "open" and offer.kind == "abandon" else ()
    return Offer(
        id=offer.id,
        number=offer.number,
        kind=offer.kind,
        seat=offer.seat,
        days=offer.days,
        for_seat=offer.for_seat,
        to=to,
        status=status,
        made_at=offer.made_at,
        settled_at=offer.settled_at,
        accepted_by=tuple(seat for seat, accepts in sorted(offer.answers.items()) if accepts),
        waits_for=consent.waits_for(match, clocks, offer, now) if status == "open" else (),
        lapses_at=consent.lapses_at(offer) if status == "open" else None,
        away=away,
        ends_at=consent.abandoned_at(match, offer) if away else None,
    )


def settled_words(status: QuestionStatus) -> str:
    """What has become of a question, as a sentence; empty for one that is open."""
    return {
        "accepted": _("This was accepted."),
        "declined": _("This was declined."),
        "withdrawn": _("This was withdrawn."),
        "lapsed": _("This has lapsed."),
        "open": "",
    }[status]
