"""The clock of one seat, and what may happen to it. Pure: instants are whole seconds since the
epoch, spans of time are seconds.

A clock runs while its seat is awaited, from ``since`` on, except where it is stopped. What it may
use up in that run is its ``budget``: first its main time, then its ``reserve``, which is for the
whole match. Main time is ``extra``, which is lost at the end of the turn, and then ``left``, which
the seat has saved up. Where the seat is asked within the turn of another seat, it is its ``share``
of that turn's pool instead.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from service.clocks.rule import FIRST_TURN_LEAST, RESERVE, ClockRule


@dataclass(frozen=True, slots=True)
class SeatClock:
    """``left``, ``extra``, ``reserve`` and ``share`` are in seconds, ``since`` is an instant.

    ``turns`` counts the turns that it has begun, ``missed`` those in a row that a bot played for
    it. ``share`` is ``None`` until the seat is asked within the turn of another; ``lent`` says that
    the present run uses it. ``since`` is ``None`` where the clock does not run. ``off`` are the
    seconds for which days off have stopped it so far.
    """

    left: int
    extra: int = 0
    reserve: int = RESERVE
    turns: int = 0
    missed: int = 0
    share: int | None = None
    lent: bool = False
    since: int | None = None
    off: int = 0

    @property
    def main(self) -> int:
        """What the present run, or the next one, may use up before the reserve, in seconds."""
        return (self.share or 0) if self.lent else self.extra + self.left

    @property
    def budget(self) -> int:
        """What the present run, or the next one, may use up, in seconds."""
        return self.main + self.reserve

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
    over = max(0, used - clock.main)
    ended = replace(clock, since=None, lent=False, reserve=max(0, clock.reserve - over))
    if clock.lent:
        return replace(ended, share=max(0, clock.main - used))
    left = max(0, clock.left - max(0, used - clock.extra))
    return replace(ended, left=left, extra=max(0, clock.extra - used))


def timed_out(rule: ClockRule, clock: SeatClock) -> SeatClock:
    """A bot acts for the seat, whose time and reserve are up: afterwards its clock has half of what
    a turn is expected to take.

    A share that is used up stays so until the turn that it belongs to is over; what the seat is
    asked meanwhile, the bot decides, and that counts as missed once.
    """
    spent = replace(clock, since=None, lent=False, reserve=0, missed=clock.missed + (0 if clock.exhausted else 1))
    return replace(spent, share=0) if clock.lent else replace(spent, left=rule.least_after, extra=0)


def played(clock: SeatClock) -> SeatClock:
    """The player has acted, is back, or is another one: nothing counts as missed in a row any
    more.
    """
    return replace(clock, missed=0)


def extended(clock: SeatClock, seconds: int) -> SeatClock:
    """The present turn, or the next one, may take that much longer."""
    if clock.lent:
        return replace(clock, share=clock.main + seconds)
    return replace(clock, extra=clock.extra + seconds)
