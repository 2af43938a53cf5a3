"""Which address of ours a mail in a mailbox is for, where no mail server in front has told it.

Providers write the recipient above what the sender wrote, but not all do. A forged field gains
nothing: what acts for somebody is signed, so a mail could as well have been sent there. An ordinary
mailbox may be somebody's own. So a mail to its bare address is for us only if it answers a mail of
ours, by a signed Message-ID, or if its subject says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from email.message import Message
from itertools import chain, islice
from typing import Final

from service.inbox import headers
from service.inbox.headers import folded_domain
from service.inbox.words import read_word
from service.links import ServiceAddress, is_signed_tag, tags_in
from service.signing import Keys

DELIVERED: Final = ("Delivered-To", "X-Original-To", "Envelope-To", "X-Delivered-To")
"""The fields in which mail servers write the recipient of the envelope, the last one by Cyrus."""
WRITTEN: Final = ("To", "Cc")
JOIN: Final = "join"
BARE: Final = ""
"""What stands for a tag where an address has none."""
NAME: Final = "overland"
"""The subject of a mail to the bare address that is for the service, besides ``join``."""
OWN: Final = "X-Overland-Notice"
"""The field that all mails of ours have."""
FIELDS: Final = (
    *DELIVERED,
    *WRITTEN,
    *("From", "Subject", "In-Reply-To", "References", "Content-Type", "Return-Path", "X-Failed-Recipients"),
    OWN,
)
"""The fields without which no mail is for us: a header of these alone has a recipient, or may be a
bounce, wherever the whole mail has a recipient.
"""
MOST_HEADER: Final = 256 * 1024
"""Bytes of a header in which a recipient is looked for."""
MOST_FIELDS: Final = 500
"""Of these, in a header."""
MOST_READ: Final = 256 * 1024
"""Bytes of a bounce in which the Message-ID of our mail is looked for."""
MOST_NAMED: Final = 200
"""Addresses, and Message-IDs, of a mail that are looked at."""
MOST_WORDS: Final = 20
"""Of a subject."""
_FIELD: Final = re.compile(
    rb"^(?:%s)[ \t]*:[^\n]*(?:\n[ \t][^\n]*)*" % "|".join(FIELDS).encode(), re.IGNORECASE | re.MULTILINE
)
_BOUNCED: Final = re.compile(rb"(?<![a-z2-7+])(b-[a-z2-7]{26}-[a-z2-7]{17,20})(?![a-z2-7])", re.IGNORECASE)


def recipient_of(raw: bytes, keys: Keys, service: ServiceAddress, signed_only: bool = False) -> str | None:
    """The recipient of ours of a mail, ``raw`` or its header alone; ``None`` where it is for
    somebody else. Never raises.

    A mail to the bare address that answers one of ours has the signed recipient that it would have
    as a plus-address. A mail of ours is for whoever reads that mailbox, also where it refers to one
    before. With ``signed_only`` nothing else counts, as in a folder of junk.
    """
    header = _header_of(raw)
    if OWN in header:
        return None
    tags = _tags_of_addresses(header, service)
    answered = tuple(_tags_of_ids(header, keys, service))
    subject = headers.text_value(header, "Subject")
    named = (*tags, *subject.lower().split()[:MOST_WORDS])  # a link to the bare address has them in the subject
    signed = next((tag for tag in named if is_signed_tag(keys, tag)), None)
    if signed is None and _is_bounce(header, tags):
        signed = _bounced(raw, keys) or _first(answered, "b-")
    signed = signed or _first(answered, "r-")
    if signed is not None:
        return service.tagged(signed)
    if signed_only:
        return None
    if JOIN in tags or _is_join(header, service):
        return service.tagged(JOIN)
    is_ours = bool(answered) or _is_for_service(subject, raw)
    return str(service) if BARE in tags and is_ours else None


def may_be_bounce(raw: bytes, service: ServiceAddress) -> bool:
    """Whether a mail, of which ``raw`` is the header, may report to the bare address on a mail of
    ours. Which one stands only in what it returns: ``recipient_of`` needs the whole of it.
    """
    header = _header_of(raw)
    return _is_bounce(header, _tags_of_addresses(header, service))


def _first(tags: Sequence[str], kind: str) -> str | None:
    return next((tag for tag in tags if tag.startswith(kind)), None)


def _header_of(raw: bytes) -> Message:
    """The header of a mail, of ``FIELDS`` alone."""
    head = raw[:MOST_HEADER].replace(b"\r\n", b"\n").partition(b"\n\n")[0]
    return headers.header_of(b"\n".join(found[0] for found in islice(_FIELD.finditer(head), MOST_FIELDS)))


def _is_bounce(header: Message, tags: Sequence[str]) -> bool:
    return BARE in tags and (headers.is_report(header) or headers.is_from_mail_server(header))


def _tags_of_addresses(header: Message, service: ServiceAddress) -> tuple[str, ...]:
    """The tags, in lower case, of our addresses in the header, ``BARE`` for the bare one: first
    those to which the mail was delivered.
    """
    found = []
    for address in _named(header, (*DELIVERED, *WRITTEN)):
        local, _, domain = address.rpartition("@")
        name, _, tag = local.casefold().partition("+")
        if name == service.local.casefold() and folded_domain(domain) == folded_domain(service.domain):
            found.append(tag)
    return tuple(found)


def _is_join(header: Message, service: ServiceAddress) -> bool:
    """Whether the mail was delivered to ``join`` at the domain of the service. In To and Cc that is
    no proof: at a provider it is somebody else's.
    """
    wanted = f"{JOIN}@{service.domain}".casefold()
    return any(address.casefold() == wanted for address in _named(header, DELIVERED))


def _named(header: Message, names: Iterable[str]) -> Iterator[str]:
    return islice((address for name in names for address in headers.addresses(header, name)), MOST_NAMED)


def _tags_of_ids(header: Message, keys: Keys, service: ServiceAddress) -> Iterator[str]:
    """The signed tags in the Message-IDs that a mail refers to, the one that it answers first. With
    plus-addresses that one alone counts: who answers what was forwarded answers somebody else.
    """
    answered = headers.message_ids(header, "In-Reply-To")
    referred = tuple(reversed(headers.message_ids(header, "References")))
    if service.has_plus:
        answered, referred = answered or referred[:1], ()
    return chain.from_iterable(tags_in(keys, each) for each in islice((*answered, *referred), MOST_NAMED))


def _bounced(raw: bytes, keys: Keys) -> str | None:
    """The tag of the bounce address of the mail of ours that came back."""
    found = _BOUNCED.findall(raw[:MOST_READ].replace(b"=\r\n", b"").replace(b"=\n", b""))
    tags = (each.decode("ascii").lower() for each in found[:MOST_NAMED])
    return next((tag for tag in tags if is_signed_tag(keys, tag)), None)


def _is_for_service(subject: str, raw: bytes) -> bool:
    """Whether the subject says that the mail is for the service, and a person wrote it."""
    word = read_word(subject)
    if subject.casefold() != NAME and (word is None or word.name != JOIN):
        return False
    header = headers.header_of(raw[:MOST_HEADER])
    return not headers.is_automatic(header) and not headers.is_from_list(header)
