"""Turns, their verdicts, and legal actions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, TypedDict

from engine import registry
from engine.documents import About
from engine.errors import UnknownGame
from engine.listing import labels
from service.api.shapes import Inlined, LinkAddress
from service.matches.types import Match, SeatOfMatch
from service.store.players import Player
from service.turns.types import LegalAction, LegalActions, NextTurn, Refusal, Turn, Verdict


@dataclass(frozen=True, slots=True)
class LegalActionAnswer:
    """An action that is legal, as a document and as text."""

    number: Annotated[int, About("Its number, which is an answer too: the notation `3` means the third.", minimum=1)]
    legal: Annotated[LegalAction, Inlined()]
    group: Annotated[
        str, About("What a menu of these actions is called; empty for an action in none.", example="start")
    ]
    label: Annotated[str, About("What the action is called in that menu.", example="G1")]


class Alternatives(TypedDict, total=False):
    """What would have been legal in place of a refused action; empty inside a problem."""

    legal: Annotated[
        tuple[LegalActionAnswer, ...],
        About("What would have been legal there; at most 200. Left out inside a problem, which lists them itself."),
    ]
    legal_total: Annotated[
        int, About("How many actions would have been legal. Left out inside a problem, which has the number itself.")
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
    violation: Annotated[
        ViolationAnswer | None, About("Why the turn, or its rest, was refused; `null` if all was accepted.")
    ]


@dataclass(frozen=True, slots=True)
class NextTurnAnswer:
    """What the match asks of you now."""

    following: Annotated[NextTurn, Inlined()]
    legal: Annotated[tuple[LegalActionAnswer, ...], About("What is legal, numbered, in canonical order; at most 200.")]


@dataclass(frozen=True, slots=True)
class TurnLinks:
    """Where to look next."""

    self: Annotated[LinkAddress, About("The turn.")]
    match: Annotated[LinkAddress, About("The match.")]
    observation: Annotated[LinkAddress, About("What you may know of the match.")]


@dataclass(frozen=True, slots=True)
class TurnAnswer:
    """A submitted turn: `queued` until it is judged, then it has its verdict."""

    turn: Annotated[Turn, Inlined()]
    verdict: Annotated[VerdictAnswer | None, About("The verdict; `null` while it is queued.")]
    next: Annotated[
        NextTurnAnswer | None,
        About(
            "What is asked of you next, if the match still waits for you after an accepted turn: a tile was drawn,"
            " and is to be placed. `null` otherwise, once the match has moved on, and in lists of turns."
        ),
    ]
    links: Annotated[TurnLinks, About("Where to look next.")]


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


def violation_answer(refusal: Refusal | None, alternatives: bool = True) -> ViolationAnswer | None:
    """Why a turn was refused; ``None`` where it was not."""
    if refusal is None:
        return None
    legal: Alternatives = {"legal": numbered(refusal.legal), "legal_total": refusal.legal_total}
    return ViolationAnswer(refusal, legal if alternatives else {})


def numbered(legal: Iterable[LegalAction]) -> tuple[LegalActionAnswer, ...]:
    """Legal actions numbered from 1, as in notation."""
    actions = tuple(legal)
    named = enumerate(zip(actions, labels([action.notation for action in actions]), strict=True), 1)
    return tuple(LegalActionAnswer(number, action, label.group, label.words) for number, (action, label) in named)


@dataclass(frozen=True, slots=True)
class LegalActionsAnswer:
    """What a seat may do, or why it may do nothing."""

    legal: Annotated[LegalActions, Inlined()]
    items: Annotated[tuple[LegalActionAnswer, ...], About("In canonical order; the notation `3` means the third.")]


def legal_answer(legal: LegalActions) -> LegalActionsAnswer:
    """What is legal."""
    return LegalActionsAnswer(legal, numbered(legal.items))


UNKNOWN_COLOURS = ("grey",)


@dataclass(frozen=True, slots=True)
class SeatAnswer:
    """A seat of a match."""

    seat: Annotated[SeatOfMatch, Inlined()]
    colour: Annotated[str, About("Its colour on the board.")]
    you: Annotated[bool, About("True if the seat is yours.")]


@dataclass(frozen=True, slots=True)
class MatchLinks:
    """Where the rest of a match is."""

    self: Annotated[LinkAddress, About("The match.")]
    game: Annotated[LinkAddress, About("Its game.")]
    observation: Annotated[LinkAddress, About("What you may know.")]
    legal_actions: Annotated[LinkAddress, About("What you may do.")]
    turns: Annotated[LinkAddress, About("Where turns are submitted.")]
    components: Annotated[LinkAddress, About("What it is played with.")]
    log: Annotated[LinkAddress, About("What happened.")]
    record: Annotated[LinkAddress, About("The match as one file.")]
    board_svg: Annotated[LinkAddress, About("The board as SVG.")]
    board_png: Annotated[LinkAddress, About("The board as PNG.")]
    board_txt: Annotated[LinkAddress, About("The board as text.")]


@dataclass(frozen=True, slots=True)
class MatchAnswer:
    """A match of a game."""

    match: Annotated[Match, Inlined()]
    you_created: Annotated[bool, About("True if you created the match.")]
    seats: Annotated[tuple[SeatAnswer, ...], About("The seats, from the first.")]
    links: Annotated[MatchLinks, About("Where the rest of the match is.")]


def match_path(match_id: str) -> str:
    """The address of a match."""
    return f"/v1/matches/{match_id}"


def match_answer(match: Match, caller: Player | None) -> MatchAnswer:
    """A match as this caller sees it."""
    me = caller.id if caller is not None else None
    colours = _colours(match)
    seats = tuple(
        SeatAnswer(seat, colours[seat.seat % len(colours)], me is not None and seat.player_id == me)
        for seat in match.seats
    )
    return MatchAnswer(match, me is not None and match.created_by == me, seats, _links(match))


def _colours(match: Match) -> tuple[str, ...]:
    """The colours of the seats; ``UNKNOWN_COLOURS`` where the match's rules are not installed."""
    try:
        return registry.game(match.game, match.rules_version).info.seat_colours
    except UnknownGame:
        return UNKNOWN_COLOURS


def _links(match: Match) -> MatchLinks:
    root = match_path(match.id)
    parts = "observation legal-actions turns components log record board.svg board.png board.txt".split()
    return MatchLinks(root, f"/v1/games/{match.game}", *(f"{root}/{part}" for part in parts))
