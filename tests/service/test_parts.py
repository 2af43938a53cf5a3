"""Nothing that a thread of the service runs ends it silently; threads are started in one place."""

from __future__ import annotations

import ast
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
import structlog

from service import parts
from service.context import Context
from service.parts import Down, Part, growing_pause
from service.readiness import Check, State, findings
from service.rowless import records_of_parts
from service.store import heartbeats
from service.store.heartbeats import PARTS
from tests.service.fakes import Clock
from tools.waiting import until

ROOT = Path(__file__).parent.parent.parent
STARTERS: Final = {
    "Thread",
    "Timer",
    "Process",
    "Popen",
    "fork",
    "forkpty",
    "posix_spawn",
    "start_new_thread",
    "ThreadPoolExecutor",
    "ProcessPoolExecutor",
    "enqueue",
    "enqueue_call",
    "enqueue_in",
    "enqueue_at",
}
"""What starts a thread, a process or a job of RQ."""
OWNERS: Final = {
    ("service/parts.py", "Thread"),
    ("service/forks.py", "fork"),
    ("service/queue.py", "enqueue_call"),
    # Their errors are the results of whoever waits for them.
    ("service/serving/bridge.py", "ThreadPoolExecutor"),
    ("service/inbox/listener.py", "ThreadPoolExecutor"),
}
"""Where they are allowed. This list may only shrink."""


def started(file: Path) -> Iterator[str]:
    """What a module calls that starts something; of its own functions and classes none."""
    tree = ast.parse(file.read_text())
    imported = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and not (node.module or "").startswith("service")
        for alias in node.names
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            called = node.func
            name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
            if name in STARTERS and (isinstance(called, ast.Attribute) or name in imported):
                yield name


def test_threads_processes_and_jobs_are_started_where_they_are_owned_and_nowhere_else() -> None:
    found = {
        (str(file.relative_to(ROOT)), name)
        for folder in ("service", "workers", "engine")
        for file in sorted((ROOT / folder).rglob("*.py"))
        for name in started(file)
    }
    assert found == OWNERS


@pytest.mark.parametrize(("seconds", "status"), [(0.5, 1), (60.0, 0)])
def test_a_thread_whose_block_takes_too_long_ends_the_process_and_says_where_it_was(
    seconds: float, status: int
) -> None:
    script = (
        "import threading, time; from service.parts import ended_after\n"
        "def stuck():\n"
        f"    with ended_after(600), ended_after({seconds}):\n"
        f"        time.sleep(600 if {status} else 0)\n"
        "thread = threading.Thread(target=stuck, daemon=True)\n"
        "thread.start()\n"
        "with ended_after(600): pass\n"
        "thread.join()\n"
    )
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (ended.returncode, "in stuck" in ended.stderr) == (status, status == 1)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Pauses end when the test says so."""
    goes = threading.Event()
    monkeypatch.setattr(parts, "_pause", goes)
    yield goes
    parts.tell(None)
    goes.set()


@pytest.mark.parametrize("ending", [RuntimeError, SystemExit])
def test_a_part_that_raises_or_exits_is_named_and_begun_again(
    quick: threading.Event, ending: type[BaseException]
) -> None:
    told: list[tuple[Part, Down | None]] = []
    parts.tell(lambda part, down: told.append((part, down)))
    runs = list[int]()

    def body() -> None:
        runs.append(1)
        if len(runs) == 1:
            raise ending("no")

    with structlog.testing.capture_logs() as logs:
        thread = parts.start(Part.HEARTBEAT, body)
        until(lambda: parts.down() == {Part.HEARTBEAT}, "it is down")
        quick.set()
        thread.join(60)
    assert (len(runs), parts.down()) == (2, frozenset())
    assert told == [(Part.HEARTBEAT, Down(f"{ending.__name__}: no", 1, parts.FIRST_PAUSE)), (Part.HEARTBEAT, None)]
    assert [line["event"] for line in logs] == ["part.down"]


def test_pauses_grow_and_end(monkeypatch: pytest.MonkeyPatch, quick: threading.Event) -> None:
    pauses: list[float] = []
    parts.tell(lambda part, down: pauses.append(down.pause) if down else None)
    quick.set()

    def body() -> None:
        if len(pauses) < 9:
            raise RuntimeError("no")

    parts.start(Part.LEASES, body).join(60)
    assert pauses == [1, 2, 4, 8, 16, 32, 60, 60, 60]


def test_whoever_is_told_may_fail(quick: threading.Event) -> None:
    def failing(part: Part, down: Down | None) -> None:
        raise OSError("the database is away")

    parts.tell(failing)
    runs = list[int]()

    def body() -> None:
        runs.append(1)
        if len(runs) == 1:
            raise RuntimeError("no")

    quick.set()
    parts.start(Part.LEASES, body).join(60)
    assert len(runs) == 2


def parts_found(context: Context) -> tuple[State, str]:
    (found,) = (each for each in findings(context) if each.check is Check.PARTS)
    return found.state, found.outcome


def test_a_part_of_another_process_that_is_down_is_named_until_it_is_begun_again(context: Context) -> None:
    assert parts_found(context) == (State.GOOD, "ok")
    told = records_of_parts(context)
    told(Part.HEARTBEAT, Down("RuntimeError: no", 1, 60.0))
    assert parts_found(context) == (State.DEGRADED, "out: heartbeat")
    told(Part.HEARTBEAT, None)
    assert parts_found(context) == (State.GOOD, "ok")


def test_the_record_of_a_process_that_ended_meanwhile_is_not_believed_for_ever(context: Context) -> None:
    records_of_parts(context)(Part.HEARTBEAT, Down("RuntimeError: no", 1, 60.0))
    clock = context.clock
    assert isinstance(clock, Clock)
    clock.advance(seconds=61)
    assert parts_found(context) == (State.GOOD, "ok")


def test_a_part_that_does_not_beat_while_others_do_is_named(context: Context) -> None:
    clock = context.clock
    assert isinstance(clock, Clock)

    def beat(*names: str) -> None:
        with context.database.write() as connection:
            for name in names:
                heartbeats.beat(connection, name, clock.now)

    beat(*PARTS)
    clock.advance(minutes=4)
    assert parts_found(context) == (State.GOOD, "ok"), "none beats: the service is stopped"
    beat(*set(PARTS) - {"mail"})
    assert parts_found(context) == (State.DEGRADED, "out: mail")
    beat("mail")
    assert parts_found(context) == (State.GOOD, "ok")


@pytest.mark.parametrize(("times", "pause"), [(1, 2.0), (2, 4.0), (5, 32.0), (6, 60.0), (1_000_000, 60.0)])
def test_a_pause_grows_up_to_the_last_one_however_long_something_fails(times: int, pause: float) -> None:
    assert growing_pause(2.0, 60.0, times) == pause
