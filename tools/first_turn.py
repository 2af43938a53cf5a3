"""`overland first-turn`: measures the time from `make run` in a fresh clone to the first accepted
turn.

Clones the committed state into a temporary folder, runs `make run` there with only a home and a
PATH in the environment, plays one turn over HTTP, and removes everything again. Installing counts,
because it is part of the wait.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import time
from itertools import pairwise
from pathlib import Path

import click

from tools.client import NAMES, Client, ClientError, fewest_players, first_game_of, play_turn, sign_up, start_match
from tools.launch import NotRunning, Service

PLAIN_PATH = "/usr/local/bin:/usr/bin:/bin"
INSTALL_SECONDS = 1800.0


@click.command()
@click.option(
    "--source",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    default=Path(),
    help="The repository to clone; this one by default.",
)
@click.option("--game", default=None, help="What is played; the first game of the service by default.")
def first_turn(source: Path, game: str | None) -> None:
    """Time `make run` in a fresh clone up to the first accepted turn."""
    with tempfile.TemporaryDirectory(prefix="overland-first-turn-") as folder:
        clone = Path(folder) / "clone"
        git = shutil.which("git")
        if git is None or subprocess.run([git, "clone", "--quiet", str(source), str(clone)], check=False).returncode:
            click.echo(f"{source.resolve()} cannot be cloned; this measures a clone of the repository.", err=True)
            raise SystemExit(1)
        try:
            _measure(clone, Path(folder) / "home", game)
        except (ClientError, NotRunning) as problem:
            click.echo(str(problem), err=True)
            raise SystemExit(1) from None


def _measure(clone: Path, home: Path, game: str | None) -> None:
    service = Service(home)
    service.environ = {"HOME": str(home), "PATH": PLAIN_PATH, "OVERLAND_PORT": str(service.port)}
    client, times = Client(service.url), [time.perf_counter()]
    service.spawn("make", "make", "run", folder=clone)
    try:
        service.wait((clone / ".venv" / "installed-for-running").exists, "Overland is installed", INSTALL_SECONDS)
        times.append(time.perf_counter())
        service.wait(service.ready, "the service is ready")
        times.append(time.perf_counter())
        game = game or first_game_of(client)
        players = [sign_up(client, name) for name in NAMES[: fewest_players(client, game)]]
        played = play_turn(client, start_match(client, game, players, "First turn"), players, lambda legal: legal[0])
        times.append(time.perf_counter())
    finally:
        service.kill()
    if played is None or played.status != "accepted":
        raise ClientError(f"The first legal turn was not accepted: {played}.")
    installing, starting, playing = (after - before for before, after in pairwise(times))
    click.echo(f"From `make run` in a fresh clone to the first accepted turn: {times[-1] - times[0]:.1f} s")
    click.echo(
        f"  installing {installing:.1f} s, starting {starting:.1f} s, {len(players)} players signed up, seated and one"
        f" turn played {playing:.1f} s"
    )
