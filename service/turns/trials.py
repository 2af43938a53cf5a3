"""Before a turn: what a match asks, what is legal, what a turn would do up to its first draw, and
whether its player has to confirm it (preference ``confirm``). Nothing is stored.

What actions that a player chose lead to is found out in a sandbox, as the rules may hang or crash
at them. Whoever looks at a turn to confirm first, by a dry run or on a page, gets its confirmation:
a signature of that turn, which is sent with it. A mail has none, and is asked back
(``service.inbox.held``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine import play
from engine.documents import to_document
from engine.picks import choices
from engine.play import narrated
from engine.sentences import prompt_told
from engine.types import CHANCE, Entry, Layout, Seat
from engine.wording import listed
from service.context import Context
from service.errors import Conflict, Invalid
from service.matches import mending, replays
from service.matches.access import NOT_STARTED, OVER, Seated, check_ply, existing, own_seat, seated, state_of
from service.matches.replays import game_of
from service.sandbox import GivenActions, GivenNotation, Trial
from service.signing import is_signed, keys_of, sign
from service.store import matches
from service.store import turns as rows
from service.store.matches import StoredMatch
from service.store.players import Player
from service.texts import gettext as _
from service.turns.intake import fingerprint, take_in
from service.turns.judge import check_playable
from service.turns.types import LegalAction, LegalActions, NextTurn, Preview, Turn, Verdict, WhyNothing
from service.turns.verdicts import MOST_LEGAL, SENTENCES, explained, refused_at
from service.views.match import SCREENS
from service.waits import apart

PURPOSE: Final = "turn"
"""Of the signatures that confirm turns."""
NOTHING: Final[Mapping[WhyNothing, str]] = {
    "chance_is_due": "Chance is due: a draw comes next.",
    "not_your_turn": "The match waits for {names}.",
    "resigned": SENTENCES["resigned"],
    "match_over": OVER,
    "not_started": NOT_STARTED,
}
"""Why a seat has nothing to do, as sentences."""
MOST_SINCE: Final = 64
"""The most entries after a turn that are examined; with more, the match counts as moved on."""


class ConfirmationNeeded(Conflict):
    """The player wants to be shown what the turn does before it is played."""

    code = "confirmation_needed"


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
    if not alone:
        return context.sandbox.run(context, legal_after, trial)
    with replays.ruled(match_id):
        return legal_after(context, trial)


def preview(
    context: Context,
    player: Player,
    match_id: str,
    seat: int | None,
    ply: int,
    actions: GivenActions = None,
    notation: GivenNotation = None,
    layout: Layout | None = None,
) -> Preview:
    """Returns what a turn would do up to its first draw, with a picture of it where a ``layout`` is
    named; changes nothing. Raises what ``submit`` raises.
    """
    at = seated(context, player, match_id, seat)
    check_playable(context, at, ply)
    trial = Trial(at.match, at.seat, actions, notation, layout=layout)
    looked = context.sandbox.run(context, preview_of, trial)
    wanted = "never" if looked["violation"] is not None else confirm_wanted(context, player, match_id)
    if is_to_be_confirmed(context, wanted, trial, looked["drawing"]):
        digest = fingerprint(at.match.id, at.seat, ply, actions, notation)
        looked["confirmation"] = sign(keys_of(context), PURPOSE, f"{player.id} {digest}")
    return looked


def next_turn(context: Context, turn: Turn) -> NextTurn | None:
    """What the match asks of the turn's seat now that the turn is judged. ``None`` while it is
    queued, where it was rejected (its refusal lists what would be legal), where others are awaited,
    and where anything has happened since that the seat may know of. Raises ``NotFound``.
    """
    verdict = turn.verdict
    if verdict is None or verdict.status == "rejected" or turn.awaited is False:
        return None
    return apart(lambda: mending.of_several(context, turn.match_id, lambda: _asked(context, turn, verdict)))


def confirm_wanted(context: Context, player: Player, match_id: str) -> str:
    """Which of their turns in the match the player wants to confirm: never, draws, always."""
    read = context.batched.read
    return read(context.database, lambda connection: rows.confirm_of(connection, player.id, match_id))


def is_to_be_confirmed(context: Context, wanted: str, trial: Trial, drawing: bool | None = None) -> bool:
    """Whether whoever has ``wanted`` (``confirm_wanted``) confirms these actions. ``drawing`` is
    whether they draw, where that is known; it is tried where it is not, and matters.
    """
    if wanted != "draws":
        return wanted == "always"
    return apart(lambda: context.sandbox.run(context, preview_of, trial)["drawing"]) if drawing is None else drawing


def check_confirmed(
    context: Context, player: Player, wanted: str, trial: Trial, digest: str, confirmation: str | None
) -> None:
    """Raises ``ConfirmationNeeded`` where the player wants to confirm the turn, and has not."""
    if confirmation is not None and is_signed(keys_of(context), PURPOSE, f"{player.id} {digest}", confirmation):
        return
    if is_to_be_confirmed(context, wanted, trial):
        sentence = _(
            "You want to confirm a turn before it is played: look what it does with dry_run, and send the confirmation"
            " that you get with the same turn."
        )
        raise ConfirmationNeeded(sentence)


def preview_of(context: Context, trial: Trial) -> Preview:
    """What a turn would do up to its first draw. Raises ``Invalid``."""
    match, seat, game = trial.match, trial.seat, game_of(trial.match)
    state = state_of(context, Seated(match, game, seat))
    played = take_in(game, lambda: state, seat, trial.actions, trial.notation).actions
    looked = play.preview(game, state, seat, played)
    violation = None
    if looked.violation is not None:
        violation = explained(game, refused_at(game, looked.state, seat, looked.violation, looked.actions), match.names)
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
    """What the seat may do after actions of a turn, if any. Raises ``Invalid`` where they are not
    legal, or cannot be parsed.
    """
    match, seat, game = trial.match, trial.seat, game_of(trial.match)
    state, ply = state_of(context, Seated(match, game, seat), trial.ply), match.ply if trial.ply is None else trial.ply
    before: tuple[Any, ...] = ()
    if trial.notation is not None or trial.actions:
        before = take_in(game, lambda: state, seat, trial.actions, trial.notation).actions
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


def _asked(context: Context, turn: Turn, verdict: Verdict) -> NextTurn | None:
    with context.database.read() as connection:
        match = existing(matches.find(connection, turn.match_id), turn.match_id)
        if (
            match.status != "running"
            or match.ply - verdict.ply_after > MOST_SINCE
            or not match.seats[turn.seat].to_act
            or not replays.at_hand(match)
        ):
            return None
        steps = tuple(replays.walk(connection, context, match, verdict.ply_after))
        game, state = game_of(match), replays.load(connection, context, match)
    if not play.still_fresh(game, steps, turn.seat):
        return None
    legal = play.legal_actions(game, state, turn.seat)
    return NextTurn(
        ply=match.ply,
        prompt=prompt_told(game, play.prompt(game, state, turn.seat, turn.seat)),
        legal=tuple(LegalAction(to_document(action), game.format(action)) for action in legal[:MOST_LEGAL]),
        legal_total=len(legal),
    )
