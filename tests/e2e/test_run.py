"""`overland run` from its start to its end, as a real process: what it says, that it stops cleanly,
and what it refuses.
"""

import socket
import subprocess
import sys
from pathlib import Path

import pytest
import requests

from tests.e2e.running import Running, command_line, environment, free_port, lives, overland, plain, until


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    return tmp_path / "data"


def test_it_starts_everything_says_what_to_try_next_and_stops_on_ctrl_c_with_nobody_left(data_dir: Path) -> None:
    port = free_port()
    with Running(data_dir, port) as service:
        commands = [command_line(process) for process in service.processes()]
        for part in ("gunicorn", "workers turns", "workers notices", "workers sweeper", "valkey-server"):
            assert any(part in command for command in commands), part
        for next_thing in (
            "make demo",
            f"{service.url}/docs",
            f"{service.url}/dev/mail",
            f"curl {service.url}/v1/players",
        ):
            assert next_thing in service.said()
        assert service.interrupt() == 0
        assert [process for process in service.seen.values() if lives(process)] == []
        assert "did not end in time" not in service.said()
        assert "Overland has stopped." in service.said()
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind(("127.0.0.1", port))


def test_sigterm_stops_it_too_even_while_somebody_waits_for_an_answer(data_dir: Path) -> None:
    with Running(data_dir, free_port()) as service:
        with socket.create_connection(("127.0.0.1", int(service.url.rsplit(":", 1)[1]))) as idle:
            idle.sendall(b"GET /healthz HTTP/1.1\r\n")  # a request that never ends
            service.processes()
            service.supervisor.terminate()
            assert service.supervisor.wait(60) == 0
        assert [process for process in service.seen.values() if lives(process)] == []


def test_a_second_start_on_the_same_folder_is_refused_in_a_sentence(data_dir: Path) -> None:
    with Running(data_dir, free_port()) as service:
        second = overland("run", environ=environment(data_dir, free_port()), seconds=60)
        assert second.returncode == 1
        assert f"Overland is already running on {data_dir} (process {service.supervisor.pid})." in plain(second.stderr)
        assert requests.get(f"{service.url}/readyz", timeout=10).ok


def test_a_port_that_is_taken_is_said_before_anything_starts(data_dir: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        refused = overland("run", environ=environment(data_dir, port), seconds=60)
    assert refused.returncode == 1
    assert f"Port {port} on 127.0.0.1 is taken by another program." in plain(refused.stderr)
    assert refused.stdout == ""
    assert not (data_dir / "valkey").exists()


def test_bad_settings_stop_the_start_with_a_sentence_each(data_dir: Path) -> None:
    refused = overland(
        "run", environ=environment(data_dir, free_port(), OVERLAND_MODE="prod", OVERLAND_LOG_LEVEL="loud"), seconds=60
    )
    assert refused.returncode == 2
    assert refused.stderr.splitlines() == [
        "OVERLAND_MODE must be development or production, not 'prod'.",
        "OVERLAND_LOG_LEVEL must be DEBUG or INFO or WARNING or ERROR, not 'loud'.",
    ]


def test_a_queue_that_does_not_answer_is_named_without_its_password(
    data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = "from service.commands import run; run.START_PATIENCE = 1.0; run.run()"
    environ = environment(data_dir, free_port(), OVERLAND_REDIS_URL=f"redis://:hunter2@127.0.0.1:{free_port()}/0")
    refused = subprocess.run(
        [sys.executable, "-c", script], env=environ, capture_output=True, text=True, timeout=60, check=False
    )
    assert refused.returncode == 1
    assert "No queue answers at OVERLAND_REDIS_URL=redis://:********@127.0.0.1" in refused.stderr
    assert "hunter2" not in refused.stderr + refused.stdout


def test_no_process_outlives_a_supervisor_that_is_killed(data_dir: Path) -> None:
    with Running(data_dir, free_port()) as service:
        service.processes()
        service.supervisor.kill()
        service.supervisor.wait(30)
        until(lambda: not any(lives(process) for process in service.seen.values()), 40, "the end of its children")


def test_a_part_that_is_killed_comes_back(data_dir: Path) -> None:
    with Running(data_dir, free_port()) as service:
        for words in ("workers turns", "workers notices", "workers sweeper", "valkey-server", "gunicorn"):
            before = service.part(words)
            before.kill()
            until(
                lambda words=words, before=before: any(
                    words in command_line(process) for process in service.processes() if process != before
                ),
                60,
                f"the return of {words}",
            )
        until(lambda: _ready(service), 60, "readiness")
        assert service.supervisor.poll() is None


def _ready(service: Running) -> bool:
    try:
        return requests.get(f"{service.url}/readyz", timeout=5).ok
    except requests.RequestException:
        return False
