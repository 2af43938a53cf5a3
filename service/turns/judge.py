"""Judges one turn in memory: how many of its actions are accepted, and why the rest is not. Writes
nothing; ``batch`` does. ``rulings`` does the same in child processes.

Whether a turn can still be accepted is asked when it is submitted and again when it is judged: the
match runs, the seat has not resigned, and nothing has changed for the seat since the ply that the
turn answers. What counts as a change is a rule of the engine (``engine.play.still_fresh``).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import structlog
from sqlalchemy.exc import SQLAlchemyError

from engine.bots import first_legal, substitute
from engine.documents import from_document
from engine.game import AnyGame
from engine.play import Replayed, adjudicate, narrated, read_action, still_fresh
from engine.record import EarlyEnd, StepKind
from engine.types import Problem, Seat
from service.announcements import Telling
from service.clocks.spans import instant
from service.context import Context
from service.errors import Conflict, StalePly
from service.guard import Failure, Waited
from service.kept import States
from service.loop import failure_of
from service.matches import progress, replays
from service.matches.access import Seated
from service.matches.progress import Cause, Progress, ProgressRows, Step
from service.matches.resign import resigning
from service.store.database import Database
from service.store.matches import StoredMatch
from service.store.turns import StoredTurn
from service.turns.verdicts import StoredRefusal, StoredVerdict, explain, refused_at, telling

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Case:
    """A turn to rule on, and its match as it was read."""

    match: StoredMatch
    turn: StoredTurn


@dataclass(frozen=True, slots=True)
class Ruling:
    """The verdict on a turn, the rows to write if any of its actions are accepted, and the verdict
    as it is told where a request waits for that.
    """

    verdict: StoredVerdict
    rows: ProgressRows | None = None
    told: Telling | None = None


@dataclass(frozen=True, slots=True)
class Unreadable:
    """The log of the match cannot be replayed: a code, and for the host what was raised."""

    reason: str
    error: str


RulingResult: TypeAlias = Ruling | Unreadable | Failure
"""A turn whose ruling has ``Waited`` is ruled on another time."""


class OwnRulings:
    """Rules on turns in this process, from the states that it remembers."""

    def __init__(self, database: Database, states: States) -> None:
        self.database, self.states = database, states
        self._provisional: dict[str, tuple[str, int, Any]] = {}

    def rule(self, cases: Sequence[Case]) -> list[tuple[Case, RulingResult]]:
        return [(case, self._tried(case)) for case in cases]

    def collect(self, seconds: float = 0) -> list[tuple[Case, RulingResult]]:
        return []

    def slow(self) -> frozenset[str]:
        return frozenset()

    def committed(self, turn_ids: Collection[str]) -> None:
        """Remembers the states of these rulings, and forgets those of all others."""
        for turn_id in turn_ids:
            if turn_id in self._provisional:
                self.states.remember(*self._provisional[turn_id])
        self._provisional.clear()

    def _tried(self, case: Case) -> RulingResult:
        try:
            return self.ruling(case)
        except Exception as error:
            log.exception("turn.not_ruled", turn=case.turn.id, match=case.match.id)
            return failure_of(error)

    def ruling(self, case: Case) -> RulingResult:
        """Rules on one turn."""
        match, turn = case.match, case.turn
        try:
            refused = _closed(match, turn)
            judged, since = self._judged(match, turn) if refused is None else (refused, ())
        except Conflict as error:
            return Unreadable(error.code, str(error))
        except replays.MatchUnreadable as error:
            return Unreadable(error.code, error.reason or str(error))
        except SQLAlchemyError as error:
            return Waited(f"the database could not be read: {type(error).__name__}")
        made, told = judged.progress, None
        if turn.awaited_by is not None and not turn.attempts:  # tried again, it is told by whoever waits
            told = telling(match, turn, judged.verdict, since if made is None else progress.replayed(made))
        if made is None:
            return Ruling(judged.verdict, told=told)
        self._provisional[turn.id] = match.id, made.ply, made.step.state
        return Ruling(judged.verdict, progress.rows_of(made), told)

    def _judged(self, match: StoredMatch, turn: StoredTurn) -> tuple[Judged, Sequence[Replayed]]:
        """The judgement, and the entries since the ply that the turn answers."""
        state = replays.remembered(self, match)
        if state is not None and turn.ply >= match.ply:
            return judge(match, turn, state, ()), ()
        with self.database.read() as connection:
            since = tuple(replays.walk(connection, self, match, turn.ply))
            state = since[-1].after if since else replays.load(connection, self, match)
        return judge(match, turn, state, since), since


def in_child(rulings: OwnRulings) -> Callable[[tuple[Case, Collection[str] | None]], RulingResult]:
    """Answers a case in a child; with the first of a batch come the turns committed before."""

    def handle(request: tuple[Case, Collection[str] | None]) -> RulingResult:
        case, committed = request
        if committed is not None:
            rulings.committed(committed)
        return rulings.ruling(case)

    return handle


@dataclass(frozen=True, slots=True)
class Judged:
    """The verdict on a turn, and the progress to write if any of its actions are accepted."""

    verdict: StoredVerdict
    progress: Progress | None = None


def judge(match: StoredMatch, turn: StoredTurn, state: Any, since: Sequence[Replayed]) -> Judged:
    """Judges a turn in ``state``, that of its match, after ``since``, the entries since its ply."""
    game = replays.game_of(match)
    try:
        if turn.kind == "early_end":
            made = progress.ended_by(match, state, turn.id, _still_agreed(match, turn))
            return Judged(StoredVerdict("accepted", 0, match.ply, match.ply), made)
        problem = _stale_at(game, match, turn.seat, turn.ply, since)
        if problem is not None:
            return _rejected(match, problem)
        return _judged(game, state, match, turn) if turn.kind == "turn" else _time_up(game, state, match, turn)
    except Exception:
        # A fault in the rules: the turn is refused, as it would otherwise be judged again for ever,
        # without an answer to the player.
        log.exception("turn.judge_failed", turn=turn.id, match=match.id, ply=match.ply)
        return failed(match)


def failed(match: StoredMatch) -> Judged:
    """The verdict on a turn that could not be judged, by a fault of the service or of the rules."""
    return _rejected(match, Problem("judge_failed", ""))


def is_failure(verdict: StoredVerdict) -> bool:
    """Whether a verdict is that of a turn that could not be judged."""
    return verdict.violation is not None and verdict.violation.problems[0].code == "judge_failed"


def check_playable(context: Context, at: Seated, ply: int) -> None:
    """As ``check_fresh``; raises ``Conflict`` (``not_your_turn``), too, whatever the ply."""
    _check_open(at)
    problem = not_awaited(at.match, at.seat)
    if problem is not None:
        raise Conflict(explain(at.game, problem, at.match.names), problem.code)
    _check_ply(context, at, ply)


def check_fresh(context: Context, at: Seated, ply: int) -> None:
    """Raises ``Conflict`` (``match_over``, ``resigned``, ``ply_ahead``), ``StalePly`` or
    ``MatchUnreadable`` where a turn that answers ``ply`` cannot be accepted now.
    """
    _check_open(at)
    _check_ply(context, at, ply)


def not_awaited(match: StoredMatch, seat: Seat) -> Problem | None:
    """Why a seat is not to act; ``None`` where the match awaits it."""
    if match.seats[seat].to_act:
        return None
    return Problem("not_your_turn", "", {"awaited": [each.seat for each in match.seats if each.to_act]})


def _check_open(at: Seated) -> None:
    """That the match can be read comes first: what its seats may do follows from its log."""
    if at.match.unreadable_at is not None:
        raise replays.MatchUnreadable(at.match.id)
    problem = _closed_to(at.match, at.seat)
    if problem is not None:
        raise Conflict(explain(at.game, problem, at.match.names), problem.code)


def _check_ply(context: Context, at: Seated, ply: int) -> None:
    match = at.match
    if ply > match.ply:
        raise Conflict(f"The match is only at ply {match.ply}; a turn has to answer that ply.", "ply_ahead")
    if ply < match.ply:
        with context.database.read() as connection:
            steps = tuple(replays.walk(connection, context, match, ply))
        problem = _stale_at(at.game, match, at.seat, ply, steps)
        if problem is not None:
            changes = narrated(at.game, steps, at.seat, match.names)
            raise StalePly(explain(at.game, problem, match.names), ply, match.ply, changes)


def _closed(match: StoredMatch, turn: StoredTurn) -> Judged | None:
    """The verdict on a turn that is refused in any state; ``None`` where the state decides."""
    if turn.kind == "early_end" and match.is_on and _still_agreed(match, turn).seats:
        return None
    problem = _closed_to(match, turn.seat)
    if problem is None and match.seats[turn.seat].player_id != turn.player_id:
        problem = Problem("resigned", "")  # the seat is another player's
    return None if problem is None else _rejected(match, problem)


def _closed_to(match: StoredMatch, seat: Seat) -> Problem | None:
    """Why the seat can play no further turn, whichever ply it answers; ``None`` where it can."""
    if not match.is_on:
        return Problem("match_over", "")
    return None if match.seats[seat].resigned_at is None else Problem("resigned", "")


def _still_agreed(match: StoredMatch, turn: StoredTurn) -> EarlyEnd:
    """The end that was agreed on, by those alone who have not lost their seat since."""
    agreed: EarlyEnd = from_document(EarlyEnd, turn.document["early_end"])
    return replace(agreed, seats=tuple(seat for seat in agreed.seats if match.seats[seat].is_owned))


def _stale_at(game: AnyGame, match: StoredMatch, seat: Seat, ply: int, steps: Sequence[Replayed]) -> Problem | None:
    """Why a turn that answers ``ply`` is stale after ``steps``, the entries since; or ``None``."""
    if ply > match.ply or not still_fresh(game, steps, seat):
        return Problem("stale_ply", "", {"answered": ply, "current": match.ply})
    return None


def _judged(game: AnyGame, state: Any, match: StoredMatch, turn: StoredTurn) -> Judged:
    actions = [read_action(game, turn.seat, action) for action in turn.document["actions"]]
    draw = replays.draw_of(match)
    judgement = adjudicate(game, state, match.ply, turn.seat, actions, draw)
    refused = None
    if judgement.violation is not None and judgement.failed is not None:
        # The actions before the refused one are legal: judged alone they lead to the state in
        # which it was refused.
        reached = adjudicate(game, state, match.ply, turn.seat, actions[: judgement.failed], draw).state
        refused = refused_at(game, reached, turn.seat, judgement.violation, judgement.failed)
    made = None
    if judgement.entries:
        step = Step(judgement.entries, (state, *judgement.states))
        step = progress.with_substitutes(game, step, match.ply, match.played_by_bots, draw)
        made = progress.progress_by(match, step, Cause("turn", turn.seat, instant(turn.submitted_at)), turn.id)
    ply = match.ply if made is None else made.ply
    return Judged(StoredVerdict(judgement.verdict, judgement.accepted, match.ply, ply, refused), made)


def _time_up(game: AnyGame, state: Any, match: StoredMatch, turn: StoredTurn) -> Judged:
    """The seat resigns, or a bot plays for it: what is legal first, where it has failed before."""
    kind: StepKind = turn.document["step"]
    cause, step = Cause(kind, turn.seat, instant(turn.submitted_at)), Step((), (state,))
    if kind == "time_up_resign":
        made = resigning(match, game, step, turn.seat, cause, turn.id)
    else:
        choose = first_legal if turn.attempts else _substitute
        draw, played = replays.draw_of(match), match.played_by_bots
        step = progress.with_substitutes(game, step, match.ply, (turn.seat,), draw, choose)
        if kind != "time_up_bot_turn":
            played |= {turn.seat}
        step = progress.with_substitutes(game, step, match.ply, played, draw)
        made = progress.progress_by(match, step, cause, turn.id)
    return Judged(StoredVerdict("accepted", len(made.step.entries), match.ply, made.ply), made)


def _substitute(game: AnyGame, state: Any, seat: Seat) -> Any:
    """What the bot plays; where it raises, the first legal action."""
    try:
        return substitute(game, state, seat)
    except Exception:
        log.exception("bot.failed", game=game.info.name, seat=seat)
        return first_legal(game, state, seat)


def _rejected(match: StoredMatch, problem: Problem) -> Judged:
    return Judged(StoredVerdict("rejected", 0, match.ply, match.ply, StoredRefusal((problem,))))
