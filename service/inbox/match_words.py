"""The words that a mail about a match can say besides its turn: ``board``, ``say``, ``resign`` and
others. Those about nothing in particular are answered by ``service.inbox.words_for_all``.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import Final

from engine.documents import to_document
from service.clocks.sentences import rule_sentences
from service.context import Context
from service.errors import Conflict, Invalid, ServiceError
from service.inbox import answers, held, offer_words, words_for_all
from service.inbox.answers import MailAnswer, SeatReply, refused
from service.inbox.mail import Result
from service.inbox.readings import Play, read_orders
from service.inbox.words import Word, read_word, together
from service.matches import archive, chat, lobby, replays, reporting, timekeeping
from service.matches.reporting import Reported
from service.notices.material import time_told, zone_of
from service.payloads import OF_THE_SEAT
from service.store.players import Player
from service.store.questions import HeldOrder
from service.texts import gettext as _
from service.turns import time_up
from service.turns.trials import preview

HARMLESS: Final = "board clock moves help pass preview repeat rules score undo".split()
"""What an unproven mail may ask for: the answer goes to the player's own address."""


def act(reply: SeatReply, words: Sequence[Word]) -> Result:
    """Does what the words ask for, and answers them together."""
    if not reply.proven and reply.match.is_on and any(word.name == "resign" for word in words):
        return held.hold_unproven(reply, "resign")
    said = list(dict.fromkeys(word for word in words if word.name in ("yes", "no")))
    if said and not reply.proven:
        held_orders = (each for each in offer_words.waiting(reply) if isinstance(each, HeldOrder))
        if (order := next((each for each in held_orders if each.number == reply.question), None)) is not None:
            return held.ask(reply, "asked", lambda connection: order)
    words, answered = together(words), []
    if said and reply.proven:
        names_none = not any(word.rest for word in said)
        of_seat = reply.match.status == "open" or (reply.question == OF_THE_SEAT and names_none)
        answer = _left(reply, said) if of_seat else offer_words.answer_question(reply, said)
        if isinstance(answer, Result):
            return answer
        answered = [answer]
    others = [_answer(reply, word) for word in words if not answered or word not in said]
    return reply.answer(answers.of_words([*answered, *others], words))


def beside_a_turn(reply: SeatReply, words: Sequence[Word]) -> None:
    """Does what words beside a turn ask for; the verdict shows what the others would."""
    effects = [effect for word in words if word.name == "say" for effect in _said(reply, word).effects]
    if effects:
        key = reply.mail.key(f"{reply.match.id} {reply.seat} beside")
        answers.settle(reply.context, key, reply.player.email, "beside", effects)


def above_the_end(lines: Sequence[str]) -> tuple[str, ...]:
    """The lines above a word that ends what is read of a mail."""
    return tuple(takewhile(lambda line: (word := read_word(line)) is None or word.name != "end", lines))


def before_the_start(lines: Sequence[str]) -> tuple[Word, ...]:
    """The words of a mail about a match that has not started, in which nothing can be played."""
    return tuple(word for line in above_the_end(lines) if (word := read_word(line)) is not None)


def _answer(reply: SeatReply, word: Word) -> MailAnswer:
    """What a word is answered. What it changes is among the effects of the answer."""
    if not reply.proven and word.name not in HARMLESS:
        says = _(
            "Nobody could tell that you wrote this mail. It can ask for moves, board, preview, repeat, rules, help."
        )
        return MailAnswer("unproven", _("Nothing was done."), (says,))
    context, player, match = reply.context, reply.player, reply.match
    match word.name:
        case "back":
            return _back(reply)
        case "board":
            return MailAnswer("board", _("This is the board now."), shows=("board",))
        case "clock":
            return _clock(reply)
        case "moves":
            return MailAnswer("moves", _("These are your legal moves."), shows=("moves",))
        case "pass":
            headline = _("Nothing was played: pass is none of your moves now.")
            says = _("Where you may pass, it is one of your moves; otherwise the match waits until you play one.")
            return MailAnswer("pass", headline, (says,), shows=("moves",))
        case "preview":
            return _previewed(reply, word)
        case "repeat":
            return words_for_all.repeated(context, player, match.id)
        case "report":
            return _reported(reply, word)
        case "reopen" | "resume" if word.name == "reopen" or match.status == "archived":
            return _reopened(reply)
        case "resign":
            return _resign(reply)
        case "say":
            return _said(reply, word)
        case "score":
            says = _("The board says how many points everybody is known to have. What is hidden counts at the end.")
            return MailAnswer("score", _("These are the points so far."), (says,), shows=("board",))
        case "undo":
            headline = _("Nothing was done: a turn that was played cannot be taken back.")
            says = _("With this line in a reply you are asked back before every turn of a mail is played:")
            return MailAnswer("undo", headline, (says,), ("settings confirm always",), ("moves",))
        case "abandon" | "call_off" | "draw" | "end_match" | "extend" | "hand_over" | "pause" | "resume" | "withdraw":
            return offer_words.answer(reply, word)
        case _:
            return words_for_all.answer(context, player, word, match.id, f"{reply.key} {word.rest}")


def _resign(reply: SeatReply) -> MailAnswer:
    match = reply.match
    if match.status == "open":
        headline = _("The match has not started, {name}. Do you want to leave it? Reply no to this mail, and you have.")
        return MailAnswer("asked_back", headline.format(name=reply.player.name), question=OF_THE_SEAT)
    if not match.is_on or not match.seats[reply.seat].is_owned:
        return MailAnswer("resign", _("There is nothing to resign from any more."))
    if match.status == "archived":
        return MailAnswer("resign", _("The match is archived. Resume it before you resign."), lines=("resume",))
    headline = _("Do you want to resign, {name}? Reply yes to this mail, and you have.")
    says = (
        _("It is for good: with two players the other wins; with more a bot plays for you from then on."),
        _("The question lapses with the next move of the match, and after two days."),
    )
    asks = held.holding(reply, "resign", "confirm")
    return MailAnswer("asked_back", headline.format(name=reply.player.name), says, asks=asks)


def _left(reply: SeatReply, said: Sequence[Word]) -> MailAnswer:
    """Leaves a match by a no to its invitation, or to a mail that asks; one that has started is
    resigned from, after asking back.
    """
    if [word.name for word in said] != ["no"]:
        return MailAnswer("nothing_asked", _("Nothing waits for your yes: you have taken your seat."))
    if reply.match.status != "open" or reply.question != OF_THE_SEAT:
        return _resign(reply)
    try:
        lobby.leave(reply.context, reply.player, reply.match.id)
    except ServiceError as error:
        return refused(error)
    headline = _("You have left the match, {name}; your seat is free for others.")
    return MailAnswer("left", headline.format(name=reply.player.name))


def _clock(reply: SeatReply) -> MailAnswer:
    """Says how much time the player has."""
    now, match = reply.context.clock(), reply.match
    with reply.context.database.read() as connection:
        zone = zone_of(connection, reply.player.id)
        told = time_told(connection, match, reply.player.id, zone, now)
    rule = timekeeping.rule_of(match)
    if rule is None:
        return MailAnswer("clock", _("This match has no clock: take the time that you need."))
    if told and match.status == "running":
        return MailAnswer("clock", told[0], (*told[1:], *rule_sentences(rule)))
    if match.is_over:
        return MailAnswer("clock", _("No clock runs: the match is over."))
    return MailAnswer("clock", _("Your clock does not run: the match does not wait for you."), rule_sentences(rule))


def _back(reply: SeatReply) -> MailAnswer:
    """Takes the seat back from the bot that holds it."""
    if not reply.match.seats[reply.seat].by_bot:
        return words_for_all.back(reply.context, reply.player)
    try:
        time_up.come_back(reply.context, reply.player, reply.match.id)
    except ServiceError as error:
        return refused(error)
    says = _("The bot has played for you until now; from now on you are awaited again.")
    return MailAnswer("back", _("Your seat is yours again."), (says,), shows=("board", "moves"))


def _reopened(reply: SeatReply) -> MailAnswer:
    """Takes the match out of the archive."""
    try:
        archive.reopen(reply.context, reply.player, reply.match.id)
    except ServiceError as error:
        return refused(error)
    return MailAnswer("reopened", _("The match goes on."), shows=("board", "moves"))


def _said(reply: SeatReply, word: Word) -> MailAnswer:
    context, player, match_id = reply.context, reply.player, reply.match.id
    try:
        text = chat.read_text(word.rest)
    except Invalid as error:
        return MailAnswer("unsaid", _("Nothing was said."), (str(error),))
    return MailAnswer(
        "said",
        _("You have said: {text}").format(text=text),
        (_("The others are told in their next mails."),),
        effects=(lambda connection: chat.add(connection, context, player, match_id, text),),
    )


def _reported(reply: SeatReply, word: Word) -> MailAnswer:
    """Reports what somebody else has said last."""
    context, player = reply.context, reply.player
    line = reporting.latest_line(context, player, reply.match.id)
    if line is None:
        says = _("Nobody else has said anything in this match. The page of a player has a way to report a name.")
        return MailAnswer("report", _("Nothing was reported."), (says,))
    return report_answered(context, player, line, word.rest)


def report_answered(context: Context, player: Player, thing: Reported, words: str) -> MailAnswer:
    """Reports a thing, and says how it read."""
    try:
        found = reporting.report(context, player, thing, words)
    except ServiceError as error:
        return refused(error, _("Nothing was reported."))
    says = _("The host of this service will look at it. You are mailed if something follows.")
    return MailAnswer("reported", _("You have reported: {read}").format(read=found.read), (says,), acted=True)


def _previewed(reply: SeatReply, word: Word) -> MailAnswer:
    context, headline = reply.context, _("Nothing was played: this is a preview.")
    with context.database.read() as connection:
        state = replays.load(connection, context, reply.match, reply.ply)
    orders = read_orders(reply.game, state, reply.seat, [word.rest])
    if not isinstance(orders, Play):
        return MailAnswer("preview", headline, (_("This could not be read as a turn."),), shows=("moves",))
    actions = [to_document(action) for action in orders.actions]
    lines = tuple(reply.game.format(action) for action in orders.actions)
    try:
        seen = preview(context, reply.player, reply.match.id, reply.seat, reply.ply, actions=actions)
    except (Conflict, Invalid) as error:
        return MailAnswer("preview", headline, (str(error),))
    says = tuple(seen["entries"])
    if seen["violation"] is not None:
        says = (*says, _("Refused: {why}").format(why=seen["violation"].message))
    elif seen["drawing"]:
        says = (*says, _("A draw comes next; what follows it cannot be known before."))
    return MailAnswer("preview", headline, says, lines)
