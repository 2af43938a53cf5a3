"""The ruling on one turn: what stands of it, and why the rest does not. Nothing is written here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import structlog
from sqlalchemy import Connection

from engine import play
from engine.documents import to_document
from engine.game import AnyGame
from engine.play import Judgement, Replayed, adjudicate, legal_actions, still_fresh
from engine.record import read_action
from engine.types import Entry, Seat, Violation
from service.context import Replaying
from service.matches import replays
from service.matches.fairness import draw_of
from service.matches.progress import Step, with_house
from service.store.matches import StoredMatch
from service.store.turns import StoredTurn
from service.turns.freshness import stale
from service.turns.types import BrokenRule, LegalAction, Refusal, Verdict
from service.views.narration import told

MOST_LEGAL = 200

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Ruling:
    """The verdict on a turn, and the step to be written if anything of it stands."""

    verdict: Verdict
    step: Step | None = None


def rule(connection: Connection, context: Replaying, match: StoredMatch, turn: StoredTurn) -> Ruling:
    """The ruling on a turn of a match that is locked.

    Raises where the log of the match cannot be read or replayed.
    """
    seat = match.seats[turn.seat]
    if match.status != "running":
        return _rejected(match, "match_over", "The match is over; no more actions are taken.")
    if seat.resigned_at is not None or seat.player_id != turn.player_id:
        return _rejected(match, "resigned", "You have resigned from this match; the house plays your seat.")
    game = replays.game_of(match)
    steps = tuple(replays.walk(connection, context, match, turn.ply))
    state = steps[-1].after if steps else replays.load(connection, context, match)
    try:
        if turn.ply > match.ply or not still_fresh(game, steps, turn.seat):
            changes = told(game, steps, turn.seat, match.names)
            return _rejected(match, "stale_ply", stale(turn.ply, match.ply), changes)
        return _judged(game, state, match, turn)
    except Exception:
        # A fault of ours in the rules: the turn is refused with a sentence, or it would be judged
        # again for ever and the player never told.
        log.exception("turn.judge_failed", turn=turn.id, match=match.id, ply=match.ply)
        return _rejected(
            match,
            "judge_failed",
            "This turn could not be judged: the fault is ours, it is noted, and nothing was changed.",
        )


def refusal(game: AnyGame, state: Any, seat: Seat, violation: Violation, index: int) -> Refusal:
    """Why action ``index`` is refused in ``state``, and what would be legal in its place."""
    legal = legal_actions(game, state, seat)
    return Refusal(
        code=violation.code,
        rule=violation.rule,
        message=violation.message,
        action_index=index,
        others=tuple(BrokenRule(other.code, other.rule, other.message) for other in violation.others),
        legal=tuple(LegalAction(to_document(action), game.format(action)) for action in legal[:MOST_LEGAL]),
        legal_total=len(legal),
    )


def _judged(game: AnyGame, state: Any, match: StoredMatch, turn: StoredTurn) -> Ruling:
    actions = [read_action(game, turn.seat, action) for action in turn.document["actions"]]
    draw = draw_of(match)
    judgement = adjudicate(game, state, match.ply, turn.seat, actions, draw)
    refused = None
    if judgement.violation is not None and judgement.failed is not None:
        # The actions before the refused one are legal: judged alone they all stand, and lead to
        # where it failed.
        reached = adjudicate(game, state, match.ply, turn.seat, actions[: judgement.failed], draw).state
        refused = refusal(game, reached, turn.seat, judgement.violation, judgement.failed)
    step = None
    if judgement.entries:
        resigned = {seat.seat for seat in match.resigned}
        step = with_house(game, Step(judgement.entries, judgement.state), match.ply, resigned, draw)
    return Ruling(_verdict(game, state, match, turn.seat, judgement, step, refused), step)


def _verdict(
    game: AnyGame,
    state: Any,
    match: StoredMatch,
    seat: Seat,
    judgement: Judgement,
    step: Step | None,
    refused: Refusal | None,
) -> Verdict:
    steps = _steps(game, state, match.ply, judgement, () if step is None else step.entries)
    return Verdict(
        status=judgement.verdict,
        accepted=judgement.accepted,
        ply_before=match.ply,
        ply_after=match.ply + len(steps),
        entries=told(game, steps, seat, match.names),
        violation=refused,
    )


def _steps(game: AnyGame, state: Any, ply: int, judgement: Judgement, entries: Sequence[Entry[Any]]) -> list[Replayed]:
    """The entries that stand, with the states that judging them led to; what the house played
    behind them is replayed.
    """
    own = len(judgement.entries)
    befores = (state, *judgement.states)
    steps = [Replayed(ply + at, befores[at], entry, judgement.states[at]) for at, entry in enumerate(judgement.entries)]
    return [*steps, *play.walk(game, judgement.state, ply + own, entries[own:], None)]


def _rejected(match: StoredMatch, code: str, message: str, changes: tuple[str, ...] = ()) -> Ruling:
    return Ruling(Verdict("rejected", 0, match.ply, match.ply, changes, Refusal(code, "", message)))
