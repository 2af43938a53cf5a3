"""A mail server for a soak or a test: it takes mails by SMTP, remembers the id of each notice, and
can be in a bad mood on purpose.
"""

from __future__ import annotations

import re
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from email import policy
from email.parser import BytesParser
from typing import BinaryIO, Final, Literal, TypeAlias

Mood: TypeAlias = Literal["well", "away", "busy", "refusing", "hanging", "dropping", "slow"]
"""``away``: connections are refused.

``busy``: 451. ``refusing``: 554. ``hanging``: it accepts and never says a word. ``dropping``: it
takes the mail and cuts the connection instead of saying so. ``slow``: it thinks for a while before
it takes the mail.
"""

MOODS: Final[tuple[Mood, ...]] = ("well", "away", "busy", "refusing", "hanging", "dropping", "slow")
SLOW_SECONDS: Final = 1.5
_CODE = re.compile(r"confirmation code[^:]*:\s+(\S+)")


class MailServer:
    """Listens on a port of this machine, from ``open`` to ``close``.

    ``received`` has an id for each mail it took, repeats included.
    """

    def __init__(self, host: str = "127.0.0.1") -> None:
        self.host = host
        self.received: list[str] = []
        self.times: list[float] = []
        self._codes: dict[str, str] = {}
        self._lock = threading.Lock()
        self._mood: Mood = "well"
        self._epoch = 0
        self._sockets: set[socket.socket] = set()
        self._listener = _listener(host, 0)
        self.port: int = self._listener.getsockname()[1]
        self._accept()

    @property
    def url(self) -> str:
        """What OVERLAND_MAIL_URL is to be."""
        return f"smtp://{self.host}:{self.port}"

    @property
    def mood(self) -> Mood:
        return self._mood

    def feel(self, mood: Mood) -> None:
        """From now on it is in this mood. Who hangs on an old mood is cut off, as by a restart."""
        with self._lock:
            before, self._mood = self._mood, mood
            self._epoch += 1
            cut = tuple(self._sockets)
        if mood == "away" or before in ("hanging", "slow"):
            for conversation in cut:
                with suppress(OSError):
                    conversation.shutdown(socket.SHUT_RDWR)
        if mood == "away" and before != "away":
            _hang_up(self._listener)
        elif before == "away" and mood != "away":
            self._listener = _listener(self.host, self.port)
            self._accept()

    def code_for(self, address: str) -> str | None:
        """The latest confirmation code that was mailed to this address."""
        with self._lock:
            return self._codes.get(address)

    def close(self) -> None:
        """Ends every conversation and stops listening."""
        self.feel("away")

    def _accept(self) -> None:
        threading.Thread(target=self._serve, args=(self._listener,), name="mail server", daemon=True).start()

    def _serve(self, listener: socket.socket) -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return  # nobody listens any more
            threading.Thread(target=self._converse, args=(connection,), name="mail", daemon=True).start()

    def _converse(self, connection: socket.socket) -> None:
        with self._lock:
            self._sockets.add(connection)
        try:
            with closing(connection), suppress(OSError, ValueError), connection.makefile("rb") as stream:
                self._talk(connection, stream)
        finally:
            with self._lock:
                self._sockets.discard(connection)

    def _talk(self, connection: socket.socket, stream: BinaryIO) -> None:
        if self._mood == "hanging":
            epoch = self._epoch
            while self._epoch == epoch:
                time.sleep(0.05)
            return
        connection.sendall(b"220 soak\r\n")
        receiver = ""
        for line in stream:
            verb = line[:4].upper()
            if verb == b"RCPT":
                receiver = line.decode("ascii", "replace").partition("<")[2].partition(">")[0]
            if verb == b"MAIL" and self._mood == "busy":
                connection.sendall(b"451 come back later\r\n")
            elif verb == b"MAIL" and self._mood == "refusing":
                connection.sendall(b"554 nothing is taken here\r\n")
            elif verb == b"DATA":
                connection.sendall(b"354 go ahead\r\n")
                message = b"".join(_data(stream))
                if not self._takes(message, receiver):
                    return
                connection.sendall(b"250 taken\r\n")
            elif verb == b"QUIT":
                connection.sendall(b"221 bye\r\n")
                return
            else:
                connection.sendall(b"250 soak\r\n")

    def _takes(self, message: bytes, receiver: str) -> bool:
        """Remembers a mail; whether it is to be said that it was taken."""
        if self._mood == "slow":
            epoch, until = self._epoch, time.monotonic() + SLOW_SECONDS
            while self._epoch == epoch and time.monotonic() < until:
                time.sleep(0.05)
        mail = BytesParser(policy=policy.default).parsebytes(message)
        body = mail.get_body(("plain",))
        code = _CODE.search(body.get_content()) if body is not None else None
        with self._lock:
            self.received.append(str(mail["X-Overland-Notice"]))
            self.times.append(time.monotonic())
            if code:
                self._codes[receiver] = code[1]
        return self._mood != "dropping"


def _listener(host: str, port: int) -> socket.socket:
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind((host, port))
    listener.listen(64)
    return listener


def _hang_up(listener: socket.socket) -> None:
    with suppress(OSError):
        listener.shutdown(socket.SHUT_RDWR)  # wakes the thread that accepts
    listener.close()


def _data(stream: BinaryIO) -> Iterator[bytes]:
    """The lines of a message up to the lone dot (RFC 5321, section 4.5.2)."""
    for line in stream:
        if line == b".\r\n":
            return
        yield line[1:] if line.startswith(b".") else line
    raise ValueError("the message was cut off")
