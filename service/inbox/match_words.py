"""The words that a mail about a match can say besides its turn: ``board``, ``say``, ``resign`` and
others. Those about nothing in particular are answered by ``service.inbox.words_for_all``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.documents import to_document
from service.clocks.sentences import rule_sentences
from service.errors import Conflict, Invalid, ServiceError, Unavailable
from service.inbox import answering, answers, held, offer_words, words_for_all
from service.inbox.answers import Answer
from service.inbox.hand import Hand
from service.inbox.mail import Result
from service.inbox.orders import Empty, Orders, Play, Words
from service.inbox.readings import read_orders
from service.inbox.words import Word, read_word
from service.matches import archive, chat, lobby, replays, timekeeping
from service.notices.material import time_told, zone_of
from service.payloads import OF_THE_SEAT
from service.store.questions import HeldOrder
from service.texts import gettext as _
from service.turns import time_up
from service.turns.preview import preview

HARMLESS: Final = ("board", "clock", "moves", "help", "pass", "preview", "repeat", "rules", "score", "undo")
"""What an unproven mail may ask for: the answer goes to the player's own address."""


def act(hand: Hand, words: Sequence[Word]) -> Result:
    """Does what the words ask for, and answers them together."""
    if not hand.proven and hand.match.is_on and any(word.name == "resign" for word in words):
        return hand.hold("resign")
    said = list(dict.fromkeys(word for word in words if word.name in ("yes", "no")))
    if said and not hand.proven and (order := _asked_about(hand)) is not None:
        return hand.ask_again(order)
    answered = []
    if said and hand.proven:
        answer = _left(hand, said) if hand.match.status == "open" else answering.answer(hand, said)
        if isinstance(answer, Result):
            return answer
        answered = [answer]
    others = [_answer(hand, word) for word in words if not answered or word not in said]
    return hand.answer(answers.of_words([*answered, *others], words))


def beside_a_turn(hand: Hand, words: Sequence[Word]) -> None:
    """Does what words beside a turn ask for; the verdict shows what the others would."""
    effects = [effect for word in words if word.name == "say" for effect in _said(hand, word).effects]
    if effects:
        hand.beside(effects)


def before_the_start(lines: Sequence[str]) -> Orders:
    """The words of a mail about a match that has not started, in which nothing can be played."""
    read: list[Word] = []
    for line in lines:
        word = read_word(line)
        if word is not None and word.name == "end":
            break
        if word is not None:
            read.append(word)
    return Words(tuple(read)) if read else Empty(tuple(lines))


def _asked_about(hand: Hand) -> HeldOrder | None:
    """The order that the mail asked about which an unproven mail answers."""
    found = (each for each in answering.waiting(hand) if isinstance(each, HeldOrder))
    return next((each for each in found if each.number == hand.question), None)


def _answer(hand: Hand, word: Word) -> Answer:
    """What a word is answered. What it changes is among the effects of the answer."""
    if not hand.proven and word.name not in HARMLESS:
        says = _(
            "Nobody could tell that you wrote this mail. It can ask for moves, board, preview, repeat, rules, help."
        )
        return Answer("unproven", _("Nothing was done."), (says,))
    match word.name:
        case "back":
            return _back(hand)
        case "board":
            return Answer("board", _("This is the board now."), shows=("board",))
        case "clock":
            return _clock(hand)
        case "moves":
            return Answer("moves", _("These are your legal moves."), shows=("moves",))
        case "pass":
            says = _("Where you may pass, it is one of your moves; otherwise the match waits until you play one.")
            return Answer("pass", _("Nothing was played: pass is none of your moves now."), (says,), shows=("moves",))
        case "preview":
            return _previewed(hand, word)
        case "repeat":
            return words_for_all.repeated(hand.context, hand.player, hand.match.id)
        case "reopen":
            return _reopened(hand)
        case "resign":
            return _resign(hand)
        case "say":
            return _said(hand, word)
        case "score":
            says = _("The board says how many points everybody is known to have. What is hidden counts at the end.")
            return Answer("score", _("These are the points so far."), (says,), shows=("board",))
        case "undo":
            says = _("With this line in a reply you are asked back before every turn of a mail is played:")
            headline = _("Nothing was done: a turn that was played cannot be taken back.")
            return Answer("undo", headline, (says,), ("settings confirm always",), ("moves",))
        case "abandon" | "call_off" | "draw" | "end_match" | "extend" | "hand_over" | "pause" | "resume" | "withdraw":
            return offer_words.answer(hand, word)
        case _:
            return words_for_all.answer(hand.context, hand.player, word, hand.match.id, f"{hand.key} {word.rest}")


def _resign(hand: Hand) -> Answer:
    match, seat = hand.match, hand.seat
    if match.status == "open":
        return _leaving(hand)
    if match.status != "running" or match.seats[seat].resigned_at is not None:
        return Answer("resign", _("There is nothing to resign from any more."))
    return Answer(
        "asked_back",
        _("Do you want to resign, {name}? Reply yes to this mail, and you have.").format(name=hand.player.name),
        (
            _("It is for good: with two players the other wins; with more a bot plays for you from then on."),
            _("The question lapses with the next move of the match, and after two days."),
        ),
        asks=lambda connection: held.hold(
            connection, hand.context, "resign", "confirm", match, seat, hand.ply, (), hand.mail.message_id
        ),
    )


def _leaving(hand: Hand) -> Answer:
    """Asks whether the player wants to leave a match that has not started."""
    headline = _("The match has not started, {name}. Do you want to leave it? Reply no to this mail, and you have.")
    return Answer("asked_back", headline.format(name=hand.player.name), question=OF_THE_SEAT)


def _left(hand: Hand, said: Sequence[Word]) -> Answer:
    """Leaves a match that has not started, by a no to the mail of the invitation, or to one that
    asks.
    """
    if [word.name for word in said] != ["no"]:
        return Answer("nothing_asked", _("Nothing waits for your yes: the match has not started."))
    if hand.question != OF_THE_SEAT:
        return _leaving(hand)
    try:
        lobby.leave(hand.context, hand.player, hand.match.id)
    except ServiceError as error:
        return Answer(error.code, _("Nothing was done."), (str(error),))
    return Answer(
        "left", _("You have left the match, {name}; your seat is free for others.").format(name=hand.player.name)
    )


def _clock(hand: Hand) -> Answer:
    """Says how much time the player has."""
    now, match = hand.context.clock(), hand.match
    with hand.context.database.read() as connection:
        zone = zone_of(connection, hand.player.id)
        told = time_told(connection, match, hand.player.id, zone, now)
    rule = timekeeping.rule_of(match)
    if rule is None:
        return Answer("clock", _("This match has no clock: take the time that you need."))
    if told and match.status == "running":
        return Answer("clock", told[0], (*told[1:], *rule_sentences(rule)))
    return Answer("clock", _("Your clock does not run: the match does not wait for you."), rule_sentences(rule))


def _back(hand: Hand) -> Answer:
    """Takes the seat back from the bot that holds it."""
    if not hand.match.seats[hand.seat].by_bot:
        return words_for_all.back(hand.context, hand.player)
    try:
        time_up.come_back(hand.context, hand.player, hand.match.id)
    except ServiceError as error:
        return Answer(error.code, _("Nothing was done."), (str(error),))
    says = _("The bot has played for you until now; from now on you are awaited again.")
    return Answer("back", _("Your seat is yours again."), (says,), shows=("board", "moves"))


def _reopened(hand: Hand) -> Answer:
    """Takes the match out of the archive."""
    try:
        archive.reopen(hand.context, hand.player, hand.match.id)
    except ServiceError as error:
        return Answer(error.code, _("Nothing was done."), (str(error),))
    return Answer("reopened", _("The match goes on."), shows=("board", "moves"))


def _said(hand: Hand, word: Word) -> Answer:
    try:
        text = chat.read_text(word.rest)
    except Invalid as error:
        return Answer("unsaid", _("Nothing was said."), (str(error),))
    return Answer(
        "said",
        _("You have said: {text}").format(text=text),
        (_("The others are told in their next mails."),),
        effects=(lambda connection: chat.add(connection, hand.context, hand.player, hand.match.id, text),),
    )


def _previewed(hand: Hand, word: Word) -> Answer:
    context, headline = hand.context, _("Nothing was played: this is a preview.")
    with context.database.read() as connection:
        state = replays.load(connection, context, hand.match, hand.ply)
    orders = read_orders(hand.game, state, hand.seat, [word.rest])
    if not isinstance(orders, Play):
        return Answer("preview", headline, (_("This could not be read as a turn."),), shows=("moves",))
    actions = [to_document(action) for action in orders.actions]
    lines = tuple(hand.game.format(action) for action in orders.actions)
    try:
        seen = preview(context, hand.player, hand.match.id, hand.seat, hand.ply, actions=actions)
    except Unavailable:
        raise
    except (Conflict, Invalid) as error:
        return Answer("preview", headline, (str(error),))
    says = tuple(seen["entries"])
    if seen["violation"] is not None:
        says = (*says, _("Refused: {why}").format(why=seen["violation"].message))
    elif seen["drawing"]:
        says = (*says, _("A draw comes next; what follows it cannot be known before."))
    return Answer("preview", headline, says, lines)
