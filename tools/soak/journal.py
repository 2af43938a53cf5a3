"""Records what the players of a soak saw: stored turns, their verdicts, and answers that a client
must never get.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field

import requests

from service.ledger.check import ReportedTurn

NEVER = float("inf")


@dataclass(slots=True)
class Journal:
    """Written by many threads. Times are of the monotonic clock, in seconds."""

    _lock: threading.Lock = field(default_factory=threading.Lock)
    _statuses: dict[str, str] = field(default_factory=dict)
    _verdicts: dict[str, list[float]] = field(default_factory=dict)
    _errors: list[str] = field(default_factory=list)
    unanswered: int = 0
    """The number of requests repeated for want of an answer."""
    unavailable: int = 0
    """The number of requests repeated after an answer of 503."""

    def match_started(self, match_id: str) -> None:
        """Records that turns will be played in this match."""
        with self._lock:
            self._verdicts.setdefault(match_id, [])

    def match_over(self, match_id: str) -> None:
        """Records that no more turns are expected in this match."""
        with self._lock:
            self._verdicts.pop(match_id, None)

    def turn_taken(self, turn_id: str) -> None:
        """Records that the service has answered that it stored this turn."""
        with self._lock:
            self._statuses.setdefault(turn_id, "queued")

    def turn_judged(self, match_id: str, turn_id: str, status: str) -> None:
        """Records a verdict shown to a player; one that differs from an earlier one is an error."""
        with self._lock:
            known = self._statuses.get(turn_id, "queued")
            if known not in ("queued", status):
                self._errors.append(f"turn {turn_id} was {known} and is now {status}")
            self._statuses[turn_id] = status
            self._verdicts.setdefault(match_id, []).append(time.monotonic())

    def error(self, sentence: str) -> None:
        """Records an answer that a client must never get."""
        with self._lock:
            self._errors.append(sentence)

    def request_failed(self, request: str, response: requests.Response | None) -> None:
        """Records that a request will be repeated. An answer of 503 must have a Retry-After."""
        with self._lock:
            if response is None:
                self.unanswered += 1
                return
            self.unavailable += 1
            if "Retry-After" not in response.headers:
                self._errors.append(f"{request} was answered by 503 without Retry-After")

    @property
    def seen(self) -> tuple[ReportedTurn, ...]:
        """The stored turns in order, to be compared with the database."""
        with self._lock:
            return tuple(
                ReportedTurn(turn_id, None if status == "queued" else status)
                for turn_id, status in self._statuses.items()
            )

    @property
    def errors(self) -> tuple[str, ...]:
        with self._lock:
            return tuple(self._errors)

    @property
    def turns(self) -> int:
        """The number of stored turns."""
        with self._lock:
            return len(self._statuses)

    def recovered(self, since: float) -> float:
        """The seconds from ``since`` until every running match had a verdict; `NEVER` while one has
        none.
        """
        with self._lock:
            first = [min((at for at in times if at >= since), default=NEVER) for times in self._verdicts.values()]
        return max(first, default=since) - since
