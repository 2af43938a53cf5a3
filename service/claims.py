"""Claims of workers on turns that they judge, so that several workers do not judge the same ones.

Claims are kept in Redis and expire. They only save work: whether a verdict may be written is
decided in the database. A claim whose worker has died tells the next one that it may have been one
of these turns that killed it.
"""

from __future__ import annotations

import os
import socket
import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Final

import structlog

from service.attendance import run
from service.redis_link import RedisAway, RedisLink

CLAIMS: Final = "claims:turns"
SECONDS: Final = 15
"""How long a claim lasts, longer than a round of judging; a worker on the same machine takes over
as soon as its holder has died.
"""

log = structlog.get_logger(__name__)

_CLAIM: Final = """
local now = tonumber(redis.call('TIME')[1])
local holder, ends, held = ARGV[1], now + tonumber(ARGV[2]), {}
for number = 4, #ARGV do
    local claim = redis.call('HGET', KEYS[1], ARGV[number])
    local other = claim and string.match(claim, '^(%S+)')
    if other and other ~= holder and other ~= ARGV[3] then
        local expired = tonumber(string.match(claim, '(%d+)$')) <= now
        held[#held + 1] = ARGV[number]
        held[#held + 1] = other
        held[#held + 1] = expired and 1 or 0
        if expired then redis.call('HSET', KEYS[1], ARGV[number], holder .. ' ' .. ends) end
    else
        redis.call('HSET', KEYS[1], ARGV[number], holder .. ' ' .. ends)
    end
end
return held
"""


@dataclass(frozen=True, slots=True)
class Claimed:
    """The result of claiming turns, as ids: those that are the caller's now, and those that are,
    too, but were claimed by a worker that has died since. The others are somebody else's. Unless
    ``noted``, nobody will know of these claims.
    """

    free: frozenset[str]
    orphaned: frozenset[str] = frozenset()
    noted: bool = True


class Claims:
    """The claims of this process. No method raises where Redis is unavailable: then all turns are
    free.
    """

    def __init__(self, link: RedisLink) -> None:
        self._link = link
        self._secret, self._host = uuid.uuid4().hex, socket.gethostname().replace(" ", "_").replace(":", "_")

    def claim(self, turn_ids: Sequence[str]) -> Claimed:
        """Claims turns, again where they are claimed by this process."""
        held = self._claim(turn_ids)
        if held is None:
            return Claimed(frozenset(turn_ids), noted=False)
        expired = {turn_id for turn_id, (_, gone) in held.items() if gone}
        dead = {turn_id: holder for turn_id, (holder, gone) in held.items() if not gone and self._has_died(holder)}
        for holder in set(dead.values()):
            mine = [turn_id for turn_id, other in dead.items() if other == holder]
            expired |= set(mine) - (self._claim(mine, holder) or {}).keys()
        return Claimed(frozenset(turn_ids) - held.keys(), frozenset(expired))

    def release(self, turn_ids: Collection[str]) -> None:
        """Ends claims."""
        if turn_ids:
            try:
                self._link.ask([CLAIMS], lambda redis, keys: redis.hdel(keys[0], *turn_ids))
            except RedisAway as away:
                log.debug("queue.not_released", turns=len(turn_ids), error=str(away))

    def _claim(self, turn_ids: Sequence[str], instead_of: str = "-") -> dict[str, tuple[str, bool]] | None:
        """Claims what is free or was ``instead_of``'s. Returns the others with their holder, and
        whether they had expired and are the caller's now; ``None`` where Redis is away.
        """
        holder = f"{self._host}:{os.getpid()}:{self._secret}"
        arguments = holder, SECONDS, instead_of, *turn_ids
        try:
            found: Any = self._link.ask([CLAIMS], lambda redis, keys: run(redis, _CLAIM, keys, *arguments))
        except RedisAway as away:
            log.debug("queue.not_claimed", turns=len(turn_ids), error=str(away))
            return None
        held = zip(found[::3], found[1::3], found[2::3], strict=True)
        return {turn_id.decode(): (holder.decode(), bool(gone)) for turn_id, holder, gone in held}

    def _has_died(self, holder: str) -> bool:
        """Whether a process of this machine has ended, as far as can be known."""
        host, _, rest = holder.partition(":")
        pid = rest.partition(":")[0]
        if host != self._host:
            return False
        if not pid.isdecimal():
            return True  # no claim of ours
        if int(pid) == os.getpid():
            return True  # an earlier process with our id, in a container that was started again
        try:
            os.kill(int(pid), 0)
        except ProcessLookupError:
            return True
        except PermissionError:
            return False
        return False
