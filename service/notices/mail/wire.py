"""Serialises a message, and checks the bytes before they are sent.

The check trusts neither the values of the headers nor the library that serialises them: before
3.11.10 and 3.12.5, Python decodes encoded words in what is assigned to a header, and writes the
line breaks in them (CVE-2024-6923).
"""

from __future__ import annotations

import re
from email import message_from_bytes
from email.errors import MessageError
from email.message import EmailMessage
from typing import Final

from service.notices.mail.errors import CannotCompose

LONGEST_LINE: Final = 998
"""The most bytes of a line without its end (RFC 5322, section 2.1.1)."""
_FIELD: Final = re.compile(rb"([!-9;-~]+):")
_CONTINUATION: Final = re.compile(rb"[ \t]+[^ \t]")
_CONTROL: Final = re.compile(rb"[\x00-\x08\x0a-\x1f\x7f]")


def to_wire(message: EmailMessage) -> bytes:
    """The bytes of the message; its headers are ASCII unless an address is not.

    Raises ``CannotCompose`` where the bytes would not parse as the same message: a header more or
    less, a line break or control character in a header, an encoded word inside a value, another
    body.
    """
    try:
        content = message.as_bytes()
        _check_head(message, content)
        _check_parts(message, message_from_bytes(content, policy=message.policy))
    except (MessageError, ValueError, LookupError) as error:
        raise CannotCompose(f"The mail cannot be written safely: {error}.") from error
    return content


def addresses_of(message: EmailMessage) -> tuple[str, str]:
    """The sender's and the recipient's address. Raises ``ValueError`` unless there is one of
    each.
    """
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
    """A parsed header of UTF-8 (RFC 6532), whose bytes the parser has escaped. Raises
    ``ValueError``.
    """
    return read.encode("utf-8", "surrogateescape").decode("utf-8")


def _body(part: EmailMessage) -> bytes:
    """The decoded body of a part that is not multipart; for text with LF as line end."""
    body = part.get_payload(decode=True)
    assert isinstance(body, bytes)
    return body.replace(b"\r\n", b"\n") if part.get_content_maintype() == "text" else body
