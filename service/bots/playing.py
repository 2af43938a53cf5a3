"""Plays for the bots that matches await, each turn once, by the same use case as people: the loop
of bots (``service.loop``).

1. The rows say which bots are awaited and have no turn that waits (``service.store.match_lists``).
2. A turn is chosen in another process, within a budget of positions, and submitted with a key made
   from match, ply and seat: played twice, after a crash or by two workers, it is one turn.
3. Where choosing fails or takes too long, or the turn is refused, the first legal action is
   submitted, and the log says why. Where that fails, too, the bot is set aside.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Final, Literal, TypeAlias

import structlog

from engine.bots import Level
from service.bots.choosing import Actions, Choosing, Wanted
from service.context import Context
from service.errors import Conflict, Invalid, Unavailable
from service.guard import Answered, ChildOutcome, Raised, Waited, facts
from service.house import bot_level
from service.loop import Loop, run
from service.rowless import Kind, RowlessWork
from service.store import match_lists as rows
from service.store import players
from service.store import turns as turn_rows
from service.store.match_lists import AwaitedBot
from service.store.players import Player
from service.store.turns import StoredTurn
from service.turns.submit import submit

AT_ONCE: Final = 5
LONGEST_SECONDS: Final = 5.0
"""The time budget of a job: RQ sends heartbeats and obeys a request to stop between jobs."""
BotTurn: TypeAlias = Literal["chosen", "first_legal", "stuck", "waits"]
"""``chosen``, ``first_legal``: a turn was submitted; ``stuck``: nothing could be played, and it is
set aside; ``waits``: its turn waits for its verdict, or the match does not await it any more, or
cannot be read.
"""
_log = structlog.get_logger("service.bots")


def play_due(context: Context, choose: Choosing, stopping: Callable[[], object] = lambda: False) -> Counter[BotTurn]:
    """Plays for all bots that are awaited, for at most ``LONGEST_SECONDS``, and wakes a worker for
    the rest. Returns the number of bots by result.
    """
    until, results = context.timer() + LONGEST_SECONDS, Counter[BotTurn]()
    kind: Kind[BotTurn] = Kind(Loop.BOTS, partial(_due, context), partial(_play, context, choose), "stuck", AT_ONCE)
    if run(RowlessWork(context, kind), results, lambda: not stopping() and context.timer() <= until):
        context.queue.wake_bots()
    return results


def _due(context: Context) -> tuple[str, ...]:
    with context.database.look() as connection:
        return tuple(f"{bot.match_id} {bot.seat} {bot.ply}" for bot in rows.awaited_bots(connection))


def _play(context: Context, choose: Choosing, item: str) -> ChildOutcome[BotTurn]:
    """Submits a turn for a bot: one that it chooses, else the first legal action."""
    match_id, seat, ply = item.split(" ")
    with context.database.look() as connection:
        bot = rows.awaited_bot(connection, match_id, int(seat))
    if bot is None or bot.ply != int(ply):
        return Answered("waits")
    outcome: ChildOutcome[BotTurn] = Answered("waits")
    ways: tuple[tuple[BotTurn, Level | None], ...] = (("chosen", bot_level(bot.player_id)), ("first_legal", None))
    for way, level in ways:
        known = _known(context, bot, way)
        if known is not None and known.judged_at is None:
            return Answered("waits")
        outcome = (
            _submitted(context, choose, bot, way, level)
            if known is None
            else Raised(f"turn {known.id} was refused", "")
        )
        if isinstance(outcome, Answered | Waited):
            return outcome
        _log.error("bot.failed", match=bot.match_id, seat=bot.seat, ply=bot.ply, way=way, **facts(outcome))
    return outcome


def _submitted(
    context: Context, choose: Choosing, bot: AwaitedBot, way: BotTurn, level: Level | None
) -> ChildOutcome[BotTurn]:
    wanted = Wanted(bot.match_id, bot.seat, bot.ply, level, context.settings.bot_positions)
    outcome: ChildOutcome[Actions | None] = choose(wanted)
    if not isinstance(outcome, Answered):
        return outcome
    if outcome.answer is None:
        return Answered("waits")
    player, key = _player(context, bot), _key(bot, way)
    try:
        submit(context, player, bot.match_id, bot.seat, bot.ply, outcome.answer, idempotency_key=key, is_confirmed=True)
    except Invalid as error:  # the turn cannot be read
        return Raised(str(error), "")
    except (Conflict, Unavailable) as error:
        _log.info("bot.not_played", match=bot.match_id, seat=bot.seat, ply=bot.ply, reason=str(error))
        return Answered("waits")
    return Answered(way)


def _player(context: Context, bot: AwaitedBot) -> Player:
    with context.database.read() as connection:
        found = players.find(connection, bot.player_id)
    assert found is not None
    return found


def _known(context: Context, bot: AwaitedBot, way: BotTurn) -> StoredTurn | None:
    with context.database.read() as connection:
        return turn_rows.by_key(connection, bot.player_id, _key(bot, way))


def _key(bot: AwaitedBot, way: BotTurn) -> str:
    return f"{bot.match_id}.{bot.ply}.{bot.seat}.{way}"
