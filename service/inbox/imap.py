"""A connection to an ordinary mailbox (IMAP, RFC 3501): log-in, folders, and the mails in them,
which are looked at without a trace, and put away by their UIDs.
"""

from __future__ import annotations

import re
import ssl
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum
from select import select
from typing import Any, Final

from imapclient import IMAPClient, SocketTimeout
from imapclient.exceptions import IMAPClientAbortError, IMAPClientError, IMAPClientReadOnlyError, LoginError
from imapclient.imapclient import JUNK

from service.setting_values import MailboxPlace

CONNECT_SECONDS: Final = 20.0
ANSWER_SECONDS: Final = 60.0
"""How long the next bytes of an answer are waited for."""
MOST_HEADER: Final = 64 * 1024
"""Bytes of a mail's chosen header fields that are fetched."""
FETCHED_AT_ONCE: Final = 100
"""Mails whose headers one command fetches."""
SEARCHED_AT_ONCE: Final = 10_000
"""UIDs in one search, which bounds its answer."""
KEYWORD: Final = "Overland"
"""The flag of mails that were taken, where they stay."""
FLAGGED: Final = b"\\Flagged"
"""The flag instead, in a folder that takes no keywords (RFC 3501, section 7.1)."""
FOR_A_TIME: Final = ("[UNAVAILABLE]", "[INUSE]", "[LIMIT]", "[SERVERBUG]")
"""Response codes of a refused log-in for which the password is no cause (RFC 5530)."""
EXPUNGED: Final = "[EXPUNGEISSUED]"
"""The response code where some of the mails had vanished just before (RFC 5530)."""
FAULTS: Final = (OSError, IMAPClientError, LookupError, TypeError, ValueError)
"""What is raised where a server does not answer, or not as it should."""
BY_OAUTH: Final = ("AUTH=XOAUTH2", "AUTH=OAUTHBEARER")
_BYTES: Final = re.compile(r"b(['\"])(.*)\1", re.DOTALL)


class MailboxTrouble(Enum):
    """What is wrong with a mailbox, in words for everybody."""

    REFUSED = "refuses the log-in"
    AWAY = "does not answer as it should"
    NOT_MOVED = "does not let mails be moved"


class MailboxFault(Exception):
    """A mailbox cannot be used; ``str(fault)`` is a sentence for operators that quotes what was
    answered, and never has the password.
    """

    def __init__(self, trouble: MailboxTrouble, sentence: str) -> None:
        super().__init__(sentence)
        self.trouble = trouble


@dataclass(frozen=True, slots=True)
class OpenFolder:
    """A folder as it was when it was opened: its UIDVALIDITY, the UID that its next mail gets, 0
    where the server does not tell, and the number of its mails.
    """

    uidvalidity: int
    next_uid: int
    mails: int


@contextmanager
def logged_in(place: MailboxPlace) -> Iterator[IMAPClient]:
    """A connection on which the user of the mailbox is logged in, over TLS with a certificate that
    was verified. Raises ``MailboxFault`` for whatever goes wrong with it, also later.
    """
    try:
        client = _connected(place)
        try:
            client.normalise_times = False
            _log_in(client, place)
            yield client
            with suppress(OSError, IMAPClientError):  # all was done: how it ends is no fault
                client.logout()
        finally:
            with suppress(OSError):
                client.shutdown()
    except ssl.SSLCertVerificationError as error:
        reason = f"The certificate of {place.host} is not trusted: {error.verify_message}."
        raise MailboxFault(MailboxTrouble.AWAY, reason) from error
    except FAULTS as error:
        raise MailboxFault(MailboxTrouble.AWAY, f"{place.host}:{place.port} {said(error)}.") from error


def examine(client: IMAPClient, folder: str) -> OpenFolder:
    """Opens a folder so that nothing in it can be changed."""
    found = client.select_folder(folder, readonly=True)
    return OpenFolder(int(found[b"UIDVALIDITY"]), int(found.get(b"UIDNEXT", 0)), int(found[b"EXISTS"]))


def uids_from(client: IMAPClient, first: int, opened: OpenFolder) -> Iterator[Sequence[int]]:
    """The UIDs from ``first`` on of the mails in the open folder that nobody has marked as deleted,
    in order, by groups of at most ``FETCHED_AT_ONCE``.
    """
    while first < opened.next_uid or opened.next_uid == 0:
        last = min(first + SEARCHED_AT_ONCE, opened.next_uid) - 1
        found = client.search(["UID", f"{first}:{last if opened.next_uid else '*'}", "UNDELETED"])
        uids = sorted(uid for uid in found if uid >= first)  # *, the last one, may be before it
        yield from (uids[at : at + FETCHED_AT_ONCE] for at in range(0, len(uids), FETCHED_AT_ONCE))
        if opened.next_uid == 0:
            return
        first = last + 1


def headers_of(client: IMAPClient, uids: Sequence[int], fields: Collection[str]) -> Mapping[int, bytes]:
    """These header fields of mails in the open folder, by UID."""
    found = client.fetch(uids, [f"BODY.PEEK[HEADER.FIELDS ({' '.join(fields).upper()})]<0.{MOST_HEADER}>"])
    return {uid: _body(answer) for uid, answer in found.items()}


def mail_of(client: IMAPClient, uid: int, most: int) -> tuple[bytes, datetime] | None:
    """Up to ``most`` bytes of a mail in the open folder, if it is still there, and when it came;
    the latest time there is where that cannot be read.
    """
    if (answer := client.fetch([uid], [f"BODY.PEEK[]<0.{most}>", "INTERNALDATE"]).get(uid)) is None:
        return None
    try:
        received = answer[b"INTERNALDATE"].astimezone(UTC)
    except (AttributeError, KeyError, OverflowError):
        received = datetime.max.replace(tzinfo=UTC)
    return _body(answer), received


def put_away(client: IMAPClient, folder: str, uidvalidity: int, uids: Sequence[int], target: str | None) -> None:
    """Moves mails from a folder to ``target``, which is created where it is missing; without one
    they are flagged with ``KEYWORD`` and stay. Of mails that are there no more nothing is said, nor
    where the folder has another UIDVALIDITY now: its UIDs are those of other mails.

    Without MOVE (RFC 6851) they are copied, and marked as deleted; they vanish where the server can
    be told to delete those alone (UIDPLUS, RFC 4315).
    """
    try:
        opened = client.select_folder(folder)
    except IMAPClientReadOnlyError as error:  # the connection is as good as before, and can read the folder
        examine(client, folder)
        raise IMAPClientError(str(error)) from error
    uids = client.search(["UID", ",".join(map(str, uids)), "UNDELETED"])
    if not uids or opened[b"UIDVALIDITY"] != uidvalidity:
        return
    if target is None:
        takes_keyword = {b"\\*", KEYWORD.encode()} & set(opened.get(b"PERMANENTFLAGS", ()))
        client.add_flags(uids, [KEYWORD if takes_keyword else FLAGGED], silent=True)
        return
    if not client.folder_exists(target):
        with suppress(IMAPClientError):  # another process has created it just now
            client.create_folder(target)
            client.subscribe_folder(target)
    if client.has_capability("MOVE"):
        client.move(uids, target)
        return
    client.copy(uids, target)
    client.add_flags(uids, [b"\\Deleted"], silent=True)
    if client.has_capability("UIDPLUS"):
        client.uid_expunge(uids)


def junk_folder(client: IMAPClient, inbox: str) -> str | None:
    """The folder of what the provider takes for junk (RFC 6154), or one of a usual name; none where
    a name of any folder cannot be read.
    """
    try:
        found = client.find_special_folder(JUNK)
    except UnicodeDecodeError:  # of a folder whose name is not written as RFC 3501, section 5.1.3, says
        return None
    return found if isinstance(found, str) and found.casefold() != inbox.casefold() else None


def own_folder(client: IMAPClient, name: str) -> str:
    """The full name of a folder of one's own (RFC 2342)."""
    own = client.namespace().personal if client.has_capability("NAMESPACE") else ()
    return f"{own[0][0]}{name}" if own else name


def is_ready(client: IMAPClient, seconds: float) -> bool:
    """Whether the server says something within that time, or the connection has ended."""
    return bool(select([client.socket()], [], [], seconds)[0])


def said(error: Exception) -> str:
    """What went wrong, as the end of a sentence about the server."""
    if isinstance(error, TimeoutError):
        return "does not answer"
    if isinstance(error, OSError):
        return f"cannot be reached: {error.strerror or error}"
    if not isinstance(error, IMAPClientError):
        return f"gives an answer that cannot be read: {type(error).__name__}: {error}"
    return f"says: {_BYTES.sub(lambda found: found[2], str(error)).strip().rstrip('.')}"


def _connected(place: MailboxPlace) -> IMAPClient:
    timeout, tls = SocketTimeout(CONNECT_SECONDS, ANSWER_SECONDS), ssl.create_default_context()
    if not place.starttls:
        return IMAPClient(place.host, place.port, ssl_context=tls, timeout=timeout)
    client = IMAPClient(place.host, place.port, ssl=False, timeout=timeout)
    if not client.has_capability("STARTTLS"):
        client.shutdown()
        raise MailboxFault(
            MailboxTrouble.AWAY,
            f"{place.host}:{place.port} has no STARTTLS, so the password was not sent: try imaps://.",
        )
    client.starttls(tls)
    return client


def _log_in(client: IMAPClient, place: MailboxPlace) -> None:
    mechanisms = {each.decode() for each in client.capabilities() if each.startswith(b"AUTH=")}
    by_plain = "AUTH=PLAIN" in mechanisms or not (place.user + place.password).isascii()  # LOGIN has ASCII alone
    has_oauth = not mechanisms.isdisjoint(BY_OAUTH)
    if not by_plain and (client.has_capability("LOGINDISABLED") or (has_oauth and mechanisms.issubset(BY_OAUTH))):
        how = "OAuth" if has_oauth else ", ".join(sorted(mechanisms)) or "another connection"
        raise MailboxFault(
            MailboxTrouble.REFUSED,
            f"{place.host} lets programs in by {how} alone, which Overland does not support: it needs a password, or an"
            " app password. Where this provider has none, use a mailbox at another one.",
        )
    try:
        (client.plain_login if by_plain else client.login)(place.user, place.password)
    except LoginError as error:
        if isinstance(error.__context__, IMAPClientAbortError) or any(code in str(error) for code in FOR_A_TIME):
            raise
        hint = " It offers OAuth, too: some such providers take app passwords, some none at all." if has_oauth else ""
        raise MailboxFault(
            MailboxTrouble.REFUSED,
            f"{place.host} refuses the log-in of {place.user} and {said(error)}. Check user and password in"
            f" OVERLAND_MAIL_IN, and whether the provider wants an app password instead.{hint}",
        ) from error


def _body(answer: Mapping[bytes, Any]) -> bytes:
    return next((value or b"" for key, value in answer.items() if key.startswith(b"BODY[")), b"")
