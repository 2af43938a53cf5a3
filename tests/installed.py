"""Packages with a game, installed for a test into a folder of their own: by pip, or faster, by
copying what pip would install.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

from tools.installed import declare

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
