"""What the players of a soak saw: the turns they were answered for, the verdicts they were shown,
when, and every answer that should not be.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field

from service.ledger.witnesses import Seen

NEVER = float("inf")


@dataclass(slots=True)
class Book:
    """Written by many threads. Times are those of the monotonic clock, in seconds."""

    _lock: threading.Lock = field(default_factory=threading.Lock)
    _status: dict[str, str] = field(default_factory=dict)
    _verdicts: dict[str, list[float]] = field(default_factory=dict)
    _surprises: list[str] = field(default_factory=list)
    _refused: int = 0
    _unavailable: int = 0

    def open(self, match_id: str) -> None:
        """A table where turns will be played."""
        with self._lock:
            self._verdicts.setdefault(match_id, [])

    def taken(self, turn_id: str) -> None:
        """The service has answered that it has this turn."""
        with self._lock:
            self._status.setdefault(turn_id, "queued")

    def judged(self, match_id: str, turn_id: str, status: str) -> None:
        """A player was shown the verdict on a turn; one that differs from an earlier one is a
        surprise.
        """
        with self._lock:
            known = self._status.get(turn_id, "queued")
            if known not in ("queued", status):
                self._surprises.append(f"turn {turn_id} was {known} and is now {status}")
            self._status[turn_id] = status
            self._verdicts.setdefault(match_id, []).append(time.monotonic())

    def surprise(self, sentence: str) -> None:
        """An answer that a good client must never get."""
        with self._lock:
            self._surprises.append(sentence)

    def unreached(self, answered: bool) -> None:
        """A request that has to be repeated: answered by 503, or not at all."""
        with self._lock:
            if answered:
                self._unavailable += 1
            else:
                self._refused += 1

    @property
    def seen(self) -> tuple[Seen, ...]:
        """What the ledger is to be held against."""
        with self._lock:
            return tuple(
                Seen(turn_id, None if status == "queued" else status) for turn_id, status in self._status.items()
            )

    @property
    def surprises(self) -> tuple[str, ...]:
        with self._lock:
            return tuple(self._surprises)

    @property
    def turns(self) -> int:
        """How many turns the service has answered for."""
        with self._lock:
            return len(self._status)

    @property
    def unavailable(self) -> int:
        """How many requests were answered by 503."""
        with self._lock:
            return self._unavailable

    @property
    def unanswered(self) -> int:
        """How many requests nobody answered."""
        with self._lock:
            return self._refused

    def recovered(self, since: float) -> float:
        """The seconds from then until play had gone on at every table that was still being played
        at; infinite while it has not at one of them.
        """
        with self._lock:
            first = [min((at for at in times if at >= since), default=NEVER) for times in self._verdicts.values()]
        return max(first, default=since) - since

    def close(self, match_id: str) -> None:
        """The match at this table is over; nobody waits for it to go on."""
        with self._lock:
            self._verdicts.pop(match_id, None)
