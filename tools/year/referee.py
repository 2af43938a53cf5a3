"""A referee that shares no code with the service's clocks: it follows the steps of a match from
what is known to have stopped them, and says what was early, late, twice or missed.

The rules are those of docs/clocks.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from typing import Final, TypeAlias
from zoneinfo import ZoneInfo

Interval: TypeAlias = tuple[int, int]
"""Seconds since the epoch, half-open."""
DAY: Final = 86_400
HOUR: Final = 3600
PATIENCE: Final = 60
"""Seconds within which the service has to act once time is up."""
ACTED: Final = ("time_up_bot_turn", "time_up_bot_hold", "time_up_bot_seat", "time_up_resign")


@dataclass(frozen=True, slots=True)
class Rule:
    """The times of a match, in seconds; ``total``: nothing is added, and units are days."""

    base: int
    increment: int
    most: int
    total: bool = False


@dataclass(frozen=True, slots=True)
class Asked:
    """The seats that a state awaits, and whose turn it is where all others decide within it."""

    seats: frozenset[int]
    turn_of: int | None = None


@dataclass(frozen=True, slots=True)
class Noted:
    """A step as it is in the record, with what each state asked that it led to, one after the
    other.
    """

    kind: str
    seat: int | None
    counts_at: int
    at: int
    seconds: int
    asked: tuple[Asked, ...]


@dataclass(frozen=True, slots=True)
class Truth:
    """What stopped the clocks of a match, as those know who have caused it: by seat, and outages,
    which stop all.
    """

    stopped: Mapping[int, Sequence[Interval]]
    outages: Sequence[Interval]


@dataclass(slots=True)
class RefereeFindings:
    """What the referee has found, as sentences; and how often each thing happened."""

    early: list[str] = field(default_factory=list)
    late: list[str] = field(default_factory=list)
    twice: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)
    expired: int = 0
    latest: int = 0

    @property
    def is_clean(self) -> bool:
        """Whether there is nothing to complain about."""
        return not (self.early or self.late or self.twice or self.missed)


@dataclass(slots=True)
class _Seat:
    left: int
    extra: int = 0
    reserve: int = 2 * DAY
    turns: int = 0
    since: int | None = None
    share: int | None = None
    """What is left of the time in which it decides within the turn of another, in that turn."""
    lent: bool = False
    grace: int = 0
    """What was left of the two hours after an outage when its last run ended."""

    @property
    def main(self) -> int:
        """What the present run may use before the reserve."""
        return self.share or 0 if self.lent else self.left + self.extra

    @property
    def budget(self) -> int:
        """What the present run may use."""
        return self.main + self.reserve


def nights(zone: str, begin: int, end: int, since: int, until: int) -> list[Interval]:
    """The hours from ``begin`` to ``end`` o'clock of every day in a zone."""
    return [
        (_utc(day, begin, zone), _utc(day + timedelta(days=end <= begin), end, zone))
        for day in _days(zone, since, until)
    ]


def weekends(zone: str, since: int, until: int) -> list[Interval]:
    """The Saturdays and Sundays in a zone."""
    days = [day for day in _days(zone, since, until) if day.isoweekday() > 5]
    return [(_utc(day, 0, zone), _utc(day + timedelta(days=1), 0, zone)) for day in days]


def ran(since: int, until: int, stopped: Iterable[Interval]) -> int:
    """The seconds between two instants in which nothing stopped the clock."""
    total, at = 0, since
    for start, end in sorted(stopped):
        if end <= at or start >= until:
            continue
        total += max(0, start - at)
        at = max(at, end)
    return total + max(0, until - at)


def due_of(since: int, budget: int, stopped: Iterable[Interval]) -> int:
    """When a clock that began to run has run for so long; the later moment where something stops it
    just then.
    """
    at = since
    for start, end in sorted(stopped):
        if end <= at:
            continue
        if start - at > budget:
            break
        budget -= max(0, start - at)
        at = end
    return at + budget


def judge(
    name: str, rule: Rule, seats: int, steps: Sequence[Noted], truth: Truth, now: int, found: RefereeFindings
) -> None:
    """Follows the steps of a match up to ``now``, and adds what is wrong to ``found``."""
    clocks = [_Seat(rule.base) for _ in range(seats)]
    last, held = Asked(frozenset()), set[int]()
    seen: set[tuple[int | None, int]] = set()
    for step in steps:
        if step.kind in ACTED:
            assert step.seat is not None
            _check_time_up(name, clocks[step.seat], step, truth, found)
            if (step.seat, step.counts_at) in seen:
                found.twice.append(f"{name}: seat {step.seat} at {step.counts_at}")
            seen.add((step.seat, step.counts_at))
        _apply(rule, clocks, held, step, truth)
        for asked in step.asked:
            _turns_begin(rule, clocks, last, asked)
            last = asked
        for seat, clock in enumerate(clocks):
            runs = seat in last.seats and seat not in held
            if clock.since is not None and not runs:
                _settle(clock, step.at, truth, seat)
            elif clock.since is None and runs:
                clock.since, clock.lent = step.at, last.turn_of not in (None, seat)
                if clock.lent and clock.share is None:
                    clock.share = (DAY if rule.total else rule.base) // (seats - 1)
    for seat, clock in enumerate(clocks):
        if clock.since is not None:
            over = now - _stopped(clock, truth, seat)[1]
            if over > PATIENCE:
                found.missed.append(f"{name}: nobody acted on seat {seat} for {over} s")


def _check_time_up(name: str, clock: _Seat, step: Noted, truth: Truth, found: RefereeFindings) -> None:
    assert step.seat is not None
    what = f"{name}: {step.kind} of seat {step.seat} at {step.counts_at}"
    if clock.since is None:
        found.early.append(f"{what}: its clock did not run")
        return
    _, due = _stopped(clock, truth, step.seat)
    if step.counts_at < due:
        found.early.append(f"{what}: {due - step.counts_at} s too early")
    waited = ran(due, step.at, truth.outages)  # while a part is out, nobody can act
    found.latest = max(found.latest, waited)
    if waited > PATIENCE:
        found.late.append(f"{what}: {waited} s late")
    found.expired += 1


def _stopped(clock: _Seat, truth: Truth, seat: int) -> tuple[list[Interval], int]:
    """What stops the present run, and when its time is up: not before its clock has run for two
    hours after an outage.
    """
    assert clock.since is not None
    stopped = [each for each in truth.stopped.get(seat, ()) if each[1] > clock.since]
    due = due_of(clock.since, max(clock.budget, clock.grace), stopped)
    for start, end in sorted(truth.outages):
        if end > clock.since and start <= due:
            stopped.append((start, end))
            due = max(due_of(clock.since, max(clock.budget, clock.grace), stopped), due_of(end, 2 * HOUR, stopped))
    return stopped, due


def _apply(rule: Rule, clocks: Sequence[_Seat], held: set[int], step: Noted, truth: Truth) -> None:
    if step.seat is None:
        return
    clock, day = clocks[step.seat], DAY if rule.total else rule.base
    if step.kind == "turn" and clock.since is not None:
        _settle(clock, max(clock.since, step.counts_at), truth, step.seat)
    elif step.kind in ACTED:
        if clock.lent:
            clock.share = 0
        else:
            clock.left, clock.extra = day // 2, 0
        clock.since, clock.lent, clock.reserve, clock.grace = None, False, 0, 0
        if step.kind != "time_up_bot_turn":
            held.add(step.seat)
    elif step.kind == "resigned":
        held.add(step.seat)
    elif step.kind == "back":
        held.discard(step.seat)
    elif step.kind == "extended" and clock.lent:
        clock.share = (clock.share or 0) + step.seconds
    elif step.kind == "extended":
        clock.extra += step.seconds


def _turns_begin(rule: Rule, clocks: Sequence[_Seat], before: Asked, now: Asked) -> None:
    """Begins the turns that begin with a state; with them the time ends that was lent."""
    if now.turn_of is None:
        for seat in now.seats - before.seats:
            _begin(rule, clocks[seat])
    elif now.turn_of != before.turn_of:
        for clock in clocks:
            clock.share = None
        _begin(rule, clocks[now.turn_of])


def _begin(rule: Rule, clock: _Seat) -> None:
    clock.turns += 1
    if clock.turns == 1:
        clock.extra = max(0, 3 * DAY - clock.left)
    else:
        clock.left, clock.extra = min(clock.left + rule.increment, max(rule.most, clock.left)), 0


def _settle(clock: _Seat, until: int, truth: Truth, seat: int) -> None:
    assert clock.since is not None
    (stopped, due), until = _stopped(clock, truth, seat), max(clock.since, until)
    outages = [min(end, until) for start, end in truth.outages if end > clock.since and start <= due and start < until]
    since, least = (max(outages), 2 * HOUR) if outages else (clock.since, clock.grace)
    used, clock.grace = ran(clock.since, until, stopped), max(0, least - ran(since, until, stopped))
    clock.since, clock.reserve = None, max(0, clock.reserve - max(0, used - clock.main))
    if clock.lent:
        clock.share, clock.lent = max(0, (clock.share or 0) - used), False
        return
    clock.left = max(0, clock.left - max(0, used - clock.extra))
    clock.extra = max(0, clock.extra - used)


def _days(zone: str, since: int, until: int) -> list[date]:
    first = datetime.fromtimestamp(since, ZoneInfo(zone)).date() - timedelta(days=2)
    last = datetime.fromtimestamp(until, ZoneInfo(zone)).date() + timedelta(days=1)
    return [first + timedelta(days=number) for number in range((last - first).days + 1)]


def _utc(day: date, hour: int, zone: str) -> int:
    return int(datetime.combine(day, time(hour), ZoneInfo(zone)).astimezone(UTC).timestamp())
