"""The supervisor: the output of its children is passed on, what exits is started again, and no
process is left behind.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial

import psutil
import pytest

from tests import missing
from tests.service.fakes import Timer
from tools.waiting import LIMIT_SECONDS, until
from workers.supervise import Program, Supervisor

LINES = list[tuple[str, str]]


@pytest.fixture
def said() -> LINES:
    return []


@pytest.fixture
def timer() -> Timer:
    return Timer()


@pytest.fixture
def supervisor(said: LINES, timer: Timer) -> Iterator[Supervisor]:
    supervisor = Supervisor(lambda name, line: said.append((name, line)), timer=timer)
    yield supervisor
    supervisor.stop(supervisor.names(), patience=0)


def program(name: str, code: str) -> Program:
    """A part that becomes another program, as Valkey is."""
    return Program(name, partial(os.execv, sys.executable, (sys.executable, "-u", "-c", code)))


LEAVING = (
    "import os, time; child = os.fork(); os.setsid() if child == 0 else os.write(1, b'left %d\\n' % child);"
    " time.sleep(600 if child == 0 else 0)"
)
"""A program that ends, and leaves another behind that has its output open."""


def attend_until(supervisor: Supervisor, good: Callable[[], bool]) -> None:
    def attended() -> bool:
        supervisor.attend(0)
        return good()

    until(attended, "what the test waits for")


def children_saying(said: LINES, word: str) -> list[int]:
    """The numbers of the processes that said this word and their number."""
    return [int(line.split()[1]) for _, line in said if line.startswith(word)]


def until_said(supervisor: Supervisor, said: LINES, word: str, times: int) -> None:
    attend_until(supervisor, lambda: len(children_saying(said, word)) == times)


def until_crashed(supervisor: Supervisor, name: str, times: int) -> None:
    attend_until(supervisor, lambda: supervisor.crashes(name) == times)


SLEEPER = "import os, time; print('here', os.getpid()); time.sleep(600)"
FAMILY = (
    "import os, time; child = os.fork(); os.write(1, f'{chr(99) if child == 0 else chr(112)}"
    " {os.getpid()}\\n'.encode()); time.sleep(600)"
)
STUBBORN = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); " + SLEEPER


def test_lines_are_passed_on_under_the_name_of_the_program(supervisor: Supervisor, said: LINES) -> None:
    supervisor.start(program("talker", "print('first\\nsecond'); print('no end', end='')"))
    attend_until(supervisor, lambda: ("talker", "no end") in said)
    assert said[:3] == [("talker", "first"), ("talker", "second"), ("talker", "no end")]


def test_a_program_that_crashes_starts_again_after_longer_and_longer_pauses(
    supervisor: Supervisor, said: LINES, timer: Timer
) -> None:
    supervisor.start(program("short", "print('here', 0)"))
    for crashes, pause in enumerate((0.25, 0.5, 1, 2, 4, 8, 16, 30, 30), 1):
        until_crashed(supervisor, "short", crashes)
        assert said[-1] == ("overland", f"short has ended; it is restarted in {pause:g} s")
        assert len(children_saying(said, "here")) == crashes
        timer.advance(pause - 0.01)
        supervisor.attend(0)
        assert supervisor.crashes("short") == crashes
        timer.advance(0.01)


def test_a_program_that_was_healthy_for_a_while_starts_again_at_once(
    supervisor: Supervisor, said: LINES, timer: Timer
) -> None:
    supervisor.start(program("long", SLEEPER))
    for number in range(1, 4):
        until_said(supervisor, said, "here", number)
        timer.advance(10)
        os.kill(children_saying(said, "here")[-1], signal.SIGKILL)
        attend_until(supervisor, lambda: said[-1] == ("overland", "long has ended; it is restarted in 0.25 s"))
        assert supervisor.crashes("long") == 1
        timer.advance(0.25)


def test_a_killed_program_takes_what_it_forked_with_it_and_comes_back(
    supervisor: Supervisor, said: LINES, timer: Timer
) -> None:
    supervisor.start(program("family", FAMILY))
    attend_until(supervisor, lambda: len(said) == 2)
    (parent,), (child,) = children_saying(said, "p"), children_saying(said, "c")
    os.kill(parent, signal.SIGKILL)
    until_crashed(supervisor, "family", 1)
    timer.advance(1)
    until_said(supervisor, said, "p", 2)
    assert not psutil.pid_exists(child) or psutil.Process(child).status() == psutil.STATUS_ZOMBIE


def test_the_memory_of_programs_and_of_their_forks_is_counted(supervisor: Supervisor, said: LINES) -> None:
    alone = supervisor.memory()
    if alone is None:
        missing.skip("The memory of processes is not tested: this system does not tell their proportional sizes.")
    told = "os.write(1, f'here {os.getpid()}\\n'.encode())"  # at once, as both write to the same pipe
    fork_takes = f"import os, time; os.fork(); held = b'1' * 40_000_000; {told}; time.sleep(600)"
    supervisor.start(program("large", f"import sys; sys.stdout.reconfigure(line_buffering=True); {fork_takes}"))
    until_said(supervisor, said, "here", 2)
    both = supervisor.memory()
    assert both is not None
    assert both - alone > 70_000_000


def test_stopping_asks_everyone_and_leaves_nobody(supervisor: Supervisor, said: LINES) -> None:
    for name in ("one", "two"):
        supervisor.start(program(name, SLEEPER))
    attend_until(supervisor, lambda: len(said) == 2)
    supervisor.stop(["one", "two"], patience=1)  # the timer does not move: it waits for as long as it takes
    assert supervisor.names() == ()
    assert [pid for pid in children_saying(said, "here") if psutil.pid_exists(pid)] == []
    assert not any("killed" in line for _, line in said)


def test_what_does_not_end_in_time_is_killed(supervisor: Supervisor, said: LINES, timer: Timer) -> None:
    supervisor.start(program("mule", STUBBORN))
    attend_until(supervisor, lambda: len(said) == 1)
    timer.step = 1.0
    supervisor.stop(["mule"], patience=3)
    assert said[-1] == ("overland", "mule did not end in time and was killed")
    assert not psutil.pid_exists(children_saying(said, "here")[0])


def test_an_immediate_stop_does_not_wait(supervisor: Supervisor, said: LINES, timer: Timer) -> None:
    supervisor.start(program("mule", STUBBORN))
    attend_until(supervisor, lambda: len(said) == 1)
    timer.step = 1.0
    began = timer.seconds
    supervisor.stop(["mule"], patience=30, hurried=lambda: True)
    assert timer.seconds - began < 5


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends the children of a killed parent by itself")
def test_the_children_of_a_killed_supervisor_end_too() -> None:
    script = f"""
import os, sys
from workers.supervise import Program, Supervisor
supervisor = Supervisor(lambda name, line: print(line, flush=True))
supervisor.start(Program("child", lambda: os.execv(sys.executable, (sys.executable, "-u", "-c", {SLEEPER!r}))))
while True:
    supervisor.attend(1)
"""
    parent = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    child = psutil.Process(int(parent.stdout.readline().split()[1]))
    parent.kill()
    parent.wait()
    parent.stdout.close()
    psutil.wait_procs([child], timeout=LIMIT_SECONDS)
    assert not child.is_running() or child.status() == psutil.STATUS_ZOMBIE


def test_what_a_program_leaves_behind_with_its_output_open_stops_nobody(
    supervisor: Supervisor, said: LINES, timer: Timer
) -> None:
    supervisor.start(program("leaving", LEAVING))
    try:
        until_crashed(supervisor, "leaving", 1)
        supervisor.start(program("other", SLEEPER))
        until_said(supervisor, said, "here", 1)
    finally:
        for pid in children_saying(said, "left"):
            os.kill(pid, signal.SIGKILL)
