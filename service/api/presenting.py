"""Turns what the use cases answer into what the schemas write: links, names, and who is looking."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from engine import registry
from engine.documents import to_document
from engine.errors import UnknownGame
from service.api.auth import Caller

if TYPE_CHECKING:
    from service.matches.types import Match
    from service.turns.types import LegalAction, NextTurn, Preview, Refusal, Turn

NO_COLOUR = "grey"


def match_path(match_id: str) -> str:
    """The address of a match."""
    return f"/v1/matches/{match_id}"


def turn_path(turn: Turn) -> str:
    """The address of a turn."""
    return f"{match_path(turn.match_id)}/turns/{turn.id}"


def match_document(match: Match, caller: Caller | None) -> dict[str, Any]:
    """A match as this caller sees it, ready for ``MatchSchema``."""
    me = caller.id if caller is not None else None
    root = match_path(match.id)
    colours = _colours(match)
    seats = [
        _shallow(seat) | {"colour": colours[seat.seat % len(colours)], "you": me is not None and seat.player_id == me}
        for seat in match.seats
    ]
    links = {name: f"{root}/{path}" for name, path in _PLACES.items()} | {
        "self": root,
        "game": f"/v1/games/{match.game}",
    }
    return _shallow(match) | {
        "seats": seats,
        "you_created": me is not None and match.created_by == me,
        "outcome": to_document(match.outcome),
        "links": links,
    }


def _colours(match: Match) -> tuple[str, ...]:
    """The colours of the seats; a match whose rules are not at hand is still listed."""
    try:
        return registry.game(match.game, match.rules_version).info.seat_colours
    except UnknownGame:
        return (NO_COLOUR,)


_PLACES = {
    "observation": "observation",
    "legal_actions": "legal-actions",
    "turns": "turns",
    "components": "components",
    "log": "log",
    "record": "record",
    "board_svg": "board.svg",
    "board_png": "board.png",
    "board_txt": "board.txt",
}


def turn_document(turn: Turn, following: NextTurn | None = None) -> dict[str, Any]:
    """A turn, and what the match asks of its seat next, ready for ``TurnSchema``."""
    links = {
        "self": turn_path(turn),
        "match": match_path(turn.match_id),
        "observation": f"{match_path(turn.match_id)}/observation",
    }
    verdict = None
    if turn.verdict is not None:
        verdict = _shallow(turn.verdict) | {"violation": refusal_document(turn.verdict.violation)}
    asked = None if following is None else _shallow(following) | {"legal": legal_documents(following.legal)}
    return _shallow(turn) | {"verdict": verdict, "next": asked, "links": links}


def preview_document(preview: Preview) -> dict[str, Any]:
    """A preview, ready for ``PreviewSchema``."""
    return dict(preview) | {"dry_run": True, "violation": refusal_document(preview["violation"])}


def refusal_document(refusal: Refusal | None) -> dict[str, Any] | None:
    """A refusal, ready for ``ViolationSchema``."""
    if refusal is None:
        return None
    return _shallow(refusal) | {"pointer": refusal.pointer, "legal": legal_documents(refusal.legal)}


def legal_documents(legal: Sequence[LegalAction]) -> list[dict[str, Any]]:
    """Legal actions, ready for ``LegalActionSchema``: counted from 1, as notation counts them."""
    return [_shallow(each) | {"number": number} for number, each in enumerate(legal, 1)]


def _shallow(value: Any) -> dict[str, Any]:
    return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
