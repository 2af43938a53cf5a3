"""A mail that kills its process, or keeps it busy, concerns itself alone: with real processes."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator

import pytest

from service.children import Role
from service.context import Context
from service.guard import Bounds, Guard
from service.inbox import handling
from service.inbox.handling import handle_due
from service.inbox.mail import Result
from service.store.messages import Message
from tests.service.fakes import later
from tests.service.forking import forks
from tests.service.inbox.test_handling import MAIL, MOST_CRASHES, arrived, found


def _act(message: Message) -> Result:
    """Does what the body of the mail says."""
    text = (message.raw or b"").decode()
    if "die" in text:
        os.kill(os.getpid(), signal.SIGKILL)
    if "hang" in text:
        time.sleep(3600)
    if "raise" in text:
        raise ValueError("This mail is refused.")
    return Result("handled", f"by {os.getpid()}")


@pytest.fixture(scope="module")
def child() -> Iterator[Guard]:
    with forks(lambda: _act) as server:
        yield Guard(server, Role.HANDLING, time.monotonic)


@pytest.mark.parametrize(
    ("does", "said"), [("die", "killed by SIGKILL"), ("hang", "took longer"), ("raise", "refused")]
)
def test_a_mail_that_ends_its_process_is_kept_and_the_others_are_handled(
    context: Context, child: Guard, monkeypatch: pytest.MonkeyPatch, does: str, said: str
) -> None:
    monkeypatch.setattr(handling, "BOUNDS", Bounds(0.5))
    good = arrived(context)
    bad = arrived(context, MAIL + does.encode())
    for _ in range(MOST_CRASHES):
        handle_due(context, child)
        later(context, minutes=1)
    assert found(context, good).status == "handled"
    message = found(context, bad)
    assert said in message.reason
    assert message.status == ("queued" if does == "raise" else "kept")
    after = arrived(context, MAIL + b"good")
    handle_due(context, child)
    assert found(context, after).status == "handled"
