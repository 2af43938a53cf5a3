"""Argument and result types of the use cases of a turn.

None of them contains anything that is concealed from its reader.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Literal, TypeAlias, TypedDict

from engine.documents import About
from engine.types import ToldStatement, VerdictStatus
from service.ids import ID_PATTERN
from service.matches.types import Document, OfGame
from service.statuses import TurnStatus


@dataclass(frozen=True, slots=True)
class BrokenRule:
    """A further rule that the refused action breaks."""

    code: Annotated[str, About("The game's stable code.")]
    rule: Annotated[str, About("The number of the rule in the game's rules text.")]
    message: Annotated[str, About("What was wrong, in a sentence.")]


@dataclass(frozen=True, slots=True)
class LegalAction:
    """A legal action, as a JSON document and as a line of notation."""

    action: Annotated[Document, OfGame("action"), About("The action as an object, which can be sent in a turn.")]
    notation: Annotated[str, About("The same as a line of notation.")]


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a turn, or its rest, was refused.

    ``action_index`` is the 0-based index of the refused action (JSON pointer ``/actions/N``),
    ``None`` where the whole turn was refused unread. ``legal`` are at most 200 of the
    ``legal_total`` actions that would have been legal in its place.
    """

    code: Annotated[str, About("The game's stable code.")]
    rule: Annotated[str, About("The number of the rule in the game's rules text.")]
    message: Annotated[str, About("What was wrong, and what would work, in a sentence.")]
    action_index: int | None = None
    others: Annotated[tuple[BrokenRule, ...], About("Further rules that the same action breaks.")] = ()
    legal: tuple[LegalAction, ...] = ()
    legal_total: int = 0

    @property
    def pointer(
        self,
    ) -> Annotated[
        str, About("The action, as a JSON pointer into the turn; empty for the turn as a whole.", example="/actions/1")
    ]:
        """Where in the turn document the fault is."""
        return "" if self.action_index is None else f"/actions/{self.action_index}"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict on a turn: ``accepted`` actions stand; ``entries`` narrate to its submitter what
    happened, including draws and bots.
    """

    status: Annotated[VerdictStatus, About("How much of the turn was accepted.")]
    accepted: Annotated[int, About("How many of its actions were accepted.")]
    ply_before: Annotated[int, About("The ply of the match before it.")]
    ply_after: Annotated[int, About("The ply of the match after it.")]
    entries: Annotated[tuple[str, ...], About("What happened, as you may know it, one sentence per entry.")] = ()
    violation: Annotated[Refusal | None, About("Why the rest was refused; `null` if all was accepted.")] = None


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn as its submitter sees it: ``actions`` are documents; ``notation`` the lines they were
    parsed from, if any.

    ``awaited`` is whether the match awaited the seat when the verdict was read, where that was read
    with it.
    """

    id: Annotated[str, About("The id of the turn.", pattern=ID_PATTERN)]
    match_id: Annotated[str, About("The id of the match.", pattern=ID_PATTERN)]
    seat: Annotated[int, About("The seat that it is for.")]
    player_id: str
    ply: Annotated[int, About("The ply that it answers.")]
    actions: Annotated[tuple[Annotated[Document, OfGame("action")], ...], About("Its actions, in order.")]
    status: Annotated[TurnStatus, About("What has become of it.")]
    submitted_at: Annotated[datetime, About("When it was submitted.")]
    judged_at: Annotated[datetime | None, About("When it was judged; `null` until then.")] = None
    verdict: Verdict | None = None
    notation: Annotated[
        tuple[str, ...] | None, About("The lines the actions were read from, if they came as notation.")
    ] = None
    awaited: bool | None = field(default=None, compare=False)


WhyNothing: TypeAlias = Literal["chance_is_due", "not_your_turn", "resigned", "match_over", "not_started"]
"""Why a seat has nothing to do."""


@dataclass(frozen=True, slots=True)
class LegalActions:
    """The legal actions of a seat at ``ply``, or after actions from there, in canonical order.

    Where there is none, ``why`` says so as a code, and ``detail`` as a sentence.
    """

    match: Annotated[str, About("The id of the match.", pattern=ID_PATTERN)]
    ply: Annotated[int, About("The ply that a turn with these actions has to answer.")]
    seat: Annotated[int, About("The seat that would act.")]
    items: tuple[LegalAction, ...]
    why: Annotated[WhyNothing | None, About("Why the list is empty; `null` if it is not.")] = None
    detail: Annotated[str | None, About("The same as a sentence.")] = None


@dataclass(frozen=True, slots=True)
class NextTurn:
    """What the match asks of a seat whose turn was just judged: ``legal`` are at most 200 of
    ``legal_total`` actions; the next turn has to answer ``ply``.
    """

    ply: Annotated[int, About("The ply your next turn has to answer.")]
    prompt: Annotated[ToldStatement, About("What you are asked.")]
    legal: tuple[LegalAction, ...]
    legal_total: Annotated[int, About("How many actions are legal.")]


class Preview(TypedDict):
    """What a turn would do up to its first draw: how many actions are legal, and what the seat
    would then know. Nothing has changed.
    """

    game: Annotated[str, OfGame("game"), About("The name of the match's game.")]
    accepted: Annotated[int, About("How many actions were legal, one after the other, up to the first draw.")]
    drawing: Annotated[bool, About("True if a draw comes next: what follows it cannot be previewed.")]
    violation: Refusal | None
    entries: Annotated[tuple[str, ...], About("What would happen, one sentence per entry.")]
    observation: Annotated[Document, OfGame("observation"), About("What the seat would know then.")]
    next: Annotated[
        LegalActions | None,
        About("What could follow in the same turn, or why nothing can; `null` if an action was refused."),
    ]
    picture: Annotated[str | None, About("The board after these actions as SVG; `null` unless you asked for it.")]
    confirmation: Annotated[
        str | None,
        About(
            "What says that you have looked at this turn: send it with the same turn to play it. `null` where you do"
            " not want to confirm it (`confirm` of your preferences)."
        ),
    ]
