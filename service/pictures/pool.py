"""Draws pictures in a few processes of this process's own, each with a deadline, so that the work,
the crashes and the endless loops of the renderer concern nobody but those who want that picture.

1. A picture that was drawn before is remembered by its content: the digest of the SVG, and the
   width. Pictures that are equal for all viewers are drawn once.
2. Requests for the same picture at the same time share one drawing.
3. The others wait for their turn, at most ``WAITING`` for each process. Whoever comes beyond that,
   or has waited for longer than ``QUEUE_SECONDS``, is told to come again.
4. A drawing that takes longer than ``DRAWING_SECONDS`` of its process (``service.guard``), or ends
   it, is not tried again for ``FORGIVE_SECONDS``.
"""

from __future__ import annotations

import hashlib
import math
import queue
import threading
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import partial
from typing import Final, Protocol, TypeAlias

import structlog

from service import parts
from service.errors import Unavailable
from service.guard import Answered, Bounds, Guard, Waited
from service.kept import SizedCache
from service.pictures.picture import png

WAITING: Final = 8
QUEUE_SECONDS: Final = 5.0
DRAWING_SECONDS: Final = 10.0
PATIENCE_SECONDS: Final = QUEUE_SECONDS + DRAWING_SECONDS
FORGIVE_SECONDS: Final = 60.0
RETRY_SECONDS: Final = 2
MOST_PNG_BYTES: Final = 32 * 1024 * 1024
MOST_SVG_CHARACTERS: Final = 16 * 1024 * 1024
MOST_FAILURES: Final = 1000
_BUSY: Final = "Too many pictures are being drawn just now. Ask again soon, or ask for board.svg or board.txt."
_FAILED: Final = "This picture cannot be drawn just now. Ask for board.svg or board.txt instead."

_Key: TypeAlias = tuple[bytes, int]
_log = structlog.get_logger("service.pictures")


class PicturesBusy(Unavailable):
    """More pictures are wanted than can be drawn."""

    code = "pictures_busy"


class PictureFailed(Unavailable):
    """Drawing the picture ended its process, took too long, or is not possible."""

    code = "picture_failed"


class Pictures(Protocol):
    """Where pictures come from."""

    def svg(self, key: Hashable, draw: Callable[[], str]) -> str:
        """The SVG that is remembered by ``key``, which names everything it depends on; otherwise
        the result of ``draw``.
        """
        ...

    def png(self, svg: str, width: int, patience: float = PATIENCE_SECONDS) -> bytes:
        """The picture as PNG, ``width`` pixels wide. Raises ``PicturesBusy``, after ``patience``
        seconds at the latest, and ``PictureFailed``.
        """
        ...

    def close(self) -> None:
        """Ends the processes that draw."""
        ...


class DrawnHere:
    """Draws in this process, and remembers SVGs."""

    def __init__(self) -> None:
        self._svgs = SizedCache[str](MOST_SVG_CHARACTERS)

    def svg(self, key: Hashable, draw: Callable[[], str]) -> str:
        drawn = self._svgs.get(key)
        if drawn is None:
            drawn = draw()
            self._svgs.keep(key, drawn)
        return drawn

    def png(self, svg: str, width: int, patience: float = PATIENCE_SECONDS) -> bytes:
        return png(svg, width)

    def close(self) -> None:
        """Ends nothing."""


@dataclass(frozen=True, slots=True)
class _Drawing:
    """A picture to be drawn, for all who wait for ``done``; ``since`` is of the pool's timer."""

    key: _Key
    svg: str
    width: int
    since: float
    done: Future[bytes] = field(default_factory=Future)


class PicturePool(DrawnHere):
    """Draws with ``drawers``, each in the hands of a thread of its own, which starts with the first
    picture. Thread-safe.

    ``timer`` gives monotonic seconds.
    """

    def __init__(self, drawers: Sequence[Guard], timer: Callable[[], float]) -> None:
        super().__init__()
        self._drawers, self._timer = tuple(drawers), timer
        self._lock = threading.Lock()
        self._threads: list[threading.Thread] = []
        self._waiting: queue.SimpleQueue[_Drawing | None] = queue.SimpleQueue()
        self._callers, self._most_callers = 0, len(self._drawers) * (1 + WAITING)
        self._wanted: dict[_Key, _Drawing] = {}
        self._failed: dict[_Key, float] = {}
        self._pngs = SizedCache[bytes](MOST_PNG_BYTES)

    def png(self, svg: str, width: int, patience: float = PATIENCE_SECONDS) -> bytes:
        key = hashlib.sha256(svg.encode()).digest(), width
        known = self._pngs.get(key)
        if known is not None:
            return known
        drawing = self._join(key, svg, width)
        try:
            return drawing.done.result(patience)
        except TimeoutError:
            raise PicturesBusy(_BUSY, RETRY_SECONDS) from None
        finally:
            with self._lock:
                self._callers -= 1

    def close(self) -> None:
        """Ends the processes, after the drawings that are under way."""
        with self._lock:
            threads, self._threads = self._threads, []
        for _ in threads:
            self._waiting.put(None)
        for thread in threads:
            thread.join()

    def _join(self, key: _Key, svg: str, width: int) -> _Drawing:
        """The drawing of that picture, which is waited for from now on. Raises ``PicturesBusy`` and
        ``PictureFailed``.
        """
        now = self._timer()
        with self._lock:
            if (until := self._failed.get(key, now)) > now:
                raise PictureFailed(_FAILED, math.ceil(until - now))
            if self._callers >= self._most_callers:
                raise PicturesBusy(_BUSY, RETRY_SECONDS)
            self._callers += 1
            drawing = self._wanted.get(key)
            if drawing is None:
                drawing = self._wanted[key] = _Drawing(key, svg, width, now)
                self._waiting.put(drawing)
            if not self._threads:
                self._threads = [
                    parts.start(parts.Part.PICTURES, partial(self._draw_on, drawer)) for drawer in self._drawers
                ]
            return drawing

    def _draw_on(self, drawer: Guard) -> None:
        """Draws what waits, until the pool is closed."""
        while (drawing := self._waiting.get()) is not None:
            try:
                picture = self._drawn(drawer, drawing)
            except Exception as error:
                self._forget(drawing, failed=not isinstance(error, PicturesBusy))
                drawing.done.set_exception(error)
                if not isinstance(error, Unavailable):
                    raise
            else:
                self._pngs.keep(drawing.key, picture)
                self._forget(drawing)
                drawing.done.set_result(picture)
        drawer.close()

    def _drawn(self, drawer: Guard, drawing: _Drawing) -> bytes:
        if self._timer() - drawing.since > QUEUE_SECONDS:
            raise PicturesBusy(_BUSY, RETRY_SECONDS)
        match drawer.ask((drawing.svg, drawing.width), Bounds(DRAWING_SECONDS)):
            case Answered(picture):
                return bytes(picture)
            case Waited():
                raise PicturesBusy(_BUSY, RETRY_SECONDS)
            case failure:
                _log.error("picture.failed", width=drawing.width, characters=len(drawing.svg), error=failure.error)
                raise PictureFailed(_FAILED, round(FORGIVE_SECONDS))

    def _forget(self, drawing: _Drawing, failed: bool = False) -> None:
        """Ends a drawing: who wants the same picture from now on begins another, or, where this one
        has failed, has to wait.
        """
        with self._lock:
            del self._wanted[drawing.key]
            self._failed.pop(drawing.key, None)
            if failed:
                if len(self._failed) >= MOST_FAILURES:
                    del self._failed[next(iter(self._failed))]
                self._failed[drawing.key] = self._timer() + FORGIVE_SECONDS
