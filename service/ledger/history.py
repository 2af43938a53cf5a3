"""A log replayed from its beginning into steps, with every entry, every draw and every gap looked
at.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection

from engine.documents import to_document
from engine.errors import DocumentError, IllegalAction
from engine.game import AnyGame
from engine.play import conceded, drawn, resume
from engine.record import read_action
from engine.types import CHANCE, Entry, Outcome, Seat
from service.errors import Conflict
from service.ledger.case import Case
from service.ledger.findings import Findings
from service.matches import replays
from service.matches.fairness import draw_of


@dataclass(frozen=True, slots=True)
class Step:
    """What was written to a log in one go: from ply ``start`` to before ply ``stop``, by the deal,
    a turn or a resignation.

    ``awaited`` are the seats that are to act behind it, none where ``over``.
    """

    start: int
    stop: int
    turn_id: str | None
    awaited: tuple[Seat, ...]
    over: bool


@dataclass(frozen=True, slots=True)
class History:
    """The steps of a match in their order, the length of its deal, and its outcome if it has come
    to one.
    """

    deal: int
    steps: tuple[Step, ...]
    outcome: Outcome | None


@dataclass(frozen=True, slots=True)
class _Moment:
    awaited: tuple[Seat, ...]
    outcome: Outcome | None


def replay(connection: Connection, case: Case, findings: Findings) -> History | None:
    """The history of a match that has started; ``None``, and a breach that says where, if the log
    cannot be replayed.
    """
    match, log = case.match, case.log
    plies = [entry.ply for entry in log]
    if plies != list(range(len(log))):
        missing = next((ply for ply, found in enumerate(plies) if ply != found), len(log))
        findings.breach("log_gap", match.id, f"Match {match.id}: its log has a gap, entry {missing} is missing.")
        return None
    if len(log) != match.ply:
        findings.breach(
            "ply_differs",
            match.id,
            f"Match {match.id}: it says that it is at ply {match.ply}, but its log has {len(log)} entries.",
        )
        return None
    try:
        game = replays.game_of(match)
        state = game.setup(replays.setup_of(connection, match))
    except (Conflict, DocumentError) as error:
        findings.breach("not_replayable", match.id, f"Match {match.id}: it cannot be set up: {error}")
        return None
    moments, state = _moments(game, state, case, findings)
    return None if moments is None else _history(game, state, case, moments, findings)


def _moments(game: AnyGame, state: Any, case: Case, findings: Findings) -> tuple[list[_Moment] | None, Any]:
    """How it stood at each ply, and the last state."""
    match, draw = case.match, draw_of(case.match)
    moments = [_moment(game, state)]
    for entry in case.log:
        try:
            action = read_action(game, entry.seat, entry.action)
            if (
                entry.seat == CHANCE
                and game.to_act(state) == (CHANCE,)
                and drawn(game, state, entry.ply, draw) != action
            ):
                findings.breach(
                    "draw_differs",
                    match.id,
                    f"Match {match.id}, ply {entry.ply}: the draw does not follow from the secret and the nonces.",
                )
                return None, state
            state = resume(game, state, entry.ply, (Entry(entry.seat, action),))
        except (DocumentError, IllegalAction) as error:
            findings.breach(
                "entry_illegal", match.id, f"Match {match.id}, ply {entry.ply}: the log does not replay: {error}"
            )
            return None, state
        moments.append(_moment(game, state))
    return moments, state


def _moment(game: AnyGame, state: Any) -> _Moment:
    return _Moment(tuple(game.to_act(state)), game.outcome(state))


def _history(game: AnyGame, state: Any, case: Case, moments: list[_Moment], findings: Findings) -> History | None:
    deal = next((ply for ply, moment in enumerate(moments) if moment.awaited != (CHANCE,)), len(moments) - 1)
    spans = _spans(case, deal, findings)
    if spans is None:
        return None
    gave_up, steps, outcome = 0, [], moments[-1].outcome
    for start, stop, turn_id, resigning in spans:
        gave_up += resigning
        conceding = resigning and gave_up == len(case.match.seats) - 1
        if conceding:
            outcome = conceded(game, state, [seat.seat for seat in case.match.resigned])
        over = conceding or moments[stop].outcome is not None
        awaited = () if over else tuple(seat for seat in moments[stop].awaited if seat != CHANCE)
        steps.append(Step(start, stop, turn_id, awaited, over))
    return History(deal, tuple(steps), outcome)


def _spans(case: Case, deal: int, findings: Findings) -> list[tuple[int, int, str | None, bool]] | None:
    """(start, stop, turn, whether a seat resigned) in order; ``None``, and a breach, where they do
    not tile the log.
    """
    match, log = case.match, case.log
    spans: list[tuple[int, int, str | None, bool]] = [(0, deal, None, False)]
    gone = [seat.resigned_ply or 0 for seat in match.resigned]
    at = deal
    if any(entry.turn_id is not None for entry in log[:deal]):
        findings.breach(
            "turn_in_deal", match.id, f"Match {match.id}: an entry of its deal is said to belong to a turn."
        )
        return None
    while at < len(log) or gone:
        resigning = bool(gone) and gone[0] <= at
        turn_id = None if resigning else log[at].turn_id if at < len(log) else None
        if not resigning and turn_id is None:
            findings.breach(
                "entry_without_turn",
                match.id,
                f"Match {match.id}, ply {at}: this entry belongs to no turn, and nobody had resigned.",
            )
            return None
        if resigning:
            gone.pop(0)
        stop = at
        while stop < len(log) and log[stop].turn_id == turn_id and not (resigning and gone and gone[0] == stop):
            stop += 1
        spans.append((at, stop, turn_id, resigning))
        at = stop
    named = [turn_id for _, _, turn_id, _ in spans if turn_id is not None]
    for turn_id in sorted({turn_id for turn_id in named if named.count(turn_id) > 1}):
        findings.breach(
            "turn_twice_in_log",
            turn_id,
            f"Turn {turn_id} stands in the log of match {match.id} at {named.count(turn_id)} places.",
        )
    return spans


def describe(outcome: Outcome | None) -> Any:
    """An outcome as it is stored."""
    return None if outcome is None else to_document(outcome)
