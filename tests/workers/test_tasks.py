"""Jobs come twice, late, or for nothing: no turn is judged twice, no mail sent twice."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from service.errors import NotFound
from service.matches import lobby, turns
from service.queue import DELIVER_NOTICE, JUDGE_TURN, MemoryQueue
from service.wiring import Overland
from tests.workers.service_of_two import Mailbag, environ, overland, seated, submit_first_legal
from workers import tasks


@pytest.fixture
def mailbag() -> Mailbag:
    return Mailbag([])


@pytest.fixture
def service(tmp_path: Path, mailbag: Mailbag, monkeypatch: pytest.MonkeyPatch) -> Iterator[Overland]:
    made = overland(environ(tmp_path), mailbag=mailbag)
    monkeypatch.setattr(tasks, "overland", lambda: made)
    yield made
    made.close()


def test_the_queue_calls_the_tasks_by_their_names() -> None:
    assert f"{tasks.judge_turn.__module__}.{tasks.judge_turn.__name__}" == JUDGE_TURN
    assert f"{tasks.deliver_notice.__module__}.{tasks.deliver_notice.__name__}" == DELIVER_NOTICE


def test_a_turn_is_judged_once_however_often_its_job_comes(service: Overland) -> None:
    anna, _, match_id = seated(service)
    before = lobby.find(service, anna, match_id).ply
    turn = submit_first_legal(service, anna, match_id)
    for _ in range(3):
        tasks.judge_turn(turn.id)
    assert turns.find(service, anna, match_id, turn.id).status == "accepted"
    assert lobby.find(service, anna, match_id).ply == before + 1


def test_a_notice_is_delivered_once_however_often_its_job_comes(service: Overland, mailbag: Mailbag) -> None:
    seated(service)
    queue = service.queue
    assert isinstance(queue, MemoryQueue)
    for notice_id in [*queue.notices, *queue.notices]:
        tasks.deliver_notice(notice_id)
    assert sorted(message["X-Overland-Kind"] for message in mailbag.messages) == ["confirm_address"] * 2 + ["match_started"] * 2 + ["your_turn"]


def test_a_job_for_a_notice_that_is_gone_does_nothing(service: Overland, mailbag: Mailbag) -> None:
    tasks.deliver_notice("gone")
    assert mailbag.messages == []


def test_a_job_for_a_turn_that_is_gone_fails_loudly(service: Overland) -> None:
    with pytest.raises(NotFound):
        tasks.judge_turn("gone")


def test_the_service_is_wired_once_in_a_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OVERLAND_DATA_DIR", str(tmp_path))
    tasks.overland.cache_clear()
    assert tasks.overland() is tasks.overland()
    tasks.overland.cache_clear()
