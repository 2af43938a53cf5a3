"""Output to a reader that stalls: nobody waits for it, little is kept for it, and what is dropped
is counted.
"""

from __future__ import annotations

import fcntl
import json
import logging
import os
import pty
import select
import socket
import subprocess
import sys
import termios
import threading
from collections.abc import Callable, Iterator

import pytest
import structlog

from service import logs
from service.inbox.bounces import read_bounce
from service.output import Output
from tools.waiting import LIMIT_SECONDS, until

SET_PIPE_SIZE = 1031
LINE = "x" * 99
NUMBER = 200


@pytest.fixture
def ends() -> Iterator[tuple[int, int]]:
    """A pipe of 4 kB: the end to read, the end to write."""
    reading, writing = os.pipe()
    if sys.platform == "linux":
        fcntl.fcntl(writing, SET_PIPE_SIZE, 4096)
    yield reading, writing
    for handle in (reading, writing):
        os.close(handle)


def dropped(number: int) -> str:
    return f"{number} dropped"


def read(handle: int, enough: Callable[[str], bool]) -> str:
    found = ""
    while not enough(found):
        assert select.select([handle], [], [], LIMIT_SECONDS)[0], f"nothing more came after {found!r}"
        data = os.read(handle, 4096)
        assert data, f"the output was closed after {found!r}"
        found += data.decode()
    return found


def test_a_line_is_written_at_once(ends: tuple[int, int]) -> None:
    Output(ends[1], dropped).write("wörd")
    assert os.read(ends[0], 100).decode() == "wörd\n"


@pytest.mark.parametrize("reopens", [True, False])
def test_nobody_waits_for_a_reader_that_stalls_and_it_learns_what_it_missed(
    ends: tuple[int, int], monkeypatch: pytest.MonkeyPatch, reopens: bool
) -> None:
    if not reopens:
        monkeypatch.setattr(os, "open", lambda *_: (_ for _ in ()).throw(OSError("no /proc here")))
    output = Output(ends[1], dropped, limit=10_000)
    for number in range(1000):
        output.write(f"{number:04} {LINE}")
    found = read(ends[0], lambda text: "dropped\n" in text).splitlines()
    count = int(found[-1].split()[0])
    assert [int(line[:4]) for line in found[:-1]] == list(range(1000 - count))
    assert 10_000 // 105 <= 1000 - count <= 20_000 // 105 + 700
    until(output.pump, "nothing is kept")
    output.write("after")
    assert os.read(ends[0], 100) == b"after\n"


def test_the_thread_that_writes_later_lives_only_while_something_is_kept(ends: tuple[int, int]) -> None:
    def threads() -> int:
        return sum(thread.name == "output" for thread in threading.enumerate())

    output = Output(ends[1], dropped)
    assert threads() == 0
    for _ in range(100):
        output.write(LINE)
    assert threads() == 1
    read(ends[0], lambda text: text.count("\n") == 100)
    until(lambda: threads() == 0, "the thread has ended")


def test_without_a_thread_what_is_kept_is_written_when_asked(ends: tuple[int, int]) -> None:
    output = Output(ends[1], dropped, background=False)
    for _ in range(100):
        output.write(LINE)
    assert not output.pump()
    assert not any(thread.name == "output" for thread in threading.enumerate())
    found = ""
    while not output.pump():
        found += os.read(ends[0], 4096).decode()
    assert (found + os.read(ends[0], 4096).decode()).count("\n") == 100


def test_the_flag_of_a_shared_pipe_is_not_changed(ends: tuple[int, int]) -> None:
    Output(ends[1], dropped).write(LINE)
    assert os.get_blocking(ends[1])


def test_a_line_longer_than_the_pipe_arrives_whole(ends: tuple[int, int]) -> None:
    output = Output(ends[1], dropped)
    output.write("y" * 20_000)
    output.write("z")
    assert read(ends[0], lambda text: text.endswith("z\n")) == "y" * 20_000 + "\nz\n"


def test_a_flush_gives_up_on_a_reader_that_stalls(ends: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.output.WAIT_MILLISECONDS", 1)
    output = Output(ends[1], dropped, background=False)
    for _ in range(100):
        output.write(LINE)
    output.flush()
    assert not output.pump()


def test_an_output_without_a_reader_keeps_nothing(ends: tuple[int, int]) -> None:
    reading, writing = os.pipe()
    output = Output(writing, dropped, background=False)
    output.write(LINE)
    os.close(reading)
    output.write(LINE)
    assert output.pump()
    os.close(writing)


def test_a_socket_that_is_not_read_stops_nobody() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        output = Output(ours.fileno(), dropped, background=False, limit=1000)
        for _ in range(10_000):
            output.write(LINE)
        assert not output.pump()
        assert theirs.recv(100) == LINE.encode() + b"\n"


def test_a_stopped_terminal_stops_nobody() -> None:
    master, terminal = pty.openpty()
    output = Output(terminal, dropped, background=False, limit=1000)
    output.write("seen")
    assert os.read(master, 100) == b"seen\r\n"
    termios.tcflow(terminal, termios.TCOOFF)  # what Ctrl-S does
    for _ in range(100):
        output.write(LINE)
    assert not output.pump()
    termios.tcflow(terminal, termios.TCOON)
    output.pump()
    read(master, lambda text: LINE in text)
    os.close(master)
    os.close(terminal)


def test_a_forked_process_does_not_repeat_what_its_parent_keeps(ends: tuple[int, int]) -> None:
    output = Output(ends[1], dropped, background=False)
    for _ in range(60):
        output.write(LINE)
    child = os.fork()
    if child == 0:
        output.write("of the child")
        os._exit(1 if any(b"x" in line for line in output._kept) else 0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_the_log_says_how_many_lines_it_lacks(monkeypatch: pytest.MonkeyPatch, ends: tuple[int, int]) -> None:
    monkeypatch.setattr("service.logs.STANDARD_OUTPUT", ends[1])
    handler = logs.LineHandler()
    handler._output._limit = 1000
    settings = logs.logging_settings("json", "INFO")["formatters"]["events"]
    factory = settings.pop("()")
    handler.setFormatter(factory(**settings))
    for number in range(NUMBER):
        handler.handle(logging.makeLogRecord({"msg": f"event {number}", "levelname": "INFO", "name": "test"}))
    found = read(ends[0], lambda text: "dropped" in text and text.endswith("\n")).splitlines()
    said = json.loads(found[-1])
    assert said["level"] == "warning"
    assert said["event"].endswith("lines were dropped, because nobody read the log")
    assert int(said["event"].split()[0]) + len(found) - 1 == NUMBER


def console(monkeypatch: pytest.MonkeyPatch, ends: tuple[int, int], log: Callable[[], None], ending: str) -> str:
    """What appears on the console up to ``ending``; a thread of another test may log after it."""
    structlog.contextvars.clear_contextvars()  # those of a request that another test made in this thread
    monkeypatch.setattr("service.logs.STANDARD_OUTPUT", ends[1])
    before = structlog.get_config(), logging.root.handlers[:], logging.root.level
    try:
        logs.configure("console", "INFO")
        log()
        before_end, end, _ = read(ends[0], lambda text: ending in text).partition(ending)
        return before_end + end
    finally:
        structlog.configure(**before[0])
        logging.root.handlers[:], logging.root.level = before[1:]


def test_control_characters_of_a_client_do_not_reach_the_terminal(
    monkeypatch: pytest.MonkeyPatch, ends: tuple[int, int]
) -> None:
    hostile = "/\x1b]0;owned\x07\r\n\x9b31m\u202efake\x7f"

    def log() -> None:
        structlog.get_logger("test").info("request", path=hostile, listed=[hostile])
        logging.getLogger("gunicorn.error").warning("Invalid request %s", hostile)
        try:
            raise OSError(hostile)
        except OSError:
            structlog.get_logger("test").exception("request.failed")
        logging.getLogger("test").error("the end")

    shown = console(monkeypatch, ends, log, "the end [test]\n")
    assert not set(shown) & set(hostile) - set("/]0;owned31mfake\n")
    assert shown.count("\\x1b]0;owned\\x07") == 4
    assert not any(line.startswith("fake") for line in shown.splitlines())


def test_a_process_that_can_open_no_file_logs() -> None:
    script = (
        "import logging, resource; from service.logs import configure; configure('console', 'INFO')\n"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (3, 3))\n"
        "try: open('any')\n"
        "except OSError: logging.getLogger('some').exception('too\\x1bmany')"
    )
    logged = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=600, check=True)
    assert "too\\x1bmany" in logged.stdout
    assert "Too many open files: 'any'" in logged.stdout
    assert logged.stderr == ""


def test_the_log_of_the_listener_names_no_address(monkeypatch: pytest.MonkeyPatch, ends: tuple[int, int]) -> None:
    def log() -> None:
        from aiosmtpd import smtp

        smtp.log.info("%r sender: %s", ("::1", 5, 0, 0), "anna@players.example")
        logging.getLogger("test").error("the end")

    assert "anna@" not in console(monkeypatch, ends, log, "the end [test]\n")


def test_a_bounce_that_cannot_be_read_is_no_error_in_the_log(
    monkeypatch: pytest.MonkeyPatch, ends: tuple[int, int]
) -> None:
    def log() -> None:
        read_bounce(b"Subject: failure notice\n\nNobody has written this.\n")
        logging.getLogger("test").error("the end")

    shown = console(monkeypatch, ends, log, "the end [test]\n")
    assert len(shown.splitlines()) == 1


OUT_OF_FILES = """
import asyncio, os, resource
from service.logs import configure

async def serve():
    configure("json", "INFO")
    server = await asyncio.start_server(lambda reader, writer: None, "127.0.0.1", 0)
    most = max(map(int, os.listdir("/proc/self/fd"))) + 1
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.sleep(3600)

asyncio.run(serve())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="its files are counted by /proc")
def test_a_process_that_may_open_no_more_files_says_so_once_and_what_to_do() -> None:
    with subprocess.Popen([sys.executable, "-c", OUT_OF_FILES], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        port = int(process.stdout.readline())
        with socket.create_connection(("127.0.0.1", port)), socket.create_connection(("127.0.0.1", port)):
            first = json.loads(process.stdout.readline())
            select.select([process.stdout], [], [], 3)  # it is asked each second whether it takes one
        process.kill()
        more = process.stdout.read()
    assert "raise the limit (ulimit -Hn, LimitNOFILE of systemd" in first["event"]
    assert "exception" not in first
    assert more == ""
