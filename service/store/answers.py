"""Covers the mails of verdicts that were written to their players as answers to requests.

That is done in the background, for all answers of about a second with one statement: no request
waits for it, and a mail of a verdict is due much later. What is not recorded, because the process
is killed or the database is away, is mailed.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import datetime
from typing import Final

import structlog
from sqlalchemy.exc import SQLAlchemyError

from service import parts
from service.store import covering
from service.store.covering import Answered
from service.store.database import Database

SECONDS: Final = 1.0
"""For how long answers are gathered."""

log = structlog.get_logger("service.store")


class Answers:
    """The answers of a process that are to be recorded; one object for all its requests."""

    def __init__(self, seconds: float = SECONDS) -> None:
        self._seconds = seconds
        self._gathered: list[Answered] = []
        self._waits = False
        self._lock, self._pause = threading.Lock(), threading.Event()

    def add(self, database: Database, clock: Callable[[], datetime], answered: Answered) -> None:
        """Records an answer that was written, soon. Does not block."""
        with self._lock:
            self._gathered.append(answered)
            if self._waits:
                return
            self._waits = True

        def record_soon() -> None:
            self._pause.wait(self._seconds)
            self.record(database, clock)

        parts.start(parts.Part.ANSWERS, record_soon)

    def record(self, database: Database, clock: Callable[[], datetime]) -> None:
        """Covers the mails of what was gathered. An error of the database is logged: these verdicts
        are mailed.
        """
        with self._lock:
            gathered, self._gathered, self._waits = self._gathered, [], False
        if not gathered:
            return
        try:
            with database.write() as connection:
                covering.cover_answered(connection, gathered, clock())
        except SQLAlchemyError as error:
            log.warning("answers.not_recorded", answers=len(gathered), error=type(error).__name__)
