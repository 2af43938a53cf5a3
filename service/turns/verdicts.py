"""Verdicts as they are stored, without sentences, and as their submitters read them.

The reasons of a refusal are stored as problems. What a turn caused is not stored: it is narrated
from the log.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import structlog
from sqlalchemy import Connection

from engine.documents import from_document, to_document
from engine.game import AnyGame
from engine.play import Replayed, narrated
from engine.types import Problem, VerdictStatus, Violation
from service.announcements import Telling
from service.context import Context
from service.matches import replays
from service.store.matches import StoredEntry, StoredMatch
from service.store.turns import StoredTurn
from service.turns import refusals
from service.turns.types import BrokenRule, LegalAction, Refusal, Verdict

FEW_ENTRIES: Final = 32

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class StoredRefusal:
    """A refusal without its sentences: the first of ``problems`` refused the turn, the others are
    further broken rules. The other fields are those of ``Refusal``.
    """

    problems: tuple[Problem, ...]
    action_index: int | None = None
    legal: tuple[LegalAction, ...] = ()
    legal_total: int = 0


@dataclass(frozen=True, slots=True)
class StoredVerdict:
    """A verdict as it is stored. The fields are those of ``Verdict``."""

    status: VerdictStatus
    accepted: int
    ply_before: int
    ply_after: int
    violation: StoredRefusal | None = None


def problems_of(violation: Violation) -> tuple[Problem, ...]:
    """The problems of a violation, the decisive one first."""
    return tuple(Problem(each.code, each.rule, each.values) for each in (violation, *violation.others))


def explained(game: AnyGame | None, refused: StoredRefusal) -> Refusal:
    """The refusal with its sentences; ``game`` is ``None`` where the match's rules are not
    installed.
    """
    first, *others = refused.problems
    return Refusal(
        code=first.code,
        rule=first.rule,
        message=refusals.explain(game, first),
        action_index=refused.action_index,
        others=tuple(BrokenRule(each.code, each.rule, refusals.explain(game, each)) for each in others),
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
    spans = [
        None if verdict is None else _told_span(turn, verdict) for turn, verdict in zip(turns, parsed, strict=True)
    ]
    game = replays.game_at_hand(match)
    wanted = [span for span in spans if span is not None and game is not None]
    steps = _steps(connection, context, match, wanted, entries)
    verdicts: list[Verdict | None] = []
    for turn, verdict, span in zip(turns, parsed, spans, strict=True):
        own = [] if span is None else [steps[ply] for ply in range(*span) if ply in steps]
        verdicts.append(None if verdict is None else _verdict(game, match, turn, verdict, own))
    return tuple(verdicts)


def read(
    connection: Connection,
    context: Context,
    match: StoredMatch,
    turn: StoredTurn,
    entries: Sequence[StoredEntry] = (),
) -> Verdict | None:
    """The verdict on a turn as its submitter sees it; ``None`` while the turn is queued."""
    return read_all(connection, context, match, [turn], entries)[0]


def is_far(context: Context, match: StoredMatch, turn: StoredTurn) -> bool:
    """Whether reading the verdict of a turn replays more than a few entries."""
    parsed = _parsed(turn)
    span = None if parsed is None else _told_span(turn, parsed)
    if span is None:
        return False
    known = context.states.nearest(match.id, span[0])
    return known is None or span[1] - known[0] > FEW_ENTRIES


def telling(match: StoredMatch, turn: StoredTurn, verdict: StoredVerdict, steps: Iterable[Replayed]) -> Telling:
    """The verdict as its submitter sees it, as a JSON document; ``steps`` are those that it
    narrates.
    """
    document: Telling = to_document(_verdict(replays.game_at_hand(match), match, turn, verdict, steps))
    return document


def _parsed(turn: StoredTurn) -> StoredVerdict | None:
    return None if turn.verdict is None else from_document(StoredVerdict, turn.verdict)


def _told_span(turn: StoredTurn, verdict: StoredVerdict) -> tuple[int, int] | None:
    """The plies that a verdict narrates, as (start, stop): the turn's own entries and what
    followed; for a stale turn, what happened since the ply that it answered.
    """
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
    """The steps of a match by ply, over all ``spans``."""
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
        violation=None if refused is None else explained(game, refused),
    )


def _told(game: AnyGame | None, match: StoredMatch, turn: StoredTurn, steps: Iterable[Replayed]) -> tuple[str, ...]:
    if game is None:
        return ()
    try:
        return narrated(game, steps, turn.seat, match.names)
    except Exception:
        log.exception("turn.not_narrated", turn=turn.id, match=match.id)
        return ()
