"""Whatever is offered, answered, mailed, moved and left undone: nothing ends without a yes to that
very question by everybody who owns a seat. The seed is in the name of the test.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from datetime import datetime

import pytest

from engine.record import EarlyEnd, verify
from service.clocks.recorded import verify_clocks
from service.context import Context
from service.errors import ServiceError
from service.ledger.check import check_ledger
from service.matches import days_off
from service.offers import offering
from service.offers.consent import ORDER_OPEN_FOR, WARNED_FOR
from service.statuses import OfferKind
from service.store.matches import StoredMatch
from service.store.outbox import Notice
from service.sweeps import sweep
from service.turns import time_up
from service.views.record import match_record
from tests.service.fakes import Round, all_sent, judged_batch, notices, started
from tests.service.inbox.postman import Postman
from tests.service.turns.clocks import DAY, now_is, stored

pytestmark = [pytest.mark.deep, pytest.mark.usefixtures("pearls")]
OPERATIONS = 45
OFFERS = ("offer draw", "end match", "call off", "end as abandoned", "extend", "pause 2 days")
LEFT = ("offer", "offer", "answer", "move", *["wait"] * 8)
"""What happens where somebody has left."""
WAYS = ("offer", "offer", "answer", "answer", "answer", "resign", "move", "move", "wait", "more")
KINDS: tuple[OfferKind, ...] = ("draw", "end", "call_off", "abandon", "extend", "pause")


@dataclass(slots=True)
class Said:
    """What the players have said, as an onlooker notes it who reads all mails: yes to which number,
    and when, at which ply, which resignation was asked back.
    """

    yes: set[tuple[int, int]] = field(default_factory=set)
    resigning: dict[int, tuple[int, datetime, int]] = field(default_factory=dict)


class Play:
    """A match in which everything may happen; with every other seed the first player has left."""

    def __init__(self, context: Context, seed: int) -> None:
        self.luck = random.Random(seed)
        self.postman = Postman(context)
        self.has_left = seed % 2 == 1
        number = 2 if self.has_left else self.luck.choice([2, 3])
        self.table: Round = started(context, "pearls", number, clock="slow")
        self.said = Said()

    @property
    def match(self) -> StoredMatch:
        return stored(self.postman.context, self.table)

    def mails_to(self, seat: int) -> list[Notice]:
        """The mails to which a player can reply."""
        found = notices(self.postman.context)
        mine = [each for each in found if each.player_id == self.table.players[seat].id and each.match_id]
        return [each for each in mine if each.covered_by is None]

    def reply(self, seat: int, mail: Notice, text: str) -> str:
        return self.postman.reply(mail, self.table.players[seat].email, text).did

    def step(self) -> None:
        """One thing that somebody does, or that time does."""
        seat, context = self.luck.randrange(int(self.has_left), len(self.table.players)), self.postman.context
        mails = self.mails_to(seat)
        mail = self.luck.choice([*mails[-4:], *[each for each in mails if "question" in each.payload][-3:]])
        what = self.luck.choice(LEFT if self.has_left else WAYS)
        if what == "offer":
            offers = ("end as abandoned", "offer draw") if self.has_left else OFFERS
            self.reply(seat, mail, self.luck.choice(offers))
        elif what == "answer":
            self.answer(seat, mail)
        elif what == "resign" and self.luck.random() < 0.4:
            self.reply(seat, mail, "resign")
            asked = self.mails_to(seat)[-1]
            if asked.kind == "answer" and "question" in asked.payload:
                ground = (seat, context.clock(), self.match.ply)
                self.said.resigning[asked.payload["question"]] = ground
        elif what == "move":
            self.reply(seat, mails[-1], "dive")
        elif what == "wait":
            now_is(context, context.clock() + self.luck.choice([1, 2] if self.has_left else [0.3, 1, 3, 8]) * DAY)
        else:
            self.more(seat)
        all_sent(context)
        for _ in range(2):
            sweep(context)
            judged_batch(context)

    def answer(self, seat: int, mail: Notice) -> None:
        word, number = self.luck.choice(["accept", "yes", "ok", "accept", "decline"]), mail.payload.get("question")
        if self.luck.random() < 0.2:
            number = self.luck.randrange(1, 6)
            word = f"{'decline' if word == 'decline' else 'accept'} {number}"
        if number is not None and not word.startswith("decline"):
            self.said.yes.add((seat, number))
        self.reply(seat, mail, word)

    def more(self, seat: int) -> None:
        """An absence, a return, an offer over the API."""
        player, context = self.table.players[seat], self.postman.context
        try:
            match self.luck.randrange(3):
                case 0:
                    days_off.declare(context, player, 3)
                case 1:
                    time_up.come_back(context, player, self.table.match.id)
                case _:
                    offering.offer(context, player, self.table.match.id, self.luck.choice(KINDS))
        except ServiceError:
            pass

    def check(self) -> str:
        """Checks how the match has ended, if it has. Returns how."""
        match = self.match
        for seat in match.resigned:
            assert self.has_resigned(seat.seat, seat.resigned_at, seat.resigned_ply), seat.seat
        if match.early_end is None:
            return match.status
        found = offering.of_match(self.postman.context, match.id, self.postman.context.clock()).items
        (offer,) = [each for each in found if each.status == "accepted" and each.kind not in ("extend", "pause")]
        owners = {seat.seat for seat in match.seats if seat.is_owned}
        agreed = {seat for seat, number in self.said.yes if number == offer.number} | {offer.seat}
        end = EarlyEnd(match.early_end["how"], tuple(match.early_end["seats"]))
        assert set(end.seats) <= agreed & owners
        if end.how != "abandoned":
            assert set(end.seats) == owners
        for away in owners.difference(end.seats):
            self.check_left(match, away, offer.number)
        return end.how

    def check_left(self, match: StoredMatch, seat: int, number: int) -> None:
        """That a bot held a seat for 14 days, and that its player was mailed twice."""
        held_at = match.seats[seat].held_at
        assert held_at is not None
        assert match.finished_at is not None
        assert match.finished_at - held_at >= 14 * DAY
        mails = [each for each in self.mails_to(seat) if each.kind == "offer_made"]
        about = [each.created_at for each in mails if each.payload["question"] == number]
        assert len(about) == 2
        assert about[1] - about[0] >= WARNED_FOR
        assert match.finished_at - about[1] >= WARNED_FOR - DAY / 86_400

    def has_resigned(self, seat: int, at: datetime | None, ply: int | None) -> bool:
        """Whether a player has said yes to the question whether they resign, before anybody moved
        and within two days.
        """
        assert at is not None
        return any(
            (seat, number) in self.said.yes and whose == seat and asked_at == ply and at - since < ORDER_OPEN_FOR
            for number, (whose, since, asked_at) in self.said.resigning.items()
        )


@pytest.mark.parametrize("seed", range(6))
def test_nothing_ends_without_a_yes_to_that_question_by_everybody_who_owns_a_seat(
    behind_a_relay: Context, seed: int
) -> None:
    play = Play(behind_a_relay, seed)
    for _ in range(OPERATIONS):
        if play.match.status != "running":
            break
        play.step()
    how = play.check()
    if how != "running":
        record = match_record(behind_a_relay, None, play.table.match.id)
        verify(record)
        verify_clocks(record)
    assert check_ledger(behind_a_relay.database).breaches == []
