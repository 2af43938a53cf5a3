"""Rulings in child processes: what hangs or kills ends a child, and what was committed is
believed.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from engine.types import VerdictStatus
from service.children import ForkServer, Handler, note_waiting
from service.context import Context
from service.guard import Batch, Died
from service.kept import States
from service.store import matches as match_rows
from service.store import turns as turn_rows
from service.store.database import Database
from service.turns import rulings as module
from service.turns.judge import Case, OwnRulings, Ruling, RulingResult, in_child
from service.turns.rulings import ChildRulings
from service.turns.submit import submit
from service.turns.verdicts import StoredVerdict
from tests.service.fakes import Round, discovered, judged_batch, started, wired_in
from tests.service.forking import forks

pytestmark = pytest.mark.usefixtures("pearls")

LONG = 600.0
ACCEPTED: VerdictStatus = "accepted"


def case(context: Context, table: Round, seat: int = 0, ply: int = 0) -> Case:
    """A queued turn of a match, as a worker reads it."""
    turn = submit(context, table.players[seat], table.match.id, None, ply, notation="dive")
    with context.database.read() as connection:
        match, stored = match_rows.find(connection, table.match.id), turn_rows.find(connection, turn.id)
    assert match is not None
    assert stored is not None
    return Case(match, stored)


def test_a_ruling_in_a_child_is_the_one_of_this_process(context: Context) -> None:
    asked = case(context, started(context, "pearls"))
    url = context.database.url.render_as_string(hide_password=False)
    with forks(lambda: in_child(OwnRulings(Database(url), States(10)))) as server:
        ((_, result),) = ruled(ChildRulings(server, time.monotonic, LONG), [asked])
    own = OwnRulings(context.database, context.states).ruling(asked)
    assert isinstance(own, Ruling)
    assert result == own


def test_states_are_believed_when_they_are_committed_and_not_before(
    context: Context, ranges_read: list[tuple[int, int]]
) -> None:
    table = started(context, "pearls")
    rulings = OwnRulings(context.database, States(10))
    first = case(context, table)
    rulings.ruling(first)
    assert rulings.states.nearest(table.match.id, 2) == rulings.states.nearest(table.match.id, 0)
    judged_batch(context)
    rulings.committed([first.turn.id])
    second = case(context, table, seat=1, ply=2)
    ranges_read.clear()
    assert isinstance(rulings.ruling(second), Ruling)
    assert ranges_read == []


def test_what_was_not_committed_is_forgotten(context: Context) -> None:
    table = started(context, "pearls")
    rulings = OwnRulings(context.database, States(10))
    asked = case(context, table)
    rulings.ruling(asked)
    rulings.committed([])
    rulings.committed([asked.turn.id])
    known = rulings.states.nearest(table.match.id, 2)
    assert known is not None
    assert known[0] == 0


def scripted() -> Handler:
    """A child that does what the id of a turn says."""

    def handle(request: tuple[Case, Any]) -> RulingResult:
        turn = request[0].turn
        match turn.id:
            case "hang":
                while True:
                    pass
            case "die":
                os.kill(os.getpid(), signal.SIGKILL)
            case "raise":
                raise RuntimeError("The child cannot do this.")
            case "slow":
                time.sleep(1.5)
            case "waits":
                note_waiting(True)
                time.sleep(1.5)
                note_waiting(False)
            case "waits for ever":
                note_waiting(True)
                time.sleep(LONG)
        return Ruling(StoredVerdict(ACCEPTED, 1, 0, 1), None)

    return handle


@pytest.fixture(scope="module")
def server() -> Iterator[ForkServer]:
    with forks(scripted) as made:
        yield made


@pytest.fixture(scope="module")
def cases(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Case]:
    """A case that does nothing wrong, and those that do what their names say. No child reads the
    database.
    """
    context = wired_in(tmp_path_factory.mktemp("cases"))
    with discovered():
        good = case(context, started(context, "pearls"))
    context.close()
    return {
        name: Case(good.match, replace(good.turn, id=name))
        for name in ("one", "two", "hang", "die", "raise", "slow", "waits", "waits for ever")
    }


def ruled(rulings: ChildRulings, cases: list[Case]) -> list[tuple[Case, RulingResult]]:
    """The results of a batch, also on a slow machine."""
    results = rulings.rule(cases)
    while rulings.slow():
        results += rulings.collect(0.05)
    return results


def names(results: list[tuple[Case, RulingResult]]) -> dict[str, str]:
    return {case.turn.id: type(result).__name__ for case, result in results}


def test_a_turn_that_kills_the_child_is_named_and_the_next_batch_has_another(
    server: ForkServer, cases: dict[str, Case]
) -> None:
    rulings = ChildRulings(server, time.monotonic, LONG)
    results = ruled(rulings, [cases["one"], cases["die"], cases["two"]])
    assert names(results) == {"die": "Died"}
    (_, result) = results[0]
    assert isinstance(result, Died)
    assert "SIGKILL" in result.error
    assert names(ruled(rulings, [cases["one"], cases["two"]])) == {"one": "Ruling", "two": "Ruling"}


def test_an_error_of_the_child_concerns_its_turn_only(server: ForkServer, cases: dict[str, Case]) -> None:
    results = ruled(ChildRulings(server, time.monotonic, LONG), [cases["one"], cases["raise"], cases["two"]])
    assert names(results) == {"one": "Ruling", "raise": "Raised", "two": "Ruling"}


def test_a_turn_that_hangs_delays_no_other_and_is_ended_at_its_deadline(
    server: ForkServer, cases: dict[str, Case]
) -> None:
    moments = [0.0]
    rulings = ChildRulings(server, lambda: moments[0] + time.monotonic(), LONG)
    assert rulings.rule([cases["hang"], cases["one"]]) == []
    assert rulings.slow() == {"hang"}
    assert "one" in names(rulings.rule([cases["one"]])) or "one" in rulings.slow()
    assert rulings.collect() == [] or "hang" in rulings.slow()
    moments[0] += LONG
    results = list[tuple[Case, RulingResult]]()
    while "hang" not in names(results):
        results += rulings.collect(0.05)
    assert names(results)["hang"] == "OutOfTime"
    assert "hang" not in rulings.slow()


def test_a_slow_turn_gets_its_verdict_when_it_is_done(server: ForkServer, cases: dict[str, Case]) -> None:
    rulings = ChildRulings(server, time.monotonic, LONG)
    results = rulings.rule([cases["one"], cases["slow"], cases["two"]])
    assert results == []
    assert rulings.slow() <= {"slow", "one"}
    while "slow" not in names(results):
        results += rulings.collect(0.05)
    assert names(results)["slow"] == "Ruling"
    assert rulings.slow() == frozenset()


def test_of_too_many_turns_that_hang_one_gives_way_to_the_next(
    server: ForkServer, cases: dict[str, Case], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_SLOW", 2)
    rulings = ChildRulings(server, time.monotonic, LONG)
    assert [names(rulings.rule([cases["hang"]])) for _ in range(2)] == [{}, {}]
    results = list[tuple[Case, RulingResult]]()
    while "one" not in names(results):
        results += rulings.rule([cases["one"]])
    assert names(results) == {"hang": "OutOfTime", "one": "Ruling"}
    for slow in rulings._slow:
        slow.batch.kill()


def test_a_turn_that_was_tried_before_gives_way_to_none(
    server: ForkServer, cases: dict[str, Case], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_SLOW", 2)
    moments = [0.0]
    rulings = ChildRulings(server, lambda: moments[0] + time.monotonic(), LONG)
    tried = Case(cases["hang"].match, replace(cases["hang"].turn, attempts=1))
    for _ in range(2):
        rulings.rule([tried])
    assert rulings.rule([cases["one"]]) == []
    moments[0] += LONG
    while rulings.slow():
        rulings.collect(0.05)
    assert names(ruled(rulings, [cases["one"]])) == {"one": "Ruling"}


class Interrupted(BaseException):
    """What ends a job whose time is up."""


def test_the_answers_to_an_interrupted_batch_are_not_taken_for_those_to_the_next(
    server: ForkServer, cases: dict[str, Case]
) -> None:
    interruptions = [Interrupted()]

    def timer() -> float:
        if times and interruptions:
            raise interruptions.pop()
        times.append(time.monotonic())
        return times[-1]

    times = list[float]()
    rulings = ChildRulings(server, timer, LONG)
    with pytest.raises(Interrupted):
        rulings.rule([cases["slow"]])
    assert names(ruled(rulings, [cases["raise"]])) == {"raise": "Raised"}


def test_waiting_for_the_database_does_not_count(server: ForkServer, cases: dict[str, Case]) -> None:
    rulings = ChildRulings(server, time.monotonic, 0.5)
    assert names(ruled(rulings, [cases["waits"]])) == {"waits": "Ruling"}


def test_a_turn_whose_child_waits_for_ever_is_taken_another_time(server: ForkServer, cases: dict[str, Case]) -> None:
    moments = iter(range(0, 1000, 10))
    rulings = ChildRulings(server, lambda: float(next(moments)), 0.5)
    assert names(ruled(rulings, [cases["waits for ever"]])) == {"waits for ever": "Waited"}
    assert names(ruled(ChildRulings(server, time.monotonic, LONG), [cases["one"]])) == {"one": "Ruling"}


def test_starting_does_not_count(cases: dict[str, Case]) -> None:
    def slowly() -> Handler:
        time.sleep(1.5)
        return scripted()

    with forks(slowly) as server:
        assert names(ruled(ChildRulings(server, time.monotonic, 0.5), [cases["one"]])) == {"one": "Ruling"}


def test_a_child_that_ends_before_it_begins_is_not_the_fault_of_a_turn(cases: dict[str, Case]) -> None:
    def broken() -> Handler:
        os._exit(3)

    with forks(broken) as server:
        results = ruled(ChildRulings(server, time.monotonic, LONG), [cases["one"], cases["two"]])
    assert names(results) == {"one": "Waited"}


def test_of_those_that_are_slow_the_first_alone_is_waited_for(
    server: ForkServer, cases: dict[str, Case], monkeypatch: pytest.MonkeyPatch
) -> None:
    rulings = ChildRulings(server, time.monotonic, 1.0)
    while len(rulings.slow()) < 2:
        rulings.rule([cases["hang" if "slow" in rulings.slow() else "slow"]])
    polled, poll = list[float](), Batch.poll

    def noted(batch: Batch, seconds: float) -> object:
        polled.append(seconds)
        return poll(batch, seconds)

    monkeypatch.setattr(Batch, "poll", noted)
    rulings.collect(0.05)
    assert polled == [0.05, 0]
    while rulings.slow():
        rulings.collect(0.05)
