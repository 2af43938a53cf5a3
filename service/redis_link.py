"""How a process reaches Redis, in which nothing is kept that may not be lost. While it does not
answer it is asked once in ``PAUSE_SECONDS``.

Our keys begin with a prefix that no other service has, so that several may share one database of
Redis. One with a wrong type or content is deleted, and what was asked is asked again. Other keys
are never deleted, not even those that all workers of RQ share.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from types import MappingProxyType
from typing import Any, Final, TypeVar

import redis
import structlog
from redis import Redis
from redis.backoff import NoBackoff
from redis.retry import Retry
from redis.sentinel import MasterNotFoundError, Sentinel, SentinelManagedConnection
from sqlalchemy.exc import SQLAlchemyError

from service.setting_values import SENTINEL, sentinels_of

PAUSE_SECONDS: Final = 2.0
_NOT_OURS: Final = ("WRONGTYPE", "not an integer", "not a float", "user_script", "Error running script")
"""What Redis says of keys that another program has written."""
_ERRORS: Final = (redis.RedisError, OSError, ValueError)
SHARED: Final = MappingProxyType({"rq:queues": "set", "rq:workers": "set"})
"""The keys that every worker of RQ uses, of whatever service, and their types."""
_OF_A_QUEUE: Final = (
    "rq:queue:{}",
    "rq:queue:{}:intermediate",
    "rq:clean_registries:{}",
    *(f"rq:{registry}:{{}}" for registry in ("wip", "finished", "failed", "deferred", "scheduled", "canceled")),
)

log = structlog.get_logger(__name__)

T = TypeVar("T")
Keys = Sequence[str]


class Trouble(Enum):
    """Why Redis cannot be used, in words for everybody: without addresses and passwords."""

    SILENT = "does not answer"
    PASSWORD = "refuses the password"
    RIGHTS = "does not allow what the service needs"
    DISK = "cannot write, as its disk is full or broken"
    MEMORY = "has no memory left"
    REPLICA = "takes no writes, as it is a replica"
    LOADING = "is still loading its data"
    FOREIGN = "has a key of another program where RQ needs its own"
    NO_DATABASE = "is not used while the database is away"
    UNSET = "is not configured: OVERLAND_REDIS_URL is empty"
    ADDRESS = "has an address that cannot be used"
    ERROR = "answers with an error"


_BY_CLASS: Final[Mapping[type[Exception], Trouble]] = MappingProxyType(
    {
        redis.AuthenticationError: Trouble.PASSWORD,
        redis.exceptions.AuthenticationWrongNumberOfArgsError: Trouble.PASSWORD,
        redis.BusyLoadingError: Trouble.LOADING,
        redis.exceptions.NoPermissionError: Trouble.RIGHTS,
        redis.exceptions.OutOfMemoryError: Trouble.MEMORY,
        redis.ReadOnlyError: Trouble.REPLICA,
        redis.ConnectionError: Trouble.SILENT,
        redis.TimeoutError: Trouble.SILENT,
        OSError: Trouble.SILENT,
    }
)
_BY_WORD: Final = MappingProxyType(
    {
        "NOAUTH": Trouble.PASSWORD,
        "WRONGPASS": Trouble.PASSWORD,
        "MISCONF": Trouble.DISK,
        "WRONGTYPE": Trouble.FOREIGN,
        "ACL failure": Trouble.RIGHTS,
    }
)


class RedisAway(Exception):
    """Redis cannot be used: ``trouble`` says why, the message what it answered, for operators."""

    def __init__(self, trouble: Trouble, said: str) -> None:
        super().__init__(said)
        self.trouble = trouble


class RedisLink:
    """A process's connections to the Redis at ``url``, which has ``seconds`` to answer. ``name``
    gives the name of the service, with which its keys begin, from the database.
    """

    def __init__(
        self,
        url: str,
        name: Callable[[], str],
        timer: Callable[[], float],
        seconds: float,
        pause: float = PAUSE_SECONDS,
    ) -> None:
        self._url, self._read_name, self._timer = url, name, timer
        self._seconds, self._pause = seconds, pause
        self._lock = threading.Lock()
        self._name: str | None = None
        self._connection: tuple[int, Redis] | None = None
        self._away: RedisAway | None = None
        self._ask_again_at = 0.0

    def ask(self, names: Keys, do: Callable[[Redis, Keys], T], mend: Callable[[Redis], object] | None = None) -> T:
        """The result of ``do`` with the keys of these names. Where it finds what is not ours, they
        are deleted, or ``mend`` is called, and it is done once more. Raises ``RedisAway``.
        """
        self._await_turn()
        try:
            keys = [self.key(name) for name in names]
            connection = self._connected()
            try:
                found = do(connection, keys)
            except (redis.ResponseError, ValueError) as error:
                if not is_not_ours(error):
                    raise
                if mend is None:
                    connection.delete(*keys)
                else:
                    mend(connection)
                log.warning("redis.mended", keys=keys, error=str(error))
                found = do(connection, keys)
        except RedisAway as away:
            raise self._noted(away) from away
        except _ERRORS as error:
            raise self._noted(away_for(error)) from error
        self._note_success()
        return found

    def key(self, name: str) -> str:
        """The key of that name. Raises ``RedisAway`` where the service's own is not known."""
        if self._name is None:
            try:
                self._name = self._read_name()
            except SQLAlchemyError as error:
                raise RedisAway(Trouble.NO_DATABASE, type(error).__name__) from error
        return f"overland:{self._name}:{name}"

    def connect(self, seconds: float | None = None, **options: Any) -> Redis:
        """A client of its own, which connects when it is used. Raises ``RedisAway``."""
        return connected(self._url, seconds or self._seconds, **options)

    @property
    def is_away(self) -> bool:
        """Whether Redis was away just now, and is not asked."""
        with self._lock:
            return self._away is not None and self._timer() < self._ask_again_at

    def close(self) -> None:
        """Closes the connections; the next ``ask`` makes new ones."""
        with self._lock:
            if self._connection is not None:
                self._connection[1].close()
                self._connection = None

    def _connected(self) -> Redis:
        """The client, made on first use and again after a fork. Raises ``RedisAway``."""
        with self._lock:
            if self._connection is None or self._connection[0] != os.getpid():
                self._connection = os.getpid(), self.connect()
            return self._connection[1]

    def _await_turn(self) -> None:
        """Raises ``RedisAway`` where Redis was away just now, or another thread is asking it."""
        with self._lock:
            if self._away is None:
                return
            now = self._timer()
            if now < self._ask_again_at:
                raise RedisAway(self._away.trouble, str(self._away))
            self._ask_again_at = now + self._pause

    def _noted(self, away: RedisAway) -> RedisAway:
        if away.trouble is Trouble.FOREIGN:
            return away  # of some keys: the others may be used
        with self._lock:
            first, self._away = self._away is None, away
            self._ask_again_at = self._timer() + self._pause
        if first:
            log.warning("redis.unavailable", reason=away.trouble.value, error=str(away))
        return away

    def _note_success(self) -> None:
        with self._lock:
            again, self._away = self._away is not None, None
        if again:
            log.info("redis.available")


def connected(url: str, seconds: float, **options: Any) -> Redis:
    """A client, which connects when it is used, and takes ``seconds`` at most for that and for each
    answer. Raises ``RedisAway`` for an address that cannot be used.

    One retry covers a connection that Redis has closed meanwhile; a silent Redis is not asked
    twice. RQ needs bytes: answers are never decoded.
    """
    if not url:
        raise RedisAway(Trouble.UNSET, Trouble.UNSET.value)
    given = {
        "socket_connect_timeout": seconds,
        "socket_timeout": seconds,
        "retry": Retry(NoBackoff(), 1, (redis.ConnectionError,)),
        **options,
    }
    try:
        if not url.startswith(f"{SENTINEL}:"):
            return Redis.from_url(url, **given)
        place = sentinels_of(url)
    except ValueError as error:
        raise RedisAway(Trouble.ADDRESS, str(error)) from error
    sentinel = Sentinel(place.places, sentinel_kwargs=given, **given)  # type: ignore[no-untyped-call]
    signed_in = {"db": place.database, "username": place.username, "password": place.password}
    return sentinel.master_for(place.master, connection_class=_ToMaster, **signed_in)  # type: ignore[no-untyped-call, no-any-return]


class _ToMaster(SentinelManagedConnection):
    """A connection that is closed, as any other, where an answer is not waited for any longer:
    whoever used it next would be given that answer.
    """

    def read_response(self, *args: Any, **given: Any) -> Any:
        return super().read_response(*args, **{"disconnect_on_error": True, **given})


def away_for(error: Exception) -> RedisAway:
    """What an error of Redis, or on the way to it, means."""
    said = " ".join(str(error).split()) or type(error).__name__
    if isinstance(error, MasterNotFoundError):  # of whose clients and their settings more is said
        said = f"{said.partition(' : ')[0]}, or no sentinel answers"
    by_word = next((trouble for word, trouble in _BY_WORD.items() if word in said), None)
    by_class = next((trouble for kind, trouble in _BY_CLASS.items() if isinstance(error, kind)), Trouble.ERROR)
    return RedisAway(by_word or by_class, said)


def is_not_ours(error: Exception) -> bool:
    """Whether an error is about the type or the content of a key, not about Redis as a whole."""
    if isinstance(error, ValueError):
        return True
    foreign = any(words in str(error) for words in _NOT_OURS)
    return foreign and away_for(error).trouble in (Trouble.FOREIGN, Trouble.ERROR)


def jobs_key(queue: str) -> str:
    """The key of the list of jobs of a queue."""
    return f"rq:queue:{queue}"


def workers_key(queue: str) -> str:
    """The key of the set of workers of a queue."""
    return f"rq:workers:{queue}"


def require_usable(client: Redis) -> None:
    """Raises ``RedisAway`` where Redis does not answer, takes no writes, runs no scripts, has no
    channel for us, or RQ cannot use it.
    """
    try:
        client.set("overland:nothing", "", xx=True)  # refused like every write, and writes nothing
        client.eval("return redis.call('PUBLISH', 'overland:nothing', '')", 0)  # nobody hears
        _require_shared(client)
    except _ERRORS as error:
        raise away_for(error) from error


def _require_shared(client: Redis) -> None:
    """Raises ``RedisAway`` where a key that all services share has a wrong type; ``RedisError``."""
    for (key, wanted), found in zip(SHARED.items(), _types(client, list(SHARED)), strict=True):
        if found not in (wanted, "none"):
            raise RedisAway(
                Trouble.FOREIGN,
                f"the key {key} is a {found}, where RQ needs a {wanted}: another program has written it. Delete it, or"
                " give Overland a database of Redis of its own",
            )


def mend_queues(client: Redis, *queues: str) -> None:
    """Deletes what RQ keeps of our queues, jobs that only wake workers, and their workers where
    these are not kept as they should be. Raises ``RedisAway``, and what Redis fails with.
    """
    _require_shared(client)
    client.delete(*(template.format(queue) for queue in queues for template in _OF_A_QUEUE))
    keys = [workers_key(queue) for queue in queues]
    wrong = [key for key, found in zip(keys, _types(client, keys), strict=True) if found not in ("set", "none")]
    if wrong:
        client.delete(*wrong)


def _types(client: Redis, keys: Sequence[str]) -> list[str]:
    with client.pipeline(transaction=False) as pipeline:
        for key in keys:
            pipeline.type(key)
        found: list[Any] = pipeline.execute()
    return [kind.decode() for kind in found]
