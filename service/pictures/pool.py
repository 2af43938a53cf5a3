"""Draws pictures in a few child processes, each with a deadline, so that the work, the crashes and
the endless loops of the renderer concern nobody but those who want that picture.

1. A picture that was drawn before is remembered by its content: the digest of the SVG, and the
   width. Pictures that are equal for all viewers are drawn once.
2. Requests for the same picture at the same time share one drawing.
3. The others wait for a process, at most ``WAITING`` for each. Whoever comes beyond that, or has
   waited for longer than ``QUEUE_SECONDS``, is told to come again.
4. A drawing that takes longer than ``DRAWING_SECONDS`` of its process (``service.guard``), or ends
   it, is not tried again for ``FORGIVE_SECONDS``.
"""

from __future__ import annotations

import hashlib
import math
import threading
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from typing import Final, TypeAlias

import structlog

from service.errors import Unavailable
from service.guard import Answered, Bounds, GuardPool, Waited
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


class Pictures:
    """Draws in this process, and remembers SVGs."""

    def __init__(self) -> None:
        self._svgs = SizedCache[str](MOST_SVG_CHARACTERS)

    def svg(self, key: Hashable, draw: Callable[[], str]) -> str:
        """The SVG that is remembered by ``key``, which names everything it depends on; otherwise
        the result of ``draw``.
        """
        drawn = self._svgs.get(key)
        if drawn is None:
            drawn = draw()
            self._svgs.keep(key, drawn)
        return drawn

    def png(self, svg: str, width: int, patience: float = PATIENCE_SECONDS) -> bytes:
        """The picture as PNG, ``width`` pixels wide. Raises ``PicturesBusy``, after ``patience``
        seconds at the latest, and ``PictureFailed``.
        """
        return png(svg, width)

    def close(self) -> None:
        """Ends the processes that draw, after the drawings that are under way."""


class PicturePool(Pictures):
    """Draws with ``drawers``. Thread-safe. ``timer`` gives monotonic seconds."""

    def __init__(self, drawers: GuardPool, timer: Callable[[], float]) -> None:
        super().__init__()
        self._drawers, self._timer = drawers, timer
        self._lock = threading.Lock()
        self._callers, self._most_callers = 0, len(drawers.guards) * (1 + WAITING)
        self._wanted: dict[_Key, Future[bytes]] = {}
        self._failed: dict[_Key, float] = {}
        self._pngs = SizedCache[bytes](MOST_PNG_BYTES)

    def png(self, svg: str, width: int, patience: float = PATIENCE_SECONDS) -> bytes:
        key = hashlib.sha256(svg.encode()).digest(), width
        known = self._pngs.get(key)
        if known is not None:
            return known
        drawing, is_new = self._join(key)
        try:
            if is_new:
                self._draw(key, drawing, svg, patience)
            return drawing.result(patience)
        except TimeoutError:
            raise PicturesBusy(_BUSY, RETRY_SECONDS) from None
        finally:
            with self._lock:
                self._callers -= 1

    def close(self) -> None:
        self._drawers.close()

    def _join(self, key: _Key) -> tuple[Future[bytes], bool]:
        """The drawing of that picture, and whether the caller has to begin it. Raises
        ``PicturesBusy`` and ``PictureFailed``.
        """
        now = self._timer()
        with self._lock:
            if (until := self._failed.get(key, now)) > now:
                raise PictureFailed(_FAILED, math.ceil(until - now))
            if self._callers >= self._most_callers:
                raise PicturesBusy(_BUSY, RETRY_SECONDS)
            self._callers += 1
            is_new = key not in self._wanted
            return self._wanted.setdefault(key, Future()), is_new

    def _draw(self, key: _Key, drawing: Future[bytes], svg: str, patience: float) -> None:
        """Draws a picture for all who wait for it."""
        try:
            picture = self._drawn(svg, key[1], patience)
        except Exception as error:
            self._forget(key, failed=not isinstance(error, PicturesBusy))
            drawing.set_exception(error)
        else:
            self._pngs.keep(key, picture)
            self._forget(key)
            drawing.set_result(picture)

    def _drawn(self, svg: str, width: int, patience: float) -> bytes:
        with self._drawers.one(QUEUE_SECONDS) as drawer:
            if drawer is None:
                raise PicturesBusy(_BUSY, RETRY_SECONDS)
            outcome = drawer.ask((svg, width), Bounds(DRAWING_SECONDS, in_all=patience))
        match outcome:
            case Answered(picture):
                return bytes(picture)
            case Waited():
                raise PicturesBusy(_BUSY, RETRY_SECONDS)
            case failure:
                _log.error("picture.failed", width=width, characters=len(svg), error=failure.error)
                raise PictureFailed(_FAILED, round(FORGIVE_SECONDS))

    def _forget(self, key: _Key, failed: bool = False) -> None:
        """Ends a drawing: who wants the same picture from now on begins another, or, where this one
        has failed, has to wait.
        """
        with self._lock:
            del self._wanted[key]
            self._failed.pop(key, None)
            if failed:
                if len(self._failed) >= MOST_FAILURES:
                    del self._failed[next(iter(self._failed))]
                self._failed[key] = self._timer() + FORGIVE_SECONDS
