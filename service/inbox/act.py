"""Acts on a mail that came in, for the worker of incoming mails.

1. The mail is opened, within bounds (``service.inbox.bounds``). Nobody answers what programs, lists
   and mail servers wrote (RFC 3834), and mails that the relay calls forged.
2. Its recipient says what it is about, or what it answers does (``service.inbox.recipients``): the
   seat of a match, or nothing in particular.
3. Who wrote it decides what it may do (``service.inbox.mail``).
4. What it asks for is done by the same use cases as over the API, once, whatever ends this process
   meanwhile: a turn by its idempotency key, the rest in the transaction that stores the answer.
"""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256

import structlog

from service import links
from service.children import processor_time
from service.context import Context
from service.errors import ServiceError
from service.inbox import answers, replies, service_address
from service.inbox.answers import MailAnswer, author
from service.inbox.authenticate import is_written_by, sender_proof
from service.inbox.bounces import take_bounce
from service.inbox.bounds import PARSING_SECONDS, Beyond
from service.inbox.mail import Mail, Result, display_name, handled, ignored, sender_of
from service.inbox.mime import Malformed, open_message
from service.inbox.recipients import JOIN, recipient_of
from service.players import stopping
from service.players.suspending import why_suspended
from service.signing import keys_of
from service.store.messages import Message
from service.store.players import Player
from service.texts import gettext as _

_log = structlog.get_logger("service.inbox")


def dispatch(context: Context, message: Message) -> Result:
    """Does what a message says, by the address that it was sent to, or that it is about where that
    says nothing; once.
    """
    keys, settings = keys_of(context), context.settings
    if message.raw is not None and not links.is_signed_tag(keys, _tag(message.recipient)):
        service = links.service_address(settings.mail_from, settings.mail_addresses)
        about = recipient_of(message.raw, keys, service, signed_only=True)
        message = replace(message, recipient=about or message.recipient)
    notice_id = links.read_bounce_address(keys, message.recipient.rpartition("@")[0])
    return act_on(context, message) if notice_id is None else take_bounce(context, message, notice_id)


def act_on(context: Context, message: Message) -> Result:
    """Does what a mail asks for, and answers it, once. Raises where it has to be tried again."""
    if message.raw is None:
        return Result("kept", "emptied", "Only the key of this mail was kept.")
    try:
        with processor_time(PARSING_SECONDS):
            opened = open_message(message.raw)
            proof = sender_proof(message.raw, context.settings.trusted_relay, opened.from_address)
            if not is_written_by(message.raw, context.settings.trusted_relay):
                _log.info("message.without_results", message=message.id, trusted=context.settings.trusted_relay)
    except Beyond as error:
        return ignored("beyond", str(error))
    except Malformed as error:
        return Result("kept", "malformed", str(error))
    keys, local = keys_of(context), message.recipient.rpartition("@")[0]
    if not message.envelope_from or opened.is_report:
        return ignored("automatic")
    if (wanted := links.read_unsubscribe_address(keys, local)) is not None:
        return _stopped(context, wanted)
    if opened.auto_submitted or opened.is_list:
        return ignored("automatic")
    if proof == "failed":
        return ignored("forged")
    with context.database.read() as connection:
        sender = sender_of(connection, opened, proof)
    if not sender.folded:
        return ignored("nobody")
    if sender.player is None and sender.folded == str(links.service_address(context.settings.mail_from)).lower():
        return ignored("own")
    mail = Mail(opened, sender, message.digest, display_name(message.raw), message.received_at)
    if sender.player is not None and sender.player.suspended_at is not None:
        return _suspended(context, mail, sender.player)
    if opened.beyond:
        return _beyond(context, mail)
    to = links.read_reply_address(keys, local)
    if to is not None:
        return replies.act(context, mail, to)
    return service_address.act(context, mail, is_join=JOIN in (local.lower(), _tag(message.recipient)))


def _beyond(context: Context, mail: Mail) -> Result:
    """Answers a mail of which only the header was read, where a player wrote it for sure."""
    if not mail.sender.is_proven or mail.sender.player is None:
        return ignored("beyond", mail.opened.beyond)
    says = (mail.opened.beyond, _("Write a new mail, of plain text, without the mails before it."))
    answer = MailAnswer("beyond", _("Nothing was done: your mail is too large to be read."), says)
    return answers.write(context, mail, mail.key("beyond"), author(mail), answer)


def _suspended(context: Context, mail: Mail, player: Player) -> Result:
    """Answers a player who is suspended, once: the first mail that they wrote for sure."""
    if not mail.sender.is_proven:
        return ignored("suspended")
    key = sha256(f"suspended {player.id} {player.suspended_at}".encode()).hexdigest()
    answer = MailAnswer("suspended", _("Nothing was done."), (why_suspended(player),))
    return answers.write(context, mail, key, author(mail), answer)


def _stopped(context: Context, wanted: links.Unsubscribe) -> Result:
    """Stops mails, whoever asks for it (RFC 2369), also a program: the address is signed."""
    try:
        stopping.stop(context, wanted, one_click=False)
    except ServiceError as error:
        return ignored(error.code, str(error))
    return handled("stopped")


def _tag(address: str) -> str:
    return address.rpartition("@")[0].partition("+")[2].lower()
