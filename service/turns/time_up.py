"""What follows when the time of a seat and its reserve are up: by the match's policy a bot that
plays, or a resignation. And players who come back.

The sweeper finds matches with due seats (``due``), and looks at each again with the match locked
(``act_on``), so that sweeps that are doubled do nothing twice. What follows is stored as a row of
turns of the kind ``clock``, which is judged in order with all other turns: a turn that was received
in time, and waits, is judged first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

import structlog
from sqlalchemy import Connection

from engine.record import StepKind
from engine.types import Seat
from service.clocks.history import what_follows
from service.clocks.seat import MOST_IN_A_MATCH
from service.clocks.spans import instant, moment
from service.context import Context
from service.errors import Conflict
from service.events.gate import tell
from service.matches import days_off, timekeeping
from service.matches.access import check_not_gone, check_started, existing, match_seen_by, seat_in
from service.matches.progress import news_for, notice_for
from service.matches.timekeeping import SeatTime
from service.matches.types import Match
from service.payloads import DaysOffBegan
from service.players.admission import admitted
from service.store import clocks as clock_rows
from service.store import heartbeats, messages
from service.store import matches as match_rows
from service.store import turns as turn_rows
from service.store.clocks import StoredDaysOff
from service.store.events import News
from service.store.matches import StoredMatch
from service.store.players import Player
from service.store.turns import StoredTurn

MARGIN: Final = timedelta(seconds=15)
"""A turn may be received and not stored yet: so long after a deadline nothing is done about it."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Acted:
    """Turns stored, days off that began, deadlines that had moved, turns waited for."""

    stored: int = 0
    days_off: int = 0
    moved: int = 0
    waiting: int = 0

    @property
    def anything(self) -> bool:
        """Whether anything was done."""
        return bool(self.stored or self.days_off)


def due(context: Context) -> tuple[str, ...]:
    """The matches with seats whose time may be up, the earliest first. Nobody's is known to be up
    while a part of the service is out, and until all parts have beaten after the deadline.
    """
    with context.database.read() as connection:
        until = _known_until(connection, context.clock())
        return () if until is None else clock_rows.due(connection, until)


def act_on(context: Context, match_id: str) -> Acted:
    """Acts on the seats of a match whose time is up, each once."""
    now, off = context.clock(), dict[str, Begins]()
    with context.database.write() as connection:
        until = _known_until(connection, now)
        acted = Acted() if until is None else _act(connection, match_id, now, until, off)
    acted = replace(acted, days_off=sum(_begin_days_off(context, each) for each in off.values()))
    if acted.stored:
        context.queue.wake_turns()
    if acted.anything:
        context.queue.wake_notices()
        log.info("clocks.acted", match=match_id, stored=acted.stored, days_off=acted.days_off)
    return acted


def still_follows(match: StoredMatch, turn: StoredTurn, times: Sequence[SeatTime]) -> bool:
    """Whether what a row says that follows from time that was up still does: it may not be up any
    more, or others have come back, or lost their seats, since.
    """
    if not times or instant(turn.submitted_at) != times[turn.seat].due_at:
        return False
    follows: StepKind = turn.document["step"]
    return follows == what_follows(timekeeping.clock_of(match, times), turn.seat)


def _known_until(connection: Connection, now: datetime) -> datetime | None:
    """The latest deadline that is known to have passed; ``None`` while a part is out."""
    out, beaten = heartbeats.parts_out(connection, now), heartbeats.all_beaten(connection)
    if out:
        log.warning("clocks.kept", parts_out=sorted(out))
        return None
    return now - MARGIN if beaten is None else min(now - MARGIN, beaten)


def _act(connection: Connection, match_id: str, now: datetime, until: datetime, off: dict[str, Begins]) -> Acted:
    match = existing(match_rows.lock(connection, match_id), match_id)
    times = timekeeping.times_of(connection, [match], now)[match.id]
    waiting = turn_rows.waiting(connection, [match_id])
    unread = messages.oldest_queued(connection)
    clock_turns, acted = list[StoredTurn](), Acted()
    for seat in clock_rows.due_seats(connection, match_id, until):
        own = times[seat]
        if own.due_at is None or moment(own.due_at) > until:
            timekeeping.reschedule(connection, [match], now)
            acted = replace(acted, moved=acted.moved + 1)
        elif (match.id, seat) in waiting or (unread is not None and instant(unread) <= own.due_at):
            acted = replace(acted, waiting=acted.waiting + 1)
        elif match.unreadable_at is None:
            begins = _may_begin(connection, match, own)
            if begins is not None:
                off.setdefault(begins.player_id, begins)
                continue
            follows = what_follows(timekeeping.clock_of(match, times), seat)
            clock_turns.append(_clock_turn(match, seat, follows, own.due_at))
    refused = turn_rows.add_all(connection, clock_turns) if clock_turns else frozenset()
    return replace(acted, stored=len(clock_turns) - len(refused))


@dataclass(frozen=True, slots=True)
class Begins:
    """Days off that begin where the player's time would be up, as they have asked for."""

    player_id: str
    match: StoredMatch
    seat: Seat
    due_at: int


def _may_begin(connection: Connection, match: StoredMatch, own: SeatTime) -> Begins | None:
    rule, seat, due_at = timekeeping.rule_of(match), own.stored.seat, own.due_at
    player = match.seats[seat].player_id
    away = own.stored.clock.off + sum(stop.end - stop.start for stop in own.stops if stop.kind == "days_off")
    if rule is None or not rule.days_off or player is None or due_at is None or away >= MOST_IN_A_MATCH:
        return None
    return Begins(player, match, seat, due_at) if days_off.beginning(connection, player, moment(due_at)) else None


def _begin_days_off(context: Context, begins: Begins) -> bool:
    def told(connection: Connection, taken: StoredDaysOff, left: int) -> None:
        match, seat = begins.match, begins.seat
        payload = DaysOffBegan(seat, match.ply, match.ply, begins.due_at, instant(taken.end_at), left)
        notice = notice_for(match, seat, "days_off_began", payload)
        news = news_for(match, seat, "days_off_began", match.ply, notice, payload=payload)
        tell(connection, [news], context.clock())

    return days_off.begin(context, begins.player_id, moment(begins.due_at), told)


def _clock_turn(match: StoredMatch, seat: Seat, follows: StepKind, at: int) -> StoredTurn:
    player = match.seats[seat].player_id
    assert player is not None
    return StoredTurn(
        id=f"{match.id}.clock.{seat}.{at}",
        match_id=match.id,
        seat=seat,
        player_id=player,
        ply=match.ply,
        document={"actions": [], "step": follows},
        submitted_at=moment(at),
        kind="clock",
    )


def come_back(context: Context, player: Player, match_id: str) -> Match:
    """Takes the player's seat back from the bot that holds it; the clock is what it would have
    been. Coming back to a seat that no bot holds changes nothing.

    Raises ``NotFound``, ``Forbidden`` (``not_seated``) or ``Conflict`` (``match_not_started``,
    ``seat_gone``, ``match_not_running``).
    """
    now = context.clock()
    with context.database.write() as connection:
        match = admitted(connection, match_rows.lock(connection, match_id), match_id, player)
        seat = seat_in(match, player)
        check_started(match)
        if not match.seats[seat].by_bot:
            return match_seen_by(match, player.id)
        if match.status != "running":
            raise Conflict("You can come back only to a match that is running.", "match_not_running")
        check_not_gone(match, seat)
        if turn_rows.ends_early(connection, match.id):
            raise Conflict("The match is being ended as abandoned: nobody can come back to it.", "match_not_running")
        match_rows.hold_seat(connection, match.id, seat, None, for_good=False)
        timekeeping.step_alone(connection, match, "back", seat, now)
        tell(connection, [News(match.id, "back", "all", seat=seat, ply=match.ply)], now)
        match = existing(match_rows.find(connection, match_id), match_id)
    return match_seen_by(match, player.id)
