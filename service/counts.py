"""The counts for monitoring, which each process adds to the rows of the database every
``EVERY_SECONDS``, and when it ends. None ever falls; a process that is killed loses what it counted
since.
"""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping
from typing import Final

from service.store import survey
from service.store.database import Database

EVERY_SECONDS: Final = 10.0
DELIVERIES: Final = "deliveries"
HANDLINGS: Final = "handlings"
BOT_TURNS: Final = "bot_turns"
VERDICTS: Final = "verdicts"
VERDICT_SECONDS: Final = "verdict_seconds"
"""The histogram: the number of verdicts by ``BUCKET_NAMES``, and the sum of their times."""
BUCKETS: Final = (0.005, 0.01, 0.015, 0.025, 0.05, 0.1, 0.2, 0.4, 0.8, 1.5, 3.0, 6.0, 15.0, 60.0)
"""Upper bounds of the histogram buckets, in seconds from submitting to judging."""
BUCKET_NAMES: Final = (*map(str, BUCKETS), "+Inf")
MICROSECONDS: Final = "microseconds"  # the name of the sum


class Counts:
    """What this process has counted, and has not added to the rows yet; for all of its threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._new = Counter[tuple[str, str]]()
        self._saved_at: float | None = None

    def add(self, what: str, numbers: Mapping[str, int]) -> None:
        """Adds to the counts of ``what``, by result."""
        with self._lock:
            self._new.update({(what, result): number for result, number in numbers.items()})

    def add_verdict(self, status: str, seconds: float) -> None:
        """Adds a verdict that was given so many seconds after its turn was submitted."""
        seconds = max(0.0, seconds)
        self.add(VERDICTS, {status: 1})
        bucket = BUCKET_NAMES[bisect_left(BUCKETS, seconds)]
        self.add(VERDICT_SECONDS, {bucket: 1, MICROSECONDS: round(seconds * 1_000_000)})

    def is_due(self, now: float) -> bool:
        """Whether there is anything to save, and the last time was ``EVERY_SECONDS`` ago."""
        return bool(self._new) and (self._saved_at is None or now - self._saved_at >= EVERY_SECONDS)

    def save_due(self, database: Database, now: float) -> None:
        """Saves where that is due; raises as ``save``."""
        with self._lock:
            if not self.is_due(now):
                return
            self._saved_at = now
        self.save(database)

    def save(self, database: Database) -> None:
        """Adds everything to the rows. Raises SQLAlchemy's errors, and keeps it then."""
        with self._lock:
            new, self._new = self._new, Counter()
        if not new:
            return
        try:
            with database.write() as connection:
                survey.add_counts(connection, new)
        except BaseException:
            with self._lock:
                self._new.update(new)
            raise
