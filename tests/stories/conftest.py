"""A service for stories: whatever happens to it comes in by one of its doors (API, page, mail),
what it does is done by its own loops, and time passes when the story says so.

After every story the books are read: the ledger finds no breach, nothing waits, is set aside, dead
or kept.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from email.message import EmailMessage
from email.utils import parseaddr
from functools import partial
from html import unescape
from itertools import count
from pathlib import Path
from typing import Any, Final

import pytest
from flask.testing import FlaskClient
from sqlalchemy import select
from werkzeug.test import TestResponse

from service.app import create_app
from service.bots.playing import choice, play_due
from service.context import Context
from service.inbox.act import dispatch
from service.inbox.conversation import rows_of
from service.inbox.handling import handle_due
from service.ledger.check import check_ledger
from service.ledger.findings import unsettled
from service.notices.delivery import deliver_due
from service.notices.mail.errors import TransportError
from service.store import leasing
from service.store import messages as message_rows
from service.store.heartbeats import PARTS, beat
from service.store.tables import heartbeats, messages
from service.sweeps import sweep
from tests.service.fakes import Clock, Here, Postbag, judged_batch, wired_in
from tools.memory_queue import MemoryQueue

RELAY: Final = "mx.example.net"
SIGNED: Final = "dkim=pass header.d={domain}"
UNSIGNED: Final = "none"
ASKS: Final = "Reply with a number or a line"
"""How a mail begins that asks for a turn."""
STEP: Final = timedelta(hours=1)
MOST_STEPS: Final = 120
"""How often the loops look while time passes: every hour, and in more than five days this often.
The parts beat all the time.
"""
TURNS_WITHOUT_END: Final = 500


class Mailman(Postbag):
    """A transport that hands mails out, or that cannot be reached for a while."""

    def __init__(self, clock: Callable[[], datetime]) -> None:
        super().__init__()
        self.is_down = False
        self.sent_at: dict[str, datetime] = {}
        """When a mail was sent last, by its id."""
        self._clock = clock

    def check(self) -> str:
        if self.is_down:
            raise TransportError("the mail server does not answer")
        return super().check()

    def send(self, message: EmailMessage) -> str:
        self.check()
        self.sent_at[message["Message-ID"]] = self._clock()
        return super().send(message)


@dataclass
class World:
    """The service, with its clock, its loops and its doors."""

    context: Context
    mailman: Mailman
    _numbers: count[int] = field(default_factory=count)

    def __post_init__(self) -> None:
        self.app = create_app(self.context)

    def person(self, name: str) -> Person:
        """Somebody with a mailbox, who has not written yet."""
        return Person(self, name, f"{name.lower()}@example.org", self.app.test_client(), self.app.test_client())

    def settle(self) -> None:
        """Every loop does what is due, until nothing is."""
        for _ in range(TURNS_WITHOUT_END):
            done = [
                handle_due(self.context, Here(partial(dispatch, self.context))),
                judged_batch(self.context).judged,
                play_due(self.context, Here(partial(choice, self.context))),
                sum(results["done"] for results in sweep(self.context).values()),
                deliver_due(self.context),
            ]
            if not any(done) or self.mailman.is_down:
                return
        raise AssertionError(f"the loops find no end: {done}")

    def pass_time(self, **time: float) -> None:
        """Time passes while the service runs."""
        end = self._clock.now + timedelta(**time)
        step = max(STEP, timedelta(**time) / MOST_STEPS)
        while self._clock.now < end:
            self._clock.now = min(end, self._clock.now + step)
            with self.context.database.write() as connection:
                connection.execute(heartbeats.update().values(at=self._clock.now))
            self.settle()

    def be_down(self, **time: float) -> None:
        """Time passes in which no part of the service runs; then all start."""
        self._clock.advance(**time)
        self.beat()
        self.settle()

    def beat(self) -> None:
        """Every part says that it lives."""
        with self.context.database.write() as connection:
            for part in PARTS:
                beat(connection, part, self.context.clock())

    @property
    def _clock(self) -> Clock:
        assert isinstance(self.context.clock, Clock)
        return self.context.clock

    def bring(self, sender: str, recipient: str, raw: bytes) -> None:
        """A mail server hands a mail over."""
        with self.context.database.write() as connection:
            message_rows.add_all(connection, rows_of("127.0.0.1", sender, (recipient,), raw), self.context.clock())
        self.settle()

    def number(self) -> int:
        """A number that was not given before."""
        return next(self._numbers)

    def is_clean(self) -> None:
        """The books of the service are in order, and nothing waits."""
        self.settle()
        findings = check_ledger(self.context.database)
        assert findings.breaches == []
        assert unsettled(findings) == ()
        with self.context.database.read() as connection:
            assert leasing.items_set_aside(connection) == ()
            stuck = select(messages.c.status, messages.c.reason).where(messages.c.status.in_(("queued", "kept")))
            assert connection.execute(stuck).all() == []


@dataclass
class Person:
    """Somebody with a mailbox, a browser and a client of the API. Nothing of the service is known
    to them but what it has mailed, shown or answered.
    """

    world: World
    name: str
    address: str
    browser: FlaskClient
    client: FlaskClient
    _read: int = 0

    # By mail.

    @property
    def mails(self) -> list[EmailMessage]:
        """All mails that came to the address, oldest first."""
        return [mail for mail in self.world.mailman.messages if parseaddr(mail["To"])[1] == self.address]

    def new_mails(self) -> list[EmailMessage]:
        """Those that came since this was asked last."""
        found = self.mails[self._read :]
        self._read += len(found)
        return found

    @property
    def is_asked(self) -> bool:
        """Whether the newest mail asks for a turn. The news that a seat is theirs comes in the same
        moment as what the seat is asked, in any order.
        """
        told = (text_of(mail) for mail in reversed(self.mails))
        return next((text for text in told if "has the seat of" not in text), "").startswith(ASKS)

    def newest(self, words: str) -> EmailMessage:
        """The newest mail whose text has these words."""
        found = [mail for mail in self.mails if words in text_of(mail)]
        assert found, f"{self.name} has no mail with {words}: {[head_of(mail) for mail in self.mails]}"
        return found[-1]

    def write(self, to: str, text: str, results: str = SIGNED, **headers: str) -> None:
        """Sends a mail, which is handled."""
        fields = {
            "Authentication-Results": f"{RELAY}; {results.format(domain=self.address.rpartition('@')[2])}",
            "From": f"{self.name} <{self.address}>",
            "To": to,
            "Subject": "Hello",
            "Message-ID": f"<{self.world.number()}.{self.name}@example.org>",
            "Content-Type": "text/plain; charset=utf-8",
        } | {name.replace("_", "-"): value for name, value in headers.items()}
        head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
        self.world.bring(self.address, to, f"{head}\r\n{text}\r\n".encode())

    def reply(self, mail: EmailMessage, text: str, results: str = SIGNED) -> None:
        """Replies to a mail, with all of it quoted below, as programs do."""
        quoted = "".join(f"> {line}\r\n" for line in text_of(mail).splitlines())
        self.write(
            parseaddr(mail["Reply-To"] or mail["From"])[1],
            f"{text}\r\n\r\nOn Monday Overland wrote:\r\n{quoted}",
            results,
            Subject=f"Re: {mail['Subject']}",
            In_Reply_To=mail["Message-ID"],
        )

    def join(self) -> None:
        """Signs up by mail."""
        self.write("join@example.org", f"join {self.name}")

    def match_id(self) -> str:
        """The id of the match that the newest mail is about."""
        found = re.search(r"/matches/([a-z2-7]{10})", text_of(self.mails[-1]))
        assert found is not None
        return found[1]

    # In a browser.

    def open(self, path: str) -> TestResponse:
        """Opens a page, or the path of a link."""
        return self.browser.get(path.removeprefix(self.world.context.settings.base_url), follow_redirects=True)

    def press(self, page: TestResponse, action: str, **data: str) -> TestResponse:
        """Sends the form of a page for that action, or for one that begins so where it ends with a
        slash, with its hidden fields and what a person typed.
        """
        rest = '[^"]*' if action.endswith("/") else r'(?:\?[^"]*)?'
        form = re.search(
            rf'<form method="post" action="({re.escape(action)}{rest})">(.*?)</form>', page.text, re.DOTALL
        )
        assert form is not None, page.text
        hidden = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', form[2]))
        answer = self.browser.post(unescape(form[1]), data=hidden | data, follow_redirects=True)
        self.world.settle()
        return answer

    # By the API.

    def ask(self, path: str) -> Any:
        """The document that the API has there for everybody."""
        answer = self.client.get(f"/v1{path}")
        assert answer.status_code == 200, answer.text
        return answer.json


def text_of(mail: EmailMessage) -> str:
    """The plain text of a mail."""
    body = mail.get_body(("plain",))
    assert body is not None
    text: str = body.get_content()
    return text


def head_of(mail: EmailMessage) -> str:
    """What a mail is about: the first paragraph of its text that is neither how to reply nor what
    happened.
    """
    for paragraph in text_of(mail).split("\n\n"):
        line = " ".join(paragraph.split())
        if line and not line.isupper() and not line.startswith(("- ", "Reply with a number")):
            return line
    raise AssertionError(text_of(mail))


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """A service behind a mail server whose word it trusts. Its books are read in the end."""
    context = wired_in(tmp_path)
    mailman = Mailman(context.clock)
    settings = replace(context.settings, trusted_relay=RELAY)
    queue = MemoryQueue()
    context = replace(context, settings=settings, transport=mailman, queue=queue)
    queue.judge = lambda: judged_batch(context)  # whoever waits for a verdict finds it
    world = World(context, mailman)
    world.beat()
    yield world
    world.is_clean()
    context.close()


def begun(world: World) -> tuple[Person, Person]:
    """Ada, who has signed up and begun a match by mail, and Bela, who was invited to it."""
    ada, bela = world.person("Ada"), world.person("Bela")
    ada.join()
    ada.write("overland@example.org", f"new pearls {bela.address}")
    bela.reply(bela.newest("invites you"), "yes")
    return ada, bela
