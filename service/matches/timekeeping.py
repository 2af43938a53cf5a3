"""Moves the clocks of matches with their progress, and says what is left of them: the rows of
``service.clocks``. On the caller's connection, in its transaction, with the matches locked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from engine.play import Mark
from engine.record import StepKind
from engine.types import Seat
from service.clocks.history import NOBODY, ClockStep, MatchClock, advanced, fresh
from service.clocks.rule import ClockRule, read_rule
from service.clocks.seat import (
    Ground,
    Remaining,
    Stop,
    Stops,
    StopsOf,
    deadline,
    main_until,
    next_reminder,
    remaining,
    reminders,
    stops_ahead,
)
from service.clocks.spans import LocalHours, instant, moment
from service.players.local_time import quiet_hours_of
from service.store import clocks as rows
from service.store import heartbeats
from service.store import matches as match_rows
from service.store.clocks import StoredClock, StoredClockStep
from service.store.matches import StoredMatch


@dataclass(frozen=True, slots=True)
class ClockMove:
    """How the clocks of a match move: plain data, also for another process. ``rule`` is its
    document; ``held`` are the seats whose clock does not run before the step, ``before`` is the
    mark of the state before it. The times of ``step`` that are -1 are those of the writing.
    """

    match_id: str
    rule: Mapping[str, Any]
    players: tuple[str | None, ...]
    held: frozenset[Seat]
    step: ClockStep
    before: Mark


def rule_of(match: StoredMatch) -> ClockRule | None:
    """The rule of the clocks of a match; ``None`` where it has none."""
    return None if match.clock is None else read_rule(match.clock)


def move(
    connection: Connection, moves: Sequence[ClockMove], now: datetime, unreadable: Mapping[str, datetime] | None = None
) -> None:
    """Moves the clocks of locked matches, by one step each; ``unreadable``: since when some are."""
    if not moves:
        return
    ids = [each.match_id for each in moves]
    stored, lengths = rows.of_matches(connection, ids), rows.lengths(connection, ids)
    players = {each.match_id: each.players for each in moves}
    grounds = _Grounds.read(connection, players, stored, now, instant(now), unreadable or {})
    changed, steps = list[StoredClock](), list[StoredClockStep]()
    for each in moves:
        known = stored.get(each.match_id, ())
        clock = _clock_before(each, known)
        number, last = lengths.get(each.match_id, (0, 0))
        at, seat = max(last, instant(now)), each.step.seat
        counts_at = at if each.step.counts_at < 0 else min(each.step.counts_at, at)
        step = replace(each.step, at=at, counts_at=counts_at)
        after, step = advanced(clock, step, grounds.stops_of(clock.rule, known))
        steps.append(StoredClockStep(each.match_id, number, None if seat is None else each.players[seat], step))
        if step.kind in ("time_up_bot_hold", "time_up_bot_seat"):
            for held in after.held - clock.held:
                match_rows.hold_seat(connection, each.match_id, held, moment(at), step.kind == "time_up_bot_seat")
        begin = _beginning(clock, after)
        hours = quiet_hours_of(connection, {player for seat in begin if (player := each.players[seat]) is not None})
        moved = [_stored_after(each, after, seat, known, seat in begin, hours) for seat in range(len(after.seats))]
        moved = [_scheduled(each.players[own.seat], grounds, clock.rule, own) for own in moved]
        if known:
            changed += [own for own, old in zip(moved, known, strict=True) if own != old]
        else:
            rows.add(connection, moved)
    rows.write(connection, changed)
    rows.add_steps(connection, steps)


def _scheduled(player: str | None, grounds: _Grounds, rule: ClockRule, own: StoredClock) -> StoredClock:
    if own.clock.since is None or player is None:
        return replace(own, due_at=None, remind_at=None)
    return _rescheduled(SeatTime(own, grounds.stops(rule, own)))


def _rescheduled(time: SeatTime) -> StoredClock:
    """The row of a seat, with when its time is up, and when its next reminder is due."""
    found = reminders(time.stored.clock, time.stops, time.stored.hours)
    return replace(time.stored, due_at=time.due_at, remind_at=next_reminder(found, time.stored.reminded_at))


def _clock_before(each: ClockMove, known: Sequence[StoredClock]) -> MatchClock:
    rule = read_rule(each.rule)
    assert rule is not None
    if not known:
        return fresh(rule, len(each.players), each.held)
    return MatchClock(rule, tuple(own.clock for own in known), each.before, each.held)


def _beginning(before: MatchClock, after: MatchClock) -> frozenset[Seat]:
    """The seats whose turn begins, or who are asked for the first time within that of another."""
    turns = sum(own.turns for own in before.seats) != sum(own.turns for own in after.seats)
    return frozenset(
        seat
        for seat, (old, new) in enumerate(zip(before.seats, after.seats, strict=True))
        if old.turns != new.turns or (new.lent and (old.share is None or turns))
    )


def _stored_after(
    each: ClockMove,
    after: MatchClock,
    seat: Seat,
    known: Sequence[StoredClock],
    begins: bool,
    hours: Mapping[str, LocalHours],
) -> StoredClock:
    """The row of a seat; quiet hours are those that its player has when a turn begins."""
    clock, player = after.seats[seat], each.players[seat]
    own = known[seat] if known else None
    wanted = hours.get(player or "") if begins or own is None else own.hours
    if each.step.kind == "handed" and each.step.seat == seat:
        wanted = None  # those of the new player hold from their next turn on
    reminded = own.reminded_at if own is not None and own.clock.since == clock.since else 0
    return StoredClock(each.match_id, seat, clock, wanted, reminded_at=reminded)


@dataclass(frozen=True, slots=True)
class _Grounds:
    """What may stop clocks: days off by player, pauses and outages by match, outages of all."""

    players: Mapping[str, tuple[str | None, ...]]
    days_off: Mapping[str, Stops]
    of_match: Mapping[str, Stops]
    outages: Stops

    @classmethod
    def read(
        cls,
        connection: Connection,
        players: Mapping[str, tuple[str | None, ...]],
        stored: Mapping[str, Sequence[StoredClock]],
        now: datetime,
        until: int,
        unreadable: Mapping[str, datetime],
    ) -> _Grounds:
        """Reads it, as far as it concerns clocks that run. An outage that goes on lasts until
        ``until``, as far as anybody knows; a match has one while it is ``unreadable``.
        """
        runs = [own.clock.since for each in stored.values() for own in each if own.clock.since is not None]
        people = {player for each in players.values() for player in each if player is not None}
        since = moment(min(runs)) if runs else None
        days_off = rows.days_off_of(connection, people, since)
        outages = () if since is None else rows.outages_since(connection, since)
        out_since = heartbeats.out_since(connection, now)
        if out_since is not None:
            outages = (*outages, Stop("outage", instant(out_since), until))
        of_match = rows.stops_of(connection, players)
        for match_id, unreadable_at in unreadable.items():
            outage = Stop("outage", instant(unreadable_at), until)
            of_match[match_id] = (*of_match.get(match_id, ()), outage)
        return cls(players, days_off, of_match, outages)

    def stops_of(self, rule: ClockRule, stored: Sequence[StoredClock]) -> StopsOf:
        """What stops the clocks of one match, by seat."""
        return lambda seat: self.stops(rule, stored[seat])

    def stops(self, rule: ClockRule, own: StoredClock) -> Stops:
        player = self.players[own.match_id][own.seat]
        days_off = self.days_off.get(player or "", ()) if rule.days_off else ()
        stops = self.of_match.get(own.match_id, ())
        pauses = (stop for stop in stops if stop.kind != "outage")
        outages = (stop for stop in stops if stop.kind == "outage")
        return stops_ahead(rule, own.clock, Ground(own.hours, (*days_off, *pauses), (*self.outages, *outages)))


@dataclass(frozen=True, slots=True)
class SeatTime:
    """The clock of a seat, what stops it up to its deadline, and when its time is up."""

    stored: StoredClock
    stops: Stops

    @property
    def due_at(self) -> int | None:
        """When its time is up, by all that is known now."""
        return deadline(self.stored.clock, self.stops)

    def until(self, now: int) -> int | None:
        """When the main time is up, or where the reserve runs at ``now``, that is."""
        until = main_until(self.stored.clock, self.stops)
        return until if until is not None and now < until else self.due_at

    def remaining(self, now: int) -> Remaining:
        """What is left at ``now``."""
        return remaining(self.stored.clock, self.stops, now)


def times_of(
    connection: Connection, matches: Sequence[StoredMatch], now: datetime, lasts: int = 1
) -> dict[str, tuple[SeatTime, ...]]:
    """The clocks of those matches that have any, by match and then by seat, as they are ``now``; an
    outage that goes on ``lasts`` for so many seconds from then on.
    """
    timed = {match.id: match for match in matches if match.clock is not None}
    if not timed:
        return {}
    stored = rows.of_matches(connection, timed)
    players = {match.id: tuple(seat.player_id for seat in match.seats) for match in timed.values()}
    grounds = _Grounds.read(connection, players, stored, now, instant(now) + lasts, _unreadable(timed.values()))
    found = {}
    for match_id, known in stored.items():
        rule = rule_of(timed[match_id])
        assert rule is not None
        found[match_id] = tuple(SeatTime(own, grounds.stops(rule, own)) for own in known)
    return found


def is_up(connection: Connection, match: StoredMatch, seat: Seat, now: datetime) -> bool:
    """Whether the time and the reserve of a seat are up, whatever was done about it so far."""
    times = times_of(connection, [match], now).get(match.id)
    due_at = None if times is None else times[seat].due_at
    return due_at is not None and due_at < instant(now)


def clock_of(match: StoredMatch, times: Sequence[SeatTime]) -> MatchClock:
    """The clocks of a match as a value; whose turn it is is not told by it."""
    rule = rule_of(match)
    assert rule is not None
    return MatchClock(rule, tuple(each.stored.clock for each in times), NOBODY, match.without_clock)


def reschedule(connection: Connection, matches: Sequence[StoredMatch], now: datetime, anew: Seat | None = None) -> None:
    """Writes anew when the time of the seats of locked matches is up, after what stops clocks has
    changed, and when those players are reminded; of the seat ``anew`` in any case. Never too late:
    an outage that goes on may end in the second ``now``.
    """
    players = {match.id: [seat.player_id for seat in match.seats] for match in matches}
    moved = []
    for match_id, each in times_of(connection, matches, now, lasts=0).items():
        for own in each:
            player = players[match_id][own.stored.seat]
            if (own.due_at != own.stored.due_at or own.stored.seat == anew) and player is not None:
                moved.append(_rescheduled(own))
    rows.postpone(connection, moved)


def step_alone(
    connection: Connection, match: StoredMatch, kind: StepKind, seat: Seat, now: datetime, seconds: int = 0
) -> None:
    """Records a step that appends no entry to the log, and counts when it is written: an extension,
    a player who is back.
    """
    assert match.clock is not None
    step = ClockStep(kind, seat, match.ply, counts_at=-1, at=-1, seconds=seconds)
    players = tuple(seat.player_id for seat in match.seats)
    before = rows.last_mark(connection, match.id)
    moved = ClockMove(match.id, match.clock, players, match.without_clock, step, before)
    move(connection, [moved], now, _unreadable([match]))


def _unreadable(matches: Iterable[StoredMatch]) -> dict[str, datetime]:
    """Since when those of these matches cannot be read that cannot."""
    return {match.id: match.unreadable_at for match in matches if match.unreadable_at is not None}
