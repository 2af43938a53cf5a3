"""A child that is replaced when it has died."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from typing import Any

import pytest

from service.children import ChildDied, ChildTimedOut, Failed, ForkServer
from service.kept_child import HandlerFailed, KeptChild

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
    made = KeptChild(start)
    yield made
    made.close()


def test_one_child_answers_until_it_dies_and_then_another(child: KeptChild) -> None:
    first = child.call("pid", LONG)
    assert child.call("pid", LONG) == first
    with pytest.raises(ChildDied, match="SIGKILL"):
        child.call("die", LONG)
    assert child.call("pid", LONG) != first


def test_a_child_that_hangs_is_killed_and_it_is_known_at_which_request(child: KeptChild) -> None:
    first = child.call("pid", LONG)
    with pytest.raises(ChildTimedOut) as raised:
        child.ask(["well", "hang"], 0.5)
    assert raised.value.request == 1
    with pytest.raises(ProcessLookupError):
        os.kill(first, 0)
    assert child.call("well", LONG) == "well"


def test_an_exception_of_its_function_is_raised_or_answered_and_ends_nothing(child: KeptChild) -> None:
    first = child.call("pid", LONG)
    with pytest.raises(HandlerFailed, match=r"^ValueError: This request is refused\.$"):
        child.call("raise", LONG)
    well, failed, pid = child.ask(["well", "raise", "pid"], LONG)
    assert (well, type(failed), pid) == ("well", Failed, first)


def test_a_fork_server_that_was_killed_is_replaced() -> None:
    first = start()
    child = KeptChild(start, first)
    before = child.call("pid", LONG)
    os.kill(first._pid, signal.SIGKILL)
    with pytest.raises(ChildDied, match="its fork server has died"):
        child.call("hang", LONG)
    assert child.call("pid", LONG) != before
    child.close()
