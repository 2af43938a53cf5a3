"""A mailbox at a provider, for tests: a Dovecot, and a service that takes its mails from there."""

from __future__ import annotations

import socket
import socketserver
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any, Final, cast

import pytest
from imapclient import IMAPClient
from sqlalchemy import select

from service.context import Context
from service.heartbeats import MAILBOX
from service.inbox import imap
from service.inbox.mailbox import take_until
from service.links import ReplyTo, reply_address, service_address
from service.setting_values import mailbox_place
from service.signing import keys_of
from service.store.tables import heartbeats, messages
from tests import missing
from tests.service.fakes import Timer, later
from tests.service.notices.postbox import CERTIFICATE, certificate
from tools.dovecot import Dovecot, why_missing

OWN = "overland@example.org"
OTHER = "elsewhere@example.org"
ADA = "ada@players.example"


@dataclass(slots=True)
class Ends:
    """Waits for nothing, and requests the stop as soon as ``wanted``; ``waited`` has the seconds
    that were asked for.
    """

    wanted: Callable[[], object]
    waited: list[float] = field(default_factory=list)

    def __call__(self, seconds: float) -> bool:
        if seconds:
            self.waited.append(seconds)
        return bool(self.wanted())


@dataclass(slots=True)
class Hurried:
    """Waits a moment where seconds were asked for, all of which have passed then by the timer;
    ``passing`` seconds pass whenever it is only looked whether to stop.
    """

    timer: Timer
    passing: float = 0.0
    stop: threading.Event = field(default_factory=threading.Event)

    def __call__(self, seconds: float) -> bool:
        self.timer.advance(seconds or self.passing)
        return self.stop.wait(min(seconds, 0.02))


@dataclass(slots=True)
class Mailbox:
    """The mailbox of ``OWN``, and a service whose mails come in there."""

    dovecot: Dovecot
    context: Context
    numbers: count[int] = field(default_factory=lambda: count(1))

    def at(self, url: str, done: str = "folder:Overland") -> Mailbox:
        """The same with other settings."""
        settings = replace(self.context.settings, mail_in=url, mailbox_done=done)
        return replace(self, context=replace(self.context, settings=settings))

    def signed(self, seat: int = 0) -> str:
        """An address that the service has signed."""
        to = ReplyTo("aaaaaaaa", seat, next(self.numbers))
        return reply_address(keys_of(self.context), service_address(f"O <{OWN}>"), to)

    def mail(self, to: str, text: str = "1", fields: Mapping[str, str] | None = None) -> bytes:
        """A mail, whose Message-ID is its own."""
        named = {"From": ADA, "To": to, "Subject": "Re: Your turn", "Message-ID": f"<{next(self.numbers)}@x.example>"}
        head = "".join(f"{name}: {value}\r\n" for name, value in {**named, **(fields or {})}.items())
        return f"{head}\r\n{text}\r\n".encode()

    def foreign(self, number: int = 1) -> list[bytes]:
        """Mails that are somebody's own."""
        return [self.mail(OWN, f"Dear Olga, {each}", {"Subject": "Sunday"}) for each in range(number)]

    def reply(self) -> str:
        """Delivers a mail to a signed address, which is given."""
        address = self.signed()
        self.dovecot.deliver(address, self.mail(address), sender=ADA)
        return address

    def take(self, wanted: Callable[[], object] | None = None) -> Ends:
        """Takes mails until ``wanted``, or for one look."""
        later(self.context, seconds=1)
        ends = Ends(wanted or self.looked)
        take_until(self.context, ends)
        return ends

    @contextmanager
    def taking(self, passing: float = 0.0) -> Iterator[None]:
        """Takes mails meanwhile, in a thread, whose error is raised at the end."""
        timer = Timer()
        wait, errors = Hurried(timer, passing), list[BaseException]()

        def take() -> None:
            try:
                take_until(replace(self.context, timer=timer), wait)
            except BaseException as error:
                errors.append(error)

        thread = threading.Thread(target=take)
        thread.start()
        try:
            yield
        finally:
            wait.stop.set()
            thread.join()
        assert errors == []

    def looked(self) -> bool:
        """Whether the whole mailbox was looked at just now: its heart has beaten."""
        with self.context.database.read() as connection:
            beaten = connection.scalar(select(heartbeats.c.at).where(heartbeats.c.part == MAILBOX))
        return bool(beaten == self.context.clock())

    def stored(self) -> list[str]:
        """The recipients of the mails that were stored, in order."""
        with self.context.database.read() as connection:
            return sorted(connection.scalars(select(messages.c.recipient)))

    def rows(self) -> list[Any]:
        with self.context.database.read() as connection:
            return list(connection.execute(select(messages)))

    @contextmanager
    def seen(self) -> Iterator[IMAPClient]:
        """The mailbox as its owner's mail program sees it."""
        with imap.logged_in(mailbox_place(self.context.settings.mail_in)) as client:
            yield client

    def folder(self, name: str = "INBOX") -> dict[int, tuple[bytes, ...]]:
        """The flags of the mails in a folder, by UID; none where the folder is missing."""
        with self.seen() as client:
            if not client.folder_exists(name):
                return {}
            client.select_folder(name, readonly=True)
            return dict(client.get_flags(client.search()))


OPENED: Final = b"* 1 EXISTS\r\n* OK [UIDVALIDITY 5] Valid\r\n* OK [UIDNEXT 2] Next\r\n"
ANSWERS: Final = {
    "": b"* OK Hello\r\n",
    "CAPABILITY": b"* CAPABILITY IMAP4rev1 MOVE\r\n",
    "LIST": b'* LIST () "/" INBOX\r\n',
    "EXAMINE": OPENED,
    "SELECT": OPENED,
    "SEARCH": b"* SEARCH 1\r\n",
    "LOGOUT": b"* BYE Come again\r\n",
}
"""What a server says at first, and at each command before it says that all went well."""


@contextmanager
def scripted(
    context: Context, monkeypatch: pytest.MonkeyPatch, answers: Mapping[str, bytes]
) -> Iterator[tuple[Mailbox, list[str]]]:
    """A mailbox whose server says this, whatever it is asked; else as ``ANSWERS``. With it the
    commands that it was given.
    """
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
    says, given, tls = {**ANSWERS, **answers}, list[str](), certificate()

    class Talk(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            with suppress(OSError):  # a client may leave in the middle
                self.wfile.write(says[""])
                for line in self.rfile:
                    tag, *words = line.decode().split()
                    given.append(words[words[0] == "UID"])
                    self.wfile.write(says.get(given[-1], b"") + f"{tag} OK Done\r\n".encode())

    class Server(socketserver.ThreadingTCPServer):
        daemon_threads = True

        def get_request(self) -> tuple[socket.socket, Any]:
            accepted, address = super().get_request()
            return tls.wrap_socket(accepted, server_side=True), address

    with Server(("127.0.0.1", 0), Talk) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            url = f"imaps://overland:secret@localhost:{server.server_address[1]}"
            yield Mailbox(cast(Dovecot, None), context).at(url), given
        finally:
            server.shutdown()
            thread.join()


@contextmanager
def mailbox(context: Context, monkeypatch: pytest.MonkeyPatch, **options: Any) -> Iterator[Mailbox]:
    """A mailbox at a provider with these capabilities."""
    if reason := why_missing():
        missing.skip(reason)
    dovecot = Dovecot([OWN, OTHER], **options)
    monkeypatch.setenv("SSL_CERT_FILE", str(dovecot.certificate))
    try:
        yield Mailbox(dovecot, context).at(dovecot.url(OWN))
    finally:
        dovecot.close()
