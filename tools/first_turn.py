"""`overland first-turn`: how long it takes somebody new from `make run` in a fresh clone to the
first accepted turn.

Clones what is committed here into a temporary folder, types `make run` there with nothing in the
environment but a home and a PATH, plays one turn as a stranger, and removes it all again.
Installing counts, for it is part of the wait.
"""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import click

from service.commands.valkey import free_port
from tools.client import Service, Unhappy, play_turn, sign_up, sit_down

START_PATIENCE = 600.0
PLAIN_PATH = "/usr/local/bin:/usr/bin:/bin"


@click.command()
@click.option(
    "--source",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    default=Path(),
    help="The repository to clone; this one by default.",
)
def first_turn(source: Path) -> None:
    """Time `make run` in a fresh clone up to the first accepted turn."""
    with tempfile.TemporaryDirectory(prefix="overland-first-turn-") as folder:
        clone, home = Path(folder) / "clone", Path(folder) / "home"
        home.mkdir()
        git = shutil.which("git")
        if git is None or subprocess.run([git, "clone", "--quiet", str(source), str(clone)], check=False).returncode:
            click.echo(f"{source.resolve()} cannot be cloned; this measures a clone of the repository.", err=True)
            raise SystemExit(1)
        try:
            _measure(clone, home)
        except Unhappy as problem:
            click.echo(str(problem), err=True)
            raise SystemExit(1) from None


def _measure(clone: Path, home: Path) -> None:
    port = free_port()
    began = time.perf_counter()
    with open(home / "output", "wb") as output:
        make = subprocess.Popen(
            ["make", "run"],
            cwd=clone,
            env={"HOME": str(home), "PATH": PLAIN_PATH, "OVERLAND_PORT": str(port)},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            process_group=0,
        )
    try:
        service = Service(f"http://127.0.0.1:{port}")
        installed = _await(make, home / "output", (clone / ".venv" / "installed-for-running").exists)
        ready = _await(make, home / "output", lambda: _is_ready(service))
        people = [sign_up(service, name) for name in ("Ann", "Bela")]
        played = play_turn(service, sit_down(service, "oregon", people, "First turn"), people, lambda legal: legal[0])
        assert played is not None
        accepted = time.perf_counter()
    finally:
        os.killpg(make.pid, signal.SIGTERM)
        make.wait()
    click.echo(f"From `make run` in a fresh clone to the first accepted turn: {accepted - began:.1f} s")
    click.echo(
        f"  installing {installed - began:.1f} s, starting {ready - installed:.1f} s, two players signed up, seated and"
        f" moved {accepted - ready:.1f} s"
    )


def _await(make: subprocess.Popen[bytes], output: Path, good: Callable[[], bool]) -> float:
    deadline = time.monotonic() + START_PATIENCE
    while not good():
        if make.poll() is not None:
            raise Unhappy(f"`make run` has ended:\n{output.read_text(errors='replace')}")
        if time.monotonic() > deadline:
            raise Unhappy(f"`make run` took more than {START_PATIENCE:g} s:\n{output.read_text(errors='replace')}")
        time.sleep(0.05)
    return time.perf_counter()


def _is_ready(service: Service) -> bool:
    try:
        service.get("/readyz")
    except Unhappy:
        return False
    return True
