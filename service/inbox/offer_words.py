"""The words of a mail about a match by which players make each other offers: ``pause 7 days``,
``extend``, ``accept``, ``decline``, ``resume``, ``offer draw``, ``end match``, ``call off``,
``hand over to carl@example.org``.
"""

from __future__ import annotations

import re
from hashlib import sha256
from typing import Final

from service.clocks.instants import instant
from service.clocks.sentences import moment_words
from service.errors import ServiceError
from service.inbox.answers import Answer
from service.inbox.hand import Hand
from service.inbox.words import Word
from service.offers import offering
from service.offers.sentences import agreed_words
from service.offers.types import Offer, Offers
from service.players import preferences
from service.store.offers import OfferKind
from service.texts import gettext as _

EXAMPLES: Final = ("pause 7 days", "pause 2 weeks", "extend")
_LENGTH: Final = re.compile(r"(?:for |of )?(\d{1,3}) (day|week)s?")


def answer(hand: Hand, word: Word) -> Answer:
    """Makes or answers an offer, and says what has become of it."""
    context, player, match_id = hand.context, hand.player, hand.match.id
    try:
        match word.name:
            case "pause":
                days = read_days(word.rest)
                if days is None:
                    return Answer("pause", _("Nothing was offered."), (_("Write one of these:"),), EXAMPLES)
                offers = offering.offer(context, player, match_id, "pause", days, offer_id=_id(hand, word))
                return _made(hand, offers, "pause")
            case "extend":
                offers = offering.offer(context, player, match_id, "extend", offer_id=_id(hand, word))
                return _made(hand, offers, "extend")
            case "draw" | "call_off" | "end_match":
                kind: OfferKind = "end" if word.name == "end_match" else word.name
                return _made(hand, offering.offer(context, player, match_id, kind, offer_id=_id(hand, word)), kind)
            case "hand_over":
                if "@" not in word.rest:
                    says = _("Write whom you hand your seat to, by their address:")
                    return Answer("hand_over", _("Nothing was offered."), (says,), ("hand over to carl@example.org",))
                email, offer_id = word.rest.strip().strip("<>"), _id(hand, word)
                offers = offering.offer(context, player, match_id, "hand_over", offer_id=offer_id, email=email)
                return _made(hand, offers, "hand_over")
            case "resume":
                return _resumed(hand, offering.resume(context, player, match_id))
            case _:
                offers = offering.answer(context, player, match_id, None, accepts=word.name == "yes")
                return _answered(hand, offers, accepts=word.name == "yes")
    except ServiceError as error:
        return Answer(error.code, _("Nothing was done."), (str(error),))


def read_days(rest: str) -> int | None:
    """The days that follow ``pause``; ``None`` where they cannot be read."""
    found = _LENGTH.fullmatch(" ".join(rest.lower().split()))
    return None if found is None else int(found[1]) * (7 if found[2] == "week" else 1)


def _id(hand: Hand, word: Word) -> str:
    """The id of the offer that a mail makes: the same however often the mail is handled."""
    return sha256(f"offer {hand.key} {word.name}".encode()).hexdigest()[:16]


def _made(hand: Hand, offers: Offers, kind: OfferKind) -> Answer:
    offer = next(each for each in offers.items if each.kind == kind)
    if offer.status != "open":
        return Answer("offer", _("It is agreed."), _agreed(hand, offers, offer))
    if kind == "hand_over":
        says = _("They are asked by mail whether they take it, and then the others. It lapses after 14 days.")
        return Answer("offer", _("Your offer was made."), (says,))
    waits = ", ".join(hand.match.names[seat] for seat in offer.waits_for)
    says = _("It waits for the answer of {names}, and lapses after 14 days.").format(names=waits)
    return Answer("offer", _("Your offer was made."), (says,))


def _answered(hand: Hand, offers: Offers, accepts: bool) -> Answer:
    if not accepts:
        return Answer("declined", _("You have declined the offer."))
    settled = [offer for offer in offers.items if offer.status == "accepted" and hand.seat in offer.accepted_by]
    if settled and settled[0].settled_at is not None and settled[0].settled_at >= hand.context.clock():
        return Answer("accepted", _("You have accepted the offer."), _agreed(hand, offers, settled[0]))
    return Answer("accepted", _("You have accepted the offer; it waits for others."))


def _agreed(hand: Hand, offers: Offers, offer: Offer) -> tuple[str, ...]:
    whose = "" if offer.for_seat is None else hand.match.names[offer.for_seat]
    by = hand.match.names[offer.seat]
    return agreed_words(offer.kind, by, whose, offer.to or "", _until(hand, offers))


def _resumed(hand: Hand, offers: Offers) -> Answer:
    until = _until(hand, offers)
    says = _("From {moment} on the clocks run again; the others are told.").format(moment=until)
    return Answer("resume", _("You have ended the pause."), (says,))


def _until(hand: Hand, offers: Offers) -> str:
    if offers.paused_until is None:
        return ""
    with hand.context.database.read() as connection:
        zone = preferences.effective(connection, hand.player.id).time_zone
    return moment_words(instant(offers.paused_until), zone)
