"""Mails of ours that came back.

Every mail has an envelope sender of its own, which the service has signed (VERP), so a bounce names
the notice that it is about, and nobody can forge one for a mail that they were not sent. What it
says is read by the standard (RFC 3464), else by flufl.bounce, which knows what was written before.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from email.message import Message as Mail
from email.parser import Parser
from email.policy import compat32
from typing import Final, Literal, TypeAlias

from flufl.bounce import all_failures

from engine.wording import plain
from service.addresses import folded
from service.children import processor_time
from service.context import Context
from service.inbox.bounds import PARSING_SECONDS, Beyond, check_body, check_header, plain_lines
from service.inbox.mail import Result, handled, ignored
from service.store import addresses
from service.store.messages import Message

Hardness: TypeAlias = Literal["hard", "soft", "delayed", "none"]
"""``hard``: the address does not exist; ``soft``: this mail was given up, and the next may arrive;
``delayed``: it is still being tried; ``none``: no bounce, such as an automatic reply.
"""
LONGEST_REASON: Final = 300
MOST_READ: Final = 64 * 1024
"""Bytes that are read of a bounce."""
OF_THE_MAIL: Final = re.compile(r"5\.(?:2\.[2-4]|3\.4|6\.\d+|7\.\d+)")
"""Permanent statuses (RFC 3463) that say nothing against the address: the mailbox is full or takes
no mail that large, the content or the sender is not wanted.
"""
_INTERNATIONAL: Final = re.compile(rb"(?<=message/)global-(?=delivery-status)", re.IGNORECASE)
"""What a status in UTF-8 is called (RFC 6533); Python's parser reads only the other."""
_STATUS: Final = re.compile(r"\s*([245]\.\d{1,3}\.\d{1,3})\b")


@dataclass(frozen=True, slots=True)
class Bounce:
    """What a bounce says: a sentence of the mail server, and the recipients that it names."""

    hardness: Hardness
    reason: str = ""
    named: tuple[str, ...] = ()


def take_bounce(context: Context, message: Message, notice_id: str) -> Result:
    """Marks the notice whose mail came back, and its address where that is for good; once."""
    try:
        with processor_time(PARSING_SECONDS):
            found = read_bounce(message.raw or b"")
    except Beyond as error:
        return ignored("beyond", str(error))
    if found.hardness in ("none", "delayed"):
        return ignored("not a bounce" if found.hardness == "none" else "delayed")
    now = context.clock()
    with context.database.write() as connection:
        notice = addresses.mark_bounced(connection, notice_id, found.reason, now)
        if notice is None:
            return ignored("bounced before, or pruned")
        if notice[0] is not None:
            addresses.count_bounce(connection, notice[0], found.named, found.hardness == "hard", found.reason, now)
    return handled(f"bounced, {found.hardness}")


def read_bounce(raw: bytes) -> Bounce:
    """What the beginning of a mail says about one that came back. Raises ``Beyond`` alone."""
    plain = plain_lines(raw)[:MOST_READ]
    check_header(plain)
    check_body(plain)
    try:
        mail = Parser(policy=compat32).parsestr(_INTERNATIONAL.sub(b"", plain).decode("utf-8", "replace"))
        if (standard := _by_standard(mail)) is not None:
            return standard
        soft, hard = all_failures(mail)
    except Exception:  # the parser and the detectors raise whatever a damaged mail leads to
        return Bounce("none")
    named = _folded(sorted(address.decode("utf-8", "replace") for address in hard or soft))
    if not named:
        return Bounce("none")
    return Bounce("hard" if hard else "soft", "The mail server says that the mail could not be delivered.", named)


def _by_standard(mail: Mail) -> Bounce | None:
    """What the delivery status says of the recipients (RFC 3464, section 2.3); ``None`` without."""
    found: list[Bounce] = []
    for part in mail.walk():
        if part.get_content_type() == "message/delivery-status":
            found += [_of_recipient(each) for each in part.get_payload() if isinstance(each, Mail) and "Action" in each]
    ranks: tuple[Hardness, ...] = ("hard", "soft", "delayed", "none")
    return min(found, key=lambda bounce: ranks.index(bounce.hardness), default=None)


def _folded(addresses: Iterable[str]) -> tuple[str, ...]:
    """The addresses as they are compared, without those that are none."""
    found = []
    for address in addresses:
        with suppress(ValueError):  # idna's errors are such
            found.append(folded(address))
    return tuple(found)


def _of_recipient(block: Mail) -> Bounce:
    action = str(block["Action"]).partition(";")[0].strip().lower()
    status = _STATUS.match(str(block.get("Status", "")))
    code = status[1] if status is not None else ""
    said = plain(str(block.get("Diagnostic-Code", "")).partition(";")[2])
    reason = (said or f"Status {code}".strip())[:LONGEST_REASON]
    fields = (str(block.get(name, "")).partition(";")[2].strip() for name in ("Original-Recipient", "Final-Recipient"))
    named = _folded(address.strip("<>") for address in fields if "@" in address)
    if action == "delayed":
        return Bounce("delayed", reason, named)
    if action != "failed" or code.startswith("2"):
        return Bounce("none")
    hard = code.startswith("5") and OF_THE_MAIL.fullmatch(code) is None
    return Bounce("hard" if hard else "soft", reason, named)
