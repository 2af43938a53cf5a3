"""What follows when the time of a seat is up: an excuse, or by the match's policy a bot that plays,
or a resignation; or the others may ask for one of these. And players who come back.

The sweeper calls ``act_on_due``. It finds due seats by an index, and looks at each again with its
match locked: several sweepers, and sweeps that are missed or doubled, do nothing twice. What needs
the rules of the game is stored as a row of turns of the kind ``clock``, which is judged in order
with all other turns. A turn that was received in time, and waits, is judged first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

import structlog
from sqlalchemy import Connection

from engine.types import Seat
from service.clocks.absence_bank import MOST_IN_A_MATCH
from service.clocks.history import ClockStep, StepKind, what_follows
from service.clocks.instants import instant, moment
from service.clocks.rule import POLICIES, IfLate
from service.context import Issuing, Judging
from service.errors import Conflict, Forbidden, Invalid
from service.events.tell import News, tell
from service.matches import timekeeping
from service.matches.access import existing, match_seen_by
from service.matches.progress import notice_for
from service.matches.timekeeping import SeatTime
from service.matches.types import Match
from service.players import absences
from service.players.types import Player
from service.store import clocks as clock_rows
from service.store import heartbeats, messages
from service.store import matches as match_rows
from service.store import turns as turn_rows
from service.store.absences import StoredAbsence
from service.store.clocks import Due
from service.store.matches import StoredMatch
from service.store.turns import StoredTurn

MARGIN: Final = timedelta(seconds=15)
"""A turn may be received and not stored yet: so long after a deadline nothing is done about it."""
AT_ONCE: Final = 50
ASKED: Final[tuple[IfLate, ...]] = tuple(policy for policy in POLICIES if policy != "ask")
"""What others may ask for where the time of a seat is up."""

log = structlog.get_logger(__name__)


@dataclass(slots=True)
class Acted:
    """How often each thing was done: excuses used, turns for a bot stored, seats whose players may
    be asked about, deadlines that had moved.
    """

    excuses: int = 0
    stored: int = 0
    asked: int = 0
    absences: int = 0
    moved: int = 0
    waiting: int = 0

    @property
    def anything(self) -> bool:
        """Whether anything was done."""
        return bool(self.excuses or self.stored or self.asked or self.absences)


def act_on_due(context: Judging) -> Acted:
    """Acts on every seat whose time is up, each once. While a part of the service is out, nobody's
    time is up; and nobody's is known to be until all parts have beaten after the deadline.
    """
    acted, after, now = Acted(), None, context.clock()
    absent: dict[str, Begins] = {}
    with context.database.read() as connection:
        out, beaten = heartbeats.parts_out(connection, now), heartbeats.all_beaten(connection)
    until = now - MARGIN if beaten is None else min(now - MARGIN, beaten)
    if out:
        log.warning("clocks.kept", parts_out=sorted(out))
        return acted
    while True:
        with context.database.read() as connection:
            due = clock_rows.due(connection, until, AT_ONCE, after)
        if not due:
            break
        after = due[-1]
        with context.database.write() as connection:
            _act(connection, due, now, until, acted, absent)
    acted.absences = sum(_begin_absence(context, each) for each in absent.values())
    if acted.stored:
        context.queue.wake_turns()
    if acted.anything:
        context.queue.wake_notices()
        log.info("clocks.acted", excuses=acted.excuses, stored=acted.stored, asked=acted.asked)
    return acted


def is_up(turn: StoredTurn, times: Sequence[SeatTime]) -> bool:
    """Whether what follows from time that was up at ``turn.submitted_at`` still has to follow."""
    at = instant(turn.submitted_at)
    return bool(times) and at in (times[turn.seat].due_at, times[turn.seat].stored.clock.up)


def _act(
    connection: Connection,
    due: Sequence[Due],
    now: datetime,
    until: datetime,
    acted: Acted,
    absent: dict[str, Begins],
) -> None:
    ids = list({each.match_id for each in due})
    matches = match_rows.lock_all(connection, ids)
    times = timekeeping.times_of(connection, list(matches.values()))
    waiting = turn_rows.waiting(connection, ids)
    unread = messages.oldest_queued(connection)
    news, clock_turns = list[News](), list[StoredTurn]()
    for each in due:
        match, own = matches[each.match_id], times[each.match_id][each.seat]
        if own.due_at is None or moment(own.due_at) > until:
            timekeeping.reschedule(connection, [match])
            acted.moved += 1
        elif (match.id, each.seat) in waiting or (unread is not None and instant(unread) <= own.due_at):
            acted.waiting += 1
        elif match.unreadable_at is None:
            begins = _may_be_absent(connection, match, own)
            if begins is not None:
                absent.setdefault(begins.player_id, begins)
                continue
            follows = what_follows(timekeeping.clock_of(match, times[match.id]), each.seat)
            if follows in ("excuse", "time_up_ask"):
                news += _at_once(connection, match, each.seat, follows, own.due_at, now, acted)
            else:
                clock_turns.append(_clock_turn(match, each.seat, follows, own.due_at))
    tell(connection, news, now)
    refused = turn_rows.add_all(connection, clock_turns) if clock_turns else frozenset()
    acted.stored += len(clock_turns) - len(refused)


@dataclass(frozen=True, slots=True)
class Begins:
    """An absence that begins because the player has asked for it where their time would be up."""

    player_id: str
    match: StoredMatch
    seat: Seat
    due_at: int


def _may_be_absent(connection: Connection, match: StoredMatch, own: SeatTime) -> Begins | None:
    rule, seat, due_at = timekeeping.rule_of(match), own.stored.seat, own.due_at
    player = match.seats[seat].player_id
    away = own.stored.clock.absent + sum(stop.end - stop.start for stop in own.stops if stop.kind == "absence")
    if rule is None or not rule.absences or player is None or due_at is None or away >= MOST_IN_A_MATCH:
        return None
    return Begins(player, match, seat, due_at) if absences.may_begin(connection, player, moment(due_at)) else None


def _begin_absence(context: Judging, begins: Begins) -> bool:
    def told(connection: Connection, absence: StoredAbsence, bank: int) -> None:
        match, seat = begins.match, begins.seat
        payload = {
            "due_at": begins.due_at,
            "until": instant(absence.end_at),
            "days": absence.days,
            "bank": bank,
            "since": match.ply,
        }
        notice = notice_for(match, seat, "absence_began", ply=match.ply, **payload)
        news = News(
            match.id, "absence_began", "player", begins.player_id, seat, match.ply, payload=payload, notices=(notice,)
        )
        tell(connection, [news], context.clock())

    return absences.begin(context, begins.player_id, moment(begins.due_at), told)


def _at_once(
    connection: Connection, match: StoredMatch, seat: Seat, follows: StepKind, due_at: int, now: datetime, acted: Acted
) -> list[News]:
    """What needs no rules of the game: an excuse, or that others may ask."""
    timekeeping.step_alone(connection, match, ClockStep(follows, seat, match.ply, due_at, -1), now)
    if follows == "excuse":
        acted.excuses += 1
        payload = {"step": follows, "due_at": due_at, "since": match.ply}
        told = notice_for(match, seat, "excuse_used", ply=match.ply, **payload)
        player = match.seats[seat].player_id
        return [News(match.id, "excuse_used", "player", player, seat, match.ply, payload=payload, notices=(told,))]
    acted.asked += 1
    payload = {"step": follows, "since": match.ply, "due_at": due_at}
    notices = [notice_for(match, each.seat, "time_up", ply=match.ply, about=seat, **payload) for each in match.seats]
    return [News(match.id, "time_up", "all", seat=seat, ply=match.ply, payload=payload, notices=tuple(notices))]


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
        idempotency_key=None,
        fingerprint="",
        status="queued",
        verdict=None,
        submitted_at=moment(at),
        judged_at=None,
        kind="clock",
    )


def ask_for(context: Judging, player: Player, match_id: str, seat: int, what: IfLate) -> Match:
    """Asks for what is to follow where the time of another seat is up and the match leaves it to
    its players. Asking again for a seat that was decided about changes nothing.

    Raises ``NotFound``, ``Forbidden`` (``not_seated``), ``Invalid``, or ``Conflict``
    (``time_not_up``, ``turn_waiting``).
    """
    if what not in ASKED:
        raise Invalid((("/what", f"Ask for one of {', '.join(ASKED)}."),))
    with context.database.write() as connection:
        match = existing(match_rows.lock(connection, match_id), match_id)
        own = match.seat_of(player.id)
        if own is None or own == seat:
            raise Forbidden("Only those with another seat of the match can ask for that.", "not_seated")
        if not 0 <= seat < len(match.seats):
            raise Invalid((("/seat", f"There is no seat {seat}; the seats are 0 to {len(match.seats) - 1}."),))
        times = timekeeping.times_of(connection, [match]).get(match.id, ())
        up = times[seat].stored.clock.up if times else None
        if up is None or match.status != "running":
            raise Conflict(f"The time of seat {seat} is not up, so there is nothing to ask for.", "time_not_up")
        follows = what_follows(timekeeping.clock_of(match, times), seat, what)
        turn = _clock_turn(match, seat, follows, up)
        if turn_rows.add_all(connection, [turn]) and turn_rows.find(connection, turn.id) is None:
            raise Conflict("A turn of that seat has just come in and is being judged.", "turn_waiting")
    context.queue.wake_turns()
    return match_seen_by(match, player.id)


def come_back(context: Issuing, player: Player, match_id: str) -> Match:
    """Takes the player's seat back from the bot that holds it; the clock is what it would have
    been. Coming back to a seat that no bot holds changes nothing.

    Raises ``NotFound``, ``Forbidden`` (``not_seated``) or ``Conflict`` (``seat_gone``).
    """
    now = context.clock()
    with context.database.write() as connection:
        match = existing(match_rows.lock(connection, match_id), match_id)
        seat = match.seat_of(player.id)
        if seat is None:
            raise Forbidden("You have no seat in this match.", "not_seated")
        if not match.seats[seat].by_bot or match.status != "running":
            return match_seen_by(match, player.id)
        if _gone_for_good(connection, match, seat):
            raise Conflict("Your time was up, and by the rules of this match the bot keeps your seat.", "seat_gone")
        match_rows.set_by_bot(connection, match.id, seat, False)
        timekeeping.step_alone(connection, match, ClockStep("back", seat, match.ply, -1, -1), now)
        tell(connection, [News(match.id, "back", "all", seat=seat, ply=match.ply)], now)
        match = existing(match_rows.find(connection, match_id), match_id)
    return match_seen_by(match, player.id)


def _gone_for_good(connection: Connection, match: StoredMatch, seat: Seat) -> bool:
    steps = clock_rows.steps_of(connection, match.id)
    return any(step.kind == "time_up_bot_seat" and step.seat == seat for step in steps)
