"""What the page of a match shows to one viewer: the board, what happened, who is awaited, scores,
and for the player who is awaited the numbered moves.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from sqlalchemy import Connection

from engine import registry
from engine.errors import UnknownGame
from engine.game import AnyGame, Info
from engine.listing import listed
from engine.play import legal_actions
from engine.types import Layout
from engine.wording import listed as enumerated
from service.clocks.sentences import moment_words, rule_sentences
from service.clocks.spans import instant
from service.context import Context
from service.matches import chat, mending, replays, timekeeping
from service.matches.access import join_url_for, match_seen_by
from service.matches.chat import Said
from service.matches.clock_shown import with_times
from service.matches.replays import MatchUnreadable
from service.matches.types import Match
from service.notices.mail.ends import Sheet, score_sheet, won_words
from service.notices.material import time_told, zone_of
from service.offers import offering
from service.offers.offering import LONGEST_PAUSE, Offer
from service.offers.sentences import ended_words, offer_words, rule_words
from service.players import profiles
from service.players.admission import admitted
from service.players.profiles import profile_words
from service.store import addresses
from service.store import chat as chat_rows
from service.store import matches as rows
from service.store.matches import StoredMatch
from service.store.players import Player
from service.texts import gettext as _
from service.views.board import board_svg
from service.views.log import match_log
from service.views.sight import Sight, asked, sight
from service.views.types import Awaited, LogEntry

LATEST: Final = 20
"""How many entries of the log a page shows at first, and lines of the chat."""
MOST_ENTRIES: Final = 2000
MOST_OPEN: Final = 24
"""With more moves than this, each kind is shown when its line is opened."""


@dataclass(frozen=True, slots=True)
class NumberedMove:
    """A legal move: its number in the list of all, its line of notation, by which it is chosen, and
    the words that its row does not say.
    """

    number: int
    line: str
    words: str


@dataclass(frozen=True, slots=True)
class MoveGroup:
    """Moves that begin with the same words; ``title`` is empty for the others."""

    title: str
    moves: tuple[NumberedMove, ...]


@dataclass(frozen=True, slots=True)
class MatchShown:
    """The values of the page.

    ``seat`` is the viewer's, ``None`` for a spectator. ``told`` are the newest entries of the log,
    oldest first, ``more_told`` whether there are earlier ones. ``kinds`` has all legal moves of a
    viewer who is awaited. ``said`` is the chat, for players of the match. ``picture`` is the board
    in ``layout``, as SVG, and ``text`` the same as text, both at the ply ``at``; before the start
    they are empty.
    """

    match: Match
    info: Info | None
    title: str
    seat: int | None
    can_join: bool
    can_leave: bool
    awaited: tuple[Awaited, ...] = ()
    kinds: tuple[MoveGroup, ...] = ()
    open_kinds: bool = True
    told: tuple[LogEntry, ...] = ()
    more_told: bool = False
    at: int = 0
    layout: Layout = Layout.DESKTOP
    picture: str = ""
    text: str = ""
    headline: str = ""
    sheet: Sheet | None = None
    said: tuple[Said, ...] = ()
    players: tuple[str, ...] = ()
    """How reliably those play who have taken their seats, before the match starts."""
    rule: tuple[str, ...] = ()
    """How much time there is, what follows when it is up, and when the match ends at the latest."""
    time: tuple[str, ...] = ()
    """What is left of the viewer's own time."""
    without_result: str = ""
    """Why the match has ended without a result."""
    offers: OffersShown | None = None
    """What the players offer each other, for one of them."""
    offered_seat: OpenOffer | None = None
    """The seat that is offered to the viewer, who has none."""


def match_page(
    context: Context, player: Player | None, match_id: str, layout: Layout, whole_log: bool = False
) -> MatchShown:
    """The page of a match for the player, or for a spectator, with the board in a layout.

    Raises ``NotFound``, ``Conflict`` where the game is no longer installed, and
    ``MatchUnreadable``, of which it marks the match.
    """
    with context.database.read() as connection:
        match = admitted(connection, rows.find(connection, match_id), match_id, player)
    try:
        if match.started_at is None:
            return _unstarted(context, match, player)
        return _started(context, player, match_id, layout, whole_log)
    except MatchUnreadable as error:
        mending.report(context, error)
        raise


def _unstarted(context: Context, match: StoredMatch, player: Player | None) -> MatchShown:
    info = _info(match.game)
    viewer = None if player is None else player.id
    seat = match.seat_of(viewer)
    is_open = match.status == "open"
    kept = _is_kept(context, match, player)
    free = any(other.player_id is None and other.invited_email is None for other in match.seats)
    return MatchShown(
        match=replace(match_seen_by(match, viewer), join_url=join_url_for(context, match, viewer)),
        info=info,
        title=_title(match, info),
        seat=seat,
        can_join=player is not None and is_open and seat is None and (kept or free),
        can_leave=is_open and (seat is not None or kept),
        said=_said(context, player, match_id=match.id, seat=seat),
        rule=_rule(context, match),
        players=_players(context, match),
    )


def _players(context: Context, match: StoredMatch) -> tuple[str, ...]:
    """How reliably those play who have seats."""
    seated = [seat.player_id for seat in match.seats if seat.player_id is not None]
    with context.database.read() as connection:
        known = profiles.of_players(connection, seated)
    return tuple(profile_words(known[player_id]) for player_id in seated if player_id in known)


def _rule(context: Context, match: StoredMatch) -> tuple[str, ...]:
    """How much time there is, and when a match that is not over ends at the latest."""
    rule = timekeeping.rule_of(match)
    said = () if rule is None else rule_sentences(rule)
    with context.database.read() as connection:
        longest = replays.longest_of(connection, context, match)
    if longest is None:
        return said
    end = _("After {longest} moves and draws at the latest the match ends, and the scores of then count.")
    return (*said, end.format(longest=longest))


def _is_kept(context: Context, match: StoredMatch, player: Player | None) -> bool:
    """Whether a free seat is kept for the player."""
    if player is None:
        return False
    with context.database.read() as connection:
        known = addresses.confirmed(connection, player)
    return any(seat.player_id is None and seat.invited_email in known for seat in match.seats)


def _said(context: Context, player: Player | None, match_id: str, seat: int | None) -> tuple[Said, ...]:
    """What was said in the chat, for its players, as far as they want to read it."""
    if player is None or seat is None:
        return ()
    with context.database.read() as connection:
        newest = chat_rows.latest(connection, match_id)
    return chat.heard(context, player, match_id, max(0, newest - LATEST), LATEST)


def _started(context: Context, player: Player | None, match_id: str, layout: Layout, whole_log: bool) -> MatchShown:
    seen = sight(context, player, match_id)
    match, game, seat = seen.match, seen.game, seen.viewer
    first = 0 if whole_log else _told_from(context, match, seat)
    prompts = asked(seen)
    kinds = _kinds(game, seen) if seat is not None and seat in prompts else ()
    shown = match_seen_by(match, None if player is None else player.id)
    viewer, now = (None if player is None else player.id), context.clock()
    with context.database.read() as connection:
        shown = with_times(connection, [match], [shown], now)[0]
        time = time_told(connection, match, viewer, zone_of(connection, viewer), now) if seat is not None else ()
        offers = None
        if seat is not None:
            offers = offers_shown(connection, match, shown, seat, zone_of(connection, viewer), now)
        seat_for_me = offered_seat(connection, match, player) if seat is None and player is not None else None
    return MatchShown(
        match=shown,
        info=game.info,
        title=_title(match, game.info),
        seat=seat,
        can_join=False,
        can_leave=False,
        awaited=tuple(Awaited(seat=each, player=match.names[each], prompt=prompt) for each, prompt in prompts.items()),
        kinds=kinds,
        open_kinds=sum(len(kind.moves) for kind in kinds) <= MOST_OPEN,
        told=tuple(
            entry
            for entry in match_log(
                context, player, match_id, after_ply=first - 1 if first else None, limit=MOST_ENTRIES
            )
            if entry["sentence"] and entry["ply"] < match.ply
        ),
        more_told=first > 0,
        at=match.ply,
        layout=layout,
        picture=board_svg(context, player, match_id, layout, ply=match.ply),
        text=game.text(game.observe(seen.state, seat), match.names).strip("\n"),
        headline="" if shown.outcome is None else won_words(shown.outcome, match.names, _title(match, game.info)),
        sheet=None if shown.outcome is None else score_sheet(shown.outcome, match.names, seat),
        said=_said(context, player, match_id=match.id, seat=seat),
        rule=_rule(context, match),
        time=time,
        without_result=ended_words(match),
        offers=offers,
        offered_seat=seat_for_me,
    )


def _told_from(context: Context, match: StoredMatch, seat: int | None) -> int:
    """The ply from which the page tells what happened: the viewer's last turn, or the newest
    ``LATEST`` entries where that is less far back.
    """
    latest = max(0, match.ply - LATEST)
    if seat is None:
        return latest
    with context.database.read() as connection:
        own = rows.last_entry_of(connection, match.id, seat, match.ply)
    return latest if own is None else min(latest, own)


def _kinds(game: AnyGame, seen: Sight) -> tuple[MoveGroup, ...]:
    """All legal moves of the viewer, in the rows that the mails have."""
    lines = [game.format(action) for action in legal_actions(game, seen.state, seen.viewer or 0)]
    return tuple(
        MoveGroup(
            row.title,
            tuple(
                NumberedMove(number, lines[number - 1], lines[number - 1].removeprefix(row.title).strip())
                for cell in row.cells
                for number in range(cell.first, cell.last + 1)
            ),
        )
        for row in listed(lines).rows
    )


def _title(match: StoredMatch, info: Info | None) -> str:
    return match.title or _("A match of {game}").format(game=match.game if info is None else info.title)


def _info(game: str) -> Info | None:
    try:
        return registry.game(game).info
    except UnknownGame:
        return None


@dataclass(frozen=True, slots=True)
class OpenOffer:
    """An open offer: what it says, by which rule it is settled, whom it waits for, and what the
    viewer may do with it.
    """

    id: str
    sentence: str
    rule: str
    waits_for: tuple[str, ...]
    is_own: bool
    is_asked: bool


@dataclass(frozen=True, slots=True)
class OffersShown:
    """The open offers; ``paused`` says until when the match is paused, ``running`` are the seats
    whose time can be extended; without clocks there is no time to offer. Where a bot holds the seat
    of another, ``may_abandon`` says that the match can be ended as abandoned.
    """

    open: tuple[OpenOffer, ...]
    paused: str
    running: tuple[int, ...]
    has_clock: bool
    may_abandon: bool
    longest: int = LONGEST_PAUSE


def offers_shown(
    connection: Connection, match: StoredMatch, shown: Match, seat: int, zone: str, now: datetime
) -> OffersShown | None:
    """The offers for the player in ``seat``; ``None`` where nothing can be offered."""
    if match.status != "running" or not match.seats[seat].is_owned:
        return None
    offers = offering.shown(connection, match, now)
    until = offers.paused_until
    paused = ""
    if until is not None:
        sentence = _("The match is paused until {moment}, and all clocks stand still.")
        paused = sentence.format(moment=moment_words(instant(until), zone))
    return OffersShown(
        open=tuple(_open(match, each, seat, zone) for each in offers.items if each.status == "open"),
        paused=paused,
        running=tuple(each.seat for each in shown.seats if each.clock is not None and each.clock.deadline is not None),
        has_clock=match.clock is not None,
        may_abandon=any(each.is_owned and each.by_bot and each.seat != seat for each in match.seats),
    )


def offered_seat(connection: Connection, match: StoredMatch, player: Player) -> OpenOffer | None:
    """The offer by which a player who has no seat is to have one, and has not agreed to it yet."""
    found = offering.offered_to(connection, player, match) if match.status == "running" else None
    if found is None or not found.waits_for_taker:
        return None
    sentence = _("{name} offers you their seat: you would play on from where they stand.")
    return OpenOffer(found.id, sentence.format(name=match.names[found.seat]), "", (), False, True)


def _open(match: StoredMatch, offer: Offer, seat: int, zone: str) -> OpenOffer:
    names, away = match.names, [match.names[each] for each in offer.away]
    whose = enumerated(away) if offer.for_seat is None else names[offer.for_seat]
    until, ends = ("" if at is None else moment_words(instant(at), zone) for at in (offer.lapses_at, offer.ends_at))
    return OpenOffer(
        offer.id,
        offer_words(offer.kind, offer.days, names[offer.seat], whose, offer.to or ""),
        " ".join(rule_words(offer.kind, [], away, until, ends)),
        tuple(names[each] for each in offer.waits_for),
        offer.seat == seat,
        seat in offer.waits_for,
    )
