"""Hosts of a service: each with a folder of its own, and where the system allows it with a network
namespace of its own on one bridge.

Bridge and links are in a namespace that is made for the test and vanishes with it. Without the
right to make namespaces a host is a group of processes that share the loopback of this machine, and
cutting it off means to stop them all (`SIGSTOP`).
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Final

from service.forks import end_with
from tools.launch import Service, environment, search_path

CENTRE: Final = "10.77.0.1"


def may_make_namespaces() -> bool:
    """Whether namespaces with links between them can be made here: on Linux, as root."""
    programs = ("unshare", "ip", "nsenter")
    if os.geteuid() != 0 or any(shutil.which(name, path=search_path()) is None for name in programs):
        return False
    made = "ip link add probe type bridge && ip link add left0 type veth peer name right0"
    tried = subprocess.run(
        ["unshare", "--net", "sh", "-c", made], env=environment(Path("/")), capture_output=True, check=False
    )
    return tried.returncode == 0


class Host:
    """The parts of a service on one host; ``name`` is also its link on the bridge, if it has a
    ``namespace``: the process that holds it.
    """

    def __init__(
        self,
        name: str,
        folder: Path,
        address: str,
        environ: Mapping[str, str],
        namespace: subprocess.Popen[bytes] | None = None,
    ) -> None:
        self.name, self._namespace = name, namespace
        prefix = () if namespace is None else _enter(namespace)
        self.service = Service(folder, environ, host=address, prefix=prefix)

    @contextmanager
    def cut_off(self) -> Iterator[None]:
        """Nobody reaches this host, and it reaches nobody."""
        if self._namespace is None:
            self.service.send(signal.SIGSTOP)
        else:
            _run("ip", "link", "set", self.name, "down")
        try:
            yield
        finally:
            if self._namespace is None:
                self.service.send(signal.SIGCONT)
            else:
                _run("ip", "link", "set", self.name, "up")


class Network:
    """A bridge in the namespace of this very process, which was made for it, and the hosts that are
    linked to it.
    """

    def __init__(self) -> None:
        self._namespaces: list[subprocess.Popen[bytes]] = []
        _shell(
            "ip link set lo up && ip link add bridge type bridge"
            f" && ip addr add {CENTRE}/24 dev bridge && ip link set bridge up"
        )

    def host(self, name: str, folder: Path, environ: Mapping[str, str]) -> Host:
        """A new host on the bridge."""
        address = f"10.77.0.{10 + len(self._namespaces)}"
        namespace = _held_namespace()
        self._namespaces.append(namespace)
        _shell(
            f"ip link add {name} type veth peer name eth0 netns {namespace.pid} && ip link set {name} master bridge up"
        )
        addressed = f"ip link set lo up && ip addr add {address}/24 dev eth0 && ip link set eth0 up"
        _run(*_enter(namespace), "sh", "-c", addressed)
        return Host(name, folder, address, environ, namespace)

    def close(self) -> None:
        """Lets the namespaces of the hosts vanish."""
        for namespace in self._namespaces:
            namespace.kill()
            namespace.wait()


def _held_namespace() -> subprocess.Popen[bytes]:
    """A process that does nothing but keep a network namespace alive, which is there on return."""
    holder = subprocess.Popen(
        ["unshare", "--net", "sh", "-c", "echo there; exec sleep 3600"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        preexec_fn=partial(end_with, os.getpid(), signal.SIGTERM),
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == b"there\n"
    return holder


def _enter(namespace: subprocess.Popen[bytes]) -> tuple[str, ...]:
    return ("nsenter", "--target", str(namespace.pid), "--net")


def _shell(script: str) -> None:
    _run("sh", "-c", script)


def _run(*command: str) -> None:
    done = subprocess.run(command, env=environment(Path("/")), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
