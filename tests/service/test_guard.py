"""The guard of child processes: five outcomes, of which a request is to blame for what it did."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import psutil
import pytest

from service import children
from service.children import NOT_BEGUN, Child, ChildDied, Raised, Role, processor_time
from service.guard import (
    LONGEST_WAIT_SECONDS,
    START_SECONDS,
    STARVED_SHARE,
    Answered,
    Batch,
    Bounds,
    ChildOutcome,
    Died,
    Guard,
    OutOfTime,
    Waited,
)
from tests.service.forking import forks
from tools.waiting import until

LONG = Bounds(60.0)
DEADLINE = 3.0
FOR_EVER = 10_000.0


def handler() -> Any:
    """What the children of these tests answer."""

    def handle(request: Any) -> Any:
        match request:
            case "hang":
                time.sleep(3600)
            case "raise":
                raise ValueError("This request is refused.")
            case "die":
                os.kill(os.getpid(), signal.SIGKILL)
            case "compute":
                while True:
                    pass
            case "parse":
                with processor_time(60.0), processor_time(0.1):
                    while True:
                        pass
            case "parse quickly":
                with processor_time(60.0):
                    pass
            case "pid":
                return os.getpid()
        return request

    return handle


@pytest.fixture(scope="module")
def guard() -> Iterator[Guard]:
    with forks(handler) as server:
        yield Guard(server, Role.TRYING, time.monotonic)


def pid(guard: Guard) -> int:
    outcome = guard.ask("pid", LONG)
    assert isinstance(outcome, Answered)
    return int(outcome.answer)


def test_one_child_answers_until_it_dies_and_then_another(guard: Guard) -> None:
    first = pid(guard)
    assert pid(guard) == first
    assert guard.ask("die", LONG) == Died("killed by SIGKILL")
    assert pid(guard) != first


def test_a_child_that_is_not_asked_ends_and_another_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(children, "IDLE_SECONDS", 0.05)
    with forks(handler) as server:
        guard = Guard(server, Role.TRYING, time.monotonic)

        def answered() -> int | None:  # not by one that had to wait for its first request
            outcome = guard.ask("pid", LONG)
            return int(outcome.answer) if isinstance(outcome, Answered) else None

        first = until(answered, "a child answers")
        assert first is not None
        until(lambda: not psutil.pid_exists(first), "it has ended")
        assert until(answered, "another answers") != first


def test_a_child_that_hangs_is_killed_and_replaced(guard: Guard) -> None:
    first = pid(guard)
    assert guard.ask("hang", Bounds(0.5)) == OutOfTime("took longer than 0.5 s")
    with pytest.raises(ProcessLookupError):
        os.kill(first, 0)
    assert guard.ask("well", LONG) == Answered("well")


@pytest.mark.parametrize(("request_", "bounds"), [("compute", Bounds(60.0, processor_seconds=0.1)), ("parse", LONG)])
def test_processor_time_is_bounded_for_a_request_and_for_a_part_of_it(
    guard: Guard, request_: str, bounds: Bounds
) -> None:
    assert guard.ask(request_, bounds) == OutOfTime("used more processor time than it may")
    assert guard.ask("well", LONG) == Answered("well")


def test_a_part_that_ends_within_its_processor_time_leaves_that_of_the_whole_as_it_was(guard: Guard) -> None:
    first = pid(guard)
    assert guard.ask("parse quickly", Bounds(60.0, processor_seconds=30.0)) == Answered("parse quickly")
    assert pid(guard) == first


def test_an_exception_of_its_function_is_an_outcome_and_ends_nothing(guard: Guard) -> None:
    first = pid(guard)
    outcome = guard.ask("raise", LONG)
    assert isinstance(outcome, Raised)
    assert outcome.error == "ValueError: This request is refused."
    assert "Traceback" in outcome.trace
    assert pid(guard) == first


def test_where_no_child_can_be_started_no_request_is_to_blame_and_the_part_is_of_no_more_use() -> None:
    lost = list[str]()
    with forks(handler, lambda: lost.append("lost")) as server:
        guard = Guard(server, Role.TRYING, time.monotonic)
        os.kill(psutil.Process(pid(guard)).ppid(), signal.SIGKILL)
        assert guard.ask("hang", LONG) in (Died("its fork server has died"), Waited(BEFORE))
        assert lost
        outcome = guard.ask("well", LONG)
    assert isinstance(outcome, Waited)
    assert outcome.error.startswith("no process could be started: ")


BEFORE = "its process ended before it began: its fork server has died"


@dataclass
class Slow:
    """A child that answers at the time ``done``. It begins at ``begins``, has no processor for a
    share ``starving`` of the time, and waits for another process between two times.
    """

    done: float = FOR_EVER
    begins: float = 0.0
    starving: float = 0.0
    waiting: tuple[float, float] = (0.0, 0.0)
    dies: signal.Signals | None = None
    now: float = 0.0
    killed: bool = False

    def send(self, requests: Sequence[Any], processor_seconds: float | None) -> None: ...

    def wait(self, seconds: float) -> Sequence[Any] | None:
        self.now += seconds
        if self.dies is not None:
            raise ChildDied(self.at, f"killed by {self.dies.name}", self.dies)
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


def batch(slow: Slow) -> Batch:
    return Batch(cast("Child", slow), ["request"], Bounds(DEADLINE), lambda: slow.now)


def outcome(slow: Slow) -> ChildOutcome[Any]:
    asked = batch(slow)
    outcomes: Mapping[int, ChildOutcome[Any]] | None = None
    while outcomes is None:
        outcomes = asked.poll(0.1)
    assert asked.ended == (slow.killed or slow.dies is not None)
    return outcomes[0]


def test_of_the_time_without_a_processor_a_quarter_counts() -> None:
    slow = Slow(starving=0.75)
    asked = batch(slow)
    for _ in range(3):
        assert asked.poll(1.0) is None
    assert asked.own == pytest.approx(2 * (0.25 + 0.75 * STARVED_SHARE))


@pytest.mark.parametrize(
    "slow",
    [
        Slow(done=DEADLINE * 0.9),
        Slow(done=DEADLINE * 3, starving=0.9),
        Slow(done=START_SECONDS, begins=START_SECONDS - 1),
        Slow(done=LONGEST_WAIT_SECONDS, waiting=(1.0, LONGEST_WAIT_SECONDS - 1)),
    ],
    ids=["in time", "starved", "starts slowly", "database is slow"],
)
def test_a_child_is_given_the_time_that_others_take_from_it(slow: Slow) -> None:
    assert outcome(slow) == Answered("answer")
    assert not slow.killed


@pytest.mark.parametrize("starving", [0.0, 0.5, 1.0])
def test_a_child_that_hangs_is_ended_however_overloaded_the_machine_is(starving: float) -> None:
    slow = Slow(starving=starving)
    assert outcome(slow) == OutOfTime("took longer than 3 s")
    assert slow.killed
    assert DEADLINE < slow.now < DEADLINE / STARVED_SHARE + 1


@pytest.mark.parametrize(
    ("slow", "seconds"),
    [(Slow(begins=FOR_EVER), START_SECONDS), (Slow(waiting=(0.0, FOR_EVER)), LONGEST_WAIT_SECONDS)],
    ids=["start", "database"],
)
def test_a_child_that_waits_for_ever_is_ended_and_its_request_not_blamed(slow: Slow, seconds: float) -> None:
    assert outcome(slow) == Waited(f"it was kept waiting for longer than {seconds:g} s")
    assert slow.killed
    assert seconds < slow.now < seconds + 1


@pytest.mark.parametrize(
    ("slow", "expected"),
    [
        (Slow(dies=signal.SIGSEGV), Died("killed by SIGSEGV")),
        (Slow(dies=signal.SIGPROF), OutOfTime("used more processor time than it may")),
        (Slow(dies=signal.SIGSEGV, begins=1.0), Waited("its process ended before it began: killed by SIGSEGV")),
    ],
    ids=["crash", "processor", "start"],
)
def test_a_child_that_has_died_is_not_killed(slow: Slow, expected: ChildOutcome[Any]) -> None:
    assert outcome(slow) == expected
    assert not slow.killed


class Interrupted(BaseException):
    """What ends a job whose time is up."""


def test_a_child_whose_request_is_interrupted_has_ended(guard: Guard) -> None:
    first = pid(guard)

    def interrupt(number: int, frame: object) -> None:
        raise Interrupted

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    try:
        with pytest.raises(Interrupted):
            guard.ask("hang", LONG)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert pid(guard) != first
    with pytest.raises(ProcessLookupError):
        os.kill(first, 0)
