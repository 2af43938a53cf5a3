"""`overland bench-small`: what a machine of little memory carries.

A bare Debian (``tools.debian``) in a control group of so much memory, on which the service is as
docs/debian.md leaves it, with Caddy. On it matches of all games are played at once, as fast as
verdicts come, in development mode: their mails, with pictures, go into a folder. It needs root.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import click

from engine import registry
from tools.debian import Debian, NoDebian, debian, typed_blocks

VERSION: Final = "0.1.0"
LEFT_OF_512: Final = 460
"""MiB that Linux itself leaves of a machine of 512 MB."""
UMASK: Final = 0o022
"""The machine has several users; the commands of overland keep their files to their own."""
LOOK_SECONDS: Final = 0.5
IDLE_SECONDS: Final = 5.0
COUNTED_SECONDS: Final = 12.0
"""Until everything is counted that was done (``service.counts``)."""
URL: Final = "http://127.0.0.1:8000"
POSTGRESQL: Final = "postgresql:///overland?host=/run/postgresql"
DEMO: Final = (sys.executable, "-m", "service.cli", "demo", "--url", URL, "--record", "/dev/null", "--game")


@dataclass(frozen=True, slots=True)
class Carried:
    """What was done within ``seconds``, with ``processor`` seconds of the service, and the memory
    that was held when it was ``idle`` and at most, in bytes. ``is_done``: all matches were over in
    time.
    """

    is_done: bool
    seconds: float
    turns: int
    mails: int
    processor: float
    idle: int
    most: int


@click.command("bench-small")
@click.option("--megabytes", default=LEFT_OF_512, show_default=True, help="MiB of memory, caches included.")
@click.option("--suite", default="bookworm", show_default=True, help="Which Debian.")
@click.option("--matches", default=2, show_default=True, help="Of each game, all at once.")
@click.option("--postgresql", is_flag=True, help="With PostgreSQL on the machine, instead of SQLite.")
@click.option("--seconds", default=300, show_default=True, help="Within which the matches have to be over.")
def bench_small(megabytes: int, suite: str, matches: int, postgresql: bool, seconds: int) -> None:
    """Measure what a machine of little memory carries."""
    os.umask(UMASK)
    try:
        with debian(suite, megabytes=megabytes) as machine:
            _install(machine, postgresql)
            found = _played(machine, list(registry.games()) * matches, seconds)
    except NoDebian as error:
        raise click.ClickException(str(error)) from error
    click.echo(
        f"{'All' if found.is_done else 'NOT all'} matches were over after {found.seconds:.0f} s: {found.turns} turns,"
        f" {found.mails} mails, {found.processor:.0f} s of processor."
    )
    megabytes_held = [round(held / 1e6) for held in (megabytes * 2**20, found.idle, found.most)]
    click.echo("Memory held, MB of {}: {} idle, {} at most.".format(*megabytes_held))


def _install(machine: Debian, postgresql: bool) -> None:
    program, settings, *_ = typed_blocks()
    machine.unpack(VERSION)
    _run(machine, program, online=True)
    _run(machine, settings)
    lines = ["OVERLAND_MODE='development'", "OVERLAND_DATA_DIR='/var/lib/overland'"]
    if postgresql:
        _run(machine, "apt-get install --yes postgresql", online=True)
        _run(machine, "cd /; runuser --user postgres -- createuser overland")
        _run(machine, "cd /; runuser --user postgres -- createdb --owner=overland overland")
        lines.append(f"OVERLAND_DATABASE_URL='{POSTGRESQL}'")
    (machine.root / "etc/overland/overland.env").write_text("\n".join([*lines, ""]))
    _run(machine, "systemctl restart caddy; systemctl enable --now overland")


def _played(machine: Debian, games: Sequence[str], seconds: float) -> Carried:
    time.sleep(IDLE_SECONDS)
    idle = most = machine.held()
    began = time.monotonic()
    players = [
        subprocess.Popen(machine.network(*DEMO, game), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for game in games
    ]
    try:
        while any(player.poll() is None for player in players) and time.monotonic() - began < seconds:
            most = max(most, machine.held())
            time.sleep(LOOK_SECONDS)
        took, is_done = time.monotonic() - began, all(player.poll() == 0 for player in players)
    finally:
        for player in players:
            player.kill()
            player.wait()
    time.sleep(COUNTED_SECONDS)
    metrics = _run(machine, f"curl --fail --silent --show-error {URL}/metrics")
    used = _run(machine, "systemctl show overland --property=CPUUsageNSec --value")
    return Carried(
        is_done,
        took,
        _sum(metrics, "overland_verdicts_total"),
        _sum(metrics, 'overland_deliveries_total{result="sent"}'),
        int(used) / 1e9,
        idle,
        most,
    )


def _sum(metrics: str, name: str) -> int:
    """The sum of the samples whose name, with labels, begins so."""
    return sum(round(float(value)) for value in re.findall(rf"^{re.escape(name)}\S* (\S+)$", metrics, re.MULTILINE))


def _run(machine: Debian, script: str, *, online: bool = False) -> str:
    done = machine.run(script, online=online)
    if done.returncode:
        raise click.ClickException(f"{script}\n{done.stdout[-2000:]}")
    return done.stdout
