"""The game ``mishap``, which goes wrong on command: for the soak and for fault tests."""

from __future__ import annotations

import importlib.resources
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, TypeAlias

from tools.games import first_game
from tools.installed import at_hand, declare

NAME: Final = "mishap"
MishapKind: TypeAlias = Literal["playing dies", "playing hangs", "text dies", "text hangs", "picture hangs"]


@dataclass(frozen=True, slots=True)
class Mishap:
    """The game as it is installed in the folder ``site``."""

    site: Path

    def environ(self) -> dict[str, str]:
        """The settings of a service that offers the game."""
        inherited = os.environ.get("PYTHONPATH")
        return {"PYTHONPATH": os.pathsep.join([str(self.site), *([inherited] if inherited else [])])}

    @contextmanager
    def happening(self, kind: MishapKind) -> Iterator[None]:
        """Whoever plays an action of a seat in this game, or shows its board, has this mishap until
        the context is left.
        """
        file = self.site / NAME / NAME
        file.write_text(kind)
        try:
            yield
        finally:
            file.unlink()


@contextmanager
def installed(site: Path) -> Iterator[Mishap]:
    """The game is installed in this folder, and is in the registry here until the context is left:
    the ledger replays its matches. It is the first registered game otherwise.
    """
    base = f"engine.games.{first_game()}"
    package = site / NAME
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(importlib.resources.files(__name__).joinpath("game.py").read_text())
    (package / "base").write_text(base)
    for file in ("RULES.md", "standard.json"):
        (package / file).write_text(importlib.resources.files(base).joinpath(file).read_text(encoding="utf-8"))
    declare(site, NAME, {NAME: NAME})
    with at_hand(site):
        yield Mishap(site)
