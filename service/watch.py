"""Measures how long a child has been at its request, and ends one that takes too long.

Only time of its own counts: not that in which it starts or waits for the database
(``note_waiting``), and of the time in which other processes keep it from the processor, a quarter.
So a deadline condemns no innocent request on an overloaded machine, and still comes: by the clock
after ``1 / STARVED_SHARE`` times its seconds, without ``LONGEST_WAIT_SECONDS``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from service.children import NOT_BEGUN, Child, ChildDied, ChildTimedOut, ChildWaited

STEP_SECONDS: Final = 0.1
"""How often a child that works is looked at."""
STARVED_SHARE: Final = 0.25
"""How much of the time that a child has to wait for a processor counts as its own."""
LONGEST_WAIT_SECONDS: Final = 20.0
"""How long a child may start, or wait for the database."""


class Watch:
    """Looks how long a child has been at its present request."""

    def __init__(self, child: Child, timer: Callable[[], float]) -> None:
        self.child = child
        self.at = NOT_BEGUN
        self.own = self.waited = 0.0
        """Seconds of its own, and those in which it started or waited for the database."""
        self._timer = timer
        self._seen, self._starved = timer(), 0.0

    def look(self) -> None:
        """Brings the figures up to date."""
        now, at, starved = self._timer(), self.child.at, self.child.starved()
        passed = now - self._seen
        if at != self.at:
            self.at, self.own, self.waited = at, 0.0, 0.0
        elif at == NOT_BEGUN or self.child.waits:
            self.waited += passed
        else:
            without = min(passed, max(0.0, starved - self._starved))
            self.own += passed - without * (1 - STARVED_SHARE)
        self._seen, self._starved = now, starved


def ask(
    child: Child,
    requests: Sequence[Any],
    seconds: float,
    timer: Callable[[], float],
    longest_wait: float = LONGEST_WAIT_SECONDS,
) -> Sequence[Any]:
    """The answers of a child to a batch, as ``Child.wait`` gives them.

    Raises ``ChildTimedOut`` where one request takes more than ``seconds`` of the child's own,
    ``ChildWaited`` where it waits for longer than ``longest_wait``, and ``ChildDied``. After any
    exception the child has ended.
    """
    watch = Watch(child, timer)
    try:
        child.send(requests)
        while (answers := child.wait(min(STEP_SECONDS, seconds))) is None:
            watch.look()
            if watch.own > seconds:
                raise ChildTimedOut(watch.at, f"It took longer than {seconds:g} s.")
            if watch.waited > longest_wait:
                raise ChildWaited(watch.at, f"It has waited for {longest_wait:g} s.")
    except ChildDied:
        raise
    except BaseException:
        child.kill()  # its late answers would be taken for those to the next batch
        raise
    return answers
