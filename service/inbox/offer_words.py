"""The words of a mail about a match by which players make each other offers: ``pause 7 days``,
``extend``, ``resume``, ``offer draw``, ``end match``, ``call off``, ``end as abandoned``, ``hand
over to carl@example.org``, ``withdraw``. They are answered by ``service.inbox.answering``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import sha256
from typing import Final

from engine.wording import listed
from service.clocks.sentences import moment_words
from service.clocks.spans import instant
from service.errors import ServiceError
from service.inbox.answers import Answer
from service.inbox.hand import Hand
from service.inbox.words import Word
from service.offers import offering
from service.offers.consent import away_from
from service.offers.sentences import agreed_words, offer_words, rule_words
from service.offers.types import Offer, Offers
from service.players import preferences
from service.statuses import OfferKind
from service.store import questions
from service.store.questions import StoredOffer
from service.texts import gettext as _

EXAMPLES: Final = ("pause 7 days", "pause 2 weeks", "extend")
_LENGTH: Final = re.compile(r"(?:for |of )?(\d{1,3}) (day|week)s?")


def answer(hand: Hand, word: Word) -> Answer:
    """Makes an offer, takes one back, or ends a pause, and says what follows."""
    context, player, match_id = hand.context, hand.player, hand.match.id
    try:
        match word.name:
            case "pause":
                days = read_days(word.rest)
                if days is None:
                    return Answer("pause", _("Nothing was offered."), (_("Write one of these:"),), EXAMPLES)
                offers = offering.offer(context, player, match_id, "pause", days, offer_id=_id(hand, word))
                return _made(hand, offers, "pause")
            case "hand_over":
                if "@" not in word.rest:
                    says = _("Write whom you hand your seat to, by their address:")
                    return Answer("hand_over", _("Nothing was offered."), (says,), ("hand over to carl@example.org",))
                email, offer_id = word.rest.strip().strip("<>"), _id(hand, word)
                offers = offering.offer(context, player, match_id, "hand_over", offer_id=offer_id, email=email)
                return _made(hand, offers, "hand_over")
            case "resume":
                return _resumed(hand, offering.resume(context, player, match_id))
            case "withdraw":
                return _withdrawn(hand, word)
            case "abandon" | "call_off" | "draw" | "end_match" | "extend":
                kind: OfferKind = "end" if word.name == "end_match" else word.name
                return _made(hand, offering.offer(context, player, match_id, kind, offer_id=_id(hand, word)), kind)
            case _:
                raise ValueError(f"{word.name} is no word about offers.")
    except ServiceError as error:
        return Answer(error.code, _("Nothing was done."), (str(error),))


def answer_offer(hand: Hand, offer: StoredOffer, accepts: bool) -> Answer:
    """Accepts or declines an offer in the player's name."""
    try:
        offers = offering.answer(hand.context, hand.player, hand.match.id, offer.id, accepts)
    except ServiceError as error:
        return Answer(error.code, _("Nothing was done."), (str(error),))
    now = next(each for each in offers.items if each.id == offer.id)
    name, what = hand.player.name, sentence_of(hand, offer, now.to or "")
    if not accepts:
        headline = _("Declined in your name, {name}: {offer}").format(name=name, offer=what)
        return Answer("declined", headline, (_("Nothing follows from it; the others are told."),))
    headline = _("Accepted in your name, {name}: {offer}").format(name=name, offer=what)
    return Answer("accepted", headline, _follows(hand, offers, now))


def sentence_of(hand: Hand, offer: StoredOffer, to: str) -> str:
    """What an offer is, as a sentence; ``to`` is who is to have the seat, if that is known."""
    return _sentence(hand, offer, away_from(hand.match, offer), to)


def read_days(rest: str) -> int | None:
    """The days that follow ``pause``; ``None`` where they cannot be read."""
    found = _LENGTH.fullmatch(" ".join(rest.lower().split()))
    return None if found is None else int(found[1]) * (7 if found[2] == "week" else 1)


def _id(hand: Hand, word: Word) -> str:
    """The id of the offer that a mail makes: the same however often the mail is handled."""
    return sha256(f"offer {hand.key} {word.name}".encode()).hexdigest()[:16]


def _made(hand: Hand, offers: Offers, kind: OfferKind) -> Answer:
    offer = next(each for each in offers.items if each.kind == kind)
    headline = _("In your name, {name}: {offer}").format(
        name=hand.player.name, offer=_sentence(hand, offer, offer.away, offer.to or "")
    )
    if offer.status != "open":
        return Answer("offer", headline, (_("Nobody else had to be asked."), *_follows(hand, offers, offer)))
    withdraw = _("Reply to this mail with withdraw to take it back.")
    if kind == "hand_over":
        says = _("They are asked by mail whether they take it, and then the others.")
        return Answer("offer", headline, (says, *_rule(hand, offer), withdraw), question=offer.number)
    return Answer("offer", headline, (*_rule(hand, offer), withdraw), question=offer.number)


def _withdrawn(hand: Hand, word: Word) -> Answer:
    """Takes back the player's offer that the mail is about or names, or the only one."""
    with hand.context.database.read() as connection:
        offers = questions.open_offers(connection, hand.match.id)
    own = [each for each in offers if each.seat == hand.seat]
    number = int(word.rest) if word.rest else hand.question
    found = [each for each in own if each.number == number] or (own if number is None and len(own) == 1 else [])
    if not found:
        headline = _("Nothing was taken back: say which offer.") if own else _("Nothing was taken back.")
        says = [f"withdraw {each.number}: {sentence_of(hand, each, '')}" for each in own]
        return Answer("which", headline, tuple(says) or (_("No offer of yours is open."),))
    offering.withdraw(hand.context, hand.player, hand.match.id, found[0].id)
    headline = _("Taken back in your name, {name}: {offer}")
    return Answer("withdrawn", headline.format(name=hand.player.name, offer=sentence_of(hand, found[0], "")))


def _follows(hand: Hand, offers: Offers, offer: Offer) -> tuple[str, ...]:
    """What follows from an offer that the player has accepted or made."""
    names = hand.match.names
    if offer.status == "accepted":
        whose = "" if offer.for_seat is None else names[offer.for_seat]
        return agreed_words(offer.kind, names[offer.seat], whose, offer.to or "", _until(hand, offers))
    if offer.waits_for:
        waits = _("It waits for the word of {names}.").format(names=listed(names[seat] for seat in offer.waits_for))
        return (waits, *_rule(hand, offer))
    return (_("It takes effect when the turn is judged that was received before."),)


def _rule(hand: Hand, offer: Offer) -> tuple[str, ...]:
    zone, names = _zone(hand), hand.match.names
    until, ends = ("" if at is None else moment_words(instant(at), zone) for at in (offer.lapses_at, offer.ends_at))
    asked, away = ([names[seat] for seat in seats] for seats in (offer.waits_for, offer.away))
    return rule_words(offer.kind, asked, away, until, ends)


def _sentence(hand: Hand, offer: StoredOffer | Offer, away: Sequence[int], to: str) -> str:
    names = hand.match.names
    whose = listed(names[seat] for seat in away) if offer.for_seat is None else names[offer.for_seat]
    return offer_words(offer.kind, offer.days, names[offer.seat], whose, to)


def _resumed(hand: Hand, offers: Offers) -> Answer:
    until = _until(hand, offers)
    says = _("From {moment} on the clocks run again; the others are told.").format(moment=until)
    return Answer("resume", _("You have ended the pause."), (says,))


def _until(hand: Hand, offers: Offers) -> str:
    return "" if offers.paused_until is None else moment_words(instant(offers.paused_until), _zone(hand))


def _zone(hand: Hand) -> str:
    with hand.context.database.read() as connection:
        return preferences.effective(connection, hand.player.id).time_zone
