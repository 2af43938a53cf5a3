"""Verdicts as they are stored, with problems for sentences, and as their submitters read them. What
a turn caused is not stored: it is narrated from the log.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import structlog
from sqlalchemy import Connection

from engine import sentences
from engine.documents import from_document, to_document
from engine.game import AnyGame
from engine.play import Replayed, legal_actions, narrated
from engine.types import Problem, Seat, VerdictStatus, Violation
from service.announcements import Telling
from service.context import Context
from service.matches import replays
from service.store.matches import StoredEntry, StoredMatch
from service.store.turns import StoredTurn
from service.turns.types import BrokenRule, LegalAction, Refusal, Verdict

FEW_ENTRIES: Final = 32
MOST_LEGAL: Final = 200
SENTENCES: Final[Mapping[str, str]] = {
    "resigned": "You have resigned from this match; a bot plays your seat.",
    "stale_ply": "This turn answers ply {answered}, but the match has moved on to ply {current}: look at it again.",
    "judge_failed": "An error in the service kept this turn from being judged; it is logged, and nothing was changed.",
}
"""The sentences of the service, by code."""
NOT_AT_HAND: Final = (
    "This was refused by a version of the rules that is no longer installed here (code {code}, rule {rule})."
)

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class StoredRefusal:
    """A ``Refusal`` without its sentences: the first of ``problems`` refused the turn."""

    problems: tuple[Problem, ...]
    action_index: int | None = None
    legal: tuple[LegalAction, ...] = ()
    legal_total: int = 0


@dataclass(frozen=True, slots=True)
class StoredVerdict:
    """A ``Verdict`` as it is stored."""

    status: VerdictStatus
    accepted: int
    ply_before: int
    ply_after: int
    violation: StoredRefusal | None = None


def explain(game: AnyGame | None, problem: Problem, names: Sequence[str]) -> str:
    """The sentence for a problem, with the ``names`` of the match; ``game`` is ``None`` where the
    rules are not installed.
    """
    for table in (SENTENCES, sentences.COMMON):
        if problem.code in table:
            return sentences.filled_in(table, replace(problem, values={**problem.values, "names": names}))
    if game is None:
        return NOT_AT_HAND.format(code=problem.code, rule=problem.rule)
    return game.explain(problem)


def refused_at(game: AnyGame, state: Any, seat: Seat, violation: Violation, index: int) -> StoredRefusal:
    """The refusal of action ``index`` in ``state``, with what would be legal in its place."""
    legal = legal_actions(game, state, seat)
    return StoredRefusal(
        problems=tuple(Problem(each.code, each.rule, each.values) for each in (violation, *violation.others)),
        action_index=index,
        legal=tuple(LegalAction(to_document(action), game.format(action)) for action in legal[:MOST_LEGAL]),
        legal_total=len(legal),
    )


def explained(game: AnyGame | None, refused: StoredRefusal, names: Sequence[str]) -> Refusal:
    """The refusal with its sentences; ``game`` and ``names`` as in ``explain``."""
    first, *others = refused.problems
    return Refusal(
        code=first.code,
        rule=first.rule,
        message=explain(game, first, names),
        action_index=refused.action_index,
        others=tuple(BrokenRule(each.code, each.rule, explain(game, each, names)) for each in others),
        legal=refused.legal,
        legal_total=refused.legal_total,
    )


def read_all(
    connection: Connection,
    context: Context,
    match: StoredMatch,
    turns: Sequence[StoredTurn],
    entries: Sequence[StoredEntry] = (),
) -> tuple[Verdict | None, ...]:
    """The verdicts on turns of one match, as their submitter sees them; ``None`` for queued turns.
    ``entries`` are some of the log that were read before.

    The log is replayed once for all of them, from the nearest remembered state. Where it cannot be
    replayed or narrated, that is logged, and the verdicts have no ``entries``.
    """
    parsed = [_parsed(turn) for turn in turns]
    spans = [_told_span(turn, verdict) for turn, verdict in zip(turns, parsed, strict=True)]
    game = replays.game_at_hand(match)
    steps = {} if game is None else _steps(connection, context, match, [span for span in spans if span], entries)
    verdicts: list[Verdict | None] = []
    for turn, verdict, span in zip(turns, parsed, spans, strict=True):
        own = [] if span is None else [steps[ply] for ply in range(*span) if ply in steps]
        verdicts.append(None if verdict is None else _verdict(game, match, turn, verdict, own))
    return tuple(verdicts)


def read(
    connection: Connection, context: Context, match: StoredMatch, turn: StoredTurn, entries: Sequence[StoredEntry] = ()
) -> Verdict | None:
    """The verdict on one turn, as ``read_all`` reads it."""
    return read_all(connection, context, match, [turn], entries)[0]


def is_far(context: Context, match: StoredMatch, turn: StoredTurn) -> bool:
    """Whether reading the verdict of a turn replays more than a few entries."""
    span = _told_span(turn, _parsed(turn))
    if span is None:
        return False
    known = context.states.nearest(match.id, span[0])
    return known is None or span[1] - known[0] > FEW_ENTRIES


def telling(match: StoredMatch, turn: StoredTurn, verdict: StoredVerdict, steps: Iterable[Replayed]) -> Telling:
    """The verdict as its submitter sees it, as a JSON document that narrates ``steps``."""
    document: Telling = to_document(_verdict(replays.game_at_hand(match), match, turn, verdict, steps))
    return document


def _parsed(turn: StoredTurn) -> StoredVerdict | None:
    return None if turn.verdict is None else from_document(StoredVerdict, turn.verdict)


def _told_span(turn: StoredTurn, verdict: StoredVerdict | None) -> tuple[int, int] | None:
    """The plies that a verdict narrates, as (start, stop): the turn's own entries and what
    followed; for a stale turn, what happened since the ply that it answered.
    """
    if verdict is None:
        return None
    refused = verdict.violation
    stale = refused is not None and refused.problems[0].code == "stale_ply"
    start = turn.ply if stale else verdict.ply_before
    return (start, verdict.ply_after) if start < verdict.ply_after else None


def _steps(
    connection: Connection,
    context: Context,
    match: StoredMatch,
    spans: Sequence[tuple[int, int]],
    entries: Sequence[StoredEntry],
) -> Mapping[int, Replayed]:
    if not spans:
        return {}
    first, last = min(start for start, _ in spans), max(stop for _, stop in spans)
    try:
        return {step.ply: step for step in replays.walk(connection, context, match, first, last, entries)}
    except Exception:
        log.exception("turn.not_replayed", match=match.id, first=first, last=last)
        return {}


def _verdict(
    game: AnyGame | None, match: StoredMatch, turn: StoredTurn, verdict: StoredVerdict, steps: Iterable[Replayed]
) -> Verdict:
    refused = verdict.violation
    return Verdict(
        status=verdict.status,
        accepted=verdict.accepted,
        ply_before=verdict.ply_before,
        ply_after=verdict.ply_after,
        entries=_told(game, match, turn, steps),
        violation=None if refused is None else explained(game, refused, match.names),
    )


def _told(game: AnyGame | None, match: StoredMatch, turn: StoredTurn, steps: Iterable[Replayed]) -> tuple[str, ...]:
    if game is None:
        return ()
    try:
        return narrated(game, steps, turn.seat, match.names)
    except Exception:
        log.exception("turn.not_narrated", turn=turn.id, match=match.id)
        return ()
