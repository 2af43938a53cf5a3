"""A lock that allows one running service per data folder, held as long as any of its processes
lives.

The supervisor passes the locked file to its children. When it is killed, the next start therefore
waits until the last of them, usually Valkey, has ended.
"""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

PATIENCE = 20.0
"""Seconds to wait for the children of a killed supervisor to end."""
PAUSE_SECONDS = 0.1


class Taken(Exception):
    """Another service runs on this data folder; the message says which."""


@contextmanager
def exclusive(
    data_dir: Path,
    timer: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], object] = time.sleep,
    patience: float = PATIENCE,
) -> Iterator[int]:
    """Returns the file descriptor that locks the data folder for this process and for children that
    inherit it.

    Waits at most ``patience`` seconds of ``timer`` for the children of a dead supervisor. Raises
    ``Taken``.
    """
    handle = os.open(data_dir / "overland.lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        _acquire(handle, data_dir, timer() + patience, timer, sleep)
        os.ftruncate(handle, 0)
        os.pwrite(handle, str(os.getpid()).encode(), 0)
        yield handle
    finally:
        os.close(handle)


def _acquire(
    handle: int, data_dir: Path, deadline: float, timer: Callable[[], float], sleep: Callable[[float], object]
) -> None:
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
            sleep(PAUSE_SECONDS)


def _holder(handle: int) -> int | None:
    """The process id of the supervisor in the lock file, if that process is alive."""
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
