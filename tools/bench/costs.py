"""Processor time and memory of processes. Those that have ended count as 0."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import psutil


def processor_seconds(pids: Iterable[int]) -> float:
    """The processor seconds of these processes, user and system."""
    times = (process.cpu_times() for process in _living(pids))
    return sum(spent.user + spent.system for spent in times)


def memory_bytes(pids: Iterable[int]) -> int:
    """The memory of these processes; shared memory is divided between them where the system reports
    it.
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
