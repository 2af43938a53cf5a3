"""Turns what the use cases answer into what the schemas write: links, names, and who is looking."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from engine import registry
from engine.documents import to_document
from engine.errors import UnknownGame
from service.api.auth import Caller

if TYPE_CHECKING:
    from service.matches.types import Match, Preview, Refusal, Turn

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
    seats = [_shallow(seat) | {"colour": colours[seat.seat % len(colours)], "you": me is not None and seat.player_id == me} for seat in match.seats]
    links = {name: f"{root}/{path}" for name, path in _PLACES.items()} | {"self": root, "game": f"/v1/games/{match.game}"}
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


def turn_document(turn: Turn) -> dict[str, Any]:
    """A turn, ready for ``TurnSchema``."""
    links = {"self": turn_path(turn), "match": match_path(turn.match_id), "observation": f"{match_path(turn.match_id)}/observation"}
    verdict = None
    if turn.verdict is not None:
        verdict = _shallow(turn.verdict) | {"violation": refusal_document(turn.verdict.violation)}
    return _shallow(turn) | {"verdict": verdict, "links": links}


def preview_document(preview: Preview) -> dict[str, Any]:
    """A preview, ready for ``PreviewSchema``."""
    return dict(preview) | {"dry_run": True, "violation": refusal_document(preview["violation"])}


def refusal_document(refusal: Refusal | None) -> dict[str, Any] | None:
    """A refusal, ready for ``ViolationSchema``."""
    if refusal is None:
        return None
    return _shallow(refusal) | {"pointer": refusal.pointer}


def _shallow(value: Any) -> dict[str, Any]:
    return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
