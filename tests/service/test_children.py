"""Child processes that answer, raise, hang and die."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import psutil
import pytest

from service.children import Child, ChildDied, ForkServer, ForkServerDied, Handler, Raised, Role
from tests.service.forking import forks
from tools.waiting import until

LONG = 60.0


def asked(child: Child, requests: Sequence[Any]) -> Sequence[Any]:
    child.send(requests)
    answers = child.wait(LONG)
    assert answers is not None
    return answers


def handler() -> Any:
    """What the children of these tests answer."""

    def handle(request: Any) -> Any:
        match request:
            case "hang":
                while True:
                    pass
            case "raise":
                raise ValueError("This request is refused.")
            case "die":
                os.kill(os.getpid(), signal.SIGKILL)
            case "memory":
                return len(bytearray(64 * 1024**3))
            case "pid":
                return os.getpid()
            case ("sleep", seconds):
                time.sleep(seconds)
        return request

    return handle


@pytest.fixture(scope="module")
def server() -> Iterator[ForkServer]:
    with forks(handler) as made:
        yield made


@pytest.fixture
def child(server: ForkServer) -> Child:
    return server.child(Role.TRYING)


def test_a_batch_is_answered_in_order_in_another_process(child: Child) -> None:
    child.send(["one", "pid", "two"])
    assert child.wait(LONG) == ["one", child.pid, "two"]
    assert child.pid != os.getpid()
    assert asked(child, ["three"]) == ["three"]


def test_an_exception_is_the_answer_to_its_request_only(child: Child) -> None:
    child.send(["raise", "one"])
    answers = child.wait(LONG)
    assert answers is not None
    failed, good = answers
    assert isinstance(failed, Raised)
    assert failed.error == "ValueError: This request is refused."
    assert "in handle" in failed.trace
    assert good == "one"


def test_a_child_that_dies_says_at_which_request_and_why(child: Child) -> None:
    child.send(["one", "two", "die", "three"])
    with pytest.raises(ChildDied, match="killed by SIGKILL") as died:
        child.wait(LONG)
    assert died.value.request == 2


def test_a_child_that_hangs_is_known_by_its_request_and_killed(child: Child) -> None:
    child.send(["one", "hang"])
    until(lambda: child.at == 1, "the second request")
    assert child.wait(0.01) is None
    child.kill()
    assert not psutil.pid_exists(child.pid)


def test_a_child_can_stop_after_its_present_request(child: Child) -> None:
    child.send([("sleep", 0.3), "one", "two"])
    child.stop_after_this()
    assert child.wait(LONG) == [("sleep", 0.3)]
    assert asked(child, ["again"]) == ["again"]


def test_a_child_that_uses_up_its_memory_gets_an_error(child: Child) -> None:
    (answer,) = asked(child, ["memory"])
    assert isinstance(answer, Raised)
    assert answer.error.startswith("MemoryError")


def test_a_killed_child_does_not_concern_the_others(server: ForkServer) -> None:
    first, second = server.child(Role.TRYING), server.child(Role.TRYING)
    os.kill(first.pid, signal.SIGKILL)
    with pytest.raises(ChildDied):
        asked(first, ["one"])
    assert asked(second, ["one"]) == ["one"]


def test_without_its_fork_server_there_are_no_more_children_and_its_part_hears_of_it() -> None:
    lost = list[str]()
    with forks(handler, lambda: lost.append("lost")) as server:
        child = server.child(Role.TRYING)
        os.kill(psutil.Process(child.pid).ppid(), signal.SIGKILL)
        with pytest.raises(ChildDied, match="fork server"):
            asked(child, ["hang"])
        with pytest.raises(ForkServerDied):
            server.child(Role.TRYING)
        assert lost
        lost.clear()
    with pytest.raises(ForkServerDied):
        server.child(Role.TRYING)
    assert not lost, "it was closed"


def test_a_child_does_what_is_made_for_its_role_and_its_title_says_so() -> None:
    def making(role: Role) -> Handler:
        return lambda request: role

    server = ForkServer("tests", {role: partial(making, role) for role in Role}, lambda: None)
    for role in Role:
        child = server.child(role)
        assert asked(child, [""]) == [role]
        assert psutil.Process(child.pid).cmdline()[0].strip() == f"overland tests: {role.value}"
        child.kill()
    server.close()


def test_children_are_forked_for_several_threads_at_once(server: ForkServer) -> None:
    def work(number: int) -> tuple[Sequence[Any], int]:
        child = server.child(Role.TRYING)
        answers = asked(child, [number, "pid"])
        child.kill()
        return answers, child.pid

    with ThreadPoolExecutor(8) as pool:
        for number, (answers, pid) in enumerate(pool.map(work, range(40))):
            assert answers == [number, pid]


def test_a_hanging_child_ends_with_its_killed_parent() -> None:
    script = (
        "from service.children import ForkServer, Role\n"
        f"from {__name__} import handler\n"
        "child = ForkServer('test', {Role.TRYING: handler}, list).child(Role.TRYING)\n"
        "child.send(['hang'])\n"
        "print(child.pid, flush=True)\n"
        "child.wait(600)\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    pid = int(parent.stdout.readline())
    assert psutil.pid_exists(pid)
    parent.kill()
    parent.wait()
    until(lambda: not psutil.pid_exists(pid), "the end of the child")


def test_every_end_is_reported_while_other_children_begin(server: ForkServer) -> None:
    for _ in range(50):
        first = server.child(Role.TRYING)
        os.kill(first.pid, signal.SIGKILL)
        second = server.child(Role.TRYING)
        second.kill()
        first.kill()
