"""The clock of one seat, and what may happen to it. Pure: instants are whole seconds since the
epoch, spans of time are seconds.

A clock runs while its seat is awaited, from ``since`` on, except where it is stopped. What it may
use up in that run is its ``budget``. ``left`` is what the seat has saved up; ``extra`` is used
before it and is lost at the end of the turn. Where the seat is asked within the turn of another
seat, it uses its ``share`` of that turn's pool instead.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from service.clocks.rule import EXCUSES, FIRST_TURN_LEAST, ClockRule


@dataclass(frozen=True, slots=True)
class SeatClock:
    """``left``, ``extra`` and ``share`` are in seconds, ``since`` and ``up`` are instants.

    ``turns`` counts the turns that it has begun, ``missed`` those in a row that a bot played for
    it. ``share`` is ``None`` until the seat is asked within the turn of another; ``lent`` says that
    the present run uses it. ``since`` is ``None`` where the clock does not run; ``up`` is since
    when its time is up, where others have to ask for what follows.
    """

    left: int
    extra: int = 0
    excuses: int = EXCUSES
    turns: int = 0
    missed: int = 0
    share: int | None = None
    lent: bool = False
    since: int | None = None
    up: int | None = None
    absent: int = 0

    @property
    def budget(self) -> int:
        """What the present run, or the next one, may use up, in seconds."""
        return (self.share or 0) if self.lent else self.extra + self.left

    @property
    def exhausted(self) -> bool:
        """Whether its share of the turn of another was used up before, and a bot has decided."""
        return self.lent and self.share == 0 and self.missed > 0


def new_clock(rule: ClockRule) -> SeatClock:
    """The clock of a seat at the start of a match."""
    return SeatClock(rule.base)


def begun(rule: ClockRule, clock: SeatClock) -> SeatClock:
    """A turn of the seat's own begins: the first has at least ``FIRST_TURN_LEAST``, each further
    one gains the increment, up to the most that a clock may have.
    """
    if clock.turns == 0:
        return replace(clock, turns=1, extra=max(0, FIRST_TURN_LEAST - clock.left), share=None)
    left = min(clock.left + rule.increment, max(rule.most, clock.left))
    return replace(clock, turns=clock.turns + 1, left=left, extra=0, share=None)


def started(rule: ClockRule, clock: SeatClock, at: int, asked_by: int | None) -> SeatClock:
    """The clock runs from ``at`` on; ``asked_by`` is the number of seats that share out the pool,
    where the seat is asked within the turn of another.
    """
    if asked_by is None:
        return replace(clock, since=at, lent=False)
    share = rule.pool // asked_by if clock.share is None else clock.share
    return replace(clock, since=at, lent=True, share=share)


def settled(clock: SeatClock, used: int) -> SeatClock:
    """The run has ended after ``used`` seconds."""
    if clock.lent:
        return replace(clock, since=None, lent=False, share=max(0, (clock.share or 0) - used))
    own = max(0, used - clock.extra)
    return replace(clock, since=None, left=max(0, clock.left - own), extra=max(0, clock.extra - used))


def excused(rule: ClockRule, clock: SeatClock, at: int) -> SeatClock:
    """The time of a running clock is up at ``at``, and an excuse is used: it runs on from there."""
    spent = replace(clock, excuses=clock.excuses - 1, since=at)
    return replace(spent, share=rule.excuse) if clock.lent else replace(spent, left=0, extra=rule.excuse)


def waiting(clock: SeatClock, at: int) -> SeatClock:
    """The time is up, and others have to ask for what follows, or the player acts after all."""
    return replace(clock, since=None, up=at)


def timed_out(rule: ClockRule, clock: SeatClock) -> SeatClock:
    """A bot acts for the seat, whose time is up: afterwards its clock has at least half the base.

    A share that is used up stays so until the turn that it belongs to is over; what the seat is
    asked meanwhile, the bot decides, and that counts as missed once.
    """
    return replace(_spent(rule, clock), missed=clock.missed + (0 if clock.exhausted else 1))


def played(rule: ClockRule, clock: SeatClock) -> SeatClock:
    """The player has acted, or is back: nothing counts as missed in a row any more. Time that was
    up meanwhile is not given back.
    """
    return replace(clock if clock.up is None else _spent(rule, clock), missed=0)


def extended(clock: SeatClock, seconds: int) -> SeatClock:
    """The present turn, or the next one, may take that much longer."""
    if clock.lent:
        return replace(clock, share=(clock.share or 0) + seconds)
    return replace(clock, extra=clock.extra + seconds)


def handed(clock: SeatClock) -> SeatClock:
    """Another player has the seat: nothing that the one before has missed counts for them. They
    have the time, and the excuses, that are left.
    """
    return replace(clock, missed=0)


def _spent(rule: ClockRule, clock: SeatClock) -> SeatClock:
    """The clock after its time was up, without the excuses."""
    if clock.lent:
        return replace(clock, since=None, up=None, lent=False, share=0)
    return replace(clock, since=None, up=None, left=rule.least_after, extra=0)
