"""Gunicorn's settings follow from ours."""

from __future__ import annotations

import resource
from pathlib import Path
from typing import Any

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


def test_the_limit_of_open_files_is_raised_as_far_as_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    limits, said = [(256, 4096)], list[str]()
    monkeypatch.setattr(resource, "getrlimit", lambda kind: limits[-1])
    monkeypatch.setattr(resource, "setrlimit", lambda kind, new: limits.append(new))
    raise_limit(100, said.append)
    assert limits.pop() == (100 + OTHERS, 4096)
    assert not said
    raise_limit(10, said.append)
    assert len(limits) == 1
    raise_limit(5000, said.append)
    assert limits[-1] == (4096, 4096)
    assert said == [
        "A process of the API may have 4096 files open, but needs 5200 for 5000 connections: raise the limit (ulimit"
        " -Hn, LimitNOFILE of systemd, ulimits of compose), or lower OVERLAND_API_CONNECTIONS."
    ]
