"""What a soak judges by: its mail server, its players' book, and its report, each of which has to
be able to complain.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from email.message import EmailMessage

import pytest

from service.ledger.findings import Breach, Findings
from service.notices.mail.errors import TransportError
from service.notices.mail.smtp import SmtpTransport
from tools.soak.book import NEVER, Book
from tools.soak.mail import MailServer, Mood
from tools.soak.processes import Part, parts_of, send
from tools.soak.report import MIB, WARM_SECONDS, Memory, Recovery, document, lines
from tools.soak.service import NotThere, await_


@pytest.fixture
def server() -> Iterator[MailServer]:
    server = MailServer()
    yield server
    server.close()


def letter(text: str = "Your confirmation code is:  abc\n.and a line that begins with a dot\n") -> EmailMessage:
    message = EmailMessage()
    message["From"], message["To"], message["X-Overland-Notice"] = "overland@example.org", "ann@example.org", "notice-1"
    message.set_content(text)
    return message


def transport(server: MailServer, timeout: float = 30.0) -> SmtpTransport:
    return SmtpTransport("smtp", "127.0.0.1", server.port, None, timeout)


def test_a_mail_is_taken_and_remembered_by_the_id_of_its_notice(server: MailServer) -> None:
    transport(server).send(letter())
    assert server.received == ["notice-1"]
    assert server.code_for("ann@example.org") == "abc"


@pytest.mark.parametrize("mood", ["away", "busy", "refusing"])
def test_in_a_bad_mood_nothing_is_taken_until_it_is_well_again(server: MailServer, mood: Mood) -> None:
    server.feel(mood)
    with pytest.raises(TransportError):
        transport(server).send(letter())
    assert server.received == []
    server.feel("well")
    transport(server).send(letter())
    assert server.received == ["notice-1"]


def test_a_server_that_drops_the_line_has_the_mail_and_does_not_say_so(server: MailServer) -> None:
    server.feel("dropping")
    with pytest.raises(TransportError):
        transport(server).send(letter())
    assert server.received == ["notice-1"]


def test_a_server_that_hangs_says_nothing(server: MailServer) -> None:
    server.feel("hanging")
    with pytest.raises(TransportError):
        transport(server, 0.2).send(letter())
    assert server.received == []


def test_play_has_gone_on_when_it_has_at_every_table() -> None:
    book = Book()
    book.open("one")
    book.open("two")
    since = time.monotonic()
    book.judged("one", "turn-1", "accepted")
    assert book.recovered(since) == NEVER
    book.judged("two", "turn-2", "accepted")
    assert 0 <= book.recovered(since) < 60
    assert book.recovered(time.monotonic() + 1) == NEVER
    book.close("one")
    book.close("two")
    assert book.recovered(since) == 0


def test_a_verdict_that_changes_is_a_surprise() -> None:
    book = Book()
    book.taken("turn-1")
    book.judged("one", "turn-1", "accepted")
    assert book.surprises == ()
    book.judged("one", "turn-1", "rejected")
    assert len(book.surprises) == 1
    assert [(seen.turn_id, seen.status) for seen in book.seen] == [("turn-1", "rejected")]


def report(findings: Findings, book: Book | None = None, troubles: list[str] | None = None) -> tuple[bool, str]:
    memory = Memory()
    memory.note(0.0, [Part(7, "turns", 50 * MIB)])
    memory.note(WARM_SECONDS, [Part(7, "turns", 60 * MIB)])
    memory.note(WARM_SECONDS + 100, [Part(7, "turns", 65 * MIB)])
    recoveries = [Recovery("kill -9 turns", 1.0), Recovery("kill -9 turns", 3.0)]
    found = document(
        1.0,
        "seed",
        "sqlite",
        findings,
        book or Book(),
        Counter({"kill -9 turns": 2}),
        recoveries,
        memory,
        troubles or [],
    )
    return found["sound"], "\n".join(lines(found))


def test_a_report_says_what_was_done_and_what_it_cost() -> None:
    sound, text = report(Findings())
    assert sound
    assert "Worst recovery: 3.0 s after kill -9 turns." in text
    assert "60.0 MiB when warm,    65.0 MiB after 120 s" in text
    assert "Nothing is lost, nothing happened twice." in text


def test_a_soak_fails_for_a_breach_for_a_surprise_and_for_what_still_waits() -> None:
    surprised = Book()
    surprised.surprise("GET / was answered by 500")
    breached = Findings(breaches=[Breach("turn_lost", "x", "Turn x is lost.")])
    for sound, text in (
        report(breached),
        report(Findings(), surprised),
        report(Findings(pending_turns=["x"])),
        report(Findings(), troubles=["a table ended"]),
    ):
        assert not sound
        assert "This soak has failed." in text
    assert breached.lost == 1


def test_a_process_is_known_by_its_parent_until_it_ends() -> None:
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    try:
        mine = next(part for part in parts_of(os.getpid()) if part.pid == child.pid)
        assert mine.kind == "other"
        assert mine.memory > 0
        send(mine, signal.SIGKILL)
    finally:
        child.kill()
        child.wait(30)
    assert child.pid not in {part.pid for part in parts_of(os.getpid())}
    send(mine, signal.SIGKILL)  # nobody is there any more, and that is no mistake


def test_what_does_not_happen_is_said() -> None:
    with pytest.raises(NotThere, match="The thing did not happen"):
        await_(lambda: False, 0.0, "The thing")
