"""Whatever goes wrong while a part beats, it beats again when that is over."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy.exc import OperationalError

from service.context import Context
from service.heartbeats import EVERY_SECONDS, SWEEPER, Pulse
from service.store import heartbeats
from service.store.database import Database
from tests.service.fakes import Clock, Timer


def beaten(context: Context) -> bool:
    with context.database.read() as connection:
        return heartbeats.all_beaten(connection) == context.clock()


def away(*_: object) -> None:
    raise OperationalError("SELECT 1", {}, Exception("the database is away"))


@pytest.mark.parametrize("what", ["maintenance", "write"])
def test_a_heart_goes_on_after_the_database_was_away(
    context: Context, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    pulse = Pulse(context, SWEEPER)
    pulse.beat()
    clock, timer = context.clock, context.timer
    assert isinstance(clock, Clock)
    assert isinstance(timer, Timer)
    with monkeypatch.context() as patch:
        patch.setattr(Context if what == "maintenance" else Database, what, away)
        for _ in range(3):
            clock.advance(seconds=EVERY_SECONDS)
            timer.advance(EVERY_SECONDS)
            pulse.beat()
    assert not beaten(context)
    pulse.beat()
    assert beaten(context)


def test_a_heart_that_has_just_beaten_writes_nothing(context: Context) -> None:
    pulse, clock, timer = Pulse(context, SWEEPER), context.clock, context.timer
    assert isinstance(clock, Clock)
    assert isinstance(timer, Timer)
    timer.advance(1000)
    pulse.beat()
    clock.advance(seconds=1)
    timer.advance(EVERY_SECONDS - 1)
    pulse.beat()
    assert not beaten(context)
    timer.advance(1)
    pulse.beat()
    assert beaten(context)


def test_the_gap_of_a_sweeper_is_an_outage_like_that_of_any_part(context: Context) -> None:
    Pulse(context, SWEEPER).beat()
    clock = context.clock
    assert isinstance(clock, Clock)
    clock.advance(hours=1)
    with context.database.read() as connection:
        assert heartbeats.parts_out(connection, clock.now) == {SWEEPER}
    Pulse(replace(context), SWEEPER).beat()
    with context.database.read() as connection:
        assert heartbeats.parts_out(connection, clock.now) == frozenset()
