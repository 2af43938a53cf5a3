"""Matches before they run: create, find, join, leave, start; ``resign`` is exported with them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from hashlib import sha256
from typing import Any, Final

from sqlalchemy import Connection

from engine.draws import SECRET_BYTES, commitment, digest, is_nonce, made_nonce, terms
from engine.play import begin
from engine.registry import STANDARD
from service import house
from service.addresses import folded, read_email
from service.clocks.rule import ClockRule, document_of
from service.context import Context
from service.errors import Conflict, Forbidden, Invalid, NotFound, UnknownCursor
from service.events.gate import tell
from service.house import HousePlayer
from service.matches import archive, progress, replays, unstarted
from service.matches.access import JOIN_SECRET_LENGTH, check_link, existing, linked, match_seen_by, with_times
from service.matches.progress import Progress, Step, news_by_address, publish
from service.matches.proposal import NO_SUCH_BOT, Proposal, read_proposal
from service.matches.resign import resign as resign
from service.matches.types import Match, SeatRequest
from service.payloads import Invited, SeatFreed
from service.players import guests
from service.players.admission import admitted
from service.statuses import MatchStatus
from service.store import addresses, covering, match_lists, quotas
from service.store import matches as rows
from service.store import players as player_rows
from service.store.events import News
from service.store.matches import StoredMatch, StoredSeat
from service.store.outbox import NewNotice
from service.store.players import Player
from service.texts import gettext as _

MATCH_ID_LENGTH: Final = 10
NOT_OPEN: Final = "No seat is open to you: all are taken, or kept for others who are invited."
NOT_A_NONCE: Final = "A random text of a player is 8 to 64 letters, digits, _ and -."
MOST_OPEN: Final = 5
"""So many matches of one creator wait for players at a time."""


def create(
    context: Context,
    player: Player,
    game: str,
    options: Mapping[str, Any] | None,
    seats: Sequence[SeatRequest],
    title: str | None = None,
    components: str | Mapping[str, Any] = STANDARD,
    match_id: str | None = None,
    clock: ClockRule | None = None,
    unlisted: bool = False,
) -> Match:
    """Creates a match, with the commitment to its secret, and mails the invitations.

    A creator who wants to add a nonce asks for a ``reserved`` seat and joins, after seeing the
    commitment. ``components`` names a set of the game, or is a whole set as a document. A
    ``match_id`` that the caller has made creates one match, however often it is used. A guest
    creates one match, an unlisted one without a clock, against bots, with components of the game.
    Raises ``Forbidden``, ``TooMany`` or ``Conflict`` (``mail_unwanted``) for invitations, or
    ``Invalid`` with a pointer for everything that is wrong.
    """
    if not player.is_guest:
        _check_confirmed(player)
    elif clock is not None or not isinstance(components, str) or not _is_for_guests(seats):
        guests.check_account(player)
    if player.owner_id is not None:
        raise Forbidden("A bot takes seats in matches that people create; it creates none.", "bot_owns_nothing")
    now = context.clock()
    with context.database.look() as connection:
        known, own_bots = addresses.confirmed(connection, player), player_rows.bots_of(connection, player.id)
    own = {bot.id: bot for bot in own_bots}
    proposal = read_proposal(known, own, game, options, seats, title, components)
    bots = house.seated([seat.level for seat in proposal.seats])
    holders = [bot or own.get(seat.player or "") for bot, seat in zip(bots, proposal.seats, strict=True)]
    match = replace(
        _drafted(context, player, proposal, holders, now, match_id, clock), unlisted=unlisted or player.is_guest
    )
    moved = None
    with context.database.write() as connection:
        if match_id is not None and (known_match := rows.find(connection, match_id)) is not None:
            return match_seen_by(known_match, player.id)
        _check_here(connection, player, match)
        if player.is_guest:
            quotas.lock(connection, "creating", player.id, now)
            if match_lists.of_player(connection, player.id, (), (), False, 1, None):
                guests.check_account(player)
        if any(seat.player_id is None for seat in match.seats):
            _check_open_ones(connection, player, now)
        player_rows.add_house(connection, [bot for bot in bots if bot is not None], now)
        rows.add(connection, match, proposal.components)
        asked = [
            _invitation(connection, match, seat, proposal.seats[seat.seat].email or "")
            for seat in match.seats
            if seat.invited_at is not None
        ]
        tell(connection, asked, now)
        if all(seat.player_id is not None for seat in match.seats):
            moved = _begin(connection, match, now)
        created = existing(rows.find(connection, match.id), match.id)
    context.queue.wake_notices()
    if moved is not None:
        publish(context, moved)
    return match_seen_by(created, player.id)


def join(
    context: Context,
    player: Player,
    match_id: str,
    seat: int | None = None,
    nonce: str | None = None,
    link: str | None = None,
) -> Match:
    """Takes a seat: the given one, else the one the player is invited to, else the first open one,
    unless whoever created the match has blocked the player. ``link`` is the secret of the join link
    that the player has followed. When the last seat is taken the match starts. Joining again
    changes nothing. Raises ``NotFound``, ``Forbidden`` (``seat_kept``), ``Conflict``, ``Invalid``.
    """
    _check_confirmed(player)
    check_nonce(nonce)
    moved = None
    with context.database.write() as connection:
        match = admitted(connection, rows.lock(connection, match_id), match_id, player, link)
        if link is not None:
            check_link(match, link)
        now = context.clock()
        sitting = match.seat_of(player.id)
        if sitting is None:
            taken = _free_seat(match, addresses.confirmed(connection, player), seat)
            is_open = match.seats[taken].invited_email is None
            if is_open and player.id in player_rows.ids_blocked_by(connection, match.created_by):
                raise Conflict(NOT_OPEN, "no_seat_open")  # which does not say why
            _check_here(connection, player)
            own = made_nonce(match.secret, match_id, taken) if nonce is None else nonce
            rows.take_seat(connection, match_id, taken, player.id, own, now)
            match = existing(rows.find(connection, match_id), match_id)
            if all(other.player_id is not None for other in match.seats):
                moved = _begin(connection, match, now)
                match = existing(rows.find(connection, match_id), match_id)
        elif seat is not None and seat != sitting:
            raise Conflict(f"You already have seat {sitting}; nobody can hold two seats in a match.", "already_seated")
    if moved is not None:
        publish(context, moved)
    return match_seen_by(match, player.id)


def leave(context: Context, player: Player, match_id: str) -> Match:
    """Gives up a seat before the match starts, or declines an invitation; anybody may take the seat
    then. If the creator leaves, the match is cancelled, and the others are told. Raises
    ``NotFound``, ``Forbidden`` (``not_seated``) or ``Conflict`` (``match_not_open``).
    """
    with context.database.write() as connection:
        match = admitted(connection, rows.lock(connection, match_id), match_id, player)
        known = addresses.confirmed(connection, player)
        own = [seat.seat for seat in match.seats if player.id == seat.player_id or seat.is_kept_for(known)]
        if match.created_by != player.id and not own:
            raise Forbidden("You have no seat in this match.", "not_seated")
        _check_open(match, "resign instead" if match.status == "running" else "there is nothing to leave")
        if match.created_by == player.id:
            unstarted.end(connection, match, context.clock(), by_host=True)
        else:
            for seat in own:  # some may be kept for other addresses of theirs
                _free(connection, match, seat, player, context.clock())
        left = existing(rows.find(connection, match_id), match_id)
    context.queue.wake_notices()
    return match_seen_by(left, player.id)


def invite(context: Context, player: Player, match_id: str, seat: int, email: str | None) -> Match:
    """Keeps a free seat for somebody else than until now, who is mailed an invitation; with
    ``None`` it is open to anybody. An invitation before it is worth nothing any more. Doing it
    again changes nothing. Raises ``NotFound``, ``Forbidden`` (``not_the_creator``), ``Conflict``
    (``match_not_open``, ``seat_taken``, ``mail_unwanted``), ``TooMany`` or ``Invalid``.
    """
    guests.check_account(player)
    typed = None if email is None else read_email(email)
    wanted = None if typed is None else folded(typed)
    with context.database.write() as connection:
        match = admitted(connection, rows.lock(connection, match_id), match_id, player)
        now = context.clock()
        if match.created_by != player.id:
            raise Forbidden("Only the player who created the match may say whom a seat is kept for.", "not_the_creator")
        _check_open(match, "nobody can be invited any more")
        if wanted != _untaken(match, seat).invited_email:
            _check_invited(connection, match, player, seat, wanted)
            rows.keep_seat(connection, match_id, seat, wanted, now)
            covering.cover_invitations(connection, match_id, seat)
            match = existing(rows.find(connection, match_id), match_id)
            if typed is not None:
                tell(connection, [_invitation(connection, match, match.seats[seat], typed)], now)
    context.queue.wake_notices()
    return match_seen_by(match, player.id)


def _check_invited(connection: Connection, match: StoredMatch, player: Player, seat: int, wanted: str | None) -> None:
    """An address is kept one seat alone; of who else has a seat nobody learns whose it is."""
    if wanted is None:
        return
    if wanted in addresses.confirmed(connection, player):
        raise Invalid((("/email", "This is your own address: invite others, or join the match yourself."),))
    for other in match.seats:
        if other.seat != seat and other.invited_email == wanted:
            raise Invalid((("/email", f"Seat {other.seat} is theirs already; nobody can hold two."),))


def renew_link(context: Context, player: Player, secret: str) -> Match:
    """Replaces the join link with that secret. Raises ``NotFound`` or ``Forbidden``."""
    with context.database.write() as connection:
        match_id = linked(rows.find_by_link(connection, secret)).id
        match = linked(rows.lock(connection, match_id))
        check_link(match, secret)
        if match.created_by != player.id:
            raise Forbidden("Only the player who created the match may replace its link.", "not_the_creator")
        rows.set_join_secret(connection, match_id, context.entropy.token(JOIN_SECRET_LENGTH))
    return match_seen_by(match, player.id)


def decline(context: Context, match_id: str, seat: int, address: str) -> Match:
    """Declines the invitation of an address to a seat, for somebody who may have no account; who
    has created the match is told. Declining again changes nothing. Raises ``NotFound`` or
    ``Conflict`` (``match_not_open``, ``seat_taken``).
    """
    with context.database.write() as connection:
        match = existing(rows.lock(connection, match_id), match_id)
        _check_open(match, "there is nothing to decline")
        if match.seats[seat].player_id is not None:
            raise Conflict(f"Seat {seat} has been taken: leave the match instead.", "seat_taken")
        if match.seats[seat].invited_email == address:
            _free(connection, match, seat, player_rows.by_address(connection, address), context.clock())
        declined = existing(rows.find(connection, match_id), match_id)
    context.queue.wake_notices()
    return match_seen_by(declined, None)


def start(context: Context, player: Player, match_id: str) -> Match:
    """Starts a match whose seats are all taken, for its creator; starting it again changes nothing.
    Raises ``NotFound``, ``Forbidden`` or ``Conflict`` (``seats_free``, ``match_not_open``).
    """
    moved = None
    with context.database.write() as connection:
        match = admitted(connection, rows.lock(connection, match_id), match_id, player)
        if match.created_by != player.id:
            raise Forbidden("Only the player who created the match may start it.", "not_the_creator")
        if match.status != "running":
            _check_open(match, "it cannot be started")
            free = ", ".join(str(seat.seat) for seat in match.seats if seat.player_id is None)
            if free:
                sentence = f"Seats are still free: {free}. The match starts by itself when they are taken."
                raise Conflict(sentence, "seats_free")
            moved = _begin(connection, match, context.clock())
            match = existing(rows.find(connection, match_id), match_id)
    if moved is not None:
        publish(context, moved)
    return match_seen_by(match, player.id)


def find(context: Context, player: Player | None, match_id: str) -> Match:
    """A match as the player, or a spectator, may see it. Raises ``NotFound``."""
    with context.database.read() as connection:
        match = admitted(connection, rows.find(connection, match_id), match_id, player)
        return match_seen_by(match, player.id if player is not None else None)


def mine(
    context: Context,
    player: Player,
    statuses: Collection[MatchStatus] = (),
    to_act: bool = False,
    limit: int = 50,
    after: str | None = None,
) -> tuple[Match, ...]:
    """At most ``limit`` matches that the player sits in, created or is invited to, newest first,
    after match ``after``; of these statuses, if any is given; with ``to_act`` only those that await
    the player, and are not archived. Raises ``UnknownCursor``.
    """
    with context.database.read() as connection:
        known = addresses.confirmed(connection, player)
        if after is not None:
            try:
                admitted(connection, rows.find(connection, after), after, player)
            except NotFound:  # one that is not shown to the player is no cursor, as one that there is not
                raise UnknownCursor(after) from None
        wanted = ("running",) if to_act and not statuses else statuses
        found = match_lists.of_player(connection, player.id, known, wanted, to_act, limit, after)
        seen = [match_seen_by(match, player.id) for match in found]
        return with_times(connection, found, seen, context.clock())


def invites(match: Match, player: Player) -> bool:
    """Whether a match is one of a player's only because they are invited."""
    return match.created_by != player.id and all(seat.player_id != player.id for seat in match.seats)


def open_matches(context: Context, limit: int = 50, after: str | None = None) -> tuple[Match, ...]:
    """At most ``limit`` matches with an open seat, newest first. Raises ``UnknownCursor``."""
    with context.database.read() as connection:
        found = match_lists.with_open_seat(connection, limit, after)
    return tuple(match_seen_by(match, None) for match in found)


def _is_for_guests(seats: Sequence[SeatRequest]) -> bool:
    kinds = [seat.kind for seat in seats]
    return len(kinds) > 1 and kinds.count("me") == 1 and kinds.count("bot") == len(kinds) - 1


def match_id_of(key: str) -> str:
    """The id of the match that a mail, or a form, of that key creates however often it is used."""
    digits = "abcdefghijklmnopqrstuvwxyz234567"
    return "".join(digits[byte % 32] for byte in sha256(f"new match {key}".encode()).digest()[:MATCH_ID_LENGTH])


def _drafted(
    context: Context,
    player: Player,
    proposal: Proposal,
    holders: Sequence[HousePlayer | Player | None],
    now: datetime,
    wanted_id: str | None,
    clock: ClockRule | None,
) -> StoredMatch:
    match_id, secret = wanted_id or context.entropy.token(MATCH_ID_LENGTH), context.entropy.random_bytes(SECRET_BYTES)
    info = proposal.game.info
    seats = tuple(
        _drafted_seat(index, request, holders[index] or player, player, made_nonce(secret, match_id, index), now)
        for index, request in enumerate(proposal.seats)
    )
    promised = terms(match_id, info.name, info.rules_version, len(seats), proposal.options, proposal.components)
    return StoredMatch(
        id=match_id,
        game=info.name,
        rules_version=info.rules_version,
        components_name=proposal.components_name,
        components_digest=digest(proposal.components),
        options=proposal.options,
        title=proposal.title,
        status="open",
        created_by=player.id,
        created_at=now,
        started_at=None,
        finished_at=None,
        ply=0,
        secret=secret,
        commitment=commitment(secret, promised),
        outcome=None,
        seats=seats,
        clock=None if clock is None else document_of(clock),
        join_secret=context.entropy.token(JOIN_SECRET_LENGTH),
    )


def _drafted_seat(
    index: int, request: SeatRequest, holder: Player | HousePlayer, creator: Player, nonce: str, now: datetime
) -> StoredSeat:
    """A seat, which ``holder`` takes at once if it is a bot's or the creator's own."""
    taken = request.kind in ("me", "bot", "own_bot")
    invited = None if request.email is None else folded(request.email)
    return StoredSeat(
        seat=index,
        player_id=holder.id if taken else None,
        player_name=holder.name if taken else None,
        invited_email=creator.email if request.kind == "reserved" else invited,
        invited_at=now if request.email is not None else None,
        nonce=nonce if taken else None,
        joined_at=now if taken else None,
        resigned_at=None,
        resigned_ply=None,
        to_act=False,
    )


def _check_open_ones(connection: Connection, player: Player, now: datetime) -> None:
    quotas.lock(connection, "creating", player.id, now)
    if match_lists.count_open(connection, player.id) >= MOST_OPEN:
        sentence = _(
            "You have created {most} matches that wait for players, which is the maximum. Wait until one of them"
            " starts, or leave it, which cancels it."
        )
        raise Conflict(sentence.format(most=MOST_OPEN), "too_many_open_matches")


def _invitation(connection: Connection, match: StoredMatch, seat: StoredSeat, typed: str) -> News:
    """The invitation of whoever has the address that the seat is kept for, as it was ``typed``."""
    assert seat.invited_email is not None
    invited = player_rows.by_address(connection, seat.invited_email)
    return news_by_address(match, seat.seat, "invitation", Invited(seat.seat), invited, typed, match.created_by)


def _free(connection: Connection, match: StoredMatch, seat: int, by: Player | None, now: datetime) -> None:
    """Frees a seat, which ``by`` had or was invited to, and tells who has created the match."""
    rows.free_seat(connection, match.id, seat)
    covering.cover_invitations(connection, match.id, seat)
    sender = None if by is None else by.id
    notice = NewNotice("seat_freed", match.created_by, match.id, SeatFreed(seat), sender_id=sender)
    tell(connection, [News(match.id, "seat_freed", "player", match.created_by, seat, notices=(notice,))], now)


def _begin(connection: Connection, match: StoredMatch, now: datetime) -> Progress:
    """Sets up the game, in the transaction that took the last seat, and tells every seat."""
    game = replays.game_of(match)
    with replays.ruled(match.id):
        state, entries = begin(game, replays.setup_of(connection, match), replays.draw_of(match))
        rows.set_status(connection, match.id, "running", now)
        archive.begun(connection, match, now)
        return progress.start(connection, match, Step(entries, (state,)), now)


def _free_seat(match: StoredMatch, known: Collection[str], wanted: int | None) -> int:
    """The seat that whoever has the ``known`` addresses may take."""
    _check_open(match, "nobody can join any more")
    if wanted is not None:
        kept_for = _untaken(match, wanted).invited_email
        if kept_for is not None and kept_for not in known:
            raise Forbidden(f"Seat {wanted} is kept for somebody who is invited.", "seat_kept")
        return wanted
    free = [seat for seat in match.seats if seat.player_id is None]
    mine = [seat.seat for seat in free if seat.invited_email in known]
    found = mine or [seat.seat for seat in free if seat.invited_email is None]
    if not found:
        raise Conflict(NOT_OPEN, "no_seat_open")
    return found[0]


def _untaken(match: StoredMatch, seat: int) -> StoredSeat:
    if not 0 <= seat < len(match.seats):
        raise Invalid((("/seat", f"There is no seat {seat}; the seats are 0 to {len(match.seats) - 1}."),))
    if match.seats[seat].player_id is not None:
        raise Conflict(f"Seat {seat} is taken by {match.seats[seat].player_name}.", "seat_taken")
    return match.seats[seat]


def _check_open(match: StoredMatch, consequence: str) -> None:
    if match.status != "open":
        said = {"finished": "is over", "cancelled": "was cancelled"}.get(match.status, "has started")
        raise Conflict(f"The match {said}: {consequence}.", "match_not_open")


def _check_here(connection: Connection, player: Player, new: StoredMatch | None = None) -> None:
    """Locks the player and in a ``new`` match their bots, as each may have left for good by now."""
    bots = {seat.player_id: seat.seat for seat in (new.seats if new else ()) if seat.player_id and seat.bot is None}
    here = player_rows.lock_here(connection, {player.id, *bots})
    if player.id not in here:
        raise Forbidden("You have left for good: sign up again.", "address_not_confirmed")
    gone = sorted(seat for player_id, seat in bots.items() if player_id not in here)
    if gone:
        raise Invalid(tuple((f"/seats/{seat}/player", NO_SUCH_BOT) for seat in gone))


def check_nonce(nonce: str | None) -> None:
    """Raises ``Invalid`` at ``/nonce``."""
    if nonce is not None and not is_nonce(nonce):
        raise Invalid((("/nonce", NOT_A_NONCE),))


def _check_confirmed(player: Player) -> None:
    guests.check_account(player)
    if player.confirmed_at is None:
        raise Forbidden("Confirm your address first, with the token from the mail.", "address_not_confirmed")
