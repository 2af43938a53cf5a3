"""Turns that are played only once their player has confirmed them, as the preference ``confirm``
says, by whichever door they come.

Whoever looks at such a turn first, by a dry run or on a page, gets its confirmation: a signature of
that turn, which is sent with it. A mail has none, and is asked back (``service.inbox.held``).
"""

from __future__ import annotations

from typing import Final

from engine.types import Layout
from service.context import Context
from service.errors import Conflict
from service.matches.access import seated
from service.sandbox import GivenActions, GivenNotation, Trial
from service.signing import is_signed, keys_of, sign
from service.store.players import Player
from service.texts import gettext as _
from service.turns.intake import fingerprint
from service.turns.lookup import confirm_wanted
from service.turns.refusals import check_playable
from service.turns.trials import preview_of
from service.turns.types import Preview
from service.waits import apart

PURPOSE: Final = "turn"


class ConfirmationNeeded(Conflict):
    """The player wants to be shown what the turn does before it is played."""

    code = "confirmation_needed"

    def __init__(self) -> None:
        super().__init__(
            _(
                "You want to confirm a turn before it is played: look what it does with dry_run, and send the"
                " confirmation that you get with the same turn."
            )
        )


def is_to_be_confirmed(context: Context, wanted: str, trial: Trial, drawing: bool | None = None) -> bool:
    """Whether whoever has ``wanted`` (``confirm_wanted``) confirms these actions. ``drawing`` is
    whether they draw, where that is known; it is tried where it is not, and matters.
    """
    if wanted != "draws":
        return wanted == "always"
    return apart(lambda: context.sandbox.run(context, preview_of, trial)["drawing"]) if drawing is None else drawing


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
        looked["confirmation"] = confirmation_of(context, player, digest)
    return looked


def confirmation_of(context: Context, player: Player, digest: str) -> str:
    """The confirmation of a turn that was looked at; ``digest`` is its fingerprint."""
    return sign(keys_of(context), PURPOSE, f"{player.id} {digest}")


def check_confirmed(
    context: Context, player: Player, wanted: str, trial: Trial, digest: str, confirmation: str | None
) -> None:
    """Raises ``ConfirmationNeeded`` where the turn is one that the player wants to confirm, by
    ``wanted``, and has not.
    """
    if confirmation is not None and is_signed(keys_of(context), PURPOSE, f"{player.id} {digest}", confirmation):
        return
    if is_to_be_confirmed(context, wanted, trial):
        raise ConfirmationNeeded
