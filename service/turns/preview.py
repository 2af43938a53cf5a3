"""Before a turn: what is legal, and what a turn would do up to its first draw. Stores nothing."""

from __future__ import annotations

from engine import play
from engine.documents import to_document
from engine.types import Entry
from service.context import Submitting
from service.errors import Invalid
from service.matches.access import seated, state_of
from service.players.types import Player
from service.turns.freshness import check_fresh
from service.turns.intake import Actions, Notation, take_in, take_in_prefix
from service.turns.judge import refused_at
from service.turns.types import LegalAction, LegalActions, Preview
from service.turns.verdicts import explained
from service.views.narration import told


def preview(
    context: Submitting,
    player: Player,
    match_id: str,
    seat: int | None,
    ply: int,
    actions: Actions = None,
    notation: Notation = None,
) -> Preview:
    """Gives what a turn would do up to its first draw; changes nothing. Raises what ``submit``
    raises.
    """
    at = seated(context, player, match_id, seat)
    check_fresh(context, at, ply)
    state = state_of(context, at)
    played = take_in(at.game, lambda: state, at.seat, actions, notation).actions
    looked = play.preview(at.game, state, at.seat, played)
    violation = None
    if looked.violation is not None:
        refused = refused_at(at.game, looked.state, at.seat, looked.violation, looked.actions)
        violation = explained(at.game, refused)
    done = [Entry(at.seat, action) for action in played[: looked.actions]]
    return Preview(
        accepted=looked.actions,
        drawing=looked.drawing,
        violation=violation,
        entries=told(at.game, play.walk(at.game, state, at.match.ply, done, None), at.seat, at.match.names),
        observation=to_document(at.game.observe(looked.state, at.seat)),
    )


def legal_actions(
    context: Submitting,
    player: Player,
    match_id: str,
    seat: int | None = None,
    actions: Actions = None,
    notation: Notation = None,
) -> LegalActions:
    """Gives what the seat may do now, or after some actions of the same turn; nothing where the
    match does not await it, or a draw comes first.

    Raises ``NotFound``, ``Forbidden``, ``Conflict``, or ``Invalid`` where the earlier actions
    cannot be parsed or are not legal.
    """
    at = seated(context, player, match_id, seat)
    state = state_of(context, at)
    before = take_in_prefix(at.game, lambda: state, at.seat, actions, notation)
    looked = play.preview(at.game, state, at.seat, before)
    pointer = "/notation" if notation is not None else f"/actions/{looked.actions}"
    if looked.violation is not None:
        raise Invalid(((pointer, looked.violation.message),), looked.violation.code)
    if looked.actions < len(before):
        sentence = "This comes after a draw, and what follows a draw cannot be previewed."
        raise Invalid(((pointer, sentence),), "behind_a_draw")
    playing = at.match.status == "running" and at.match.seats[at.seat].resigned_at is None
    legal = play.legal_actions(at.game, looked.state, at.seat) if playing else ()
    items = tuple(LegalAction(to_document(action), at.game.format(action)) for action in legal)
    return LegalActions(match_id, at.match.ply, at.seat, items)
