"""The threads of this process that wait for verdicts, and the subscription to Redis, in a thread of
its own, that wakes them.

A message names the judged turns. Messages are lost while Redis is unavailable, so all waiting
threads are woken whenever the subscription begins again, and each polls its row besides.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Final

import structlog
from redis import Redis
from redis.exceptions import RedisError

FIRST_PAUSE: Final = 0.2
LONGEST_PAUSE: Final = 5.0

log = structlog.get_logger(__name__)


class Waiters:
    """The waiting threads, by turn."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._events: dict[str, list[threading.Event]] = {}

    @contextmanager
    def expecting(self, turn_id: str) -> Iterator[threading.Event]:
        """An event that is set when the verdict of the turn is announced."""
        event = threading.Event()
        with self._lock:
            self._events.setdefault(turn_id, []).append(event)
        try:
            yield event
        finally:
            with self._lock:
                self._events[turn_id].remove(event)
                if not self._events[turn_id]:
                    del self._events[turn_id]

    def announce(self, turn_ids: Iterable[str]) -> None:
        """Wakes the threads that wait for one of these turns."""
        with self._lock:
            events = [event for turn_id in turn_ids for event in self._events.get(turn_id, ())]
        for event in events:
            event.set()

    def wake_all(self) -> None:
        """Wakes all threads, so that they read their rows."""
        with self._lock:
            turn_ids = list(self._events)
        self.announce(turn_ids)


class Subscriber:
    """The subscription of this process, begun with the first waiting thread, and again after a
    fork.
    """

    def __init__(self, connect: Callable[[], Redis], channel: str) -> None:
        self._connect, self._channel = connect, channel
        self._lock = threading.Lock()
        self._pid = 0
        self._ended = threading.Event()
        self.waiters = Waiters()

    @contextmanager
    def expecting(self, turn_id: str) -> Iterator[threading.Event]:
        """As ``Waiters.expecting``; begins the subscription if necessary."""
        if self._pid != os.getpid():
            self._begin()
        with self.waiters.expecting(turn_id) as event:
            yield event

    def close(self) -> None:
        """Ends the subscription; it begins again with the next ``expecting``."""
        with self._lock:
            self._ended.set()
            self._pid = 0

    def _begin(self) -> None:
        with self._lock:
            if self._pid == os.getpid():
                return
            self._pid, self._ended, self.waiters = os.getpid(), threading.Event(), Waiters()
            threading.Thread(
                target=_listen,
                args=(self._connect, self._channel, self.waiters, self._ended),
                name="verdicts",
                daemon=True,
            ).start()


def _listen(connect: Callable[[], Redis], channel: str, waiters: Waiters, ended: threading.Event) -> None:
    pause = FIRST_PAUSE
    while not ended.is_set():
        try:
            with connect() as connection, connection.pubsub() as subscription:
                subscription.subscribe(channel)
                while not ended.is_set():
                    message: dict[str, Any] | None = subscription.get_message(timeout=1.0)
                    if message is None:
                        continue
                    pause = FIRST_PAUSE
                    if message["type"] == "subscribe":
                        waiters.wake_all()
                    elif message["type"] == "message":
                        waiters.announce(message["data"].decode().split())
        except (RedisError, OSError, ValueError) as error:
            log.warning("queue.cannot_listen", error=str(error))
            ended.wait(pause)
            pause = min(pause * 2, LONGEST_PAUSE)
