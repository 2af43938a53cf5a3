"""Private copies of the work tree, which itself is never mutated."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

OWN = ("engine", "service", "workers", "tools", "tests")
"""The packages of the tree."""


def copied(root: Path, target: Path) -> None:
    """Copies the files that git tracks or would add, as they are in the work tree."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=root,
        check=True,
        capture_output=True,
        text=True,
    )
    for name in filter(None, listed.stdout.split("\0")):
        if (root / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(root / name, target / name)


def enter(tree: Path) -> None:
    """Makes this process import the packages of that copy, whatever it has imported before."""
    for name in [name for name in sys.modules if name.partition(".")[0] in OWN]:
        del sys.modules[name]
    sys.path[:] = [str(tree), *(path for path in sys.path if path and not _is_own(Path(path)))]
    sys.path_importer_cache.clear()


def _is_own(path: Path) -> bool:
    return (path / "engine").is_dir() and (path / "service").is_dir()
