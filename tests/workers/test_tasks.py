"""Jobs come twice, late, or for nothing: no turn is judged twice, no mail sent twice."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path

import pytest

from service.context import Context
from service.matches import lobby
from service.queue import TASKS, Attendance
from service.store.database import Database, _Engines
from service.turns import lookup
from service.turns.rulings import OwnRulings
from tests.service.fakes import Clock, Postbag
from tests.workers.service_of_two import context, environ, maintained, seated, submit_first_legal
from tools.memory_queue import MemoryQueue
from workers import tasks


@pytest.fixture
def postbag() -> Postbag:
    return Postbag()


@pytest.fixture
def service(tmp_path: Path, postbag: Postbag, monkeypatch: pytest.MonkeyPatch) -> Iterator[Context]:
    made = context(environ(tmp_path), Clock(), postbag)
    monkeypatch.setattr(tasks, "rulings", lambda: OwnRulings(made.database, made.states))
    for name in ("context", "sending"):
        monkeypatch.setattr(tasks, name, lambda: made)
    yield made
    made.close()


def test_the_queue_calls_the_tasks_by_their_names() -> None:
    for task in TASKS.values():
        module, _, name = task.rpartition(".")
        assert module == tasks.__name__
        assert callable(getattr(tasks, name))


def test_a_turn_is_judged_once_however_often_its_job_comes(service: Context) -> None:
    anna, _, match_id = seated(service)
    before = lobby.find(service, anna, match_id).ply
    turn = submit_first_legal(service, anna, match_id)
    for _ in range(3):
        tasks.judge_turns()
    assert lookup.find(service, anna, match_id, turn.id).status == "accepted"
    assert lobby.find(service, anna, match_id).ply == before + 1


def test_a_notice_is_delivered_once_however_often_its_job_comes(service: Context, postbag: Postbag) -> None:
    seated(service)
    for _ in range(3):
        tasks.deliver_notices()
    assert (
        sorted(message["X-Overland-Kind"] for message in postbag.messages)
        == ["confirm_address"] * 2 + ["match_started"] * 2
    )


def test_a_job_for_which_there_is_nothing_to_do_does_nothing(service: Context, postbag: Postbag) -> None:
    tasks.deliver_notices()
    tasks.judge_turns()
    assert postbag.messages == []


@pytest.mark.parametrize("task", ["judge_turns", "deliver_notices"])
def test_a_task_acknowledges_its_wake_up_before_it_looks_at_any_row(service: Context, task: str) -> None:
    steps: list[str] = []

    class Listening(MemoryQueue):
        def acknowledge(self, queue: str) -> None:
            steps.append(queue)

        def attend(self, queue: str) -> AbstractContextManager[Attendance]:
            steps.append(queue)
            return super().attend(queue)

    class Watched(Database):
        @property
        def _engines(self) -> _Engines:
            steps.append("rows")
            return super()._engines

    watched = Watched(service.settings.database_url)
    with pytest.MonkeyPatch.context() as patch:
        for name in ("context", "sending"):
            patch.setattr(tasks, name, lambda: replace(service, queue=Listening(), database=watched))
        getattr(tasks, task)()
    assert steps[0] in ("turns", "notices")
    assert steps[1] == "rows"


def test_the_service_is_wired_once_in_a_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OVERLAND_DATA_DIR", str(tmp_path))
    tasks.context.cache_clear()
    assert tasks.context() is tasks.context()
    tasks.context.cache_clear()


def test_in_a_maintenance_turns_are_kept_and_judged_afterwards(service: Context) -> None:
    anna, _, match_id = seated(service)
    turn = submit_first_legal(service, anna, match_id)
    maintained(service, begins=True)
    tasks.judge_turns()
    assert lookup.find(service, anna, match_id, turn.id).status == "queued"
    maintained(service, begins=False)
    tasks.judge_turns()
    assert lookup.find(service, anna, match_id, turn.id).status == "accepted"


def test_in_a_maintenance_mails_are_kept_and_sent_afterwards(service: Context, postbag: Postbag) -> None:
    seated(service)
    maintained(service, begins=True)
    tasks.deliver_notices()
    assert postbag.messages == []
    maintained(service, begins=False)
    tasks.deliver_notices()
    assert len(postbag.messages) == 4
