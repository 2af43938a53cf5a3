"""Answers to questions: a yes or a no is bound to the question that the mail asked which it
replies to, or whose number it names. To any other mail it is a question itself: which one is
meant.
"""

from __future__ import annotations

from collections.abc import Sequence

from service.errors import ServiceError, StalePly, Unavailable
from service.inbox import held, offer_words, releasing
from service.inbox.answers import Answer
from service.inbox.hand import Hand
from service.inbox.held import Order
from service.inbox.mail import Result
from service.inbox.words import Word
from service.matches import lobby
from service.offers.consent import asked_of
from service.offers.offering import settled_words
from service.offers.settling import waiting_for
from service.store import players, turns
from service.store import questions as rows
from service.store.questions import HeldOrder, Question, StoredOffer
from service.texts import gettext as _


def waiting(hand: Hand) -> tuple[Question, ...]:
    """The questions that wait for the word of the seat."""
    with hand.context.database.read() as connection:
        return waiting_for(connection, hand.match, hand.seat, hand.context.clock())


def answer(hand: Hand, said: Sequence[Word]) -> Answer | Result:
    """Does what a yes or a no says, which are the words ``said``."""
    numbers = {int(word.rest) if word.rest else hand.question for word in said}
    number, found = next(iter(numbers)), waiting(hand)
    if len(said) != 1 or number is None:
        return _which(hand, found)
    question = next((each for each in found if each.number == number), None)
    if question is None:
        return _closed(hand, number, found)
    accepts = said[0].name == "yes"
    if isinstance(question, StoredOffer):
        return offer_words.answer_offer(hand, question, accepts)
    return _order(hand, question, accepts)


def words_of(hand: Hand, question: Question) -> str:
    """What is asked, as a sentence."""
    if isinstance(question, StoredOffer):
        with hand.context.database.read() as connection:
            taker = None if question.taker_id is None else players.find(connection, question.taker_id)
        return offer_words.sentence_of(hand, question, "" if taker is None else taker.name)
    if question.kind == "turn":
        lines = "; ".join(held.lines_of(hand.game, question))
        return _("This turn is to be played for {name}: {lines}.").format(name=hand.player.name, lines=lines)
    return _("{name} is to resign, for good.").format(name=hand.player.name)


def _which(hand: Hand, found: Sequence[Question]) -> Answer:
    """Asks which of these is meant; a single one is answered by a reply to that."""
    if not found:
        return Answer("nothing_asked", _("Nothing waits for your yes or no."), shows=("moves",))
    if len(found) == 1:
        headline = _("Is this what you mean? Nothing was done yet.")
        says = (words_of(hand, found[0]), _("Reply to this mail with accept or decline."))
        return Answer("which", headline, says, question=found[0].number)
    return Answer("which", _("Which of these do you mean? Nothing was done yet."), _each(hand, found))


def _each(hand: Hand, found: Sequence[Question]) -> tuple[str, ...]:
    how = _("{question} Write accept {number}, or decline {number}.")
    return tuple(how.format(question=words_of(hand, each), number=each.number) for each in found)


def _closed(hand: Hand, number: int, found: Sequence[Question]) -> Answer:
    """What has become of a question that does not wait for the seat; and what does."""
    with hand.context.database.read() as connection:
        question = rows.numbered(connection, hand.match.id, number)
    if isinstance(question, HeldOrder) and question.seat == hand.seat and _was_submitted(hand, question):
        return Answer("again", _("This was done already."), is_silent=True)
    if question is None or hand.seat not in asked_of(hand.match, question):
        headline = _("Nothing was done: no question {number} is asked of you.").format(number=number)
    else:
        became = question.status if question.status != "open" or _is_answered(hand, question) else "lapsed"
        why = settled_words(became) or _("You have answered this already; it waits for others.")
        headline = _("Nothing was done. {why}").format(why=why)
        if became == "lapsed" and isinstance(question, HeldOrder):
            headline = _("Nothing was done: the match has moved on since you were asked, or two days have passed.")
        about = _("You were asked this: {question}").format(question=words_of(hand, question))
        return Answer("closed", headline, (about, *_each(hand, found)), shows=("moves",))
    return Answer("closed", headline, _each(hand, found), shows=("moves",))


def _is_answered(hand: Hand, question: Question) -> bool:
    return isinstance(question, StoredOffer) and hand.seat in question.answers


def _was_submitted(hand: Hand, order: HeldOrder) -> bool:
    """Whether the turn of an order was submitted before a process died."""
    with hand.context.database.read() as connection:
        return turns.by_key(connection, hand.player.id, releasing.key_of(order)) is not None


def _order(hand: Hand, order: HeldOrder, accepts: bool) -> Answer | Result:
    """Carries out the order that the player was asked about, or drops it."""
    context = hand.context
    if not accepts:
        return Answer(
            "dropped",
            _("Dropped, nothing was done: {what}").format(what=words_of(hand, order)),
            shows=("moves",),
            effects=(lambda connection: held.settle(connection, context, order, "declined"),),
        )
    try:
        if order.kind == "turn":
            found = Order(order, hand.match, hand.game, hand.player, ())
            releasing.submit_turn(context, found, in_reply_to=hand.mail.message_id)
            return hand.done("turn", [lambda connection: held.settle(connection, context, order, "accepted")])
        match = lobby.resign(context, hand.player, hand.match.id)
    except StalePly as error:
        headline = _("Nothing was played: the match has moved on since then.")
        return Answer("stale", headline, (_("Reply to this mail instead."),), shows=("moves", "board"), since=error.ply)
    except Unavailable as error:
        return Result("later", error.code, str(error), error.retry_after)
    except ServiceError as error:
        return Answer(error.code, _("Nothing was done."), (str(error),))
    follows = _("A bot plays your seat from now on.")
    if match.status != "running":
        follows = _("The match is over with that: a mail has the result.")
    return Answer(
        "resigned",
        _("You have resigned from this match, {name}, for good.").format(name=hand.player.name),
        (follows,),
        effects=(lambda connection: held.settle(connection, context, order, "accepted"),),
    )
