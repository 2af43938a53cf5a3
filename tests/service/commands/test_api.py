"""Gunicorn's settings follow from ours."""

from __future__ import annotations

import resource
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest

from service.commands.api import OTHERS, Server, raise_limit
from service.config import load
from service.serving.worker import LoopWorker


def configured(data_dir: Path, **settings: str) -> Any:
    made = load({"OVERLAND_DATA_DIR": str(data_dir)} | settings)
    return Server(made, lambda: pytest.fail("the application is made in the arbiter")).cfg


def test_the_loop_serves_with_as_many_threads_as_are_asked_for(tmp_path: Path) -> None:
    loop = configured(tmp_path, OVERLAND_API_THREADS="12")
    assert (loop.worker_class, loop.threads) == (LoopWorker, 12)


def test_however_long_the_service_may_take_to_start_a_process_that_hangs_is_replaced(tmp_path: Path) -> None:
    assert configured(tmp_path, OVERLAND_START_SECONDS="3600").timeout == 60


def test_the_limit_of_open_files_is_raised_as_far_as_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    limits, said = [(256, 4096)], list[str]()
    monkeypatch.setattr(resource, "getrlimit", lambda kind: limits[-1])
    monkeypatch.setattr(resource, "setrlimit", lambda kind, new: limits.append(new))
    assert raise_limit(100, said.append) == 100
    assert limits.pop() == (100 + OTHERS, 4096)
    assert not said
    assert raise_limit(10, said.append) == 10
    assert len(limits) == 1
    assert raise_limit(5000, said.append) == 4096 - OTHERS
    assert limits[-1] == (4096, 4096)
    assert said == [
        "A process of the API may have 4096 files open, but needs 5200 for 5000 connections, so it holds fewer:"
        " raise the limit (ulimit -Hn, LimitNOFILE of systemd, ulimits of compose), or lower"
        " OVERLAND_API_CONNECTIONS."
    ]


def test_no_more_connections_are_held_than_files_may_be_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resource, "setrlimit", lambda kind, new: None)
    for hard, held in ((256, 56), (64, 10), (resource.RLIM_INFINITY, 4000)):
        monkeypatch.setattr(resource, "getrlimit", lambda kind, hard=hard: (64, hard))
        config = configured(tmp_path)
        config.on_starting(SimpleNamespace(cfg=config, log=Mock()))
        assert config.worker_connections == held
