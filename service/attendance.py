"""Workers that attend to a queue: a job that stays for a while when its work is done, so that the
next work needs no new job.

Each attending worker has a list of its own in Redis. A wake-up puts a note into the list of one of
them, of one that waits if there is one, and only without any attending worker a job is needed. A
worker takes its note before it reads any row, so a row that is committed later always causes a new
note.

A worker that has not taken its note for ``UNANSWERED_MILLISECONDS`` is dead or stuck, and is not
asked any more. Waking and leaving are single steps in Redis: no wake-up can reach a worker that has
left.
"""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, Final, Literal, Protocol, TypeAlias

import structlog
from redis import Redis
from redis.exceptions import NoScriptError

from service.redis_link import Keys, RedisAway, RedisLink

ATTENDING_MILLISECONDS: Final = 30_000
"""The longest time for which a worker attends, longer than any job lasts."""
UNANSWERED_MILLISECONDS: Final = 1000

Heard: TypeAlias = Literal["woken", "nothing", "unavailable"]
"""What a waiting worker has heard; ``unavailable`` where Redis does not answer."""
Woke: TypeAlias = Literal["nobody", "worker", "job_wanted"]
"""``nobody``: a job is on its way already."""

log = structlog.get_logger(__name__)

_NOW: Final = """
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
"""
_WAKE: Final = (
    _NOW
    + """
local attending, idle, woken, notes = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local unanswered, suppressed = tonumber(ARGV[1]), tonumber(ARGV[2])
redis.call('ZREMRANGEBYSCORE', attending, '-inf', now)
local told, busy = false, nil
local function tell(worker)
    redis.call('LPUSH', notes .. worker, now)
    redis.call('PEXPIRE', notes .. worker, 30000)
    redis.call('SREM', idle, worker)
    return 1
end
for _, worker in ipairs(redis.call('ZRANGE', attending, 0, -1)) do
    local note = redis.call('LINDEX', notes .. worker, 0)
    if note and now - tonumber(note) > unanswered then
        redis.call('ZREM', attending, worker)
        redis.call('SREM', idle, worker)
        redis.call('DEL', notes .. worker)
    elseif note then
        told = true
    elseif redis.call('SISMEMBER', idle, worker) == 1 then
        return tell(worker)
    else
        busy = busy or worker
    end
end
if busy then return tell(busy) end
if told then return 1 end
if redis.call('SET', woken, '1', 'NX', 'PX', suppressed) then return 2 end
return 0
"""
)
_BEGIN: Final = (
    _NOW
    + """
redis.call('ZADD', KEYS[1], now + tonumber(ARGV[2]), ARGV[1])
redis.call('DEL', KEYS[3], KEYS[4] .. ARGV[1])
"""
)
_LEAVE: Final = """
redis.call('ZREM', KEYS[1], ARGV[1])
redis.call('SREM', KEYS[2], ARGV[1])
return redis.call('DEL', KEYS[4] .. ARGV[1])
"""


class Attendance(Protocol):
    """The attendance of one worker, begun already. No method raises where Redis is unavailable."""

    def wait(self, seconds: float) -> Heard:
        """Waits until there is work, at most ``seconds``."""
        ...

    def leave(self) -> bool:
        """Ends the attendance. Returns whether there was a wake-up that nobody has attended to."""
        ...

    def begin(self) -> None:
        """Attends again."""


class RedisAttendance:
    """The attendance of a worker at a queue."""

    def __init__(self, link: RedisLink, queue: str) -> None:
        self._link, self._names = link, _names(queue)
        self._worker = uuid.uuid4().hex
        self._attends = False

    def begin(self) -> None:
        self._run(_BEGIN, self._worker, ATTENDING_MILLISECONDS)
        self._attends = True

    def wait(self, seconds: float) -> Heard:
        def waited(redis: Redis, keys: Keys) -> Any:
            _, idle, _, notes = keys
            with redis.pipeline(transaction=False) as pipeline:
                pipeline.sadd(idle, self._worker)
                pipeline.blpop([notes + self._worker], seconds)
                return pipeline.execute()[1]

        try:
            note = self._link.ask(self._names, waited)
        except RedisAway as away:
            log.debug("queue.cannot_attend", error=str(away))
            return "unavailable"
        return "nothing" if note is None else "woken"

    def leave(self) -> bool:
        if not self._attends:
            return False
        self._attends = False
        return bool(self._run(_LEAVE, self._worker))

    def _run(self, script: str, *arguments: Any) -> Any:
        try:
            return self._link.ask(self._names, lambda redis, keys: run(redis, script, keys, *arguments))
        except RedisAway as away:
            log.debug("queue.cannot_attend", error=str(away))
            return None


@contextmanager
def attending(link: RedisLink, queue: str) -> Iterator[Attendance]:
    """Attends to a queue until the block ends."""
    attendance = RedisAttendance(link, queue)
    attendance.begin()
    try:
        yield attendance
    finally:
        attendance.leave()


def wake(link: RedisLink, queue: str, suppressed_milliseconds: int) -> Woke:
    """Wakes an attending worker, or says that a job is wanted: at most one in
    ``suppressed_milliseconds``. Raises ``RedisAway``.
    """
    arguments = UNANSWERED_MILLISECONDS, suppressed_milliseconds
    woke: int = link.ask(_names(queue), lambda redis, keys: run(redis, _WAKE, keys, *arguments))
    return ("nobody", "worker", "job_wanted")[woke]


def woken(queue: str) -> str:
    """The name of the key that suppresses further jobs."""
    return f"woken:{queue}"


def run(redis: Redis, script: str, keys: Keys, *arguments: Any) -> Any:
    """Runs a script, which Redis keeps by its digest. Raises ``RedisError``."""
    try:
        return redis.evalsha(_digest(script), len(keys), *keys, *arguments)
    except NoScriptError:
        return redis.eval(script, len(keys), *keys, *arguments)


@cache
def _digest(script: str) -> str:
    return hashlib.sha1(script.encode()).hexdigest()


def _names(queue: str) -> tuple[str, str, str, str]:
    return f"attending:{queue}", f"idle:{queue}", woken(queue), f"notes:{queue}:"
