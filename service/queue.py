"""Wakes the workers, and the requests that wait for a verdict, or for an event. A wake-up may be
lost, since the workers poll their rows.

A worker that has judged what there was attends to its queue for a while: then a wake-up is a note
in a list of Redis, which one of those who attend takes. Otherwise it is a job without arguments. A
worker takes its note, or acknowledges its job, before it reads any row, so a row that is committed
later always causes a new one. Where nobody takes a note for ``UNANSWERED_MILLISECONDS``, those who
attended are dead or stuck, and no more counted on.

Workers claim the turns that they judge, which only saves work: whether a verdict may be written is
decided in the database. A claim whose worker has died tells that it may be this turn that killed
it.
"""

from __future__ import annotations

import os
import socket
import uuid
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

import structlog
from redis import Redis
from rq import Queue as RqJobs

from service.announcements import Announced, Hearing, Waiter, Waiters, hearing, sealed
from service.redis_link import Keys, RedisAway, RedisLink, mend_queues, require_usable

TURNS: Final = "turns"
NOTICES: Final = "notices"
MESSAGES: Final = "messages"
BOTS: Final = "bots"
JOB: Final = "workers.tasks.do"  # wakes a worker of a queue
JOB_SECONDS: Final = 60
FAILED_SECONDS: Final = 24 * 60 * 60
UNACKNOWLEDGED_MILLISECONDS: Final = 1000  # for which a job suppresses the next: longer than one takes to begin
ATTENDING_MILLISECONDS: Final = 30_000  # the longest time for which a worker attends, longer than any job lasts
UNANSWERED_MILLISECONDS: Final = 1000
NEWS: Final = "news"  # the channel on which is said, without any word of them, that there may be events
CLAIMS: Final = "claims:turns"
CLAIM_SECONDS: Final = 15  # longer than a round of judging; on the same machine a claim ends with its holder

Heard: TypeAlias = Literal["woken", "nothing", "unavailable"]
"""What a waiting worker has heard; ``unavailable`` where Redis does not answer."""
log = structlog.get_logger(__name__)

_WAKE: Final = """
local attending, jobs, notes, now = KEYS[1], KEYS[2], KEYS[3], redis.call('TIME')
if KEYS[4] then redis.call('PUBLISH', KEYS[4], '') end
now = now[1] * 1000 + math.floor(now[2] / 1000)
local note = redis.call('LINDEX', notes, 0)
if note and now - tonumber(note) > tonumber(ARGV[1]) then
    redis.call('DEL', attending, notes)
elseif redis.call('EXISTS', attending) == 1 then
    if not note then redis.call('RPUSH', notes, now) end
    return 0
end
return redis.call('SET', jobs, '1', 'NX', 'PX', ARGV[2]) and 1 or 0
"""
_CLAIM: Final = """
local now = tonumber(redis.call('TIME')[1])
local held = {now}
for number = 3, #ARGV, 2 do
    local claim = redis.call('HGET', KEYS[1], ARGV[number]) or ''
    if claim == ARGV[number + 1] then
        redis.call('HSET', KEYS[1], ARGV[number], ARGV[1] .. ' ' .. now + ARGV[2])
    else
        held[#held + 1] = ARGV[number]
        held[#held + 1] = claim
    end
end
return held
"""


@dataclass(frozen=True, slots=True)
class Claimed:
    """The turns that are the caller's now: those that were ``free``, and those of a worker that has
    died since. Unless ``noted``, nobody will know of these claims.
    """

    free: frozenset[str]
    orphaned: frozenset[str] = frozenset()
    noted: bool = True


class RqQueue:
    """The queue of the use cases. Call what wakes or announces after the commit.

    That Redis is away is logged, and only ``check`` raises: a worker will find the row.
    """

    def __init__(self, link: RedisLink) -> None:
        self._link, self._waiters = link, Waiters(link)
        self._secret, self._host = uuid.uuid4().hex, socket.gethostname().replace(" ", "_").replace(":", "_")

    def check(self) -> None:
        """Raises ``RedisAway`` where wake-ups would be lost."""
        with self._link.connect() as redis:
            require_usable(redis)

    def wake_turns(self) -> None:
        """Makes a worker look for pending turns soon."""
        self._wake(TURNS)

    def wake_notices(self) -> None:
        """Makes a worker look for due notices soon, and whoever waits for events look for them."""
        self._wake(NOTICES, NEWS)

    def wake_messages(self) -> None:
        """Makes a worker look for mails that came in soon."""
        self._wake(MESSAGES)

    def wake_bots(self) -> None:
        """Makes a worker play for the bots that are awaited soon."""
        self._wake(BOTS)

    def hear_news(self) -> AbstractContextManager[Hearing]:
        """Hears until the block ends that events may have been written."""
        return hearing(self._link, NEWS)

    def acknowledge(self, queue: str) -> None:
        """Lets every later wake-up cause a new job. A worker calls it before it reads any row."""
        # Where Redis is away, the key expires by itself.
        _ask(self._link, [_jobs(queue)], lambda redis, keys: redis.delete(*keys), "queue.not_acknowledged")

    def attend(self, queue: str) -> Attendance:
        """Attends to a queue until the block ends: wake-ups are notes, not jobs."""
        return Attendance(self._link, queue)

    def claim(self, turn_ids: Sequence[str]) -> Claimed:
        """Claims turns for this process, also those that it has, and no others take them."""
        try:
            now, held = self._claimed(dict.fromkeys(turn_ids, ""))
            own = {turn_id: claim for turn_id, claim in held.items() if self._holder == claim.partition(" ")[0]}
            over = {turn_id: claim for turn_id, claim in held.items() if self._is_over(claim, now)}
            lost = self._claimed(own | over)[1] if own or over else {}
        except RedisAway as away:
            log.debug("queue.not_claimed", turns=len(turn_ids), error=str(away))
            return Claimed(frozenset(turn_ids), noted=False)
        free = set(turn_ids) - held.keys() | own.keys()
        return Claimed(frozenset(free - lost.keys()), frozenset(over.keys() - own.keys() - lost.keys()))

    def release(self, turn_ids: Collection[str]) -> None:
        """Ends the claims on turns that were not judged."""
        if turn_ids:
            _ask(self._link, [CLAIMS], lambda redis, keys: redis.hdel(keys[0], *turn_ids), "queue.not_released")

    def announce_verdicts(self, judged: Sequence[Announced]) -> None:
        """Tells the requests that wait for these turns, and ends the claims on them. What is told
        may be lost; the rows of the verdicts are not.
        """
        messages = sealed(judged)

        def announced(redis: Redis, keys: Keys) -> None:
            claims, *channels = keys
            with redis.pipeline(transaction=False) as pipeline:
                for channel, (_, message) in zip(channels, messages, strict=True):
                    pipeline.publish(channel, message)
                pipeline.hdel(claims, *(each.turn_id for each in judged))
                pipeline.execute()

        _ask(self._link, [CLAIMS, *(channel for channel, _ in messages)], announced, "queue.announcement_lost")

    def expecting(self, turn_id: str) -> AbstractContextManager[Waiter]:
        """Waits for the verdict on a turn, which is committed within the block."""
        return self._waiters.expecting(turn_id)

    def close(self) -> None:
        """Closes the connections of this process."""
        self._waiters.close()
        self._link.close()

    def _wake(self, queue: str, *channel: str) -> None:
        """Wakes an attending worker, or any by a job, unless one is on its way, and who hears a
        channel.
        """
        bounds = UNANSWERED_MILLISECONDS, UNACKNOWLEDGED_MILLISECONDS

        def enqueued(redis: Redis, keys: Keys) -> None:
            (own,) = keys
            RqJobs(own, connection=redis, serializer="json").enqueue_call(
                JOB,
                timeout=JOB_SECONDS,
                result_ttl=0,
                failure_ttl=FAILED_SECONDS,
                # A unique id, so that RQ never merges it with an earlier job that still runs.
                job_id=f"{own.replace(':', '-')}-{uuid.uuid4().hex}",
            )

        try:
            names = (*_names(queue), *channel)
            if self._link.ask(names, lambda redis, keys: redis.register_script(_WAKE)(keys, bounds)):
                own = self._link.key(queue)
                self._link.ask([queue], enqueued, lambda redis: mend_queues(redis, own))
        except RedisAway as away:
            log.debug("queue.wake_up_lost", queue=queue, error=str(away))  # a worker finds the row when it polls

    @property
    def _holder(self) -> str:
        return f"{self._host}:{os.getpid()}:{self._secret}"

    def _claimed(self, expected: Mapping[str, str]) -> tuple[int, dict[str, str]]:
        """Claims the turns whose claims are as ``expected``, where empty: none. Returns the time in
        seconds, and the claims on the others. Raises ``RedisAway``.
        """
        pairs = [text for pair in expected.items() for text in pair]
        arguments: list[str | int] = [self._holder, CLAIM_SECONDS, *pairs]
        found: Any = self._link.ask([CLAIMS], lambda redis, keys: redis.register_script(_CLAIM)(keys, arguments))
        now, *held = found
        return now, {turn_id.decode(): claim.decode() for turn_id, claim in zip(held[::2], held[1::2], strict=True)}

    def _is_over(self, claim: str, now: int) -> bool:
        """Whether a claim has expired, or its process has ended, as far as can be known."""
        holder, _, ends = claim.partition(" ")
        host, _, rest = holder.partition(":")
        pid = rest.partition(":")[0]
        if not ends.isdecimal() or int(ends) <= now:
            return True
        if host != self._host:
            return False
        if not pid.isdecimal() or int(pid) == os.getpid():
            return True  # no claim of ours; or an earlier process with our id, in a container that was started again
        try:
            os.kill(int(pid), 0)
        except ProcessLookupError:
            return True
        except PermissionError:
            pass  # it lives, as another user's
        return False


class Attendance:
    """The attendance of a worker at a queue. No method raises where Redis is away."""

    def __init__(self, link: RedisLink, queue: str) -> None:
        self._link, self._names = link, _names(queue)
        self._worker, self._attends = uuid.uuid4().hex, False

    def __enter__(self) -> Attendance:
        self.begin()
        return self

    def __exit__(self, *_: object) -> None:
        self.leave()

    def begin(self) -> None:
        """Attends, perhaps again."""
        self._attends = True
        self._attend(lambda pipeline, jobs, notes: pipeline.delete(jobs))

    def wait(self, seconds: float) -> Heard:
        """Waits until there is work, at most ``seconds``."""
        heard = self._attend(lambda pipeline, jobs, notes: pipeline.blpop([notes], seconds))
        return "unavailable" if heard is None else "nothing" if heard[-1] is None else "woken"

    def leave(self) -> bool:
        """Ends the attendance. Returns whether there was a wake-up that nobody has attended to."""

        def left(redis: Redis, keys: Keys) -> Any:
            attending, _, notes = keys
            with redis.pipeline() as pipeline:
                pipeline.srem(attending, self._worker)
                pipeline.delete(notes)
                return pipeline.execute()

        attended, self._attends = self._attends, False
        done = _ask(self._link, self._names, left, "queue.cannot_attend") if attended else None
        return done is not None and bool(done[-1])

    def _attend(self, then: Callable[[Any, str, str], object]) -> list[Any] | None:
        def asked(redis: Redis, keys: Keys) -> Any:
            attending, jobs, notes = keys
            with redis.pipeline(transaction=False) as pipeline:
                pipeline.sadd(attending, self._worker)
                pipeline.pexpire(attending, ATTENDING_MILLISECONDS)
                then(pipeline, jobs, notes)
                return pipeline.execute()

        heard: list[Any] | None = _ask(self._link, self._names, asked, "queue.cannot_attend")
        return heard


def _ask(link: RedisLink, names: Sequence[str], do: Callable[[Redis, Keys], Any], otherwise: str) -> Any:
    """What Redis answers; ``None`` where it is away, which is logged as ``otherwise``."""
    try:
        return link.ask(names, do)
    except RedisAway as away:
        log.debug(otherwise, names=list(names), error=str(away))
        return None


def _names(queue: str) -> tuple[str, str, str]:
    return f"attending:{queue}", _jobs(queue), f"notes:{queue}"


def _jobs(queue: str) -> str:
    """The name of the key that suppresses further jobs."""
    return f"woken:{queue}"
