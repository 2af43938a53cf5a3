"""Mails to the reply address of a seat: they play its turns, ask about its match, and answer its
invitation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from engine import play
from engine.documents import to_document
from service.context import Context
from service.errors import Conflict, Invalid, StalePly, Unavailable
from service.inbox import answering, answers, held, invited, match_words, taking
from service.inbox.answers import Answer, To
from service.inbox.conversations import sent_texts
from service.inbox.hand import Hand
from service.inbox.mail import Mail, Result, ignored
from service.inbox.orders import Ambiguous, Empty, Option, Orders, Play, Unread, Words
from service.inbox.readings import read_orders
from service.inbox.typed import typed_lines
from service.matches import archive, replays
from service.players import preferences
from service.reply_addresses import ReplyTo
from service.store import matches, players, turns
from service.texts import gettext as _
from service.turns.freshness import check_fresh
from service.turns.submit import submit

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
        offered = taking.offered_by_mail(connection, mail, match, to)
    if player is None:
        return invited.act(context, mail, match, to.seat)
    if offered is not None:
        return taking.act(context, mail, match, offered)
    if mail.sender.is_proven and not mail.sender.is_player(player):
        return stranger(context, mail, f"{to.match_id} {to.seat}")
    proven, ply = mail.sender.is_player(player), min(to.ply, match.ply)
    hand = Hand(context, mail, match, to.seat, ply, player, proven, to.question)
    return _Reply(hand, sent_texts(context, player.id, match.seats[to.seat].invited_email, match.id)).act()


def stranger(context: Context, mail: Mail, about: str) -> Result:
    """Tells somebody else that the address is not for them, and nothing about the match."""
    answer = Answer(
        "stranger",
        _("Nothing was done."),
        (
            _("The address that you wrote to takes mails of one person only, from an address they have confirmed."),
            _("If that is you, write from the address at which you get these mails, or confirm this one, too."),
        ),
    )
    sender = mail.sender
    return answers.write(context, mail, mail.key(about), To(sender.address, sender.folded), answer)


@dataclass(frozen=True, slots=True)
class _Reply:
    """A reply by the holder of a seat, or by somebody who may be; ``known`` are texts that we sent
    to the player.
    """

    hand: Hand
    known: tuple[str, ...]

    def act(self) -> Result:
        """Does what the reply asks for."""
        hand = self.hand
        if hand.proven:
            archive.visit(hand.context, hand.player, hand.match.id)
        if hand.proven and self._was_submitted():
            return hand.done("turn")
        try:
            orders = self._read()
            match orders:
                case Play():
                    return self._play(orders)
                case Words():
                    return match_words.act(hand, orders.words)
                case _:
                    return hand.answer(self._not_played(orders))
        except Unavailable as error:
            return Result("later", error.code, str(error), error.retry_after)

    def _was_submitted(self) -> bool:
        """Whether the turn of this mail was submitted before a process died; wakes its judge."""
        context = self.hand.context
        with context.database.read() as connection:
            turn = turns.by_key(connection, self.hand.player.id, self._turn_key)
        if turn is not None and turn.status == "queued":
            context.queue.wake_turns()
        return turn is not None

    @property
    def _turn_key(self) -> str:
        return f"mail-{self.hand.key[:KEY_LENGTH]}"

    def _read(self) -> Orders:
        """What the mail asks for, as of the ply that it answers."""
        hand = self.hand
        lines = typed_lines(hand.mail.opened, self.known)
        if hand.match.started_at is None:
            return match_words.before_the_start(lines)
        asked = hand.question is not None or bool(answering.waiting(hand))
        with hand.context.database.read() as connection:
            state = replays.load(connection, hand.context, hand.match, hand.ply)
        return read_orders(hand.game, state, hand.seat, lines, asked)

    def _play(self, orders: Play) -> Result:
        hand = self.hand
        documents = [to_document(action) for action in orders.actions]
        if (closed := self._closed()) is not None:
            return hand.answer(closed)
        if not hand.proven:
            return hand.hold("turn", documents)
        match_words.beside_a_turn(hand, orders.words)
        if self._is_to_be_confirmed(orders.actions):
            return hand.answer(self._asked_back(orders, documents))
        try:
            submit(
                hand.context,
                hand.player,
                hand.match.id,
                hand.seat,
                hand.ply,
                actions=documents,
                idempotency_key=self._turn_key,
                in_reply_to=hand.mail.message_id,
                received=hand.mail.received_at,
            )
        except StalePly as error:
            return hand.answer(_stale(error))
        except Conflict as error:
            if error.code == "turn_waiting":
                return Result("later", error.code, str(error), RETRY_SECONDS)
            return hand.answer(_refused(error))
        except Invalid as error:
            return hand.answer(Answer("invalid", _("Nothing was played."), (str(error),), shows=("moves",)))
        return hand.done("turn")

    def _closed(self) -> Answer | None:
        """The answer to a turn that cannot be accepted any more; ``None`` where it can."""
        hand = self.hand
        try:
            check_fresh(hand.context, hand.seated, hand.ply)
        except StalePly as error:
            return _stale(error)
        except Conflict as error:
            return _refused(error)
        return None

    def _is_to_be_confirmed(self, actions: Sequence[Any]) -> bool:
        """Whether the player wants to be asked back before a turn of a mail is played."""
        hand = self.hand
        with hand.context.database.read() as connection:
            wanted = preferences.effective(connection, hand.player.id, hand.match.id).confirm
            if wanted != "draws":
                return wanted == "always"
            state = replays.load(connection, hand.context, hand.match)
        return play.preview(hand.game, state, hand.seat, actions).drawing

    def _asked_back(self, orders: Play, documents: Sequence[Any]) -> Answer:
        hand = self.hand
        return Answer(
            "asked_back",
            _("Nothing was played yet, {name}: reply yes to this mail, and this turn is.").format(
                name=hand.player.name
            ),
            (
                _("You asked to be asked back. Reply no to drop it, or send another turn in its place."),
                _("The question lapses with the next move of the match, and after two days."),
            ),
            lines=tuple(hand.game.format(action) for action in orders.actions),
            asks=lambda connection: held.hold(
                connection,
                hand.context,
                "turn",
                "confirm",
                hand.match,
                hand.seat,
                hand.ply,
                documents,
                hand.mail.message_id,
            ),
        )

    def _not_played(self, orders: Ambiguous | Unread | Empty) -> Answer:
        """The answer to a mail that has no turn, or not clearly one. What an unproven mail says is
        not repeated: anybody may have written it.
        """
        if isinstance(orders, Empty):
            return self._empty(orders.chat)
        if (closed := self._closed()) is not None:
            return closed
        headline = _("Nothing was played.")
        if not self.hand.proven:
            return _unproven()
        if isinstance(orders, Ambiguous):
            why = _("Your mail can be read in more than one way. Reply with one of these, and nothing else:")
            return Answer("ambiguous", headline, (why,), _lines(orders.options), ("moves",))
        says: tuple[str, ...] = (_("This line could not be read: {line}").format(line=orders.line), orders.why)
        if orders.nearest:
            says = (*says, _("These are close to it. Reply with one of them:"))
        return Answer("unread", headline, says, _lines(orders.nearest), ("moves",))

    def _empty(self, chat: Sequence[str]) -> Answer:
        notes = self.hand.mail.opened.notes
        said = next((line for line in chat if line.strip()), None)
        if said is not None:
            return answers.unread(said, ("moves", "help")) if self.hand.proven else _unproven()
        if "encrypted" in notes:
            why = _("Your mail is encrypted, which this service cannot read. Send it as plain text.")
        elif "opaque" in notes:
            why = _(
                "Your mail is signed in a form that hides its text (S/MIME). Send it unsigned, or signed as plain text."
            )
        elif "tnef" in notes:
            why = _("Your mail has its text in a winmail.dat, which only Outlook reads. Send it as plain text.")
        else:
            why = _("No line of your own was found in your mail. Write it above the mail that you answer.")
        return Answer("empty", _("Nothing was played."), (why,), shows=("moves", "help"))


def _unproven() -> Answer:
    """The answer to a mail of which nobody proved who wrote it, and which cannot be read."""
    says = _("A mail in your name could not be read as a turn.")
    return Answer("unread", _("Nothing was played."), (says,), shows=("moves",))


def _lines(options: Sequence[Option]) -> tuple[str, ...]:
    """Options as lines that can be copied, with their numbers where they have one."""
    return tuple(
        option.line if option.number is None else _("{number} or {line}").format(number=option.number, line=option.line)
        for option in options
    )


def _stale(error: StalePly) -> Answer:
    """The answer to a turn that answers a ply after which something has happened."""
    headline = _("Nothing was played: the match has moved on since the mail that you answered.")
    return Answer("stale", headline, (_("Reply to this mail instead."),), shows=("moves", "board"), since=error.ply)


def _refused(error: Conflict) -> Answer:
    return Answer(error.code, _("Nothing was played."), (str(error),))
