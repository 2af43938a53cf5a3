"""Of the time that a child takes, only its own counts against its deadline, and it comes all the
same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import pytest

from service.children import NOT_BEGUN, Child, ChildDied, ChildTimedOut, ChildWaited
from service.watch import LONGEST_WAIT_SECONDS, STARVED_SHARE, Watch, ask

DEADLINE = 3.0
FOR_EVER = 10_000.0


@dataclass
class Slow:
    """A child that answers at the time ``done``. It begins at ``begins``, has no processor for a
    share ``starving`` of the time, and waits for another process between two times.
    """

    done: float = FOR_EVER
    begins: float = 0.0
    starving: float = 0.0
    waiting: tuple[float, float] = (0.0, 0.0)
    dies: bool = False
    now: float = 0.0
    killed: bool = False

    def send(self, requests: Sequence[Any]) -> None: ...

    def wait(self, seconds: float) -> Sequence[Any] | None:
        self.now += seconds
        if self.dies:
            raise ChildDied(self.at, "killed by SIGSEGV")
        return ["answer"] if self.now >= self.done else None

    @property
    def at(self) -> int:
        return NOT_BEGUN if self.now < self.begins else 0

    @property
    def waits(self) -> bool:
        return self.waiting[0] <= self.now < self.waiting[1]

    def starved(self) -> float:
        return self.now * self.starving

    def kill(self) -> None:
        self.killed = True


def asked(slow: Slow, longest_wait: float = LONGEST_WAIT_SECONDS) -> Sequence[Any]:
    return ask(cast("Child", slow), ["request"], DEADLINE, lambda: slow.now, longest_wait)


def test_of_the_time_without_a_processor_a_quarter_counts() -> None:
    slow = Slow(starving=0.75)
    watch = Watch(cast("Child", slow), lambda: slow.now)
    slow.now = 1.0
    watch.look()
    slow.now = 5.0
    watch.look()
    assert watch.own == pytest.approx(1 + 3 * STARVED_SHARE)


@pytest.mark.parametrize(
    "slow",
    [
        Slow(done=DEADLINE * 0.9),
        Slow(done=DEADLINE * 3, starving=0.9),
        Slow(done=LONGEST_WAIT_SECONDS, begins=LONGEST_WAIT_SECONDS - 1),
        Slow(done=LONGEST_WAIT_SECONDS, waiting=(1.0, LONGEST_WAIT_SECONDS - 1)),
    ],
    ids=["in time", "starved", "starts slowly", "database is slow"],
)
def test_a_child_is_given_the_time_that_others_take_from_it(slow: Slow) -> None:
    assert asked(slow) == ["answer"]
    assert not slow.killed


@pytest.mark.parametrize("starving", [0.0, 0.5, 1.0])
def test_a_child_that_hangs_is_ended_however_overloaded_the_machine_is(starving: float) -> None:
    slow = Slow(starving=starving)
    with pytest.raises(ChildTimedOut, match="longer than 3 s") as ended:
        asked(slow)
    assert (ended.type, ended.value.request, slow.killed) == (ChildTimedOut, 0, True)
    assert DEADLINE < slow.now < DEADLINE / STARVED_SHARE + 1


@pytest.mark.parametrize("slow", [Slow(begins=FOR_EVER), Slow(waiting=(0.0, FOR_EVER))], ids=["start", "database"])
def test_a_child_that_waits_for_ever_is_ended_and_its_request_not_blamed(slow: Slow) -> None:
    with pytest.raises(ChildWaited, match="has waited for 7 s"):
        asked(slow, longest_wait=7.0)
    assert slow.killed
    assert 7 < slow.now < 8


def test_a_child_that_has_died_is_not_killed() -> None:
    slow = Slow(dies=True)
    with pytest.raises(ChildDied, match="SIGSEGV"):
        asked(slow)
    assert not slow.killed
