"""What the page of a match shows to one viewer: the board, what happened, who is awaited, scores,
and for the player who is awaited the numbered moves.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from engine import registry
from engine.game import AnyGame, Info
from engine.listing import listed
from engine.play import legal_actions
from engine.types import Layout
from service.context import Context
from service.errors import Conflict
from service.matches import chat, days_off, mending, replays
from service.matches.access import join_url_for, match_seen_by, with_times
from service.matches.chat import Said
from service.matches.days_off import AllDaysOff
from service.matches.replays import MatchUnreadable, RulesFail
from service.matches.types import Match
from service.notices.mail.ends import Sheet, score_sheet, verify, won_words
from service.notices.material import rule_told, time_told, zone_of
from service.offers.sentences import ended_words
from service.players.admission import admitted
from service.players.profiles import profile_words
from service.store import addresses
from service.store import chat as chat_rows
from service.store import matches as rows
from service.store.matches import StoredMatch
from service.store.players import Player
from service.texts import gettext as _
from service.views.awaiting import waiting
from service.views.joining import seated
from service.views.match import Awaited, Sight, asked, board_svg, sight
from service.web.match_offers import OffersShown, OpenOffer, offered_seat, offers_shown
from service.web.match_over import score_chart
from service.web.match_story import Story, last_act, story

LINES: Final = 30
"""How many lines of the chat a page shows."""
MOST_OPEN: Final = 24
"""With more moves than this, each kind is shown when its line is opened."""


@dataclass(frozen=True, slots=True)
class NumberedMove:
    """A legal move: its number in the list of all, its notation, and what its row does not say."""

    number: int
    line: str
    words: str


@dataclass(frozen=True, slots=True)
class MoveGroup:
    """Moves that begin with the same words; ``title`` is empty for the others."""

    title: str
    moves: tuple[NumberedMove, ...]


@dataclass(frozen=True, slots=True)
class SaidHere:
    """A line of the chat; a new one was said since the viewer last moved or spoke."""

    line: Said
    is_new: bool


@dataclass(frozen=True, slots=True)
class NextMatch:
    """Another match that awaits the viewer, the most urgent one, and how many such there are."""

    id: str
    waiting: int


@dataclass(frozen=True, slots=True)
class MatchShown:
    """The values of the page.

    ``seat`` is the viewer's, ``None`` for a spectator; times are by the clocks of ``zone``.
    ``kinds`` has all legal moves of a viewer who is awaited and sees the present board. ``said`` is
    the chat, and ``note`` what the viewer has noted, for players of the match. ``picture`` is the
    board in ``layout``, as SVG, and ``text`` the same as text, both at the ply of the ``story``;
    before the start there are none of them.
    """

    match: Match
    info: Info | None
    title: str
    seat: int | None
    zone: str
    unreadable: str = ""
    """Why neither the board nor the log can be shown."""
    stands_still: bool = False
    """Whether nobody can play, or resign, until the host has mended that."""
    is_free: bool = False
    """Whether anybody may take a seat."""
    can_join: bool = False
    can_leave: bool = False
    awaited: tuple[Awaited, ...] = ()
    kinds: tuple[MoveGroup, ...] = ()
    called: Mapping[str, str] = field(default_factory=dict)
    """What the fields and values of actions are called, for a viewer who has a seat."""
    open_kinds: bool = True
    story: Story | None = None
    layout: Layout = Layout.DESKTOP
    picture: str = ""
    text: str = ""
    headline: str = ""
    ended: str = ""
    """What ended the match, as a sentence."""
    sheet: Sheet | None = None
    chart: str = ""
    verify: str = ""
    """The command by which anybody checks the draws of a match that is over."""
    said: tuple[SaidHere, ...] = ()
    note: str = ""
    players: tuple[str, ...] = ()
    """How reliably those play who have taken their seats, before the match starts."""
    rule: tuple[str, ...] = ()
    """How much time there is, what follows when it is up, and when the match ends at the latest."""
    time: tuple[str, ...] = ()
    """What is left of the viewer's own time."""
    days_off: AllDaysOff | None = None
    """The days off of a viewer whose clock can be stopped by them."""
    without_result: str = ""
    """Why the match has ended without a result."""
    offers: OffersShown | None = None
    """What the players offer each other, for one of them."""
    offered_seat: OpenOffer | None = None
    """The seat that is offered to the viewer, who has none."""
    next_match: NextMatch | None = None


def match_page(
    context: Context, player: Player | None, match_id: str, layout: Layout, ply: int | None, log_from: int | None
) -> MatchShown:
    """The page of a match for the player, or for a spectator, with the board at a ply, and the log
    from one on; ``None`` for the end of both. It is without its board where its log cannot be read,
    its rules fail at that, or they are not installed.

    Raises ``NotFound``, or ``Conflict`` for a ply that the match has not reached.
    """
    with context.database.read() as connection:
        match = admitted(connection, rows.find(connection, match_id), match_id, player)
    try:
        if match.started_at is None:
            return _unstarted(context, match, player)
        with replays.ruled(match_id):
            return _started(context, match, player, layout, ply, log_from)
    except MatchUnreadable as error:
        mending.report(context, error)
        stands_still = not isinstance(error, RulesFail)
        return replace(_without_board(context, match, player), unreadable=str(error), stands_still=stands_still)
    except Conflict as error:
        if error.code != mending.MISSING_RULES:
            raise
        return replace(_without_board(context, match, player), unreadable=str(error), stands_still=True)


def _without_board(context: Context, match: StoredMatch, player: Player | None) -> MatchShown:
    """What is shown of any match, which needs neither its rules nor its log."""
    viewer, now, game = (None if player is None else player.id), context.clock(), registry.games().get(match.game)
    seat, info = match.seat_of(viewer), None if game is None else game.info
    title = match.title or _("A match of {game}").format(game=match.game if info is None else info.title)
    shown = match_seen_by(match, viewer)
    outcome = shown.outcome
    timed = match.status == "running" and match.clock is not None
    seat_for_me, offers, time = None, None, tuple[str, ...]()
    with context.database.read() as connection:
        zone = zone_of(connection, viewer)
        if match.started_at is not None:
            shown = with_times(connection, [match], [shown], now)[0]
            time = () if seat is None else time_told(connection, match, viewer, zone, now)
            if seat is not None:
                offers = offers_shown(connection, match, shown, seat, zone, now)
            elif player is not None:
                seat_for_me = offered_seat(connection, match, player)
    return MatchShown(
        match=shown,
        info=info,
        title=title,
        seat=seat,
        zone=zone,
        headline="" if outcome is None else won_words(outcome, match.names, title),
        ended="" if outcome is None else outcome.ended.sentence,
        sheet=None if outcome is None else score_sheet(outcome, match.names, seat),
        verify="" if not match.is_over else verify(context.settings.base_url, match.id, match.game, match.unlisted),
        said=_said(context, player, match, seat),
        note="" if player is None or seat is None else chat.noted(context, player, match.id).text,
        rule=rule_told(match),
        time=time,
        days_off=days_off.of_player(context, player) if timed and player is not None and seat is not None else None,
        without_result=ended_words(match),
        offers=offers,
        offered_seat=seat_for_me,
        next_match=_next_match(context, player, match.id),
    )


def _unstarted(context: Context, match: StoredMatch, player: Player | None) -> MatchShown:
    viewer, is_open = (None if player is None else player.id), match.status == "open"
    page, kept = _without_board(context, match, player), _is_kept(context, match, player)
    free = any(other.player_id is None and other.invited_email is None for other in match.seats)
    return replace(
        page,
        match=replace(page.match, join_url=join_url_for(context, match, viewer)),
        is_free=free,
        can_join=player is not None and is_open and page.seat is None and (kept or free),
        can_leave=is_open and (page.seat is not None or kept),
        rule=(*page.rule, *_longest(context, match)),
        players=tuple(profile_words(each) for each in seated(context, match)),
    )


def _longest(context: Context, match: StoredMatch) -> tuple[str, ...]:
    """When a match that is not over ends at the latest, as a sentence."""
    with context.database.read() as connection:
        longest = replays.longest_of(connection, context, match)
    if longest is None:
        return ()
    end = _("After {longest} moves and draws at the latest the match ends, and the scores of then count.")
    return (end.format(longest=longest),)


def _is_kept(context: Context, match: StoredMatch, player: Player | None) -> bool:
    """Whether a free seat is kept for the player."""
    if player is None:
        return False
    with context.database.read() as connection:
        known = addresses.confirmed(connection, player)
    return any(seat.is_kept_for(known) for seat in match.seats)


def _said(context: Context, player: Player | None, match: StoredMatch, seat: int | None) -> tuple[SaidHere, ...]:
    """What was said in the chat, for its players, as far as they want to read it."""
    if player is None or seat is None:
        return ()
    with context.database.read() as connection:
        newest = chat_rows.latest(connection, match.id)
    lines = chat.heard(context, player, match.id, max(0, newest - LINES), LINES)
    heard = [line.at for line in lines if line.you]
    moved = last_act(context, match, seat) if match.started_at is not None else None
    since = max([*heard, *([] if moved is None else [moved])], default=None)
    return tuple(SaidHere(line, not line.you and (since is None or line.at > since)) for line in lines)


def _next_match(context: Context, player: Player | None, match_id: str) -> NextMatch | None:
    """The most urgent of the other matches that await the viewer; ``None`` where there is none."""
    waits = () if player is None else waiting(context, player)
    others = [each.match.id for each in waits if each.match.id != match_id]
    return NextMatch(others[0], len(others)) if others else None


def _started(
    context: Context, match: StoredMatch, player: Player | None, layout: Layout, ply: int | None, log_from: int | None
) -> MatchShown:
    seen = sight(context, player, match.id, ply)
    match, game, seat = seen.match, seen.game, seen.viewer
    now_seen = seen if seen.ply == match.ply else sight(context, player, match.id)
    prompts = asked(now_seen) if match.is_on else {}
    is_asked = seat is not None and seat in prompts and seen.ply == match.ply
    kinds = _kinds(game, seen) if is_asked else ()
    page = _without_board(context, match, player)
    outcome = page.match.outcome
    return replace(
        page,
        info=game.info,
        awaited=tuple(Awaited(seat=each, player=match.names[each], prompt=prompt) for each, prompt in prompts.items()),
        kinds=kinds,
        called={"type": _("Kind of move"), **game.action_words} if seat is not None else {},
        open_kinds=sum(len(kind.moves) for kind in kinds) <= MOST_OPEN,
        story=story(context, player, match, seen.ply, log_from),
        layout=layout,
        picture=board_svg(context, player, match.id, layout, ply=seen.ply),
        text=game.text(game.observe(seen.state, seat), match.names).strip("\n"),
        chart="" if outcome is None or match.ply < 2 else score_chart(context, match, outcome),
        rule=(*page.rule, *_longest(context, match)),
    )


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
