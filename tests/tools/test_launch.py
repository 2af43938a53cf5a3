"""Starting, stopping and killing processes, with programs that do next to nothing."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tools.launch import NotRunning, RunningPart, Service, environment, search_path
from tools.waiting import until

SLEEP = (sys.executable, "-c", "import time; print('up', flush=True); time.sleep(3600)")
STUBBORN = (
    sys.executable,
    "-c",
    "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('up', flush=True); time.sleep(3600)",
)
PARENT = (sys.executable, "-c", f"import subprocess; subprocess.run({SLEEP!r})")


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    service = Service(tmp_path)
    yield service
    service.kill()


def up(service: Service) -> bool:
    return "up\n" in service.output()


def test_nothing_is_inherited_by_accident(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OVERLAND_DATABASE_URL", "sqlite:///somebody.else")
    monkeypatch.setenv("LANG", "C.UTF-8")
    monkeypatch.setenv("PATH", "/usr/bin")
    environ = environment(tmp_path, OVERLAND_MODE="development")
    assert "OVERLAND_DATABASE_URL" not in environ
    assert environ["LANG"] == "C.UTF-8"
    assert environ["HOME"] == str(tmp_path)
    assert environ["OVERLAND_MODE"] == "development"
    assert environ["PATH"] == search_path() == "/usr/bin:/usr/sbin:/sbin"


def test_two_services_have_folders_and_addresses_of_their_own(tmp_path: Path) -> None:
    one, two = Service(tmp_path / "one"), Service(tmp_path / "two", {"OVERLAND_TURN_WORKERS": "3"})
    assert one.url != two.url
    assert one.database_url == f"sqlite:///{tmp_path}/one/data/overland.sqlite"
    assert one.database_url != two.database_url
    assert two.environ["OVERLAND_TURN_WORKERS"] == "3"


def test_what_a_service_prints_is_in_its_output_and_its_environment_is_what_was_given(service: Service) -> None:
    service.environ = {"ONE": "1"}
    service.spawn("one", "/usr/bin/env", TWO="2").wait()
    assert sorted(service.output().split()) == ["ONE=1", "TWO=2"]


def test_a_service_that_ends_before_it_is_ready_is_shown_with_its_last_output(service: Service) -> None:
    service.spawn("one", sys.executable, "-c", "raise SystemExit('there is no room')")
    with pytest.raises(NotRunning, match="there is no room"):
        service.wait(lambda: False, "it is ready")


def test_a_service_that_does_not_become_ready_is_shown_with_its_last_output(service: Service) -> None:
    service.spawn("one", *SLEEP)
    until(lambda: up(service), "it is up")
    with pytest.raises(NotRunning, match=r"(?s)this did not happen: it is ready\..*up"):
        service.wait(lambda: False, "it is ready", 0)


@pytest.mark.deep
def test_a_settings_mistake_is_said_by_a_start_that_fails(tmp_path: Path) -> None:
    service = Service(tmp_path, {"OVERLAND_MODE": "holiday"})
    with pytest.raises(NotRunning, match="OVERLAND_MODE must be development or production"):
        service.start()


def test_killing_ends_the_children_too(service: Service) -> None:
    parent = service.spawn("parent", *PARENT)
    until(lambda: up(service), "the child is up")
    pids = [process.pid for process in service.processes()]
    assert len(pids) == 2
    assert service.pids() == {"parent": tuple(pids)}
    service.kill()
    assert not psutil.pid_exists(parent.pid)
    assert service.processes() == []
    assert service.pids() == {}


def test_children_are_known_when_their_parent_has_ended(service: Service) -> None:
    parent = service.spawn("parent", *PARENT)
    until(lambda: up(service), "the child is up")
    child = service.processes()[1]
    parent.kill()
    parent.wait()
    assert service.processes() == [child]


def test_stopping_one_name_leaves_the_others(service: Service) -> None:
    one, two = service.spawn("one", *SLEEP), service.spawn("two", *SLEEP)
    service.stop("one")
    assert one.poll() == -signal.SIGTERM
    assert two.poll() is None
    service.stop()
    assert two.poll() == -signal.SIGTERM


def test_what_does_not_stop_is_killed(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.launch.STOP_SECONDS", 0.1)
    process = service.spawn("stubborn", *STUBBORN)
    until(lambda: up(service), "it ignores SIGTERM")
    service.stop()
    assert process.poll() == -signal.SIGKILL


def test_a_stopped_process_goes_on_so_that_it_can_end(service: Service) -> None:
    process = service.spawn("one", *SLEEP)
    service.send(signal.SIGSTOP)
    service.stop()
    assert process.poll() == -signal.SIGTERM


def test_processes_are_known_by_their_kinds_and_memory(service: Service) -> None:
    titled = "import setproctitle, time; setproctitle.setproctitle('overland turns'); time.sleep(3600)"
    service.spawn("worker", sys.executable, "-c", titled)
    part = service.part("turns")
    assert part.memory > 0
    assert service.parts("notices") == ()
    part.kill()
    until(lambda: service.parts() == (), "it has ended")
    part.kill()  # there is no such process any more, which is no error


def test_a_part_that_has_ended_gets_no_signal(monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(pid: int, number: int) -> None:
        raise ProcessLookupError

    monkeypatch.setattr(os, "kill", gone)
    RunningPart(1, "other", 0).send(signal.SIGTERM)
