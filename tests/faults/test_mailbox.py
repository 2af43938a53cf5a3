"""A mailbox from which mails are taken while whoever takes them is killed at each step: no mail is
lost, none is stored twice, all of ours end in the folder, and nobody else's is touched.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import re
import signal
import time
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest
from imapclient import IMAPClient

from service.context import Context
from service.inbox import imap
from service.inbox.mailbox import take_until
from service.store import messages as message_rows
from service.store.tables import messages
from service.wiring import utc_now
from tests import missing
from tests.faults.test_mail_in import RELAY, Post, undergo
from tests.faults.trial import Row
from tests.service.fakes import later, wired
from tests.service.inbox.mailboxes import OWN, Mailbox, mailbox
from tools.dovecot import EVERYTHING, IDLE, UIDPLUS, Dovecot, why_missing
from tools.launch import Service, overland
from tools.memory_queue import MemoryQueue
from tools.waiting import until

pytestmark = pytest.mark.deep

OURS, FOREIGN = 12, 12
STEPS: dict[str, tuple[object, str, bool]] = {
    "before the headers": (imap, "headers_of", False),
    "after the headers": (imap, "headers_of", True),
    "before a mail is fetched": (imap, "mail_of", False),
    "between fetch and commit": (imap, "mail_of", True),
    "in the transaction that stores": (message_rows, "add_unknown", True),
    "between commit and wake-up": (MemoryQueue, "wake_messages", False),
    "between commit and move": (imap, "put_away", False),
    "between opening for the move and the move": (IMAPClient, "move", False),
    "between the folder's making and the move": (IMAPClient, "create_folder", True),
    "between move and cursor": (imap, "put_away", True),
    "in the transaction of the cursor": (message_rows, "advance_folder", True),
}
"""At each step a function, and whether the kill follows or precedes what it does."""
BY_COPY: dict[str, tuple[object, str, bool]] = {
    "between copy and mark": (IMAPClient, "copy", True),
    "between mark and expunge": (IMAPClient, "uid_expunge", False),
    "between expunge and cursor": (IMAPClient, "uid_expunge", True),
}
"""The further steps where a server has no MOVE."""


def killed_at(box: Mailbox, step: tuple[object, str, bool], times: int) -> None:
    """Takes mails in a process of its own, which is killed when it is at the step for that time."""
    owner, name, afterwards = step

    def take() -> None:
        done, calls = getattr(owner, name), 0

        def last(*given: Any, **named: Any) -> Any:
            nonlocal calls
            calls += 1
            if calls == times and not afterwards:
                os.kill(os.getpid(), signal.SIGKILL)
            answer = done(*given, **named)
            if calls == times:
                os.kill(os.getpid(), signal.SIGKILL)
            return answer

        setattr(owner, name, last)
        context = wired(box.context.settings.data_dir, str(box.context.database.url))
        later(context, hours=times)  # leases of those that were killed before have ended
        take_until(replace(context, settings=box.context.settings), lambda seconds: False)

    process = multiprocessing.get_context("fork").Process(target=take)
    process.start()
    process.join(300)
    assert process.exitcode == -signal.SIGKILL, f"it was never {name}"


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four batches, so that kills fall into the middle, too."""
    monkeypatch.setattr(imap, "FETCHED_AT_ONCE", 6)


def inflicted(box: Mailbox, rows: Path, fault: str, kills: Callable[[], object]) -> None:
    """Kills whoever takes mails, has the rest taken, and checks what became of all mails."""
    signed = [box.signed() for _ in range(OURS)]
    for address, foreign in zip(signed, box.foreign(FOREIGN), strict=True):
        box.dovecot.put(OWN, [foreign, box.mail(address)])
    kills()
    later(box.context, hours=4)
    over = time.monotonic()
    box.take()
    stored = box.stored()
    kept = {uid: flags for uid, flags in box.folder().items() if b"\\Deleted" not in flags}
    lost, double = len(set(map(str.lower, signed)) - set(stored)), len(stored) - len(set(stored))
    where = "PostgreSQL" if box.context.database.file is None else "SQLite"
    row = Row(f"mailbox: kill -9 {fault}", where, OURS, lost, double, round(time.monotonic() - over, 2))
    (rows / f"{time.monotonic_ns()}.json").write_text(json.dumps(asdict(row)))
    print(f"\n{row}: {len(kept)} foreign mails left, {len(box.folder('Overland'))} in Overland")
    assert (lost, double) == (0, 0)
    assert len(kept) == FOREIGN
    assert {flag for flags in kept.values() for flag in flags} <= {b"\\Recent"}


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize("step", STEPS)
def test_a_kill_at_any_step_costs_and_doubles_nothing(
    context: Context, monkeypatch: pytest.MonkeyPatch, rows: Path, step: str
) -> None:
    with mailbox(context, monkeypatch, capabilities=EVERYTHING - {IDLE}) as box:
        often = (1,) if "folder's making" in step else (1, 2)

        def killed() -> None:
            for times in often:
                killed_at(box, STEPS[step], times)

        inflicted(box, rows, step, killed)
        assert len(box.folder("Overland")) == OURS


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize("step", BY_COPY)
def test_a_kill_at_any_step_without_move_costs_and_doubles_nothing(
    context: Context, monkeypatch: pytest.MonkeyPatch, rows: Path, step: str
) -> None:
    with mailbox(context, monkeypatch, capabilities=(UIDPLUS,)) as box:
        inflicted(box, rows, f"{step}, without MOVE", lambda: killed_at(box, BY_COPY[step], 1))
        twice = 3 if step == "between copy and mark" else 0  # of the first batch: copied, and copied again
        assert len(box.folder("Overland")) == OURS + twice


def test_ten_thousand_foreign_mails_cost_little(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    with mailbox(context, monkeypatch, capabilities=EVERYTHING - {IDLE}) as box:
        text = "\r\n".join(["A line of seventy characters, as people write them to each other daily."] * 40)
        foreign = [box.mail(OWN, text, {"Subject": f"Number {each}"}) for each in range(10_000)]
        for each in range(20):
            foreign.insert(500 * each + 7, box.mail(box.signed()))
        box.dovecot.put(OWN, foreign)
        box.folder()  # by which Dovecot has indexed them
        began, processor = time.monotonic(), time.process_time()
        before = len(box.dovecot.log)
        box.take()
        seconds, used = time.monotonic() - began, time.process_time() - processor

        def logged() -> list[tuple[str, str]]:  # not that of the test, which may be logged late
            ended = re.findall(r"Logged out in=(\d+) out=(\d+)", box.dovecot.log[before:])
            return [(sent, received) for sent, received in ended if int(received) > 1_000_000]

        ((sent, received),) = until(logged, "the connection is logged")
        print(
            f"\n10,000 foreign mails and 20 of ours, {sum(map(len, foreign)) / 1e6:.0f} MB: {seconds:.1f} s,"
            f" {used:.1f} s of processor, {int(received) / 1e6:.2f} MB fetched, {int(sent) / 1e3:.0f} kB sent"
        )
        assert len(box.stored()) == len(box.folder("Overland")) == 20
        kept = box.folder()
        assert len(kept) == 10_000
        assert {flag for flags in kept.values() for flag in flags} <= {b"\\Recent"}
        assert int(received) < 4_000_000
        box.take()  # when the folder is there
        before = len(box.dovecot.log)
        box.take()

        def cheap() -> bool:
            return any(int(out) < 3_000 for out in re.findall(r"Logged out in=\d+ out=(\d+)", box.dovecot.log[before:]))

        until(cheap, "a look at which nothing is new is logged, and costs nothing")


def test_two_listeners_killed_again_and_again_play_each_turn_once(tmp_path: Path, rows: Path) -> None:
    if reason := why_missing():
        missing.skip(reason)
    dovecot = Dovecot([OWN])
    given = {
        "OVERLAND_MAIL_FROM": f"Overland <{OWN}>",
        "OVERLAND_MAIL_IN": dovecot.url(OWN),
        "OVERLAND_TRUSTED_RELAY": RELAY,
        "SSL_CERT_FILE": str(dovecot.certificate),
    }
    service = Service(tmp_path, given)
    assert overland("migrate", environ=service.environ).returncode == 0
    context = replace(wired(tmp_path, service.database_url), clock=utc_now)
    post = Post(service, context, 0)
    try:
        service.start_valkey()
        service.start_parts("sweeper", "messages", "listener")
        letters = post.letters(6)

        def killed() -> None:
            for number, letter in enumerate(letters, start=1):
                dovecot.deliver(letter.recipient, letter.raw, letter.sender)
                dovecot.put(OWN, [b"Subject: Sunday\r\n\r\nDear Olga\r\n"])
                if number % 2:
                    until(lambda number=number: post.count(messages) == number, "the mail is stored")  # type: ignore[misc]
                post.kill("listener")
                service.start_parts("listener", "listener")
            until(lambda: post.count(messages) == len(letters), "all mails are stored")

        undergo(post, rows, "mailbox: kill -9 of two listeners, six times", letters, killed)
        assert "mailbox.troubled" not in service.output()
    finally:
        print(service.output()[-6000:])
        service.stop()
        context.close()
        dovecot.close()
