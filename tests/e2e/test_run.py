"""`overland run` from its start to its end, as a real process: what it prints, that it stops
cleanly, and what it refuses.
"""

from __future__ import annotations

import re
import signal
import smtplib
import socket
import subprocess
from pathlib import Path

import psutil
import pytest
import requests

from tests import missing
from tools.launch import PYTHON, PartKind, RunningPart, Service, environment, overland, running
from tools.waiting import until
from workers.valkey import free_port

KINDS: tuple[PartKind, ...] = ("turns", "workers", "valkey", "arbiter")


def supervisor(service: Service) -> subprocess.Popen[bytes]:
    return service.started["overland"][0]


def left_by_itself(service: Service) -> list[str]:
    """The processes that are left after the end of the supervisor."""
    return [" ".join(process.cmdline()) for process in service.processes()]


def test_it_starts_everything_says_what_to_try_next_and_stops_on_ctrl_c_without_leftover_processes(
    tmp_path: Path,
) -> None:
    mail_port = free_port()
    with running(tmp_path, OVERLAND_MAIL_IN=f"smtp://127.0.0.1:{mail_port}") as service:
        assert {*KINDS, "api"} <= {part.kind for part in service.parts()}
        parent = psutil.Process(supervisor(service).pid)
        assert parent.num_threads() == 1, "it forks"
        assert [file.path for file in parent.open_files() if "sqlite" in file.path] == []
        with smtplib.SMTP("127.0.0.1", mail_port, timeout=60) as client:
            client.sendmail("ada@example.org", ["overland@localhost"], "From: ada@example.org\r\n\r\njoin\r\n")
        until(lambda: "message.handled" in service.output(), "the mail is handled")
        for next_thing in (
            "make demo",
            f"{service.url}/docs",
            f"{service.url}/dev/mail",
            f"Open this and play:   {service.url}/",
        ):
            assert next_thing in service.output()
        assert re.search(r"^  Memory  \d+ MB$", service.output(), re.MULTILINE)
        supervisor(service).send_signal(signal.SIGINT)
        assert supervisor(service).wait() == 0
        assert left_by_itself(service) == []
        assert "did not end in time" not in service.output()
        assert "Overland has stopped." in service.output()
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((service.host, service.port))


@pytest.mark.deep
def test_sigterm_stops_it_too_even_while_a_client_waits_for_an_answer(tmp_path: Path) -> None:
    with running(tmp_path) as service:
        with socket.create_connection((service.host, service.port)) as idle:
            idle.sendall(b"GET /healthz HTTP/1.1\r\n")  # a request that never ends
            assert service.processes()
            supervisor(service).terminate()
            assert supervisor(service).wait() == 0
        assert left_by_itself(service) == []


@pytest.mark.deep
def test_a_second_start_on_the_same_folder_is_refused_in_a_sentence(tmp_path: Path) -> None:
    with running(tmp_path) as service:
        second = overland("run", environ=service.environ | {"OVERLAND_PORT": str(free_port())})
        assert second.returncode == 2
        expected = f"Overland is already running on {service.data_dir} (process {supervisor(service).pid})."
        assert expected in second.stderr
        assert "OVERLAND_DATA_DIR=./other OVERLAND_PORT=8001." in second.stderr
        assert requests.get(f"{service.url}/readyz", timeout=240).ok


@pytest.mark.deep
def test_a_port_that_is_taken_is_reported_before_anything_starts(tmp_path: Path) -> None:
    service = Service(tmp_path)
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        refused = overland("run", environ=service.environ | {"OVERLAND_PORT": str(port)})
        taken = overland("run", environ=service.environ | {"OVERLAND_MAIL_IN": f"lmtp://127.0.0.1:{port}"})
    assert refused.returncode == 2
    assert f"Port {port} on 127.0.0.1 is taken by another program." in refused.stderr
    assert refused.stdout == ""
    assert taken.returncode == 2
    assert f"choose another port: OVERLAND_MAIL_IN=lmtp://127.0.0.1:{port + 1}." in taken.stderr
    assert not (service.data_dir / "valkey").exists()


@pytest.mark.deep
def test_bad_settings_stop_the_start_with_a_sentence_each(tmp_path: Path) -> None:
    refused = overland(
        "run", environ=Service(tmp_path, {"OVERLAND_MODE": "prod", "OVERLAND_LOG_LEVEL": "loud"}).environ
    )
    assert refused.returncode == 2
    assert refused.stderr.splitlines() == [
        "OVERLAND_MODE must be development or production, not 'prod'.",
        "OVERLAND_LOG_LEVEL must be DEBUG or INFO or WARNING or ERROR, not 'loud'.",
    ]


@pytest.mark.deep
def test_a_queue_that_does_not_answer_is_named_without_its_password_and_the_service_starts(tmp_path: Path) -> None:
    with running(tmp_path, OVERLAND_REDIS_URL=f"redis://:hunter2@127.0.0.1:{free_port()}/0") as service:
        assert requests.get(f"{service.url}/readyz", timeout=240).json()["status"] == "degraded"
        assert "The queue does not answer (Error 111" in service.output()
        assert "hunter2" not in service.output()


@pytest.mark.deep
def test_the_whole_service_runs_at_the_loopback_address_of_ipv6(tmp_path: Path) -> None:
    service = Service(tmp_path, host="::1")
    try:
        service.start()
        assert requests.get(f"{service.url}/readyz", timeout=240).json()["status"] == "ready"
    finally:
        service.kill()


@pytest.mark.deep
def test_the_whole_service_runs_where_there_is_no_ipv4(tmp_path: Path) -> None:
    without = 'ip link set lo up && ip addr del 127.0.0.1/8 dev lo && exec "$@"'
    prefix = ("unshare", "--net", "--user", "--map-root-user", "sh", "-c", without, "sh")
    tried = subprocess.run([*prefix, "true"], env=environment(tmp_path), capture_output=True, check=False)
    if tried.returncode != 0:
        missing.skip(
            "Namespaces of networks cannot be made here: unshare and ip (iproute2) are needed, and permission."
        )
    service = Service(tmp_path, {"OVERLAND_MAIL_IN": ""}, host="::1", prefix=prefix)
    try:
        service.spawn("overland", *PYTHON, "service.cli", "run")
        service.wait(lambda: "Overland is running" in service.output(), "it says that it is ready")
        assert "restarted" not in service.output()
        assert "redis.unavailable" not in service.output()
    finally:
        service.kill()


@pytest.mark.deep
def test_no_process_outlives_a_supervisor_that_is_killed(tmp_path: Path) -> None:
    with running(tmp_path) as service:
        assert service.processes()
        supervisor(service).kill()
        until(lambda: not service.processes(), "the end of every process")


def await_successor(service: Service, killed: RunningPart) -> None:
    until(lambda: any(part.pid != killed.pid for part in service.parts(killed.kind)), f"{killed.kind} is back")


@pytest.mark.deep
def test_a_part_that_is_killed_comes_back(tmp_path: Path) -> None:
    with running(tmp_path, OVERLAND_MAIL_IN=f"smtp://127.0.0.1:{free_port()}") as service:
        for kind in KINDS:
            before = service.part(kind)
            before.kill()
            await_successor(service, before)
        until(service.ready, "readiness")
        assert supervisor(service).poll() is None
