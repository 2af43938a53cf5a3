"""What a woken worker does: pending turns, oldest first, and one that cannot be judged does not
affect the others.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import Any

import pytest
import structlog

from service.api.problems import kind_of
from service.children import Handler
from service.context import Context
from service.errors import Conflict, NotFound
from service.guard import Died, Waited
from service.kept import States
from service.ledger.check import check_ledger
from service.matches import lobby, mending
from service.matches.check import check, wake_if_mended
from service.matches.lobby import resign
from service.matches.replays import MatchUnreadable
from service.matches.types import SeatRequest
from service.queue import Heard
from service.store import matches as match_rows
from service.store import survey
from service.store import turns as rows
from service.store.database import Database
from service.store.matches import StoredStep
from service.store.postgresql import SERVER_SETTINGS
from service.store.tables import entries, matches
from service.store.tables import turns as turn_table
from service.turns import lookup, pending
from service.turns import rulings as module
from service.turns.batch import MOST_ATTEMPTS, CannotJudge, judge_oldest, settle_slow
from service.turns.judge import Case, OwnRulings, RulingResult, in_child
from service.turns.rulings import ChildRulings
from service.turns.submit import retry, submit
from service.turns.types import Turn
from service.views import match as views
from service.views.match import board_text
from tests.service.fakes import (
    Clock,
    Round,
    Timer,
    judged_batch,
    log_of,
    notices,
    person,
    restarted,
    set_apart,
    started,
)
from tests.service.forking import forks
from tests.service.test_loops import Unnoted
from tools.memory_queue import MemoryQueue

pytestmark = pytest.mark.usefixtures("pearls")


class Deadly:
    """Rules on turns in this process, but for those that kill whoever rules on them."""

    def __init__(self, context: Context, deadly: Callable[[Case], bool]) -> None:
        self._own, self._deadly = OwnRulings(context.database, context.states), deadly
        self.batches: list[list[Case]] = []

    def rule(self, cases: Sequence[Case]) -> list[tuple[Case, RulingResult]]:
        self.batches.append(list(cases))
        for case in cases:
            if self._deadly(case):
                return [(case, Died("killed by SIGKILL"))]
        return self._own.rule(cases)

    def collect(self, seconds: float = 0) -> list[tuple[Case, RulingResult]]:
        return []

    def slow(self) -> frozenset[str]:
        return frozenset()

    def committed(self, turn_ids: Collection[str]) -> None:
        self._own.committed(turn_ids)


def dived(context: Context, table: Round, seat: int = 0) -> Turn:
    return submit(context, table.players[seat], table.match.id, None, 0, notation="dive")


def found(context: Context, table: Round, turn: Turn) -> Turn:
    player = next(player for player in table.players if player.id == turn.player_id)
    return lookup.find(context, player, table.match.id, turn.id)


def status(context: Context, table: Round, turn: Turn) -> str:
    return found(context, table, turn).status


def attempts(context: Context, turn: Turn) -> int:
    with context.database.read() as connection:
        stored = rows.find(connection, turn.id)
    assert stored is not None
    return stored.attempts


def tables(context: Context, count: int) -> list[Round]:
    return [started(context, "pearls", names=(f"Ada{index}", f"Bela{index}")) for index in range(count)]


def test_all_pending_turns_are_judged_the_older_ones_first(context: Context) -> None:
    rounds = tables(context, 3)
    first = [set_apart(context, dived(context, table)) for table in rounds]
    assert isinstance(context.clock, Clock)
    context.clock.advance(seconds=1)
    second = [set_apart(context, dived(context, table)) for table in rounds]
    assert pending.judge_pending(context) == 6
    assert [status(context, table, turn) for table, turn in zip(rounds, first, strict=True)] == ["accepted"] * 3
    assert [status(context, table, turn) for table, turn in zip(rounds, second, strict=True)] == ["rejected"] * 3
    assert pending.judge_pending(context) == 0


@pytest.mark.usefixtures("in_advance")
def test_a_seat_has_one_waiting_turn_in_a_match(context: Context) -> None:
    table, other = tables(context, 2)
    first = dived(context, table)
    with pytest.raises(Conflict, match="waits for its verdict") as refused:
        dived(context, table)
    assert (refused.value.code, kind_of(refused.value).status) == ("turn_waiting", 409)
    assert status(context, table, dived(context, table, seat=1)) == "queued"
    assert status(context, other, dived(context, other)) == "queued"
    assert pending.judge_pending(context) == 3
    assert status(context, table, first) == "accepted"
    again = submit(context, table.players[1], table.match.id, None, 2, notation="dive")
    assert status(context, table, again) == "queued"


def test_a_turn_that_kills_its_judge_is_tried_three_times_alone_and_then_refused(context: Context) -> None:
    rounds = tables(context, 4)
    submitted = [dived(context, table) for table in rounds]
    deadly = submitted[1]
    rulings = Deadly(context, lambda case: case.turn.id == deadly.id)
    with structlog.testing.capture_logs() as logs:
        assert pending.judge_pending(context, rulings) == 4
    assert [status(context, table, turn) for table, turn in zip(rounds, submitted, strict=True)] == [
        "accepted",
        "rejected",
        "accepted",
        "accepted",
    ]
    assert [len(batch) for batch in rulings.batches if deadly.id in {case.turn.id for case in batch}] == [4, 1, 1]
    verdict = found(context, rounds[1], deadly).verdict
    assert verdict is not None
    assert verdict.violation is not None
    assert verdict.violation.code == "judge_failed"
    assert log_of(context, rounds[1].match.id) == ()
    assert attempts(context, deadly) == MOST_ATTEMPTS
    assert [attempts(context, turn) for turn in submitted if turn is not deadly] == [0, 0, 0]
    assert [entry["turn"] for entry in logs if entry["event"] == "turn.quarantined"] == [deadly.id]
    assert len(notices(context, "verdict")) == 4
    with context.database.read() as connection:
        assert survey.backlog(connection, context.clock()).quarantined == 1


def test_only_a_quarantined_turn_is_submitted_again_as_a_new_one(context: Context) -> None:
    first, second = tables(context, 2)
    deadly, fine = dived(context, first), dived(context, second)

    def again(turn_id: str) -> str:
        return retry(context.database, context.entropy, turn_id, context.clock())

    with pytest.raises(Conflict, match="is not quarantined; it is queued"):
        again(deadly.id)
    pending.judge_pending(context, Deadly(context, lambda case: case.turn.id == deadly.id))
    with pytest.raises(NotFound, match="There is no turn nothing"):
        again("nothing")
    with pytest.raises(Conflict, match="is not quarantined; it is accepted"):
        again(fine.id)
    new = replace(deadly, id=again(deadly.id))
    with pytest.raises(Conflict, match="another turn that waits"):
        again(deadly.id)
    assert pending.judge_pending(context) == 1
    assert (status(context, first, deadly), status(context, first, new)) == ("rejected", "accepted")


def test_the_attempt_is_committed_before_the_turn_is_tried_again(context: Context) -> None:
    (table,) = tables(context, 1)
    turn = dived(context, table)
    counted = []

    def deadly(case: Case) -> bool:
        counted.append(attempts(context, turn))
        return True

    pending.judge_pending(context, Deadly(context, deadly))
    assert counted == [0, 2, 3]


def test_a_turn_whose_worker_died_each_time_is_refused_without_another_try(context: Context) -> None:
    (table,) = tables(context, 1)
    turn = dived(context, table)
    for _ in range(MOST_ATTEMPTS):
        with context.database.write() as connection:
            rows.count_attempts(connection, [turn.id])
    rulings = Deadly(context, lambda case: True)
    assert pending.judge_pending(context, rulings) == 1
    assert rulings.batches == []
    assert status(context, table, turn) == "rejected"


def test_a_turn_that_was_only_near_a_death_is_judged_and_its_attempts_forgotten(context: Context) -> None:
    (table,) = tables(context, 1)
    turn = dived(context, table)
    with context.database.write() as connection:
        rows.count_attempts(connection, [turn.id])
    assert pending.judge_pending(context) == 1
    assert (status(context, table, turn), attempts(context, turn)) == ("accepted", 0)


def test_while_others_wait_a_turn_that_was_tried_before_is_in_every_eighth_batch(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pending, "AT_ONCE", 1)
    rounds = tables(context, 20)
    submitted = [dived(context, table) for table in rounds]
    tried = {turn.id for turn in submitted[:3]}
    with context.database.write() as connection:
        rows.count_attempts(connection, tried)
    rulings = Deadly(context, lambda case: False)
    assert pending.judge_pending(context, rulings) == 20
    ruled = "".join("t" if case.turn.id in tried else "." for batch in rulings.batches for case in batch)
    assert ruled == ".t........t........t"


@pytest.mark.usefixtures("in_advance")
def test_a_match_that_cannot_be_replayed_is_marked_and_delays_nobody(context: Context) -> None:
    rounds = tables(context, 3)
    broken = rounds[1]
    submitted = [dived(context, table) for table in rounds]
    damage(context, broken)
    with structlog.testing.capture_logs() as logs:
        assert pending.judge_pending(restarted(context)) == 2
    assert [status(context, table, turn) for table, turn in zip(rounds, submitted, strict=True)] == [
        "accepted",
        "queued",
        "accepted",
    ]
    assert [entry["match"] for entry in logs if entry["event"] == "match.unreadable"] == [broken.match.id]
    with structlog.testing.capture_logs() as logs:
        assert pending.judge_pending(restarted(context)) == 0
    assert logs == []
    with pytest.raises(MatchUnreadable, match="Nothing is lost") as refused:
        dived(context, broken, seat=1)
    assert (refused.value.code, kind_of(refused.value).status) == ("match_unreadable", 503)
    with pytest.raises(MatchUnreadable):
        board_text(context, None, broken.match.id)
    assert views.match(context, None, broken.match.id).unreadable_at == context.clock()
    with context.database.read() as connection:
        assert survey.backlog(connection, context.clock()).unreadable == 1


def test_a_turn_that_was_stored_while_its_match_was_marked_delays_nobody_either(context: Context) -> None:
    broken, fine = tables(context, 2)
    turn = dived(context, broken)
    damage(context, broken)
    view = restarted(context)
    with pytest.raises(MatchUnreadable) as unreadable:
        board_text(view, None, broken.match.id)
    mending.report(view, unreadable.value)
    with context.database.write() as connection:
        connection.execute(turn_table.update().where(turn_table.c.id == turn.id).values(status="queued"))
    assert pending.judge_pending(restarted(context)) == 0
    with context.database.read() as connection:
        assert rows.oldest(connection, 64) == ()
    other = dived(context, fine)
    assert pending.judge_pending(restarted(context)) == 1
    assert status(context, fine, other) == "accepted"


def test_a_match_whose_rules_are_not_installed_is_marked_and_delays_nobody(context: Context) -> None:
    ahead, fine = tables(context, 2)
    held, other = dived(context, ahead), dived(context, fine)
    with context.database.write() as connection:
        connection.execute(matches.update().where(matches.c.id == ahead.match.id).values(rules_version=99))
    assert pending.judge_pending(restarted(context)) == 1
    assert (status(context, fine, other), attempts(context, held)) == ("accepted", 0)
    with context.database.read() as connection:
        marked = match_rows.find(connection, ahead.match.id)
        assert marked is not None
        assert (marked.unreadable_at, marked.unreadable_reason) == (context.clock(), "rules_version_missing")
        assert rows.oldest(connection, 64) == ()


class Late(OwnRulings):
    """Rules on turns in this process; before the first results arrive, others do something."""

    def __init__(self, context: Context, others: Callable[[], object]) -> None:
        super().__init__(context.database, context.states)
        self._others = [others]

    def rule(self, cases: Sequence[Case]) -> list[tuple[Case, RulingResult]]:
        results = super().rule(cases)
        while self._others:
            self._others.pop()()
        return results


def test_a_match_that_was_mended_meanwhile_is_not_marked_again(context: Context) -> None:
    (table,) = tables(context, 1)
    turn = dived(context, table)
    damage(context, table)

    def mend() -> None:
        views.match(restarted(context), None, table.match.id)
        with context.database.write() as connection:
            connection.execute(entries.delete().where(entries.c.match_id == table.match.id))
            connection.execute(matches.update().where(matches.c.id == table.match.id).values(ply=0))
        checked = check(context.database, table.match.id)
        assert checked is not None
        assert wake_if_mended(context.database, checked, context.clock())

    with structlog.testing.capture_logs() as logs:
        assert pending.judge_pending(context, Late(restarted(context), mend)) == 1
    assert [entry["event"] for entry in logs if entry["log_level"] == "error"] == ["match.unreadable"]
    assert status(context, table, turn) == "accepted"
    assert views.match(context, None, table.match.id).unreadable_at is None
    with context.database.write() as connection:
        connection.execute(entries.update().where(entries.c.ply == 0).values(action={"type": "fly"}))
    views.match(restarted(context), None, table.match.id)
    assert views.match(context, None, table.match.id).unreadable_at == context.clock()


def test_a_match_that_was_marked_meanwhile_is_marked_once(context: Context) -> None:
    (table,) = tables(context, 1)
    turn = dived(context, table)
    damage(context, table)
    assert isinstance(context.clock, Clock)
    clock, found_at = context.clock, context.clock()

    def view() -> None:
        views.match(restarted(context), None, table.match.id)
        clock.advance(seconds=1)

    with structlog.testing.capture_logs() as logs:
        assert pending.judge_pending(context, Late(restarted(context), view)) == 0
    assert [entry["event"] for entry in logs if entry["log_level"] == "error"] == ["match.unreadable"]
    assert views.match(context, None, table.match.id).unreadable_at == found_at
    assert status(context, table, turn) == "queued"


def damage(context: Context, table: Round) -> None:
    """Puts an entry into the log that is no action of the game."""
    with context.database.write() as connection:
        connection.execute(
            entries.insert().values(match_id=table.match.id, ply=0, seat=0, action={"type": "fly"}, at=context.clock())
        )
        connection.execute(matches.update().where(matches.c.id == table.match.id).values(ply=1))


def test_a_batch_is_one_transaction_and_announced_as_one(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    submitted = [dived(context, table) for table in tables(context, 5)]
    queue, batches = context.queue, []
    assert isinstance(queue, MemoryQueue)
    monkeypatch.setattr(queue, "announce_verdicts", lambda judged: batches.append({each.turn_id for each in judged}))
    woken = queue.notices
    assert pending.judge_pending(context) == 5
    assert batches == [{turn.id for turn in submitted}]
    assert queue.notices == woken + 1


def test_of_each_match_a_batch_takes_the_oldest_turn_alone(context: Context) -> None:
    table = started(context, "pearls")
    assert isinstance(context.clock, Clock)
    first = set_apart(context, dived(context, table))
    context.clock.advance(seconds=1)
    set_apart(context, dived(context, table))
    assert judged_batch(context).judged == (first.id,)


def test_a_row_that_the_database_refuses_does_not_affect_the_others(context: Context) -> None:
    rounds = tables(context, 3)
    submitted = [dived(context, table) for table in rounds]
    with (
        context.database.write() as connection
    ):  # an entry where the turn's own would be: as if its match had been tampered with
        match_rows.write_steps(
            connection, [StoredStep(rounds[1].match.id, 0, ((0, {"type": "dive"}),), None, {}, None)], context.clock()
        )
        connection.execute(matches.update().where(matches.c.id == rounds[1].match.id).values(ply=0))
    with structlog.testing.capture_logs() as logs:
        assert pending.judge_pending(context) == 3
    judged = [found(context, table, turn) for table, turn in zip(rounds, submitted, strict=True)]
    assert [turn.status for turn in judged] == ["accepted", "rejected", "accepted"]
    assert {entry["turn"] for entry in logs if entry["event"] == "turn.not_judged"} == {submitted[1].id}


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
def test_a_match_that_somebody_keeps_locked_delays_no_other(
    context: Context, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As by a client that was left open in a transaction. Its own turn is blamed for nothing."""
    rounds = tables(context, 3)
    submitted = [dived(context, table) for table in rounds]
    monkeypatch.setattr("service.store.postgresql.SERVER_SETTINGS", {**SERVER_SETTINGS, "lock_timeout": 200})
    judge = replace(restarted(context), database=Database(database_url))
    with context.database.write() as connection:
        connection.exec_driver_sql("SET LOCAL idle_in_transaction_session_timeout = 0")
        match_rows.lock(connection, rounds[0].match.id)
        assert set(judged_batch(judge).judged) == {turn.id for turn in submitted[1:]}
        assert judged_batch(judge).judged == ()
    assert attempts(context, submitted[0]) == 0
    assert judged_batch(judge).judged == (submitted[0].id,)
    judge.database.dispose()


def test_a_ruling_on_a_match_that_has_changed_meanwhile_is_dropped(context: Context) -> None:
    table = started(context, "pearls", 3)
    turn = dived(context, table)

    class Overtaken(Deadly):
        def rule(self, cases: Sequence[Case]) -> list[tuple[Case, RulingResult]]:
            ruled = super().rule(cases)
            if len(self.batches) == 1:
                resign(restarted(context), table.players[2], table.match.id)
            return ruled

    rulings = Overtaken(context, lambda case: False)
    assert pending.judge_pending(context, rulings) == 1
    assert len(rulings.batches) == 2
    assert status(context, table, turn) == "accepted"
    assert check_ledger(context.database).breaches == []


def test_the_attempt_is_counted_before_where_nobody_would_know_of_the_claim(context: Context) -> None:
    """Redis is away: the process may end at the turn, and the next one has to find that it did."""
    table, seen = started(context, "pearls"), list[int]()
    turn = dived(context, table)

    class Looking(Deadly):
        def rule(self, cases: Sequence[Case]) -> list[tuple[Case, RulingResult]]:
            seen.append(attempts(context, turn))
            return super().rule(cases)

    alone = replace(context, queue=Unnoted())
    assert judge_oldest(alone, Looking(context, lambda case: False), 8).judged == (turn.id,)
    assert (seen, attempts(context, turn)) == ([1], 0)


def test_a_turn_that_could_not_be_read_waits_for_a_later_job(context: Context) -> None:
    table = started(context, "pearls")
    turn = dived(context, table)

    class Away(Deadly):
        def rule(self, cases: Sequence[Case]) -> list[tuple[Case, RulingResult]]:
            return [(case, Waited("the database is away")) for case in cases]

    with pytest.raises(CannotJudge, match=r"^the database is away$"):
        pending.judge_pending(context, Away(context, lambda case: False))
    assert (status(context, table, turn), attempts(context, turn)) == ("queued", 0)
    assert pending.judge_pending(context) == 1


@pytest.mark.usefixtures("in_advance")
def test_workers_that_judge_at_once_judge_every_turn_once(context: Context) -> None:
    rounds = tables(context, 12)
    for table in rounds:
        dived(context, table)
        dived(context, table, seat=1)
    gate, judged = threading.Barrier(4), []

    def work() -> None:
        own = restarted(context)  # as a process of its own
        gate.wait(30)
        judged.append(pending.judge_pending(own))

    workers = [threading.Thread(target=work) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
    while left := pending.judge_pending(
        context
    ):  # what one had locked while another looked is nobody's to find again but the next job's
        judged.append(left)
    assert sum(judged) == 24
    assert len(notices(context, "verdict")) == 24
    assert {len(log_of(context, table.match.id)) for table in rounds} == {2}


class Busy(MemoryQueue):
    """A queue whose worker is woken again and again."""

    def attend(self, queue: str) -> Any:
        return nullcontext(Woken())


class Woken:
    def begin(self) -> None:
        pass

    def wait(self, seconds: float) -> Heard:
        return "woken"

    def leave(self) -> bool:
        return True


def test_a_worker_whose_time_is_up_hands_what_it_was_woken_for_to_the_next(context: Context) -> None:
    (table,) = tables(context, 1)
    turn, queue = dived(context, table), Busy()
    hurried = replace(context, timer=Timer(step=1.0), queue=queue)
    assert pending.judge_pending(hurried) == 1
    assert queue.turns == 1
    assert status(context, table, turn) == "accepted"


@dataclass
class Noting:
    """An attendance that gives one note, when the job has all but used up its time: a turn has come
    meanwhile.
    """

    comes: Callable[[], object]
    timer: Timer
    waited: int = 0

    def begin(self) -> None:
        pass

    def wait(self, seconds: float) -> Heard:
        self.waited += 1
        if self.waited > 1:
            return "nothing"
        self.timer.advance(pending.LONGEST_SECONDS + 1)
        self.comes()
        return "woken"

    def leave(self) -> bool:
        return False


class Attended(MemoryQueue):
    """A queue at which a worker has that attendance."""

    def __init__(self, attendance: Noting) -> None:
        super().__init__()
        self._attendance = attendance

    def attend(self, queue: str) -> Any:
        return nullcontext(self._attendance)


def test_whoever_took_a_note_judges_once_more_before_leaving(context: Context) -> None:
    (table,) = tables(context, 1)
    timer, turns = Timer(), list[Turn]()
    attendance = Noting(lambda: turns.append(dived(context, table)), timer)
    queue = Attended(attendance)
    assert pending.judge_pending(replace(context, timer=timer, queue=queue)) == 1
    assert status(context, table, turns[0]) == "accepted"
    assert (attendance.waited, queue.turns) == (1, 0), "nobody else is needed"


def test_a_note_is_handed_on_by_a_worker_that_is_to_stop(context: Context) -> None:
    (table,) = tables(context, 1)
    turns = list[Turn]()
    queue = Attended(Noting(lambda: turns.append(dived(context, table)), Timer()))
    assert pending.judge_pending(replace(context, queue=queue), stopping=lambda: bool(turns)) == 0
    assert queue.turns == 1


def test_a_worker_that_is_to_stop_does_not_wait(context: Context) -> None:
    queue = Busy()
    assert pending.judge_pending(replace(context, queue=queue), stopping=lambda: True) == 0
    assert queue.turns == 1


@pytest.fixture
def hanging(context: Context) -> Iterator[ChildRulings]:
    """Rules on turns in children, but for those to matches of somebody named Hang, at which they
    wait for ever.
    """
    url = context.database.url.render_as_string(hide_password=False)

    def child() -> Handler:
        rule = in_child(OwnRulings(Database(url), States(10)))

        def handle(request: tuple[Case, Any]) -> RulingResult:
            if request[0].match.seats[0].player_name.startswith("Hang"):  # type: ignore[union-attr]
                time.sleep(600)
            return rule(request)

        return handle

    with forks(child) as server:
        yield ChildRulings(server, time.monotonic, 600)


def rounds_until_judged(context: Context, rulings: ChildRulings, table: Round, turn: Turn) -> int:
    """How many rounds had a turn to judge. On a busy machine any turn may be among the slow ones,
    whose verdicts are written later.
    """
    rounds, deadline = 0, time.monotonic() + 120
    while status(context, table, turn) == "queued":
        assert time.monotonic() < deadline, f"not judged after {rounds} rounds"
        if judge_oldest(context, rulings, pending.AT_ONCE).found:
            rounds += 1
        else:
            settle_slow(context, rulings, 0.1)
    return rounds


def test_any_number_of_players_whose_turns_hang_delay_no_other(
    context: Context, hanging: ChildRulings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_SLOW", 3)
    tables = [started(context, "pearls", names=(f"Hang{number}", f"Bela{number}")) for number in range(8)]
    waiting = [dived(context, table) for table in tables]
    assert isinstance(context.clock, Clock)
    context.clock.advance(seconds=1)
    table = started(context, "pearls", names=("Ada", "Zoe"))
    turn = dived(context, table)
    assert rounds_until_judged(context, hanging, table, turn) >= 8, "it is the youngest"
    assert status(context, table, turn) == "accepted"
    assert {status(context, each, late) for each, late in zip(tables, waiting, strict=True)} == {"queued"}


def test_the_turns_of_a_player_who_has_one_that_hangs_come_after_all_others(
    context: Context, hanging: ChildRulings
) -> None:
    first = started(context, "pearls", names=("Hang", "Bela"))
    people = (first.players[0], person(context, "Cleo"))
    dived(context, first)
    for _ in range(10):
        match = lobby.create(context, people[0], "pearls", {}, [SeatRequest("me"), SeatRequest("open")])
        lobby.join(context, people[1], match.id)
        dived(context, Round(match, people))
    assert isinstance(context.clock, Clock)
    context.clock.advance(seconds=1)
    table = started(context, "pearls", names=("Ada", "Zoe"))
    turn = dived(context, table)
    assert rounds_until_judged(context, hanging, table, turn) <= 4
    assert status(context, table, turn) == "accepted"


def test_a_round_says_whether_there_was_a_turn_and_may_be_another(context: Context) -> None:
    assert rounds_of(context) == [(0, False, False)]
    for table in tables(context, 3):
        dived(context, table)
    assert rounds_of(context, 2, 2, 2) == [(2, True, True), (1, True, False), (0, False, False)]


def rounds_of(context: Context, *limits: int) -> list[tuple[int, bool, bool]]:
    """What rounds of at most so many turns judge, whether they find one, and expect another."""
    rulings = OwnRulings(context.database, context.states)
    rounds = [judge_oldest(context, rulings, limit) for limit in limits or (1,)]
    return [(len(each.judged), each.found, each.more) for each in rounds]
