"""`overland check --mail ADDRESS` sends a test mail and says what becomes of it; `overland check
--received FILE` says what the receiver's mail server found out about one.

A bounce of the test mail, and a reply to it, come to a bounce address of a notice that does not
exist: the service takes them in as any other mail, and does nothing with them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from imapclient import IMAPClient

from service.commands.surroundings import SET_CLOCK, Gravity, Remark, caution, good, mail_advice, problem
from service.context import Context
from service.inbox import imap
from service.inbox.authenticate import is_written_by, proposed_relay, sender_proof
from service.inbox.bounces import Bounce, read_bounce
from service.inbox.bounds import Beyond
from service.inbox.headers import header_of, message_ids, sender
from service.inbox.receiver import ReceivedMail, domain_of, read_received
from service.links import bounce_address, bounce_tag, message_name, service_address
from service.notices.mail.errors import TransportError
from service.notices.mail.message import Letter, build
from service.notices.mail.transport import FolderTransport
from service.setting_values import is_mailbox, mailbox_place
from service.signing import keys_of
from service.store import heartbeats, messages
from service.store.messages import Message

POLL_SECONDS: Final = 2.0
CLOCK_AHEAD: Final = timedelta(seconds=5)
"""More than the second to which mail servers stamp, and less than what matters."""
CLOCK_BEHIND: Final = timedelta(minutes=10)
"""A mail server may have the mail later than it was written, but hardly by so much."""
_LOOKED_AT: Final = ("From", "Date", "Received", "Authentication-Results")
SUBJECT: Final = "Test mail of Overland"
TEXT: Final = """\
This is the test mail of `overland check --mail`, for whoever runs this Overland.

1. Reply to it with any word, from an address at another provider than that of the service where you
   have one. The command then shows that mails come in, and what your provider writes about their
   senders.
2. Save its source to a file ("Show original", "View source", "Save as"), and run
   overland check --received FILE
   It says what your provider found out about the mails of this service.
"""


def send_and_watch(
    context: Context, address: str, seconds: float, sleep: Callable[[float], object]
) -> Iterator[Remark]:
    """Sends a test mail to an address, and says what becomes of it within so many seconds."""
    keys, check_id = keys_of(context), context.entropy.random_bytes(16).hex()
    service = service_address(context.settings.mail_from, context.settings.mail_addresses)
    own, tagged = bounce_address(keys, service, check_id), service.tagged(bounce_tag(keys, check_id))
    began = context.clock()
    letter = Letter(
        check_id,
        message_name(keys, check_id, None),
        "check",
        context.settings.mail_from,
        "",
        address,
        began,
        SUBJECT,
        TEXT,
        "",
        envelope_sender=own,
        reply_to=own,
    )
    message = build(letter)
    try:
        answered = context.transport.send(message)
    except TransportError as error:
        yield problem(f"The test mail was not taken: {error}{mail_advice(str(error))}")
        return
    if isinstance(context.transport, FolderTransport):
        yield caution(f"Nothing was sent: OVERLAND_MAIL_URL is a folder. The test mail is {answered}.")
        return
    yield good(f'Sent to {address}. The mail server answered "{answered}": it took the mail.')
    sent = _TestMail(str(message["Message-ID"]), tagged, began)
    is_own = address.casefold() == str(service).casefold() and is_mailbox(context.settings.mail_in)
    yield from (_looked_for if is_own else _watched)(context, sent, seconds, sleep)


@dataclass(frozen=True, slots=True)
class _TestMail:
    """What the test mail, a reply to it and its bounce are known by."""

    message_id: str
    own: str
    at: datetime

    def is_meant(self, message: Message) -> bool:
        return message.recipient.casefold() == self.own.casefold() or self.message_id.encode() in (message.raw or b"")


def _watched(context: Context, sent: _TestMail, seconds: float, sleep: Callable[[float], object]) -> Iterator[Remark]:
    if reason := _nobody_takes(context):
        yield caution(f"{reason} Look into the mailbox, also under spam, and see `--received`.")
        return
    minutes = f"{seconds / 60:.0f} minutes" if seconds >= 120 else f"{seconds:.0f} seconds"
    yield good(
        f"Waiting {minutes} for a bounce or a reply; Ctrl-C ends that. Look into the mailbox, also under spam, and do"
        " what the mail says."
    )
    seen: set[str] = set()
    deadline = context.timer() + seconds
    while True:
        with context.database.read() as connection:
            # A mailbox says when a mail came, to the second and by the clock of its provider.
            since = messages.since(connection, sent.at - CLOCK_BEHIND, seen)
            found = [each for each in since if sent.is_meant(each)]
            seen.update(each.id for each in found)
        for each in found:
            after = f"after {max(0.0, (each.received_at - sent.at).total_seconds()):.0f} s"
            remarks, is_end = _of_message(context, sent, each, after)
            yield from remarks
            if is_end:
                return
        if context.timer() >= deadline:
            break
        sleep(min(POLL_SECONDS, max(0.0, deadline - context.timer())))
    yield caution(f"No bounce and no reply came in within {minutes}: it is either there, or still on its way.")


def _looked_for(
    context: Context, sent: _TestMail, seconds: float, sleep: Callable[[float], object]
) -> Iterator[Remark]:
    """Looks for the test mail in the own mailbox of the service, where mails of ours are left
    alone; also while the service does not run.
    """
    place, deadline = mailbox_place(context.settings.mail_in), context.timer() + seconds
    try:
        with imap.logged_in(place) as client:
            junk = imap.junk_folder(client, place.folder)
            while True:
                for folder in (place.folder, junk):
                    if folder and (header := _header_in(client, folder, sent.message_id)) is not None:
                        is_junk = folder == junk
                        yield Remark(
                            "caution" if is_junk else "good",
                            f"It arrived in the mailbox of the service, in the folder {folder}"
                            f"{', which is that of junk: so may the mails to players' if is_junk else ''}.",
                        )
                        yield from of_received(context.settings.mail_from, header)
                        return
                if context.timer() >= deadline:
                    break
                sleep(min(POLL_SECONDS, max(0.0, deadline - context.timer())))
    except imap.MailboxFault as fault:
        yield problem(f"The mailbox cannot be looked into: {fault}")
        return
    yield caution(f"It has not arrived in the mailbox of the service within {seconds:.0f} seconds.")


def _header_in(client: IMAPClient, folder: str, message_id: str) -> bytes | None:
    """What is looked at of the header of a mail, where it is in that folder."""
    imap.examine(client, folder)
    found = client.search(["HEADER", "Message-ID", message_id])
    return imap.headers_of(client, found[:1], _LOOKED_AT).get(found[0]) if found else None


def _nobody_takes(context: Context) -> str:
    """Why no bounce and no reply would be seen; empty where they are."""
    if not context.settings.mail_in:
        return "No mail comes in here (OVERLAND_MAIL_IN is off), so neither a bounce nor a reply is seen."
    with context.database.read() as connection:
        latest = heartbeats.latest(connection)
    if latest is None or context.clock() - latest > heartbeats.OUTAGE_AFTER:
        return "The service does not run, so no mail is taken in: start it, and send another test mail."
    return ""


def _of_message(context: Context, sent: _TestMail, message: Message, after: str) -> tuple[list[Remark], bool]:
    """What is said of a mail that came in, and whether nothing else is waited for."""
    raw = message.raw or b""
    if sent.message_id.strip("<>") in message_ids(header_of(raw), "Message-ID"):
        arrived = good(f"It arrived {after}, in the mailbox of the service itself.")
        return [arrived, *of_received(context.settings.mail_from, raw)], True
    try:
        bounce = read_bounce(raw)
    except Beyond:
        bounce = Bounce("none")
    if bounce.hardness == "none":
        return [good(f"A reply came in {after}: mails reach the service."), *_of_reply(context, raw)], True
    if bounce.hardness == "delayed":
        return [caution(f"It is delayed, says a mail server {after}: {bounce.reason}")], False
    return [problem(f"It came back {after}: {bounce.reason}")], True


def _of_reply(context: Context, raw: bytes) -> Iterator[Remark]:
    """What the reply tells of the provider that takes our mails in."""
    trusted, proposed = context.settings.trusted_relay, proposed_relay(raw)
    author = sender(header_of(raw)) or "its sender"
    if trusted and is_written_by(raw, trusted):
        if sender_proof(raw, trusted) == "aligned":
            yield good(f"{trusted} says that it is from {author}: what is sent from there plays at once.")
        else:
            yield caution(
                f"{trusted} does not say that it is from {author}: a reply from there plays once its sender has pressed"
                " a button on a page."
            )
        return
    if proposed is None or proposed == trusted:
        yield caution(
            "Your mail provider wrote nothing about its sender (no Authentication-Results), as some do for mails of"
            " their own customers: reply from another provider to be sure. Where it never does, every player confirms"
            " on a page what they play by mail."
        )
        return
    instead = f", instead of {trusted}" if trusted else ""
    topmost = read_received(raw).results
    shown = ", ".join(f"{each.method}={each.result}" for each in topmost) or "no results"
    yield caution(
        f'On top of it stands "Authentication-Results: {proposed}" with {shown}. If that is the name of the mail'
        f" provider of the service, and the reply came from another provider, set OVERLAND_TRUSTED_RELAY={proposed}"
        f"{instead}, and start the service again: then replies play at once. A name that you do not know may have been"
        " written by the sender: do not set it."
    )


def of_received(mail_from: str, raw: bytes) -> Iterator[Remark]:
    """What a receiver found out about a mail of ours, by the source of the mail there."""
    received, own = read_received(raw), str(service_address(mail_from))
    if not raw.strip() or received.sender.casefold() != own.casefold():
        yield problem(
            f"This is not the source of a mail from {own}{f', but from {received.sender}' if received.sender else ''}."
            ' Save the mail that was received, with its whole header: "Show original", "View source" or "Save as".'
        )
        return
    yield from _clock(received)
    if not received.results:
        yield caution(
            "The receiver wrote no results (Authentication-Results) of SPF, DKIM and DMARC, so it does not tell what it"
            " found. Send a test mail to an address at another provider."
        )
        return
    yield good(f"What {received.host or 'the receiver'} found out:")
    for method in ("spf", "dkim", "dmarc"):
        found = received.of(method)
        if found is not None and received.is_for_sender(found):
            yield good(f"{method.upper()}: pass, for {received.domain}.")
            continue
        result, whose = ("none", "") if found is None else (found.result, domain_of(found))
        advice = _ELSEWHERE if result == "pass" else _UNPROVEN
        gravity: Gravity = "problem" if result in ("fail", "permerror") else "caution"
        sentence = advice[method].format(domain=received.domain, whose=whose or "another domain")
        if method == "dkim" and result not in ("pass", "none"):
            sentence = _BROKEN.format(domain=received.domain)
        yield Remark(gravity, f"{method.upper()}: {result}{f', for {whose}' if whose else ''}. {sentence}")


_UNPROVEN: Final = {
    "spf": "Name the mail server that sends in the TXT record of {domain} that begins with v=spf1: the help of your"
    " mail provider says how.",
    "dkim": "The mail is not signed. Switch on DKIM at your mail provider, or in your mail server, and publish its key"
    " in the DNS of {domain}.",
    "dmarc": "Without it large providers take mails for spam. Once SPF or DKIM passes for {domain}, have a TXT record"
    " of _dmarc.{domain} say v=DMARC1; p=none.",
}
_ELSEWHERE: Final = {
    "spf": "That proves {whose}, not {domain}, from which the mails are: DKIM has to prove that.",
    "dkim": "It is signed for {whose}, not for {domain}: have your mail provider sign for {domain}.",
    "dmarc": "That is about {whose}, not about {domain}, from which the mails are.",
}
_BROKEN: Final = (
    "The signature does not fit: the mail was changed on its way, or the DNS of {domain} has another key than the one"
    " that signs. Publish the key again."
)
"""What to do, by method: where nothing passed, where it passed for another domain, and where a
signature is wrong.
"""


def _clock(received: ReceivedMail) -> Iterator[Remark]:
    """A caution where the time in the mail is not that of the first mail server that had it."""
    ahead = received.clock_ahead
    if ahead is None or -CLOCK_BEHIND <= ahead <= CLOCK_AHEAD:
        return
    apart, which = (ahead, "ahead of") if ahead > timedelta(0) else (-ahead, "behind")
    yield caution(
        f"The clock of this machine was {apart.total_seconds():.0f} seconds {which} that of the mail server"
        f"{'' if ahead > timedelta(0) else ', or the mail waited so long'}: {SET_CLOCK}"
    )
