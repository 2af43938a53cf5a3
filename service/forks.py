"""Forks of this process, and the only place where they are made.

A fork shares its parent's memory. It inherits no more than a new program would: no signal handlers,
and only the files that it is given and those that all hold (``hold``). On Linux the kernel ends it
with the thread that forked it.
"""

from __future__ import annotations

import ctypes
import gc
import logging
import os
import signal
import sys
import traceback
from collections.abc import Callable, Collection
from contextlib import suppress
from typing import Final, NoReturn

from setproctitle import setproctitle

STANDARD: Final = (0, 1, 2)
_PR_SET_PDEATHSIG: Final = 1
_prctl: Final = ctypes.CDLL(None, use_errno=True).prctl if sys.platform == "linux" else None
_held: Final = set[int]()


def hold(descriptor: int) -> None:
    """Has all forks from now on, and the programs that they become, keep this file open."""
    os.set_inheritable(descriptor, True)
    _held.add(descriptor)


def fork(
    title: str,
    body: Callable[[], object],
    ended_by: signal.Signals,
    *,
    output: int | None = None,
    keep: Collection[int] = (),
) -> int:
    """Forks this process, which must have no other thread and no connection, and runs ``body`` in
    the fork. Returns its process id, whose status the caller has to wait for.

    The fork exits with 0 when ``body`` returns, with 1 and a traceback where it raises. ``title``
    is shown by ``ps``, ``ended_by`` is sent to it when this process ends. With ``output`` it has an
    empty standard input, and writes what it prints there; it keeps the descriptors ``keep``.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    parent = os.getpid()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    pid = os.fork()
    if pid == 0:
        _run(title, body, parent, ended_by, output, keep)
    signal.pthread_sigmask(signal.SIG_SETMASK, before)
    return pid


def said_by_fork(title: str, body: Callable[[], str]) -> str:
    """What ``body`` returns in a fork. Raises ``ChildProcessError`` where it raises or dies."""
    reading, writing = os.pipe()
    pid = fork(title, lambda: os.write(writing, body().encode()), signal.SIGKILL, keep=(writing,))
    os.close(writing)
    with open(reading, encoding="utf-8") as pipe:
        said = pipe.read()
    if os.waitpid(pid, 0)[1] != 0:
        raise ChildProcessError(f"{title} has failed")
    return said


def end_with(parent: int, ended_by: signal.Signals) -> None:
    """Has the kernel send this process a signal when its parent ends; only on Linux. Ends it where
    that has happened already.
    """
    if _prctl is not None:
        _prctl(_PR_SET_PDEATHSIG, ended_by)
    if os.getppid() != parent:
        os._exit(1)


def _run(
    title: str,
    body: Callable[[], object],
    parent: int,
    ended_by: signal.Signals,
    output: int | None,
    keep: Collection[int],
) -> NoReturn:
    status = 1
    try:
        gc.freeze()  # what the parent has dropped, but not collected, is not ours to close
        end_with(parent, ended_by)
        _forget_handlers()
        _leave_files({*STANDARD, *keep, *_held} | ({output} if output is not None else set()))
        if output is not None:
            _redirect(output)
        setproctitle(title)
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
        body()
        status = 0
    except SystemExit as end:
        status = _status(end)
    except BaseException:
        traceback.print_exc()
    finally:
        with suppress(Exception):
            logging.shutdown()
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(status)


def _forget_handlers() -> None:
    signal.set_wakeup_fd(-1)
    for number in signal.valid_signals():
        if callable(signal.getsignal(number)):
            signal.signal(number, signal.SIG_DFL)


def _leave_files(kept: Collection[int]) -> None:
    """Puts ``/dev/null`` in the place of all other open files: a number that were free would be
    given to another file, which an object of the parent that goes here could then close.
    """
    null = os.open(os.devnull, os.O_RDWR)
    for name in os.listdir("/dev/fd"):
        number = int(name)
        if number not in kept and number != null:
            with suppress(OSError):  # that of the listing itself
                os.fstat(number)
                os.dup2(null, number, inheritable=False)
    os.close(null)


def _redirect(output: int) -> None:
    with open(os.devnull) as null:
        os.dup2(null.fileno(), 0)
    for standard in (1, 2):
        os.dup2(output, standard)
    os.close(output)
    sys.stdin = open(0, closefd=False)  # noqa: SIM115  # open as long as this process lives
    sys.stdout = open(1, "w", buffering=1, closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", buffering=1, errors="backslashreplace", closefd=False)  # noqa: SIM115


def _status(end: SystemExit) -> int:
    if end.code is None or isinstance(end.code, int):
        return end.code or 0
    print(end.code, file=sys.stderr)
    return 1
