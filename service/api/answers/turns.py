"""Turns, their verdicts, and legal actions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Literal, TypedDict

from engine.documents import About
from service.api.answers.matches import match_path
from service.api.answers.pages import NextPage
from service.api.shapes import Inlined
from service.turns.types import LegalAction, LegalActions, NextTurn, Preview, Refusal, Turn, Verdict


@dataclass(frozen=True, slots=True)
class LegalActionAnswer:
    """An action that is legal, as a document and as text."""

    number: Annotated[int, About("Its number, which is an answer too: the notation `3` means the third.", minimum=1)]
    legal: Annotated[LegalAction, Inlined()]


class Alternatives(TypedDict, total=False):
    """What would have been legal in place of a refused action; empty inside a problem."""

    legal: Annotated[
        tuple[LegalActionAnswer, ...],
        About("What would have been legal there; at most 200. Left out inside a problem, which lists them itself."),
    ]
    legal_total: Annotated[
        int,
        About("How many actions would have been legal. Left out inside a problem, which has the number itself."),
    ]


@dataclass(frozen=True, slots=True)
class ViolationAnswer:
    """Why an action was refused."""

    refusal: Annotated[Refusal, Inlined(without=("legal", "legal_total"))]
    alternatives: Annotated[Alternatives, Inlined()]


@dataclass(frozen=True, slots=True)
class VerdictAnswer:
    """The verdict on a turn."""

    verdict: Annotated[Verdict, Inlined()]
    violation: ViolationAnswer | None


@dataclass(frozen=True, slots=True)
class NextTurnAnswer:
    """What the match asks of you now."""

    following: Annotated[NextTurn, Inlined()]
    legal: Annotated[tuple[LegalActionAnswer, ...], About("What is legal, numbered, in canonical order; at most 200.")]


@dataclass(frozen=True, slots=True)
class TurnLinks:
    """Where to look next."""

    self: str
    match: str
    observation: str


@dataclass(frozen=True, slots=True)
class TurnAnswer:
    """A submitted turn: `queued` until it is judged, then it has its verdict."""

    turn: Annotated[Turn, Inlined()]
    verdict: VerdictAnswer | None
    next: Annotated[
        NextTurnAnswer | None,
        About(
            "What is asked of you next, if the match still waits for you after an accepted turn: a tile was drawn,"
            " and is to be placed. `null` otherwise, once the match has moved on, and in lists of turns."
        ),
    ]
    links: TurnLinks


@dataclass(frozen=True, slots=True)
class TurnPage:
    """A page of turns: your own."""

    items: tuple[TurnAnswer, ...]
    next: NextPage


@dataclass(frozen=True, slots=True)
class PreviewAnswer:
    """What a turn would do, up to its first draw. Nothing has changed."""

    dry_run: Literal[True]
    preview: Annotated[Preview, Inlined()]
    violation: ViolationAnswer | None


@dataclass(frozen=True, slots=True)
class LegalActionsAnswer:
    """What the seat may do now, or after a prefix of the same turn."""

    legal: Annotated[LegalActions, Inlined()]
    items: Annotated[tuple[LegalActionAnswer, ...], About("In canonical order; the notation `3` means the third.")]


def turn_path(turn: Turn) -> str:
    """The address of a turn."""
    return f"{match_path(turn.match_id)}/turns/{turn.id}"


def turn_answer(turn: Turn, following: NextTurn | None = None, alternatives: bool = True) -> TurnAnswer:
    """A turn, with what the match asks of its seat next, and the ``alternatives`` to a refused
    action.
    """
    match, verdict = match_path(turn.match_id), turn.verdict
    return TurnAnswer(
        turn,
        None if verdict is None else VerdictAnswer(verdict, violation_answer(verdict.violation, alternatives)),
        None if following is None else NextTurnAnswer(following, numbered(following.legal)),
        TurnLinks(turn_path(turn), match, f"{match}/observation"),
    )


def preview_answer(preview: Preview) -> PreviewAnswer:
    """What a turn would do."""
    return PreviewAnswer(True, preview, violation_answer(preview["violation"]))


def legal_answer(legal: LegalActions) -> LegalActionsAnswer:
    """What is legal."""
    return LegalActionsAnswer(legal, numbered(legal.items))


def violation_answer(refusal: Refusal | None, alternatives: bool = True) -> ViolationAnswer | None:
    """Why a turn was refused; ``None`` where it was not."""
    if refusal is None:
        return None
    legal: Alternatives = {"legal": numbered(refusal.legal), "legal_total": refusal.legal_total}
    return ViolationAnswer(refusal, legal if alternatives else {})


def numbered(legal: Iterable[LegalAction]) -> tuple[LegalActionAnswer, ...]:
    """Legal actions numbered from 1, as in notation."""
    return tuple(LegalActionAnswer(number, action) for number, action in enumerate(legal, 1))
