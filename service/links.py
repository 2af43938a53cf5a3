"""The links in mails, and the service's own mail addresses, which say what a mail that comes in is
about.

What acts for somebody is signed. Opening a link changes nothing, because programs that scan mails
open links: the page has a button. Only the one-click request of a mail program (RFC 8058), which is
a POST, acts by itself.

Addresses are plus-addresses (RFC 5233) of the local part of OVERLAND_MAIL_FROM. All are signed,
consist of ASCII, and mean the same in lower case; hyphens separate their fields, and are in none.

- ``overland+r-<match>-<seat>-<ply>-<signature>``: the answer of a seat, as of a ply.
- ``overland+r-<match>-<seat>-<ply>-<question>-<signature>``: the same to a mail that asks a
  question, by its number in the match.
- ``overland+b-<notice>-<signature>``: a bounce of the mail of a notice (VERP).
- ``overland+u-<player>-<what>-<signature>``: a player wants no more mails about a match, or at all.

What follows the plus sign is the tag. The Message-ID of a mail has the tags of its addresses for
replies and bounces, so an answer is known by what it refers to, and a bounce by what it returns,
where neither comes to a plus-address: from mail programs that answer to the sender, and where the
provider of the mailbox knows none (OVERLAND_MAIL_ADDRESSES). A link to write a mail has the tag as
its subject then.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parseaddr
from typing import Final
from urllib.parse import quote, urlencode

from service.signing import Keys, is_signed, sign

SIGN_IN: Final = "sign-in"
INVITATION: Final = "invitation"
UNSUBSCRIBE: Final = "unsubscribe"
NEVER_AGAIN: Final = "never-again"
SIGN_IN_LASTS: Final = timedelta(days=30)
"""How long the links of a mail sign in whoever follows them; afterwards the page asks for more."""
EVERYTHING: Final = "all"
LONGEST_LOCAL_PART: Final = 64
"""Octets (RFC 5321, section 4.5.3.1.1)."""
PLUS: Final = "plus"
BARE: Final = "bare"
"""The values of OVERLAND_MAIL_ADDRESSES."""
REPLY: Final = "reply"
BOUNCE: Final = "bounce"
_REPLY: Final = re.compile(r"r-([a-z0-9]{1,20})-(\d{1,2})-(\d{1,7})(?:-(\d{1,4}))?-([a-z2-7]+)")
_BOUNCE: Final = re.compile(r"b-([a-z2-7]{26})-([a-z2-7]+)")
_UNSUBSCRIBE: Final = re.compile(r"u-([a-z0-9]{1,20})-(all|m\.[a-z0-9]{1,20})-([a-z2-7]+)")
_WHAT: Final = re.compile(r"all|m\.[a-z0-9-]{1,20}|k\.[a-z_]{1,40}")


@dataclass(frozen=True, slots=True)
class Invitee:
    """The seat of a match that somebody is invited to, and who was mailed so: a player, by id, or a
    folded address.
    """

    match_id: str
    seat: int
    who: str


@dataclass(frozen=True, slots=True)
class Unsubscribe:
    """Who wants no more mails about what: ``all``, ``m.`` and a match, or ``k.`` and a kind."""

    player_id: str
    what: str

    @property
    def match_id(self) -> str | None:
        """The match that is meant."""
        return self.what[2:] if self.what.startswith("m.") else None

    @property
    def kind(self) -> str | None:
        """The kind of mails that is meant."""
        return self.what[2:] if self.what.startswith("k.") else None


def of_match(player_id: str, match_id: str) -> Unsubscribe:
    """No more mails about a match."""
    return Unsubscribe(player_id, f"m.{match_id}")


def of_kind(player_id: str, kind: str) -> Unsubscribe:
    """No more mails of a kind."""
    return Unsubscribe(player_id, f"k.{kind}")


def of_everything(player_id: str) -> Unsubscribe:
    """No more mails at all."""
    return Unsubscribe(player_id, EVERYTHING)


def match_page(base_url: str, match_id: str) -> str:
    """The page of a match."""
    return f"{base_url.rstrip('/')}{match_path(match_id)}"


def match_path(match_id: str) -> str:
    """The path of that page."""
    return f"/matches/{match_id}"


def join_page(base_url: str, secret: str) -> str:
    """The join link of a match, which one passes on."""
    return f"{base_url.rstrip('/')}/join/{secret}"


def rules_page(base_url: str, game: str) -> str:
    """The page of a game, with its rules."""
    return f"{base_url.rstrip('/')}/games/{game}#rules"


def sign_in_link(keys: Keys, base_url: str, player_id: str, path: str, now: datetime) -> str:
    """A link that leads a player to the page ``path``, and signs them in, for ``SIGN_IN_LASTS``."""
    until = int((now + SIGN_IN_LASTS).timestamp())
    signature = sign(keys, SIGN_IN, f"{player_id} {until} {path}")
    fields = {"player": player_id, "to": path, "until": until, "signature": signature}
    return f"{base_url.rstrip('/')}/sign-in?{urlencode(fields, safe='/')}"


def read_sign_in(
    keys: Keys, player_id: str, path: str, until: str, signature: str, now: datetime
) -> tuple[datetime, bool] | None:
    """When a link with these fields was made, and whether it can still be used; ``None`` unless the
    service signed it.
    """
    return _made_at(keys, SIGN_IN, player_id, until, path, signature, now)


def invitation_link(keys: Keys, base_url: str, invitee: Invitee, now: datetime) -> str:
    """A link to the page on which somebody who is invited takes the seat, and is signed in. It can
    be used for ``SIGN_IN_LASTS``. An address is not in it: the seat is kept for it.
    """
    until = int((now + SIGN_IN_LASTS).timestamp())
    fields = {"match": invitee.match_id, "seat": invitee.seat, "until": until}
    if "@" not in invitee.who:
        fields["player"] = invitee.who
    fields["signature"] = sign(keys, INVITATION, f"{invitee.match_id} {invitee.seat} {until} {invitee.who}")
    return f"{base_url.rstrip('/')}/invitation?{urlencode(fields)}"


def read_invitation(
    keys: Keys, invitee: Invitee, until: str, signature: str, now: datetime
) -> tuple[datetime, bool] | None:
    """As ``read_sign_in``, of a link to an invitation."""
    return _made_at(keys, INVITATION, f"{invitee.match_id} {invitee.seat}", until, invitee.who, signature, now)


def _made_at(
    keys: Keys, purpose: str, before: str, until: str, after: str, signature: str, now: datetime
) -> tuple[datetime, bool] | None:
    """As ``read_sign_in``; what is signed stands ``before`` and ``after`` the time."""
    readable = re.fullmatch(r"\d{1,11}", until, re.ASCII)
    if not readable or not is_signed(keys, purpose, f"{before} {int(until)} {after}", signature):
        return None
    last = datetime.fromtimestamp(int(until), UTC)
    return last - SIGN_IN_LASTS, now <= last


def unsubscribe_link(keys: Keys, base_url: str, wanted: Unsubscribe) -> str:
    """A link to the page that stops such mails, at once by a one-click POST. It never expires."""
    fields = {"player": wanted.player_id, "what": wanted.what, "signature": _signed(keys, wanted)}
    return f"{base_url.rstrip('/')}/unsubscribe?{urlencode(fields)}"


def _signed(keys: Keys, wanted: Unsubscribe) -> str:
    return sign(keys, UNSUBSCRIBE, f"{wanted.player_id} {wanted.what}")


def read_unsubscribe(keys: Keys, player_id: str, what: str, signature: str) -> Unsubscribe | None:
    """Who wants no more mails about what; ``None`` unless the service signed it."""
    wanted = Unsubscribe(player_id, what)
    if not _WHAT.fullmatch(what) or not is_signed(keys, UNSUBSCRIBE, f"{player_id} {what}", signature):
        return None
    return wanted


def never_again_link(keys: Keys, base_url: str, folded: str) -> str:
    """A link to the page by which a folded address gets no mail from here again, for good."""
    signature = sign(keys, NEVER_AGAIN, folded)
    return f"{base_url.rstrip('/')}/never-again?address={quote(folded, safe='@')}&signature={signature}"


def read_never_again(keys: Keys, folded: str, signature: str) -> bool:
    """Whether the service signed such a link for that address."""
    return is_signed(keys, NEVER_AGAIN, folded, signature)


@dataclass(frozen=True, slots=True)
class ServiceAddress:
    """The mail address of the service, and whether mails are delivered to its plus-addresses."""

    local: str
    domain: str
    has_plus: bool = True

    def __str__(self) -> str:
        return f"{self.local}@{self.domain}"

    def tagged(self, tag: str) -> str:
        """The plus-address with that tag, by which the recipient of a mail is told in any case."""
        return f"{self.local}+{tag}@{self.domain}"

    def reached(self, tag: str) -> str:
        """The address to which a mail is sent that is about what the tag says."""
        return self.tagged(tag) if self.has_plus else str(self)

    def mailto(self, tag: str) -> str:
        """The link to write such a mail (RFC 6068)."""
        return f"mailto:{self.reached(tag)}" + ("" if self.has_plus else f"?subject={tag}")


@dataclass(frozen=True, slots=True)
class ReplyTo:
    """What a reply is about: the seat, the ply at which it was asked, and which question."""

    match_id: str
    seat: int
    ply: int
    question: int | None = None


def service_address(mail_from: str, mail_addresses: str = PLUS) -> ServiceAddress:
    """The address in the setting OVERLAND_MAIL_FROM. Whoever writes others that are derived from it
    passes OVERLAND_MAIL_ADDRESSES, too.
    """
    local, _, domain = parseaddr(mail_from)[1].rpartition("@")
    return ServiceAddress(local, domain, mail_addresses == PLUS)


def reply_tag(keys: Keys, to: ReplyTo) -> str:
    """The tag for replies of a seat that was asked at a ply."""
    text = _reply_text(to)
    return f"r-{text}-{sign(keys, REPLY, text)}"


def reply_address(keys: Keys, service: ServiceAddress, to: ReplyTo) -> str:
    """The address for such replies."""
    return service.reached(reply_tag(keys, to))


def read_reply_address(keys: Keys, local_part: str) -> ReplyTo | None:
    """What a reply to that local part is about; ``None`` unless the service signed it."""
    found = _REPLY.fullmatch(_tag(local_part))
    if found is None:
        return None
    to = ReplyTo(found[1], int(found[2]), int(found[3]), None if found[4] is None else int(found[4]))
    return to if is_signed(keys, REPLY, _reply_text(to), found[5]) else None


def bounce_tag(keys: Keys, notice_id: str) -> str:
    """The tag for bounces of the mail of a notice, whose id has 32 hexadecimal digits."""
    short = base64.b32encode(bytes.fromhex(notice_id)).decode().rstrip("=").lower()
    return f"b-{short}-{sign(keys, BOUNCE, notice_id)}"


def bounce_address(keys: Keys, service: ServiceAddress, notice_id: str) -> str:
    """The envelope sender of that mail."""
    return service.reached(bounce_tag(keys, notice_id))


def message_name(keys: Keys, notice_id: str, to: ReplyTo | None, again: int = 0) -> str:
    """What stands before the @ in the Message-ID of the mail of a notice, which is always the same:
    the tags for replies, if it has such an address, and for bounces. One that its reader has asked
    for ``again`` has another, because mail programs show a mail that they know only once.
    """
    tags = (bounce_tag(keys, notice_id),) if to is None else (reply_tag(keys, to), bounce_tag(keys, notice_id))
    return ".".join((*tags, str(again)) if again else tags)


def tags_in(keys: Keys, message_id: str) -> Iterator[str]:
    """The tags that the service signed among the first parts of a Message-ID."""
    parts = message_id.lower().rpartition("@")[0].split(".", 4)
    return (part for part in parts if is_signed_tag(keys, part))


def read_bounce_address(keys: Keys, local_part: str) -> str | None:
    """The notice whose mail came back to it; ``None`` unless the service signed it."""
    found = _BOUNCE.fullmatch(_tag(local_part))
    if found is None:
        return None
    try:
        notice_id = base64.b32decode(found[1].upper() + "======").hex()
    except binascii.Error:
        return None
    return notice_id if is_signed(keys, BOUNCE, notice_id, found[2]) else None


def unsubscribe_tag(keys: Keys, wanted: Unsubscribe) -> str:
    """The tag of a mail that means that a player wants no more mails about a match, or at all."""
    return f"u-{wanted.player_id}-{wanted.what}-{_signed(keys, wanted)}"


def read_unsubscribe_address(keys: Keys, local_part: str) -> Unsubscribe | None:
    """As ``read_unsubscribe``, of the local part of an address."""
    found = _UNSUBSCRIBE.fullmatch(_tag(local_part))
    return None if found is None else read_unsubscribe(keys, *found.groups())


def is_signed_tag(keys: Keys, tag: str) -> bool:
    """Whether the service signed that tag of a plus-address, whatever it is about."""
    read = (read_reply_address, read_bounce_address, read_unsubscribe_address)
    return any(each(keys, f"+{tag}") is not None for each in read)


def _reply_text(to: ReplyTo) -> str:
    text = f"{to.match_id}-{to.seat}-{to.ply}"
    return text if to.question is None else f"{text}-{to.question}"


def _tag(local_part: str) -> str:
    """What follows the plus sign, in lower case; empty where there is none."""
    return local_part.partition("+")[2].lower()
