"""What processes cost: seconds of the processor and bytes of memory, as Linux counts them in
``/proc``.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")


def processor_seconds(pids: Iterable[int]) -> float:
    """The seconds that these processes have kept processors busy; of one that is gone nothing is
    known.
    """
    return sum(_seconds(pid) for pid in pids)


def memory_bytes(pids: Iterable[int]) -> int:
    """What these processes hold in memory; what several share is divided between them where Linux
    tells it.
    """
    return sum(_memory(pid) for pid in pids)


def family(pid: int) -> tuple[int, ...]:
    """A process and all it has forked."""
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return (pid,)
    return (pid, *(member for child in children for member in family(int(child))))


def _seconds(pid: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / TICKS


def _memory(pid: int) -> int:
    try:
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE
    except OSError:
        return 0
