"""What each message is about, by the address that it was sent to."""

from __future__ import annotations

from service.context import Context
from service.inbox.act import act_on
from service.inbox.bounces import take_bounce
from service.inbox.results import Result
from service.reply_addresses import read_bounce_address
from service.signing import keys_of
from service.store.messages import Message


def dispatch(context: Context, message: Message) -> Result:
    """Does what a message says; doing it again has no further effect."""
    notice_id = read_bounce_address(keys_of(context), message.recipient.rpartition("@")[0])
    return act_on(context, message) if notice_id is None else take_bounce(context, message, notice_id)
