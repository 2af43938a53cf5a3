"""What may happen to a sweeper while it acts on deadlines: it is killed, there are two, its clock
steps, and a deadline comes in the second of a turn.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

import pytest
from sqlalchemy import Connection

from service.clocks.rule import PRESETS
from service.clocks.seat import LEFT_AFTER_OUTAGE, Ground, SeatClock, Stop, deadline, stops_ahead
from service.clocks.spans import DAY, HOUR, instant
from service.context import Context
from service.ledger.check import check_ledger
from service.store import heartbeats
from service.store.database import Database
from service.store.tables import outages
from service.sweeps import sweep
from service.turns.submit import submit
from tests.service.fakes import Clock, Round, at_once, judged_batch, notices, restarted, started
from tests.service.swept import act_on_due
from tests.service.turns.clocks import due, kinds, now_is, steps

pytestmark = pytest.mark.usefixtures("pearls")


class Killed(BaseException):
    """The process is killed."""


@contextmanager
def killed(monkeypatch: pytest.MonkeyPatch, committed: bool) -> Iterator[None]:
    """Kills the process at its first write: before the commit, or after it and before anybody is
    woken.
    """
    write = Database.write

    @contextmanager
    def dying(database: Database) -> Iterator[Connection]:
        with write(database) as connection:
            yield connection
            if not committed:
                raise Killed
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(Database, "write", dying)
        try:
            yield
        except Killed:
            return
    raise AssertionError("nothing was written")


def up(context: Context, table: Round) -> None:
    """Moves on until the time of the first seat is up."""
    now_is(context, due(context, table) + timedelta(seconds=20))


@pytest.mark.parametrize("committed", [False, True])
def test_the_turn_of_a_bot_and_its_mail_are_there_together_and_once(
    context: Context, monkeypatch: pytest.MonkeyPatch, committed: bool
) -> None:
    table = started(context, "pearls", clock="brisk")
    up(context, table)
    with killed(monkeypatch, committed):
        act_on_due(context)
    act_on_due(restarted(context))
    with killed(monkeypatch, committed):
        judged_batch(restarted(context))
    for _ in range(2):
        sweep(restarted(context))
        judged_batch(restarted(context))
    assert kinds(context, table)[1:] == ["time_up_bot_turn"]
    assert len(notices(context, "time_up")) == 1
    assert check_ledger(context.database).breaches == []


def test_two_sweepers_at_the_same_time_act_once(context: Context) -> None:
    tables = [started(context, "pearls", names=(f"Ada{n}", f"Bela{n}"), clock="brisk") for n in range(6)]
    up(context, tables[-1])
    at_once(*[lambda: act_on_due(restarted(context))] * 4)
    judged_batch(context)
    assert [kinds(context, table) for table in tables] == [["begun", "time_up_bot_turn"]] * 6
    assert len(notices(context, "time_up")) == 6
    assert check_ledger(context.database).breaches == []


@pytest.mark.parametrize("received", [-1, 0, 1])
@pytest.mark.parametrize("swept_first", [False, True])
def test_a_turn_in_the_second_of_the_deadline_counts_in_either_order(
    context: Context, received: int, swept_first: bool
) -> None:
    table = started(context, "pearls", clock="brisk")
    at = due(context, table)
    now_is(context, at + timedelta(seconds=received))
    if swept_first:
        assert not act_on_due(context).anything  # within the margin nothing is done
    submit(context, table.players[0], table.match.id, 0, steps(context, table)[-1].ply, notation="dive")
    now_is(context, at + timedelta(minutes=5))
    assert not act_on_due(context).anything
    judged_batch(context)
    last = steps(context, table)[-1]
    assert last.kind == "turn"
    assert last.counts_at == instant(at) + received
    assert check_ledger(context.database).breaches == []


def test_a_clock_that_steps_back_an_hour_does_nothing_twice_and_orders_the_steps(context: Context) -> None:
    table = started(context, "pearls", clock="brisk")
    up(context, table)
    assert act_on_due(context).stored == 1
    judged_batch(context)
    before = due(context, table, 1)
    now_is(context, context.clock() - timedelta(hours=1))
    assert not act_on_due(context).anything
    assert due(context, table, 1) == before
    submit(context, table.players[1], table.match.id, 1, steps(context, table)[-1].ply, notation="dive")
    judged_batch(context)
    written = [step.at for step in steps(context, table)]
    assert written == sorted(written)
    assert kinds(context, table) == ["begun", "time_up_bot_turn", "turn"]
    assert check_ledger(context.database).breaches == []


def beaten(context: Context) -> None:
    with context.database.write() as connection:
        for part in heartbeats.PARTS:
            heartbeats.beat(connection, part, context.clock())


def test_a_clock_that_steps_ahead_an_hour_is_an_outage_and_nobodys_time_is_up_by_it(context: Context) -> None:
    table = started(context, "pearls", clock="brisk")
    at = due(context, table)
    now_is(context, at - timedelta(minutes=30))
    beaten(context)
    now_is(context, at + timedelta(minutes=30))  # half an hour after the deadline, by a wrong clock
    assert not act_on_due(context).anything
    beaten(context)
    assert not act_on_due(context).anything
    assert due(context, table) == context.clock() + timedelta(hours=2)


@pytest.mark.parametrize("clocks", [20_000, pytest.param(100_000, marks=pytest.mark.deep)])
def test_of_many_clocks_that_are_due_after_six_hours_of_outage_none_is_early(clocks: int) -> None:
    luck, rule, began = random.Random("six hours"), PRESETS["relaxed"], 1_795_000_000
    outage = Stop("outage", began, began + 6 * HOUR)
    early = within = 0
    for _ in range(clocks):
        clock = SeatClock(left=luck.randrange(1, 3 * DAY), reserve=0, since=began - luck.randrange(3 * DAY))
        before = deadline(clock, ())
        assert before is not None
        pause = luck.randrange(-DAY, 6 * HOUR)
        declared = (
            (Stop("pause", began + pause, began + pause + luck.randrange(1, DAY)),) if luck.random() < 0.2 else ()
        )
        stopped = deadline(clock, stops_ahead(rule, clock, Ground(None, declared, ())))
        after = deadline(clock, stops_ahead(rule, clock, Ground(None, declared, (outage,))))
        assert stopped is not None
        assert after is not None
        if stopped >= outage.start:
            within += stopped < outage.end
            early += after < outage.end + LEFT_AFTER_OUTAGE or after < stopped
        else:
            assert after == stopped
    assert early == 0
    assert within > clocks // 20


@pytest.mark.parametrize("matches", [10, pytest.param(40, marks=pytest.mark.deep)])
def test_after_six_hours_of_outage_the_sweeper_acts_on_each_at_its_time_and_on_none_before(
    context: Context, matches: int
) -> None:
    names = [(f"Ada{number}", f"Bela{number}") for number in range(matches)]
    clock = context.clock
    assert isinstance(clock, Clock)
    tables = []
    for pair in names:
        tables.append(started(context, "pearls", names=pair, clock="brisk"))
        clock.now += timedelta(hours=6) / matches
    start = due(context, tables[0]) - timedelta(minutes=5)
    end = start + timedelta(hours=6)
    with context.database.write() as connection:
        connection.execute(outages.insert().values(part="api", start_at=start, end_at=end))
    now_is(context, end + timedelta(seconds=20))
    assert not act_on_due(context).anything
    deadlines = [due(context, table) for table in tables]
    assert min(deadlines) == end + timedelta(hours=2)
    for at in sorted(set(deadlines)):
        now_is(context, at - timedelta(seconds=1))
        assert not act_on_due(context).anything
        now_is(context, at + timedelta(seconds=16))
        assert act_on_due(context).stored == deadlines.count(at)
        judged_batch(context)
        assert [kinds(context, table) == ["begun", "time_up_bot_turn"] for table in tables] == [
            each <= at for each in deadlines
        ]
    assert len(notices(context, "time_up")) == matches
