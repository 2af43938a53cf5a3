"""The seat in whose name a mail is written: what it may do, and how it is answered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection

from engine.game import AnyGame
from service.context import Context
from service.events import gate
from service.inbox import answers, held
from service.inbox.answers import Answer, Effect, To
from service.inbox.mail import Mail, Result
from service.matches import replays
from service.matches.access import Seated
from service.payloads import OrderHeld
from service.players.types import Player
from service.statuses import OrderKind
from service.store.matches import StoredMatch
from service.store.outbox import NewNotice
from service.store.questions import HeldOrder


@dataclass(frozen=True, slots=True)
class Hand:
    """A mail to the reply address of a seat, whose holder is ``player``. ``ply`` is the one that it
    answers, ``question`` the number of the question that was asked there. ``proven`` says that the
    player wrote it; otherwise anybody may have.
    """

    context: Context
    mail: Mail
    match: StoredMatch
    seat: int
    ply: int
    player: Player
    proven: bool
    question: int | None = None

    @property
    def game(self) -> AnyGame:
        """The game of the match."""
        return replays.game_of(self.match)

    @property
    def key(self) -> str:
        """The key of the mail, as one about this seat."""
        return self.mail.key(f"{self.match.id} {self.seat}")

    @property
    def seated(self) -> Seated:
        """The seat, for the use cases of turns."""
        return Seated(self.match, self.game, self.seat)

    def answer(self, answer: Answer) -> Result:
        """Answers the mail: at the address that it was written from or, where nobody proved that,
        at the player's own. The answer shows the match as it is now.
        """
        return answers.write(self.context, self.mail, self.key, self.to, answer)

    @property
    def to(self) -> To:
        """Who is answered, and about what."""
        ply = None if self.match.started_at is None else self.match.ply
        written_to = self.mail.sender.address if self.proven else None
        return To(written_to, self.player.email, self.player.id, self.match.id, self.seat, ply)

    def done(self, did: str, effects: Sequence[Effect] = ()) -> Result:
        """Records that the mail was dealt with; its answer comes by another way."""
        return answers.settle(self.context, self.key, self.to.counted, did, effects)

    def beside(self, effects: Sequence[Effect]) -> None:
        """Carries out effects that the mail has besides its turn, once."""
        key = self.mail.key(f"{self.match.id} {self.seat} beside")
        answers.settle(self.context, key, self.to.counted, "beside", effects)

    def hold(self, kind: OrderKind, actions: Sequence[Mapping[str, Any]] = ()) -> Result:
        """Holds what an unproven mail asks for, and asks the player, whose own address is mailed a
        link, never the sender.
        """

        def notice(connection: Connection) -> str:
            order = held.hold(
                connection,
                self.context,
                kind,
                "unproven",
                self.match,
                self.seat,
                self.ply,
                actions,
                self.mail.message_id,
            )
            return self._asked(connection, order)

        return answers.settle(self.context, self.key, self.player.email, f"held_{kind}", (), notice)

    def ask_again(self, order: HeldOrder) -> Result:
        """Asks the player for a word about an order that was held before, as ``hold`` does."""
        return answers.settle(
            self.context, self.key, self.player.email, "asked", (), lambda connection: self._asked(connection, order)
        )

    def _asked(self, connection: Connection, order: HeldOrder) -> str:
        lines = tuple(held.lines_of(self.game, order)) if order.kind == "turn" else ()
        payload = OrderHeld(order.id, order.kind, self.seat, order.ply, lines, order.number)
        notice = NewNotice("unproven_turn", self.player.id, self.match.id, payload)
        return gate.write(connection, [notice], self.context.clock())[0]
