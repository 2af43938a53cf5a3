"""The service's own mail addresses: the one that mails come from, and those derived from it, which
say what a mail that comes in is about.

They are plus-addresses of the local part of OVERLAND_MAIL_FROM, for a mail server that delivers
``name+anything`` to ``name`` (RFC 5233). Fields are separated by hyphens, which none of them
contains. All are signed, consist of ASCII, and mean the same in lower case.

- ``overland+r-<match>-<seat>-<ply>-<signature>``: the answer of a seat, as of a ply.
- ``overland+r-<match>-<seat>-<ply>-<question>-<signature>``: the same to a mail that asks a
  question, by its number in the match.
- ``overland+b-<notice>-<signature>``: a bounce of the mail of a notice (VERP).
- ``overland+u-<player>-<what>-<signature>``: a player wants no more mails about a match, or at all.
"""

from __future__ import annotations

import base64
import binascii
import re
from dataclasses import dataclass
from email.utils import parseaddr
from typing import Final

from service.links import Unsubscribe, read_unsubscribe, signed_unsubscribe
from service.signing import Keys, is_signed, sign

LONGEST_LOCAL_PART: Final = 64
"""Octets (RFC 5321, section 4.5.3.1.1)."""
REPLY: Final = "reply"
BOUNCE: Final = "bounce"
_REPLY: Final = re.compile(r"r-([a-z0-9]{1,20})-(\d{1,2})-(\d{1,7})(?:-(\d{1,4}))?-([a-z2-7]+)")
_BOUNCE: Final = re.compile(r"b-([a-z2-7]{26})-([a-z2-7]+)")
_UNSUBSCRIBE: Final = re.compile(r"u-([a-z0-9]{1,20})-(all|m\.[a-z0-9]{1,20})-([a-z2-7]+)")


@dataclass(frozen=True, slots=True)
class ServiceAddress:
    """The mail address of the service: local part and domain."""

    local: str
    domain: str

    def __str__(self) -> str:
        return f"{self.local}@{self.domain}"

    def tagged(self, tag: str) -> str:
        """The plus-address with that tag."""
        return f"{self.local}+{tag}@{self.domain}"


@dataclass(frozen=True, slots=True)
class ReplyTo:
    """What a reply is about: the seat of a match that was asked, the ply at which it was, and the
    number of the question that the mail asked.
    """

    match_id: str
    seat: int
    ply: int
    question: int | None = None


def service_address(mail_from: str) -> ServiceAddress:
    """The address in the setting OVERLAND_MAIL_FROM."""
    local, _, domain = parseaddr(mail_from)[1].rpartition("@")
    return ServiceAddress(local, domain)


def reply_address(keys: Keys, service: ServiceAddress, to: ReplyTo) -> str:
    """The address for replies of a seat that was asked at a ply."""
    text = _reply_text(to)
    return service.tagged(f"r-{text}-{sign(keys, REPLY, text)}")


def read_reply_address(keys: Keys, local_part: str) -> ReplyTo | None:
    """What a reply to that local part is about; ``None`` unless the service signed it."""
    found = _REPLY.fullmatch(_tag(local_part))
    if found is None:
        return None
    to = ReplyTo(found[1], int(found[2]), int(found[3]), None if found[4] is None else int(found[4]))
    return to if is_signed(keys, REPLY, _reply_text(to), found[5]) else None


def bounce_address(keys: Keys, service: ServiceAddress, notice_id: str) -> str:
    """The envelope sender of the mail of a notice, whose id has 32 hexadecimal digits."""
    short = base64.b32encode(bytes.fromhex(notice_id)).decode().rstrip("=").lower()
    return service.tagged(f"b-{short}-{sign(keys, BOUNCE, notice_id)}")


def read_bounce_address(keys: Keys, local_part: str) -> str | None:
    """The id of the notice whose mail came back to that local part; ``None`` unless the service
    signed it.
    """
    found = _BOUNCE.fullmatch(_tag(local_part))
    if found is None:
        return None
    try:
        notice_id = base64.b32decode(found[1].upper() + "======").hex()
    except binascii.Error:
        return None
    return notice_id if is_signed(keys, BOUNCE, notice_id, found[2]) else None


def unsubscribe_address(keys: Keys, service: ServiceAddress, wanted: Unsubscribe) -> str:
    """The address at which any mail means that a player wants no more mails about a match, or at
    all.
    """
    return service.tagged(f"u-{wanted.player_id}-{wanted.what}-{signed_unsubscribe(keys, wanted)}")


def read_unsubscribe_address(keys: Keys, local_part: str) -> Unsubscribe | None:
    """Who wants no more mails about what, by that local part; ``None`` unless the service signed
    it.
    """
    found = _UNSUBSCRIBE.fullmatch(_tag(local_part))
    return None if found is None else read_unsubscribe(keys, *found.groups())


def _reply_text(to: ReplyTo) -> str:
    text = f"{to.match_id}-{to.seat}-{to.ply}"
    return text if to.question is None else f"{text}-{to.question}"


def _tag(local_part: str) -> str:
    """What follows the plus sign, in lower case; empty where there is none."""
    return local_part.partition("+")[2].lower()
