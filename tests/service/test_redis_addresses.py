"""Every kind of address by which a Redis is reached, and what is said where one cannot be used."""

from __future__ import annotations

import os
import signal
import socket
import socketserver
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

import pytest
import redis
from redis import Redis

from service.queue import NOTICES, TURNS, RqQueue
from service.redis_link import Trouble, connected
from service.setting_values import sentinels_of
from service.vitals import Vitals
from tests.service.fakes import Clock, link_to
from tests.service.notices.postbox import CERTIFICATE, certificate
from tests.workers.valkey import Valkey
from tools.waiting import until
from workers.valkey import answers, free_port, refusal, server_binary


@contextmanager
def server(folder: Path, *words: str) -> Iterator[None]:
    """A server of Valkey with these options."""
    with subprocess.Popen(
        [str(server_binary()), *words, "--save", "", "--dir", str(folder)], stdout=subprocess.DEVNULL
    ) as process:
        try:
            yield
        finally:
            process.kill()


def works(url: str) -> None:
    """A queue and counts at this address are used as at any other."""
    until(lambda: answers(url), f"{url} can be used")
    link = link_to(url)
    queue, vitals = RqQueue(link), Vitals(link, Clock())
    queue.wake_turns()
    assert vitals.activity().jobs[TURNS] == 1
    with queue.attend(TURNS) as attendance:
        queue.wake_turns()
        assert attendance.wait(1) == "woken"
    queue.close()


def test_a_socket_of_this_machine(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("s") / "v"
    with server(tmp_path, "--port", "0", "--unixsocket", str(path)):
        works(f"unix://{path}?db=1")


def test_the_loopback_address_of_ipv6_alone(tmp_path: Path) -> None:
    valkey = Valkey(tmp_path, "::1")
    valkey.start()
    try:
        works(f"redis://[::1]:{valkey.port}/0")
    finally:
        valkey.stop()


def test_tls(valkey: Valkey) -> None:
    """The bundled server has no TLS: a program in front of it has."""

    class InFront(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            with (
                certificate().wrap_socket(self.request, server_side=True) as client,
                socket.create_connection((valkey.host, valkey.port)) as behind,
            ):
                threading.Thread(target=copy, args=(behind, client), daemon=True).start()
                copy(client, behind)

    def copy(source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                target.sendall(data)

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), InFront) as front:
        threading.Thread(target=front.serve_forever, daemon=True).start()
        place = f"rediss://localhost:{front.server_address[1]}/0"
        works(f"{place}?ssl_ca_certs={CERTIFICATE}")
        away = refusal(place)
        front.shutdown()
    assert away is not None
    assert "certificate verify failed" in str(away)


@pytest.mark.parametrize("master_ends", [False, pytest.param(True, marks=pytest.mark.deep)])
def test_sentinels_lead_to_the_master_and_to_the_next_one(tmp_path: Path, master_ends: bool) -> None:
    ports = [free_port() for _ in range(3)]
    for number in range(2):
        (tmp_path / str(number)).mkdir()
    sentinel = tmp_path / "sentinel.conf"
    sentinel.write_text(
        f"port {ports[2]}\nsentinel monitor club 127.0.0.1 {ports[0]} 1\nsentinel auth-pass club secret\n"
        "sentinel down-after-milliseconds club 500\nsentinel failover-timeout club 2000\n"
    )
    signed = ("--requirepass", "secret", "--masterauth", "secret")
    prompt = ("--repl-diskless-sync-delay", "0", "--shutdown-timeout", "0")
    url = f"redis+sentinel://:secret@127.0.0.1:{free_port()},127.0.0.1:{ports[2]}/club/0"
    with (
        server(tmp_path / "1", "--port", str(ports[1]), "--replicaof", f"127.0.0.1 {ports[0]}", *signed),
        server(tmp_path / "0", "--port", str(ports[0]), *signed, *prompt),
    ):
        replica = Redis(port=ports[1], password="secret")
        until(lambda: replica.info("replication")["master_link_status"] == "up", "the replica follows")
        with subprocess.Popen([str(server_binary()), str(sentinel), "--sentinel"], stdout=subprocess.DEVNULL) as at:
            try:
                works(url)
                away = refusal(url.replace("secret", "wrong"))
                assert away is not None
                assert away.trouble is Trouble.PASSWORD
                known = Redis(port=ports[2])
                until(lambda: known.sentinel_slaves("club"), "the sentinel knows the replica")
                if not master_ends:
                    return
                Redis(port=ports[0], password="secret").shutdown(nosave=True)
                until(lambda: answers(url), "the replica is the master")
                link = link_to(url)
                Vitals(link, Clock()).beat("sweeper")
                link.close()
                assert replica.keys("overland:club:alive:*")
            finally:
                at.kill()


def test_an_answer_that_a_master_gave_too_late_is_given_to_nobody(tmp_path: Path) -> None:
    """Nor by any other address: the next question on that connection would get it."""
    valkey, place = Valkey(tmp_path), free_port()
    valkey.start()
    sentinel = tmp_path / "sentinel.conf"
    sentinel.write_text(f"port {place}\nsentinel monitor club 127.0.0.1 {valkey.port} 1\n")
    with subprocess.Popen([str(server_binary()), str(sentinel), "--sentinel"], stdout=subprocess.DEVNULL) as at:
        try:
            for url in (valkey.url, f"redis+sentinel://127.0.0.1:{place}/club/0"):
                until(partial(answers, url), f"{url} can be used")
                with connected(url, 2.0) as client:
                    client.set("asked", "first")
                    os.kill(valkey.pid, signal.SIGSTOP)
                    with pytest.raises(redis.TimeoutError):
                        client.get("asked")
                    os.kill(valkey.pid, signal.SIGCONT)
                    assert client.echo("second") == b"second"
        finally:
            at.kill()
            valkey.stop()


@pytest.mark.parametrize(
    ("url", "trouble", "said"),
    [
        ("redis+sentinel://127.0.0.1:1/club/0", Trouble.SILENT, "No master found for 'club', or no sentinel answers"),
        ("rediss://127.0.0.1:{port}/0", Trouble.SILENT, "Timeout connecting"),
        ("unix:///nowhere/at/all.sock", Trouble.SILENT, "No such file"),
        ("redis://nowhere.invalid:6379/0", Trouble.SILENT, "nowhere.invalid"),
    ],
)
def test_an_address_that_leads_nowhere_is_said_in_one_sentence(
    valkey: Valkey, url: str, trouble: Trouble, said: str
) -> None:
    away = refusal(url.format(port=valkey.port))
    assert away is not None
    assert away.trouble is trouble
    assert said in str(away)
    assert not set("\n<>") & set(str(away))


@pytest.mark.parametrize(
    ("rights", "trouble"),
    [
        ("~overland:* ~rq:* &overland:* &rq:* +@all", None),
        ("~overland:* ~rq:* +@all", Trouble.RIGHTS),  # a new user has no channel
        ("~* &* +@all -@pubsub", Trouble.RIGHTS),
        ("~* &* +@all -@scripting", Trouble.RIGHTS),
    ],
)
def test_a_user_who_may_not_wake_anybody_is_told_so(valkey: Valkey, rights: str, trouble: Trouble | None) -> None:
    with Redis.from_url(valkey.url) as host:
        host.execute_command("ACL", "SETUSER", "club", "reset", "on", ">secret", *rights.split())
    url = valkey.url.replace("redis://", "redis://club:secret@")
    away = refusal(url)
    assert (away and away.trouble) is trouble
    link = link_to(url)
    queue = RqQueue(link)
    with queue.attend(NOTICES) as attendance:
        queue.wake_notices()
        assert Redis.from_url(valkey.url).keys("overland:*:attending:*"), "nothing is taken for another program's"
        assert attendance.wait(1) == ("nothing" if trouble else "woken")
    queue.close()


def test_an_address_of_sentinels_is_read_in_all_its_parts() -> None:
    found = sentinels_of("redis+sentinel://me:p%40ss@one:26380,[::1],two/club/3")
    assert found.places == (("one", 26380), ("::1", 26379), ("two", 26379))
    assert (found.master, found.database, found.username, found.password) == ("club", 3, "me", "p@ss")
    assert "p@ss" not in repr(found)
    for wrong in ("redis+sentinel://", "redis+sentinel://one", "redis+sentinel:///club", "redis+sentinel://one:x/club"):
        with pytest.raises(ValueError, match=r"missing|Port"):
            sentinels_of(wrong)
