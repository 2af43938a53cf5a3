"""Mails that come in while what takes and handles them is killed, or there is two of it: none that
was acknowledged is lost, and none that comes twice moves twice.
"""

from __future__ import annotations

import json
import smtplib
import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

import pytest
from sqlalchemy import func, select

from service.context import Context
from service.links import ReplyTo, reply_address, service_address
from service.signing import keys_of
from service.store.tables import messages, outbox, turns
from service.wiring import utc_now
from tests.faults.trial import Row
from tests.service.fakes import Round, started, wired
from tools.launch import PYTHON, Service, overland
from tools.waiting import until
from workers.valkey import free_port

pytestmark = pytest.mark.deep

GAME = "ozeanien"
RELAY = "relay.example"
OWN = "overland@example.org"


@dataclass(frozen=True, slots=True)
class Letter:
    """A mail of a player, as the mail server in front hands it over."""

    sender: str
    recipient: str
    raw: bytes


@dataclass(slots=True)
class Post:
    """The service, of which only Valkey, the listener and the worker of messages run; and a mail
    server in front of it.
    """

    service: Service
    context: Context
    port: int
    tables: int = 0
    sent: list[Letter] = field(default_factory=list)

    def table(self) -> Round:
        """A match with two new players, the first of whom is awaited."""
        self.tables += 1
        return started(self.context, GAME, names=(f"Ada{self.tables}", f"Bela{self.tables}"))

    def letters(self, number: int) -> list[Letter]:
        """Mails that play the first legal action, in as many matches."""
        return [self._reply(self.table()) for _ in range(number)]

    def question(self) -> Letter:
        """A mail to the service that asks for help."""
        return _letter(self.table().players[0].email, OWN, "help")

    def deliver(self, letter: Letter, port: int | None = None) -> None:
        """Hands a mail over, again and again until it is acknowledged."""

        def taken() -> bool:
            with suppress(OSError, smtplib.SMTPException):
                with smtplib.LMTP("127.0.0.1", port or self.port, timeout=10) as client:
                    client.sendmail(letter.sender, [letter.recipient], letter.raw)
                return True
            return False

        until(taken, "the mail is acknowledged")
        self.sent.append(letter)

    def hand_over_without_answer(self, letter: Letter) -> None:
        """Hands a mail over, kills the listener once the mail is stored, and never reads its
        answer.
        """
        before = self.count(messages)
        until(self._listens, "the listener listens")
        with socket.create_connection(("127.0.0.1", self.port), timeout=10) as connection:
            replies = connection.makefile("rb")
            for line in (b"", b"LHLO x", b"MAIL FROM:<%s>", b"RCPT TO:<%s>", b"DATA"):
                address = letter.sender if line.startswith(b"MAIL") else letter.recipient
                if line:
                    connection.sendall((line % address.encode() if b"%s" in line else line) + b"\r\n")
                while replies.readline()[3:4] == b"-":
                    pass
            connection.sendall(letter.raw + b".\r\n")
            until(lambda: self.count(messages) > before, "the mail is stored")
            self.kill("listener")

    def kill(self, part: str) -> None:
        """Kills the processes of a part."""
        for process in self.service.started.pop(part):
            process.kill()
            process.wait()

    def count(self, table: object, *wanted: object) -> int:
        """How many rows are like that."""
        with self.context.database.read() as connection:
            query = select(func.count()).select_from(table).where(*wanted)  # type: ignore[arg-type]
            return int(connection.execute(query).scalar_one())

    def turns_of(self, letter: Letter) -> int:
        match_id = letter.recipient.split("-")[1]
        return self.count(turns, turns.c.match_id == match_id)

    def settled(self) -> bool:
        """Whether every mail is handled."""
        return self.count(messages, messages.c.status == "queued") == 0

    def _listens(self) -> bool:
        with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=10):
            return True
        return False

    def _reply(self, table: Round) -> Letter:
        seat = next(seat.seat for seat in table.match.seats if seat.to_act)
        to = ReplyTo(table.match.id, seat, table.match.ply)
        address = reply_address(keys_of(self.context), service_address(self.context.settings.mail_from), to)
        return _letter(table.players[seat].email, address, "1")


def _letter(sender: str, recipient: str, text: str) -> Letter:
    lines = (
        f"Authentication-Results: {RELAY}; dkim=pass header.d={sender.partition('@')[2]}",
        f"From: {sender}",
        f"To: {recipient}",
        f"Message-ID: <{time.monotonic_ns()}@example.org>",
        "Subject: Re: Your turn",
        "",
        text,
        "",
    )
    return Letter(sender, recipient, "\r\n".join(lines).encode())


@pytest.fixture(scope="module")
def post(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Post]:
    folder, port = tmp_path_factory.mktemp("post"), free_port()
    given = {
        "OVERLAND_LOG_FORMAT": "json",
        "OVERLAND_MAIL_FROM": f"Overland <{OWN}>",
        "OVERLAND_MAIL_IN": f"lmtp://127.0.0.1:{port}",
        "OVERLAND_TRUSTED_RELAY": RELAY,
    }
    service = Service(folder, given)
    assert overland("migrate", environ=service.environ).returncode == 0
    context = replace(wired(folder, service.database_url), clock=utc_now)
    try:
        service.start_valkey()
        service.start_parts("sweeper", "messages", "listener")
        yield Post(service, context, port)
    finally:
        print(service.output()[-6000:])
        service.stop()
        context.close()


def undergo(post: Post, rows: Path, fault: str, letters: Sequence[Letter], broken: Callable[[], object]) -> None:
    """Inflicts a fault while mails come in, waits until all are handled, and checks that each has
    moved once.
    """
    broken()
    over = time.monotonic()
    until(post.settled, "every mail is handled")
    moves = [post.turns_of(letter) for letter in letters]
    lost, double = moves.count(0), sum(number - 1 for number in moves if number > 1)
    row = Row(fault, "SQLite", len(letters), lost, double, round(time.monotonic() - over, 2))
    (rows / f"{time.monotonic_ns()}.json").write_text(json.dumps(asdict(row)))
    print(f"\n{row}")
    assert moves == [1] * len(letters)
    assert post.count(messages, messages.c.status == "kept") == 0


def test_a_listener_killed_between_storing_and_250_costs_and_doubles_nothing(post: Post, rows: Path) -> None:
    letters = post.letters(3)

    def killed() -> None:
        for letter in letters:
            post.hand_over_without_answer(letter)
            post.service.start_parts("listener")
            post.deliver(letter)  # as a mail server does that got no answer

    undergo(post, rows, "mail in: kill -9 of the listener between storing and 250", letters, killed)


def test_mails_that_are_made_to_keep_a_parser_busy_keep_no_other_waiting(post: Post, rows: Path) -> None:
    letters = post.letters(3)
    stranger = letters[0].sender.replace("@", "-stranger@")
    hostile = (
        b'Content-Type: text/plain; a="' + b";" * 60_000,
        b"Authentication-Results: " + b"a" * 200_000,
        b"From: " + b"(" * 10_000,
        b"MIME-Version: 1.0\r\nContent-Type: multipart/digest; boundary=b\r\n\r\n" + b"--b\r\n\r\n\r\n" * 20_000,
        b"Content-Type: text/html\r\n\r\n" + b"<p>" * 200_000,
    )

    def floods() -> None:
        post.deliver(letters[0])
        for lines in hostile:
            raw = b"From: %s\r\nTo: %s\r\n" % (stranger.encode(), OWN.encode()) + lines + b"\r\n"
            with suppress(smtplib.SMTPDataError), smtplib.LMTP("127.0.0.1", post.port, timeout=60) as client:
                client.sendmail(stranger, [OWN], raw)
        for letter in letters[1:]:
            post.deliver(letter)

    undergo(post, rows, "mail in: five mails made to keep a parser busy", letters, floods)


def test_a_worker_killed_between_playing_and_answering_costs_and_doubles_nothing(post: Post, rows: Path) -> None:
    letters, question = post.letters(3), post.question()

    def killed() -> None:
        post.deliver(question)
        for letter in letters:
            post.deliver(letter)
            until(lambda letter=letter: post.turns_of(letter) > 0, "the turn is submitted")  # type: ignore[misc]
            post.kill("messages")
            post.service.start_parts("messages")

    undergo(post, rows, "mail in: kill -9 of the worker between playing and answering", letters, killed)
    assert post.count(outbox, outbox.c.kind == "answer") == 1


def test_the_same_mail_at_two_listeners_moves_once(post: Post, rows: Path) -> None:
    letters, other = post.letters(3), free_port()
    post.service.spawn("listener", *PYTHON, "workers", "listener", OVERLAND_MAIL_IN=f"lmtp://127.0.0.1:{other}")
    post.service.start_parts("messages")

    def twice() -> None:
        for letter in letters:
            threads = [threading.Thread(target=post.deliver, args=(letter, port)) for port in (post.port, other)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()

    undergo(post, rows, "mail in: two listeners and two workers, every mail at both", letters, twice)
