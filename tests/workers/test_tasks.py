"""Jobs come twice, late, or for nothing: no turn is judged twice, no mail sent twice."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from rq.utils import import_attribute
from structlog.testing import capture_logs

from service.context import Context
from service.matches import lobby
from service.queue import JOB, Attendance
from service.store.database import Database, _Engines
from service.turns import lookup
from service.turns.judge import OwnRulings
from tests.service.fakes import Clock, Postbag
from tests.workers.service_of_two import context, environ, maintained, seated, submit_first_legal
from tools.memory_queue import MemoryQueue
from workers import tasks
from workers.stop import StopRequest
from workers.tasks import Judging, begin, delivering


@pytest.fixture
def postbag() -> Postbag:
    return Postbag()


@pytest.fixture
def service(tmp_path: Path, postbag: Postbag) -> Iterator[Context]:
    made = context(environ(tmp_path), Clock(), postbag)
    yield made
    made.close()


def judge(service: Context) -> None:
    Judging(service, StopRequest(), OwnRulings(service.database, service.states)).do()


def deliver(service: Context) -> None:
    delivering(service).do()


def test_a_job_does_the_work_of_its_thread(service: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    done = list[str]()
    work = delivering(service)
    monkeypatch.setattr(work, "do", lambda: done.append("done"))
    monkeypatch.setattr(tasks, "_own", threading.local())
    begin(work)
    import_attribute(JOB)()
    assert done == ["done"]


def test_a_turn_is_judged_once_however_often_its_job_comes(service: Context) -> None:
    anna, _, match_id = seated(service)
    before = lobby.find(service, anna, match_id).ply
    turn = submit_first_legal(service, anna, match_id)
    for _ in range(3):
        judge(service)
    assert lookup.find(service, anna, match_id, turn.id).status == "accepted"
    assert lobby.find(service, anna, match_id).ply == before + 1


def test_a_notice_is_delivered_once_however_often_its_job_comes(service: Context, postbag: Postbag) -> None:
    seated(service)
    for _ in range(3):
        deliver(service)
    assert (
        sorted(message["X-Overland-Kind"] for message in postbag.messages)
        == ["confirm_address"] * 2 + ["match_started"] * 2
    )


def test_a_job_for_which_there_is_nothing_to_do_does_nothing(service: Context, postbag: Postbag) -> None:
    deliver(service)
    judge(service)
    assert postbag.messages == []


@pytest.mark.parametrize("do", [judge, deliver])
def test_work_acknowledges_its_wake_up_before_it_looks_at_any_row(
    service: Context, do: Callable[[Context], None]
) -> None:
    steps: list[str] = []

    class Listening(MemoryQueue):
        def acknowledge(self, queue: str) -> None:
            steps.append(queue)

        def attend(self, queue: str) -> Attendance:
            steps.append(queue)
            return super().attend(queue)

    class Watched(Database):
        @property
        def _engines(self) -> _Engines:
            steps.append("rows")
            return super()._engines

    watched = Watched(service.settings.database_url)
    do(replace(service, queue=Listening(), database=watched))
    assert steps[0] in ("turns", "notices")
    assert steps[1] == "rows"


def test_in_a_maintenance_turns_are_kept_and_judged_afterwards(service: Context) -> None:
    anna, _, match_id = seated(service)
    turn = submit_first_legal(service, anna, match_id)
    maintained(service, begins=True)
    judge(service)
    assert lookup.find(service, anna, match_id, turn.id).status == "queued"
    maintained(service, begins=False)
    judge(service)
    assert lookup.find(service, anna, match_id, turn.id).status == "accepted"


def test_in_a_maintenance_mails_are_kept_and_sent_afterwards(service: Context, postbag: Postbag) -> None:
    seated(service)
    maintained(service, begins=True)
    with capture_logs() as logs:
        deliver(service)
    assert logs == [{"event": "notices.kept", "reason": "maintenance", "log_level": "info"}]
    assert postbag.messages == []
    maintained(service, begins=False)
    deliver(service)
    assert len(postbag.messages) == 4
