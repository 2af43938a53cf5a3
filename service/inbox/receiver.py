"""What the mail server of a receiver found out about a mail of ours, by the header that it has
there; and whether our own tells who sends us mails. It is shown to hosts, and never trusted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.message import Message
from email.utils import parsedate_to_datetime
from typing import Final

from sqlalchemy import Connection

from service.inbox import authenticate, headers
from service.inbox.authenticate import MethodResult, UnreadableResults
from service.inbox.headers import folded_domain
from service.store import messages

DOMAIN_OF: Final = {"spf": "smtp.mailfrom", "dkim": "header.d", "dmarc": "header.from"}
"""The property that names whose domain was checked."""
WITHOUT_NAME: Final = "unnamed; "
"""Stands for the name that Exchange Online leaves out."""
LOOKED_AT: Final = 20
"""Of the latest mails that came in."""
MOST_BYTES: Final = 32 * 1024


@dataclass(frozen=True, slots=True)
class ResultsSeen:
    """Of how many mails that came in, and how many of these have no results in the name of the
    trusted relay; the name that most of these propose, empty where they do not.
    """

    mails: int
    without: int
    proposed: str


def results_seen(connection: Connection, trusted: str) -> ResultsSeen:
    """What the latest mails that came in tell of the trusted relay."""
    found = messages.latest_headers(connection, LOOKED_AT, MOST_BYTES)
    without = [raw for raw in found if not authenticate.is_written_by(raw, trusted)]
    names = Counter(authenticate.proposed_relay(raw) or "" for raw in without)
    (most, _), *_rest = names.most_common(1) or [("", 0)]
    return ResultsSeen(len(found), len(without), most)


@dataclass(frozen=True, slots=True)
class ReceivedMail:
    """A mail as it was received: who wrote it, when it was written by our clock, and when a mail
    server first had it; who wrote the topmost results, and which.
    """

    sender: str
    written_at: datetime | None
    taken_at: datetime | None
    host: str
    results: tuple[MethodResult, ...]

    @property
    def domain(self) -> str:
        """That of the sender."""
        return folded_domain(self.sender.rpartition("@")[2])

    @property
    def clock_ahead(self) -> timedelta | None:
        """By how much our clock is ahead of that of the first mail server."""
        return None if self.written_at is None or self.taken_at is None else self.written_at - self.taken_at

    def of(self, method: str) -> MethodResult | None:
        """The result of a method: one that passed for the sender's domain, else one that passed."""
        found = [each for each in self.results if each.method == method]
        ranked = sorted(found, key=lambda each: (not self.is_for_sender(each), each.result != "pass"))
        return ranked[0] if ranked else None

    def is_for_sender(self, result: MethodResult) -> bool:
        """Whether a result passed, and is about the sender's domain or one above it."""
        return result.result == "pass" and authenticate.is_aligned(domain_of(result), self.domain)


def domain_of(result: MethodResult) -> str:
    """The domain that was checked; empty where the receiver does not say it."""
    value = result.properties.get(DOMAIN_OF.get(result.method, ""), "")
    if not value and result.method == "dkim":
        value = result.properties.get("header.i", "")
    return folded_domain(value.rpartition("@")[2])


def read_received(raw: bytes) -> ReceivedMail:
    """Reads the source of a mail of which the header is there. Never raises."""
    header = headers.header_of(raw)
    fields = tuple(_topmost(header))
    stamps = [at for value in headers.raw_values(header, "Received") if (at := _moment(value.rpartition(";")[2]))]
    return ReceivedMail(
        headers.sender(header) or "",
        _moment(headers.raw_value(header, "Date")),
        stamps[-1] if stamps else None,
        authenticate.authserv_id(fields[0]) if fields else "",
        tuple(_results(fields)),
    )


def _topmost(header: Message) -> Iterator[str]:
    """The values of the fields of results down to the next mail server's."""
    found = False
    for name, value in header.raw_items():
        if name.lower() == "received" and found:
            return
        if name.lower() == authenticate.FIELD:
            found = True
            yield " ".join(str(value).split())


def _results(fields: Sequence[str]) -> Iterator[MethodResult]:
    for value in fields:
        try:
            yield from authenticate.parse_results(value if authenticate.authserv_id(value) else WITHOUT_NAME + value)
        except UnreadableResults:
            continue


def _moment(text: str) -> datetime | None:
    try:
        at = parsedate_to_datetime(text.strip())
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
