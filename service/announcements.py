"""How verdicts reach the requests that wait for them, and how others hear that there is news.

The address of a process, a channel in Redis and a random key, stands in the row of every turn for
whose verdict one of its requests waits. Whoever judges the turn publishes there which verdicts are
committed and how they are told, sealed with the key: Redis never holds what a player may know.
Where a message is lost, or comes without a telling, the row is read.
"""

from __future__ import annotations

import base64
import json
import threading
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, TypeAlias

import structlog
from nacl.exceptions import CryptoError
from nacl.secret import SecretBox
from nacl.utils import random
from redis.client import PubSub
from redis.exceptions import RedisError

from service import parts
from service.redis_link import RedisAway, RedisLink
from service.waits import Signal, signal

CHANNEL: Final = "verdicts:"  # the beginning of the names of the channels; the name of the process follows
LISTENING_SECONDS: Final = 1.0  # how often the thread that listens looks whether it is to end
FIRST_PAUSE: Final = 0.2
LONGEST_PAUSE: Final = 5.0
_FAILURES: Final = (RedisAway, RedisError, OSError, ValueError)

Telling: TypeAlias = Mapping[str, Any]
"""A verdict as it is told to its player, as a JSON document (``service.turns.verdicts``)."""
Hearing: TypeAlias = Callable[[float], object]
"""Waits until there is news, or may have been, at most so many seconds."""
log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Announced:
    """A committed verdict; ``awaited_by`` is the address in its row; where ``telling`` is ``None``,
    it has to be read.
    """

    turn_id: str
    awaited_by: str | None
    telling: Telling | None = None


@dataclass(eq=False, slots=True)
class Waiter:
    """A request that waits for a verdict, which is announced to ``address``."""

    address: str
    signal: Signal = field(default_factory=signal)
    telling: Telling | None = None

    def wait(self, seconds: float) -> Telling | None:
        """How the verdict is told, after at most ``seconds``; ``None`` where the row has to be
        read.
        """
        self.signal.wait(seconds)
        self.signal.clear()
        return self.telling


class Waiters:
    """The requests of this process that wait, by turn. The first begins to listen."""

    def __init__(self, link: RedisLink | None = None) -> None:
        self._link, self._address = link, ""
        self._lock, self._ended = threading.Lock(), threading.Event()
        self._waiting: dict[str, list[Waiter]] = {}

    @contextmanager
    def expecting(self, turn_id: str) -> Iterator[Waiter]:
        """Waits for the verdict on a turn until the block ends."""
        begin: Callable[[], object] | None = None
        with self._lock:
            if not self._address:
                name, key = uuid.uuid4().hex, random(SecretBox.KEY_SIZE)
                self._address = f"{name}.{base64.b64encode(key).decode()}"
                if self._link is not None:
                    begin = partial(self._listen, self._link, CHANNEL + name, SecretBox(key))
            waiter = Waiter(self._address)
            self._waiting.setdefault(turn_id, []).append(waiter)
        try:
            if begin is not None:
                parts.start(parts.Part.VERDICTS, begin)
            yield waiter
        finally:
            with self._lock:
                self._waiting[turn_id].remove(waiter)
                if not self._waiting[turn_id]:
                    del self._waiting[turn_id]

    def tell(self, told: Mapping[str, Telling | None]) -> None:
        """Wakes the requests that wait for these turns, and hands them what is told."""
        for turn_id, telling in told.items():
            with self._lock:
                waiting = tuple(self._waiting.get(turn_id, ()))
            for waiter in waiting:
                waiter.telling = telling
                waiter.signal.set()

    def close(self) -> None:
        """Ends listening."""
        self._ended.set()

    def _listen(self, link: RedisLink, channel: str, box: SecretBox) -> None:
        pause = FIRST_PAUSE
        while not self._ended.is_set():
            try:
                with link.connect() as connection, connection.pubsub() as subscription:
                    subscription.subscribe(link.key(channel))
                    while not self._ended.is_set():
                        message = subscription.get_message(timeout=LISTENING_SECONDS)
                        if message is None:
                            continue
                        pause = FIRST_PAUSE
                        if message["type"] == "message":
                            self._pass_on(box, message["data"])
                        else:  # a verdict may have been announced before: all read their rows
                            self.tell(dict.fromkeys(tuple(self._waiting)))
            except _FAILURES as error:
                (log.warning if pause == FIRST_PAUSE else log.debug)("queue.cannot_listen", error=str(error))
                self._ended.wait(pause)
                pause = min(pause * 2, LONGEST_PAUSE)

    def _pass_on(self, box: SecretBox, message: bytes) -> None:
        try:
            told = json.loads(box.decrypt(message))
        except CryptoError:
            log.warning("queue.foreign_announcement", bytes=len(message))
            return
        self.tell(told)


@contextmanager
def hearing(link: RedisLink, channel: str) -> Iterator[Hearing]:
    """Hears that there is news on a channel until the block ends; nothing while Redis is away."""
    heard: PubSub | None = None
    pause, within = threading.Event(), ExitStack()

    def wait(seconds: float) -> None:
        nonlocal heard
        try:
            if heard is None:
                connection = within.enter_context(link.connect())
                subscription = within.enter_context(connection.pubsub())
                subscription.subscribe(link.key(channel))
                heard = subscription
            if heard.get_message(timeout=seconds) is not None:
                while heard.get_message() is not None:  # what was said meanwhile is the same news
                    continue
        except _FAILURES as error:
            log.debug("queue.cannot_hear", channel=channel, error=str(error))
            within.close()
            heard = None
            pause.wait(seconds)

    with within:
        yield wait


def sealed(announced: Iterable[Announced]) -> list[tuple[str, bytes]]:
    """The messages that tell of verdicts: channels, without the name of the service, and what is
    published.
    """
    told: dict[str, dict[str, Telling | None]] = {}
    for each in announced:
        if each.awaited_by is not None:
            told.setdefault(each.awaited_by, {})[each.turn_id] = each.telling
    messages = []
    for address, tellings in told.items():
        name, _, key = address.partition(".")
        box = SecretBox(base64.b64decode(key))
        messages.append((CHANNEL + name, bytes(box.encrypt(json.dumps(tellings).encode()))))
    return messages
