"""What players ask each other by mail, and what they answer.

An offer is a word with what belongs to it, such as ``pause 7 days`` or ``extend``. A yes or a no is
bound to the question that the mail asked which it replies to, or whose number it names; to any
other mail it is a question itself: which one is meant.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import sha256
from typing import Final

from engine.wording import listed
from service.clocks.sentences import moment_words
from service.clocks.spans import instant
from service.errors import ServiceError, StalePly, Unavailable
from service.inbox import held
from service.inbox.answers import MailAnswer, SeatReply, refused
from service.inbox.mail import Result
from service.inbox.words import Word
from service.matches import lobby
from service.offers import offering, sentences
from service.offers.consent import asked_of, away_from
from service.offers.offering import Offer, Offers
from service.offers.settling import waiting_for
from service.players import preferences
from service.statuses import OfferKind
from service.store import players, questions, turns
from service.store.questions import HeldOrder, Question, StoredOffer
from service.texts import gettext as _

EXAMPLES: Final = ("pause 7 days", "pause 2 weeks", "extend")
_LENGTH: Final = re.compile(r"(?:for |of )?(\d{1,3}) (day|week)s?")


def answer(reply: SeatReply, word: Word) -> MailAnswer:
    """Makes an offer, takes one back, or ends a pause, and says what follows."""
    try:
        match word.name:
            case "pause":
                days = read_days(word.rest)
                if days is None:
                    return MailAnswer("pause", _("Nothing was offered."), (_("Write one of these:"),), EXAMPLES)
                return _made(reply, word, "pause", days)
            case "hand_over":
                if "@" not in word.rest:
                    says = _("Write whom you hand your seat to, by their address:")
                    example = "hand over to carl@example.org"
                    return MailAnswer("hand_over", _("Nothing was offered."), (says,), (example,))
                return _made(reply, word, "hand_over", email=word.rest.strip().strip("<>"))
            case "resume":
                until = _until(reply, offering.resume(reply.context, reply.player, reply.match.id))
                says = _("From {moment} on the clocks run again; the others are told.").format(moment=until)
                return MailAnswer("resume", _("You have ended the pause."), (says,))
            case "withdraw":
                return _withdrawn(reply, word)
            case "abandon" | "call_off" | "draw" | "end_match" | "extend":
                return _made(reply, word, "end" if word.name == "end_match" else word.name)
            case _:
                raise ValueError(f"{word.name} is no word about offers.")
    except ServiceError as error:
        return refused(error)


def waiting(reply: SeatReply) -> tuple[Question, ...]:
    """The questions that wait for the word of the seat."""
    with reply.context.database.read() as connection:
        return waiting_for(connection, reply.match, reply.seat, reply.context.clock())


def answer_question(reply: SeatReply, said: Sequence[Word]) -> MailAnswer | Result:
    """Does what a yes or a no says, which are the words ``said``."""
    numbers = {int(word.rest) if word.rest else reply.question for word in said}
    number, found = next(iter(numbers)), waiting(reply)
    if len(said) != 1 or number is None:
        return _which(reply, found)
    question = next((each for each in found if each.number == number), None)
    if question is None:
        return _closed(reply, number, found)
    if isinstance(question, StoredOffer):
        return _answer_offer(reply, question, said[0].name == "yes")
    return _answer_order(reply, question, said[0].name == "yes")


def read_days(rest: str) -> int | None:
    """The days that follow ``pause``; ``None`` where they cannot be read."""
    found = _LENGTH.fullmatch(" ".join(rest.lower().split()))
    return None if found is None else int(found[1]) * (7 if found[2] == "week" else 1)


def _made(reply: SeatReply, word: Word, kind: OfferKind, days: int = 1, email: str | None = None) -> MailAnswer:
    context, player, match_id = reply.context, reply.player, reply.match.id
    offer_id = sha256(f"offer {reply.key} {word.name}".encode()).hexdigest()[:16]  # the same, handled again
    offers = offering.offer(context, player, match_id, kind, days, offer_id=offer_id, email=email)
    offer = next(each for each in offers.items if each.kind == kind)
    what = _sentence(reply, offer, offer.away, offer.to or "")
    headline = _("In your name, {name}: {offer}").format(name=reply.player.name, offer=what)
    if offer.status != "open":
        return MailAnswer("offer", headline, (_("Nobody else had to be asked."), *_follows(reply, offers, offer)))
    asked = (_("They are asked by mail whether they take it, and then the others."),) if kind == "hand_over" else ()
    withdraw = _("Reply to this mail with withdraw to take it back.")
    return MailAnswer("offer", headline, (*asked, *_rule(reply, offer), withdraw), question=offer.number)


def _withdrawn(reply: SeatReply, word: Word) -> MailAnswer:
    """Takes back the player's offer that the mail is about or names, or the only one."""
    with reply.context.database.read() as connection:
        offers = questions.open_offers(connection, reply.match.id)
    own = [each for each in offers if each.seat == reply.seat]
    number = int(word.rest) if word.rest else reply.question
    found = [each for each in own if each.number == number] or (own if number is None and len(own) == 1 else [])
    if not found:
        headline = _("Nothing was taken back: say which offer.") if own else _("Nothing was taken back.")
        says = [f"withdraw {each.number}: {_stored_sentence(reply, each, '')}" for each in own]
        return MailAnswer("which", headline, tuple(says) or (_("No offer of yours is open."),))
    offering.withdraw(reply.context, reply.player, reply.match.id, found[0].id)
    headline = _("Taken back in your name, {name}: {offer}")
    what = _stored_sentence(reply, found[0], "")
    return MailAnswer("withdrawn", headline.format(name=reply.player.name, offer=what))


def _answer_offer(reply: SeatReply, offer: StoredOffer, accepts: bool) -> MailAnswer:
    """Accepts or declines an offer in the player's name."""
    try:
        offers = offering.answer(reply.context, reply.player, reply.match.id, offer.id, accepts)
    except ServiceError as error:
        return refused(error)
    now = next(each for each in offers.items if each.id == offer.id)
    name, what = reply.player.name, _stored_sentence(reply, offer, now.to or "")
    if not accepts:
        headline = _("Declined in your name, {name}: {offer}").format(name=name, offer=what)
        return MailAnswer("declined", headline, (_("Nothing follows from it; the others are told."),))
    headline = _("Accepted in your name, {name}: {offer}").format(name=name, offer=what)
    return MailAnswer("accepted", headline, _follows(reply, offers, now))


def _answer_order(reply: SeatReply, order: HeldOrder, accepts: bool) -> MailAnswer | Result:
    """Carries out the order that the player was asked about, or drops it."""
    context = reply.context
    if not accepts:
        return MailAnswer(
            "dropped",
            _("Dropped, nothing was done: {what}").format(what=_words_of(reply, order)),
            shows=("moves",),
            effects=(lambda connection: held.settle(connection, context, order, "declined"),),
        )
    effects = (lambda connection: held.settle(connection, context, order, "accepted"),)
    try:
        if order.kind == "turn":
            held.submit_turn(context, order, reply.player, in_reply_to=reply.mail.message_id)
            return reply.done("turn", effects)
        match = lobby.resign(context, reply.player, reply.match.id)
    except StalePly as error:
        headline, says = _("Nothing was played: the match has moved on since then."), _("Reply to this mail instead.")
        return MailAnswer("stale", headline, (says,), shows=("moves", "board"), since=error.ply)
    except Unavailable as error:
        return Result("later", error.code, str(error), error.retry_after)
    except ServiceError as error:
        return refused(error)
    headline = _("You have resigned from this match, {name}, for good.").format(name=reply.player.name)
    follows = _("A bot plays your seat from now on.")
    if match.status != "running":
        follows = _("The match is over with that: a mail has the result.")
    return MailAnswer("resigned", headline, (follows,), effects=effects)


def _which(reply: SeatReply, found: Sequence[Question]) -> MailAnswer:
    """Asks which of these is meant; a single one is answered by a reply to that."""
    if not found:
        return MailAnswer("nothing_asked", _("Nothing waits for your yes or no."), shows=("moves",))
    if len(found) == 1:
        headline = _("Is this what you mean? Nothing was done yet.")
        says = (_words_of(reply, found[0]), _("Reply to this mail with accept or decline."))
        return MailAnswer("which", headline, says, question=found[0].number)
    return MailAnswer("which", _("Which of these do you mean? Nothing was done yet."), _each(reply, found))


def _each(reply: SeatReply, found: Sequence[Question]) -> tuple[str, ...]:
    how = _("{question} Write accept {number}, or decline {number}.")
    return tuple(how.format(question=_words_of(reply, each), number=each.number) for each in found)


def _closed(reply: SeatReply, number: int, found: Sequence[Question]) -> MailAnswer:
    """What has become of a question that does not wait for the seat; and what does."""
    with reply.context.database.read() as connection:
        question = questions.numbered(connection, reply.match.id, number)
    if isinstance(question, HeldOrder) and question.status == "open" and _was_submitted(reply, question):
        return MailAnswer("again", _("This was done already."), is_silent=True)
    if question is None or reply.seat not in asked_of(reply.match, question):
        headline = _("Nothing was done: no question {number} is asked of you.").format(number=number)
        return MailAnswer("closed", headline, _each(reply, found), shows=("moves",))
    is_answered = isinstance(question, StoredOffer) and reply.seat in question.answers
    became = question.status if question.status != "open" or is_answered else "lapsed"
    why = offering.settled_words(became) or _("You have answered this already; it waits for others.")
    headline = _("Nothing was done. {why}").format(why=why)
    if became == "lapsed" and isinstance(question, HeldOrder):
        headline = _("Nothing was done: the match has moved on since you were asked, or two days have passed.")
    about = _("You were asked this: {question}").format(question=_words_of(reply, question))
    return MailAnswer("closed", headline, (about, *_each(reply, found)), shows=("moves",))


def _was_submitted(reply: SeatReply, order: HeldOrder) -> bool:
    """Whether the turn of an order was submitted before a process died."""
    with reply.context.database.read() as connection:
        return turns.by_key(connection, reply.player.id, held.key_of(order)) is not None


def _words_of(reply: SeatReply, question: Question) -> str:
    """What is asked, as a sentence."""
    name = reply.player.name
    if isinstance(question, StoredOffer):
        with reply.context.database.read() as connection:
            taker = None if question.taker_id is None else players.find(connection, question.taker_id)
        return _stored_sentence(reply, question, "" if taker is None else taker.name)
    if question.kind == "turn":
        lines = "; ".join(held.lines_of(reply.game, question))
        return _("This turn is to be played for {name}: {lines}.").format(name=name, lines=lines)
    return _("{name} is to resign, for good.").format(name=name)


def _stored_sentence(reply: SeatReply, offer: StoredOffer, to: str) -> str:
    """What an offer is, as a sentence; ``to`` is who is to have the seat, if that is known."""
    return _sentence(reply, offer, away_from(reply.match, offer), to)


def _sentence(reply: SeatReply, offer: StoredOffer | Offer, away: Sequence[int], to: str) -> str:
    names = reply.match.names
    whose = listed(names[seat] for seat in away) if offer.for_seat is None else names[offer.for_seat]
    return sentences.offer_words(offer.kind, offer.days, names[offer.seat], whose, to)


def _follows(reply: SeatReply, offers: Offers, offer: Offer) -> tuple[str, ...]:
    """What follows from an offer that the player has accepted or made."""
    names = reply.match.names
    if offer.status == "accepted":
        whose = "" if offer.for_seat is None else names[offer.for_seat]
        return sentences.agreed_words(offer.kind, names[offer.seat], whose, offer.to or "", _until(reply, offers))
    if offer.waits_for:
        waits = _("It waits for the word of {names}.").format(names=listed(names[seat] for seat in offer.waits_for))
        return (waits, *_rule(reply, offer))
    return (_("It takes effect when the turn is judged that was received before."),)


def _rule(reply: SeatReply, offer: Offer) -> tuple[str, ...]:
    zone, names = _zone(reply), reply.match.names
    until, ends = ("" if at is None else moment_words(instant(at), zone) for at in (offer.lapses_at, offer.ends_at))
    asked, away = ([names[seat] for seat in seats] for seats in (offer.waits_for, offer.away))
    return sentences.rule_words(offer.kind, asked, away, until, ends)


def _until(reply: SeatReply, offers: Offers) -> str:
    return "" if offers.paused_until is None else moment_words(instant(offers.paused_until), _zone(reply))


def _zone(reply: SeatReply) -> str:
    with reply.context.database.read() as connection:
        return preferences.effective(connection, reply.player.id).time_zone
