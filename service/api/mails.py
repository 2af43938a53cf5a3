"""The mails that you were written, and what became of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from engine.documents import About
from service.api.auth import Caller
from service.api.operations import Answer, operation, resource
from service.api.paging import NextPage, PageQuerySchema, after_field, page
from service.api.requests import context
from service.notices import mails
from service.notices.mails import MailToPlayer


@dataclass(frozen=True, slots=True)
class MailPage:
    """A page of mails."""

    items: Annotated[tuple[MailToPlayer, ...], About("The mails, newest first.")]
    next: NextPage


class MailsQuerySchema(PageQuerySchema):
    """Which mails are listed."""

    after = after_field("mail")


blueprint = resource("mails", "The mails that you were written.")


@operation(
    blueprint,
    "GET /me/mails",
    Answer(MailPage, "A page of mails.", headers=("Link",)),
    scope="read",
    query=MailsQuerySchema,
)
def list_mails(caller: Caller, query: dict[str, Any]) -> Any:
    """List the mails that you were written, newest first, with what became of each.

    Mails that were sent long ago may be left out, as the host has set.
    """
    found = mails.mails_of(context(), caller, query["limit"] + 1, query["after"])
    return page(MailPage, found, query["limit"], lambda mail: mail.id)


@operation(
    blueprint,
    "POST /me/mails/<id:mail>/send",
    Answer(MailToPlayer, "It is sent again.", 202),
    scope="account",
    problems="mail_not_found mail_waits mail_not_kept",
)
def send_mail_again(caller: Caller, mail: str) -> Any:
    """Have a mail sent to you again, at most five a day.

    It is the same mail, with the same Message-ID. A mail with a token cannot be sent again, because
    the token is not kept.
    """
    return mails.send_again(context(), caller, mail)
