"""Before a turn: what is legal, and what a turn would do up to its first draw. Everything is read
from the database, and nothing is stored.

What actions that a player chose lead to is found out in a sandbox, as the rules may hang or crash
at them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from engine import play
from engine.documents import to_document
from engine.picks import choices
from engine.play import narrated
from engine.types import CHANCE, Entry, Seat
from engine.wording import listed
from service.context import Context
from service.errors import Invalid
from service.matches.access import NOT_STARTED, OVER, Seated, check_ply, own_seat, seated, state_of
from service.matches.replays import game_of
from service.sandbox import GivenActions, GivenNotation, Trial
from service.store.matches import StoredMatch
from service.store.players import Player
from service.turns.intake import take_in, take_in_prefix
from service.turns.judge import refused_at
from service.turns.refusals import SENTENCES
from service.turns.types import LegalAction, LegalActions, Preview, WhyNothing
from service.turns.verdicts import explained
from service.views.board import SCREENS

NOTHING: Final[Mapping[WhyNothing, str]] = {
    "chance_is_due": "Chance is due: a draw comes next.",
    "not_your_turn": "The match waits for {names}.",
    "resigned": SENTENCES["resigned"],
    "match_over": OVER,
    "not_started": NOT_STARTED,
}
"""Why a seat has nothing to do, as sentences."""


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
    seen = game.observe(looked.state, seat)
    follows = None if violation is not None else legal_in(match, seat, match.ply, looked)
    marked = () if follows is None or trial.layout not in SCREENS else follows.items
    allowed = choices(each.action for each in marked)
    return Preview(
        game=match.game,
        accepted=looked.actions,
        drawing=looked.drawing,
        violation=violation,
        entries=narrated(game, play.walk(game, state, match.ply, done, None), seat, match.names),
        observation=to_document(seen),
        next=follows,
        picture=None if trial.layout is None else game.svg(seen, match.names, trial.layout, allowed),
        confirmation=None,
    )


def legal_after(context: Context, trial: Trial) -> LegalActions:
    """What the seat may do after some actions of the same turn, or before any. Raises ``Invalid``
    where these cannot be parsed or are not legal.
    """
    match, seat, game = trial.match, trial.seat, game_of(trial.match)
    state, ply = state_of(context, Seated(match, game, seat), trial.ply), match.ply if trial.ply is None else trial.ply
    before = take_in_prefix(game, lambda: state, seat, trial.actions, trial.notation)
    looked = play.preview(game, state, seat, before)
    pointer = "/notation" if trial.notation is not None else f"/actions/{looked.actions}"
    if looked.violation is not None:
        raise Invalid(((pointer, looked.violation.message),), looked.violation.code)
    if looked.actions < len(before):
        sentence = "This comes after a draw, and what follows a draw cannot be previewed."
        raise Invalid(((pointer, sentence),), "behind_a_draw")
    return legal_in(match, seat, ply, looked)


def legal_in(match: StoredMatch, seat: Seat, ply: int, looked: play.Previewed) -> LegalActions:
    """What the seat may do in the state to which its actions from ``ply`` on have led."""
    game = game_of(match)
    why = _why_nothing(match, seat, ply, looked)
    if why is not None:
        return _nothing(match, seat, ply, why, game.to_act(looked.state))
    legal = play.legal_actions(game, looked.state, seat)
    items = tuple(LegalAction(to_document(action), game.format(action)) for action in legal)
    return LegalActions(match.id, ply, seat, items)


def _why_nothing(match: StoredMatch, seat: Seat, ply: int, looked: play.Previewed) -> WhyNothing | None:
    awaited, resigned = game_of(match).to_act(looked.state), match.seats[seat].resigned_ply
    if not awaited or looked.ending or (ply == match.ply and not match.is_on):
        return "match_over"
    if resigned is not None and resigned <= ply:
        return "resigned"
    if awaited == (CHANCE,):
        return "chance_is_due"
    return None if seat in awaited else "not_your_turn"


def _nothing(match: StoredMatch, seat: Seat, ply: int, why: WhyNothing, awaited: Sequence[Seat] = ()) -> LegalActions:
    names = listed(match.names[each] for each in awaited if each != CHANCE)
    return LegalActions(match.id, ply, seat, (), why, NOTHING[why].format(names=names))


def legal_actions(
    context: Context,
    player: Player,
    match_id: str,
    seat: int | None = None,
    actions: GivenActions = None,
    notation: GivenNotation = None,
    ply: int | None = None,
) -> LegalActions:
    """Returns what the seat may do at ``ply``, by default now, or after some actions of a turn from
    there; or why that is nothing.

    Raises ``NotFound``, ``Forbidden``, ``Conflict`` (also ``ply_ahead``), ``TrialFailed``, or
    ``Invalid`` where the earlier actions cannot be parsed or are not legal.
    """
    alone = notation is None and not actions
    match, own = own_seat(context, player, match_id, seat)
    if alone and match.started_at is None:
        return _nothing(match, own, match.ply, "not_started" if match.status == "open" else "match_over")
    at = seated(context, player, match_id, seat, match)
    check_ply(match, ply)
    trial = Trial(at.match, at.seat, actions, notation, ply)
    return legal_after(context, trial) if alone else context.sandbox.run(context, legal_after, trial)
