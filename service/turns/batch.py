"""Judges queued turns in batches, each turn exactly once.

1. The oldest turns are read, one of each match, and claimed, so that other workers leave them
   alone. Players with a slow turn come after the others.
2. They are ruled on (``rulings``); no transaction is open meanwhile.
3. In one write transaction their rows and those of their matches are locked. A ruling holds if its
   turn is still queued and its match unchanged; otherwise the turn is taken again. What follows is
   written together, with the key of the entries (match, ply) as the last guard.
4. After the commit, waiting requests and the workers of notices are woken.

A turn at which a process died or ran out of time is judged alone, with the attempt committed
before. After ``MOST_ATTEMPTS`` it is quarantined: rejected with ``judge_failed``. A match whose log
cannot be replayed is marked, and its turns are held, until ``overland matches check`` finds it
readable.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

import structlog
from sqlalchemy import Connection

from engine.documents import to_document
from service.announcements import Announced
from service.context import Context
from service.guard import Died, OutOfTime, Raised, Waited
from service.kinds import FIRST
from service.loop import TERMS, Loop, give_back, settle_owed, together
from service.matches import mending, progress, timekeeping
from service.matches.progress import news_for
from service.payloads import TurnJudged
from service.store import matches as match_rows
from service.store import turns as turn_rows
from service.store.events import News
from service.store.failures import is_blameless
from service.store.matches import position
from service.store.outbox import NewNotice
from service.store.turns import StoredTurn
from service.turns.judge import Case, Ruling, RulingResult, Unreadable, failed, is_failure
from service.turns.rulings import MOST_SLOW, Rulings
from service.turns.submit import handed_on
from service.turns.time_up import still_follows

MOST_ATTEMPTS: Final = TERMS[Loop.TURNS].most_attempts
MOST_TRIED: Final = MOST_SLOW // 2
"""How many turns that were tried before may be slow at the same time."""

log = structlog.get_logger(__name__)


class CannotJudge(Exception):
    """The database could not be read by the process that rules, or not be written."""


@dataclass(frozen=True, slots=True)
class Round:
    """The ids of the turns judged, whether there was one to judge, and may be another at once."""

    judged: tuple[str, ...]
    found: bool
    more: bool


def judge_oldest(context: Context, rulings: Rulings, limit: int) -> Round:
    """Judges the oldest queued turns, at most ``limit`` and one of each match.

    Errors of the database are raised; then nothing is judged.
    """
    settle_owed()
    slow = rulings.slow()
    found = _read(context, turn_rows.oldest, limit + len(slow))
    if found is None:
        return Round((), True, True)
    oldest: dict[str, StoredTurn] = {}
    for turn in found:
        oldest.setdefault(turn.match_id, turn)
    suspects = {turn.player_id for turn in found if turn.id in slow}
    turns = [turn for turn in oldest.values() if turn.id not in slow]
    turns = [turn for turn in turns if turn.player_id not in suspects] or turns
    if not turns:
        return Round((), False, False)
    claimed = context.queue.claim([turn.id for turn in turns])
    if claimed.orphaned:
        log.warning("turns.orphaned", turns=sorted(claimed.orphaned))
        with context.database.write() as connection:
            turn_rows.count_attempts(connection, claimed.orphaned)
        context.queue.release(claimed.orphaned)
    mine = [turn for turn in turns if turn.id in claimed.free]
    if claimed.noted:
        judged = _judge(context, rulings, mine)
    else:
        with _charged(context, claimed.free):  # so that those at which this process ends are known
            judged = _judge(context, rulings, [replace(turn, attempts=1) for turn in mine])
    left = claimed.free.difference(judged, rulings.slow())
    context.queue.release(left)
    more = bool(left or claimed.orphaned) or len(found) > len(turns) + len(slow) or len(found) == limit + len(slow)
    return Round(judged, bool(claimed.free or claimed.orphaned), more)


def judge_tried(context: Context, rulings: Rulings) -> Round:
    """Judges one turn at which a process died or ran out of time, alone."""
    slow = rulings.slow()
    tried = _read(context, turn_rows.tried, 1 + len(slow))
    if tried is None:
        return Round((), True, True)
    waiting = [turn for turn in tried if turn.id not in slow]
    if not waiting or len(tried) - len(waiting) >= MOST_TRIED:
        return Round((), False, False)
    turn = waiting[0]
    claimed = context.queue.claim([turn.id])
    if not claimed.free and not claimed.orphaned:
        return Round((), False, False)
    with _charged(context, [turn.id]):
        tried_again = replace(turn, attempts=turn.attempts + 1)
        judged = _judge(context, rulings, [tried_again], spent=turn.attempts >= MOST_ATTEMPTS)
    context.queue.release({turn.id}.difference(judged, rulings.slow()))
    return Round(judged, True, True)


@contextmanager
def _charged(context: Context, turn_ids: Collection[str]) -> Iterator[None]:
    """Counts an attempt of these turns, at which this process may end; takes it back where the
    database breaks it off.
    """

    def count(by: int) -> None:
        with context.database.write() as connection:
            turn_rows.count_attempts(connection, turn_ids, by)

    count(1)
    try:
        yield
    except Exception as error:
        if isinstance(error, CannotJudge) or is_blameless(error):
            give_back(lambda: count(-1))
        raise


def settle_slow(context: Context, rulings: Rulings, seconds: float) -> Round:
    """Writes the verdicts on turns that took longer, after waiting at most ``seconds`` for one."""
    results = rulings.collect(seconds)
    judged = _settle(context, rulings, results)
    context.queue.release({case.turn.id for case, _ in results}.difference(judged))
    return Round(judged, bool(results), bool(results))


def _read(
    context: Context, find: Callable[[Connection, int], tuple[StoredTurn, ...]], limit: int
) -> tuple[StoredTurn, ...] | None:
    """The turns that are found; ``None``, with an attempt counted, where some cannot be read."""
    try:
        with context.database.look() as connection:
            return find(connection, limit)
    except turn_rows.TurnsUnreadable as error:
        log.exception("turns.unreadable", turns=error.ids)
        with context.database.write() as connection:
            turn_rows.count_attempts(connection, error.ids)
        return None


def _judge(context: Context, rulings: Rulings, turns: Sequence[StoredTurn], spent: bool = False) -> tuple[str, ...]:
    """Rules on turns, unless they are ``spent``, and writes what follows, as ``_settle``."""

    def read(several: Sequence[StoredTurn]) -> list[Case]:
        with context.database.look() as connection:
            return _cases(connection, several)

    def not_read(turn: StoredTurn, error: Exception) -> list[Case]:
        log.exception("turn.not_read", turn=turn.id, match=turn.match_id)
        _count(context, turn)
        return []

    cases = together(turns, read, not_read)
    died = Died("every process that judged it ended meanwhile")
    return _settle(context, rulings, [(case, died) for case in cases] if spent else rulings.rule(cases))


def _cases(connection: Connection, turns: Sequence[StoredTurn]) -> list[Case]:
    matches = match_rows.find_all(connection, [turn.match_id for turn in turns])
    return [Case(matches[turn.match_id], turn) for turn in turns]


@dataclass(frozen=True, slots=True)
class _Ruled:
    """A turn, and the ruling to write."""

    case: Case
    ruling: Ruling
    attempts: int
    judged_at: datetime | None = None


def _settle(context: Context, rulings: Rulings, results: Sequence[tuple[Case, RulingResult]]) -> tuple[str, ...]:
    """Writes what follows from these results. Returns the ids of the turns that are judged.

    Raises ``CannotJudge`` where turns could not be read; those are taken again by a later job.
    """
    ruled, waited = list[_Ruled](), list[Waited]()
    for case, result in results:
        match result:
            case Ruling():
                ruled.append(_Ruled(case, result, 1 if is_failure(result.verdict) else 0))
            case Raised() | Died() | OutOfTime():
                ruled += _failed(context, case)
            case Unreadable():
                mending.mark(context, case.match.id, case.match.unreadable_reason, result.reason, result.error)
            case Waited():
                waited.append(result)
    written = together(ruled, lambda several: _write(context, several), lambda each, _: _not_written(context, each))
    judged = tuple(each.case.turn.id for each in written)
    if judged:
        for each in written:
            if each.judged_at is not None:
                waited_for = each.judged_at - each.case.turn.submitted_at
                context.counts.add_verdict(each.ruling.verdict.status, waited_for.total_seconds())
        rulings.committed(judged)
        context.queue.announce_verdicts([_announced(each) for each in written])
        progress.wake_for(context, [each.case.match for each in written])
    if waited:
        raise CannotJudge(waited[0].error)
    return judged


def _failed(context: Context, case: Case) -> list[_Ruled]:
    """Counts the attempt, unless that was done; gives the last verdict after ``MOST_ATTEMPTS``."""
    turn, attempts = case.turn, _count(context, case.turn)
    if attempts < MOST_ATTEMPTS:
        return []
    log.error("turn.quarantined", turn=turn.id, match=turn.match_id, attempts=attempts)
    return [_Ruled(case, Ruling(failed(case.match).verdict), attempts)]


def _count(context: Context, turn: StoredTurn) -> int:
    """Counts the attempt of a turn, unless that was done before. Returns the number of attempts."""
    if turn.attempts == 0:
        with context.database.write() as connection:
            turn_rows.count_attempts(connection, [turn.id])
    return max(1, turn.attempts)


def _not_written(context: Context, ruled: _Ruled) -> list[_Ruled]:
    """Counts the attempt, and in the end writes that the turn could not be judged. Where that
    fails, too, it is kept: no worker takes it any more.
    """
    log.exception("turn.not_judged", turn=ruled.case.turn.id, match=ruled.case.match.id)
    return together(_failed(context, ruled.case), lambda several: _write(context, several), _kept)


def _kept(ruled: _Ruled, error: Exception) -> list[_Ruled]:
    log.error("turn.kept", turn=ruled.case.turn.id, match=ruled.case.match.id, error=str(error))
    return []


def _write(context: Context, ruled: Sequence[_Ruled]) -> list[_Ruled]:
    """Writes the rulings that still hold, in one transaction, and gives them."""
    if not ruled:
        return []
    now = context.clock()
    with context.database.write() as connection:
        holding = _still_up(connection, _holding(connection, ruled), now)
        rows = [each.ruling.rows for each in holding if each.ruling.rows is not None]
        turn_rows.set_verdicts(connection, [_judged(each, now) for each in holding])
        delay = context.settings.verdict_mail_seconds
        told = [_news(each, now, delay) for each in holding if each.case.turn.kind == "turn"]
        progress.write(connection, rows, told, now)
    return [replace(each, judged_at=now) for each in holding]


def _news(ruled: _Ruled, now: datetime, delay: int) -> News:
    """The verdict as an event; its notice is due after ``delay`` seconds, or at once, in the first
    lane, where it is the answer to a mail.
    """
    match, turn, verdict = ruled.case.match, ruled.case.turn, ruled.ruling.verdict
    plies = (verdict.ply_after, verdict.ply_before)
    payload = TurnJudged(turn.seat, *plies, turn.id, verdict.status, turn.in_reply_to or "")
    player_id = match.seats[turn.seat].player_id
    if turn.in_reply_to is None:
        notice = NewNotice("verdict", player_id, match.id, payload, not_before=now + timedelta(seconds=delay))
    else:
        notice = NewNotice("verdict", player_id, match.id, payload, lane=FIRST)
    return news_for(match, turn.seat, "verdict", verdict.ply_after, notice, turn_id=turn.id)


def _announced(ruled: _Ruled) -> Announced:
    turn, told, rows = ruled.case.turn, ruled.ruling.told, ruled.ruling.rows
    if told is None or ruled.judged_at is None:
        return Announced(turn.id, turn.awaited_by)
    awaited = ruled.case.match.seats[turn.seat].to_act
    if rows is not None:
        awaited = rows.step.awaits.get(turn.seat, awaited)
    return Announced(turn.id, turn.awaited_by, handed_on(told, ruled.judged_at, awaited))


def _holding(connection: Connection, ruled: Sequence[_Ruled]) -> list[_Ruled]:
    """The rulings whose turn is still queued and whose match is unchanged; both are locked."""
    queued = turn_rows.lock_queued(connection, [each.case.turn.id for each in ruled])
    present = match_rows.lock_positions(connection, [each.case.match.id for each in ruled])
    return [
        each
        for each in ruled
        if each.case.turn.id in queued and present[each.case.match.id] == position(each.case.match)
    ]


def _still_up(connection: Connection, holding: Sequence[_Ruled], now: datetime) -> list[_Ruled]:
    """The rulings that stand. What follows from time that is not up any more, or could not be ruled
    on, is withdrawn.
    """
    clock_turns = [each for each in holding if each.case.turn.kind == "clock"]
    if not clock_turns:
        return list(holding)
    times = timekeeping.times_of(connection, [each.case.match for each in clock_turns], now)

    def stands(case: Case, ruling: Ruling) -> bool:
        return ruling.rows is not None and still_follows(case.match, case.turn, times.get(case.match.id, ()))

    gone = [each.case.turn.id for each in clock_turns if not stands(each.case, each.ruling)]
    turn_rows.withdraw(connection, gone)
    return [each for each in holding if each.case.turn.id not in gone]


def _judged(ruled: _Ruled, now: datetime) -> StoredTurn:
    verdict = ruled.ruling.verdict
    return replace(
        ruled.case.turn, status=verdict.status, verdict=to_document(verdict), judged_at=now, attempts=ruled.attempts
    )
