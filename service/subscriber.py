"""The requests of this process that wait for verdicts, and the subscription to Redis, in a thread
of its own, that wakes them.

Every match has a channel. The process subscribes to it when a request begins to wait for a turn of
the match, and keeps it for ``KEPT_SECONDS`` after the last one. A message names the judged turns.
Messages are lost while Redis is unavailable, so the requests that wait in a match are woken
whenever a subscription to it begins, and each polls its row besides.
"""

from __future__ import annotations

import os
import select
import socket
import threading
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any, Final

import structlog
from redis.client import PubSub
from redis.exceptions import RedisError

from service import parts
from service.redis_link import RedisAway, RedisLink
from service.waits import Signal, signal

CHANNEL: Final = "verdicts:"
"""The beginning of the names of the channels on which verdicts are announced; the id of the match
follows.
"""
KEPT_SECONDS: Final = 10.0
"""How long a channel is kept for the next turn of its match."""
SWEEP_SECONDS: Final = 1.0
"""How often channels are looked for that are no longer used."""
FIRST_PAUSE: Final = 0.2
LONGEST_PAUSE: Final = 5.0

log = structlog.get_logger(__name__)


class Waiters:
    """The waiting requests, by match and turn."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._events: dict[str, dict[str, list[Signal]]] = {}

    @contextmanager
    def expecting(self, match_id: str, turn_id: str) -> Iterator[Signal]:
        """An event that is set when the verdict of the turn is announced."""
        event = signal()
        with self._lock:
            self._events.setdefault(match_id, {}).setdefault(turn_id, []).append(event)
        try:
            yield event
        finally:
            with self._lock:
                of_match = self._events[match_id]
                of_match[turn_id].remove(event)
                if not of_match[turn_id]:
                    del of_match[turn_id]
                if not of_match:
                    del self._events[match_id]

    def announce(self, match_id: str, turn_ids: Collection[str]) -> None:
        """Wakes the requests that wait for one of these turns of a match."""
        with self._lock:
            of_match = self._events.get(match_id, {})
            events = [event for turn_id in turn_ids for event in of_match.get(turn_id, ())]
        for event in events:
            event.set()

    def wake(self, match_id: str) -> None:
        """Wakes all requests that wait in a match, so that they read their rows."""
        with self._lock:
            events = [event for events in self._events.get(match_id, {}).values() for event in events]
        for event in events:
            event.set()

    def matches(self) -> frozenset[str]:
        """The matches in which a request waits."""
        with self._lock:
            return frozenset(self._events)


class Wanted:
    """The matches whose channels are wanted, each with the time at which it was last used.

    Requests add matches; the thread that listens takes them. ``bell`` is readable when there is
    something to take, so that the thread waits for it and for Redis at once.
    """

    def __init__(self, timer: Callable[[], float]) -> None:
        self.ended = threading.Event()
        self.bell, self._ringing = socket.socketpair()
        self._timer = timer
        self._lock = threading.Lock()
        self._used: dict[str, float] = {}
        self._new: list[str] = []

    def add(self, match_id: str) -> None:
        """Wants the channel of a match, or notes that it is still used."""
        with self._lock:
            known = match_id in self._used
            self._used[match_id] = self._timer()
            if not known:
                self._new.append(match_id)
                if len(self._new) == 1 and not self.ended.is_set():
                    self._ringing.send(b"1")

    def new(self) -> list[str]:
        """The matches that were added since this was last asked."""
        with self._lock:
            new, self._new = self._new, []
        return new

    def every(self) -> list[str]:
        """All matches that are wanted; none of them is new afterwards."""
        with self._lock:
            self._new = []
            return list(self._used)

    def forget(self, waiting: Collection[str]) -> list[str]:
        """Forgets the matches that were not used for ``KEPT_SECONDS`` and gives them. Those in
        which a request is ``waiting`` are used.
        """
        with self._lock:
            now = self._timer()
            self._used.update((match_id, now) for match_id in waiting if match_id in self._used)
            unused = [match_id for match_id, at in self._used.items() if now - at > KEPT_SECONDS]
            for match_id in unused:
                del self._used[match_id]
        return unused

    def end(self) -> None:
        """Has the thread that listens end."""
        with self._lock:
            if not self.ended.is_set():
                self.ended.set()
                self._ringing.send(b"1")

    def close(self) -> None:
        """Closes the bell, after the end."""
        with self._lock:  # the one who ended it may not have rung yet
            self.bell.close()
            self._ringing.close()


class Subscriber:
    """The subscription of this process, begun with the first waiting request, and again after a
    fork. ``timer`` gives seconds.
    """

    def __init__(self, link: RedisLink, timer: Callable[[], float]) -> None:
        self._link, self._timer = link, timer
        self._lock = threading.Lock()
        self._pid = 0
        self._wanted: Wanted | None = None
        self.waiters = Waiters()

    @contextmanager
    def expecting(self, match_id: str, turn_id: str) -> Iterator[Signal]:
        """As ``Waiters.expecting``; begins the subscription to the match if necessary."""
        waiters, wanted = self._begun()
        with waiters.expecting(match_id, turn_id) as event:
            wanted.add(match_id)
            yield event

    def close(self) -> None:
        """Ends the subscription; it begins again with the next ``expecting``."""
        with self._lock:
            if self._wanted is not None and self._pid == os.getpid():
                self._wanted.end()
            self._wanted = None

    def _begun(self) -> tuple[Waiters, Wanted]:
        with self._lock:
            if self._wanted is None or self._pid != os.getpid():
                self._pid, self.waiters, self._wanted = os.getpid(), Waiters(), Wanted(self._timer)
                begun = partial(_listen, self._link, self.waiters, self._wanted, self._timer)
                parts.start(parts.Part.VERDICTS, begun)
            return self.waiters, self._wanted


def by_match(judged: Mapping[str, str]) -> dict[str, list[str]]:
    """The turns of each match, of the matches by turn."""
    turns: dict[str, list[str]] = {}
    for turn_id, match_id in judged.items():
        turns.setdefault(match_id, []).append(turn_id)
    return turns


def _listen(link: RedisLink, waiters: Waiters, wanted: Wanted, timer: Callable[[], float]) -> None:
    pause = FIRST_PAUSE
    while not wanted.ended.is_set():
        try:
            channel = link.key(CHANNEL)
            with link.connect() as connection, connection.pubsub() as subscription:
                # Only this thread uses the subscription, which is not thread-safe.
                wanted.forget(waiters.matches())  # those of a long time without Redis
                _subscribe(subscription, channel, wanted.every())
                swept = timer()
                while not wanted.ended.is_set():
                    _wait(subscription, wanted.bell)
                    _subscribe(subscription, channel, wanted.new())
                    if _passed_on(subscription, channel, waiters):
                        pause = FIRST_PAUSE
                    if timer() - swept >= SWEEP_SECONDS:
                        swept = timer()
                        _unsubscribe(subscription, channel, wanted.forget(waiters.matches()))
        except (RedisAway, RedisError, OSError, ValueError) as error:
            (log.warning if pause == FIRST_PAUSE else log.debug)("queue.cannot_listen", error=str(error))
            wanted.ended.wait(pause)
            pause = min(pause * 2, LONGEST_PAUSE)
    wanted.close()


def _subscribe(subscription: PubSub, channel: str, match_ids: Collection[str]) -> None:
    if match_ids:
        subscription.subscribe(*(channel + match_id for match_id in match_ids))


def _unsubscribe(subscription: PubSub, channel: str, match_ids: Collection[str]) -> None:
    if match_ids:
        subscription.unsubscribe(*(channel + match_id for match_id in match_ids))  # type: ignore[no-untyped-call]


def _wait(subscription: PubSub, bell: socket.socket) -> None:
    """Waits for a message, or for the bell."""
    poll = select.poll()
    poll.register(bell, select.POLLIN)
    if subscription.subscribed:
        # redis-py has no public name for the socket, and no way to wait for two things at once.
        connected = subscription.connection._sock  # type: ignore[attr-defined]
        if connected is None:
            return  # reading connects again
        poll.register(connected, select.POLLIN)
    ready = poll.poll(SWEEP_SECONDS * 1000 if subscription.subscribed else None)
    if any(number == bell.fileno() for number, _ in ready):
        bell.recv(64)


def _passed_on(subscription: PubSub, channel: str, waiters: Waiters) -> bool:
    """Wakes the requests that the messages concern. Returns whether there was a message."""
    messages: list[dict[str, Any]] = []
    while (message := subscription.get_message()) is not None:
        messages.append(message)
    for message in messages:
        match_id = message["channel"].decode().removeprefix(channel)
        if message["type"] == "subscribe":
            waiters.wake(match_id)  # its verdict may have been announced before
        elif message["type"] == "message":
            waiters.announce(match_id, message["data"].decode().split())
    return bool(messages)
