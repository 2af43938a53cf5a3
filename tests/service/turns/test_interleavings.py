"""A turn and a deadline that come together, in any order of receiving, sweeping, judging, and
processes that die: one outcome, which depends on the receipt alone.
"""

from __future__ import annotations

import random
from datetime import timedelta
from typing import Final

import pytest

from service.clocks.spans import instant
from service.context import Context
from service.errors import Conflict, StalePly
from service.ledger.check import check_ledger
from service.turns.batch import judge_oldest
from service.turns.judge import OwnRulings
from service.turns.submit import submit
from tests.service.fakes import Round, restarted, started
from tests.service.swept import act_on_due
from tests.service.turns.clocks import due, now_is, steps

pytestmark = [pytest.mark.deep, pytest.mark.usefixtures("pearls")]
STORIES: Final = 25
LENGTH: Final = 9
OPERATIONS: Final = ("receive", "sweep", "judge", "restart", "wait 7 s", "wait 7 s")


class Story:
    """One order of what happens around the deadline of Ada."""

    def __init__(self, context: Context, table: Round) -> None:
        self.context, self.table = context, table
        self.due = due(context, table)
        self.received: int | None = None
        now_is(context, self.due - timedelta(seconds=15))

    def do(self, operation: str) -> None:
        context = self.context
        match operation:
            case "receive" if self.received is None:
                try:
                    submit(context, self.table.players[0], self.table.match.id, None, self.ply, notation="dive")
                    self.received = instant(context.clock())
                except (Conflict, StalePly):
                    assert context.clock() > self.due, "what was in time is never refused"
            case "sweep":
                act_on_due(context)
            case "judge":
                judge_oldest(context, OwnRulings(context.database, context.states), 8)
            case "restart":
                self.context = restarted(context)
            case "wait 7 s":
                now_is(context, context.clock() + timedelta(seconds=7))

    @property
    def ply(self) -> int:
        return steps(self.context, self.table)[-1].ply

    def end(self) -> None:
        """Everything that waits is done."""
        now_is(self.context, max(self.context.clock(), self.due + timedelta(seconds=30)))
        for _ in range(3):
            self.do("sweep")
            self.do("judge")


@pytest.mark.parametrize("seed", range(3))
def test_the_receipt_decides_in_every_order(context: Context, seed: int) -> None:
    luck = random.Random(seed)
    for number in range(STORIES):
        table = started(context, "pearls", clock="brisk", names=(f"Ada{number}", f"Bela{number}"))
        before = len(steps(context, table))
        story = Story(context, table)
        order = luck.choices(OPERATIONS, k=LENGTH)
        for operation in order:
            story.do(operation)
        story.end()
        kinds = [step.kind for step in steps(context, table)[before:] if step.seat == 0]
        expected = "turn" if story.received is not None and story.received <= instant(story.due) else None
        if expected is None and story.received is None:
            expected = "time_up_bot_turn"
        assert len(kinds) == 1, order
        assert expected is None or kinds == [expected], order
    assert check_ledger(context.database).breaches == []
