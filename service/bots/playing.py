"""Plays for the bots that matches await, each turn once, by the same use case as people: the loop
of bots (``service.loop``).

1. The rows say which bots are awaited and have no turn that waits (``service.store.match_lists``).
2. A turn is chosen by a child process (``choice``), within a budget of positions, as the rules may
   hang or crash at that. It is submitted with a key made from match, ply and seat: played twice,
   after a crash or by two workers, it is one turn.
3. Where choosing fails or takes too long, or the turn is refused, the first legal action is
   submitted, and the log says why. Where that fails, too, the bot is set aside.
"""

from __future__ import annotations

import hmac
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import count
from typing import Any, Final, Literal, TypeAlias

import structlog

from engine.bots import Level, chosen, first_legal
from engine.documents import to_document
from service.context import Context
from service.errors import Conflict, Invalid, Unavailable
from service.guard import Answered, Bounds, ChildOutcome, Guard, Raised, Waited, facts
from service.house import bot_level
from service.loop import Loop, run
from service.matches import mending, replays
from service.matches.replays import MatchUnreadable
from service.rowless import Kind, RowlessWork
from service.store import match_lists as rows
from service.store import matches as match_rows
from service.store import players
from service.store import turns as turn_rows
from service.store.match_lists import AwaitedBot
from service.store.matches import StoredMatch
from service.turns.submit import submit

AT_ONCE: Final = 5
LONGEST_SECONDS: Final = 5.0
"""The time budget of a job: RQ sends heartbeats and obeys a request to stop between jobs."""
BotTurn: TypeAlias = Literal["chosen", "first_legal", "stuck", "waits"]
"""``chosen``, ``first_legal``: a turn was submitted; ``stuck``: nothing could be played, and it is
set aside; ``waits``: its turn waits for its verdict, or the match does not await it any more, or
cannot be read.
"""
BOUNDS: Final = Bounds(seconds=10)
"""The budget of positions is meant to keep choosing far below."""
Actions: TypeAlias = tuple[Mapping[str, Any], ...]
_log = structlog.get_logger("service.bots")


@dataclass(frozen=True, slots=True)
class Wanted:
    """For whom to choose: a bot of that ``level`` looks at so many ``positions``; without a level
    the first legal action is wanted.
    """

    match_id: str
    seat: int
    ply: int
    level: Level | None
    positions: int


def play_due(context: Context, guard: Guard, stopping: Callable[[], object] = lambda: False) -> Counter[BotTurn]:
    """Plays for all bots that are awaited, for at most ``LONGEST_SECONDS``, and wakes a worker for
    the rest; the child of the ``guard`` chooses. Returns the number of bots by result.
    """
    until, results = context.timer() + LONGEST_SECONDS, Counter[BotTurn]()
    kind: Kind[BotTurn] = Kind(Loop.BOTS, partial(_due, context), partial(_play, context, guard), "stuck", AT_ONCE)
    if run(RowlessWork(context, kind), results, lambda: not stopping() and context.timer() <= until):
        context.queue.wake_bots()
    return results


def _due(context: Context) -> tuple[str, ...]:
    with context.database.look() as connection:
        return tuple(f"{bot.match_id} {bot.seat} {bot.ply}" for bot in rows.awaited_bots(connection))


def _play(context: Context, guard: Guard, item: str) -> ChildOutcome[BotTurn]:
    """Submits a turn for a bot: one that it chooses, else the first legal action."""
    match_id, seat, ply = item.split(" ")
    with context.database.look() as connection:
        bot = rows.awaited_bot(connection, match_id, int(seat))
    if bot is None or bot.ply != int(ply):
        return Answered("waits")
    outcome: ChildOutcome[BotTurn]
    ways: tuple[tuple[BotTurn, Level | None], ...] = (("chosen", bot_level(bot.player_id)), ("first_legal", None))
    for way, level in ways:
        with context.database.read() as connection:
            known = turn_rows.by_key(connection, bot.player_id, _key(bot, way))
        if known is not None and known.judged_at is None:
            return Answered("waits")
        if known is None:
            outcome = _submitted(context, guard, bot, way, level)
        else:
            outcome = Raised(f"turn {known.id} was refused", "")
        if isinstance(outcome, Answered | Waited):
            return outcome
        _log.error("bot.failed", match=bot.match_id, seat=bot.seat, ply=bot.ply, way=way, **facts(outcome))
    return outcome


def _submitted(
    context: Context, guard: Guard, bot: AwaitedBot, way: BotTurn, level: Level | None
) -> ChildOutcome[BotTurn]:
    wanted = Wanted(bot.match_id, bot.seat, bot.ply, level, context.settings.bot_positions)
    outcome: ChildOutcome[Actions | None] = guard.ask(wanted, BOUNDS)
    if not isinstance(outcome, Answered):
        return outcome
    if outcome.answer is None:
        return Answered("waits")
    with context.database.read() as connection:
        player = players.find(connection, bot.player_id)
    assert player is not None
    key = _key(bot, way)
    try:
        submit(context, player, bot.match_id, bot.seat, bot.ply, outcome.answer, idempotency_key=key, is_confirmed=True)
    except Invalid as error:  # the turn cannot be read
        return Raised(str(error), "")
    except (Conflict, Unavailable) as error:
        _log.info("bot.not_played", match=bot.match_id, seat=bot.seat, ply=bot.ply, reason=str(error))
        return Answered("waits")
    return Answered(way)


def _key(bot: AwaitedBot, way: BotTurn) -> str:
    return f"{bot.match_id}.{bot.ply}.{bot.seat}.{way}"


def choice(context: Context, wanted: Wanted) -> Actions | None:
    """Chooses actions, as documents, in this process; ``None`` where the match awaits the seat no
    more at that ply, or cannot be read. Raises whatever the rules raise.
    """
    with context.database.read() as connection:
        match = match_rows.find(connection, wanted.match_id)
    if match is None or match.status != "running" or match.ply != wanted.ply or not match.seats[wanted.seat].to_act:
        return None
    try:
        game = replays.game_of(match)
        with context.database.read() as connection:
            state = replays.load(connection, context, match)
    except MatchUnreadable as error:
        mending.report(context, error)
        return None
    except Conflict as error:  # the rules are not installed
        mending.mark(context, match.id, match.unreadable_reason, error.code, str(error))
        return None
    if wanted.level is None:
        return (to_document(first_legal(game, state, wanted.seat)),)
    actions = chosen(wanted.level, game, state, wanted.seat, _lots(match, wanted), wanted.positions)
    return tuple(to_document(action) for action in actions)


def _lots(match: StoredMatch, wanted: Wanted) -> Callable[[int], int]:
    """Lots that nobody can foresee before the secret of the match is revealed, and that are the
    same if they are drawn again. Each gives a number from 0 to below its argument.
    """
    drawn = count()

    def lot(below: int) -> int:
        message = f"bot {match.id} {wanted.seat} {wanted.ply} {next(drawn)}".encode()
        return int.from_bytes(hmac.digest(match.secret, message, "sha256")) % below

    return lot
