"""A clock that the sweeper cannot read: it alone is set aside, and all else goes on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

import pytest
from sqlalchemy import Text, literal, select, type_coerce, update

from service.loop import Loop
from service.store.tables import seat_clocks
from service.wiring import utc_now
from tests.faults.trial import GAME, Trial
from tools.client import start_match
from tools.launch import overland
from tools.waiting import until

pytestmark = pytest.mark.deep


def test_a_clock_that_cannot_be_read_stops_no_other(trial: Trial) -> None:
    players = trial.players.sign_up(2)
    match_id = start_match(trial.players.client(), GAME, players, "A broken clock")
    its = seat_clocks.c.match_id == match_id

    def aside() -> set[str]:
        listed = overland("aside", "list", "--json", environ=trial.service.environ).stdout
        return {each["loop"] for each in map(json.loads, listed.splitlines()) if each["item"] == match_id}

    @contextmanager
    def unreadable() -> Iterator[None]:
        columns = seat_clocks.c.seat, type_coerce(seat_clocks.c.document, Text), seat_clocks.c.due_at
        with trial.database.write() as connection:
            before = connection.execute(select(*columns).where(its)).all()
            assert before, "the match has a clock"
            broken = {"document": literal("{", Text), "due_at": utc_now() - timedelta(minutes=1)}
            connection.execute(update(seat_clocks).where(its).values(broken))
        until(lambda: Loop.CLOCKS in aside(), "the clock is set aside")
        trial.more_turns(2)
        with trial.database.write() as connection:
            for seat, document, due_at in before:
                whole = {"document": literal(document, Text), "due_at": due_at}
                connection.execute(update(seat_clocks).where(its, seat_clocks.c.seat == seat).values(whole))
        for loop in aside():
            tried = overland("aside", "retry", loop, match_id, environ=trial.service.environ)
            assert tried.returncode == 0 or "is not set aside" in tried.stderr, "the sweeper may have been first"
        until(lambda: not aside(), "the clock is read again")
        yield

    trial.suffer("a clock that the sweeper cannot read", unreadable())
