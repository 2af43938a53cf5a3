"""What processes cost: processor seconds and memory. Those that have ended cost nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import psutil


def processor_seconds(pids: Iterable[int]) -> float:
    """The seconds for which these processes have kept processors busy, the system's included."""
    times = (process.cpu_times() for process in _living(pids))
    return sum(spent.user + spent.system for spent in times)


def memory_bytes(pids: Iterable[int]) -> int:
    """The memory of these processes; what several share is divided between them where the system
    tells it.
    """
    return sum(_memory(process) for process in _living(pids))


def _living(pids: Iterable[int]) -> Iterator[psutil.Process]:
    for pid in pids:
        try:
            process = psutil.Process(pid)
            if process.status() != psutil.STATUS_ZOMBIE:
                yield process
        except psutil.NoSuchProcess:
            continue


def _memory(process: psutil.Process) -> int:
    try:
        memory = process.memory_full_info()
    except psutil.Error:  # processes of others, or one that has just ended
        return process.memory_info().rss if process.is_running() else 0
    return int(getattr(memory, "pss", memory.uss))
