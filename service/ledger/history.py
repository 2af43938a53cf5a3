"""Replays a log from its beginning, checks every entry and draw, and divides the log into spans."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection

from engine import play
from engine.documents import from_document
from engine.errors import DocumentError
from engine.game import AnyGame
from engine.play import (
    IllegalAction,
    Replayed,
    WrongDraw,
    check_drawn,
    conceded,
    ended_early,
    ends_with,
    read_action,
    walk,
)
from engine.record import EarlyEnd
from engine.types import CHANCE, Entry, Outcome, Seat
from service.errors import Conflict
from service.ledger.case import MatchCase
from service.ledger.findings import Findings
from service.matches import replays


@dataclass(frozen=True, slots=True)
class LogSpan:
    """What one transaction appended, from ``start`` to before ``stop``: the deal, a turn, a
    resignation, or an early end; ``awaited`` are the seats after it, none where ``over``.
    """

    start: int
    stop: int
    turn_id: str | None
    awaited: tuple[Seat, ...]
    over: bool


@dataclass(frozen=True, slots=True)
class History:
    """The spans of a match, the length of its deal, its outcome if any, and its replayed log."""

    deal: int
    spans: tuple[LogSpan, ...]
    outcome: Outcome | None
    walked: tuple[Replayed, ...]


def replay(connection: Connection, case: MatchCase, findings: Findings) -> History | None:
    """The history of a match that has started; ``None``, with a breach, where it has none."""
    match, log = case.match, case.log
    plies = [entry.ply for entry in log]
    if plies != list(range(len(log))):
        missing = next((ply for ply, found in enumerate(plies) if ply != found), len(log))
        findings.of_match("log_gap", match.id, f"its log has a gap, entry {missing} is missing.")
        return None
    if len(log) != match.ply:
        what = f"it says that it is at ply {match.ply}, but its log has {len(log)} entries."
        findings.of_match("ply_differs", match.id, what)
        return None
    try:
        game = replays.game_of(match)
        state = game.setup(replays.setup_of(connection, match))
    except (Conflict, DocumentError) as error:
        findings.of_match("not_replayable", match.id, f"it cannot be set up: {error}")
        return None
    walked = _walked(game, state, case, findings)
    return None if walked is None else _history(game, state, case, walked, findings)


def _walked(game: AnyGame, state: Any, case: MatchCase, findings: Findings) -> tuple[Replayed, ...] | None:
    """The replayed log, checked; ``None``, with a breach at the first entry that does not fit."""
    match = case.match
    entries = (Entry(entry.seat, read_action(game, entry.seat, entry.action)) for entry in case.log)
    walked: list[Replayed] = []
    try:
        for step in walk(game, state, 0, entries, check_drawn(replays.draw_of(match))):
            walked.append(step)
    except WrongDraw as error:
        sentence = f"Match {match.id}, ply {error.ply}: the draw does not follow from the secret and the nonces."
        findings.breach("draw_differs", match.id, sentence)
        return None
    except (DocumentError, IllegalAction) as error:
        sentence = f"Match {match.id}, ply {len(walked)}: the log does not replay: {error}"
        findings.breach("entry_illegal", match.id, sentence)
        return None
    return tuple(walked)


def _history(
    game: AnyGame, begun: Any, case: MatchCase, walked: tuple[Replayed, ...], findings: Findings
) -> History | None:
    states = [begun, *(step.after for step in walked)]
    deal = next((ply for ply, state in enumerate(states) if game.to_act(state) != (CHANCE,)), len(walked))
    bounds = _bounds(case, deal, findings)
    if bounds is None:
        return None
    gave_up, spans, outcome = 0, [], play.outcome(game, states[-1], len(walked))
    for start, stop, turn_id, resigning in bounds:
        gave_up += 1 if resigning else 0
        gone = [seat.seat for seat in case.match.resigned[:gave_up]]
        conceding = resigning and ends_with(len(case.match.seats), gone, case.match.bots)
        if conceding:
            outcome = conceded(game, states[-1], [seat.seat for seat in case.match.resigned])
        over = conceding or play.outcome(game, states[stop], stop) is not None
        awaited = () if over else tuple(seat for seat in game.to_act(states[stop]) if seat != CHANCE)
        spans.append(LogSpan(start, stop, turn_id, awaited, over))
    if case.match.early_end is not None and not spans[-1].over:
        end: EarlyEnd = from_document(EarlyEnd, case.match.early_end)
        outcome = ended_early(game, states[-1], end.how, end.seats, [seat.seat for seat in case.match.resigned])
        spans.append(LogSpan(len(walked), len(walked), None, (), True))
    return History(deal, tuple(spans), outcome, walked)


def _bounds(case: MatchCase, deal: int, findings: Findings) -> list[tuple[int, int, str | None, bool]] | None:
    """(start, stop, turn, whether a seat resigned) of the spans in order; ``None``, with a breach,
    where they do not cover the log.
    """
    match, log = case.match, case.log
    bounds: list[tuple[int, int, str | None, bool]] = [(0, deal, None, False)]
    gone = [(seat.resigned_ply or 0, seat.seat) for seat in match.resigned]
    by_clock = {turn.id: turn.seat for turn in case.turns if turn.kind == "clock"}
    at = deal
    if any(entry.turn_id is not None for entry in log[:deal]):
        findings.of_match("turn_in_deal", match.id, "an entry of its deal is said to belong to a turn.")
        return None
    while at < len(log) or gone:
        resigning = bool(gone) and gone[0][0] <= at
        turn_id = log[at].turn_id if at < len(log) else None
        if resigning and by_clock.get(turn_id or "") != gone[0][1]:
            turn_id = None  # not by time that was up
        if not resigning and turn_id is None:
            sentence = f"Match {match.id}, ply {at}: this entry belongs to no turn, and nobody had resigned."
            findings.breach("entry_without_turn", match.id, sentence)
            return None
        if resigning:
            gone.pop(0)
        stop = at
        while stop < len(log) and log[stop].turn_id == turn_id and not (resigning and gone and gone[0][0] == stop):
            stop += 1
        bounds.append((at, stop, turn_id, resigning))
        at = stop
    named = [turn_id for _, _, turn_id, _ in bounds if turn_id is not None]
    for turn_id in sorted({turn_id for turn_id in named if named.count(turn_id) > 1}):
        sentence = f"Turn {turn_id} is in the log of match {match.id} at {named.count(turn_id)} places."
        findings.breach("turn_twice_in_log", turn_id, sentence)
    return bounds
