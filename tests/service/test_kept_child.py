"""A child that is replaced when it has died."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from typing import Any

import pytest

from service.children import ChildDied, ChildTimedOut, Failed, ForkServer
from service.kept_child import KeptChild, answer_of

LONG = 60.0


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
            case "pid":
                return os.getpid()
        return request

    return handle


def start() -> ForkServer:
    return ForkServer.started(f"{__name__}:handler")


@pytest.fixture(scope="module")
def child() -> Iterator[KeptChild]:
    made = KeptChild(start, time.monotonic)
    yield made
    made.close()


def test_one_child_answers_until_it_dies_and_then_another(child: KeptChild) -> None:
    first = answer_of(child, "pid", LONG)
    assert answer_of(child, "pid", LONG) == first
    with pytest.raises(ChildDied, match="SIGKILL"):
        child.ask(["die"], LONG)
    assert answer_of(child, "pid", LONG) != first


def test_a_child_that_hangs_is_killed_and_it_is_known_at_which_request(child: KeptChild) -> None:
    first = answer_of(child, "pid", LONG)
    with pytest.raises(ChildTimedOut) as raised:
        child.ask(["well", "hang"], 0.5)
    assert raised.value.request == 1
    with pytest.raises(ProcessLookupError):
        os.kill(first, 0)
    assert answer_of(child, "well", LONG) == "well"


def test_an_exception_of_its_function_is_its_answer_and_ends_nothing(child: KeptChild) -> None:
    first = answer_of(child, "pid", LONG)
    well, failed, pid = child.ask(["well", "raise", "pid"], LONG)
    assert (well, type(failed), pid) == ("well", Failed, first)
    assert failed.error == "ValueError: This request is refused."


def test_the_answer_to_one_request_is_failed_where_there_is_none(child: KeptChild) -> None:
    assert answer_of(child, "well", LONG) == "well"
    assert [answer_of(child, request, LONG).error for request in ("raise", "die")] == [
        "ValueError: This request is refused.",
        "ChildDied: killed by SIGKILL",
    ]


def test_where_no_child_can_be_started_the_answer_is_failed() -> None:
    def broken() -> ForkServer:
        raise OSError("no more processes")

    assert answer_of(KeptChild(broken, time.monotonic), "well", LONG) == Failed("OSError: no more processes", "")


def test_a_fork_server_that_was_killed_is_replaced() -> None:
    first = start()
    child = KeptChild(start, time.monotonic, first)
    before = answer_of(child, "pid", LONG)
    os.kill(first._pid, signal.SIGKILL)
    with pytest.raises(ChildDied, match="its fork server has died"):
        child.ask(["hang"], LONG)
    assert answer_of(child, "pid", LONG) != before
    child.close()
