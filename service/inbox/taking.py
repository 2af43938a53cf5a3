"""Replies to the mail that asks somebody to take the seat of another: ``accept`` signs up, where
there is no account, and agrees; ``decline`` declines.
"""

from __future__ import annotations

from sqlalchemy import Connection

from service.context import Context
from service.errors import ServiceError
from service.inbox import answers, match_words
from service.inbox.answers import Answer, To
from service.inbox.conversations import sent_texts
from service.inbox.mail import Mail, Result
from service.inbox.orders import Words
from service.inbox.typed import typed_lines
from service.offers import offering
from service.players import accounts
from service.players.names import name_from
from service.reply_addresses import ReplyTo
from service.store import addresses
from service.store import questions as rows
from service.store.matches import StoredMatch
from service.store.questions import StoredOffer
from service.texts import gettext as _


def offered_by_mail(connection: Connection, mail: Mail, match: StoredMatch, to: ReplyTo) -> StoredOffer | None:
    """The offer of that seat that a mail answers, where whoever wrote it is to have the seat."""
    sender = mail.sender
    offer = None if to.question is None else rows.numbered(connection, match.id, to.question)
    if not isinstance(offer, StoredOffer) or offer.seat != to.seat or not sender.is_proven:
        return None
    known = {sender.folded}
    if sender.player is not None:
        known |= addresses.confirmed(connection, sender.player)
    return offer if offer.address in known else None


def act(context: Context, mail: Mail, match: StoredMatch, offer: StoredOffer) -> Result:
    """Acts on a reply to such an offer."""
    player = mail.sender.player
    known = sent_texts(context, None if player is None else player.id, offer.address, match.id)
    orders = match_words.before_the_start(typed_lines(mail.opened, known))
    word = orders.words[0].name if isinstance(orders, Words) else ""
    answer = _answer(context, mail, match, offer, word)
    to = To(mail.sender.address, mail.sender.folded, None if player is None else player.id, match.id)
    return answers.write(context, mail, mail.key(f"{match.id} {offer.seat} {offer.id}"), to, answer)


def _answer(context: Context, mail: Mail, match: StoredMatch, offer: StoredOffer, word: str) -> Answer:
    if word not in ("yes", "no"):
        says = _("Reply accept to take the seat over, or decline.")
        return Answer("unread", _("Nothing was done."), (says,), ("accept", "decline"))
    assert offer.address is not None
    try:
        player = mail.sender.player or accounts.sign_up_proven(
            context, name_from(mail.name, offer.address), offer.address
        )
        offering.answer(context, player, match.id, offer.id, accepts=word == "yes")
    except ServiceError as error:
        return Answer(error.code, _("Nothing was done."), (str(error),))
    if word == "no":
        headline = _("You have declined to take the seat of {host}, {name}.")
        return Answer("declined", headline.format(host=match.names[offer.seat], name=player.name), acted=True)
    headline = _("You have agreed to take the seat of {host}, {name}.")
    says = _("The others are asked whether they agree; a mail tells you when the seat is yours.")
    return Answer("accepted", headline.format(host=match.names[offer.seat], name=player.name), (says,), acted=True)
