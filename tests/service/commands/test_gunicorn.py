"""Gunicorn's settings follow from ours."""

from __future__ import annotations

import importlib
import resource
import sys
from pathlib import Path
from types import ModuleType

import pytest

from service.serving.descriptors import OTHERS, raise_limit


def configured(monkeypatch: pytest.MonkeyPatch, data_dir: Path, **settings: str) -> ModuleType:
    monkeypatch.setenv("OVERLAND_DATA_DIR", str(data_dir))
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    sys.modules.pop("service.commands.gunicorn", None)
    return importlib.import_module("service.commands.gunicorn")


def test_the_loop_serves_unless_threads_are_asked_for(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    loop = configured(monkeypatch, tmp_path)
    assert (loop.worker_class, loop.threads) == ("service.serving.worker.LoopWorker", 16)
    threads = configured(monkeypatch, tmp_path, OVERLAND_API_SERVER="threads")
    assert (threads.worker_class, threads.threads) == ("gthread", 64)


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
