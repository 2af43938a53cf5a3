"""The threads of the service, and the only place where they are started: none ends silently. One
that raises, or exits, is begun again, after growing pauses. Until then ``down`` names it, and so
does whoever was given by ``tell``, which writes it into the database.
"""

from __future__ import annotations

import faulthandler
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeAlias

import structlog

FIRST_PAUSE: Final = 1.0
LAST_PAUSE: Final = 60.0
MOST_DOUBLINGS: Final = 64  # a power of some thousand is no number, and what lasts for a day fails as often
WELL_SECONDS: Final = 60.0  # a part that has run for so long is well: its next pause is the first
_log = structlog.get_logger("service.parts")


class Part(StrEnum):
    """What threads are for."""

    HEARTBEAT = "heartbeat"
    LEASES = "leases"
    VERDICTS = "verdicts"
    NEWS = "news"
    OUTPUT = "output"
    TURNS = "turns"
    """The workers, and what else runs for as long as its process."""
    NOTICES = "notices"
    WEBHOOKS = "webhooks"
    MESSAGES = "messages"
    BOTS = "bots"
    SWEEPER = "sweeper"
    LISTENER = "listener"
    MAILBOX = "mailbox"
    """No thread: the listener says so where the mailbox cannot be used."""


@dataclass(frozen=True, slots=True)
class Down:
    """A part that has ended ``deaths`` times in a row, and begins again in ``pause`` seconds."""

    error: str
    deaths: int
    pause: float


Teller: TypeAlias = Callable[[Part, Down | None], object]
"""Is told of a part that is down, and with ``None`` that it is begun again."""

_down: dict[int, Part] = {}
_told: Teller | None = None
_pause = threading.Event()
_ends: dict[object, float] = {}
_ends_lock = threading.Lock()


def start(part: Part, body: Callable[[], object]) -> threading.Thread:
    """Starts a thread that runs ``body`` until it returns; again where it raises."""
    thread = threading.Thread(target=_run, args=(part, body), name=part, daemon=True)
    thread.start()
    return thread


def down() -> frozenset[Part]:
    """The parts of this process that are down."""
    return frozenset(_down.values())


def tell(told: Teller | None) -> None:
    """Has ``told`` told of all parts of this process."""
    global _told
    _told = told


def say(part: Part, down: Down | None) -> None:
    """Has a part named as down, or no more, by the thread that does its work and goes on."""
    _down.pop(threading.get_ident(), None)
    if down is not None:
        _down[threading.get_ident()] = part
    _tell(part, down)


def growing_pause(first: float, last: float, times: int) -> float:
    """The seconds after so many failures in a row, at least one: from ``first``, doubled up to
    ``last``.
    """
    return min(first * 2.0 ** min(times - 1, MOST_DOUBLINGS), last)


@contextmanager
def ended_after(seconds: float) -> Iterator[None]:
    """Ends this process, with its place on standard error, where the block takes longer, in
    whichever thread: whoever supervises the process starts another.
    """
    block = object()
    _end_at(block, time.monotonic() + seconds)
    try:
        yield
    finally:
        _end_at(block, None)


def _end_at(block: object, end: float | None) -> None:
    with _ends_lock:
        if end is None:
            del _ends[block]
        else:
            _ends[block] = end
        if _ends:
            left = min(_ends.values()) - time.monotonic()
            faulthandler.dump_traceback_later(max(left, 0.001), exit=True, file=2)
        else:
            faulthandler.cancel_dump_traceback_later()


def _run(part: Part, body: Callable[[], object]) -> None:
    deaths, me = 0, threading.get_ident()
    while True:
        began = time.monotonic()
        try:
            body()
        except (Exception, SystemExit) as error:
            deaths = 1 if time.monotonic() - began > WELL_SECONDS else deaths + 1
            pause = growing_pause(FIRST_PAUSE, LAST_PAUSE, deaths)
            _log.exception("part.down", part=part, deaths=deaths, pause=pause)
            _down[me] = part
            _tell(part, Down(f"{type(error).__name__}: {error}", deaths, pause))
            _pause.wait(pause)
            _tell(part, None)
            _down.pop(me, None)
        else:
            return


def _tell(part: Part, down: Down | None) -> None:
    if _told is not None:
        try:
            _told(part, down)
        except Exception as error:  # the database may be what is away
            _log.warning("part.not_recorded", part=part, error=type(error).__name__)
