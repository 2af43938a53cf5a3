"""Each kind of sweep, and each match in it, concerns itself alone."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from types import MappingProxyType

import pytest
from sqlalchemy import text

from service import sweeps
from service.context import Context
from service.loop import TERMS, Loop
from service.store import leasing
from service.store.leasing import Aside
from service.sweeps import LONGEST_SECONDS, SWEEPS, sweep
from service.upkeep import UPKEEP
from tests.service.fakes import Timer, later, notices, started
from tests.service.turns.clocks import due, now_is

pytestmark = pytest.mark.usefixtures("pearls")


def set_aside(context: Context) -> list[Aside]:
    with context.database.read() as connection:
        return list(leasing.items_set_aside(connection))


def test_one_clock_that_cannot_be_read_keeps_no_other_from_acting(context: Context) -> None:
    tables = [started(context, "pearls", names=(f"A{n}", f"B{n}"), clock="brisk") for n in range(3)]
    now_is(context, max(due(context, table) for table in tables) + timedelta(days=3))
    with context.database.write() as connection:
        broken = "UPDATE seat_clocks SET document = '{' WHERE match_id = :id"
        connection.execute(text(broken), {"id": tables[1].match.id})
    swept = sweep(context)
    assert (swept[Loop.CLOCKS]["done"], swept[Loop.CLOCKS]["failed"]) == (2, 1)
    assert swept[Loop.REMINDERS]["failed"] >= 1
    assert len(notices(context, "reminder")) >= 2, "the others are reminded"
    assert all(swept[Loop.SWEEPS][result] == 0 for result in ("failed",))
    failed = {each.loop: each for each in set_aside(context)}
    assert failed[Loop.CLOCKS].item == tables[1].match.id
    assert "JSONDecodeError" in failed[Loop.CLOCKS].error


def test_what_fails_is_tried_again_after_growing_pauses_then_kept_and_done_when_it_is_mended(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = []

    def fails(_: Context, item: str) -> int:
        tried.append(item)
        if item == "bad":
            raise RuntimeError("no")
        return 1

    kind = sweeps.Sweep(lambda _: ("bad", "good"), fails)
    monkeypatch.setattr(sweeps, "SWEEPS", MappingProxyType({**SWEEPS, Loop.CLOCKS: kind}))
    most = TERMS[Loop.CLOCKS].most_attempts
    for attempt in range(1, most + 1):
        assert sweep(context)[Loop.CLOCKS]["failed"] == 1
        assert tried.count("bad") == attempt
        sweep(context)
        assert tried.count("bad") == attempt, "it waits"
        later(context, minutes=40)
    assert tried.count("good") == 2 * most
    (kept,) = set_aside(context)
    assert (kept.item, kept.attempts, kept.kept) == ("bad", most, True)
    later(context, days=3)
    sweep(context)
    assert tried.count("bad") == most
    with context.database.write() as connection:
        assert leasing.retry_item(connection, Loop.CLOCKS, "bad", context.clock())
    monkeypatch.setattr(sweeps, "SWEEPS", MappingProxyType({**SWEEPS, Loop.CLOCKS: replace(kind, act=lambda *_: 1)}))
    assert sweep(context)[Loop.CLOCKS]["failed"] == 0
    assert set_aside(context) == []


@pytest.mark.parametrize("loop", [*SWEEPS, *UPKEEP])
def test_a_kind_that_fails_as_a_whole_keeps_no_other_from_being_done(
    context: Context, monkeypatch: pytest.MonkeyPatch, loop: Loop
) -> None:
    done = list[Loop]()

    def of(each: Loop) -> int:
        if each == loop:
            raise RuntimeError("no")
        done.append(each)
        return 1

    kinds = {each: sweeps.Sweep(lambda _, each=each: (str(of(each)),), lambda *_: 0) for each in SWEEPS}  # type: ignore[misc]
    whole = {each: lambda _, each=each: of(each) for each in UPKEEP}
    monkeypatch.setattr(sweeps, "SWEEPS", MappingProxyType(kinds))
    monkeypatch.setattr(sweeps, "UPKEEP", MappingProxyType(whole))
    assert sweep(context)[Loop.SWEEPS]["failed"] == 1
    assert set(done) == {*SWEEPS, *UPKEEP} - {loop}
    (failed,) = set_aside(context)
    assert (failed.loop, failed.item) == (Loop.SWEEPS, loop)


@pytest.mark.parametrize("loop", SWEEPS)
def test_what_takes_long_is_left_to_the_next_sweep_and_keeps_no_other_kind_waiting(
    context: Context, monkeypatch: pytest.MonkeyPatch, loop: Loop
) -> None:
    timer, left = Timer(), [f"item {number}" for number in range(5)]

    def act(_: Context, item: str) -> int:
        left.remove(item)
        timer.advance(LONGEST_SECONDS / 2 + 1)
        return 1

    kind = sweeps.Sweep(lambda _: tuple(left), act)
    monkeypatch.setattr(sweeps, "SWEEPS", MappingProxyType({**SWEEPS, loop: kind}))
    done = [sweep(replace(context, timer=timer))[loop]["done"] for _ in range(4)]
    assert done == [2, 2, 1, 0]
    assert set_aside(context) == []


@pytest.mark.parametrize("loop", SWEEPS)
def test_what_is_due_however_often_it_is_looked_at_leaves_none_out_where_time_is_short(
    context: Context, monkeypatch: pytest.MonkeyPatch, loop: Loop
) -> None:
    timer, seen = Timer(), set[str]()

    def act(_: Context, item: str) -> int:
        seen.add(item)
        timer.advance(LONGEST_SECONDS + 1)
        return 0

    ids = tuple(f"item {number}" for number in range(5))
    monkeypatch.setattr(sweeps, "SWEEPS", MappingProxyType({**SWEEPS, loop: sweeps.Sweep(lambda _: ids, act)}))
    for _ in range(8 * len(ids)):
        sweep(replace(context, timer=timer))
        later(context, minutes=1)
    assert seen == set(ids)


def test_a_sweep_that_finds_nothing_writes_nothing(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    sweep(context)
    monkeypatch.setattr(leasing, "charge_items", lambda *_: pytest.fail("nothing is due"))
    swept = sweep(context, first=False)
    assert sum(swept[Loop.SWEEPS].values()) == len(SWEEPS) + len(UPKEEP)
