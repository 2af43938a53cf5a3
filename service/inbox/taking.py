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
from service.inbox.mail import Mail
from service.inbox.orders import Words
from service.inbox.results import Result
from service.inbox.typed import typed_lines
from service.offers import offering
from service.players import accounts
from service.players.names import name_from
from service.store import addresses
from service.store import offers as rows
from service.store.matches import StoredMatch
from service.store.offers import StoredOffer
from service.texts import gettext as _


def offered_by_mail(connection: Connection, mail: Mail, match: StoredMatch, seat: int) -> StoredOffer | None:
    """The open offer by which whoever wrote a mail is to have that seat, where that is proven."""
    sender = mail.sender
    if not sender.is_proven:
        return None
    known = {sender.folded}
    if sender.player is not None:
        known |= addresses.confirmed(connection, sender.player)
    found = (each for each in rows.open_ones(connection, match.id) if each.kind == "hand_over" and each.seat == seat)
    return next((each for each in found if each.address in known), None)


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
        return Answer("declined", _("You have declined the offer."), acted=True)
    says = _("The others are asked whether they agree; a mail tells you when the seat is yours.")
    return Answer(
        "accepted", _("You have agreed to take the seat, {name}.").format(name=player.name), (says,), acted=True
    )
