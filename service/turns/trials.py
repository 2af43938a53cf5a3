"""Before a turn: what is legal, and what a turn would do up to its first draw. Everything is read
from the database, and nothing is stored.

What actions that a player chose lead to is found out in a sandbox, as the rules may hang or crash
at them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine import play
from engine.documents import to_document
from engine.types import Entry
from service.context import Context
from service.errors import Invalid
from service.matches.access import Seated, seated, state_of
from service.matches.replays import game_of
from service.sandbox import Actions, Notation, Trial
from service.store.players import Player
from service.turns.intake import take_in, take_in_prefix
from service.turns.judge import refused_at
from service.turns.refusals import check_fresh
from service.turns.types import LegalAction, LegalActions, Preview
from service.turns.verdicts import explained
from service.views.narration import told


def preview_of(context: Context, trial: Trial) -> Preview:
    """What a turn would do up to its first draw. Raises ``Invalid``."""
    match, seat, game = trial.match, trial.seat, game_of(trial.match)
    state = state_of(context, Seated(match, game, seat))
    played = take_in(game, lambda: state, seat, trial.actions, trial.notation).actions
    looked = play.preview(game, state, seat, played)
    violation = None
    if looked.violation is not None:
        refused = refused_at(game, looked.state, seat, looked.violation, looked.actions)
        violation = explained(game, refused)
    done = [Entry(seat, action) for action in played[: looked.actions]]
    return Preview(
        accepted=looked.actions,
        drawing=looked.drawing,
        violation=violation,
        entries=told(game, play.walk(game, state, match.ply, done, None), seat, match.names),
        observation=to_document(game.observe(looked.state, seat)),
    )


def legal_after(context: Context, trial: Trial) -> LegalActions:
    """What the seat may do after some actions of the same turn, or now. Raises ``Invalid`` where
    these cannot be parsed or are not legal.
    """
    match, seat, game = trial.match, trial.seat, game_of(trial.match)
    state = state_of(context, Seated(match, game, seat))
    before = take_in_prefix(game, lambda: state, seat, trial.actions, trial.notation)
    looked = play.preview(game, state, seat, before)
    pointer = "/notation" if trial.notation is not None else f"/actions/{looked.actions}"
    if looked.violation is not None:
        raise Invalid(((pointer, looked.violation.message),), looked.violation.code)
    if looked.actions < len(before):
        sentence = "This comes after a draw, and what follows a draw cannot be previewed."
        raise Invalid(((pointer, sentence),), "behind_a_draw")
    playing = match.is_on and match.seats[seat].resigned_at is None
    legal = play.legal_actions(game, looked.state, seat) if playing else ()
    items = tuple(LegalAction(to_document(action), game.format(action)) for action in legal)
    return LegalActions(match.id, match.ply, seat, items)


def document_of(context: Context, trial: Trial) -> Mapping[str, Any]:
    """The document of a submitted turn, as it is stored. Raises ``Invalid``."""
    at = Seated(trial.match, game_of(trial.match), trial.seat)
    return take_in(at.game, lambda: state_of(context, at), at.seat, trial.actions, trial.notation).document


def preview(
    context: Context,
    player: Player,
    match_id: str,
    seat: int | None,
    ply: int,
    actions: Actions = None,
    notation: Notation = None,
) -> Preview:
    """Returns what a turn would do up to its first draw; changes nothing. Raises what ``submit``
    raises.
    """
    at = seated(context, player, match_id, seat)
    check_fresh(context, at, ply)
    return context.sandbox.run(context, preview_of, Trial(at.match, at.seat, actions, notation))


def legal_actions(
    context: Context,
    player: Player,
    match_id: str,
    seat: int | None = None,
    actions: Actions = None,
    notation: Notation = None,
) -> LegalActions:
    """Returns what the seat may do now, or after some actions of the same turn; nothing where the
    match does not await it, or a draw comes first.

    Raises ``NotFound``, ``Forbidden``, ``Conflict``, ``TrialFailed``, or ``Invalid`` where the
    earlier actions cannot be parsed or are not legal.
    """
    at = seated(context, player, match_id, seat)
    trial = Trial(at.match, at.seat, actions, notation)
    if notation is None and not actions:
        return legal_after(context, trial)
    return context.sandbox.run(context, legal_after, trial)
