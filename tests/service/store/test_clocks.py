"""What is read of the steps of clocks."""

from __future__ import annotations

import pytest

from engine.play import Mark
from service.clocks.history import ClockStep
from service.context import Context
from service.store import clocks
from service.store.clocks import StoredClockStep
from tests.service.fakes import started

pytestmark = pytest.mark.usefixtures("pearls")
AFTER: tuple[tuple[Mark, ...], ...] = ((Mark((0, 1), 0), Mark((1,), 0)), (), ())
"""The marks of steps that follow the deal: two entries, and twice none."""


def test_the_last_mark_is_that_of_the_latest_entry(context: Context) -> None:
    match_id = started(context, "pearls", clock="brisk").match.id
    with context.database.write() as connection:
        assert clocks.last_mark(connection, match_id) == clocks.steps_of(connection, match_id)[-1].marks[-1]
        steps = [ClockStep("turn", 0, 0, 0, 0, marks=marks) for marks in AFTER]
        clocks.add_steps(connection, [StoredClockStep(match_id, 1 + at, None, step) for at, step in enumerate(steps)])
        assert clocks.last_mark(connection, match_id) == Mark((1,), 0)
