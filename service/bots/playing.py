"""Plays for the bots that matches await, each turn once, by the same use case as people.

1. The rows say which bots are awaited and have no turn that waits (``service.store.bots``).
2. A turn is chosen in another process, within a budget of positions, and submitted with a key made
   from match, ply and seat: played twice, after a crash or by two workers, it is one turn.
3. Where choosing fails or takes too long, or the turn is refused, the first legal action is
   submitted, and the log says why. Where that fails, too, the match rests for a while.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

import structlog

from engine.bots import Level
from service.bots.choosing import Choosing, ChoosingWaited, NotChosen, Wanted
from service.context import Submitting
from service.errors import Conflict, Invalid, Unavailable
from service.house import bot_level
from service.players.types import Player
from service.store import bots as rows
from service.store import players
from service.store import turns as turn_rows
from service.store.bots import AwaitedBot
from service.store.turns import StoredTurn
from service.turns.submit import submit

AT_ONCE: Final = 50
LONGEST_SECONDS: Final = 5.0
"""The time budget of a job: RQ sends heartbeats and obeys a request to stop between jobs."""
REST_SECONDS: Final = 300.0
"""How long a bot is left alone that can play nothing."""
BotTurn: TypeAlias = Literal["chosen", "first_legal", "stuck", "waits", "resting"]
"""``chosen``, ``first_legal``: a turn was submitted; ``stuck``: nothing could be played; ``waits``:
its turn waits for its verdict, or the match does not await it any more, or cannot be read.
"""
_log = structlog.get_logger("service.bots")


@dataclass(slots=True)
class Rests:
    """The bots that are left alone for now, with the seconds of ``timer`` until when."""

    timer: Callable[[], float]
    _until: dict[tuple[str, int], float] = field(default_factory=dict)

    def begin(self, bot: AwaitedBot) -> None:
        """Leaves a bot alone for ``REST_SECONDS``."""
        now = self.timer()
        self._until = {key: until for key, until in self._until.items() if until > now}
        self._until[bot.match_id, bot.seat] = now + REST_SECONDS

    def rests(self, bot: AwaitedBot) -> bool:
        """Whether a bot is left alone now."""
        return self._until.get((bot.match_id, bot.seat), 0.0) > self.timer()


def play_due(
    context: Submitting, choose: Choosing, rests: Rests, stopping: Callable[[], object] = lambda: False
) -> Counter[BotTurn]:
    """Plays for all bots that are awaited, for at most ``LONGEST_SECONDS``, and wakes a worker for
    the rest. Gives the number of bots by result.

    Stops where the database or the machine keeps choosing waiting; the sweeper wakes a worker then.
    """
    until, results, after = context.timer() + LONGEST_SECONDS, Counter[BotTurn](), None
    while True:
        with context.database.read() as connection:
            found = rows.awaited(connection, AT_ONCE, after)
        if not found:
            return results
        for bot in found:
            if stopping() or context.timer() > until:
                context.queue.wake_bots()
                return results
            try:
                results["resting" if rests.rests(bot) else _play(context, choose, rests, bot)] += 1
            except ChoosingWaited as error:
                _log.warning("bots.kept_waiting", match=bot.match_id, reason=str(error))
                return results
        after = found[-1]


def _play(context: Submitting, choose: Choosing, rests: Rests, bot: AwaitedBot) -> BotTurn:
    """Submits a turn for a bot: one that it chooses, else the first legal action."""
    ways: tuple[tuple[BotTurn, Level | None], ...] = (("chosen", bot_level(bot.player_id)), ("first_legal", None))
    for way, level in ways:
        known = _known(context, bot, way)
        if known is not None and known.judged_at is None:
            return "waits"
        if known is None:
            try:
                return _submitted(context, choose, bot, way, level)
            except (NotChosen, Invalid) as error:
                reason, trace = str(error), getattr(error, "trace", "")
        else:
            reason, trace = f"turn {known.id} was refused", ""
        _log.error("bot.failed", match=bot.match_id, seat=bot.seat, ply=bot.ply, way=way, reason=reason, trace=trace)
    rests.begin(bot)
    return "stuck"


def _submitted(context: Submitting, choose: Choosing, bot: AwaitedBot, way: BotTurn, level: Level | None) -> BotTurn:
    """Raises ``NotChosen``, ``ChoosingWaited``, and ``Invalid`` where the turn cannot be read."""
    wanted = Wanted(bot.match_id, bot.seat, bot.ply, level, context.settings.bot_positions)
    actions = choose(wanted)
    if actions is None:
        return "waits"
    player, key = _player(context, bot), _key(bot, way)
    try:
        submit(context, player, bot.match_id, bot.seat, bot.ply, actions, idempotency_key=key)
    except (Conflict, Unavailable) as error:
        _log.info("bot.not_played", match=bot.match_id, seat=bot.seat, ply=bot.ply, reason=str(error))
        return "waits"
    return way


def _player(context: Submitting, bot: AwaitedBot) -> Player:
    with context.database.read() as connection:
        found = players.find(connection, bot.player_id)
    assert found is not None
    return found


def _known(context: Submitting, bot: AwaitedBot, way: BotTurn) -> StoredTurn | None:
    with context.database.read() as connection:
        return turn_rows.by_key(connection, bot.player_id, _key(bot, way))


def _key(bot: AwaitedBot, way: BotTurn) -> str:
    return f"{bot.match_id}.{bot.ply}.{bot.seat}.{way}"
