"""One running service per data folder, held by a lock that lasts as long as any process of it
lives.

The supervisor hands the locked file on to its children. So when it is killed, the next start waits
until the last of them, Valkey above all, has let go of the folder.
"""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

PATIENCE = 20.0
"""Seconds that the children of a killed supervisor may take to end."""
PAUSE_SECONDS = 0.1


class Taken(Exception):
    """Another service runs on this data folder; the message says which."""


@contextmanager
def exclusive(data_dir: Path, timer: Callable[[], float] = time.monotonic) -> Iterator[int]:
    """The file descriptor that holds the data folder for this process and for the children that
    inherit it.

    Waits for the children of a supervisor that is gone, for ``PATIENCE`` seconds of ``timer``.
    Raises ``Taken``.
    """
    handle = os.open(data_dir / "overland.lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        _acquire(handle, data_dir, timer)
        os.ftruncate(handle, 0)
        os.pwrite(handle, str(os.getpid()).encode(), 0)
        yield handle
    finally:
        os.close(handle)


def _acquire(handle: int, data_dir: Path, timer: Callable[[], float]) -> None:
    deadline = timer() + PATIENCE
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            holder = _holder(handle)
            if holder is not None:
                raise Taken(
                    f"Overland is already running on {data_dir} (process {holder}). Stop it first, or give this one a"
                    " folder and a port of its own: OVERLAND_DATA_DIR=./other OVERLAND_PORT=8001."
                ) from None
            if timer() > deadline:
                raise Taken(
                    f"Processes of an earlier run still hold {data_dir}, although their supervisor is gone. End them,"
                    " then start again."
                ) from None
            time.sleep(PAUSE_SECONDS)


def _holder(handle: int) -> int | None:
    """The supervisor that wrote its number into the lock, if it still lives."""
    written = os.pread(handle, 32, 0).decode(errors="replace").strip()
    if not written.isdigit():
        return None
    try:
        os.kill(int(written), 0)
    except ProcessLookupError:
        return None
    except PermissionError:
        pass
    return int(written)
