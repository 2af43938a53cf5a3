"""Mails to the reply address of a seat: they play its turns, ask about its match, and answer its
invitation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from engine.documents import to_document
from service import links
from service.context import Context
from service.errors import Conflict, Invalid, StalePly, Unavailable
from service.inbox import answers, held, invited, match_words
from service.inbox.answers import Addressee, MailAnswer, SeatReply, refused
from service.inbox.mail import Mail, Result, ignored
from service.inbox.mime import MimeNote
from service.inbox.moves import Option
from service.inbox.quoted_mails import sent_texts
from service.inbox.quoted_text import typed_lines
from service.inbox.readings import Ambiguous, Empty, Orders, Play, Unread, Words, read_orders
from service.links import ReplyTo
from service.matches import archive, replays
from service.matches.access import Seated
from service.offers.settling import waiting_for
from service.sandbox import Trial
from service.signing import keys_of
from service.store import matches, players, turns
from service.texts import gettext as _
from service.turns.judge import check_fresh
from service.turns.submit import submit
from service.turns.trials import confirm_wanted, is_to_be_confirmed

KEY_LENGTH: Final = 40
RETRY_SECONDS: Final = 5


def act(context: Context, mail: Mail, to: ReplyTo) -> Result:
    """Acts on a mail to the reply address ``to``."""
    with context.database.read() as connection:
        match = matches.find(connection, to.match_id)
        if match is None or to.seat >= len(match.seats):
            return ignored("no_match")
        holder = match.seats[to.seat].player_id
        player = None if holder is None else players.find(connection, holder)
        offered = None
        if to.question is not None:
            offered = invited.offered_by_mail(connection, mail, match, to.seat, to.question)
    if player is None:
        return invited.act(context, mail, match, to.seat)
    if offered is not None:
        return invited.act_on_offer(context, mail, match, offered)
    proven = mail.sender.is_player(player)
    if mail.sender.is_proven and not proven:
        return _stranger(context, mail, f"{to.match_id} {to.seat}")
    if player.suspended_at is not None:
        return ignored("suspended")
    reply = SeatReply(context, mail, match, to.seat, min(to.ply, match.ply), player, proven, to.question)
    if proven:
        archive.visit(context, player, match.id)
    if proven and _was_submitted(reply):
        return reply.done("turn")
    try:
        match orders := _read(reply):
            case Play():
                return _play(reply, orders)
            case Words(words):
                return match_words.act(reply, words)
            case _:
                return reply.answer(_with_unsaid(_not_played(reply, orders), orders))
    except Unavailable as error:
        return Result("later", error.code, str(error), error.retry_after)


def _stranger(context: Context, mail: Mail, about: str) -> Result:
    """Tells somebody else that the address is not for them, and nothing about the match."""
    says = (
        _("The address that you wrote to takes mails of one person only, from an address they have confirmed."),
        _("If that is you, write from the address at which you get these mails, or confirm this one, too."),
    )
    to = Addressee(mail.sender.address, mail.sender.folded)
    return answers.write(context, mail, mail.key(about), to, MailAnswer("stranger", _("Nothing was done."), says))


def _was_submitted(reply: SeatReply) -> bool:
    """Whether the turn of this mail was submitted before a process died; wakes its judge."""
    with reply.context.database.read() as connection:
        turn = turns.by_key(connection, reply.player.id, _turn_key(reply))
    if turn is None:
        return False
    reply.context.queue.wake_turns()
    return True


def _turn_key(reply: SeatReply) -> str:
    return f"mail-{reply.key[:KEY_LENGTH]}"


def _read(reply: SeatReply) -> Orders:
    """What the mail asks for, as of the ply that it answers."""
    context, match, seat = reply.context, reply.match, reply.seat
    known = sent_texts(context, reply.player.id, match.seats[seat].invited_email, match.id)
    lines = typed_lines(reply.mail.opened, known)
    if match.started_at is None:
        words, above = match_words.before_the_start(lines), match_words.above_the_end(lines)
        return Words(words) if words else Empty(above, is_ended=len(above) < len(lines))
    with context.database.read() as connection:
        asked = reply.question is not None or bool(waiting_for(connection, match, seat, context.clock()))
        state = replays.load(connection, context, match, reply.ply)
    return read_orders(reply.game, state, seat, lines, asked)


def _play(reply: SeatReply, orders: Play) -> Result:
    documents = [to_document(action) for action in orders.actions]
    if (closed := _closed(reply)) is not None:
        return reply.answer(_with_unsaid(closed, orders))
    if not reply.proven:
        return held.hold_unproven(reply, "turn", documents)
    if orders.words:
        match_words.beside_a_turn(reply, orders.words)
    wanted = confirm_wanted(reply.context, reply.player, reply.match.id)
    if _answers_another(reply):
        why = _("Your mail answers one about another match. Reply no to drop it, or send another turn in its place.")
        return reply.answer(_asked_back(reply, orders, documents, why))
    if is_to_be_confirmed(reply.context, wanted, Trial(reply.match, reply.seat, documents)):
        why = _("You asked to be asked back. Reply no to drop it, or send another turn in its place.")
        return reply.answer(_asked_back(reply, orders, documents, why))
    try:
        submit(
            reply.context,
            reply.player,
            reply.match.id,
            reply.seat,
            reply.ply,
            actions=documents,
            idempotency_key=_turn_key(reply),
            in_reply_to=reply.mail.message_id,
            received=reply.mail.received_at,
            is_confirmed=True,
        )
    except Conflict as error:
        if error.code == "turn_waiting":
            return Result("later", error.code, str(error), RETRY_SECONDS)
        return reply.answer(_not_taken(reply, error))
    except Invalid as error:
        return reply.answer(MailAnswer("invalid", _("Nothing was played."), (str(error),), shows=("moves",)))
    return reply.done("turn")


def _with_unsaid(answer: MailAnswer, orders: Play | Ambiguous | Unread | Empty) -> MailAnswer:
    """The answer to a mail whose turn is not taken, which tells what else of it was not done."""
    if isinstance(orders, Empty) or all(word.name != "say" for word in orders.words):
        return answer
    return replace(answer, says=(*answer.says, _("What you say to the others was not said: write it again.")))


def _closed(reply: SeatReply) -> MailAnswer | None:
    """The answer to a turn that cannot be accepted any more; ``None`` where it can."""
    try:
        check_fresh(reply.context, Seated(reply.match, reply.game, reply.seat), reply.ply)
    except Conflict as error:
        return _not_taken(reply, error)
    return None


def _not_taken(reply: SeatReply, error: Conflict) -> MailAnswer:
    """The answer to a turn that is refused as it is, above all one to a ply before the latest."""
    if not isinstance(error, StalePly):
        return refused(error, _("Nothing was played."))
    headline = _("Nothing was played: the match has moved on since the mail that you answered.")
    says = (_("Reply to this mail instead."),) if reply.match.seats[reply.seat].to_act else ()
    return MailAnswer("stale", headline, says, shows=("moves", "board"), since=error.ply)


def _answers_another(reply: SeatReply) -> bool:
    """Whether the mail came to this match, too, and answers a mail about another: what it says is
    about that one.
    """
    keys, answered = keys_of(reply.context), reply.mail.opened.references[-1:]
    read = [links.read_reply_address(keys, f"+{tag}") for each in answered for tag in links.tags_in(keys, each)]
    return any(to is not None and to.match_id != reply.match.id for to in read)


def _asked_back(reply: SeatReply, orders: Play, documents: Sequence[Any], why: str) -> MailAnswer:
    headline = _("Nothing was played yet, {name}: reply yes to this mail, and this turn is.")
    return MailAnswer(
        "asked_back",
        headline.format(name=reply.player.name),
        (
            why,
            _("The question lapses with the next move of the match, and after two days."),
        ),
        lines=tuple(reply.game.format(action) for action in orders.actions),
        asks=held.holding(reply, "turn", "confirm", documents),
    )


def _not_played(reply: SeatReply, orders: Ambiguous | Unread | Empty) -> MailAnswer:
    """The answer to a mail that has no turn, or not clearly one. It repeats no unproven mail."""
    if isinstance(orders, Empty):
        return _empty(reply, orders)
    if (closed := _closed(reply)) is not None:
        return closed
    headline = _("Nothing was played.")
    if not reply.proven:
        return _unproven()
    if isinstance(orders, Ambiguous):
        why = _("Your mail can be read in more than one way. Reply with one of these, and nothing else:")
        return MailAnswer("ambiguous", headline, (why,), _lines(orders.options), ("moves",))
    says: tuple[str, ...] = (_("This line could not be read: {line}").format(line=orders.line), orders.why)
    if orders.nearest:
        says = (*says, _("These are close to it. Reply with one of them:"))
    return MailAnswer("unread", headline, says, _lines(orders.nearest), ("moves",))


def _empty(reply: SeatReply, orders: Empty) -> MailAnswer:
    if not reply.proven:
        return _unproven()
    notes = reply.mail.opened.notes
    said = next((line for line in orders.chat if line.strip()), None)
    if said is not None:
        return answers.unread(said, ("moves", "help"))
    if orders.is_ended:
        says = (
            _("The first word of your mail ends what is read of it: nothing below was looked at."),
            _("To get no more mails, in this match or in all, or to give the match up, write one of these instead:"),
        )
        lines = ("settings here off", "settings off", "resign")
        return MailAnswer("ended", _("Nothing was done."), says, lines, ("moves", "help"))
    whys: dict[MimeNote, str] = {
        "encrypted": _("Your mail is encrypted, which this service cannot read. Send it as plain text."),
        "opaque": _(
            "Your mail is signed in a form that hides its text (S/MIME). Send it unsigned, or signed as plain text."
        ),
        "struck": _(
            "What is struck out in your mail is not read. Write what you want to play once more, without that."
        ),
        "tnef": _("Your mail has its text in a winmail.dat, which only Outlook reads. Send it as plain text."),
    }
    unread = _(
        "No line of your own was found in the text of your mail, and its subject is not read."
        " Write it above the mail that you answer, with an empty line before and after it."
    )
    why = next((why for note, why in whys.items() if note in notes), unread)
    return MailAnswer("empty", _("Nothing was played."), (why,), shows=("moves", "help"))


def _unproven() -> MailAnswer:
    says = _("A mail to your address of this match could not be read, and nobody could tell that it is from you.")
    return MailAnswer("unread", _("Nothing was played."), (says,), shows=("moves",))


def _lines(options: Sequence[Option]) -> tuple[str, ...]:
    """Options as lines that can be copied, with their numbers where they have one."""
    return tuple(
        option.line if option.number is None else _("{number} or {line}").format(number=option.number, line=option.line)
        for option in options
    )
