"""Chooses the transport of mails by a URL: a folder, or a mail server by SMTP or LMTP.

``folder:`` or ``folder:/path``, ``smtp://user:password@host:port``, ``smtps://...`` (TLS from the
start), ``smtp+starttls://...`` (STARTTLS required), ``lmtp://host:port`` or
``lmtp:///path/to/socket``. Special characters in user and password are percent-encoded.

Errors of a mail server are distinguished by where they happen (RFC 5321, section 4.2.1): before the
recipient is named, or without an answer, it is down for all mails (``TransportDown``); it refuses
this recipient or mail, with 4xx temporarily (``TransportError``), with 5xx permanently
(``PermanentlyRefused``); the connection breaks during the transfer of a mail: the server is down,
or this mail is the cause (``TransportDown.during_transfer``).

What is sent is checked before. That trusts neither the values of the headers nor the library that
serialises them: before 3.11.10 and 3.12.5, Python decodes encoded words in what is assigned to a
header, and writes the line breaks in them (CVE-2024-6923).
"""

from __future__ import annotations

import copy
import os
import re
import secrets
import smtplib
import socket
import ssl
import time
from base64 import b64encode
from collections.abc import Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, field
from datetime import UTC
from email import message_from_bytes
from email.errors import MessageError
from email.message import EmailMessage
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from service.context import Transport
from service.notices.mail.errors import CannotCompose, PermanentlyRefused, TransportDown, TransportError
from service.setting_values import nearest

MODES: Final[Mapping[str, int]] = {"smtp": 25, "smtps": 465, "smtp+starttls": 587, "lmtp": 24}
"""The schemes and their ports."""
TIMEOUT_SECONDS: Final = 8.0
"""The longest time for any reply except the last."""
PATIENCE_SECONDS: Final = 20.0
"""The longest time for the server to accept the message; a job's time limit covers two of these."""
ACCEPTED: Final = 235
"""The reply to a login."""
REFUSES_CLIENT: Final = frozenset((421, 530, 534, 535, 538))
"""Replies that refuse the client, not the mail (RFC 5321, RFC 4954)."""
_ADDRESS: Final = re.compile(r"^[45]\.1\..*|[^\s<>:;,()]*[@.]\w[^\s<>:;,()]*")
"""What says nothing of the client in a reply: addresses, names of hosts, and all that is said under
a code for addresses (RFC 3463, section 3.2).
"""


class MailUrlError(ValueError):
    """A mail URL without a transport; the message is a sentence for the operator."""


def transport_of(mail_url: str, default_folder: Path) -> Transport:
    """The transport for the URL. Connects only when it sends. Raises ``MailUrlError``."""
    scheme, _, rest = mail_url.partition(":")
    if scheme == "folder":
        return FolderTransport(Path(rest).expanduser() if rest else default_folder)
    if scheme not in MODES:
        raise MailUrlError(
            f'"{_shown(mail_url)}" is not a mail URL: it starts with folder:,'
            f" {', '.join(f'{mode}://' for mode in MODES)}."
        )
    try:
        parts = urlsplit(mail_url)
        port = parts.port
    except ValueError as error:
        raise MailUrlError(f"The mail URL cannot be read: {error}.") from None
    if scheme == "lmtp" and not parts.hostname and parts.path:
        return SmtpTransport("lmtp", unquote(parts.path), 0, None)
    if not parts.hostname:
        raise MailUrlError(f"The mail URL names no host: {scheme}://host:port.")
    if parts.path not in ("", "/") or parts.query or parts.fragment:
        raise MailUrlError(
            "The mail URL ends after the port; special characters in user and password are percent-encoded."
        )
    user, password = parts.username, unquote(parts.password or "")
    credentials = None if user is None else Credentials(unquote(user), password)
    return SmtpTransport(scheme, parts.hostname, port or MODES[scheme], credentials)


def _shown(mail_url: str) -> str:
    """The URL without what may be a password."""
    head, at, tail = mail_url.rpartition("@")
    return f"{head.partition(':')[0]}://...@{tail}" if at else mail_url


class FolderTransport:
    """Writes messages into a folder: a file exists completely or not at all, and a message sent
    twice is one file.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def send(self, message: EmailMessage) -> str:
        """Writes the file, and renames it once it is on disk. Returns its path. Raises
        ``TransportDown``, and ``CannotCompose`` for a message that cannot be serialised.
        """
        content = to_wire(message)
        path = self.folder / file_name(message)
        unfinished = self.folder / f".{path.name}.{secrets.token_hex(4)}"
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with unfinished.open("wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            unfinished.replace(path)
        except OSError as error:
            with suppress(OSError):
                unfinished.unlink()
            sentence = f"The mail folder {self.folder} cannot be written: {error.strerror or error}."
            raise TransportDown(sentence) from error
        return str(path)

    def check(self) -> str:
        """Returns the folder. Raises ``TransportDown`` where it cannot be made or written."""
        there = nearest(self.folder)
        if not (there.is_dir() and os.access(there, os.W_OK)):
            raise TransportDown(f"The mail folder {self.folder} cannot be written.")
        return str(self.folder)


def file_name(message: EmailMessage) -> str:
    """Date and Message-ID as a file name: names sort by time, and a repeat has the same."""
    date = parsedate_to_datetime(str(message["Date"])).astimezone(UTC)
    local = str(message["Message-ID"]).strip("<> ").partition("@")[0]
    return f"{date:%Y%m%dT%H%M%SZ}-{re.sub(r'[^A-Za-z0-9_-]+', '-', local)}.eml"


@dataclass(frozen=True, slots=True)
class Credentials:
    """A login; the password is not in the ``repr``."""

    user: str
    password: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class SmtpTransport:
    """Sends each message over a new connection. ``host`` is a path for LMTP over a local socket;
    ``timeout`` and ``patience`` are in seconds.
    """

    mode: str
    host: str
    port: int
    credentials: Credentials | None
    timeout: float = TIMEOUT_SECONDS
    patience: float = PATIENCE_SECONDS
    tls: ssl.SSLContext | None = None

    def send(self, message: EmailMessage) -> str:
        """Sends the message, and returns once the server has accepted it: what it answered. Raises
        ``TransportError``, and ``CannotCompose`` for a message that cannot be serialised.
        """
        (sender, recipient, options, content), during_transfer = _envelope(message), False
        try:
            with closing(self._connect()) as server:
                self._log_in(server)
                if "SMTPUTF8" in options and not server.has_extn("smtputf8"):
                    sentence = f"{self._name()} cannot write to {recipient}: it does not support SMTPUTF8."
                    raise PermanentlyRefused(sentence)
                self._expect(*server.mail(sender, options), sender=True)
                during_transfer = True
                self._expect(*server.rcpt(recipient))
                if server.sock is not None:
                    server.sock.settimeout(self.patience)
                code, words = server.data(content)
                self._expect(code, words)
                # The server has accepted the message: an error of QUIT must not cause a retry.
                with suppress(smtplib.SMTPException, OSError):
                    server.quit()
                return f"{code} {_words(words)}"
        except smtplib.SMTPDataError as error:
            self._expect(error.smtp_code, error.smtp_error)
            sentence = f"{self._name()} does not speak SMTP: it answered DATA with {error.smtp_code}."
            raise TransportDown(sentence) from error
        except (smtplib.SMTPException, OSError, ValueError) as error:  # as of a name that no host can have
            raise self._down(error, during_transfer) from error

    def check(self) -> str:
        """Logs in, and hangs up. Returns what the server answered. Raises ``TransportDown``."""
        try:
            with closing(self._connect()) as server:
                answered = self._log_in(server)
                with suppress(smtplib.SMTPException, OSError):
                    server.quit()
                return answered
        except (smtplib.SMTPException, OSError, ValueError) as error:
            raise self._down(error) from error

    def _down(self, error: Exception, during_transfer: bool = False) -> TransportDown:
        if isinstance(error, smtplib.SMTPResponseException):
            what = "does not speak SMTP:" if error.smtp_code < 0 else f"refused: {error.smtp_code}"
            return TransportDown(f"{self._name()} {what} {_words(error.smtp_error)}")
        sentence = f"{self._name()} could not be used: {type(error).__name__}: {error}"
        return TransportDown(sentence, during_transfer)

    def _log_in(self, server: smtplib.SMTP) -> str:
        """Returns the answer to the login, or where there is none, to the greeting."""
        if self.mode == "smtp+starttls":
            server.starttls(context=self._context())
        server.ehlo_or_helo_if_needed()
        credentials = self.credentials
        if credentials is None:
            code, words = 250, b""
        elif (credentials.user + credentials.password).isascii() or not server.has_extn("auth"):
            code, words = server.login(credentials.user, credentials.password)
        else:  # which the library cannot write (RFC 4616)
            said = b64encode(f"\0{credentials.user}\0{credentials.password}".encode()).decode("ascii")
            code, words = server.docmd("AUTH", f"PLAIN {said}")
            if code != ACCEPTED:
                raise smtplib.SMTPAuthenticationError(code, words)
        greeting = (server.ehlo_resp or server.helo_resp or b"").partition(b"\n")[0]
        return f"{code} {_words(words or greeting)}"

    def _expect(self, code: int, reason: bytes | str, sender: bool = False) -> None:
        """Raises the error for a reply that is not 2xx. A refused ``sender`` is a fault of the
        settings, therefore ``TransportDown``.
        """
        if 200 <= code < 300:
            return
        words = _words(reason)
        sentence = f"{self._name()} refused{' the sender' if sender else ''}: {code} {words}"
        if sender or code in REFUSES_CLIENT or "relay" in _ADDRESS.sub("", words).lower():
            raise TransportDown(sentence)
        raise PermanentlyRefused(sentence) if 500 <= code < 600 else TransportError(sentence)

    def _connect(self) -> smtplib.SMTP:
        if self.mode == "lmtp":
            return _Lmtp(self.host, self.port, timeout=self.timeout)
        if self.mode == "smtps":
            return _Smtps(self.host, self.port, timeout=self.timeout, context=self._context())
        return _Smtp(self.host, self.port, timeout=self.timeout)

    def _context(self) -> ssl.SSLContext:
        return self.tls or ssl.create_default_context()

    def _name(self) -> str:
        return f"The mail server {self.host}" + (f":{self.port}" if self.port else "")


class _Lines:
    """What a server says, line by line, until ``end`` by the monotonic clock."""

    def __init__(self, sock: socket.socket) -> None:
        self._sock, self._read, self.end = sock, b"", 0.0

    def readline(self, most: int) -> bytes:
        while b"\n" not in self._read and len(self._read) < most:
            if (left := self.end - time.monotonic()) <= 0:
                raise TimeoutError("timed out")
            self._sock.settimeout(left)
            if not (more := self._sock.recv(most)):
                break
            self._read += more
        size = min(most, self._read.find(b"\n") + 1 or most)
        line, self._read = self._read[:size], self._read[size:]
        return line

    def close(self) -> None:
        """The connection is closed by who opened it."""


class _Smtp(smtplib.SMTP):
    """A connection on which every reply ends within its timeout, also one that comes byte by byte,
    or has no end.
    """

    def getreply(self) -> tuple[int, bytes]:
        """The next reply of the server."""
        assert self.sock is not None
        sock, seconds = self.sock, self.sock.gettimeout() or 0.0
        if not isinstance(self.file, _Lines):  # as after STARTTLS: what was read before is forgotten
            self.file = _Lines(sock)
        self.file.end = time.monotonic() + seconds
        reply = super().getreply()
        sock.settimeout(seconds)
        return reply


class _Smtps(_Smtp, smtplib.SMTP_SSL):
    """The same over TLS."""


class _Lmtp(_Smtp, smtplib.LMTP):
    """The same by LMTP."""


def _envelope(message: EmailMessage) -> tuple[str, str, tuple[str, ...], bytes]:
    """Sender (bounces go there), recipient, options, content. Raises ``CannotCompose``."""
    sender, recipient = addresses_of(message)
    back = message["Return-Path"]
    if back is not None:  # written by the server that delivers it (RFC 5321, section 4.4)
        sender = str(back).strip("<> ")
        message = copy.copy(message)
        del message["Return-Path"]
    content = to_wire(message)
    options = () if (sender + recipient).isascii() else ("SMTPUTF8", "BODY=8BITMIME")
    return sender, recipient, options, content


def _words(reason: bytes | str) -> str:
    text = reason.decode("utf-8", "replace") if isinstance(reason, bytes) else reason
    return " ".join(text.split())


LONGEST_LINE: Final = 998
"""The most bytes of a line without its end (RFC 5322, section 2.1.1)."""
_FIELD: Final = re.compile(rb"([!-9;-~]+):")
_CONTINUATION: Final = re.compile(rb"[ \t]+[^ \t]")
_CONTROL: Final = re.compile(rb"[\x00-\x08\x0a-\x1f\x7f]")


def to_wire(message: EmailMessage) -> bytes:
    """The bytes of the message; its headers are ASCII unless an address is not. Raises
    ``CannotCompose`` where the bytes would not parse as the same message.
    """
    try:
        content = message.as_bytes()
        _check_head(message, content)
        _check_parts(message, message_from_bytes(content, policy=message.policy))
    except (MessageError, ValueError, LookupError) as error:
        raise CannotCompose(f"The mail cannot be written safely: {error}.") from error
    return content


def addresses_of(message: EmailMessage) -> tuple[str, str]:
    """The addresses of sender and recipient. Raises ``ValueError`` unless there is one of each."""
    (sender,), (recipient,) = (message[name].addresses for name in ("From", "To"))
    return sender.addr_spec, recipient.addr_spec


def _check_head(message: EmailMessage, content: bytes) -> None:
    """Parses the header lines without the library. Raises ``ValueError``."""
    ascii_only = "".join(addresses_of(message)).isascii()
    names: list[str] = []
    for line in content.partition(b"\r\n\r\n")[0].split(b"\r\n"):
        if _CONTROL.search(line) or (ascii_only and not line.isascii()):
            raise ValueError("a line of its headers holds a character that does not belong there")
        if len(line) > LONGEST_LINE:
            raise ValueError(f"a line of its headers has more than {LONGEST_LINE} bytes")
        field = _FIELD.match(line)
        if field:
            names.append(field[1].decode("ascii"))
        elif not names or not _CONTINUATION.match(line):
            raise ValueError("a line of its headers is neither a header nor continues one")
    if names != message.keys():
        raise ValueError(f"its headers would be {', '.join(names)}")
    if len({name.lower() for name in names}) < len(names):
        raise ValueError("a header occurs in it twice")


def _check_parts(message: EmailMessage, read: EmailMessage) -> None:
    """Compares the message and its parts with the parsed bytes. Raises ``ValueError``."""
    parts, read_parts = list(message.walk()), list(read.walk())
    if len(parts) != len(read_parts):
        raise ValueError(f"it would be read as {len(read_parts)} parts, not {len(parts)}")
    for part, read_part in zip(parts, read_parts, strict=True):
        if part.keys() != read_part.keys():
            raise ValueError(f"the headers of a part would be {', '.join(read_part.keys())}")
        for (name, value), read_value in zip(part.items(), read_part.values(), strict=True):
            _check_value(name, str(value), _utf8(str(read_value)))
        if not part.is_multipart() and _body(part) != _body(read_part):
            raise ValueError("its body would be read as another")
    sender, recipient = map(_utf8, addresses_of(read))
    if addresses_of(message) != (sender, recipient):
        raise ValueError(f"its addresses would be read as {sender} and {recipient}")


def _check_value(name: str, value: str, read: str) -> None:
    if "=?" in value or any(character < " " or character == "\x7f" for character in value):
        raise ValueError(f"{name} holds an encoded word or a control character")
    if value != read:
        raise ValueError(f"{name} would be read as {read!r}")


def _utf8(read: str) -> str:
    """A parsed header of UTF-8 (RFC 6532) whose bytes the parser has escaped, or ``ValueError``."""
    return read.encode("utf-8", "surrogateescape").decode("utf-8")


def _body(part: EmailMessage) -> bytes:
    """The decoded body of a part that is not multipart; for text with LF as line end."""
    body = part.get_payload(decode=True)
    assert isinstance(body, bytes)
    return body.replace(b"\r\n", b"\n") if part.get_content_maintype() == "text" else body
