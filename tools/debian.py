"""A bare Debian of one's own, with systemd as its first process: a machine on which a host would
install the service, for tests and measurements.

It is made of Debian's packages in a folder (mmdebstrap) and runs in namespaces of its own, with its
own loopback; programs that download something are run in the network of this machine instead. What
it leaves out of a real machine: kernel, firmware and disks are those of this one. It needs root.
"""

from __future__ import annotations

import ctypes
import os
import re
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from queue import Queue
from typing import Final

from service.forks import end_with
from tools.waiting import until

PROJECT: Final = Path(__file__).parent.parent
INCLUDED: Final = "systemd-sysv,dbus,ca-certificates,curl,iproute2"
"""Beside what is essential: what every installed Debian has, and this machine's commands need."""
PROGRAMS: Final = ("apt-get", "mmdebstrap", "unshare", "nsenter")
START_SECONDS: Final = 120.0
NAMESPACES: Final = ("--mount", "--pid", "--uts", "--ipc", "--cgroup", "--net")
TRUSTED: Final = "root/authorities.crt"
_CLONE_NEWNET: Final = 0x40000000
_libc: Final = ctypes.CDLL(None, use_errno=True)
_ENVIRONMENT: Final = {
    "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "HOME": "/root",
    "LANG": "C.UTF-8",
    "DEBIAN_FRONTEND": "noninteractive",
}
_BOOT: Final = """\
set -e
mount --bind {root} {root}
cd {root}
mount -t proc proc proc
mount -t sysfs -o ro sysfs sys
mount -t cgroup2 cgroup2 sys/fs/cgroup
mount -t tmpfs -o mode=755 tmpfs run
mount -t tmpfs tmpfs tmp
mount -t tmpfs -o mode=755 tmpfs dev
mkdir -p dev/pts dev/shm .old
mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts
mount -t tmpfs tmpfs dev/shm
for device in null zero full random urandom tty; do cp -a /dev/$device dev/; done
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd
ip link set lo up
hostname debian
pivot_root . .old
umount -l /.old
exec env -i container=overland /lib/systemd/systemd
"""


def typed_blocks() -> list[str]:
    """What docs/debian.md has its readers type, in order."""
    return re.findall(r"^```sh\n(.*?)^```$", (PROJECT / "docs" / "debian.md").read_text(), re.M | re.S)


class NoDebian(RuntimeError):
    """A machine cannot be made or limited here; the message says why."""


def why_missing() -> str:
    """Why no Debian can be started here; empty where one can."""
    if os.geteuid() != 0:
        return "A Debian is started by root only."
    absent = [name for name in PROGRAMS if shutil.which(name) is None]
    return f"There is no {', '.join(absent)}: apt-get install mmdebstrap util-linux." if absent else ""


def why_forbidden() -> str:
    """Why the kernel lets nobody start a machine here; empty where it does."""
    mounts = "mount -t proc proc /proc && mount -t cgroup2 cgroup2 /sys/fs/cgroup"
    command = ["unshare", *NAMESPACES, "--fork", "--propagation=private", "sh", "-c", mounts]
    tried = subprocess.run(command, capture_output=True, text=True, check=False)
    if tried.returncode:
        return f"No Debian can be started in namespaces here: {tried.stderr.strip()}"
    try:
        Group(None).close()
    except (NoDebian, OSError) as error:
        return f"No Debian can have a control group here: {error}"
    return ""


def _mirror() -> str:
    """The repository from which this machine has its packages."""
    command = ["apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages"]
    known = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    found = next((address for address in known if address.rstrip("/").endswith("/debian")), None)
    if found is None:
        raise NoDebian("apt knows no repository of Debian here.")
    return found


class Group:
    """A control group of all processes of a machine, which may use so many ``megabytes`` (MiB) of
    memory, caches included. Raises ``NoDebian`` where there can be none.
    """

    def __init__(self, megabytes: int | None) -> None:
        lines = Path("/proc/self/mountinfo").read_text().splitlines()
        mounted = next((Path(line.split()[4]) for line in lines if " - cgroup2 " in line), None)
        if mounted is None:
            raise NoDebian("systemd needs control groups of version 2, which are not mounted here.")
        self._folders = [_new_folder(mounted)]
        self._memory, limit = self._folders[0], "memory.max"
        if megabytes is None:
            return
        if not (self._memory / limit).exists():  # memory is controlled by version 1
            self._memory = _new_folder(Path("/sys/fs/cgroup/memory"))
            limit = "memory.limit_in_bytes"
            self._folders.append(self._memory)
        (self._memory / limit).write_text(str(megabytes * 2**20))

    def enter(self) -> None:
        """Puts this process, and those that it starts, into the group."""
        for folder in self._folders:
            (folder / "cgroup.procs").write_text(str(os.getpid()))

    def held(self) -> int:
        """The bytes of memory that it holds and cannot give back."""
        found = dict(line.split() for line in (self._memory / "memory.stat").read_text().splitlines())
        return int(found["total_rss" if "total_rss" in found else "anon"])

    def close(self) -> None:
        """Removes it once its processes have ended."""
        for folder in self._folders:
            until(partial(_removed, folder), "all processes of the machine have ended")


class Debian:
    """A machine that has started. ``root`` is its root folder, as seen from outside."""

    def __init__(self, root: Path, group: Group) -> None:
        self.root, self._group, self._open = root, group, ExitStack()
        script = _BOOT.format(root=root)
        self._parent = subprocess.Popen(
            ["unshare", *NAMESPACES, "--fork", "--kill-child", "--propagation=private", "sh", "-c", script],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,  # else it would keep our output open
            stderr=subprocess.DEVNULL,
            preexec_fn=partial(self._enter, signal.SIGKILL),
        )
        try:
            self.pid = until(self._first_process, "the machine has a first process", START_SECONDS)
            until(lambda: self._state() in ("running", "degraded"), "the machine has started", START_SECONDS)
        except BaseException:
            self.close()
            raise

    def run(self, script: str, *, online: bool = False, stdin: str = "") -> subprocess.CompletedProcess[str]:
        """Runs a script of bash as root on the machine, to its end; ``online`` in the network of
        this one. What it wrote to both its outputs is in one.
        """
        return subprocess.run(
            self.command("bash", "-euo", "pipefail", "-c", script, online=online),
            input=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            preexec_fn=partial(self._enter, signal.SIGKILL),
        )

    def command(self, *words: str, online: bool = False) -> list[str]:
        """What runs a command as root on the machine."""
        spaces = ["--mount", "--uts", "--ipc", "--pid", "--cgroup", *([] if online else ["--net"])]
        environ = [f"{name}={value}" for name, value in _ENVIRONMENT.items()]
        if online:  # whoever stands between this network and the world is trusted as here
            environ.append(f"PIP_CERT=/{TRUSTED}")
        return ["nsenter", f"--target={self.pid}", *spaces, "--root", "--wdns=/root", "env", "-i", *environ, *words]

    def network(self, *words: str) -> list[str]:
        """What runs a command of this machine in the network of that one."""
        return ["nsenter", f"--target={self.pid}", "--net", *words]

    def hand_on(self, port: int, to: int) -> None:
        """Connects a port of the machine's loopback with one of this machine's."""
        made = Queue[socket.socket]()
        threading.Thread(target=self._listen, args=(port, made), daemon=True).start()
        listening = made.get(timeout=START_SECONDS)
        self._open.callback(listening.close)
        threading.Thread(target=_hand_on, args=(listening, to), daemon=True).start()

    def held(self) -> int:
        """The bytes of memory that all of it holds and cannot give back; of a limited machine."""
        return self._group.held()

    def unpack(self, version: str) -> Path:
        """Puts the tracked files of this project, but its tests, where the page has the sources of
        a version. Returns the folder, as seen from outside.
        """
        folder = self.root / "usr/local/src" / f"overland-{version}"
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=PROJECT, capture_output=True, text=True, check=True)
        for name in listed.stdout.split("\0"):
            if (PROJECT / name).is_file() and not name.startswith("tests/"):
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(PROJECT / name, folder / name)
        return folder

    def close(self) -> None:
        """Ends all that runs on it."""
        self._open.close()
        self._parent.kill()
        self._parent.wait()
        self._group.close()

    def _enter(self, number: signal.Signals) -> None:
        end_with(os.getppid(), number)
        self._group.enter()

    def _first_process(self) -> int:
        if self._parent.poll() is not None:
            raise NoDebian("The machine has ended at its start.")
        children = Path(f"/proc/{self._parent.pid}/task/{self._parent.pid}/children").read_text().split()
        return int(children[0]) if children and Path(f"/proc/{children[0]}/comm").read_text() == "systemd\n" else 0

    def _listen(self, port: int, made: Queue[socket.socket]) -> None:
        """Makes a socket in the network of the machine, into which this thread goes for that."""
        with open(f"/proc/{self.pid}/ns/net", "rb") as network:
            if _libc.setns(network.fileno(), _CLONE_NEWNET):
                raise OSError(ctypes.get_errno(), "setns")
        made.put(socket.create_server(("127.0.0.1", port)))

    def _state(self) -> str:
        return self.run("systemctl is-system-running || true").stdout.strip()


@contextmanager
def debian(suite: str, *names: str, megabytes: int | None = None) -> Iterator[Debian]:
    """A bare Debian of that suite, such as ``bookworm``, in a temporary folder, which knows itself
    by these ``names``. It may use so many ``megabytes`` (MiB) of memory, caches included. Raises
    ``NoDebian``.
    """
    if reason := why_missing():
        raise NoDebian(reason)
    with tempfile.TemporaryDirectory(prefix="overland-debian-", dir="/var/tmp") as folder:
        root = Path(folder) / "root"
        made = subprocess.run(
            ["mmdebstrap", "--quiet", "--variant=minbase", f"--include={INCLUDED}", suite, str(root), _mirror()],
            capture_output=True,
            text=True,
            check=False,
        )
        if made.returncode:
            raise NoDebian(f"mmdebstrap failed: {made.stderr[-2000:]}")
        shutil.copy("/etc/resolv.conf", root / "etc/resolv.conf")
        shutil.copy("/etc/ssl/certs/ca-certificates.crt", root / TRUSTED)
        (root / "etc/hosts").write_text(f"127.0.0.1 localhost {' '.join(names)}\n")
        machine = Debian(root, Group(megabytes))
        try:
            yield machine
        finally:
            machine.close()


def _hand_on(listening: socket.socket, port: int) -> None:
    with suppress(OSError):  # it is closed
        while True:
            near, _ = listening.accept()
            far = socket.create_connection(("127.0.0.1", port))
            for pair in ((near, far), (far, near)):
                threading.Thread(target=_copy, args=pair, daemon=True).start()


def _copy(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):  # either has gone
        while data := source.recv(65536):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)


def _new_folder(parent: Path) -> Path:
    folder = parent / f"overland-{secrets.token_hex(4)}"
    folder.mkdir()
    return folder


def _removed(folder: Path) -> bool:
    with suppress(OSError):  # a process is still ending in one of them
        for each in sorted((inner for inner in folder.rglob("*") if inner.is_dir()), reverse=True):
            each.rmdir()
        folder.rmdir()
    return not folder.exists()
