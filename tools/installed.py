"""Packages with a game that are installed in a folder of their own: for tools and tests."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from engine import registry


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
    for function in remembering().values():
        function.cache_clear()


def remembering() -> dict[str, Any]:
    """The functions of the registry that remember what they found, by name."""
    return {name: found for name, found in vars(registry).items() if hasattr(found, "cache_clear")}
