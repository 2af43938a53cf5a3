"""What RQ keeps in Redis: keys of our queues, which are deleted where they are not as RQ needs
them, and keys that all services on one database share, which are not ours to delete.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import Any, Final

from redis import Redis
from redis.exceptions import RedisError

from service.redis_link import RedisAway, Trouble, away_for

SHARED: Final = MappingProxyType({"rq:queues": "set", "rq:workers": "set"})
"""The keys that every worker of RQ uses, and their types."""
_OF_A_QUEUE: Final = (
    "rq:queue:{}",
    "rq:queue:{}:intermediate",
    "rq:clean_registries:{}",
    *(f"rq:{registry}:{{}}" for registry in ("wip", "finished", "failed", "deferred", "scheduled", "canceled")),
)


def jobs_key(queue: str) -> str:
    """The key of the list of jobs of a queue."""
    return f"rq:queue:{queue}"


def workers_key(queue: str) -> str:
    """The key of the set of workers of a queue."""
    return f"rq:workers:{queue}"


def require_usable(redis: Redis) -> None:
    """Raises ``RedisAway`` where Redis does not answer, takes no writes, or RQ cannot use it."""
    try:
        redis.set("overland:nothing", "", xx=True)  # refused like every write, and writes nothing
        require_shared(redis)
    except (RedisError, OSError, ValueError) as error:
        raise away_for(error) from error


def require_shared(redis: Redis) -> None:
    """Raises ``RedisAway`` where a key that all services share has a wrong type; ``RedisError``."""
    for (key, wanted), found in zip(SHARED.items(), _types(redis, list(SHARED)), strict=True):
        if found not in (wanted, "none"):
            raise RedisAway(
                Trouble.FOREIGN,
                f"the key {key} is a {found}, where RQ needs a {wanted}: another program has written it. Delete it, or"
                " give Overland a database of Redis of its own",
            )


def mend(redis: Redis, *queues: str) -> None:
    """Deletes what RQ keeps of our queues, but not their workers where these are kept as they
    should be: jobs only wake workers, and may be lost. Raises as ``require_shared``.
    """
    require_shared(redis)
    redis.delete(*(template.format(queue) for queue in queues for template in _OF_A_QUEUE))
    keys = [workers_key(queue) for queue in queues]
    wrong = [key for key, found in zip(keys, _types(redis, keys), strict=True) if found not in ("set", "none")]
    if wrong:
        redis.delete(*wrong)


def _types(redis: Redis, keys: Sequence[str]) -> list[str]:
    with redis.pipeline(transaction=False) as pipeline:
        for key in keys:
            pipeline.type(key)
        found: list[Any] = pipeline.execute()
    return [kind.decode() for kind in found]
