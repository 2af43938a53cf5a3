"""Takes mails from the mailbox in OVERLAND_MAIL_IN, in the process of the listener.

The inbox is looked at every half minute, and at once where the server tells of a new mail (IDLE,
RFC 2177); so a connection that has died without a word is noticed, too. A mail for us is stored and
committed as one that the listener took, and only then moved. What is for others is left as it is. A
mail that the server does not hand out is doubted: it is tried alone, after all others, and in the
end passed over.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final, TypeAlias, TypeVar

import structlog
from imapclient import IMAPClient
from imapclient.exceptions import IMAPClientAbortError, IMAPClientError
from sqlalchemy.exc import DataError, IntegrityError, SQLAlchemyError

from service import parts
from service.config import Settings
from service.context import Context
from service.heartbeats import MAILBOX, Pulse
from service.inbox import headers, imap
from service.inbox.bounds import MOST_BYTES
from service.inbox.conversation import KnownKeys, rows_of
from service.inbox.imap import MailboxFault, MailboxTrouble
from service.inbox.recipients import FIELDS, may_be_bounce, recipient_of
from service.links import ServiceAddress, service_address
from service.loop import HOLDER_LENGTH
from service.parts import Down, Part
from service.setting_values import MailboxPlace, mailbox_place
from service.store import messages
from service.store.database import reason_of
from service.vitals import LISTENERS

FLAG: Final = "flag"
"""The value of OVERLAND_MAILBOX_DONE by which mails stay where they are."""
WAIT_SECONDS: Final = 30.0
"""From one look at the mailbox to the next, at most."""
STEP_SECONDS: Final = 0.5
"""From one look whether it is to stop to the next."""
BEAT_SECONDS: Final = 10.0
MOST_TRIES: Final = 60
"""Of a mail that the server does not hand out, by a connection each: for about an hour."""
FIRST_PAUSE: Final = {MailboxTrouble.AWAY: 2.0, MailboxTrouble.REFUSED: 60.0}
LAST_PAUSE: Final = {MailboxTrouble.AWAY: 60.0, MailboxTrouble.REFUSED: 3600.0}
"""Before the next log-in. Providers lock accounts after many wrong passwords."""
SAID_FOR: Final = 120.0
"""Seconds for which others hold a mailbox for troubled beyond the next attempt."""
WaitOrStop: TypeAlias = Callable[[float], object]
"""Waits so many seconds, or until the stop is requested; true where it is."""
Fetched = TypeVar("Fetched")
_log = structlog.get_logger("service.inbox")


def take_until(context: Context, wait: WaitOrStop) -> None:
    """Takes mails from the mailbox until the stop is requested. What goes wrong with it is told
    once, to the log and by ``/readyz``, and tried again after growing pauses.
    """
    place, told, pulse = mailbox_place(context.settings.mail_in), _Told(), Pulse(context, MAILBOX)
    keys, failures = KnownKeys(context), 0
    doubted: dict[tuple[str, int], dict[int, int]] = {}
    _log.info("mailbox.started", mailbox=str(place))
    while not wait(0.0):
        context.vitals.beat(LISTENERS)
        visit = _Visit(context, place, keys, context.entropy.token(HOLDER_LENGTH), doubted)
        try:
            with imap.logged_in(place) as client:
                _attend(visit, client, pulse, told, wait)
        except MailboxFault as fault:
            if visit.looks:  # a provider ends connections, too
                _log.info("mailbox.connection_ended", mailbox=str(place), reason=str(fault))
            failures = 1 if visit.looks else failures + 1
            pause = parts.growing_pause(FIRST_PAUSE[fault.trouble], LAST_PAUSE[fault.trouble], failures)
            if not visit.looks:
                told.tell(fault, failures, pause)
            _rest(context, wait, pause)
    _log.info("mailbox.stopped")


def tried(settings: Settings) -> str:
    """Logs in to the mailbox once, and looks at its folders without changing anything. Returns what
    the server answered, as sentences for operators. Raises ``MailboxFault``.
    """
    place = mailbox_place(settings.mail_in)
    with imap.logged_in(place) as client:
        opened, junk = imap.examine(client, place.folder), imap.junk_folder(client, place.folder)
        idle, moves = client.has_capability("IDLE"), client.has_capability("MOVE")
    news = "It tells of new mails at once" if idle else f"It is asked for new mails every {WAIT_SECONDS:.0f} s"
    moving = "" if moves or settings.mailbox_done == FLAG else " It cannot move mails: they are copied and deleted."
    junked = f"Junk is in {junk}." if junk else "It has no folder for junk that is known as such."
    return f"{place.host} lets {place.user} in; {place.folder} has {opened.mails} mails. {news}. {junked}{moving}"


@dataclass(slots=True)
class _Told:
    """What others are told of the mailbox, without its digits; ``None``: maybe something, by a
    process before.
    """

    sentence: str | None = None

    def tell(self, fault: MailboxFault, times: int, pause: float) -> None:
        """Tells of a fault that occurred so many ``times`` in a row; logs it where it is new."""
        if self.sentence != (new := re.sub(r"\d+", "", str(fault))):  # servers add the time
            self.sentence = new
            _log.error("mailbox.troubled", trouble=fault.trouble.value, reason=str(fault), again_after=pause)
        parts.say(Part.MAILBOX, Down(f"{fault.trouble.value}: {fault}", times, pause + SAID_FOR))

    def well(self) -> None:
        """Tells that all is well, where it was not."""
        if self.sentence:
            _log.info("mailbox.well_again")
        if self.sentence != "":
            parts.say(Part.MAILBOX, None)
        self.sentence = ""


@dataclass(slots=True)
class _Folder:
    """A folder as far as this connection has looked through it: mails before ``next_uid``, of which
    those in ``unmoved`` were stored and have to be moved yet, and those in ``doubted``, which have
    been tried so often, were not handed out. But in the inbox only signed addresses count.
    """

    name: str
    is_inbox: bool = False
    uidvalidity: int = 0
    next_uid: int = 1
    unmoved: set[int] = field(default_factory=set)
    doubted: dict[int, int] = field(default_factory=dict)

    @property
    def waiting(self) -> list[int]:
        """The doubted mails that are tried yet, first those that were tried least."""
        left = [uid for uid, tries in self.doubted.items() if tries < MOST_TRIES]
        return sorted(left, key=lambda uid: (self.doubted[uid], uid))


@dataclass(slots=True)
class _Visit:
    """One connection to the mailbox, by which it was looked at ``looks`` times; ``fault`` was met
    at the latest; ``doubted`` mails are known from connections before, by folder and UIDVALIDITY;
    mails are moved to the folder ``target``, which is looked at, too: after a backup was restored
    it has mails that are new.
    """

    context: Context
    place: MailboxPlace
    keys: KnownKeys
    holder: str
    doubted: dict[tuple[str, int], dict[int, int]]
    looks: int = 0
    fault: MailboxFault | None = None
    target: str | None = None
    folders: list[_Folder] = field(default_factory=list)

    @property
    def service(self) -> ServiceAddress:
        return service_address(self.context.settings.mail_from, self.context.settings.mail_addresses)


def _attend(visit: _Visit, client: IMAPClient, pulse: Pulse, told: _Told, wait: WaitOrStop) -> None:
    """Looks at the folders again and again until the stop is requested."""
    context = visit.context
    done = context.settings.mailbox_done
    visit.target = None if done == FLAG else imap.own_folder(client, done.partition(":")[2])
    others = [imap.junk_folder(client, visit.place.folder), visit.target]
    visit.folders = [_Folder(name) for name in others if name and client.folder_exists(name)]
    visit.folders.append(_Folder(visit.place.folder, is_inbox=True))
    while not wait(0.0):
        visit.fault = None
        if _looked_at_all(visit, client, wait):
            visit.looks += 1
            pulse.beat()
            if visit.fault is None:
                told.well()
            else:
                told.tell(visit.fault, 1, WAIT_SECONDS)
        _await_news(context, client, wait)


def _looked_at_all(visit: _Visit, client: IMAPClient, wait: WaitOrStop) -> bool:
    """Looks at all folders, the inbox last, which is left open. Returns whether that was possible:
    during a maintenance, and without the database, all mails are left for later.
    """
    try:
        if visit.context.maintenance() is not None:
            imap.examine(client, visit.place.folder)
            return False
        for folder in list(visit.folders):
            try:
                _look(visit, client, folder, wait)
            except IMAPClientAbortError:
                raise
            except IMAPClientError as error:
                if folder.is_inbox:
                    raise
                _log.warning("mailbox.folder_not_read", folder=folder.name, error=imap.said(error))
                visit.folders.remove(folder)
        _look_at_doubted(visit, client, wait)
    except SQLAlchemyError as error:
        _log.warning("mailbox.not_taken", error=reason_of(error))
        return False
    return True


def _look(visit: _Visit, client: IMAPClient, folder: _Folder, wait: WaitOrStop) -> None:
    """Takes what has come into a folder since the last look at it."""
    database, mailbox = visit.context.database, str(visit.place)
    opened = imap.examine(client, folder.name)
    if folder.uidvalidity != opened.uidvalidity:
        with database.write() as connection:
            next_uid = messages.next_uid(connection, mailbox, folder.name, opened.uidvalidity)
        folder.uidvalidity, folder.next_uid, folder.unmoved = opened.uidvalidity, next_uid, set()
        folder.doubted = visit.doubted.setdefault((folder.name, opened.uidvalidity), {})
    if opened.next_uid == folder.next_uid and not folder.unmoved:
        return
    for uids in imap.uids_from(client, folder.next_uid, opened):
        _read(visit, client, folder, [uid for uid in uids if uid not in folder.doubted])
        folder.next_uid = uids[-1] + 1
        _settle(visit, client, folder)
        if wait(0.0):
            return
    folder.next_uid = max(folder.next_uid, opened.next_uid)
    _settle(visit, client, folder)


def _look_at_doubted(visit: _Visit, client: IMAPClient, wait: WaitOrStop) -> None:
    """Tries one by one the mails that were not handed out, and opens the inbox again."""
    for folder in visit.folders:
        for uid in folder.waiting:
            if wait(0.0) or imap.examine(client, folder.name).uidvalidity != folder.uidvalidity:
                return
            _read(visit, client, folder, [uid])
            del folder.doubted[uid]
            _settle(visit, client, folder)
            imap.examine(client, visit.place.folder)


def _read(visit: _Visit, client: IMAPClient, folder: _Folder, uids: Sequence[int]) -> None:
    """Takes those of these mails that are for us. Raises ``MailboxFault``."""
    found = _handed_out(visit, folder, uids, partial(imap.headers_of, client, uids, FIELDS))
    for uid in sorted(uid for uid, header in found.items() if _may_be_ours(visit, folder, header)):
        if _taken(visit, client, folder, uid) and folder.name != visit.target:
            folder.unmoved.add(uid)


def _handed_out(visit: _Visit, folder: _Folder, uids: Sequence[int], fetch: Callable[[], Fetched]) -> Fetched:
    """What the server answers about these mails. Where it does not, all of them are doubted, and
    the next connection begins with the others, so that one mail costs no other. Raises
    ``MailboxFault``.
    """
    try:
        return fetch()
    except imap.FAULTS as error:
        which, said = "mails", imap.said(error)
        for uid in uids:
            folder.doubted.setdefault(uid, 0)
        if len(uids) == 1:
            which = f"mail {uids[0]}"
            folder.doubted[uids[0]] += 1
            if folder.doubted[uids[0]] == MOST_TRIES:
                _log.error("mailbox.mail_not_read", folder=folder.name, uid=uids[0], error=said)
        reason = f"{visit.place} does not hand out {which} of {folder.name}: it {said}."
        raise MailboxFault(MailboxTrouble.AWAY, reason) from error


def _may_be_ours(visit: _Visit, folder: _Folder, header: bytes) -> bool:
    return recipient_of(header, visit.keys.present(), visit.service, not folder.is_inbox) is not None or may_be_bounce(
        header, visit.service
    )


def _taken(visit: _Visit, client: IMAPClient, folder: _Folder, uid: int) -> bool:
    """Stores a mail, unless it is stored already or for others; it is committed when this returns.
    Returns whether it is ours.
    """
    fetch = partial(imap.mail_of, client, uid, MOST_BYTES + 1)  # one that is larger is answered as too large
    if (found := _handed_out(visit, folder, [uid], fetch)) is None:
        return False
    raw, received = found
    if (recipient := recipient_of(raw, visit.keys.present(), visit.service, not folder.is_inbox)) is None:
        return False
    rows, now = rows_of(visit.place.host, envelope_sender(raw), [recipient], raw), visit.context.clock()
    try:
        with visit.context.database.write() as connection:
            new = messages.add_unknown(connection, str(visit.place), rows, now, min(received, now))
    except (DataError, IntegrityError) as error:
        _log.error("mailbox.mail_not_stored", folder=folder.name, uid=uid, error=reason_of(error))
        return False
    if new:
        visit.context.queue.wake_messages()
        _log.info("mail.taken", recipients=1, size=len(raw), peer=visit.place.host)
    return True


def _settle(visit: _Visit, client: IMAPClient, folder: _Folder) -> None:
    """Moves what was stored, and then records how far the folder was looked through. Mails that
    another process is moving, or the server refuses to move, are looked for at the next look again.
    """
    context, mailbox = visit.context, str(visit.place)
    if folder.unmoved:
        with context.database.write() as connection:
            is_mine = messages.lease_folder(connection, mailbox, folder.name, visit.holder, context.clock())
        if is_mine:
            _move(visit, client, folder)
    reached = min([folder.next_uid, *folder.unmoved, *folder.waiting])
    with context.database.write() as connection:
        messages.advance_folder(connection, mailbox, folder.name, folder.uidvalidity, reached)
        messages.release_folder(connection, mailbox, folder.name, visit.holder)


def _move(visit: _Visit, client: IMAPClient, folder: _Folder) -> None:
    try:
        imap.put_away(client, folder.name, folder.uidvalidity, sorted(folder.unmoved), visit.target)
        folder.unmoved.clear()
    except IMAPClientAbortError:
        raise
    except IMAPClientError as error:
        if imap.EXPUNGED not in str(error):
            sentence = f"Mails are taken from {visit.place} but stay in {folder.name}: it {imap.said(error)}."
            visit.fault = MailboxFault(MailboxTrouble.NOT_MOVED, sentence)


def envelope_sender(raw: bytes) -> str:
    """The envelope sender of a mail that lies in a mailbox, empty for a bounce: as the provider has
    written it (RFC 5321, section 4.4), else the author.
    """
    header = headers.header_of(raw)
    returned = headers.raw_values(header, "Return-Path")
    return returned[0].strip().removeprefix("<").removesuffix(">") if returned else headers.sender(header) or ""


def _await_news(context: Context, client: IMAPClient, wait: WaitOrStop) -> None:
    """Waits until the server tells of something, or ``WAIT_SECONDS``, or the stop is requested."""
    if not client.has_capability("IDLE"):
        return _rest(context, wait, WAIT_SECONDS)
    client.idle()
    beaten, until = context.timer(), context.timer() + WAIT_SECONDS
    context.vitals.beat(LISTENERS)
    while not wait(0.0) and not imap.is_ready(client, STEP_SECONDS) and context.timer() < until:
        if context.timer() - beaten >= BEAT_SECONDS:
            beaten = context.timer()
            context.vitals.beat(LISTENERS)
    client.idle_done()
    return None


def _rest(context: Context, wait: WaitOrStop, seconds: float) -> None:
    """Waits so long, or until the stop is requested; the process is known to live meanwhile."""
    until = context.timer() + seconds
    while (left := until - context.timer()) > 0 and not wait(min(left, BEAT_SECONDS)):
        context.vitals.beat(LISTENERS)
