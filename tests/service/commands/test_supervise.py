"""The supervisor: what its children say is passed on, who dies starts again, and nobody is left
behind.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from service.commands.supervise import Program, Supervisor

LINES = list[tuple[str, str]]


@pytest.fixture
def said() -> LINES:
    return []


@pytest.fixture
def supervisor(said: LINES) -> Iterator[Supervisor]:
    supervisor = Supervisor(lambda name, line: said.append((name, line)))
    yield supervisor
    supervisor.stop(supervisor.names(), patience=0)


def program(name: str, code: str, **environ: str) -> Program:
    return Program(name, (sys.executable, "-c", code), environ)


def attend_until(supervisor: Supervisor, good: Callable[[], bool], seconds: float = 20.0) -> None:
    deadline = time.monotonic() + seconds
    while not good():
        assert time.monotonic() < deadline, "it did not happen in time"
        supervisor.attend(0.02)


def children_saying(said: LINES, word: str) -> list[int]:
    """The numbers of the processes that said this word and their number."""
    return [int(line.split()[1]) for _, line in said if line.startswith(word)]


SLEEPER = "import os, time; print('here', os.getpid()); time.sleep(60)"
FAMILY = (
    "import os, time; child = os.fork(); os.write(1, f'{chr(99) if child == 0 else chr(112)}"
    " {os.getpid()}\\n'.encode()); time.sleep(60)"
)
STUBBORN = (
    "import os, signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('here', os.getpid()); time.sleep(60)"
)


def test_lines_are_passed_on_under_the_name_of_the_program(supervisor: Supervisor, said: LINES) -> None:
    supervisor.start(
        program(
            "talker",
            "import os, time; print('first\\nsecond'); print(os.environ['WORD'], end=''); time.sleep(0)",
            WORD="no end",
        )
    )
    attend_until(supervisor, lambda: ("talker", "no end") in said)
    assert said[:3] == [("talker", "first"), ("talker", "second"), ("talker", "no end")]


def test_a_program_that_dies_starts_again_and_waits_longer_each_time(supervisor: Supervisor, said: LINES) -> None:
    supervisor.start(program("short", "print('here', 0)"))
    attend_until(supervisor, lambda: len(children_saying(said, "here")) >= 3)
    waits = [line for name, line in said if name == "overland"]
    assert waits[:2] == ["short has ended; it starts again in 0.25 s", "short has ended; it starts again in 0.5 s"]
    assert supervisor.deaths("short") >= 2


def test_a_killed_program_takes_what_it_forked_with_it_and_comes_back(supervisor: Supervisor, said: LINES) -> None:
    supervisor.start(program("family", FAMILY))
    attend_until(supervisor, lambda: len(said) == 2)
    (parent,), (child,) = children_saying(said, "p"), children_saying(said, "c")
    os.kill(parent, signal.SIGKILL)
    attend_until(supervisor, lambda: len(children_saying(said, "p")) == 2)
    assert not psutil.pid_exists(child) or psutil.Process(child).status() == psutil.STATUS_ZOMBIE


def test_stopping_asks_everyone_and_leaves_nobody(supervisor: Supervisor, said: LINES) -> None:
    for name in ("one", "two"):
        supervisor.start(program(name, SLEEPER))
    attend_until(supervisor, lambda: len(said) == 2)
    supervisor.stop(["one", "two"], patience=20)
    assert supervisor.names() == ()
    assert [pid for pid in children_saying(said, "here") if psutil.pid_exists(pid)] == []
    assert not any("killed" in line for _, line in said)


def test_who_does_not_end_in_time_is_killed(supervisor: Supervisor, said: LINES) -> None:
    supervisor.start(program("mule", STUBBORN))
    attend_until(supervisor, lambda: len(said) == 1)
    supervisor.stop(["mule"], patience=0.2)
    assert said[-1] == ("overland", "mule did not end in time and was killed")
    assert not psutil.pid_exists(children_saying(said, "here")[0])


def test_somebody_in_a_hurry_does_not_wait(supervisor: Supervisor, said: LINES) -> None:
    supervisor.start(program("mule", STUBBORN))
    attend_until(supervisor, lambda: len(said) == 1)
    began = time.monotonic()
    supervisor.stop(["mule"], patience=30, hurried=lambda: True)
    assert time.monotonic() - began < 10


def test_children_hold_the_files_they_inherit(said: LINES, tmp_path: Path) -> None:
    with open(tmp_path / "file", "w") as file:
        supervisor = Supervisor(lambda name, line: said.append((name, line)), inherited=(file.fileno(),))
        supervisor.start(program("heir", f"import os; os.write({file.fileno()}, b'mine')"))
        attend_until(supervisor, lambda: (tmp_path / "file").read_text() != "")
        supervisor.stop(["heir"], patience=5)
    assert (tmp_path / "file").read_text().startswith("mine")


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends the children of a killed parent by itself")
def test_the_children_of_a_killed_supervisor_end_too(tmp_path: Path) -> None:
    script = f"""
import sys
from service.commands.supervise import Program, Supervisor
supervisor = Supervisor(lambda name, line: print(line, flush=True))
supervisor.start(Program("child", (sys.executable, "-c", {SLEEPER!r})))
while True:
    supervisor.attend(1)
"""
    parent = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    child = psutil.Process(int(parent.stdout.readline().split()[1]))
    parent.kill()
    parent.wait()
    parent.stdout.close()
    psutil.wait_procs([child], timeout=20)
    assert not child.is_running() or child.status() == psutil.STATUS_ZOMBIE
