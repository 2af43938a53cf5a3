"""Hosts of a service: each with a folder of its own, and where the system allows it with a network
namespace of its own on one bridge.

Nobody's network is touched: bridge and links live in a namespace that is made for the test and
vanishes with it. Without the right to make namespaces a host is a group of processes that share the
loopback of this machine, and cutting it off means to freeze them all (`SIGSTOP`).
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from service.commands.supervise import dies_with

CENTRE: Final = "10.77.0.1"


def may_make_namespaces() -> bool:
    """Whether namespaces with links between them can be made here: on Linux, as root."""
    if os.geteuid() != 0 or any(shutil.which(name) is None for name in ("unshare", "ip", "nsenter")):
        return False
    made = "ip link add probe type bridge && ip link add left0 type veth peer name right0"
    return subprocess.run(["unshare", "--net", "sh", "-c", made], capture_output=True, check=False).returncode == 0


class Host:
    """Processes that share a folder and, with a holder, a network namespace; ``name`` is also its
    link on the bridge.
    """

    def __init__(self, name: str, folder: Path, address: str, holder: subprocess.Popen[bytes] | None = None) -> None:
        self.name, self.folder, self.address = name, folder, address
        self._holder = holder
        self._processes: list[subprocess.Popen[bytes]] = []
        self.log = folder / "log"
        folder.mkdir(parents=True, exist_ok=True)

    @property
    def prefix(self) -> tuple[str, ...]:
        """What runs a command on this host."""
        return () if self._holder is None else _enter(self._holder)

    def start(self, environ: Mapping[str, str], *commands: tuple[str, ...]) -> None:
        """Starts these commands of Python on this host."""
        for command in commands:
            with self.log.open("ab") as output:
                self._processes.append(
                    subprocess.Popen(
                        [*self.prefix, sys.executable, "-m", *command],
                        env={
                            "PATH": os.environ["PATH"],
                            "HOME": str(self.folder),
                            "OVERLAND_DATA_DIR": str(self.folder),
                            "OVERLAND_LOG_FORMAT": "json",
                            **environ,
                        },
                        stdin=subprocess.DEVNULL,
                        stdout=output,
                        stderr=subprocess.STDOUT,
                        start_new_session=True,
                        preexec_fn=dies_with(os.getpid()),
                    )
                )

    @contextmanager
    def cut_off(self) -> Iterator[None]:
        """Nobody reaches this host, and it reaches nobody, as long as this lasts."""
        self._link("down") if self._holder is not None else self._signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self._link("up") if self._holder is not None else self._signal(signal.SIGCONT)

    def stop(self) -> None:
        """Ends its processes."""
        self._signal(signal.SIGCONT)
        self._signal(signal.SIGTERM)
        for process in self._processes:
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait(20)

    def said(self) -> str:
        """What it has logged."""
        return self.log.read_text(errors="replace") if self.log.exists() else ""

    def _link(self, state: str) -> None:
        _run("ip", "link", "set", self.name, state)

    def _signal(self, number: signal.Signals) -> None:
        for process in self._processes:
            if process.poll() is None:
                os.killpg(process.pid, number)


class Network:
    """The bridge in the namespace of this very process, which has to be one that was made for it,
    and the hosts that are linked to it.
    """

    def __init__(self) -> None:
        self._holders: list[subprocess.Popen[bytes]] = []
        _run(
            "sh",
            "-c",
            f"ip link set lo up && ip link add bridge type bridge && ip addr add {CENTRE}/24 dev bridge && ip link set"
            " bridge up",
        )

    def host(self, name: str, folder: Path) -> Host:
        """A new host on the bridge."""
        address = f"10.77.0.{10 + len(self._holders)}"
        holder = _held()
        self._holders.append(holder)
        _run(
            "sh",
            "-c",
            f"ip link add {name} type veth peer name eth0 netns {holder.pid} && ip link set {name} master bridge up",
        )
        _run(
            *_enter(holder),
            "sh",
            "-c",
            f"ip link set lo up && ip addr add {address}/24 dev eth0 && ip link set eth0 up",
        )
        return Host(name, folder, address, holder)

    def close(self) -> None:
        """Lets the namespaces of the hosts vanish."""
        for holder in self._holders:
            holder.kill()
            holder.wait(10)


def _held() -> subprocess.Popen[bytes]:
    """A process that does nothing but keep a network namespace alive; it is there when this
    returns.
    """
    command = ["unshare", "--net", "sh", "-c", "echo there; exec sleep 3600"]
    holder = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, preexec_fn=dies_with(os.getpid())
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == b"there\n"
    return holder


def _enter(holder: subprocess.Popen[bytes]) -> tuple[str, ...]:
    return ("nsenter", "--target", str(holder.pid), "--net")


def _run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    assert done.returncode == 0, done.stderr
