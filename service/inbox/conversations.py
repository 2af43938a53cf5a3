"""The texts of the mails that we sent in a conversation: what a reply to one of them may quote.

A mail is composed again, which gives the same text however late it is done.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import structlog

from service.context import Composing
from service.errors import ServiceError
from service.notices.mail.compose import compose
from service.notices.mail.errors import NoticeError
from service.store import outbox
from service.store.outbox import Notice

MOST_TEXTS: Final = 8
_NOTICE: Final = re.compile(r"notice-([0-9a-f]{32})(?:-\d+)?@.*")
"""The Message-ID of a mail of ours (``service.notices.mail.message``)."""
_log = structlog.get_logger("service.inbox")


def sent_texts(
    context: Composing, references: Sequence[str], player_id: str | None, address: str | None, match_id: str | None
) -> tuple[str, ...]:
    """The texts of up to ``MOST_TEXTS`` mails to a player, or to an address that is nobody's: those
    that the reply names among its ``references``, without angle brackets, and the newest.
    """
    named = [ours[1] for each in references if (ours := _NOTICE.fullmatch(each)) is not None]
    with context.database.read() as connection:
        found = outbox.sent_to(connection, player_id, address, match_id, named[-MOST_TEXTS:], MOST_TEXTS)
    return tuple(text for notice in found if (text := _text(context, notice)))


def _text(context: Composing, notice: Notice) -> str:
    """The text of a mail; empty where it cannot be composed any more."""
    try:
        return compose(context, notice, pictured=False).letter.text
    except (NoticeError, ServiceError) as error:
        _log.warning("message.without_sent_text", notice=notice.id, kind=notice.kind, error=str(error))
        return ""
