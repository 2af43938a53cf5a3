"""Packages with a game, installed for a test into a folder of their own: by pip, or faster, by
copying what pip would install.
"""

from __future__ import annotations

import importlib
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from engine import registry

EXAMPLE = Path(__file__).parent.parent / "examples" / "connect_four"


def install(source: Path, site: Path) -> None:
    """The package of that folder with its ``pyproject.toml``, in ``site``: its files, and what is
    known of it as a distribution.
    """
    project = tomllib.loads((source / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    shutil.copytree(
        source / project["name"], site / project["name"], ignore=shutil.ignore_patterns("__pycache__", ".*")
    )
    declare(site, project["name"], project["entry-points"]["overland.games"], project["version"])


def install_with_pip(source: Path, site: Path, work: Path) -> None:
    """The same by pip, which builds a wheel of a copy in the folder ``work``, without a network."""
    copy = work / source.name
    shutil.copytree(source, copy, ignore=shutil.ignore_patterns("__pycache__", ".*", "build", "*.egg-info"))
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-cache-dir", "install", "--no-index")
    options = ("--no-deps", "--no-build-isolation", "--target", str(site))
    done = subprocess.run([*pip, *options, str(copy)], capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def declare(site: Path, distribution: str, games: Mapping[str, str], version: str = "1.0") -> None:
    """A distribution with these entry points is installed in ``site``."""
    folder = site / f"{distribution}-{version}.dist-info"
    folder.mkdir(parents=True)
    (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: {version}\n")
    points = "".join(f"{name} = {package}\n" for name, package in games.items())
    (folder / "entry_points.txt").write_text(f"[overland.games]\n{points}")


@contextmanager
def at_hand(site: Path) -> Iterator[None]:
    """What is installed in ``site`` can be imported, and its games are in the registry; afterwards
    everything is as it was.
    """
    before = set(sys.modules)
    sys.path.insert(0, str(site))
    forget_games()
    try:
        yield
    finally:
        sys.path.remove(str(site))
        for name in set(sys.modules) - before:
            if (getattr(sys.modules[name], "__file__", None) or "").startswith(str(site)):
                del sys.modules[name]
        forget_games()


def forget_games() -> None:
    """The registry looks for the games again when it is next asked."""
    importlib.invalidate_caches()
    for name in dir(registry):
        if hasattr(found := getattr(registry, name), "cache_clear"):
            found.cache_clear()
