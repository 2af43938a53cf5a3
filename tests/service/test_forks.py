"""A fork inherits no more than a new program would."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path

import psutil
import pytest

from service import forks
from service.forks import fork, hold, said_by_fork
from tools.waiting import LIMIT_SECONDS, until


def ended(pid: int) -> int:
    """The exit status of a fork, or minus the signal that has killed it."""
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def open_files() -> dict[int, str]:
    """The files of this process, without those that are nothing."""
    found = {}
    for name in os.listdir("/dev/fd"):
        try:
            found[int(name)] = os.readlink(f"/proc/self/fd/{name}")
        except FileNotFoundError:
            continue  # that of the listing
    return {number: file for number, file in found.items() if file != os.devnull}


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells what is open")
def test_a_fork_has_no_file_open_but_those_that_it_is_given_and_that_all_hold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forks, "_held", set[int]())
    with (
        open(tmp_path / "lock", "w") as lock,
        open(tmp_path / "secret", "w"),
        socket.create_server(("127.0.0.1", 0)),
    ):
        hold(lock.fileno())
        said = said_by_fork("test", lambda: "\n".join(f"{number} {file}" for number, file in open_files().items()))
        others = [line.partition(" ")[2] for line in said.splitlines() if int(line.split()[0]) > 2]
    assert len(others) == 2
    assert str(tmp_path / "lock") in others
    assert any(file.startswith("pipe:") for file in others), "by which it answers"


def test_a_number_of_the_parents_files_is_given_to_no_other() -> None:
    with socket.create_server(("127.0.0.1", 0)) as parents:

        def closed_late() -> str:
            reading, writing = os.pipe()
            parents.close()
            os.write(writing, b"still open")
            return os.read(reading, 100).decode()

        assert said_by_fork("test", closed_late) == "still open"


def test_a_fork_has_no_thread_and_no_handler_of_its_parent() -> None:
    going = threading.Event()
    other = threading.Thread(target=going.wait)
    other.start()
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    before = signal.signal(signal.SIGTERM, lambda number, frame: None)
    wakeup = signal.set_wakeup_fd(writing)
    try:
        said = said_by_fork(
            "test",
            lambda: f"{threading.active_count()} {signal.getsignal(signal.SIGTERM)!r} {signal.set_wakeup_fd(-1)}",
        )
        killed = fork("test", lambda: os.kill(os.getpid(), signal.SIGTERM), signal.SIGKILL)
    finally:
        signal.set_wakeup_fd(wakeup)
        signal.signal(signal.SIGTERM, before)
        going.set()
        other.join()
        os.close(reading)
        os.close(writing)
    assert said == f"1 {signal.SIG_DFL!r} -1"
    assert ended(killed) == -signal.SIGTERM


@pytest.mark.parametrize(("ending", "status"), [("return", 0), ("raise", 1), ("exit", 3), ("say", 1), ("nothing", 0)])
def test_a_fork_ends_with_its_body_and_never_returns(ending: str, status: int) -> None:
    def body() -> None:
        match ending:
            case "raise":
                raise ValueError("This is how it ends.")
            case "exit":
                sys.exit(3)
            case "say":
                sys.exit("No.")
            case "nothing":
                sys.exit()

    reading, writing = os.pipe()
    parent = os.getpid()
    try:
        pid = fork("test", body, signal.SIGKILL, output=writing)
    finally:
        if os.getpid() != parent:
            os._exit(99)
    os.close(writing)
    with open(reading) as output:
        said = output.read()
    assert ended(pid) == status
    assert ("This is how it ends." in said, "No." in said) == (ending == "raise", ending == "say")


def test_a_fork_that_fails_says_nothing() -> None:
    with pytest.raises(ChildProcessError, match="the test has failed"):
        said_by_fork("the test", lambda: str(1 / 0))


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends the forks of a killed process by itself")
def test_forks_end_with_the_process_that_made_them() -> None:
    script = (
        "import signal, time; from service.forks import fork\n"
        "pid = fork('test', lambda: time.sleep(600), signal.SIGTERM)\n"
        "print(pid, flush=True); time.sleep(600)\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    child = psutil.Process(int(parent.stdout.readline()))
    parent.kill()
    parent.wait(LIMIT_SECONDS)
    until(lambda: not child.is_running() or child.status() == psutil.STATUS_ZOMBIE, "the end of the fork")


def test_the_title_says_which_part_it_is() -> None:
    title = said_by_fork("overland test", lambda: psutil.Process().cmdline()[0])
    assert title.strip() == "overland test"
