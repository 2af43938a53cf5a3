"""Replies of those who are asked to take a seat: ``yes`` signs up, where there is no account, and
takes the seat, with the nonce of a line ``random ...``. Where it is the seat of another, ``accept``
signs up and agrees.
"""

from __future__ import annotations

import re
from typing import Final

from sqlalchemy import Connection

from service.addresses import folded
from service.context import Context
from service.errors import Conflict, ServiceError
from service.events import gate
from service.inbox import answers, held, match_words, words_for_all
from service.inbox.answers import MailAnswer, author, refused
from service.inbox.mail import Mail, Result, ignored
from service.inbox.quoted_mails import sent_texts
from service.inbox.quoted_text import typed_lines
from service.inbox.words import Word
from service.matches.reporting import ReportedInvitation
from service.names import name_from
from service.offers import offering
from service.payloads import OrderHeld
from service.players import accounts
from service.statuses import OrderKind
from service.store import addresses, players, questions
from service.store.matches import StoredMatch
from service.store.outbox import NewNotice
from service.store.questions import StoredOffer
from service.texts import gettext as _

_NONCE: Final = re.compile(r"random:?\s+(\S+)", re.IGNORECASE)


def act(context: Context, mail: Mail, match: StoredMatch, seat: int) -> Result:
    """Acts on a reply to an invitation to a seat that nobody has."""
    key, invited = mail.key(f"{match.id} {seat}"), match.seats[seat].invited_email
    if invited is None or match.status != "open":
        if not mail.sender.is_proven:
            return ignored("not_invited")
        answer = MailAnswer("not_invited", _("This invitation does not stand any more."))
        return answers.write(context, mail, key, author(mail), answer)
    with context.database.read() as connection:
        player = players.by_address(connection, folded(invited))
    lines = typed_lines(mail.opened, sent_texts(context, None if player is None else player.id, invited, match.id))
    word = next(iter(match_words.before_the_start(lines)), None)
    if not mail.sender.is_proven:
        return _hold(context, mail, match, seat, word)
    if not _has_address(context, mail, folded(invited)):
        says = _("Only the address that is invited can answer, and this mail comes from another one.")
        answer = MailAnswer("stranger", _("Nothing was done."), (says,))
        return answers.write(context, mail, key, author(mail), answer)
    nonces = (found[1] for line in lines if (found := _NONCE.fullmatch(line.strip())) is not None)
    answer = _answer(context, mail, match, seat, word, next(nonces, None))
    return answers.write(context, mail, key, author(mail, match.id), answer)


def offered_by_mail(
    connection: Connection, mail: Mail, match: StoredMatch, seat: int, number: int
) -> StoredOffer | None:
    """The offer of that seat, with that number, if it is to whoever wrote the mail."""
    sender, offer = mail.sender, questions.numbered(connection, match.id, number)
    if not isinstance(offer, StoredOffer) or offer.seat != seat or not sender.is_proven:
        return None
    known = {sender.folded}
    if sender.player is not None:
        known |= addresses.confirmed(connection, sender.player)
    return offer if offer.address in known else None


def act_on_offer(context: Context, mail: Mail, match: StoredMatch, offer: StoredOffer) -> Result:
    """Acts on a reply to the offer of a seat."""
    to = author(mail, match.id)
    lines = typed_lines(mail.opened, sent_texts(context, to.player_id, offer.address, match.id))
    word = next((word.name for word in match_words.before_the_start(lines)), "")
    answer = _offer_answer(context, mail, match, offer, word)
    return answers.write(context, mail, mail.key(f"{match.id} {offer.seat} {offer.id}"), to, answer)


def _answer(
    context: Context, mail: Mail, match: StoredMatch, seat: int, word: Word | None, nonce: str | None
) -> MailAnswer:
    """What a word of the invited person is answered."""
    match None if word is None else word.name:
        case "yes" | "join":
            try:
                player = held.accept_invitation(context, match, seat, mail.name, nonce)
            except ServiceError as error:
                return refused(error, _("You have not taken the seat."))
            headline = _("You have taken your seat, {name}.").format(name=player.name)
            says = _("The match begins when all seats are taken; a mail tells you.")
            return MailAnswer("accepted", headline, (says,), acted=True)
        case "no":
            try:
                held.decline_invitation(context, match, seat)
            except ServiceError as error:
                return refused(error)
            return MailAnswer("declined", _("You have declined the invitation."), acted=True)
        case "report" if word is not None and mail.sender.player is not None:
            return match_words.report_answered(context, mail.sender.player, ReportedInvitation(match.id), word.rest)
        case "rules":
            assert word is not None
            return words_for_all.rules(Word("rules", word.rest or match.game))
        case _:
            says = _("Reply yes to take the seat or no to decline; rules sends you the rules.")
            return MailAnswer("unread", _("Nothing was done."), (says,), ("yes", "no", "rules"))


def _offer_answer(context: Context, mail: Mail, match: StoredMatch, offer: StoredOffer, word: str) -> MailAnswer:
    if word not in ("yes", "no"):
        says = _("Reply accept to take the seat over, or decline.")
        return MailAnswer("unread", _("Nothing was done."), (says,), ("accept", "decline"))
    assert offer.address is not None
    try:
        name, player = name_from(mail.name, offer.address), mail.sender.player
        if player is None and word == "yes":
            if offer.status != "open":  # who would only be refused is not signed up
                raise Conflict(offering.settled_words(offer.status), "offer_settled")
            player = accounts.sign_up_proven(context, name, offer.address)
        if player is None:
            offering.decline(context, match.id, offer.id)
        else:
            offering.answer(context, player, match.id, offer.id, accepts=word == "yes")
    except ServiceError as error:
        return refused(error)
    names = {"host": match.names[offer.seat], "name": name if player is None else player.name}
    if word == "no":
        headline = _("You have declined to take the seat of {host}, {name}.")
        return MailAnswer("declined", headline.format(**names), acted=True)
    headline = _("You have agreed to take the seat of {host}, {name}.")
    says = _("The others are asked whether they agree; a mail tells you when the seat is yours.")
    return MailAnswer("accepted", headline.format(**names), (says,), acted=True)


def _has_address(context: Context, mail: Mail, invited: str) -> bool:
    """Whether whoever wrote the mail has the invited address."""
    if mail.sender.folded == invited:
        return True
    if mail.sender.player is None:
        return False
    with context.database.read() as connection:
        return invited in addresses.confirmed(connection, mail.sender.player)


def _hold(context: Context, mail: Mail, match: StoredMatch, seat: int, word: Word | None) -> Result:
    """Asks the invited address for a word about a mail that nobody proved to come from it."""
    kinds: dict[str, OrderKind] = {"yes": "accept", "join": "accept", "no": "decline"}
    if word is None or word.name not in kinds:
        return ignored("unproven")
    kind, address = kinds[word.name], match.seats[seat].invited_email
    assert address is not None

    def notice(connection: Connection) -> str:
        order = held.hold(connection, context, kind, "unproven", match, seat, 0, (), mail.message_id)
        known = players.by_address(connection, folded(address))
        player_id = known.id if known is not None and known.confirmed_at is not None else None
        payload = OrderHeld(order.id, kind, seat)
        asked = NewNotice("unproven_turn", player_id, match.id, payload, None if player_id else address)
        return gate.write(connection, [asked], context.clock())[0]

    return answers.settle(context, mail.key(f"{match.id} {seat}"), folded(address), f"held_{kind}", (), notice)
