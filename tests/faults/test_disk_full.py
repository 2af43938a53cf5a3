"""The disk under the SQLite file full to the last byte: clients are told to ask again, nothing is
lost, and it goes on when there is room.

The file lies on a file system of a few MB in a mount namespace of the service's own, which vanishes
with it. Where nobody may make one, every process gets a limit for the size of its files instead
(`RLIMIT_FSIZE`), and the test says so.
"""

from __future__ import annotations

import resource
import shutil
import subprocess
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from service.ledger.findings import Breach, Findings
from tests.faults.trial import Trial
from tests.faults.trial import trial as new_trial
from tools.launch import environment, overland
from tools.waiting import TimedOut, until

pytestmark = pytest.mark.deep

SMALL = "12m"


def namespace_prefix() -> tuple[str, ...] | None:
    """What runs a command in a mount namespace of its own; ``None`` where that is not allowed."""
    for options in (("--mount",), ("--mount", "--user", "--map-root-user")):
        if shutil.which("unshare") is None:
            return None
        tried = subprocess.run(
            ["unshare", *options, "sh", "-c", "mount -t tmpfs -o size=1m none /mnt"],
            env=environment(Path("/")),
            capture_output=True,
            check=False,
        )
        if tried.returncode == 0:
            return ("unshare", *options)
    return None


@pytest.fixture
def small_disk(tmp_path: Path, rows: Path) -> Iterator[tuple[Trial, Path | None]]:
    """A service whose database is on a small disk, and where that disk can be seen from here;
    ``None`` where its files are limited instead.
    """
    disk = tmp_path / "disk"
    disk.mkdir()
    unshared = namespace_prefix()
    given = {"OVERLAND_DATABASE_URL": f"sqlite:///{disk}/overland.sqlite"}
    if unshared is None:
        warnings.warn("No namespaces here: a full disk is replaced by RLIMIT_FSIZE.", stacklevel=1)
        with new_trial(tmp_path, rows, "SQLite", given) as trial:
            yield trial, None
        return
    print("The small disk is a tmpfs in a mount namespace of the service.")
    prefix = (*unshared, "sh", "-c", f'mount -t tmpfs -o size={SMALL} none "{disk}" && exec "$@"', "sh")
    with new_trial(tmp_path, rows, "SQLite", given, prefix=prefix) as trial:
        arbiter = trial.service.part("arbiter").pid
        trial.look = lambda: ledger_inside(trial, arbiter, unshared)
        yield trial, Path(f"/proc/{arbiter}/root{disk}")


def ledger_inside(trial: Trial, pid: int, unshared: tuple[str, ...]) -> Findings:
    """The ledger as `overland ledger` sees it in the namespace of the service, once nothing is
    pending.
    """
    seen, received = trial.service.folder / "seen", trial.service.folder / "received"
    seen.write_text("\n".join(turn.turn_id for turn in trial.players.journal.seen))
    user = ("--user", "--preserve-credentials") if "--user" in unshared else ()
    prefix = ("nsenter", "--target", str(pid), "--mount", *user)
    files = ("--submitted", str(seen), "--received", str(received))
    printed = ""

    def sound() -> bool:
        nonlocal printed
        received.write_text("\n".join(trial.mail.received))
        done = overland("ledger", "--settled", *files, environ=trial.service.environ, prefix=prefix)
        printed = done.stdout + done.stderr
        return done.returncode == 0

    try:
        until(sound, "a clean ledger")
    except TimedOut:
        return Findings(breaches=[Breach("not_sound", "", printed)])
    return Findings()


def test_a_full_disk_costs_nothing(small_disk: tuple[Trial, Path | None]) -> None:
    trial, disk = small_disk

    @contextmanager
    def full() -> Iterator[None]:
        free = filled(disk) if disk is not None else limited(trial)
        refused = trial.players.journal.unavailable
        until(lambda: trial.players.journal.unavailable > refused + 2, "answers of 503")
        free()
        yield

    trial.suffer("disk full" if disk is not None else "disk full (file size limit)", full())
    output = trial.service.output()
    assert "database or disk is full" in output or "disk I/O error" in output


def filled(disk: Path) -> Callable[[], None]:
    """Fills the disk to the last byte; what makes room again."""
    filler = disk / "filler"
    with filler.open("wb", buffering=0) as stream:
        for size in (65536, 4096, 512, 1):
            try:
                while stream.write(bytes(size)):
                    pass
            except OSError:
                continue
    return filler.unlink


def limited(trial: Trial) -> Callable[[], None]:
    """Lets no process of the service write to a file beyond what the database has already; what
    lifts that again.
    """
    database = Path(trial.database.url.database or "")
    sizes = [file.stat().st_size for file in database.parent.glob("overland.sqlite*")]
    parts = [part for part in trial.service.parts() if part.kind != "valkey"]
    for part in parts:
        psutil.Process(part.pid).rlimit(resource.RLIMIT_FSIZE, (min(sizes), resource.RLIM_INFINITY))

    def lift() -> None:
        for part in parts:
            if psutil.pid_exists(part.pid):
                psutil.Process(part.pid).rlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))

    return lift
