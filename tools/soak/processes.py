"""The processes of a running service, as Linux tells in `/proc`: which part each is, whose child,
how much memory it holds.
"""

from __future__ import annotations

import os
import signal
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, TypeAlias

PROC: Final = Path("/proc")
Kind: TypeAlias = Literal["arbiter", "api", "turns", "notices", "sweeper", "valkey", "other"]
"""The arbiter is gunicorn's parent process, which starts those that answer requests, ``api``."""


@dataclass(frozen=True, slots=True)
class Part:
    """A living process of the service; ``memory`` is what it holds resident, in bytes."""

    pid: int
    kind: Kind
    memory: int


def parts_of(supervisor: int) -> tuple[Part, ...]:
    """The living descendants of a supervisor, by their age."""
    parents = _parents()
    found: dict[int, Part] = {}
    waiting = [supervisor]
    while waiting:
        parent = waiting.pop(0)
        for pid in sorted(child for child, of in parents.items() if of == parent):
            part = _part(pid, found.get(parent))
            if part is not None:
                found[pid] = part
                waiting.append(pid)
    return tuple(found.values())


def send(part: Part, number: signal.Signals) -> None:
    """Sends a signal to a part, which may have died meanwhile."""
    try:
        os.kill(part.pid, number)
    except ProcessLookupError:
        return


def _parents() -> dict[int, int]:
    """Each living process that may be read, and its parent."""
    found = {}
    for entry in PROC.iterdir():
        if entry.name.isdigit():
            try:
                state, parent = (entry / "stat").read_text().rpartition(")")[2].split()[:2]
            except (OSError, ValueError):
                continue  # it has ended while it was looked at
            if state not in "ZX":
                found[int(entry.name)] = int(parent)
    return found


def _part(pid: int, parent: Part | None) -> Part | None:
    try:
        words = (PROC / str(pid) / "cmdline").read_bytes().decode(errors="replace").split("\0")
        pages = int((PROC / str(pid) / "statm").read_text().split()[1])
    except (OSError, ValueError, IndexError):
        return None
    return Part(pid, _kind(words, parent), pages * os.sysconf("SC_PAGE_SIZE"))


def _kind(words: list[str], parent: Part | None) -> Kind:
    if "gunicorn" in words:
        return "api" if parent is not None and parent.kind == "arbiter" else "arbiter"
    if words[0].endswith(("valkey-server", "redis-server")) or "valkey-server" in words[0]:
        return "valkey"
    if "workers" in words:
        name = words[words.index("workers") + 1]
        for kind in ("turns", "notices", "sweeper"):
            if name == kind:
                return kind
    return "other"
